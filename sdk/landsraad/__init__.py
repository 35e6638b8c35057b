"""Landsraad: play Dune as a program.

>>> from landsraad import Bot
"""

from typing import TYPE_CHECKING

from landsraad._version import __version__

if TYPE_CHECKING:
    from landsraad_engine.bot import Bot

__all__ = ["Bot", "__version__"]

# Where each public name lives. They are imported on first use, so that `landsraad --help` loads no engine.
_HOMES = {"Bot": "landsraad_engine.bot"}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    from importlib import import_module  # noqa: PLC0415 - needed only here

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
