"""1: Storm Round."""

from typing import Final

from landsraad_engine.dune import bonuses
from landsraad_engine.dune.acts import DialStorm
from landsraad_engine.dune.announcements import FirstPlayerFound
from landsraad_engine.dune.board import (
    SPICE,
    STORM_START,
    sector_after,
    sector_of,
    sectors_passed,
    storm_protected,
    territory_of,
)
from landsraad_engine.dune.hooks import Instead, Timing
from landsraad_engine.dune.pieces import STORM_CARDS
from landsraad_engine.dune.promises import STORM_DIAL, promises
from landsraad_engine.dune.words import BANK, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Call, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, Range

#: The most that a player can dial for the first storm.
HIGHEST_DIAL: Final = 20

_SECTORS_ON = {card: int(card.removeprefix("storm_")) for card in STORM_CARDS}


class StormRound(Frame):
    """The storm moves, its next card is laid, the First Player and the bonuses follow from where things stand now."""

    @step("DUNE-1.1")
    def next_turn(f, g: DuneState) -> Flow:
        if not _first(g):
            g.set_mark("turn", g.turn + 1)
        return None

    @step("DUNE-1.3", "DUNE-1.7")
    def storm(f, g: DuneState) -> Flow:
        return FirstStorm() if _first(g) else StormMove()

    @step("DUNE-1.19", "DUNE-5.25")
    def stand_together(f, g: DuneState) -> Flow:
        """Tokens that the storm parted may share a territory now, and tokens that shared one may be parted."""
        return g.at(Timing.STORM_MOVED)

    @step("DUNE-1.6", "DUNE-1.12")
    def lay_next_card(f, g: DuneState) -> Flow:
        g.gather("storm_shown", "storm_deck")
        g.shuffle("storm_deck")
        g.draw("storm_deck", "storm_next")
        return None

    @step("DUNE-1.18")
    def next_card_laid(f, g: DuneState) -> Flow:
        return g.at(Timing.STORM_CARD_LAID)

    @step("DUNE-1.13", "DUNE-1.14", "DUNE-1.15")
    def first_player(f, g: DuneState) -> Flow:
        """The order of play follows from the storm's sector alone, so there is nothing to note down."""
        g.announce(FirstPlayerFound(g.dot_order()[0]))
        return None

    @step("DUNE-1.16", "DUNE-1.17")
    def bonus_markers(f, g: DuneState) -> Flow:
        bonuses.hand_out(g)
        return None


def _first(g: DuneState) -> bool:
    """Return whether this is the game's first Storm Round: no card has been laid for it."""
    return not g.table.get("storm_next")


class FirstStorm(Frame):
    """Turn one: two players dial how far the storm goes, and nobody loses anything."""

    #: both dials together
    total: int = 0

    @step("DUNE-1.3", "DUNE-R.24")
    def dial(f, g: DuneState) -> Flow:
        return Ask.sealed(
            {g.seat_of(faction): (Choice(DialStorm, number=_dial(g, faction)),) for faction in still_to_dial(g)},
            why="DUNE-1.3",
            default=DialStorm(0),
        )

    @dial.answer
    def dialled(f, g: DuneState, answers: dict[int, DialStorm]) -> Flow:
        f.total = sum(act.number for act in answers.values())
        return None

    @step("DUNE-1.4", "DUNE-1.5")
    def place(f, g: DuneState) -> Flow:
        g.set_mark("storm", sector_after(STORM_START, f.total))
        return None


@rule("DUNE-1.3", "DUNE-R.24")
def still_to_dial(g: DuneState) -> tuple[str, ...]:
    """The players who dial the first storm, as long as it has not come: at the next dots after and before its start."""
    if g.turn > 1 or not _first(g):
        return ()
    order = g.dot_order()
    return (order[0], order[-1])


@rule("DUNE-R.17", "DUNE-T.19")
def _dial(g: DuneState, faction: str) -> Range:
    """The numbers that a player may dial under its Truthtrance answers, which agree with one another."""
    given = promises(g, faction, STORM_DIAL)
    low = max((promise.value for promise in given if promise.yes), default=0)
    high = min((promise.value - 1 for promise in given if not promise.yes), default=HIGHEST_DIAL)
    return Range(low, high, why="DUNE-T.19" if given else "")


class StormMove(Frame):
    """The storm of later turns."""

    #: (faction, cells of one sector) whose tokens the storm strikes
    struck: tuple[tuple[str, tuple[str, ...]], ...] = ()
    passed: tuple[int, ...] = ()
    at: int = 0

    @step("DUNE-1.7")
    def reveal(f, g: DuneState) -> Flow:
        card = g.draw("storm_next", "storm_shown")
        g.set_mark("storm_move", _SECTORS_ON[card])
        return None

    @step("DUNE-1.18")
    def before_it_moves(f, g: DuneState) -> Flow:
        return g.at(Timing.STORM_CARD_SHOWN)

    @step("DUNE-1.8", "DUNE-R.62")
    def move(f, g: DuneState) -> Flow:
        distance = g.table["storm_move"]
        f.passed = sectors_passed(g.storm, distance)
        f.struck = _struck(g, f.passed)
        g.set_mark("storm_move", None)
        g.set_mark("storm", sector_after(g.storm, distance))
        return None

    @step("DUNE-1.2", "DUNE-1.9", "DUNE-1.10", "DUNE-T.38")
    def tokens(f, g: DuneState) -> Flow:
        while f.at < len(f.struck):
            faction, cells = f.struck[f.at]
            f.at += 1
            frame = g.instead(Instead.STORM_LOSS, faction, cells)
            if frame is not None:
                return Call(frame, "tokens")
            g.kill_all(faction, cells)
        return None

    @step("DUNE-BG.17")
    def those_left(f, g: DuneState) -> Flow:
        return g.at(Timing.TOKENS_GONE, *(cell for _, cells in f.struck for cell in cells)) if f.struck else None

    @step("DUNE-1.11")
    def spice(f, g: DuneState) -> Flow:
        for cell, _ in SPICE.values():
            if sector_of[cell] in f.passed:
                g.transfer(f"blow/{cell}", BANK, g.table.get(f"blow/{cell}", 0))
        return None


def _struck(g: DuneState, passed: tuple[int, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The factions with tokens unprotected in the sectors that the storm enters, in dot order and sector by sector."""
    atomics = bool(g.table.get("atomics"))
    found = []
    for faction in g.dot_order():
        cells: dict[int, tuple[str, ...]] = dict.fromkeys(passed, ())
        for cell, _ in g.on_board(faction):
            sector = sector_of[cell]
            if sector in cells and not storm_protected(territory_of[cell], atomics):
                cells[sector] = (*cells[sector], cell)
        found += [(faction, struck) for struck in cells.values() if struck]
    return tuple(found)


FRAMES = (StormRound, FirstStorm, StormMove)
