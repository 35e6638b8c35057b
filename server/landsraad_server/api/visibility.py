"""Visibility: which callers may see a match in which they do not play, and whose matches a list contains."""

from __future__ import annotations

from landsraad_server.accounts.authentication import Authenticator
from landsraad_server.matches.credentials import SEAT_PREFIX, Credential, invalid_credential
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.refusals import Denied


async def check_visible(hosts: MatchHosts, authenticator: Authenticator, match: str, bearer: str) -> None:
    """Refuse callers without access to the match: only its creator and its players see an unlisted one."""
    if not await hosts.read(match, lambda hosted: hosted.terms.unlisted):
        return
    credential = identity = None
    if bearer.startswith(SEAT_PREFIX):
        credential = Credential.read(bearer)
    else:
        identity = await authenticator.identify(bearer)

    def may_see(hosted: HostedMatch) -> bool:
        if credential is not None:
            return credential.match == match and credential.is_valid(hosted)
        terms = hosted.terms
        return identity is not None and identity in (terms.creator, *[plan.account for plan in terms.seats])

    if await hosts.read(match, may_see):
        return
    if not bearer:
        needed = "this needs the credential of a seat in it, or the token of an account that has one or has created it"
        raise Denied("NO_CREDENTIAL", f"the match is not listed: {needed}")
    if identity is None and (credential is None or credential.match == match):
        raise invalid_credential()
    raise Denied("NOT_YOURS", "the match is not listed: only its creator and those who had a seat in it can see it")


async def listing_identity(authenticator: Authenticator, bearer: str, *, mine: bool) -> str | None:
    """Return the account whose matches are listed; None for a caller without one.

    An invalid token is refused if the caller asks for their own matches: an empty list would say that they have none.
    """
    if mine and bearer:
        return (await authenticator.authenticate(bearer)).identity
    return await authenticator.identify(bearer)
