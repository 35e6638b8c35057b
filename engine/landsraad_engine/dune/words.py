"""The rulebook's words for reading the table: the same for the true state and for what a seat sees of it.

A faction's tokens in a cell are a triple (tokens, elites, coexisting). *Present* means not coexisting and not the
Secondary of an alliance: coexisting tokens count as absent for everybody else.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from landsraad_engine.dune.board import CELLS, POLAR_SINK, cells_of, dot_order, parts, same_part, terrain
from landsraad_engine.dune.pieces import FACTIONS, LOYAL_TO
from landsraad_engine.dune.zones import BOARD, TROOPS
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.memo import MemoKind, Topics
from landsraad_engine.kernel.state import State
from landsraad_engine.knowledge.views import SeatView

NONE: Final = (0, 0, 0)
BANK: Final = "bank"

Counts = tuple[int, int, int]

# Keys are built once: making strings is most of what reading a place would cost.
HAND: Final = {f: f"hand/{f}" for f in FACTIONS}
SPICE: Final = {f: f"spice/{f}" for f in FACTIONS}
BRIBES: Final = {f: f"bribes/{f}" for f in FACTIONS}
RESERVES: Final = {f: f"reserves/{f}" for f in FACTIONS}
TANKS: Final = {f: f"tanks/{f}" for f in FACTIONS}
LEADERS_AT: Final = {f: f"leaders/{f}" for f in FACTIONS}
LEADER_TANKS: Final = {f: f"leader_tanks/{f}" for f in FACTIONS}
FOUGHT: Final = {f: f"fought/{f}" for f in FACTIONS}
CAPTURED: Final = {f: f"captured/{f}" for f in FACTIONS}
JUST_CAPTURED: Final = {f: f"just_captured/{f}" for f in FACTIONS}
TRAITORS: Final = {f: f"traitors/{f}" for f in FACTIONS}
ALLY: Final = {f: f"ally/{f}" for f in FACTIONS}
DOT: Final = {f: f"dot/{f}" for f in FACTIONS}
AT: Final = {f: {cell: f"at/{f}/{cell}" for cell in CELLS} for f in FACTIONS}
PRIMARY: Final = {cell: f"primary/{cell}" for cell in CELLS}
BATTLE_OF: Final = {leader: f"battle_of/{leader}" for leader in LOYAL_TO}
FACE_UP: Final = {f: f"face_up/{f}" for f in FACTIONS}
DIED: Final = {leader: f"died/{leader}" for leader in LOYAL_TO}
#: Each cell with the key of a faction's tokens in it.
_STACKS: Final = {f: tuple((cell, AT[f][cell]) for cell in CELLS) for f in FACTIONS}

_DOT_ORDER: Final = MemoKind("dot order")
_CELLS: Final = MemoKind("cells with tokens")
_PRESENT: Final = MemoKind("present")


@cache
def _stacks_in(cells: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Each faction with the key of its tokens in each of some cells."""
    return tuple((f, AT[f][cell]) for f in FACTIONS for cell in cells)


