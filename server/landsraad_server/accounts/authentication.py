"""Authentication: accounts by API tokens, guests by self-made tokens, seats by their credentials."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import NamedTuple

from landsraad.wire.match_names import is_match_id
from landsraad_server.accounts.rate_limiter import CallKind, RateLimiter
from landsraad_server.matches.credentials import SEAT_PREFIX, Credential, SeatProof, invalid_credential
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.refusals import Denied, bad_field, is_gone
from landsraad_server.store.account_store import TOKEN_PREFIX

#: Guests exist where accounts are open to all. A guest's account is derived from its token and nothing of it is stored:
#: `Accounts.CreateGuest` returns a token, and a client might as well make one up.
GUEST_PREFIX = "landsraad_guest_"
#: Prefix of guest accounts.
_GUEST = "guest-"
_A_GUEST = re.compile(_GUEST + "[0-9a-f]{16}")


class Caller(NamedTuple):
    """The account behind a call."""

    identity: str
    #: empty for a guest
    name: str

    @property
    def guest(self) -> bool:
        """Tell whether it is a guest."""
        return is_guest(self.identity)


class SeatHolder(NamedTuple):
    """A seat with the account that holds it."""

    match: str
    seat: int
    holder: Caller


class Authenticator:
    """Resolves bearer tokens to accounts and seats. With `open_to_all`, guests need no account made beforehand."""

    def __init__(self, hosts: MatchHosts, rate_limiter: RateLimiter, *, open_to_all: bool) -> None:
        self._hosts = hosts
        self._rate_limiter = rate_limiter
        self._open = open_to_all

    def new_guest(self, request_id: str) -> tuple[Caller, str]:
        """Return a guest account and its token: the same ones for the same request id, which must not be guessable.

        Raises:
            Denied: This service has no guests.
        """
        if not self._open:
            raise Denied("NO_CREDENTIAL", "this service has no guests: ask its operator for the token of an account")
        secret = request_id or secrets.token_urlsafe(32)
        token = GUEST_PREFIX + hashlib.sha256(f"landsraad guest {secret}".encode()).hexdigest()
        return Caller(_guest(token), ""), token

    async def authenticate(self, bearer: str) -> Caller:
        """Return the account of a call; Denied if it has none."""
        identity = await self.identify(bearer)
        if identity is None:
            where = "Accounts.CreateGuest returns one" if self._open else "its operator issues it"
            needed = f"this needs the token of an account in `authorization: Bearer <token>`; {where}"
            raise Denied("NO_CREDENTIAL", "this token is not valid here, or not any more" if bearer else needed)
        return await self._caller(identity)

    async def _caller(self, identity: str) -> Caller:
        """Return an account with its name."""
        account = None if is_guest(identity) else await self._hosts.store.accounts.get(identity)
        return Caller(identity, account.name if account else "")

    async def seat_holder(self, bearer: str) -> SeatHolder | None:
        """Return the seat of a credential and the account that holds it; None if the bearer is no credential.

        Raises:
            Denied: The credential is not valid.
        """
        if not bearer.startswith(SEAT_PREFIX):
            return None
        credential = await self._credential(bearer)
        await self._rate_limiter.charge_account(CallKind.CALL, f"{credential.match} {credential.seat}")
        identity = await self._hosts.read(credential.match, lambda hosted: hosted.terms.seats[credential.seat].account)
        return SeatHolder(credential.match, credential.seat, await self._caller(identity))

    async def identify(self, bearer: str) -> str | None:
        """Return the account that a token stands for and charge the call to it; None if there is none."""
        identity = None
        if bearer.startswith(TOKEN_PREFIX):
            identity = await self._hosts.store.accounts.identify(bearer)
        elif self._open and bearer.startswith(GUEST_PREFIX):
            identity = _guest(bearer)
        if identity is not None:
            await self._rate_limiter.charge_account(CallKind.CALL, identity)
        return identity

    async def find_accounts(self, id_or_name: str) -> list[str]:
        """Return the account with this id, or else all accounts with this name.

        Guest accounts are not stored: each id of one counts where guests are allowed.
        """
        if is_guest(id_or_name):
            return [id_or_name] if self._open else []
        accounts = self._hosts.store.accounts
        return [id_or_name] if await accounts.get(id_or_name) is not None else await accounts.named(id_or_name)

    async def stream_owner(self, bearer: str) -> str:
        """Return the account or seat that opens a stream; Denied if its token or credential is not valid."""
        if bearer.startswith(SEAT_PREFIX):
            credential = await self._credential(bearer)
            holder: str | None = f"{credential.match} {credential.seat}"
        else:
            holder = await self.identify(bearer)
        if holder is None:
            raise invalid_credential()
        await self._rate_limiter.charge_account(CallKind.CONNECT, holder)
        return holder

    async def prove_seat(self, match: str, seat: int, bearer: str) -> SeatProof:
        """Return the proof that the bearer may play a seat: its credential, or a token of the account that holds it.

        Raises:
            Denied: The bearer is neither.
        """
        name = match_id(match)
        if not bearer:
            raise Denied("NO_CREDENTIAL", "this needs the seat's credential, or the token of the account that holds it")
        if bearer.startswith(SEAT_PREFIX):
            credential = await self._credential(bearer)
            if (credential.match, credential.seat) != (name, seat):
                raise Denied("NOT_YOURS", "this credential is for another seat")
            await self._rate_limiter.charge_account(CallKind.CALL, f"{name} {seat}")
            return SeatProof(key=credential.key)
        identity = await self.identify(bearer)
        if identity is None:
            raise Denied("NO_CREDENTIAL", "this credential is not known")
        proof = SeatProof(account=identity)
        await self._hosts.read(name, lambda hosted: proof.check(hosted, seat))
        return proof

    async def _credential(self, text: str) -> Credential:
        """Parse and check a seat's credential; Denied if it is not valid."""
        credential = Credential.read(text)
        if credential is None or not await self._knows(credential):
            raise invalid_credential()
        return credential

    async def is_valid(self, bearer: str) -> bool:
        """Return whether a token or credential is still valid; Denied if that cannot be told at the moment."""
        if bearer.startswith(SEAT_PREFIX):
            credential = Credential.read(bearer)
            return credential is not None and await self._knows(credential)
        return await self._hosts.store.accounts.identify(bearer) is not None

    async def _knows(self, credential: Credential) -> bool:
        try:
            return await self._hosts.read(credential.match, credential.is_valid)
        except Denied as denied:
            if is_gone(denied):
                return False
            raise


def _guest(token: str) -> str:
    """Derive a guest's account from its token."""
    return _GUEST + hashlib.sha256(token.encode()).hexdigest()[:16]


def is_guest(identity: str) -> bool:
    """Return whether an account has the form of a guest's."""
    return _A_GUEST.fullmatch(identity) is not None


def match_id(name: str, field: str = "match") -> str:
    """Return the id in a resource name; BAD_FIELD for `field` if the name is malformed."""
    prefix, _, match = name.partition("/")
    if prefix != "matches" or not is_match_id(match):
        raise bad_field(field, "has to be of the form matches/{match}, with 1 to 32 letters and digits")
    return match
