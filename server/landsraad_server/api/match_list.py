"""Match lists: paging and filters for open, live, finished and archived matches."""

from __future__ import annotations

import re
from typing import NoReturn

from landsraad.v1 import common_pb2, matches_pb2
from landsraad.v1 import matches_service_pb2 as api
from landsraad.wire.fields import framed, tag
from landsraad.wire.match_names import MATCH_ID
from landsraad_server.matches import match_messages
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.refusals import bad_field
from landsraad_server.store import IndexState
from landsraad_server.store.match_index import IndexRow

#: Time of creation in ms, and the match id.
_PAGE_TOKEN = re.compile(rf"[0-9]{{15}} {MATCH_ID}")
_MATCHES = tag(api.ListMatchesResponse.DESCRIPTOR, "matches")
_STATES = {
    common_pb2.MATCH_STATE_OPEN: IndexState.OPEN,
    common_pb2.MATCH_STATE_LIVE: IndexState.LIVE,
    common_pb2.MATCH_STATE_OVER: IndexState.OVER,
}


async def list_matches(hosts: MatchHosts, request: api.ListMatchesRequest, identity: str | None) -> bytes:
    """Return one page of matches, newest first, as a serialised ListMatchesResponse.

    Without a state in the request, all three states are merged by time of creation. The index holds matches in
    serialised form; parsing and writing them again would take most of the time.
    """
    size = page_size(request.page_size)
    after = page_token(request.page_token)
    check_game(request.game)
    if request.state and request.state not in _STATES:
        raise bad_field("state", "is unknown to this version")
    states = [_STATES[request.state]] if request.state else list(IndexState)
    rows: list[IndexRow] = []
    for state in states:
        rows += (await hosts.store.index.page(state, size, after)).rows
    rows.sort(key=lambda row: (row.listing.created, row.match), reverse=True)
    page = rows[:size]
    listed: list[bytes] = []
    for row in page:
        summary = match_messages.read_summary(row.listing.summary)
        message = matches_pb2.Match.FromString(summary.message)
        if visible(summary, message, identity, mine=request.mine) and request.game in ("", message.game):
            listed.append(framed(_MATCHES, summary.message))
    token = f"{page[-1].listing.created:015d} {page[-1].match}" if len(page) == size else ""
    return b"".join(listed) + api.ListMatchesResponse(next_page_token=token).SerializeToString()


def visible(summary: match_messages.Summary, message: matches_pb2.Match, identity: str | None, *, mine: bool) -> bool:
    """Return whether a match belongs in an account's lists."""
    theirs = identity is not None and (identity == summary.creator or identity in summary.accounts)
    return theirs or not (mine or message.unlisted)


def check_game(game: str) -> None:
    """Refuse a malformed name of a game; an unknown one is allowed, as it may have been played here once."""
    if game and not game.startswith("games/"):
        raise bad_field("game", "has to be of the form games/{game}")


def page_size(wanted: int, usual: int = 50, most: int = 200) -> int:
    """Return the number of items to list: `usual` if the request does not say, and at most `most`."""
    if wanted < 0:
        raise bad_field("page_size", "cannot be negative")
    return min(wanted or usual, most)


def page_token(token: str) -> bytes:
    """Return where a page begins; BAD_FIELD for a malformed token."""
    if token and not _PAGE_TOKEN.fullmatch(token):
        reject_page_token()
    return token.encode()


def reject_page_token() -> NoReturn:
    """Refuse a page token that this service never issued."""
    raise bad_field("page_token", "was not issued by this service")
