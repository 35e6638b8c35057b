"""Refusals: exceptions of the service and their gRPC status, never UNKNOWN, and INTERNAL only for our own faults."""

from __future__ import annotations

from landsraad.v1.errors_pb2 import FieldViolation, Refusal
from landsraad.wire import refusals as wire
from landsraad.wire.codec import Codec
from landsraad_engine.errors import BadOption, Refused
from landsraad_server.store.errors import Overloaded, StoreUnavailable

#: Size limits in bytes. Transports accept 8 KB of metadata, where the message stands twice, once percent-encoded.
_MOST_MESSAGE, _MOST_FIELD = 400, 100
_MOST_VIOLATIONS = 2000
_MOST_DETAIL = 1000

#: Delay in ms after which a client should retry when the store or this worker cannot serve it now.
SOON_MS = 250


Denied = wire.Denied
bad_field = wire.bad_field


def is_gone(error: Exception) -> bool:
    """Return whether the error says that the match has left the store."""
    return isinstance(error, Denied) and error.reason == "NO_SUCH_MATCH"


def check_text(field: str, text: str, most: int) -> None:
    """Refuse a text that is too long, or whose control characters could do harm where it is displayed."""
    if len(text) > most:
        raise bad_field(field, f"cannot exceed {most} characters")
    if not text.isprintable():
        raise bad_field(field, "cannot contain control characters")


def option_violation(error: BadOption, within: str = "") -> tuple[str, str]:
    """Return the violated field and the problem; `within` is the path to the message that has seats and options."""
    return (within + ("seats" if error.field == "seats" else f"options.{error.field}"), error.problem)


def to_refusal(error: Exception, codec: Codec | None = None, seq: int = 0) -> Refusal:
    """Return the wire message for an exception; INTERNAL for an unexpected one."""
    return _truncate(_refusal(error, codec, seq))


def _truncate(refusal: Refusal) -> Refusal:
    """Cut a refusal to what fits into trailing metadata: it may quote a request, and be as long."""
    refusal.message = _cut(refusal.message, _MOST_MESSAGE)
    violations = [
        FieldViolation(field=_cut(each.field, _MOST_FIELD), description=_cut(each.description, _MOST_MESSAGE))
        for each in refusal.violations
    ]
    del refusal.violations[:]
    room = _MOST_VIOLATIONS
    for violation in violations:
        room -= violation.ByteSize()
        if room > 0:
            refusal.violations.append(violation)
    if refusal.HasField("detail"):
        refusal.detail.field = _cut(refusal.detail.field, _MOST_FIELD)
    while refusal.detail.nearest and refusal.detail.ByteSize() > _MOST_DETAIL:
        del refusal.detail.nearest[-1]
    return refusal


def _cut(text: str, most: int) -> str:
    """Cut a text to so many bytes."""
    image = text.encode()
    return text if len(image) <= most else image[: most - 3].decode(errors="ignore") + "..."


def _refusal(error: Exception, codec: Codec | None, seq: int) -> Refusal:
    match error:
        case Denied():
            return error.refusal(seq)
        case Refused() if codec is not None:
            return wire.refused(error, codec, seq)
        case Refused():  # the match has no game: it has not begun, or is over
            return wire.refusal(error.reason.upper(), error.message, seq=seq)
        case BadOption():
            return wire.refusal("BAD_OPTION", str(error), violations=(option_violation(error),), seq=seq)
        case Overloaded():
            return wire.refusal(
                "OVERLOADED", "too many requests are under way; this one was not carried out", seq=seq, retry_ms=SOON_MS
            )
        case StoreUnavailable():
            text = "the store cannot be reached; send the same request again"
            return wire.refusal("STORE_LOST", text, seq=seq, retry_ms=SOON_MS)
        case _:
            return wire.refusal("INTERNAL", "the service has a fault, which has been logged", seq=seq)


def is_expected(error: Exception) -> bool:
    """Return whether an exception is a regular answer to the client instead of a fault of ours."""
    return isinstance(error, Denied | Refused | BadOption | StoreUnavailable)
