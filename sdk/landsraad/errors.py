"""What can go wrong between a client and the service, as exceptions.

Everything derives from :class:`LandsraadError`. A service that *says* no raises a :class:`RefusedByService`, by its
reason one of the classes below it; a service that cannot be reached raises :class:`ConnectionLost`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from landsraad.v1.errors_pb2 import Refusal
    from landsraad.wire.codec import Codec
    from landsraad_engine.kernel.grammar import Act


class LandsraadError(Exception):
    """Base of everything that the SDK raises on purpose."""


class ConnectionLost(LandsraadError):
    """The service could not be reached, for longer than the client was told to be patient."""


class BadAddress(LandsraadError):
    """What was given as the address of a service is none."""


class BadTls(LandsraadError):
    """A file of a certificate, of a key or of an authority cannot be used."""


class UnknownGame(LandsraadError):
    """The match is of a game that is not installed here, or has an option that means nothing here: a content file."""


class UnknownBot(LandsraadError):
    """No bot of that name is installed here, or it does not play the game."""


class SeatLost(LandsraadError):
    """This client plays the seat no longer: another stream has taken it, or its credential was revoked."""


class RefusedByService(LandsraadError):
    """The service has refused something, and says why. Nothing was done."""

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        rule: str = "",
        field: str = "",
        fields: Mapping[str, str] | None = None,
        nearest: tuple[Act, ...] = (),
        decision: int = 0,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        #: the closed list of errors.proto, in lower case: "against_rules", "seat_taken", ...
        self.reason = reason
        self.message = message
        #: id of the rule that forbids an act; empty if no single one does
        self.rule = rule
        #: the field of the act that is at fault, or several separated by ", "
        self.field = field
        #: every field at fault, with what is wrong
        self.fields = dict(fields or {})
        #: legal acts near the one that was sent
        self.nearest = nearest
        #: the open decision of the seat, if it is another one than was named
        self.decision = decision
        #: seconds after which it may be tried again; None if that does not help
        self.retry_after = retry_after

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        near = f" Legal would be: {', '.join(map(repr, self.nearest))}." if self.nearest else ""
        return f"{self.reason}{rule}: {self.message}.{near}"


class IllegalAct(RefusedByService):
    """Not an act of this game, or not a legal one now."""


class Stale(RefusedByService):
    """The match has moved on: the decision or step that was named is no longer the open one."""


class MatchOver(RefusedByService):
    """The match has ended."""


class BadRequest(RefusedByService):
    """A field or an option of the request is wrong; ``fields`` says which."""


class NotAllowed(RefusedByService):
    """No credential, or one that is not good for this."""


class NotFound(RefusedByService):
    """There is no such game, match, seat or replay."""


class WrongState(RefusedByService):
    """Not in this state of the match, or the seat is taken."""


class LimitReached(RefusedByService):
    """Too much, too many or too often; ``retry_after`` says when there may be more."""


class Unavailable(RefusedByService):
    """The service cannot do it at the moment. The client has tried again already, for as long as it is patient."""


class ServiceFailed(RefusedByService):
    """The service's own fault."""


_CLASSES: Mapping[str, type[RefusedByService]] = {
    "malformed": IllegalAct,
    "not_asked": IllegalAct,
    "against_rules": IllegalAct,
    "not_now": IllegalAct,
    "stale": Stale,
    "superseded": Stale,
    "over": MatchOver,
    "bad_field": BadRequest,
    "bad_option": BadRequest,
    "too_large": BadRequest,
    "no_credential": NotAllowed,
    "not_yours": NotAllowed,
    "no_such_game": NotFound,
    "no_such_match": NotFound,
    "no_such_seat": NotFound,
    "no_such_replay": NotFound,
    "wrong_state": WrongState,
    "seat_taken": WrongState,
    "rate_limited": LimitReached,
    "quota": LimitReached,
    "overloaded": LimitReached,
    "draining": Unavailable,
    "store_lost": Unavailable,
    "other_build": Unavailable,
    "internal": ServiceFailed,
}

#: Nothing was done, and the same may be sent again as it is.
RETRYABLE = frozenset({"draining", "store_lost", "other_build", "overloaded", "rate_limited"})


def error_from_refusal(refusal: Refusal, codec: Codec | None = None) -> RefusedByService:
    """The exception for a refusal; the nearest legal acts only if the game is known."""
    from landsraad.wire.refusals import reason_of  # noqa: PLC0415 - whoever only catches errors needs no protobuf

    reason = reason_of(refusal).lower()
    detail = refusal.detail
    kind = _CLASSES.get(reason, RefusedByService)
    found: dict[str, Any] = {}
    if codec is not None:
        found["nearest"] = codec.read_acts(detail.nearest)
    return kind(
        reason,
        refusal.message,
        rule=detail.rule,
        field=detail.field,
        fields={violation.field: violation.description for violation in refusal.violations},
        decision=detail.decision_id,
        retry_after=refusal.retry_ms / 1000 if refusal.retry_ms else None,
        **found,
    )
