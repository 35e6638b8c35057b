"""Refusals on the wire: as items of a stream, and as the status of a failed call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from landsraad.v1.errors_pb2 import ErrorReason, FieldViolation, Refusal, RefusalDetail
from landsraad_engine.errors import Refused

from .codec import Codec
from .enums import enum_name

DOMAIN: Final = "landsraad"
_PREFIX: Final = "ERROR_REASON_"

#: The status code for each reason, by its name without prefix.
CODES: Final = {
    "MALFORMED": Code.INVALID_ARGUMENT,
    "NOT_ASKED": Code.FAILED_PRECONDITION,
    "STALE": Code.ABORTED,
    "AGAINST_RULES": Code.FAILED_PRECONDITION,
    "NOT_NOW": Code.FAILED_PRECONDITION,
    "OVER": Code.FAILED_PRECONDITION,
    "SUPERSEDED": Code.ABORTED,
    "BAD_FIELD": Code.INVALID_ARGUMENT,
    "BAD_OPTION": Code.INVALID_ARGUMENT,
    "NO_CREDENTIAL": Code.UNAUTHENTICATED,
    "NOT_YOURS": Code.PERMISSION_DENIED,
    "NO_SUCH_GAME": Code.NOT_FOUND,
    "NO_SUCH_MATCH": Code.NOT_FOUND,
    "NO_SUCH_SEAT": Code.NOT_FOUND,
    "NO_SUCH_REPLAY": Code.NOT_FOUND,
    "NO_SUCH_ACCOUNT": Code.NOT_FOUND,
    "WRONG_STATE": Code.FAILED_PRECONDITION,
    "SEAT_TAKEN": Code.FAILED_PRECONDITION,
    "RATE_LIMITED": Code.RESOURCE_EXHAUSTED,
    "QUOTA": Code.RESOURCE_EXHAUSTED,
    "OVERLOADED": Code.RESOURCE_EXHAUSTED,
    "TOO_LARGE": Code.RESOURCE_EXHAUSTED,
    "DRAINING": Code.UNAVAILABLE,
    "STORE_LOST": Code.UNAVAILABLE,
    "OTHER_BUILD": Code.UNAVAILABLE,
    "INTERNAL": Code.INTERNAL,
    "WRONG_CELL": Code.FAILED_PRECONDITION,
    "TALK_OFF": Code.FAILED_PRECONDITION,
    "NO_SUCH_CHANNEL": Code.NOT_FOUND,
    "CHANNEL_CLOSED": Code.FAILED_PRECONDITION,
    "MUTED": Code.FAILED_PRECONDITION,
    "BAD_TEXT": Code.INVALID_ARGUMENT,
}


class Denied(Exception):
    """The service refuses, for one of the reasons in `CODES`."""

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        violations: Iterable[tuple[str, str]] = (),
        retry_ms: int = 0,
        cell: str = "",
        address: str = "",
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.violations = tuple(violations)
        self.retry_ms = retry_ms
        self.cell = cell
        self.address = address

    def refusal(self, seq: int = 0) -> Refusal:
        """Write it as a message."""
        written = refusal(self.reason, self.message, violations=self.violations, seq=seq, retry_ms=self.retry_ms)
        written.cell, written.address = self.cell, self.address
        return written


def bad_field(field: str, problem: str) -> Denied:
    """Return the refusal of a request in which a field is missing or out of range."""
    return Denied("BAD_FIELD", f"{field}: {problem}", violations=((field, problem),))


def refusal(
    reason: str,
    message: str,
    *,
    violations: Iterable[tuple[str, str]] = (),
    detail: RefusalDetail | None = None,
    seq: int = 0,
    retry_ms: int = 0,
) -> Refusal:
    """Write a refusal. `reason` is a name of `CODES`, `violations` are pairs of field and description."""
    return Refusal(
        seq=seq,
        code=CODES[reason],
        reason=ErrorReason.Value(_PREFIX + reason),
        message=message,
        violations=[FieldViolation(field=field, description=what) for field, what in violations],
        detail=detail,
        retry_ms=retry_ms,
    )


def refused(error: Refused, codec: Codec, seq: int = 0) -> Refusal:
    """Write a refusal of the engine."""
    detail = RefusalDetail(
        rule=error.rule,
        field=error.field,
        nearest=[codec.act(act) for act in error.nearest],
        decision_id=error.decision,
    )
    violations = [(error.field, error.message)] if error.field else []
    said = detail if detail.ByteSize() else None
    return refusal(error.reason.upper(), error.message, violations=violations, detail=said, seq=seq)


def reason_of(given: Refusal) -> str:
    """Return the name of the reason without its prefix, as in `CODES` or, from a newer service, an unknown one."""
    return enum_name(ErrorReason, given.reason, _PREFIX)


# ----------------------------------------------------------------------------------------------- status of a unary call


def status(given: Refusal) -> Status:
    """Write a refusal as the status of a call."""
    place = {"cell": given.cell, "address": given.address} if given.cell else {}
    details = [_packed(ErrorInfo(reason=reason_of(given), domain=DOMAIN, metadata=place))]
    if given.violations:
        violations = [
            BadRequest.FieldViolation(field=one.field, description=one.description) for one in given.violations
        ]
        details.append(_packed(BadRequest(field_violations=violations)))
    if given.retry_ms:
        delay = Duration()
        delay.FromMilliseconds(given.retry_ms)
        details.append(_packed(RetryInfo(retry_delay=delay)))
    if given.HasField("detail"):
        details.append(_packed(given.detail))
    return Status(code=given.code, message=given.message, details=details)


def refusal_of(given: Status) -> Refusal | None:
    """Read the refusal of a status; None if the status is not from this service."""
    read = Refusal(code=given.code, message=given.message)
    info, request, retry, detail = ErrorInfo(), BadRequest(), RetryInfo(), RefusalDetail()
    for packed in given.details:
        if packed.Unpack(info) and info.domain == DOMAIN:
            name = _PREFIX + info.reason
            # A newer service may know more reasons. Then the code has to do.
            read.reason = dict(ErrorReason.items()).get(name, ErrorReason.ERROR_REASON_UNSPECIFIED)
            read.cell, read.address = info.metadata.get("cell", ""), info.metadata.get("address", "")
        elif packed.Unpack(request):
            read.violations.extend(
                FieldViolation(field=one.field, description=one.description) for one in request.field_violations
            )
        elif packed.Unpack(retry):
            read.retry_ms = retry.retry_delay.ToMilliseconds()
        elif packed.Unpack(detail):
            read.detail.CopyFrom(detail)
    return read if info.domain == DOMAIN else None


def _packed(detail: ErrorInfo | BadRequest | RetryInfo | RefusalDetail) -> Any:
    packed = Any()
    packed.Pack(detail)
    return packed


__all__ = [
    "CODES",
    "DOMAIN",
    "Denied",
    "bad_field",
    "reason_of",
    "refusal",
    "refusal_of",
    "refused",
    "status",
]
