"""Announcements: public facts that change no place, from the closed vocabulary of a game.

Each kind is a class, as acts are: its name goes into logs, with its fields in their order, and the catalog lists both,
so that clients in any language can read them.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any, ClassVar

import msgspec


class Announcement(msgspec.Struct, frozen=True, gc=False):
    """A public fact. Each kind is a frozen subclass with plain fields, and a sentence for people."""

    #: the fact in English, with its fields in braces; empty: it is not worth a sentence
    sentence: ClassVar[str] = ""


def announcements_of(module: ModuleType) -> tuple[type[Announcement], ...]:
    """Return the kinds of announcement in a module's namespace, in the order of their definition."""
    found = (kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Announcement))
    return tuple(kind for kind in found if kind is not Announcement)


def read_announcement(kinds: Iterable[type[Announcement]], what: str, facts: Iterable[Any]) -> Announcement | None:
    """Return the announcement that a log holds as a name and facts; None if it is none of these kinds."""
    kind = next((kind for kind in kinds if kind.__name__ == what), None)
    return None if kind is None else kind(*facts)
