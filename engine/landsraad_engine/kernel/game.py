"""The interface of a game to the kernel: its places, acts, frames, exceptions and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from landsraad_engine.content.digests import sources_digest
from landsraad_engine.content.outlines import BoardOutline
from landsraad_engine.content.parts import Component
from landsraad_engine.errors import BadContent, BadOption

from .announcements import Announcement
from .frames import Frame, Step
from .grammar import Act, Choice
from .match_options import OptionSpec
from .overrides import Source
from .plays import Play, frame_of, open_plays
from .zones import Zone

if TYPE_CHECKING:
    from .state import State

#: Explains an illegal act from what its seat knows: (g, seat, act) -> (rule that it breaks, message), or None.
Explanation: TypeAlias = Callable[[Any, int, Any], tuple[str, str] | None]
#: area -> the areas that can be entered from it
Graph: TypeAlias = Mapping[str, Sequence[str]]


def acts_of(module: ModuleType) -> tuple[type[Act], ...]:
    """Return the act types in a module's namespace, in the order of their definition."""
    found = (kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Act))
    return tuple(kind for kind in found if kind is not Act)


class Game:
    """The interface that a game implements for the kernel, SDK and server.

    Each game has one subclass and one instance, made at import. A game has no state: everything that belongs to a match
    is in its ``Setting`` and ``State``. Methods that take ``g`` read the state of a match.
    """

    id: str = ""
    title: str = ""
    seats: tuple[int, ...] = ()  #: allowed numbers of seats
    option_specs: tuple[OptionSpec, ...] = ()
    acts: tuple[type[Act], ...] = ()
    frames: tuple[type[Frame], ...] = ()
    #: every kind of announcement that its rules make
    announcements: tuple[type[Announcement], ...] = ()
    #: rules that may make a hidden fact public (``Verbs.declare``)
    disclosures: frozenset[str] = frozenset()
    state: type[State]
    #: the game's subclass of ``SeatView``: accessors in the words of the rulebook
    facade: type[Any]
    #: the key of the open mark that counts turns or rounds
    turn_counter: str = "turn"
    #: kinds of result by the game's own rules; the service adds others (resignation, timeout, …)
    results: tuple[str, ...] = ()
    #: kinds of reaction windows; a standing order of that name passes on such windows
    windows: tuple[str, ...] = ()
    #: the manifest of out-of-turn plays, in the order in which they are offered
    out_of_turn: tuple[Play, ...] = ()
    #: the kinds of these plays that the standing order "ask:<kind>" has offered, in the order of the catalog
    play_kinds: tuple[str, ...] = ()
    #: explanations of illegal acts, for act types that have one
    explanations: Mapping[type[Act], Explanation] = MappingProxyType({})
    #: ids of rulings on table manners, which no code of the game enforces
    house_rules: tuple[str, ...] = ()

    @property
    def default_seats(self) -> int:
        """The number of seats of a match for which none is named: the most."""
        return max(self.seats)

    # --- provided by each game

    def layout(self, options: Mapping[str, Any], seats: int) -> Sequence[Zone]:
        """Return the game's zones; the kernel adds its own."""
        raise NotImplementedError

    def sources(self, options: Mapping[str, Any]) -> Sequence[Source]:
        """Return the sources of overrides for these options, in a fixed order."""
        return ()

    def overlay(self, options: Mapping[str, Any]) -> dict[tuple[str, str], Step]:
        """Return the steps that an edition or variant replaces, by (frame name, step name)."""
        return {}

    def check_options(self, options: Mapping[str, Any], seats: int) -> None:
        """Raise BadOption for options that do not go together."""

    def opening(self, g: Any) -> Frame:
        """Return the frame that plays the whole match."""
        raise NotImplementedError

    def player(self, g: Any, seat: int) -> Any:
        """Return the name that out-of-turn plays have for the player of a seat; None if it cannot play any yet."""
        return seat

    def talks(self, g: Any, seat: int) -> Sequence[int]:
        """Return the seats with which a seat may chat in private now; the rules ignore what they say."""
        return ()

    def channels(self, g: Any) -> Sequence[tuple[int, ...]]:
        """Return the private channels that are open now, as the seats of each, lowest first."""
        seats = range(g.setting.seats)
        return [(seat, other) for seat in seats for other in sorted(self.talks(g, seat)) if other > seat]

    def decided(self, g: Any, playing: Sequence[int]) -> bool:
        """Return whether the match is over if only these seats play on; then they have won."""
        return len(playing) < 2

    def census(self, g: Any) -> Mapping[str, Sequence[str]]:
        """Return all pieces of each back: the contents of the box, less the pieces removed during setup."""
        return {}

    def fits(self, g: Any, key: str, face: str) -> bool:
        """Return True if a hidden piece may lie in a place (for sampling worlds)."""
        return True

    def guess(self, g: Any, key: str, rng: Random) -> Any:
        """Draw a possible value for a mark or purse that the sampling seat does not see (None: it is empty).

        In ``g`` all values that are still to be guessed are ``HIDDEN``, this one included.
        """
        return None

    def components(self, options: Mapping[str, Any]) -> Iterable[Component]:
        """Return the component values that a match is played with, for the catalog."""
        return ()

    def graphs(self, options: Mapping[str, Any]) -> Mapping[str, Graph]:
        """Return the adjacency of each board by the board's name, for the catalog."""
        return {}

    def outlines(self) -> Mapping[str, BoardOutline]:
        """Return the shapes of boards by the names that `graphs` gives them, for those who draw. Rules never ask."""
        return {}

    def offer_content(self, path: Path) -> str:
        """Register an operator's content file for this process; return the option value that selects it."""
        raise BadContent(f"{self.id} takes no content files")

    def content(self, options: Mapping[str, Any]) -> Any:
        """Return the component values of a match (``Setting.content``), for games whose values depend on options."""
        return None

    def content_digest(self, options: Mapping[str, Any]) -> str:
        """Return a digest of the component values that a match is played with.

        A game of another package has the digest of that package's sources: the engine's build does not cover them.
        """
        package = type(self).__module__.partition(".")[0]
        return "" if package == "landsraad_engine" else sources_digest(package)

    def problems(self, g: Any) -> list[str]:
        """Return the invariants that a position breaks (conservation, limits)."""
        return []

    # --- shared

    def plays(self, g: Any, seat: int) -> Sequence[Choice]:
        """Return the out-of-turn plays open to a seat now."""
        player = self.player(g, seat)
        return () if player is None else open_plays(self.out_of_turn, g, player)

    def play(self, g: Any, seat: int, act: Act) -> Frame:
        """Return the frame that carries an out-of-turn play out."""
        return frame_of(self.out_of_turn, self.player(g, seat), act)

    def explain(self, g: Any, seat: int, act: Act) -> tuple[str, str] | None:
        """Explain an illegal act from what its seat knows: (rule, message), or None without an explanation."""
        explanation = self.explanations.get(type(act))
        return explanation(g, seat, act) if explanation else None

    def values_of(self, spec: OptionSpec) -> Sequence[Any]:
        """Return the allowed values of an option, or nothing if it is a range or a pattern."""
        return spec.values

    def parse_options(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return the values of all options, with defaults filled in but for those of implied options.

        Raises:
            BadOption: An unknown name, a bad value or a wrong number of seats.

        """
        if seats not in self.seats:
            raise BadOption("seats", f"{self.id} is played by {', '.join(map(str, self.seats))} seats, not {seats}")
        specs = {spec.name: spec for spec in self.option_specs}
        for name in given:
            if name not in specs:
                raise BadOption(name, f"{self.id} has no such option; it has {', '.join(specs)}")
        options = {name: spec.parse(given.get(name, spec.default)) for name, spec in specs.items()}
        for name, spec in specs.items():
            if spec.implied and options[name] == spec.default:
                del options[name]
        self.check_options(options, seats)
        return options
