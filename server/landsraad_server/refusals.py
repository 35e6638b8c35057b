"""What the service says when it does not do as asked, and how that goes onto the wire: never UNKNOWN, and INTERNAL only
for a fault of ours.
"""

from __future__ import annotations

from collections.abc import Iterable

from landsraad.v1.errors_pb2 import FieldViolation, Refusal
from landsraad.wire import refusals as wire
from landsraad.wire.codec import Codec
from landsraad_engine.errors import BadOption, Refused
from landsraad_server.store.errors import Overloaded, StoreUnavailable

#: In bytes: transports take 8 KB of metadata, and there the message stands twice, once with three bytes for one.
_MOST_MESSAGE, _MOST_FIELD = 400, 100
_MOST_VIOLATIONS = 2000
_MOST_DETAIL = 1000

#: When to come again if the store, or this worker, cannot do it now.
SOON_MS = 250


class Denied(Exception):
    """The service refuses, for one of the closed list of reasons (`landsraad.wire.refusals.CODES`)."""

    def __init__(
        self, reason: str, message: str, *, violations: Iterable[tuple[str, str]] = (), retry_ms: int = 0
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.violations = tuple(violations)
        self.retry_ms = retry_ms


def is_gone(error: Exception) -> bool:
    """Whether it says that the match has left the store."""
    return isinstance(error, Denied) and error.reason == "NO_SUCH_MATCH"


def bad_field(field: str, problem: str) -> Denied:
    """A field of the request is missing or out of its range."""
    return Denied("BAD_FIELD", f"{field}: {problem}", violations=((field, problem),))


def check_text(field: str, text: str, most: int) -> None:
    """Refuse a text that is too long, or that could do more than be read where others are shown it."""
    if len(text) > most:
        raise bad_field(field, f"{most} characters at most")
    if not text.isprintable():
        raise bad_field(field, "letters, digits, signs and blanks only: no control characters")


def option_violation(error: BadOption, within: str = "") -> tuple[str, str]:
    """Which field of a request is at fault, and how; `within` leads to the message that has seats and options."""
    return (within + ("seats" if error.field == "seats" else f"options.{error.field}"), error.problem)


def on_wire(error: Exception, codec: Codec | None = None, seq: int = 0) -> Refusal:
    """The refusal that an exception stands for; INTERNAL for what nobody has foreseen."""
    return _brief(_refusal(error, codec, seq))


def _brief(refusal: Refusal) -> Refusal:
    """Cut to what goes into the metadata of an answer: what quotes a request can be as long as that."""
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
    """A text of so many bytes at most."""
    image = text.encode()
    return text if len(image) <= most else image[: most - 3].decode(errors="ignore") + "..."


def _refusal(error: Exception, codec: Codec | None, seq: int) -> Refusal:
    match error:
        case Denied():
            return wire.refusal(
                error.reason, error.message, violations=error.violations, seq=seq, retry_ms=error.retry_ms
            )
        case Refused() if codec is not None:
            return wire.refused(error, codec, seq)
        case Refused():  # of a match that has no game any more, or not yet
            return wire.refusal(error.reason.upper(), error.message, seq=seq)
        case BadOption():
            return wire.refusal("BAD_OPTION", str(error), violations=(option_violation(error),), seq=seq)
        case Overloaded():
            return wire.refusal("OVERLOADED", "too much is under way; nothing was done", seq=seq, retry_ms=SOON_MS)
        case StoreUnavailable():
            text = "the store cannot be reached: send the same again"
            return wire.refusal("STORE_LOST", text, seq=seq, retry_ms=SOON_MS)
        case _:
            return wire.refusal("INTERNAL", "a fault of the service; it has been logged", seq=seq)


def foreseen(error: Exception) -> bool:
    """Whether an exception is an answer, not a fault of ours."""
    return isinstance(error, Denied | Refused | BadOption | StoreUnavailable)
