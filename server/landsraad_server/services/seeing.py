"""Who may see what of a match in which they do not play."""

from __future__ import annotations

from landsraad_server.accounts import Accounts
from landsraad_server.hosting.credentials import SEAT_PREFIX, Credential
from landsraad_server.hosting.hall import Hall
from landsraad_server.hosting.position import Position
from landsraad_server.refusals import Denied


async def must_see(hall: Hall, accounts: Accounts, match: str, bearer: str) -> None:
    """Denied unless they may: an unlisted match is for those alone who had a seat in it, or have made it."""
    if not await hall.read(match, lambda position: position.terms.unlisted):
        return
    credential = identity = None
    if bearer.startswith(SEAT_PREFIX):
        credential = Credential.read(bearer)
    else:
        identity = await accounts.known(bearer)

    def may_see(position: Position) -> bool:
        if credential is not None:
            return credential.match == match and credential.is_good(position)
        terms = position.terms
        return identity is not None and identity in (terms.creator, *[plan.account for plan in terms.seats])

    if not await hall.read(match, may_see):
        raise Denied("NOT_YOURS", "the match is not listed: it is for those who had a seat in it, or have made it")
