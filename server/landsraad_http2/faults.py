"""Log of unexpected errors of handlers, in the logger of this package."""

from __future__ import annotations

import logging
import traceback

_log = logging.getLogger("landsraad_http2")
_MOST_FRAMES = 6


def log_fault(path: str, error: BaseException) -> None:
    """Log an unexpected error of a call without its message, which may quote anything.

    The record has the text once more as `safe`, for formatters that leave out the messages of other libraries.
    """
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    at = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    text = f"{path} has failed: {type(error).__name__} at {at}"
    _log.error(text, extra={"safe": text})
