"""The rulebook's words for reading the table: the same for the true state and for what a seat sees of it.

`survey()` reads the board once and gives sets of areas; most rules need nothing else. A legion is all that one side has
in one area: figures, named leaders, tokens that lie face down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import Any, Final, NamedTuple

from landsraad_engine.arrakis.board import AreaSet, Board, board_of
from landsraad_engine.arrakis.components import Leader
from landsraad_engine.arrakis.content import OWN, BoxContent, played
from landsraad_engine.arrakis.hooks import Permit, Query
from landsraad_engine.arrakis.leaders.sets import STAND_INS
from landsraad_engine.arrakis.sides import (
    ATREIDES,
    DASHBOARD,
    DICE,
    DIE,
    FIGURES,
    HARKONNEN,
    LEADER,
    NOBODY,
    OPPONENT,
    POOL,
    POWERS,
    SIDES,
    TOKEN,
    USED,
    Figures,
    one,
)
from landsraad_engine.arrakis.terms import SIDE_OF, AreaId, SubFaction
from landsraad_engine.arrakis.zones import (
    AREAS,
    ASIDE,
    BAN,
    BOARD,
    BOXES,
    CARD,
    DECK,
    DISCARD,
    FIGURE,
    GARRISON,
    GONE,
    LEADERS,
    LEGION,
    LOYALTY,
    MARKER,
    OLD_MAN,
    READY,
    RESERVE,
    RESTING,
    SIETCH,
    SOLO,
    STARTING_SETS,
    STATION,
    SUPPLY,
    TANK,
    TOKENS,
    VEHICLE,
    VILLAGE,
    WORM,
    WORMSIGN,
    box,
    deck_of,
    hand,
)
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.memo import MemoKind, Topics
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import HIDDEN
from landsraad_engine.knowledge.views import SeatView

_SURVEY: Final = MemoKind("survey")
_NAMED_LEADERS: Final = MemoKind("named leaders")
_BOXES: Final = MemoKind("dice in boxes")
_DASHBOARDS: Final = MemoKind("dashboards")
_UNUSED: Final = MemoKind("unused dice")


class Survey(NamedTuple):
    """Everything on the board, as sets of areas."""

    harkonnen: AreaSet
    atreides: AreaSet
    villages: AreaSet
    sietches: AreaSet
    worms: AreaSet
    wormsigns: AreaSet
    harvesters: AreaSet
    stations: AreaSet

    def legions(self, side: str) -> AreaSet:
        """Areas with figures or tokens of a side."""
        return self.harkonnen if side == HARKONNEN else self.atreides

    def settlements(self, side: str) -> AreaSet:
        """Areas with a settlement of a side that still stands."""
        return self.villages if side == HARKONNEN else self.sietches

    @rule("WFA-S.9", "WFA-S.11", "WFA-M.47")
    def barred(self, side: str) -> AreaSet:
        """Areas that are not free for a side: enemy settlements, enemy units, sandworms."""
        enemy = OPPONENT[side]
        return self.legions(enemy) | self.settlements(enemy) | self.worms

    @rule("WFA-S.10")
    def taken(self) -> AreaSet:
        """Areas that are not empty."""
        return (
            self.harkonnen
            | self.atreides
            | self.villages
            | self.sietches
            | self.worms
            | self.wormsigns
            | self.harvesters
            | self.stations
        )


def _codes() -> dict[str, AreaSet]:
    """Map each key to its area's bit, in the part of a long number that stands for the field of a survey."""
    kinds = (
        *((n, LEGION[side]) for n, side in enumerate(SIDES)),
        (1, TOKENS),
        *((0, keys) for keys in GARRISON.values()),
        *((n, keys) for n, keys in enumerate((VILLAGE, SIETCH, WORM, WORMSIGN, VEHICLE, STATION), start=2)),
    )
    return {keys[area]: 1 << at << _SHIFTS[n] for n, keys in kinds for at, area in enumerate(AREAS)}


_EVERYWHERE: Final = (1 << len(AREAS)) - 1
_SHIFTS: Final = tuple(n * len(AREAS) for n in range(len(Survey._fields)))
_CODES: Final = _codes()


