"""Overrides: exceptions to the general rules, registered as hooks.

A phase states the general rule and names its extension points. A *source* (a faction, a card, a variant, a leader set)
registers functions under those names:

* ``modifies(Query.X)``: ``fn(g, value, *args) -> value`` changes a number or a set;
* ``permits(Permit.X)`` / ``forbids(Permit.X)``: ``fn(g, *args) -> bool`` allows or bars something (a bar wins);
* ``at(Timing.X, order=...)``: ``fn(g, *args) -> Frame | None`` runs at a named moment, in the stated order;
* ``instead_of(Verb.X)``: ``fn(g, *args) -> Frame | None`` replaces one procedure.

Names are members of the game's enums, whose comments give the rule and the file that calls them. The state stores
nothing of this: each function reads the table to find out if it applies, so copies and snapshots need no repair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum, IntEnum
from typing import Any, TypeVar

from .frames import Call, Flow, Frame, step

Fn = TypeVar("Fn", bound=Callable[..., Any])


class OverrideOrder(IntEnum):
    """The priority of a hook; hooks of equal priority run in the order of the game's manifest."""

    FIRST = 0
    NORMAL = 50
    LAST = 100


class Source:
    """A source of overrides. It is active if one of the sides in ``needs`` is in play, or if there are none."""

    def __init__(self, name: str, *needs: str) -> None:
        self.name = name
        self.needs = frozenset(needs)
        self.entries: list[tuple[str, Enum, OverrideOrder, Callable[..., Any]]] = []

    def _add(self, table: str, name: Enum, order: OverrideOrder = OverrideOrder.NORMAL) -> Callable[[Fn], Fn]:
        def register(fn: Fn) -> Fn:
            self.entries.append((table, name, order, fn))
            return fn

        return register

    def modifies(self, name: Enum, order: OverrideOrder = OverrideOrder.NORMAL) -> Callable[[Fn], Fn]:
        return self._add("modifies", name, order)

    def permits(self, name: Enum) -> Callable[[Fn], Fn]:
        return self._add("permits", name)

    def forbids(self, name: Enum) -> Callable[[Fn], Fn]:
        return self._add("forbids", name)

    def at(self, name: Enum, order: OverrideOrder = OverrideOrder.NORMAL) -> Callable[[Fn], Fn]:
        return self._add("at", name, order)

    def instead_of(self, name: Enum, order: OverrideOrder = OverrideOrder.NORMAL) -> Callable[[Fn], Fn]:
        return self._add("instead_of", name, order)


class Hooks:
    """The hooks of the active sources, indexed by the name of their extension point."""

    __slots__ = ("at", "forbids", "instead_of", "modifies", "permits")

    modifies: dict[str, tuple[Callable[..., Any], ...]]
    permits: dict[str, tuple[Callable[..., Any], ...]]
    forbids: dict[str, tuple[Callable[..., Any], ...]]
    #: each function with the first rule that it cites
    at: dict[str, tuple[tuple[Callable[..., Any], str], ...]]
    instead_of: dict[str, tuple[Callable[..., Any], ...]]

    def __init__(self, sources: Sequence[Source], sides: Iterable[str]) -> None:
        present = frozenset(sides)
        gathered: dict[str, dict[str, list[tuple[OverrideOrder, int, Callable[..., Any]]]]] = {
            table: {} for table in self.__slots__
        }
        count = 0  # keeps the order of registration within a priority
        for source in sources:
            if source.needs and not source.needs & present:
                continue
            for table, name, order, fn in source.entries:
                gathered[table].setdefault(name.name, []).append((order, count, fn))
                count += 1
        found = {
            table: {name: tuple(fn for _, _, fn in sorted(fns)) for name, fns in names.items()}
            for table, names in gathered.items()
        }
        self.modifies = found["modifies"]
        self.permits = found["permits"]
        self.forbids = found["forbids"]
        self.instead_of = found["instead_of"]
        self.at = {name: tuple((fn, _first_rule(fn)) for fn in fns) for name, fns in found["at"].items()}


def _first_rule(fn: Callable[..., Any]) -> str:
    rules: tuple[str, ...] = getattr(fn, "rules", ("",))
    return rules[0]


def under_its_rule(fn: Callable[..., Flow], g: Any, *args: Any) -> Flow:
    """Call a function of the rules, so that events cite the first rule that it cites."""
    g.rule = _first_rule(fn)
    return fn(g, *args)


class Moment(Frame):
    """Runs the hooks of a named moment one after the other, from ``index`` on."""

    timing: str
    args: tuple[Any, ...] = ()
    index: int = 0

    @step()
    def each(f, g: Any) -> Flow:
        hooks = g.hooks.at.get(f.timing, ())
        while f.index < len(hooks):
            fn, g.rule = hooks[f.index]
            f.index += 1
            frame = fn(g, *f.args)
            if frame is not None:
                return Call(frame, "each")
        return None