class Words:
    """Reading the table in the words of the book. Writes nothing."""

    __slots__ = ()

    table: dict[str, Any]
    memo: dict[Any, Any]
    topics: Topics

    # --- turn, storm, order of play

    @property
    def turn(self) -> int:
        """The game turn, 1 to 15."""
        turn: int = self.table.get("turn", 0)
        return turn

    @property
    def storm(self) -> int:
        """The storm's sector."""
        sector: int = self.table.get("storm", 0)
        return sector

    def factions(self) -> tuple[str, ...]:
        """The factions in play, in the order of the dots from dot 0."""
        table = self.table
        playing = [(table[key], f) for f, key in DOT.items() if key in table]
        return tuple(f for _, f in sorted(playing))

    def dot_order(self) -> tuple[str, ...]:
        """The factions in play from the First Player on, counter-clockwise."""
        memo = self.topics[BOARD]
        order: tuple[str, ...] | None = memo.get(_DOT_ORDER)
        if order is None:
            table = self.table
            by_dot = {table[key]: f for f, key in DOT.items() if key in table}
            order = memo[_DOT_ORDER] = tuple(by_dot[dot] for dot in dot_order(self.storm) if dot in by_dot)
        return order

    def after(self, faction: str) -> tuple[str, ...]:
        """The other factions in dot order, starting after this one."""
        order = self.dot_order()
        at = order.index(faction)
        return order[at + 1 :] + order[:at]

    # --- what a faction has

    def spice(self, faction: str) -> int:
        """The spice behind a faction's screen; 0 also where it cannot be seen."""
        amount: int = self.table.get(SPICE[faction], 0)
        return amount

    def hand(self, faction: str) -> tuple[str, ...]:
        cards: tuple[str, ...] = self.table.get(HAND[faction], ())
        return cards

    def reserves(self, faction: str) -> Counts:
        counts: Counts = self.table.get(RESERVES[faction], NONE)
        return counts

    def tanks(self, faction: str) -> Counts:
        counts: Counts = self.table.get(TANKS[faction], NONE)
        return counts

    def leaders(self, faction: str) -> tuple[str, ...]:
        """Living leaders behind the screen (not those in a territory or captured)."""
        found: tuple[str, ...] = self.table.get(LEADERS_AT[faction], ())
        return found

    @rule("DUNE-T.28", "DUNE-K.11", "DUNE-0.29")
    def may_fight(self, leader: str) -> bool:
        """Return whether a living leader may be in a battle plan: not if it was killed in this turn."""
        return bool(self.table.get(DIED[leader]) != self.turn)

    def allies(self, faction: str) -> tuple[str, ...]:
        found: tuple[str, ...] = self.table.get(ALLY[faction], ())
        return found

    def allied(self, one: str, other: str) -> bool:
        return other in self.table.get(ALLY[one], ())

    def has_bonus(self, faction: str, bonus: str) -> int:
        """Return how many markers of a bonus the faction holds this turn."""
        holders: tuple[str, ...] = self.table.get(f"bonus/{bonus}", ())
        return holders.count(faction)

    # --- tokens on the board

    def troops(self, faction: str, cell: str) -> Counts:
        counts: Counts = self.table.get(AT[faction][cell], NONE)
        return counts

    def on_board(self, faction: str) -> tuple[tuple[str, Counts], ...]:
        """The cells in which the faction has tokens, in board order, with the tokens."""
        memo = self.topics[TROOPS[faction]]
        found: tuple[tuple[str, Counts], ...] | None = memo.get(_CELLS)
        if found is None:
            table = self.table
            found = memo[_CELLS] = tuple([(cell, table[key]) for cell, key in _STACKS[faction] if key in table])
        return found

    def tokens_in(self, faction: str, cells: tuple[str, ...]) -> Counts:
        """All tokens of a faction in some cells together, coexisting ones included."""
        a = b = c = 0
        table = self.table
        keys = AT[faction]
        for cell in cells:
            counts = table.get(keys[cell])
            if counts is not None:
                a += counts[0]
                b += counts[1]
                c += counts[2]
        return (a, b, c)

    def tokens_at(self, faction: str, territory: str) -> Counts:
        return self.tokens_in(faction, cells_of[territory])

    def occupants(self, cells: tuple[str, ...]) -> tuple[str, ...]:
        """Factions with tokens in some cells, coexisting ones included, in faction order."""
        table = self.table
        return tuple(dict.fromkeys([f for f, key in _stacks_in(cells) if key in table]))

    @rule("DUNE-BG.8", "DUNE-5.21")
    def present(self, cells: tuple[str, ...]) -> tuple[str, ...]:
        """Factions whose tokens in some cells of one territory count: not coexisting, not an ally's Secondary."""
        memo = self.topics[BOARD]
        known: tuple[str, ...] | None = memo.get((_PRESENT, cells))
        if known is None:
            known = memo[_PRESENT, cells] = self._present(cells)
        return known

    def _present(self, cells: tuple[str, ...]) -> tuple[str, ...]:
        table = self.table
        found = []
        for f, key in _stacks_in(cells):
            tokens, elites, _ = table.get(key, NONE)
            if (tokens or elites) and f not in found:
                found.append(f)
        if len(found) < 2:
            return tuple(found)
        return tuple(f for f in found if not self._secondary(f, found, cells))

    def _secondary(self, faction: str, found: list[str], cells: tuple[str, ...]) -> bool:
        """Return whether an ally is Primary where this faction also stands."""
        allies = [ally for ally in self.table.get(ALLY[faction], ()) if ally in found]
        if not allies or POLAR_SINK in cells:
            return False
        for cell in cells:
            primary = self.table.get(PRIMARY[cell])
            if primary is not None and primary in allies:
                return True
        return False

    def parts(self, territory: str) -> tuple[tuple[str, ...], ...]:
        """The parts of a territory that count as separate territories under the present storm."""
        return parts(territory, self.storm)

    @rule("DUNE-R.45", "DUNE-R.93", "DUNE-BG.21", "DUNE-V.15")
    def holder(self, territory: str) -> str | None:
        """The one faction that holds a territory, whatever the storm parts in it."""
        present = self.present(cells_of[territory])
        return present[0] if len(present) == 1 else None

    def crowded(self, stronghold: str, faction: str) -> bool:
        """Return whether two others than this faction already occupy a stronghold."""
        if terrain[stronghold] != "stronghold":
            return False
        present = self.present(cells_of[stronghold])
        return len(present) - (faction in present) >= 2


