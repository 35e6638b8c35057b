"""The traceback of an error in a bot, without the frames around the bot."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final

import landsraad_engine
from landsraad_engine.errors import EngineError

#: Folders of the code that calls a bot. The bots of `landsraad_bots` are bots like any other.
_OURS: Final = tuple(str(folder) for folder in (Path(__file__).parent, Path(landsraad_engine.__file__).parent))


def bot_traceback(error: BaseException) -> str:
    """Return the traceback of an error from the first frame of the bot on, as Python prints it.

    Args:
        error: The error, as the bot has raised it.

    Returns:
        The lines of the traceback, without a line break at the end. An error that no frame of a bot has raised, such as
        the refusal of an illegal act, has its last line only.
    """
    described = traceback.TracebackException.from_exception(error)
    frames = list(described.stack)
    while frames and _is_caller(frames[0].filename):
        frames.pop(0)
    described.stack[:] = frames
    if isinstance(error, EngineError) or not frames:
        described.stack[:] = []
        return "".join(described.format_exception_only()).rstrip()
    return "".join(described.format(chain=False)).rstrip()


def _is_caller(file: str) -> bool:
    """Return True for a frame of this library, of the import system or of a thread that a bot runs in."""
    return file.startswith(("<frozen importlib", *_OURS)) or "importlib" in Path(file).parts
