"""Memos: what has been worked out from a position, kept until something is written that it rests on.

``topics`` of a state or view holds a cache for each topic of the zones, in which the kind of a value comes first in its
key, so that keys of different kinds cannot collide::

    _REACH: Final = MemoKind("reach")

    memo = g.topics[BOARD]
    reach = memo.get((_REACH, cell))

Writing to a zone drops the caches of its topics (``Zone.topics``).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, TypeAlias


class MemoKind:
    """One kind of value that is kept. Kinds are told apart by identity, so two of one name are still two."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"MemoKind({self.name!r})"


#: A kind, where there is one value of it; else with the arguments of the value.
MemoKey: TypeAlias = MemoKind | tuple[MemoKind, Any] | tuple[MemoKind, Any, Any]
#: topic -> key -> value
Topics: TypeAlias = defaultdict[str, dict[MemoKey, Any]]


def no_topics() -> Topics:
    """Return the caches of a position of which nothing has been worked out yet."""
    return defaultdict(dict)
