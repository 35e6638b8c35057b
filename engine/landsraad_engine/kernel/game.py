"""What a game brings: its places, acts, frames, exceptions and words. One instance per game, made at import."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path as FilePath
from random import Random
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

from landsraad_engine.content.parts import Component
from landsraad_engine.errors import BadContent, BadOption

from .frames import FlowTable, Frame, Step
from .grammar import Act, Choice
from .overrides import Hooks, Moment, Source
from .zones import Content, Layout, Place, Sight, Zone

if TYPE_CHECKING:
    from .state import State

#: Why an act is wrong, from what its seat knows: (g, seat, act) -> the rule that it breaks, and how; or None.
Explanation: TypeAlias = Callable[[Any, int, Any], tuple[str, str] | None]
#: area -> the areas that can be entered from it
Graph: TypeAlias = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a match: its allowed values (or a range of numbers, or a pattern of words) and its default."""

    name: str
    default: Any
    values: tuple[Any, ...] = ()
    low: int = 0
    high: int = 0
    pattern: str = ""
    meaning: str = ""
    #: the statement of the rulebook, or the ruling, that allows it
    rule: str = ""

    def parse(self, value: Any) -> Any:
        """The value in its own type, from a string or as it is; BadOption if it is not allowed."""
        if isinstance(value, str) and type(self.default) is bool:
            value = {"true": True, "false": False}.get(value.lower(), value)
        elif isinstance(value, str) and type(self.default) is int:
            value = int(value) if _NUMBER.fullmatch(value) else value
        if type(value) is not type(self.default):
            raise BadOption(self.name, f"{_kind(self.default)} is wanted, not {_kind(value)}")
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise BadOption(self.name, f"{value!r} is not of the form {self.pattern}")
        if self.values:
            if value not in self.values:
                allowed = ", ".join(map(str, self.values))
                raise BadOption(self.name, f"{value!r} is not one of {allowed}")
        elif type(self.default) is int and not self.low <= value <= self.high:
            raise BadOption(self.name, f"{value} is not from {self.low} to {self.high}")
        return value


def _kind(value: Any) -> str:
    """What a value is, as the protocol calls it: whoever is told may write in any language."""
    return {bool: "a flag", int: "a number", str: "a text", tuple: "a list"}.get(type(value), "something else")


#: How long reaction windows stay open: an option of every game, kept by whoever runs the match.
WINDOW_OPTION = OptionSpec(
    "window",
    "fast",
    pattern=r"fast|fixed:[0-9]{1,6}",
    meaning="how long reaction windows stay open: fast, or fixed:<ms>",
)


def window_ms(options: Mapping[str, Any]) -> int:
    """How long whoever runs the match keeps reaction windows open; 0: until all have answered."""
    return int(options.get("window", "fast").partition(":")[2] or 0)


def acts_of(module: ModuleType) -> tuple[type[Act], ...]:
    """Every act that a module defines, in its order."""
    found = (kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Act))
    return tuple(kind for kind in found if kind is not Act)


