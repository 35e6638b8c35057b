"""The game as the kernel sees it: manifests of acts, frames, exceptions and options."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from landsraad_engine.kernel.frames import Frame, Step
from landsraad_engine.kernel.game import Game, acts_of
from landsraad_engine.kernel.match_options import TALK_OPTION, WINDOW_OPTION, OptionSpec
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.zones import HIDDEN, Zone
from landsraad_engine.teaching import acts, bands, drought, journey, market, rounds, thumper
from landsraad_engine.teaching.words import (
    CAMP,
    DISCARD,
    HAND,
    SAND,
    SPRING,
    WATER,
    WELL,
    TeachingSeatView,
    TeachingState,
)
from landsraad_engine.teaching.zones import BANDS, FIND_BACK, FINDS, LOT_BACK, WELLS, ZONES


class Teaching(Game):
    """Wells and Worms."""

    id = "teaching"
    title = "Wells and Worms"
    seats = (2, 3, 4)
    state = TeachingState
    facade = TeachingSeatView
    disclosures = frozenset({"TEACH-7.1"})
    results = ("harvest",)
    windows = ("snare",)
    turn_counter = "round"
    out_of_turn = thumper.PLAYS
    acts = acts_of(acts)
    frames = (*rounds.FRAMES, *market.FRAMES, *journey.FRAMES, *thumper.FRAMES, *bands.FRAMES)
    option_specs = (
        OptionSpec("rounds", 4, low=1, high=8, meaning="rounds until the count"),
        OptionSpec("drought", False, meaning="the sand takes more riders"),
        WINDOW_OPTION,
        TALK_OPTION,
    )

    def layout(self, options: Mapping[str, Any], seats: int) -> Sequence[Zone]:
        return ZONES

    def sources(self, options: Mapping[str, Any]) -> Sequence[Source]:
        return (*bands.SOURCES, thumper.source)

    def overlay(self, options: Mapping[str, Any]) -> dict[tuple[str, str], Step]:
        return drought.OVERLAY if options["drought"] else {}

    def opening(self, g: Any) -> Frame:
        return rounds.WholeGame()

    def player(self, g: Any, seat: int) -> str:
        band: str = g.side(seat)
        return band

    # --- what a seat that samples worlds has to know of the box

    def census(self, g: Any) -> Mapping[str, Sequence[str]]:
        return {FIND_BACK: FINDS, LOT_BACK: BANDS}

    def guess(self, g: Any, key: str, rng: Random) -> Any:
        name, _, band = key.partition("/")
        if band not in g.sides:
            return None
        if name == "omen":
            return rng.choice(g.order())
        # What has come out of the spring lies behind the screens: the last of them holds whatever is left.
        purses = [g.water(other) for other in g.order()]
        rest = -g.table.get(SPRING, 0) - sum(amount for amount in purses if amount != HIDDEN)
        return rest if purses.count(HIDDEN) == 1 else rng.randint(0, rest)

    # --- what must hold in every position

    def problems(self, g: Any) -> list[str]:
        found: list[str] = []
        if not g.round:
            return found
        finds = [find for key in ("deck", "offer", DISCARD, *HAND.values()) for find in g.get(key)]
        if Counter(finds) != Counter(FINDS):
            found.append(f"finds are missing or doubled: {sorted(finds)}")
        if sum(g.get(key) for key in WATER.values()) + g.get(SPRING):
            found.append("water is lost or made")
        for band in g.order():
            stacks = (CAMP[band], SAND[band], *(WELL[well][band] for well in WELLS))
            if sum(sum(g.get(key)) for key in stacks) != 4:
                found.append(f"{band} does not have four people")
        return found


TEACHING = Teaching()
