"""The setting of a match: the values that stay fixed while it is played, and the caches of what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

from .frames import FlowTable
from .game import Game
from .overrides import Hooks, Moment
from .reserved_places import kernel_zones
from .zones import Layout, Place


@dataclass(frozen=True, eq=False)
class Setting:
    """What does not change during a match: game, options, number of seats, the key of its chance."""

    game: Game
    options: Mapping[str, Any]
    seats: int
    key: bytes
    layout: Layout
    flow: FlowTable
    #: component values, as the game has them
    content: Any = None
    #: whether reaction windows stay open until `kernel.close_window`
    timed: bool = False

    places: dict[str, Place] = field(init=False)
    #: the bits of all seats, and one more for the spectators: what all of them see is public
    everybody: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", self.layout.places)
        object.__setattr__(self, "everybody", (2 << self.seats) - 1)


def _frozen(options: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(options.items()))


@lru_cache(maxsize=256)
def _fixed(game: Game, options: tuple[tuple[str, Any], ...], seats: int) -> tuple[Layout, FlowTable, Any]:
    chosen = dict(options)
    layout = Layout((*kernel_zones(seats), *game.layout(chosen, seats)))
    return layout, FlowTable((*game.frames, Moment), game.overlay(chosen)), game.content(chosen)


def setting_for(game: Game, options: Mapping[str, Any], seats: int, key: bytes) -> Setting:
    """The setting of a new match; layouts and flow tables are shared between matches with the same options."""
    return Setting(game, options, seats, key, *_fixed(game, _frozen(options), seats))


@lru_cache(maxsize=1024)
def _hooks(game: Game, options: tuple[tuple[str, Any], ...], sides: frozenset[str]) -> Hooks:
    return Hooks(game.sources(dict(options)), sides)


class _Eyes(dict[str, int]):
    """Who sees which place, of all matches in which the same seats play the same sides."""

    __slots__ = ("__weakref__",)


#: Of matches that are there: each takes 26 kB, and six sides are dealt out in two thousand ways, halves included.
_eyes_of: WeakValueDictionary[tuple[Layout, tuple[tuple[str, int], ...], int], _Eyes] = WeakValueDictionary()


def _eyes(layout: Layout, sides: tuple[tuple[str, int], ...], everybody: int) -> dict[str, int]:
    known = layout, sides, everybody
    eyes = _eyes_of.get(known)
    if eyes is None:
        eyes = _eyes_of[known] = _Eyes(layout.eyes(dict(sides), everybody))
    return eyes


def derive_senses(setting: Setting, table: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, int], Hooks]:
    """Who plays which side, who sees which place, and which exceptions are in play: all derived from open marks."""
    sides: dict[str, int] = {f"#{seat}": 1 << seat for seat in range(setting.seats)}
    for seat in range(setting.seats):
        side = table.get(f"side/{seat}")
        if side is not None:
            sides[side] = sides.get(side, 0) | 1 << seat
    ordered = tuple(sorted(sides.items()))
    played: Iterable[str] = frozenset(s for s in sides if not s.startswith("#"))
    hooks = _hooks(setting.game, _frozen(setting.options), frozenset(played))
    return sides, _eyes(setting.layout, ordered, setting.everybody), hooks