class Game:
    """Subclassed once for each game. Everything here is fixed when the program starts; nothing belongs to a match."""

    id: str = ""
    title: str = ""
    seats: tuple[int, ...] = ()  #: allowed numbers of seats
    option_specs: tuple[OptionSpec, ...] = ()
    acts: tuple[type[Act], ...] = ()
    frames: tuple[type[Frame], ...] = ()
    disclosures: frozenset[str] = frozenset()
    state: type[State]
    #: the words of the game over what one seat sees
    facade: type[Any]
    #: the open mark that counts turns, or rounds: how long a match has been
    turn_counter: str = "turn"
    #: result kinds this game can end with by its own rules; the service adds its own (resignation, timeout, …)
    results: tuple[str, ...] = ()
    #: kinds of reaction windows: a standing order of that name passes on it
    windows: tuple[str, ...] = ()
    #: kinds of out-of-turn plays: the standing order "ask:<kind>" has it offered at set moments
    play_kinds: tuple[str, ...] = ()
    #: for some acts: why one that is refused is wrong
    explanations: Mapping[type[Act], Explanation] = MappingProxyType({})
    #: rulings about the table, which the service or nobody keeps, and no code of the game
    house_rules: tuple[str, ...] = ()

    # --- to be provided

    def layout(self, options: Mapping[str, Any], seats: int) -> Sequence[Zone]:
        """The game's zones; the kernel adds its own."""
        raise NotImplementedError

    def sources(self, options: Mapping[str, Any]) -> Sequence[Source]:
        """The manifest of exceptions for these options, in a fixed order."""
        return ()

    def overlay(self, options: Mapping[str, Any]) -> dict[tuple[str, str], Step]:
        """Steps that an edition or variant replaces."""
        return {}

    def check_options(self, options: Mapping[str, Any], seats: int) -> None:
        """Refuse combinations of options (BadOption)."""

    def opening(self, g: Any) -> Frame:
        """The frame that plays the whole match."""
        raise NotImplementedError

    def plays(self, g: Any, seat: int) -> Sequence[Choice]:
        """The out-of-turn plays open to a seat now."""
        return ()

    def play(self, g: Any, seat: int, act: Act) -> Frame:
        """The frame that carries an out-of-turn play out."""
        raise NotImplementedError

    def talks(self, g: Any, seat: int) -> Sequence[int]:
        """The seats with which a seat may talk in private now; what they say is no part of the game."""
        return ()

    def census(self, g: Any) -> Mapping[str, Sequence[str]]:
        """For each back, all pieces that have it (the box less what was removed at the start)."""
        return {}

    def fits(self, g: Any, key: str, face: str) -> bool:
        """May this piece lie in this place? (for sampling worlds)"""
        return True

    def guess(self, g: Any, key: str, rng: Random) -> Any:
        """A possible value for a mark or purse that the sampling seat does not see (None: it is empty).

        Those that are still to be guessed, this one included, hold "?" meanwhile.
        """
        return None

    def components(self, options: Mapping[str, Any]) -> Iterable[Component]:
        """The facts about its components that a match is played with, for the catalog."""
        return ()

    def graphs(self, options: Mapping[str, Any]) -> Mapping[str, Graph]:
        """Its boards by name, for the catalog: which areas lie beside which."""
        return {}

    def offer_content(self, path: FilePath) -> str:
        """Let matches be played with an operator's content file; the name by which an option asks for it."""
        raise BadContent(f"{self.id} takes no content files")

    def content(self, options: Mapping[str, Any]) -> Any:
        """The component values of a match, for games that have them apart (``Setting.content``)."""
        return None

    def content_digest(self, options: Mapping[str, Any]) -> str:
        """A digest over the component values that a match is played with."""
        return ""

    def problems(self, g: Any) -> list[str]:
        """Broken invariants of a position (conservation, limits); empty if all is well."""
        return []

    # --- derived

    def explain(self, g: Any, seat: int, act: Act) -> tuple[str, str] | None:
        """A sharper reason (rule, words) why an act is wrong, from what the seat knows; None if there is none."""
        explanation = self.explanations.get(type(act))
        return explanation(g, seat, act) if explanation else None

    def values_of(self, spec: OptionSpec) -> Sequence[Any]:
        """The values that an option can have here, if they can be listed."""
        return spec.values

    def parse_options(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """All options with their values; BadOption for unknown names, bad values or a wrong number of seats."""
        if seats not in self.seats:
            raise BadOption("seats", f"{self.id} is played by {', '.join(map(str, self.seats))} seats, not {seats}")
        specs = {spec.name: spec for spec in self.option_specs}
        for name in given:
            if name not in specs:
                raise BadOption(name, f"{self.id} has no such option; it has {', '.join(specs)}")
        options = {name: spec.parse(given.get(name, spec.default)) for name, spec in specs.items()}
        self.check_options(options, seats)
        return options


_SEALED = Sight.SEALED
_NUMBER = re.compile(r"-?[0-9]{1,9}")

#: How many out-of-turn plays can be in progress at once; questions inside the last one admit no more.
NESTED = 3


def answer_key(sight: Sight, seat: int, level: int = 0) -> str:
    """Where a seat's answer to a question to several seats lies while others still think.

    ``level`` counts the out-of-turn plays in progress: the question that they interrupt keeps its answers.
    """
    name = "sealed" if sight is _SEALED else "quiet"
    return f"{name}/{seat}/{level}" if level else f"{name}/{seat}"


def absent_key(seat: int) -> str:
    """Where it lies that a seat has resigned, or stays away."""
    return f"absent/{seat}"


@lru_cache(maxsize=32)
def absent_keys(seats: int) -> tuple[str, ...]:
    """Return `absent_key` of each seat: they are looked up after every input."""
    return tuple(map(absent_key, range(seats)))


def orders_key(seat: int) -> str:
    """Where the standing orders of a seat lie."""
    return f"orders/{seat}"


@lru_cache(maxsize=256)
def keys_of_seats(sealed: bool, level: int, seats: int) -> tuple[tuple[str, str], ...]:
    """For each seat where its answer to a question to several lies, and where its standing orders do."""
    sight = Sight.SEALED if sealed else Sight.QUIET
    return tuple((answer_key(sight, seat, level), orders_key(seat)) for seat in range(seats))


def kernel_zones(seats: int) -> tuple[Zone, ...]:
    """The kernel's own places: who plays which side, answers under way, standing orders, the result."""
    each = range(seats)

    def answers(sight: Sight) -> Zone:
        owners = {answer_key(sight, s, level): (f"#{s}",) for level in range(NESTED + 1) for s in each}
        return Zone(sight.value, Content.MARK, sight, owners)

    return (
        Zone("side", Content.MARK, Sight.OPEN, {f"side/{s}": () for s in each}),
        answers(Sight.SEALED),
        answers(Sight.QUIET),
        Zone("orders", Content.MARK, Sight.QUIET, {orders_key(s): (f"#{s}",) for s in each}),
        Zone("absent", Content.MARK, Sight.OPEN, {absent_key(s): () for s in each}),
        Zone("result", Content.MARK, Sight.OPEN, {"result": ()}),
    )


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


def senses(setting: Setting, table: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, int], Hooks]:
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
