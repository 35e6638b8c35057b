"""Lists of matches: the store's index, and the archive's."""

from __future__ import annotations

import re
from typing import NoReturn

from landsraad.v1 import common_pb2, matches_pb2
from landsraad.v1 import matches_service_pb2 as api
from landsraad.wire.fields import framed, tag
from landsraad_server.matches import match_messages
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.refusals import bad_field
from landsraad_server.store import IndexState
from landsraad_server.store.match_index import IndexRow

#: When a match was made, and its id.
_PAGE_TOKEN = re.compile(r"[0-9]{15} [0-9A-Za-z]{1,32}")
_MATCHES = tag(api.ListMatchesResponse.DESCRIPTOR, "matches")
_STATES = {
    common_pb2.MATCH_STATE_OPEN: IndexState.OPEN,
    common_pb2.MATCH_STATE_LIVE: IndexState.LIVE,
    common_pb2.MATCH_STATE_OVER: IndexState.OVER,
}


async def list_matches(hall: MatchHosts, request: api.ListMatchesRequest, identity: str | None) -> bytes:
    """One page, newest first: of one state, or of all three merged by the time of their making.

    Its bytes: the matches are written already, and to write them anew would take most of the time.
    """
    size = page_size(request.page_size)
    after = page_token(request.page_token)
    check_game(request.game)
    if request.state and request.state not in _STATES:
        raise bad_field("state", "is none that this version knows")
    states = [_STATES[request.state]] if request.state else list(IndexState)
    rows: list[IndexRow] = []
    for state in states:
        rows += (await hall.store.index.page(state, size, after)).rows
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
    """Whether a match is in somebody's lists."""
    theirs = identity is not None and (identity == summary.creator or identity in summary.accounts)
    return theirs or not (mine or message.unlisted)


def check_game(game: str) -> None:
    """Refuse what is no name of a game: there is nothing of it in any list. One that nobody has here may have been."""
    if game and not game.startswith("games/"):
        raise bad_field("game", "is of the form games/{game}")


def page_size(wanted: int, usual: int = 50, most: int = 200) -> int:
    """How many to list: the usual number if nothing is said, and never more than the most."""
    if wanted < 0:
        raise bad_field("page_size", "not below 0")
    return min(wanted or usual, most)


def page_token(token: str) -> bytes:
    """Where a page begins."""
    if token and not _PAGE_TOKEN.fullmatch(token):
        made_up()
    return token.encode()


def made_up() -> NoReturn:
    """Refuse a token of which no list can say where its next page begins."""
    raise bad_field("page_token", "is none that this service has given")
