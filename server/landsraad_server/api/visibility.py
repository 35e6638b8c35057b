"""Who may see what of a match in which they do not play."""

from __future__ import annotations

from landsraad_server.accounts.authentication import Authenticator
from landsraad_server.matches.credentials import SEAT_PREFIX, Credential, not_good
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.refusals import Denied


async def must_see(hall: MatchHosts, accounts: Authenticator, match: str, bearer: str) -> None:
    """Denied unless they may: an unlisted match is for those alone who had a seat in it, or have made it."""
    if not await hall.read(match, lambda position: position.terms.unlisted):
        return
    credential = identity = None
    if bearer.startswith(SEAT_PREFIX):
        credential = Credential.read(bearer)
    else:
        identity = await accounts.known(bearer)

    def may_see(position: HostedMatch) -> bool:
        if credential is not None:
            return credential.match == match and credential.is_good(position)
        terms = position.terms
        return identity is not None and identity in (terms.creator, *[plan.account for plan in terms.seats])

    if await hall.read(match, may_see):
        return
    if not bearer:
        needed = "this needs the credential of a seat in it, or the token of an account that has one or has made it"
        raise Denied("NO_CREDENTIAL", f"the match is not listed: {needed}")
    if identity is None and (credential is None or credential.match == match):
        raise not_good()
    raise Denied("NOT_YOURS", "the match is not listed: it is for those who had a seat in it, or have made it")


async def whose_list(accounts: Authenticator, bearer: str, *, mine: bool) -> str | None:
    """The account for which matches are listed; None for anybody. Whoever asks for theirs alone with a token that is
    none (any more) is told so: an empty list would say that they have no match.
    """
    if mine and bearer:
        return (await accounts.caller(bearer)).identity
    return await accounts.known(bearer)
