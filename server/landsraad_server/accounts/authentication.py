"""Who calls, and what for: accounts by their tokens, seats by their credentials."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import NamedTuple

from landsraad_server.accounts.admission import Admission, CallKind
from landsraad_server.matches.credentials import SEAT_PREFIX, Credential, SeatProof, not_good
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.refusals import Denied, bad_field, is_gone
from landsraad_server.store.account_store import TOKEN_PREFIX

#: Where accounts are open to all, a guest's account follows from its token, and nothing of it is kept: whoever has none
#: is given one, and may as well make it up.
GUEST_PREFIX = "landsraad_guest_"
#: What their accounts begin with.
_GUEST = "guest-"
_A_GUEST = re.compile(_GUEST + "[0-9a-f]{16}")
#: So long is the name of a request that was drawn at random, as the SDK does it.
_UNGUESSABLE = 32


class Caller(NamedTuple):
    """The account that calls."""

    identity: str
    name: str
    #: the token that was made for it just now; empty if it has come with one
    token: str = ""


class Authenticator:
    """Who may do what. With `open_to_all`, guests need no account made beforehand."""

    def __init__(self, hall: MatchHosts, admission: Admission, *, open_to_all: bool) -> None:
        self._hall = hall
        self._admission = admission
        self._open = open_to_all

    async def caller(self, bearer: str, *, welcome: str | None = None) -> Caller:
        """The account that calls.

        One is made for whoever has none, if guests are `welcome` to begin with this request: the same one for the same
        request, if nobody could guess its name.
        """
        if welcome is not None and self._open and not bearer:
            secret = welcome if len(welcome) >= _UNGUESSABLE else secrets.token_urlsafe(32)
            token = GUEST_PREFIX + hashlib.sha256(f"landsraad guest {secret}".encode()).hexdigest()
            return Caller(_guest(token), "", token)
        identity = await self.known(bearer)
        if identity is None:
            needed = "this needs the token of an account in `authorization: Bearer <token>`"
            raise Denied("NO_CREDENTIAL", "this is no token of an account here, or not any more" if bearer else needed)
        account = await self._hall.store.accounts.get(identity)
        return Caller(identity, account.name if account else "")

    async def known(self, bearer: str) -> str | None:
        """The account that a token speaks for; None if there is none."""
        identity = None
        if bearer.startswith(TOKEN_PREFIX):
            identity = await self._hall.store.accounts.who(bearer)
        elif self._open and bearer.startswith(GUEST_PREFIX):
            identity = _guest(bearer)
        if identity is not None:
            await self._admission.account(CallKind.CALL, identity)
        return identity

    async def exists(self, identity: str) -> bool:
        """Whether somebody may come by that account: of guests nothing is kept, so theirs may be any."""
        if is_guest(identity):
            return self._open
        return await self._hall.store.accounts.get(identity) is not None

    async def holder(self, bearer: str) -> str:
        """Who opens a stream: an account, or a seat; Denied if the bearer is of no use (any more)."""
        if bearer.startswith(SEAT_PREFIX):
            credential = await self._credential(bearer)
            holder: str | None = f"{credential.match} {credential.seat}"
        else:
            holder = await self.known(bearer)
        if holder is None:
            raise not_good()
        await self._admission.account(CallKind.CONNECT, holder)
        return holder

    async def seat(self, match: str, seat: int, bearer: str) -> SeatProof:
        """Denied unless the bearer is the seat's credential, or a token of the account that holds the seat."""
        name = match_id(match)
        if not bearer:
            raise Denied("NO_CREDENTIAL", "this needs the seat's credential, or the token of the account that holds it")
        if bearer.startswith(SEAT_PREFIX):
            credential = await self._credential(bearer)
            if (credential.match, credential.seat) != (name, seat):
                raise Denied("NOT_YOURS", "this credential is for another seat")
            await self._admission.account(CallKind.CALL, f"{name} {seat}")
            return SeatProof(key=credential.key)
        identity = await self.known(bearer)
        if identity is None:
            raise Denied("NO_CREDENTIAL", "this credential is not known")
        claim = SeatProof(account=identity)
        await self._hall.read(name, lambda position: claim.check(position, seat))
        return claim

    async def _credential(self, text: str) -> Credential:
        """A seat's credential; Denied if it is not good (any more)."""
        credential = Credential.read(text)
        if credential is None or not await self._knows(credential):
            raise not_good()
        return credential

    async def is_good(self, bearer: str) -> bool:
        """Whether a token, or a seat's credential, has not ended; Denied if that cannot be said at the moment."""
        if bearer.startswith(SEAT_PREFIX):
            credential = Credential.read(bearer)
            return credential is not None and await self._knows(credential)
        return await self._hall.store.accounts.who(bearer) is not None

    async def _knows(self, credential: Credential) -> bool:
        try:
            return await self._hall.read(credential.match, credential.is_good)
        except Denied as denied:
            if is_gone(denied):
                return False
            raise


def _guest(token: str) -> str:
    """The account of a guest."""
    return _GUEST + hashlib.sha256(token.encode()).hexdigest()[:16]


def is_guest(identity: str) -> bool:
    """Whether an account has the form of a guest's."""
    return _A_GUEST.fullmatch(identity) is not None


def match_id(name: str, field: str = "match") -> str:
    """The id in a resource name; `field` is where the request has it."""
    prefix, _, match = name.partition("/")
    if prefix != "matches" or not 1 <= len(match) <= 32 or not (match.isascii() and match.isalnum()):
        raise bad_field(field, "is of the form matches/{match}, with 1 to 32 letters and digits")
    return match
