"""Structured logging: JSON lines for programs, coloured ones for people, and only fields that are declared here.

Secrets (credentials, hands, seeds) cannot slip into a line: undeclared fields are dropped, and of an exception only its
type and traceback positions are logged. Its message may quote anything.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from typing import Any

import structlog

#: Fields that a line may have.
FIELDS = frozenset({
    "event", "level", "timestamp",
    "where", "match", "request_id", "seat", "worker", "pid", "port", "address", "code", "exit_code", "restarts",
    "trace", "fault", "at", "grace_ms", "operator", "call", "resource", "install",
    "seconds", "count", "matches", "listed", "armed", "dropped",
})  # fmt: skip

#: Longest text: a name from the network must not fill the disk.
_MOST_CHARACTERS = 200


def declared(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Drop undeclared fields, and mark the event if there were any."""
    kept = {name: _short(value) for name, value in line.items() if name in FIELDS}
    if len(kept) < len(line):
        kept["event"] = f"{kept.get('event', '')} (undeclared fields left out)"
    return kept


def _short(value: Any) -> Any:
    """Truncate a text; call a function, which callers pass for values that are expensive to compute."""
    if callable(value):
        value = value()
    return value[:_MOST_CHARACTERS] if isinstance(value, str) else value


class _Lines:
    """A structlog logger that writes to standard error and ignores failed writes."""

    def msg(self, line: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(line + "\n")
            sys.stderr.flush()

    debug = info = warning = error = msg


_LINES = _Lines()


class _Format(logging.Formatter):
    """Format of other libraries' records: without messages, which may quote anything, but those marked as `safe`."""

    def format(self, record: logging.LogRecord) -> str:
        return f"{super().format(record)} {getattr(record, 'safe', '')}".rstrip()


def configure(*, as_json: bool, level: str = "info") -> None:
    """Set up logging to standard error for this process."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Format("%(name)s: %(levelname)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    last = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            declared,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _LINES,
        cache_logger_on_first_use=True,
    )


def fault(where: str, error: BaseException, *, request_id: str = "", match: str = "", trace: str = "") -> None:
    """Log an unexpected error."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    at = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    structlog.get_logger().error(
        "fault", where=where, fault=type(error).__name__, at=at, request_id=request_id, match=match, trace=trace
    )
