"""The log: JSON lines for programs, coloured ones for people, and nothing in them that was not declared.

Secrets (credentials, hands, seeds) cannot get into a line by accident: a field that is not in the list below is left
out, and of an exception only its type and where it was raised are told, never its message, which may quote anything.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from typing import Any

import structlog

#: Everything that a line may say.
FIELDS = frozenset({
    "event", "level", "timestamp",
    "where", "match", "request_id", "seat", "worker", "pid", "port", "address", "code", "exit_code", "restarts",
    "trace", "fault", "at", "grace_ms", "operator", "call", "resource", "install",
    "seconds", "count", "matches", "listed", "armed", "dropped",
})  # fmt: skip

#: Texts are cut: a name that came from the network cannot fill the disk.
_MOST_CHARACTERS = 200


def declared(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Leave out what is not declared, and say that it was."""
    kept = {name: _short(value) for name, value in line.items() if name in FIELDS}
    if len(kept) < len(line):
        kept["event"] = f"{kept.get('event', '')} (undeclared fields left out)"
    return kept


def _short(value: Any) -> Any:
    """What costs something to find out comes as a function: most lines are never written."""
    if callable(value):
        value = value()
    return value[:_MOST_CHARACTERS] if isinstance(value, str) else value


class _Lines:
    """Standard error. A line that cannot be written there is lost, and nothing else with it."""

    def msg(self, line: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(line + "\n")
            sys.stderr.flush()

    debug = info = warning = error = msg


_LINES = _Lines()


def configure(*, as_json: bool, level: str = "info") -> None:
    """Log to standard error, from now on, in this process."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(levelname)s")
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
    """Log an error that nobody has foreseen."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    at = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    structlog.get_logger().error(
        "fault", where=where, fault=type(error).__name__, at=at, request_id=request_id, match=match, trace=trace
    )
