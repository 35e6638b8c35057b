"""7: Collection Round."""

from typing import Final

from landsraad_engine.dune.acts import Collect
from landsraad_engine.dune.board import SPICE, Cell, part_of
from landsraad_engine.dune.pieces import FACTIONS
from landsraad_engine.dune.words import FOUGHT, LEADERS_AT, DuneState
from landsraad_engine.dune.words import SPICE as PURSE
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice

_BY_HAND: Final = 2
_WITH_HARVESTERS: Final = 3
_CARRYALLS: Final = 2
_SMUGGLERS: Final = 1

_BLOWS: Final = tuple((cell, f"blow/{cell}") for cell, _ in SPICE.values())


@rule("DUNE-7.1", "DUNE-7.2", "DUNE-7.3", "DUNE-7.4", "DUNE-BG.20", "DUNE-R.61")
def within_reach(g: DuneState, faction: str) -> list[tuple[Cell, int]]:
    """Return where a faction can collect, and how much at the most: what its tokens carry of what lies there.

    The storm's sector is a part of its territory: tokens in it reach the spice in it, and no other.
    """
    each = _WITH_HARVESTERS if g.has_bonus(faction, "harvesters") else _BY_HAND
    found = []
    for cell, blow in _BLOWS:
        spice = g.table.get(blow, 0)
        if spice and faction in g.present(part := part_of(cell, g.storm)):
            tokens, elites, _ = g.tokens_in(faction, part)
            found.append((cell, min(spice, each * (tokens + elites))))
    return found


@rule("DUNE-7.5", "DUNE-7.6", "DUNE-BG.22")
def bonus_income(g: DuneState, faction: str) -> int:
    """Spice from the bank for Carryalls, each of them, and Smugglers."""
    return _CARRYALLS * g.has_bonus(faction, "carryalls") + _SMUGGLERS * g.has_bonus(faction, "smugglers")


class CollectionRound(Frame):
    """In dot order all collect the spice among which they stand; then the leaders go home."""

    #: how many factions have collected
    turn: int = 0

    @step("DUNE-7.1", "DUNE-7.7", "DUNE-R.116")
    def collect(f, g: DuneState) -> Flow:
        faction = g.dot_order()[f.turn]
        spice = within_reach(g, faction)
        if not spice:
            return None
        most = tuple(amount for _, amount in spice)
        amounts = Alloc(tuple(cell for cell, _ in spice), most, 0, sum(most))
        return Ask.one(
            g.seat_of(faction), Choice(Collect, amounts=amounts, why="DUNE-7.3"), why="DUNE-7.1", default=Collect(most)
        )

    @collect.answer
    def collected(f, g: DuneState, seat: int, act: Collect) -> Flow:
        faction = g.dot_order()[f.turn]
        for (cell, _), amount in zip(within_reach(g, faction), act.amounts, strict=True):
            g.transfer(f"blow/{cell}", PURSE[faction], amount, rule="DUNE-7.3")
        return None

    @step("DUNE-7.5", "DUNE-7.6")
    def bonuses(f, g: DuneState) -> Flow:
        faction = g.dot_order()[f.turn]
        g.gain(faction, bonus_income(g, faction))
        f.turn += 1
        return goto("collect") if f.turn < len(g.dot_order()) else None

    @step("DUNE-7.8")
    def redeploy(f, g: DuneState) -> Flow:
        for faction in FACTIONS:
            for leader in g.table.get(FOUGHT[faction], ()):
                g.move(FOUGHT[faction], LEADERS_AT[faction], leader)
        return END


FRAMES = (CollectionRound,)
