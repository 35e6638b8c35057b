"""Merged lists: pages of lists of all cells, merged in their common order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from landsraad.v1 import matches_pb2, replays_pb2
from landsraad.v1 import matches_service_pb2 as matches_api
from landsraad.v1 import replays_service_pb2 as replays_api
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.match_list import page_size
from landsraad_server.cells.membership import CellMembership
from landsraad_server.matches.archive import index_name

Item = TypeVar("Item")


def merge(
    pages: Iterable[tuple[Iterable[Item], str]], size: int, place: Callable[[Item], str], *, newest_first: bool
) -> tuple[list[Item], str]:
    """Merge the pages of several cells into one.

    A cell has read its list only up to its token (empty: to the end), since it leaves out what the caller may not see
    or did not ask for. What lies behind the token of any cell belongs on a later page.

    Args:
        pages: The items of each cell, and its token.
        size: The most items of the merged page.
        place: The page token of an item.
        newest_first: Whether tokens descend.

    Returns:
        The items, and the token of the next page; empty at the end.
    """
    pages = [(list(items), token) for items, token in pages]
    found = sorted((item for items, _ in pages for item in items), key=place, reverse=newest_first)
    tokens = [token for _, token in pages if token]
    token = ""
    if tokens:
        token = max(tokens) if newest_first else min(tokens)
        found = [item for item in found if (place(item) >= token if newest_first else place(item) <= token)]
    if len(found) > size:
        found = found[:size]
        token = place(found[-1])
    return found, token


def _unreachable(answers: Mapping[str, object | None]) -> list[str]:
    return [f"cells/{cell}" for cell, answer in answers.items() if answer is None]


def asks_all(membership: CellMembership, call: RpcCall) -> bool:
    """Return whether a list is to be made of all cells: not if the call names this one."""
    return call.cell != membership.cells.own


async def matches_of_all(
    membership: CellMembership, request: matches_api.ListMatchesRequest, own: bytes, call: RpcCall
) -> matches_api.ListMatchesResponse:
    """Merge a page of matches of the own cell with those of the others."""
    read = matches_api.ListMatchesResponse.FromString
    asked = await membership.peers.ask("Matches/ListMatches", request, read, bearer=call.bearer, address=call.address)
    answers = [read(own), *(answer for answer in asked.values() if answer is not None)]
    pages = [(answer.matches, answer.next_page_token) for answer in answers]
    found, token = merge(pages, page_size(request.page_size), _place_of_match, newest_first=True)
    return matches_api.ListMatchesResponse(matches=found, next_page_token=token, unreachable=_unreachable(asked))


async def replays_of_all(
    membership: CellMembership,
    request: replays_api.ListReplaysRequest,
    own: replays_api.ListReplaysResponse,
    call: RpcCall,
) -> replays_api.ListReplaysResponse:
    """Merge a page of replays of the own cell with those of the others."""
    read = replays_api.ListReplaysResponse.FromString
    asked = await membership.peers.ask("Replays/ListReplays", request, read, bearer=call.bearer, address=call.address)
    answers = [own, *(answer for answer in asked.values() if answer is not None)]
    pages = [(answer.replays, answer.next_page_token) for answer in answers]
    found, token = merge(pages, page_size(request.page_size), _place_of_replay, newest_first=False)
    return replays_api.ListReplaysResponse(replays=found, next_page_token=token, unreachable=_unreachable(asked))


def _place_of_match(match: matches_pb2.Match) -> str:
    return f"{match.create_time.ToMilliseconds():015d} {match.name.removeprefix('matches/')}"


def _place_of_replay(replay: replays_pb2.Replay) -> str:
    return index_name(replay.name.removeprefix("replays/"), replay.match.end_time.ToMilliseconds())
