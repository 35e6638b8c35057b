"""Who may see what of a match in which they do not play."""

from __future__ import annotations

from landsraad_server.accounts import Accounts
from landsraad_server.hosting.credentials import SEAT_PREFIX, Credential
from landsraad_server.hosting.hall import Hall
from landsraad_server.hosting.position import Position
from landsraad_server.refusals import Denied


async def must_see(hall: Hall, accounts: Accounts, match: str, bearer: str) -> Position:
    """The match; an unlisted one is for those alone who had a seat in it, or have made it."""
    position = await hall.read(match, lambda position: position)
    terms = position.terms
    if not terms.unlisted:
        return position
    if bearer.startswith(SEAT_PREFIX):
        credential = Credential.read(bearer)
        if credential is not None and credential.match == match and credential.is_good(position):
            return position
    else:
        identity = await accounts.known(bearer)
        if identity is not None and identity in (terms.creator, *[plan.account for plan in terms.seats]):
            return position
    raise Denied("NOT_YOURS", "the match is not listed: it is for those who had a seat in it, or have made it")