@rule("WFA-S.16")
class Legion(NamedTuple):
    """All that one side has in one area."""

    units: Figures = NOBODY
    named: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()

    @property
    def strength(self) -> int:
        """Units that stand face up: what fights."""
        return self.units[0] + self.units[1] + self.units[2]

    @property
    @rule("WFA-S.21", "WFA-S.26")
    def size(self) -> int:
        """Units for moving and stacking: a token counts as one, leaders as none."""
        return self.strength + len(self.tokens)

    @property
    def leaders(self) -> int:
        return self.units[LEADER] + len(self.named)


@cache
def named_leaders(
    content: BoxContent, turned: tuple[tuple[str, SubFaction], ...] = ()
) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """For each side its named leaders, with the key of the figure; the Wild Maker is a sandworm, not among them.

    ``turned``: leaders whose loyalty has passed to another half.
    """
    named = [leader for leader in content.leader.values() if not leader.generic and leader.box != "desert_power"]
    halves = {each.id: each.side for each in named} | dict(turned)
    return {side: tuple((each, FIGURE[each]) for each in halves if SIDE_OF[halves[each]] == side) for side in SIDES}


class Words:
    """Reading the table in the words of the book. Writes nothing."""

    __slots__ = ()

    table: dict[str, Any]
    #: what has been worked out from stacks and marks since one was written last
    memo: dict[Any, Any]
    topics: Topics

    @property
    def content(self) -> BoxContent:
        """The component values of the match."""
        raise NotImplementedError

    @property
    def board(self) -> Board:
        """The board as it is now: Family Atomics change it for good."""
        return board_of(self.content, self.table.get("atomics", ""))

    def survey(self) -> Survey:
        """Return everything on the board, as sets of areas."""
        memo = self.topics[BOARD]
        found: Survey | None = memo.get(_SURVEY)
        if found is None:
            everything = reduce(or_, filter(None, map(_CODES.get, self.table)), 0)
            found = memo[_SURVEY] = Survey(*[everything >> shift & _EVERYWHERE for shift in _SHIFTS])
        return found

    @property
    def futures(self) -> tuple[int, ...]:
        """The numbers of the Possible Futures of the match."""
        return tuple(map(int, self.table.get("futures", "")))

    @property
    @rule("WFA-O.4")
    def old_man(self) -> str:
        """The sector in which the Old Man of the Desert is, or "" while it is off the board."""
        place: str = self.table.get(OLD_MAN, RESERVE)
        return "" if place in (RESERVE, RESTING) else place

    # --- rounds and tracks

    @property
    def round(self) -> int:
        number: int = self.table.get("round", 0)
        return number

    @property
    def supremacy(self) -> int:
        points: int = self.table.get("supremacy", 0)
        return points

    def marker(self, marker: str) -> int:
        """The step of a prescience marker."""
        step: int = self.table.get(MARKER[marker], 0)
        return step

    def banned(self, power: str) -> bool:
        """Return whether a power's Imperium Ban is in force."""
        return BAN[power] in self.table

    # --- legions

    def figures(self, side: str, area: AreaId) -> Figures:
        """Figures of a side in an area, generic leaders included: regular, elite, special, leader."""
        counts: Figures = self.table.get(LEGION[side][area], NOBODY)
        return counts

    def supply(self, side: str) -> Figures:
        counts: Figures = self.table.get(SUPPLY[side], NOBODY)
        return counts

    def tokens(self, area: AreaId) -> tuple[str, ...]:
        """Deployment tokens that lie face down in an area."""
        found: tuple[str, ...] = self.table.get(TOKENS[area], ())
        return found

    @rule("WFA-Y.158", "WFA-Y.163", "WFA-Y.164")
    def garrison(self, area: AreaId) -> tuple[str, ...]:
        """The Harkonnen deployment tokens face down in an area, by their backs: only the solo mode has any."""
        if SOLO not in self.table:
            return ()
        return tuple([name for name in STARTING_SETS for _ in self.table.get(GARRISON[name][area], ())])

    def legion(self, side: str, area: AreaId) -> Legion:
        if side == ATREIDES:
            tokens = self.table.get(TOKENS[area], ())
        else:
            tokens = self.garrison(area) if SOLO in self.table else ()
        return Legion(self.table.get(LEGION[side][area], NOBODY), self.named_at(side, area), tokens)

    def size(self, side: str, area: AreaId) -> int:
        """Return how many units a side has in an area, face-down tokens included."""
        counts = self.table.get(LEGION[side][area], NOBODY)
        units: int = counts[0] + counts[1] + counts[2]
        if side == ATREIDES:
            return units + len(self.table.get(TOKENS[area], ()))
        return units + len(self.garrison(area)) if SOLO in self.table else units

    def named_at(self, side: str, where: str) -> tuple[str, ...]:
        """The named leaders of a side in an area (or set apart, or in a tank slot)."""
        memo = self.topics[LEADERS]
        found: dict[tuple[str, str], tuple[str, ...]] | None = memo.get(_NAMED_LEADERS)
        if found is None:
            found = memo[_NAMED_LEADERS] = {}
            for each, leaders in named_leaders(self.content, self.turned()).items():
                for leader, key in leaders:
                    if (place := self.table.get(key)) is not None:
                        found[each, place] = (*found.get((each, place), ()), leader)
        return found.get((side, where), ())

    def rank(self, side: str, area: AreaId) -> int:
        """The rank of a side's settlement in an area, 0 without one; that of a Sietch must be known."""
        if side == HARKONNEN:
            village: int = self.table.get(VILLAGE[area], 0)
            return village
        sietch = self.table.get(SIETCH[area])
        return int(sietch[0]) if sietch else 0

    # --- leaders

    def leader(self, leader: str) -> Leader:
        return self.content.leader[leader]

    def turned(self) -> tuple[tuple[str, SubFaction], ...]:
        """The leaders who have changed sides, with the half that leads them now."""
        return tuple([(each, self.table[key]) for each, key in LOYALTY.items() if key in self.table])

    @rule("WFA-N.50")
    def half_of(self, leader: str) -> SubFaction:
        """The half of a faction that leads a leader now."""
        return self.table.get(LOYALTY.get(leader, ""), self.leader(leader).side)  # type: ignore[no-any-return]

    def leaders_of(self, side: str) -> tuple[tuple[str, str], ...]:
        """The named leaders of a side, with the keys of their figures."""
        return named_leaders(self.content, self.turned())[side]

    def whereabouts(self, leader: str) -> str | None:
        """Return where a named leader's figure is; None before it has entered play."""
        place: str | None = self.table.get(FIGURE[leader])
        return place

    @rule("WFA-G.14", "WFA-G.79")
    def cast(self, leader: str) -> str:
        """Return the card that is used for a named leader in this game."""
        other = STAND_INS.get(leader)
        if other is None or other not in self.content.leader or not self.shared(HARKONNEN):
            return leader
        return other

    @rule("WFA-L.35")
    def in_play(self, leader: str) -> bool:
        """Return whether a leader (or another of the persona) has entered play and not left the game."""
        leader = self.cast(leader)
        return any(self.whereabouts(each) not in (None, GONE) for each in self.content.named(leader))

    @rule("WFA-L.25")
    def bearer(self, leader: str) -> str:
        """The leader that answers to a name now: the one of the persona that is in play."""
        leader = self.cast(leader)
        named = self.content.leader.get(leader)
        names = self.content.named(named.persona if named and named.persona else leader)
        return next((each for each in names if self.in_play(each)), names[0])

    @rule("WFA-L.25")
    def standing_at(self, leader: str) -> AreaId:
        """The area of the leader that answers to a name, or ""."""
        place = self.whereabouts(self.bearer(leader))
        return place if place is not None and place in self.board.bit else ""

    def on_board(self, leader: str) -> bool:
        return self.table.get(FIGURE[leader]) in self.board.bit

    def in_tank(self, leader: str) -> bool:
        return self.table.get(FIGURE[leader]) in TANK

    def leaders_aside(self, side: str) -> tuple[str, ...]:
        """Named leaders that can be deployed."""
        return self.named_at(side, ASIDE)

    def leaders_on_board(self, side: str) -> tuple[str, ...]:
        bit = self.board.bit
        return tuple([leader for leader, key in self.leaders_of(side) if self.table.get(key) in bit])

    @rule("WFA-T.12", "WFA-A.32")
    def has_special(self, leader: str) -> bool:
        """Return whether a leader's special action is open: its card shows it, and it is not in the tank."""
        return self.table.get(CARD[leader]) == READY and not self.in_tank(leader)

    # --- seats, cards, dice

    def powers(self, seat: int) -> tuple[str, ...]:
        """The halves of a faction that a seat leads: both, unless the faction is shared."""
        shared: tuple[str, ...] | None = self.table.get(f"powers/{seat}")
        return shared or POWERS[self.table[f"side/{seat}"]]

    def dashboard(self, seat: int) -> str:
        """The dashboard in front of a seat."""
        powers: tuple[str, ...] | None = self.table.get(f"powers/{seat}")
        return powers[0] if powers and len(powers) == 1 else DASHBOARD[self.table[f"side/{seat}"]]

    @rule("WFA-G.7")
    def dashboards(self, side: str) -> tuple[str, ...]:
        """The dashboards of a side: the usual one, or those of its halves. A side that the game plays has its own."""
        memo = self.topics[BOXES]
        found: tuple[str, ...] | None = memo.get((_DASHBOARDS, side))
        if found is None:
            halves = tuple(
                powers[0]
                for seat in range(4)
                if self.table.get(f"side/{seat}") == side and (powers := self.table.get(f"powers/{seat}"))
            )
            found = memo[_DASHBOARDS, side] = halves or (DASHBOARD[side],)
        return found

    def shared(self, side: str) -> bool:
        """Return whether two seats share a faction."""
        return len(self.dashboards(side)) > 1

    def hand(self, seat: int) -> tuple[str, ...]:
        """A seat's planning cards, deck by deck."""
        table = self.table
        return tuple([card for deck in DECK for card in table.get(hand(deck, seat), ())])

    def dice(self, dashboard: str) -> Mapping[str, int]:
        """Unused dice, Bene Gesserit tokens included, in each action box that has any."""
        memo = self.topics[BOXES]
        dice: dict[str, int] | None = memo.get((_BOXES, dashboard))
        if dice is None:
            boxes = ((name, self.table.get(box(dashboard, name))) for name in self.content.dashboard[dashboard].boxes)
            dice = memo[_BOXES, dashboard] = {name: sum(counts) for name, counts in boxes if counts}
        return dice

    def vehicle(self, place: str) -> tuple[int, int, int]:
        """Vehicles in an area or air zone: harvester, ornithopter, carryall."""
        counts: tuple[int, int, int] = self.table.get(VEHICLE[place], (0, 0, 0))
        return counts

    def zones_with(self, vehicle: int) -> tuple[str, ...]:
        """Air zones that hold this kind of vehicle."""
        table = self.table
        return tuple([zone for zone in self.content.air_zone if table.get(VEHICLE[zone], (0, 0, 0))[vehicle]])


