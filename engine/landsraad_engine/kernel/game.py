"""The interface of a game to the kernel: its places, acts, frames, exceptions and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from landsraad_engine.content.parts import Component
from landsraad_engine.errors import BadContent, BadOption

from .frames import Frame, Step
from .grammar import Act, Choice
from .match_options import OptionSpec
from .overrides import Source
from .zones import Zone

if TYPE_CHECKING:
    from .state import State

#: Why an act is wrong, from what its seat knows: (g, seat, act) -> the rule that it breaks, and how; or None.
Explanation: TypeAlias = Callable[[Any, int, Any], tuple[str, str] | None]
#: area -> the areas that can be entered from it
Graph: TypeAlias = Mapping[str, Sequence[str]]


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

    def offer_content(self, path: Path) -> str:
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
