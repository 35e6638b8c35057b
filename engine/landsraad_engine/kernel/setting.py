"""The setting of a match: all that is fixed while it is played. Matches with equal options share its parts."""

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
    """The constants of a match: game, options, number of seats, the key of its random streams."""

    game: Game
    options: Mapping[str, Any]
    seats: int
    key: bytes
    layout: Layout
    flow: FlowTable
    #: component values (``Game.content``)
    content: Any = None
    #: reaction windows stay open until ``execution.close_window``
    timed: bool = False

    places: dict[str, Place] = field(init=False)
    #: the bits of all seats and one more for the spectators; a face that all of them see is public
    everybody: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", self.layout.places)
        object.__setattr__(self, "everybody", (2 << self.seats) - 1)


def _frozen(options: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(options.items()))


@lru_cache(maxsize=256)
def _shared_parts(game: Game, options: tuple[tuple[str, Any], ...], seats: int) -> tuple[Layout, FlowTable, Any]:
    chosen = dict(options)
    layout = Layout((*kernel_zones(seats), *game.layout(chosen, seats)))
    return layout, FlowTable((*game.frames, Moment), game.overlay(chosen)), game.content(chosen)


def setting_for(game: Game, options: Mapping[str, Any], seats: int, key: bytes) -> Setting:
    """Return the setting of a new match. Matches with the same options share layout, flow table and content."""
    return Setting(game, options, seats, key, *_shared_parts(game, _frozen(options), seats))


@lru_cache(maxsize=1024)
def _hooks(game: Game, options: tuple[tuple[str, Any], ...], sides: frozenset[str]) -> Hooks:
    return Hooks(game.sources(dict(options)), sides)


class _Eyes(dict[str, int]):
    """The seats that see each place, as bit masks, shared by all matches with the same seats on the same sides."""

    __slots__ = ("__weakref__",)


#: Weak, so that only live matches keep entries: each takes 26 kB, and dune can deal its sides in 2000 ways.
_eyes_of: WeakValueDictionary[tuple[Layout, tuple[tuple[str, int], ...], int], _Eyes] = WeakValueDictionary()


def _eyes(layout: Layout, sides: tuple[tuple[str, int], ...], everybody: int) -> dict[str, int]:
    cache_key = layout, sides, everybody
    eyes = _eyes_of.get(cache_key)
    if eyes is None:
        eyes = _eyes_of[cache_key] = _Eyes(layout.eyes(dict(sides), everybody))
    return eyes


def derive_senses(setting: Setting, table: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, int], Hooks]:
    """Derive the seats of each side, the seats that see each place, and the active hooks, from the marks ``side/*``.

    Seats are given as bit masks. Besides its side each seat has a side of its own, ``#<seat>``, which owns its answers
    and standing orders.
    """
    sides: dict[str, int] = {f"#{seat}": 1 << seat for seat in range(setting.seats)}
    for seat in range(setting.seats):
        side = table.get(f"side/{seat}")
        if side is not None:
            sides[side] = sides.get(side, 0) | 1 << seat
    ordered = tuple(sorted(sides.items()))
    played: Iterable[str] = frozenset(s for s in sides if not s.startswith("#"))
    hooks = _hooks(setting.game, _frozen(setting.options), frozenset(played))
    return sides, _eyes(setting.layout, ordered, setting.everybody), hooks
