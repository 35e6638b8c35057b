"""Credentials of seats, and by what somebody plays one.

A match keeps the digest of each credential with who holds the seat (`SeatPlan.key`). So whoever gets a seat gets it
together with its credential, in one entry of the log, and that of the holder before ends there and then. A credential
is shown once, to its owner; it is 256 random bits, of which a plain digest is enough.
"""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256
from typing import NamedTuple

from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import SeatPlan
from landsraad_server.refusals import Denied

#: In front of every credential, so that one that lies about can be recognised by people and by scanners.
SEAT_PREFIX = "landsraad_seat_"
_CREDENTIAL = re.compile(SEAT_PREFIX + r"([0-9A-Za-z]{1,32})\.([0-9]{1,2})\.([\w-]{43})", re.ASCII)


class SeatSecret:
    """What will be a credential as soon as it is known for which seat."""

    __slots__ = ("_text", "key")

    def __init__(self) -> None:
        self._text = secrets.token_urlsafe(32)
        self.key = _key(self._text)

    def of(self, match: str, seat: int) -> str:
        """The credential."""
        return f"{SEAT_PREFIX}{match}.{seat}.{self._text}"


class Credential(NamedTuple):
    """What a credential says of itself."""

    match: str
    seat: int
    key: bytes

    @classmethod
    def read(cls, text: str) -> Credential | None:
        """None if it was not made by us."""
        found = _CREDENTIAL.fullmatch(text)
        return None if found is None else cls(found[1], int(found[2]), _key(found[3]))

    def is_good(self, position: HostedMatch) -> bool:
        """Whether that match knows it, and it has not ended."""
        seats = position.terms.seats
        return self.seat < len(seats) and _fits(self.key, seats[self.seat])


class SeatProof(NamedTuple):
    """By what somebody plays a seat: as the account that holds it, or by its credential.

    It is looked at in the same turn as what it is needed for: who has just lost the seat does and sees nothing more.
    """

    account: str = ""
    key: bytes = b""

    def check(self, position: HostedMatch, seat: int) -> None:
        """Denied unless the seat is still theirs."""
        position.check_seat(seat)
        if not self.holds(position, seat):
            raise Denied("NOT_YOURS", "this account does not hold the seat") if self.account else not_good()

    def holds(self, position: HostedMatch, seat: int) -> bool:
        """Whether the seat is still theirs."""
        plan = position.terms.seats[seat]
        return plan.account == self.account if self.account else _fits(self.key, plan)


def not_good() -> Denied:
    """The credential was made up, or has ended."""
    return Denied("NO_CREDENTIAL", "this credential is not known, or not any more")


def _fits(key: bytes, plan: SeatPlan) -> bool:
    return bool(plan.key) and hmac.compare_digest(plan.key, key)


def _key(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
