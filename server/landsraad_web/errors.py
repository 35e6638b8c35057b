"""Errors of the page as JSON: a status, a reason from a list, and a message to its user."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from landsraad.errors import (
    BadRequest,
    ConnectionLost,
    IllegalAct,
    LandsraadError,
    LimitReached,
    MatchOver,
    NotAllowed,
    NotFound,
    RefusedByService,
    Stale,
    Unavailable,
    WrongCell,
    WrongState,
)
from landsraad_web.json_forms import act_json

JSON: Final = "application/json; charset=utf-8"
_STATUS: Final[tuple[tuple[type[LandsraadError], int], ...]] = (
    (NotFound, 404),
    (BadRequest, 400),
    (IllegalAct, 409),
    (Stale, 409),
    (MatchOver, 409),
    (WrongState, 409),
    (LimitReached, 429),
    (Unavailable, 503),
    (WrongCell, 503),
    (ConnectionLost, 503),
)


class PageError(Exception):
    """The page itself refuses a request.

    Args:
        status: The status of the response.
        reason: A word for programs, such as "bad_origin".
        message: The explanation for people.
        fields: Wrong fields of the body, each with an explanation.
        retry_after: Seconds after which a retry may succeed.
    """

    def __init__(
        self,
        status: int,
        reason: str,
        message: str,
        *,
        fields: dict[str, str] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.message = message
        self.fields = fields or {}
        self.retry_after = retry_after


def no_session() -> PageError:
    """Return the refusal of a request that needs a session."""
    return PageError(401, "no_session", "you are not signed in here; POST /api/session begins a session")


def describe(error: Exception) -> tuple[int, dict[str, Any]]:
    """Return the status and the description of an error."""
    if isinstance(error, PageError):
        told: dict[str, Any] = {"reason": error.reason, "message": error.message}
        if error.fields:
            told["fields"] = error.fields
        if error.retry_after is not None:
            told["retryAfter"] = error.retry_after
        return error.status, told
    status = next((number for kind, number in _STATUS if isinstance(error, kind)), 500)
    if isinstance(error, NotAllowed):
        status = 401 if error.reason == "no_credential" else 403
    if isinstance(error, RefusedByService):
        return status, _describe_refusal(error)
    if isinstance(error, ConnectionLost):
        return 503, {"reason": "unavailable", "message": "the service cannot be reached at the moment", "retryAfter": 1}
    return 500, {"reason": "internal", "message": "the page has an internal fault, which is in its log"}


def _describe_refusal(error: RefusedByService) -> dict[str, Any]:
    told: dict[str, Any] = {"reason": error.reason, "message": error.message}
    if error.rule:
        told["rule"] = error.rule
    if error.field:
        told["field"] = error.field
    if error.fields:
        told["fields"] = error.fields
    if error.nearest:
        told["nearest"] = [act_json(act) for act in error.nearest]
    if error.decision:
        told["decision"] = error.decision
    if error.retry_after is not None:
        told["retryAfter"] = error.retry_after
    return told


def json_response(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a response with JSON, which no cache keeps."""
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    return Response(body, status, {"cache-control": "no-store", **(headers or {})}, JSON)


def error_response(error: Exception) -> Response:
    """Return the response for an error."""
    status, told = describe(error)
    headers = {"retry-after": str(max(1, round(told["retryAfter"])))} if "retryAfter" in told else None
    return json_response({"error": told}, status, headers)


async def on_error(_request: Request, error: Exception) -> Response:
    """Handle an exception of a route."""
    return error_response(error)