class ArrakisSeatView(Words, SeatView):
    """The view of one seat of War for Arrakis, with the words of the book. Hidden faces read as "?"."""

    __slots__ = ()

    @property
    def content(self) -> BoxContent:
        if isinstance(self._g, ArrakisState):
            return self._g.content
        return played(self.table["edition"], self.table.get("content", OWN))


class ArrakisState(Words, State):
    """The state of a match of War for Arrakis, with the words of the book and the verbs that the rules share."""

    __slots__ = ()

    @property
    def content(self) -> BoxContent:
        content: BoxContent = self.setting.content
        return content

    # --- what hooks may change

    @rule("WFA-S.28", "WFA-P.14")
    def stacking(self, side: str) -> int:
        """Return how many units a side may have in one area."""
        limit: int = self.query(Query.STACKING_LIMIT, self.content.limits.stacking, side)
        return limit

    # --- seats

    def seats_with(self, dashboard: str) -> tuple[int, ...]:
        """The seats that play a dashboard."""
        return tuple(seat for seat in range(self.setting.seats) if self.dashboard(seat) == dashboard)

    @rule("WFA-Y.38")
    def unused(self, side: str) -> int:
        """A side's unused action dice, Bene Gesserit tokens included; those of the automaton are not rolled yet."""
        dice: int | None = self.memo.get((_UNUSED, side))
        if dice is None:
            dice = sum(sum(self.dice(each).values()) for each in self.dashboards(side))
            if SOLO in self.table and side == self.table[SOLO]:
                dice += sum(self.get(box(DASHBOARD[side], POOL)))
            self.memo[_UNUSED, side] = dice
        return dice

    @rule("WFA-Y.6", "WFA-Y.144")
    def deciders(self, side: str) -> tuple[int, ...]:
        """The seats that decide for a side: its own, or for one that the game plays those of its opponent."""
        return self.seats_of(side) or self.seats_of(OPPONENT[side])

    def seats_leading(self, power: SubFaction) -> tuple[int, ...]:
        """The seat that leads this half of a faction, or all of the faction; none if the game does."""
        return tuple(seat for seat in self.seats_of(SIDE_OF[power]) if power in self.powers(seat))

    @rule("WFA-F.9")
    def hidden_sietch(self, area: AreaId) -> bool:
        """Return whether a Sietch lies in an area that has not been turned up."""
        return HIDDEN in self.known_to_all(SIETCH[area])

    def discardable(self, seat: int) -> tuple[str, ...]:
        """The cards that a seat can give up, for whatever reason."""
        return tuple([card for card in self.hand(seat) if self.allowed(Permit.DISCARD, card, default=True)])

    # --- verbs in the book's words, each made of the kernel's

    @rule("WFA-S.17")
    def recruit(self, side: str, area: AreaId, figures: tuple[int, ...]) -> None:
        """Bring figures from the supply to an area."""
        self.shift(SUPPLY[side], LEGION[side][area], figures)

    @rule("WFA-S.18")
    def dismiss(self, side: str, area: AreaId, figures: tuple[int, ...]) -> None:
        """Take figures from an area back to the supply."""
        self.shift(LEGION[side][area], SUPPLY[side], figures)

    def replace(self, side: str, area: AreaId, kind: int, by: int, number: int) -> None:
        """Exchange units in an area for another kind from the supply."""
        self.dismiss(side, area, one(FIGURES, kind, number))
        self.recruit(side, area, one(FIGURES, by, number))

    def turn_up_sietch(self, area: AreaId) -> None:
        """Show everybody which Sietch lies in an area, if it has not been seen yet."""
        if self.hidden_sietch(area):
            self.reveal(SIETCH[area], self.table[SIETCH[area]][0])

    @rule("WFA-A.33")
    def discard(self, seat: int, card: str) -> None:
        """Put a planning card face up on the discards of its deck."""
        deck = deck_of(self.content, card)
        self.move(hand(deck, seat), DISCARD[deck], card)

    @rule("WFA-A.34")
    def draw_card(self, seat: int, deck: str) -> None:
        """Draw the top card of a deck, if there is one left: decks are never refilled."""
        if self.table.get(DECK[deck]):
            self.draw(DECK[deck], hand(deck, seat))

    @rule("WFA-S.45")
    def grant_tokens(self, side: str, number: int, rule: str = "") -> None:
        """Give a side so many Bene Gesserit tokens, as far as the reserve has them."""
        if not self.allowed(Permit.GAIN_TOKENS, side, default=True):
            return
        left = min(number, self.get("bene_gesserit/reserve")[TOKEN])
        self.shift("bene_gesserit/reserve", f"bene_gesserit/{side}", one(DICE, TOKEN, left), rule)

    @rule("WFA-A.6")
    def use_die(self, dashboard: str, name: str) -> None:
        """Lay a die (or the Bene Gesserit token, which goes first) from an action box on the used dice."""
        spent = one(DICE, TOKEN if self.table[box(dashboard, name)][TOKEN] else DIE)
        self.shift(box(dashboard, name), box(dashboard, USED), spent)

    def areas_of(self, side: str) -> Iterator[tuple[AreaId, Legion]]:
        """The areas in which a side has a legion, in board order, with the legion."""
        for area in self.board.names(self.survey().legions(side)):
            yield area, self.legion(side, area)
