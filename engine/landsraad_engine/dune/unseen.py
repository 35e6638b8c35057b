"""Possible contents of hidden places: the pieces of the box, and values for hidden marks and purses.

Worlds sampled for a seat are built from this (landsraad_engine.knowledge.worlds). The hidden spice adds up to what
the bank has paid out and nobody shows, so that no world holds more spice than the true one, or less.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import astuple

from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.battle.fight import QUESTION, SEEN, WHOLE_PLAN, foreseen_key, present_battle
from landsraad_engine.dune.battle.plan import agreeing, open_plans, part_of
from landsraad_engine.dune.board import SPICE as BLOWS
from landsraad_engine.dune.pieces import FACTIONS, LEADERS, STORM_CARDS, TREACHERY
from landsraad_engine.dune.setup import SPICE_CARDS
from landsraad_engine.dune.spending import known_to_hold
from landsraad_engine.dune.words import BANK, BRIBES, SPICE, DuneState
from landsraad_engine.dune.zones import SPICE_BACK, STORM_BACK, TRAITOR_BACK, TREACHERY_BACK, leader_back
from landsraad_engine.kernel.domains import below
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.grammar import Options
from landsraad_engine.kernel.zones import HIDDEN

#: Every purse; what is in all of them together with the bank is nothing, since all spice comes from the bank.
PURSES = (BANK, *SPICE.values(), *BRIBES.values(), *(f"blow/{cell}" for cell, _ in BLOWS.values()))


@rule("DUNE-S.8")
def census(g: DuneState) -> Mapping[str, Sequence[str]]:
    """For each back all pieces that have it; those of factions that nobody plays are out of the game."""
    playing = [faction for faction in FACTIONS if g.in_play(faction)]
    return {
        TREACHERY_BACK: TREACHERY,
        SPICE_BACK: SPICE_CARDS,
        STORM_BACK: STORM_CARDS,
        TRAITOR_BACK: [leader for faction in playing for leader in LEADERS[faction]],
        **{leader_back(faction): LEADERS[faction] for faction in playing},
    }


def guess(g: DuneState, key: str, rng: Random) -> Any:
    """A possible value for a mark or purse that the sampling seat does not see."""
    kind = key.partition("/")[0]
    if kind == "spice":
        return _share(g, key, rng)
    if kind == "prediction":
        playing = [faction for faction in FACTIONS if g.in_play(faction)]
        return (playing[below(rng, len(playing))], 1 + below(rng, g.options["length"]))
    if kind == "foreseen" and g.table.get(key) == HIDDEN:
        return _foreseen(g, key, rng)
    return None


# --- spice


def _share(g: DuneState, key: str, rng: Random) -> int:
    """One purse's share of the spice behind unseen screens, all divisions being equally likely."""
    purses = [SPICE[faction] for faction in FACTIONS if faction in g.sides]
    if key not in purses:
        return 0
    table = g.table
    total = -sum([amount for purse in PURSES if (amount := table.get(purse, 0)) != HIDDEN])
    kept = {SPICE[faction]: known_to_hold(g, faction) for faction in FACTIONS if table.get(SPICE[faction]) == HIDDEN}
    free = total - sum(kept.values())
    bars = sum([purse in purses for purse in kept]) - 1
    # The spice and a bar between each two purses lie in a row, in any order; the first bar ends this purse's share.
    return kept[key] + (min(rng.sample(range(free + bars), bars)) if bars else free)


# --- battle plans


def _foreseen(g: DuneState, key: str, rng: Random) -> Any:
    """A possible answer of a player under Prescience or See Future; several answers are about the same plan."""
    _, viewer, side = key.split("/")
    fight = present_battle(g)
    choice = open_plans(g, fight, side)
    for faction in FACTIONS:
        answer = g.table.get(foreseen_key(faction, side), HIDDEN) if faction != side else HIDDEN
        if answer != HIDDEN and agreeing(choice, *answer).possible():
            choice = agreeing(choice, *answer)
    plan = Options([choice]).sample(rng)
    assert isinstance(plan, BattlePlan)
    if (viewer, side) in g.table.get(SEEN, ()):
        return (WHOLE_PLAN, astuple(plan))
    part = g.table[QUESTION][2]
    return (part, part_of(plan, part))
