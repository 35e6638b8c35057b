"""Seat credentials: bearer secrets that let a client play one seat of one match.

A match stores the digest of each credential beside the account that holds the seat (`SeatPlan.key`). One log entry
therefore assigns a seat, issues its credential and revokes the previous one. A credential is shown once, to its owner.
It has 256 random bits, so a plain digest is enough to store it safely.
"""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256
from typing import NamedTuple

from landsraad.wire.match_names import MATCH_ID
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import SeatPlan
from landsraad_server.refusals import Denied

#: Prefix of every credential: people and secret scanners recognise one that has leaked.
SEAT_PREFIX = "landsraad_seat_"
_CREDENTIAL = re.compile(SEAT_PREFIX + rf"({MATCH_ID})" + r"\.([0-9]{1,2})\.([\w-]{43})", re.ASCII)


class SeatSecret:
    """The random part of a new credential, made before it is known which seat the client gets."""

    __slots__ = ("_text", "key")

    def __init__(self) -> None:
        self._text = secrets.token_urlsafe(32)
        self.key = _key(self._text)

    def credential(self, match: str, seat: int) -> str:
        """Return the credential for a seat."""
        return f"{SEAT_PREFIX}{match}.{seat}.{self._text}"


class Credential(NamedTuple):
    """The parsed text of a credential; whether the match accepts it is another question."""

    match: str
    seat: int
    key: bytes

    @classmethod
    def read(cls, text: str) -> Credential | None:
        """Parse a credential; None if the text is no credential of this service."""
        found = _CREDENTIAL.fullmatch(text)
        return None if found is None else cls(found[1], int(found[2]), _key(found[3]))

    def is_valid(self, hosted: HostedMatch) -> bool:
        """Tell whether the match has issued this credential and has not revoked it."""
        seats = hosted.terms.seats
        return self.seat < len(seats) and _fits(self.key, seats[self.seat])


class SeatProof(NamedTuple):
    """Proof that a client may play a seat: the account that holds it, or the digest of its credential.

    It is checked in the same batch as the request that needs it. A client that has just lost the seat can neither act
    nor read any more.
    """

    account: str = ""
    key: bytes = b""

    def check(self, hosted: HostedMatch, seat: int) -> None:
        """Raise `Denied` unless the client still holds the seat."""
        hosted.check_seat(seat)
        if not self.holds(hosted, seat):
            raise Denied("NOT_YOURS", "this account does not hold the seat") if self.account else invalid_credential()

    def holds(self, hosted: HostedMatch, seat: int) -> bool:
        """Tell whether the client still holds the seat."""
        plan = hosted.terms.seats[seat]
        return plan.account == self.account if self.account else _fits(self.key, plan)


def invalid_credential() -> Denied:
    """Return the refusal of a credential that was made up or revoked."""
    return Denied("NO_CREDENTIAL", "this credential is not known, or not any more")


def _fits(key: bytes, plan: SeatPlan) -> bool:
    return bool(plan.key) and hmac.compare_digest(plan.key, key)


def _key(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