class DuneSeatView(Words, SeatView):
    """The view of one seat of classic Dune, with the words of the book. Hidden faces read as "?"."""

    __slots__ = ()


class DuneState(Words, State):
    """The state of a match of classic Dune, with the words of the book and the verbs that the rules share."""

    __slots__ = ()

    seat_of = State.seat  # one seat plays a faction

    def in_play(self, faction: str) -> bool:
        return faction in self.sides

    # --- verbs in the book's words, each made of the kernel's

    def pay(self, faction: str, to: str, amount: int) -> None:
        """Pay spice to the bank or another faction."""
        self.transfer(SPICE[faction], to if to == BANK else SPICE[to], amount)

    def gain(self, faction: str, amount: int) -> None:
        """Take spice from the bank."""
        self.transfer(BANK, SPICE[faction], amount)

    def march(self, faction: str, source: str, target: str, counts: Counts) -> None:
        """Move tokens from one cell to another; they take coexistence along only within their territory."""
        moving = counts if same_part(source, target, self.storm) else self._made_ordinary(faction, source, counts)
        self.shift(AT[faction][source], AT[faction][target], moving)

    def withdraw(self, faction: str, source: str, counts: Counts) -> None:
        """Take tokens from a cell back to the reserves."""
        self.shift(AT[faction][source], RESERVES[faction], self._made_ordinary(faction, source, counts))

    def land(self, faction: str, cell: str, counts: Counts) -> None:
        """Bring tokens from the reserves to a cell."""
        self.shift(RESERVES[faction], AT[faction][cell], counts)

    def kill(self, faction: str, cell: str, counts: Counts) -> None:
        """Send tokens from a cell to the Tanks."""
        self.shift(AT[faction][cell], TANKS[faction], self._made_ordinary(faction, cell, counts))

    def kill_all(self, faction: str, cells: tuple[str, ...]) -> None:
        """Send everything a faction has in some cells to the Tanks."""
        for cell in cells:
            counts = self.troops(faction, cell)
            if counts != NONE:
                self.kill(faction, cell, counts)

    def _made_ordinary(self, faction: str, cell: str, counts: Counts) -> Counts:
        """End coexistence for these tokens of a cell; what they are then."""
        tokens, elites, coexisting = counts
        if coexisting:
            there = self.troops(faction, cell)
            self.exchange(AT[faction][cell], (there[0] + coexisting, there[1], there[2] - coexisting))
        return (tokens + coexisting, elites, 0)

    def set_coexistence(self, faction: str, cell: str, coexist: bool, rule: str = "") -> None:
        """Make all of a faction's tokens in a cell coexist, or stop coexisting."""
        tokens, elites, coexisting = self.troops(faction, cell)
        if tokens if coexist else coexisting:
            total = tokens + coexisting
            self.exchange(AT[faction][cell], (0, elites, total) if coexist else (total, elites, 0), rule)

    def discard(self, faction: str, card: str, rule: str = "") -> None:
        """Discard a treachery card face up."""
        self.move(HAND[faction], "treachery_discard", card, rule=rule)

    @rule("DUNE-4.2")
    def kill_leader(self, place: str, leader: str) -> None:
        """Put a leader into its owner's Tanks, face down."""
        self.move(place, LEADER_TANKS[LOYAL_TO[leader]], leader)
        self.set_mark(DIED[leader], self.turn)

    def draw_treachery(self, target: str) -> None:
        """Draw the top treachery card, if there is one; the deck is remade as soon as it is empty."""
        self.remake_treachery()
        if self.table.get("treachery_deck"):
            self.draw("treachery_deck", target)
            self.remake_treachery()

    def remake_treachery(self) -> None:
        """An empty treachery deck is remade by shuffling its discards (DUNE-3.21, DUNE-R.75)."""
        if not self.table.get("treachery_deck") and self.table.get("treachery_discard"):
            self.gather("treachery_discard", "treachery_deck", rule="DUNE-3.21")
            self.shuffle("treachery_deck", rule="DUNE-3.21")
