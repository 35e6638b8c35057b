"""Exceptions of the SDK.

All of them derive from :class:`LandsraadError`. A service that refuses a request raises a :class:`RefusedByService`, of
the subclass that fits its reason. A service that cannot be reached raises :class:`ConnectionLost`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from landsraad_engine.errors import describe_place, describe_refusal, reduce_error

if TYPE_CHECKING:
    from landsraad.v1.errors_pb2 import Refusal
    from landsraad.wire.codec import Codec
    from landsraad_engine.kernel.grammar import Act


class LandsraadError(Exception):
    """Base class of all errors of the SDK.

    Example:
        ::

            from landsraad import LandsraadError

            try:
                client.match("matches/none")
            except LandsraadError as error:
                print(error)
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_error(self)


class ConnectionLost(LandsraadError):
    """The service could not be reached for longer than `retry_timeout`."""


class BadAddress(LandsraadError):
    """The address of the service is malformed."""


class BadTls(LandsraadError):
    """A file with a certificate, a key or an authority cannot be used."""


class UnknownGame(LandsraadError):
    """The game of the match, or the content file that it uses, is not installed here."""


class OtherRules(LandsraadError):
    """The match is played by another engine build, or with other components, than those that are installed here."""


class UnknownBot(LandsraadError, LookupError):
    """There is no bot of this name, or no file, module or class that was named, or it does not play this game."""


class NotABot(UnknownBot):
    """The name is that of something else than a subclass of `Bot` with a method `decide`."""


class BadBotOptions(UnknownBot):
    """The options in a bot's name, after the `@`, are none that the bot takes."""


class BotNotImported(UnknownBot):
    """The code of the bot raises an error when it is imported; the message ends with the bot's own traceback."""


class SeatLost(LandsraadError):
    """This client no longer plays the seat: another stream has taken it, or its credential was revoked."""


class RefusedByService(LandsraadError):
    """The service has refused a request and done nothing.

    Args:
        reason: The reason as a word of errors.proto in lower case, such as "against_rules" or "seat_taken". A newer
            service may send one that is unknown here, such as "unknown_99"; the class of the exception still fits.
        message: The explanation in English.
        rule: The id of the rule that forbids an act; empty if no single rule does.
        field: The field of the act that is wrong, or several, separated by ", ".
        fields: All wrong fields, each with an explanation.
        nearest: Legal acts that are close to the refused one.
        decision: The number of the seat's open decision, if you have named another one.
        retry_after: Seconds after which a retry may succeed; None if a retry does not help.

    Attributes:
        match: The name of the match, if the refused request was an act.
        seat: The number of the seat that has sent the act; None for other requests.
        why: The rule of the decision that was open then; empty if there was none.
    """

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
        self.reason = reason
        self.message = message
        self.rule = rule
        self.field = field
        self.fields = dict(fields or {})
        self.nearest = nearest
        self.decision = decision
        self.retry_after = retry_after
        self.match = ""
        self.seat: int | None = None
        self.why = ""

    def __str__(self) -> str:
        return describe_refusal(self, describe_place(self.match, self.seat, self.why))

    def locate(self, match: str, seat: int, why: str) -> None:
        """Add the place of the refused act, which the message then names.

        Args:
            match: The name of the match.
            seat: The number of the seat.
            why: The rule of the open decision; empty if there is none.
        """
        self.match, self.seat, self.why = match, seat, why


class IllegalAct(RefusedByService):
    """The act does not belong to this game, or is not legal now."""


class Stale(RefusedByService):
    """The match has moved on: the decision or step that you have named is no longer open."""


class MatchOver(RefusedByService):
    """The match has ended."""


class BadRequest(RefusedByService):
    """A field or an option of the request is wrong; `fields` tells which."""


class NotAllowed(RefusedByService):
    """The credential is missing, or does not permit this."""


class NotFound(RefusedByService):
    """There is no such game, match, seat, replay or account."""


class WrongState(RefusedByService):
    """The match is in the wrong state for this request, or the seat is taken."""


class LimitReached(RefusedByService):
    """A limit of size, number or rate is exceeded; `retry_after` tells when to try again."""


class Unavailable(RefusedByService):
    """The service cannot answer at the moment. The client has already retried for `retry_timeout` seconds."""


class WrongCell(RefusedByService):
    """The match belongs to another cell of the service, and this client cannot follow there."""

    #: the cell, and its address
    cell = ""
    address = ""


class ServiceFailed(RefusedByService):
    """The service has an internal fault."""


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
    "no_such_account": NotFound,
    "wrong_state": WrongState,
    "seat_taken": WrongState,
    "rate_limited": LimitReached,
    "quota": LimitReached,
    "overloaded": LimitReached,
    "draining": Unavailable,
    "store_lost": Unavailable,
    "other_build": Unavailable,
    "internal": ServiceFailed,
    "wrong_cell": WrongCell,
    "talk_off": WrongState,
    "no_such_channel": NotFound,
    "channel_closed": WrongState,
    "muted": WrongState,
    "bad_text": BadRequest,
}

#: For reasons that only a newer service knows: the class by the number of the status code, as in google.rpc.Code.
_BY_CODE: Mapping[int, type[RefusedByService]] = {
    3: BadRequest,  # INVALID_ARGUMENT
    5: NotFound,
    7: NotAllowed,  # PERMISSION_DENIED
    8: LimitReached,  # RESOURCE_EXHAUSTED
    9: WrongState,  # FAILED_PRECONDITION
    10: Stale,  # ABORTED
    13: ServiceFailed,  # INTERNAL
    14: Unavailable,
    16: NotAllowed,  # UNAUTHENTICATED
}

_RETRYABLE = frozenset({"draining", "store_lost", "other_build", "overloaded", "rate_limited"})


def is_retryable(error: RefusedByService) -> bool:
    """Return True for a reason that passes: nothing was done, and the same request can be sent again.

    If only a newer service knows the reason, its status code decides.
    """
    if error.reason in _CLASSES:
        return error.reason in _RETRYABLE
    return isinstance(error, Unavailable) or (isinstance(error, LimitReached) and error.retry_after is not None)


def error_from_refusal(refusal: Refusal, codec: Codec | None = None) -> RefusedByService:
    """Return the exception for a refusal. With a codec, it names the nearest legal acts."""
    from landsraad.wire.refusals import reason_of  # noqa: PLC0415 - programs that only catch errors need no protobuf

    reason = reason_of(refusal).lower()
    detail = refusal.detail
    kind = _CLASSES.get(reason) or _BY_CODE.get(refusal.code, RefusedByService)
    found: dict[str, Any] = {}
    if codec is not None:
        found["nearest"] = codec.read_acts(detail.nearest)
    error = kind(
        reason,
        refusal.message,
        rule=detail.rule,
        field=detail.field,
        fields={violation.field: violation.description for violation in refusal.violations},
        decision=detail.decision_id,
        retry_after=refusal.retry_ms / 1000 if refusal.retry_ms else None,
        **found,
    )
    if isinstance(error, WrongCell):
        error.cell, error.address = refusal.cell, refusal.address
    return error
