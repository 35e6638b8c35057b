"""Who calls, and what for: accounts by their tokens, seats by their credentials."""

from __future__ import annotations

from typing import NamedTuple

from landsraad_server.hosting.hall import Hall
from landsraad_server.refusals import Denied, bad_field
from landsraad_server.store.accounts import SEAT_PREFIX, TOKEN_PREFIX

#: The account of all callers without a token, where accounts are open to all: it makes matches and takes seats, but a
#: seat of it is played by the seat's own credential alone.
GUEST = "guest"


class Caller(NamedTuple):
    """The account that calls."""

    identity: str
    name: str


class Accounts:
    """Who may do what. With `open_to_all`, whoever comes without a token is a guest."""

    def __init__(self, hall: Hall, *, open_to_all: bool) -> None:
        self._hall = hall
        self._open = open_to_all

    async def caller(self, bearer: str) -> Caller:
        """The account that calls."""
        identity = await self.known(bearer)
        if identity == GUEST:
            return Caller(GUEST, "")
        if identity is not None:
            account = await self._hall.store.accounts.get(identity)
            return Caller(identity, account.name if account else "")
        raise Denied("NO_CREDENTIAL", "this needs the token of an account in `authorization: Bearer <token>`")

    async def known(self, bearer: str) -> str | None:
        """The account that a token speaks for; None if there is none."""
        if not bearer.startswith(TOKEN_PREFIX):
            return GUEST if self._open and not bearer else None
        return await self._hall.store.accounts.who(bearer)

    async def seat(self, match: str, seat: int, bearer: str) -> None:
        """Denied unless the bearer is the seat's credential, or a token of the account that holds the seat."""
        name = match_id(match)
        if not bearer:
            raise Denied("NO_CREDENTIAL", "this needs the seat's credential, or the token of the account that holds it")
        if bearer.startswith(SEAT_PREFIX):
            good_for = await self._hall.store.seats.verify(bearer)
            if good_for is None:
                raise Denied("NO_CREDENTIAL", "this credential is not known, or not any more")
            if good_for != (name, str(seat)):
                raise Denied("NOT_YOURS", "this credential is for another seat")
            return
        identity = await self.known(bearer)
        if identity is None:
            raise Denied("NO_CREDENTIAL", "this credential is not known")
        plans = await self._hall.read(name, lambda position: position.terms.seats)
        if not 0 <= seat < len(plans):
            raise Denied("NO_SUCH_SEAT", f"the match has the seats 0 to {len(plans) - 1}")
        if plans[seat].account != identity:
            raise Denied("NOT_YOURS", "this account does not hold the seat")


def match_id(name: str) -> str:
    """The id in a resource name."""
    prefix, _, match = name.partition("/")
    if prefix != "matches" or not 1 <= len(match) <= 32 or not (match.isascii() and match.isalnum()):
        raise bad_field("match", "is of the form matches/{match}, with 1 to 32 letters and digits")
    return match
