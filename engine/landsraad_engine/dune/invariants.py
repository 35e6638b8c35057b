"""Invariants of a position. Tests and the fuzzer check them after every act."""

from collections.abc import Iterator

from landsraad_engine.checks.conservation import misplaced
from landsraad_engine.dune.alliances import largest
from landsraad_engine.dune.battle.battle import Battle
from landsraad_engine.dune.bidding import HAND_LIMIT
from landsraad_engine.dune.board import DOTS, SECTORS, STRONGHOLDS, part_of
from landsraad_engine.dune.hooks import Query
from landsraad_engine.dune.pieces import BENE_GESSERIT, ELITES, FACTIONS, FAMILY_ATOMICS
from landsraad_engine.dune.setup import Setup
from landsraad_engine.dune.spending import known_to_hold
from landsraad_engine.dune.storm import StormMove
from landsraad_engine.dune.unseen import PURSES
from landsraad_engine.dune.words import DOT, NONE, PRIMARY, DuneState
from landsraad_engine.dune.worms import WORM_OF_THE_WALL
from landsraad_engine.kernel.frames import rule


def problems(g: DuneState) -> list[str]:
    """Return the invariants that a position breaks. While the game is set up there are none to check."""
    if any(type(frame) is Setup for frame in g.stack):
        return []
    return [*_tokens(g), *misplaced(g), *_spice(g), *_hands(g), *_strongholds(g), *_marks(g), *_alliances(g)]


@rule("DUNE-0.9", "DUNE-EMP.10", "DUNE-FRE.16")
def _tokens(g: DuneState) -> Iterator[str]:
    for faction in g.factions():
        tokens = elites = 0
        stacks = [counts for _, counts in g.on_board(faction)]
        for counts in (*stacks, g.reserves(faction), g.tanks(faction)):
            tokens += sum(counts)
            elites += counts[1]
            if min(counts) < 0:
                yield f"{faction} has fewer tokens than none: {counts}"
        if (tokens, elites) != (20, ELITES[faction]):
            yield f"{faction} has {tokens} tokens, {elites} of them elites"
        coexisting = sum(counts[2] for counts in stacks)
        if (coexisting and faction != BENE_GESSERIT) or g.reserves(faction)[2] or g.tanks(faction)[2]:
            yield f"tokens of {faction} coexist that cannot"


@rule("DUNE-S.1", "DUNE-3.12")
def _spice(g: DuneState) -> Iterator[str]:
    total = sum(g.table.get(purse, 0) for purse in PURSES)
    if total:
        yield f"there is {total} spice that did not come from the bank"
    for purse in PURSES[1:]:
        if g.table.get(purse, 0) < 0:
            yield f"{purse} owes spice"
    for faction in g.factions():
        if g.spice(faction) < known_to_hold(g, faction):
            yield f"{faction} cannot pay what everybody knows it can"


@rule("DUNE-3.3", "DUNE-HAR.1")
def _hands(g: DuneState) -> Iterator[str]:
    for faction in g.factions():
        if len(g.hand(faction)) > g.query(Query.HAND_LIMIT, HAND_LIMIT, faction):
            yield f"{faction} holds {len(g.hand(faction))} treachery cards"


@rule("DUNE-5.8", "DUNE-5.18")
def _strongholds(g: DuneState) -> Iterator[str]:
    for stronghold in STRONGHOLDS:
        (part,) = g.parts(stronghold)
        present = g.present(part)
        if len(present) > 2:
            yield f"{', '.join(present)} all stand in {stronghold}"


def _marks(g: DuneState) -> Iterator[str]:
    table = g.table
    if not 1 <= g.turn <= g.options["length"]:
        yield f"turn {g.turn}"
    if not 1 <= g.storm <= SECTORS:
        yield f"storm in sector {g.storm}"
    dots = [table.get(DOT[faction]) for faction in FACTIONS if g.in_play(faction)]
    if len(set(dots)) < len(dots) or not set(dots) <= set(range(len(DOTS))):
        yield f"player dots {dots}"
    if bool(table.get("atomics")) != (table.get("infamy", ()) == (FAMILY_ATOMICS,)):
        yield "the Shield Wall and Family Atomics tell different stories"
    wall = table.get("worms", 0) >= WORM_OF_THE_WALL and g.options["shield_wall_stronghold"]
    if bool(table.get("shield_wall_stronghold")) != wall:
        yield "the Shield Wall is a stronghold at the wrong time"


@rule("DUNE-2A.5", "DUNE-2A.6", "DUNE-5.22")
def _alliances(g: DuneState) -> Iterator[str]:
    most = largest(g) - 1
    for faction in FACTIONS:
        allies = g.allies(faction)
        if len(allies) > most or (allies and not g.in_play(faction)):
            yield f"{faction} is allied with {allies}"
        for ally in allies:
            if {faction, *allies} != {ally, *g.allies(ally)}:
                yield f"{faction} and {ally} see their alliance differently"
        agreed = g.table.get(f"agreed_primary/{faction}")
        if agreed is not None and agreed not in (faction, *allies):
            yield f"{faction} has agreed on {agreed} as Primary, who is no ally"
    # Storm and battles put questions while tokens die: the Primary among them is forgotten only afterwards.
    dying = any(isinstance(frame, StormMove | Battle) for frame in g.stack)
    for cell, mark in () if dying else PRIMARY.items():
        primary = g.table.get(mark)
        if primary is not None and g.tokens_in(primary, part_of(cell, g.storm)) == NONE:
            yield f"{primary} is Primary at {cell} without a token there"
