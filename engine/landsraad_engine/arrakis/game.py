"""War for Arrakis as the kernel sees it: its places, acts, frames, exceptions and options."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from landsraad_engine.arrakis import (
    action_resolution,
    acts,
    announcements,
    arrival,
    atomics,
    bans,
    desert_hazards,
    desert_power,
    dice,
    free_actions,
    hands,
    harvesting,
    invariants,
    legions,
    movement,
    muster,
    objectives,
    old_man,
    prescience,
    regeneration,
    reinforcements,
    settlements,
    setup,
    teams,
    tracks,
    unseen,
    vehicles,
    whole_game,
    worms,
)
from landsraad_engine.arrakis import round as game_round
from landsraad_engine.arrakis.battle import attack, battle, casualties, retreat, rounds
from landsraad_engine.arrakis.board import board_of
from landsraad_engine.arrakis.cards import manifest as cards
from landsraad_engine.arrakis.cards import of_futures
from landsraad_engine.arrakis.content import OWN, BoxContent, offer, offered, played
from landsraad_engine.arrakis.disclosures import DISCLOSURES
from landsraad_engine.arrakis.editions import EditionRules, exclusive, preview_2022, v1_1
from landsraad_engine.arrakis.explanations import EXPLANATIONS
from landsraad_engine.arrakis.futures import course, dr_yueh, sets
from landsraad_engine.arrakis.futures import setup as futures_setup
from landsraad_engine.arrakis.leaders import corrino_ally, entering, house_harkonnen, special, wild_maker
from landsraad_engine.arrakis.mahdi import manifest as mahdi
from landsraad_engine.arrakis.operations import deeds, effects
from landsraad_engine.arrakis.seating import MAHDI, NUMBERS, SHARED, seating, settle_seating
from landsraad_engine.arrakis.terms import EDITIONS, FACTIONS
from landsraad_engine.arrakis.words import ArrakisSeatView, ArrakisState
from landsraad_engine.arrakis.zones import zones_for
from landsraad_engine.content.outlines import BoardOutline, outline_of
from landsraad_engine.content.parts import Component, parts
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.announcements import announcements_of
from landsraad_engine.kernel.frames import Frame, Step, rule
from landsraad_engine.kernel.game import Game, Graph, acts_of
from landsraad_engine.kernel.match_options import TALK_OPTION, WINDOW_OPTION, OptionSpec
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.zones import Zone

#: Modules that define frames, in the order of the rulebook.
FRAME_MODULES: Final = (
    whole_game, setup, game_round, vehicles, dice, action_resolution, free_actions, muster, movement, arrival,
    legions, battle, attack, rounds, casualties, retreat, settlements, regeneration, tracks, worms, desert_hazards,
    desert_power, bans, harvesting,
    atomics, prescience, objectives, deeds, effects, hands, reinforcements, cards, entering, special,
    house_harkonnen, wild_maker, old_man, futures_setup, teams, preview_2022, mahdi,
)  # fmt: skip

#: Exceptions of every edition.
SOURCES: Final = (
    *(module.source for module in (dice, bans, objectives, entering, house_harkonnen, corrino_ally, wild_maker)),
    *cards.DECKS,
)

#: Plays out of turn.
PLAYS: Final = (
    *free_actions.PLAYS,
    *atomics.PLAYS,
    *prescience.PLAYS,
    *house_harkonnen.PLAYS,
    *cards.PLAYS,
    *teams.PLAYS,
)


class Arrakis(Game):
    """Dune: War for Arrakis."""

    id = "arrakis"
    title = "Dune: War for Arrakis"
    seats = NUMBERS
    default_seats = 2
    state = ArrakisState
    facade = ArrakisSeatView
    disclosures = DISCLOSURES
    turn_counter = "round"
    results = ("supremacy", "prescience", "round_limit")
    explanations = EXPLANATIONS
    windows = (free_actions.FREE_ACTIONS,)
    out_of_turn = PLAYS
    acts = acts_of(acts)
    announcements = announcements_of(announcements)
    frames: tuple[type[Frame], ...] = tuple(frame for module in FRAME_MODULES for frame in module.FRAMES)
    option_specs = (
        OptionSpec("edition", "exclusive", EDITIONS, meaning="which printed state of the rules", rule="WFA-U.1"),
        OptionSpec("faq", True, meaning="exclusive only: with the official corrections", rule="WFA-U.1"),
        OptionSpec(MAHDI, False, meaning="the game plays the Harkonnen: 1 seat, or 2", rule="WFA-G.87"),
        OptionSpec(SHARED, "harkonnen", FACTIONS, meaning="3 seats only: the faction that two share", rule="WFA-G.87"),
        OptionSpec("round_limit", 20, low=1, high=100, meaning="rounds after which nobody wins", rule="WFA-U.5"),
        OptionSpec(
            "content",
            OWN,
            pattern=r"[a-z0-9_-]{1,40}",
            meaning="component values: own, or the name of a content file that the operator offers",
            rule="WFA-U.10",
        ),
        old_man.OPTION,
        sets.OPTION,
        WINDOW_OPTION,
        TALK_OPTION,
    )

    def content(self, options: Mapping[str, Any]) -> BoxContent:
        """The component values of a match."""
        return played(options["edition"], options["content"])

    def content_digest(self, options: Mapping[str, Any]) -> str:
        return self.content(options).digest

    def offer_content(self, path: Path) -> str:
        return offer(path)

    def values_of(self, spec: OptionSpec) -> Sequence[Any]:
        match spec.name:
            case "content":
                return offered()
            case "futures":
                return sets.sets(played("exclusive", OWN).modules)
        return super().values_of(spec)

    def components(self, options: Mapping[str, Any]) -> Iterable[Component]:
        values = self.content(options).values
        return chain.from_iterable(
            parts(each.key, each.value, each.certainty, f"{each.source}:{each.line}") for each in values
        )

    def graphs(self, options: Mapping[str, Any]) -> Mapping[str, Graph]:
        board = board_of(self.content(options))
        return {"areas": {area: board.neighbours(area) for area in board.areas}}

    def outlines(self) -> Mapping[str, BoardOutline]:
        return {"areas": outline_of("arrakis")}

    def check_options(self, options: Mapping[str, Any], seats: int) -> None:
        modules = self.content(options).modules
        old_man.check(options["old_man"], modules)
        sets.check(options["futures"], modules)

    @rule("WFA-U.1", "WFA-U.2")
    def parse_options(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        options = super().parse_options(given, seats)
        if options["edition"] != "exclusive":
            if "faq" in given:
                raise BadOption("faq", f"{options['edition']} has no corrections to leave out")
            del options["faq"]
        for module in (old_man.OPTION, sets.OPTION):
            if options[module.name] == module.default:
                del options[module.name]
        settle_seating(options, given, seats)
        return options

    def layout(self, options: Mapping[str, Any], seats: int) -> Sequence[Zone]:
        with_old_man, futures = options.get("old_man", False), options.get("futures", "")
        roles = seating(options, seats)
        solo = mahdi.zones() if options.get(MAHDI) else ()
        return (*zones_for(self.content(options), roles, old_man=with_old_man, futures=futures), *solo)

    def sources(self, options: Mapping[str, Any]) -> Sequence[Source]:
        sources = (*SOURCES, *_modules(options), *_edition(options).sources)
        return mahdi.sources(sources) if options.get(MAHDI) else sources

    def overlay(self, options: Mapping[str, Any]) -> dict[tuple[str, str], Step]:
        swayed = dr_yueh.STEPS if "6" in options.get("futures", "") else {}
        steps = {**_edition(options).steps, **swayed}
        return mahdi.steps(steps) if options.get(MAHDI) else steps

    def opening(self, g: Any) -> Frame:
        return whole_game.WholeGame()

    def talks(self, g: Any, seat: int) -> Sequence[int]:
        return teams.talks(g, seat)

    @rule("WFA-G.6", "WFA-G.81")
    def decided(self, g: Any, playing: Sequence[int]) -> bool:
        sides = {g.side(seat) for seat in playing}
        return not sides or (len(sides) < 2 and not g.options.get(MAHDI))

    def census(self, g: Any) -> Mapping[str, Sequence[str]]:
        return unseen.census(g)

    def fits(self, g: Any, key: str, face: str) -> bool:
        return unseen.fits(g, key, face)

    def problems(self, g: Any) -> list[str]:
        return invariants.problems(g)


def _modules(options: Mapping[str, Any]) -> tuple[Source, ...]:
    """Return what the modules of the match change."""
    futures = options.get("futures", "")
    return (
        *[old_man.source] * bool(options.get("old_man")),
        *[course.source, of_futures.deck] * bool(futures),
        *[dr_yueh.source] * ("6" in futures),
    )


def _edition(options: Mapping[str, Any]) -> EditionRules:
    """Return what the match's edition changes."""
    match options["edition"]:
        case "v1_1":
            return v1_1.EDITION
        case "preview_2022":
            return preview_2022.EDITION
        case _:
            return exclusive.CORRECTED if options["faq"] else exclusive.UNCORRECTED


ARRAKIS = Arrakis()
