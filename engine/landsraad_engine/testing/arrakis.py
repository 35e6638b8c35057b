"""War for Arrakis for tests: complete positions, bare boards, figures by name, dice by their faces, acts by keywords.

war = War()
war.legion("harkonnen", "carthag", regular=3, named=("baron_harkonnen",))
war.rolls("combat/harkonnen", "hit", "special", "shield")
war.run(AttackWith(seat=war.seat("harkonnen")))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

from landsraad_engine.arrakis.acts import Attack, MoveLegion, TakeCasualties
from landsraad_engine.arrakis.announcements import HitsRolled
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.cards.play import PlayPlanningCard
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.regeneration import slots, tank
from landsraad_engine.arrakis.seating import seating
from landsraad_engine.arrakis.setup import Setup
from landsraad_engine.arrakis.sides import (
    ATREIDES,
    CARRYALL,
    DASHBOARD,
    DIE,
    HARKONNEN,
    HARVESTER,
    ORNITHOPTER,
    POOL,
    SANDWORM,
    SIDES,
    VEHICLES,
    WILD_MAKER,
    WORMS,
    Figures,
    one,
)
from landsraad_engine.arrakis.terms import SIDE_OF
from landsraad_engine.arrakis.unseen import faces_of, tokens_of
from landsraad_engine.arrakis.words import Legion
from landsraad_engine.arrakis.zones import (
    ASIDE,
    BAN,
    CARD,
    DECK,
    FIGURE,
    GONE,
    IMPERIUM,
    LEAVING,
    LEGION,
    MARKER,
    OLD_MAN,
    READY,
    RESERVE,
    SIETCH,
    STATION,
    SUPPLY,
    TANK,
    TOKENS,
    VEHICLE,
    VILLAGE,
    WORM,
    WORMS_HELD,
    WORMSIGN,
    box,
    deck_of,
    hand,
)
from landsraad_engine.kernel.frames import Flow, FlowTable
from landsraad_engine.testing.scenarios.scenario import Scenario

#: The steps in which storms and worms strike, and the word for it.
_STRIKING: Final = {("CoriolisStorms", "strike"): "storm", ("WormAttack", "strike"): "worm"}


# --------------------------------------------------------------------------------------------------------------- acts


def loss(
    *, regular: int = 0, elite: int = 0, special: int = 0, leader: int = 0, named: tuple[str, ...] = ()
) -> TakeCasualties:
    """Return casualties: Regulars and generic leaders removed, Elites and Special Elites hit, named leaders removed."""
    return TakeCasualties((regular, elite, special, leader), named)


def attack(
    source: str,
    target: str,
    *,
    regular: int = 0,
    elite: int = 0,
    special: int = 0,
    leader: int = 0,
    leaders: tuple[str, ...] = (),
    ornithopter: str = "",
) -> Attack:
    """Return an attack with so many figures of each kind; `leader` are generic ones, `leaders` named ones."""
    return Attack(source, target, (regular, elite, special, leader), leaders, (), ornithopter)


def move(
    source: str,
    target: str,
    *,
    regular: int = 0,
    elite: int = 0,
    special: int = 0,
    leader: int = 0,
    leaders: tuple[str, ...] = (),
    tokens: tuple[str, ...] = (),
    ornithopter: str = "",
) -> MoveLegion:
    """Return a move of so many figures of each kind; `leader` are generic ones, `leaders` named ones."""
    return MoveLegion(source, target, (regular, elite, special, leader), leaders, tokens, ornithopter)


# ------------------------------------------------------------------------------------------------------------ scenarios


class Strike(NamedTuple):
    """Hits that a legion has to take from a "storm" or a "worm"."""

    by: str
    side: str
    area: str
    hits: int


class War(Scenario):
    """One position of War for Arrakis. With two seats, seat 0 leads the Harkonnen, seat 1 the Atreides.

    Where a faction is shared, the names of its halves stand for its seats: `war.answer("fremen_ally", ...)`.

    By default the board is bare, with the figures and tokens of the box beside it, and no card or die in play: for
    procedures of which a few pieces are enough. `position` has all pieces.
    """

    def __init__(
        self, *, seats: int = 2, seed: str = "war", orders: bool = True, bare: bool = True, **options: Any
    ) -> None:
        roles = seating(ARRAKIS.parse_options(options, seats), seats)
        super().__init__(ARRAKIS, [role.side for role in roles], seed=seed, orders=orders, **options)
        for seat, role in enumerate(roles):
            self.put(f"powers/{seat}", role.powers or None)
        if bare:
            self._lay_the_box_beside()

    def _lay_the_box_beside(self) -> None:
        content = self.g.content
        for side in SIDES:
            supply = content.supply[side]
            self.put(SUPPLY[side], (supply.regular, supply.elite, supply.special, supply.leader))
        vehicles, worms = content.vehicles, content.worms
        self.put("vehicles", (vehicles.harvester, vehicles.ornithopter, vehicles.carryall))
        self.put("worms", (worms.sandworm, worms.wild_maker))
        self.put("supremacy", 0)
        for key in MARKER.values():
            self.put(key, 0)
        for key in IMPERIUM.values():
            self.put(key, content.spice.start)
        self.lay("bag", *tokens_of(content, "atreides_standard"))
        self.lay("wormsigns", *faces_of(content.wormsign_tokens))
        self.lay("stations", *faces_of(content.station_tokens))
        if self.g.options.get("old_man"):
            self.put(OLD_MAN, RESERVE)
        if futures := self.g.options.get("futures"):
            self.put("futures", futures)

    # --- seats

    def seat(self, side: str) -> int:
        """Return the seat of a side or of the half of one; of a shared faction's seats the first."""
        if side in SIDE_OF:
            return next(seat for seat in range(self.g.setting.seats) if side in self.g.powers(seat))
        return super().seat(side)

    @property
    def asked(self) -> tuple[str, ...]:
        """The sides that have something to answer, in seat order; of a shared faction its halves."""
        seats = () if self.done else self.g.waiting
        return tuple(
            self.g.powers(seat)[0] if self.g.shared(self.g.side(seat)) else self.g.side(seat) for seat in seats
        )

    # --- pieces

    def legion(
        self,
        side: str,
        area: str,
        *,
        regular: int = 0,
        elite: int = 0,
        special: int = 0,
        leader: int = 0,
        named: tuple[str, ...] = (),
        tokens: tuple[str, ...] = (),
    ) -> Self:
        """Put a legion down, its figures taken from the supply."""
        figures = (regular, elite, special, leader)
        if any(figures):
            self._take(SUPPLY[side], LEGION[side][area], figures)
        for each in named:
            self.put(FIGURE[each], area)
        if tokens:
            self.put(TOKENS[area], tokens)
        return self

    def sietch(self, area: str, rank: int = 1, *, shown: bool = False) -> Self:
        """Lay a Sietch token, face down unless it has been seen."""
        self.lay(SIETCH[area], str(rank))
        if shown:
            self.g.table["*" + SIETCH[area]] = (self.g.setting.everybody & ~self.g.eyes[SIETCH[area]],)
        return self

    def village(self, area: str) -> Self:
        """Put a Harkonnen settlement down."""
        return self.put(VILLAGE[area], self.g.board.rank[area])

    def worm(self, area: str, *, wild_maker: bool = False) -> Self:
        self._take("worms", WORM[area], one(WORMS, WILD_MAKER if wild_maker else SANDWORM))
        return self

    def old_man(self, sector: str, *, sandworms: int = 0, wild_maker: bool = False) -> Self:
        """Place the Old Man of the Desert in a sector, with sandworms before the Atreides."""
        if sandworms or wild_maker:
            self._take("worms", WORMS_HELD, (sandworms, int(wild_maker)))
        return self.put(OLD_MAN, sector)

    def wormsign(self, area: str, face: str = "sand") -> Self:
        pool = list(self.g.table["wormsigns"])
        pool.remove(face)
        self.lay("wormsigns", *pool)
        return self.put(WORMSIGN[area], (face,))

    def station(self, area: str, face: str) -> Self:
        pool = list(self.g.table["stations"])
        pool.remove(face)
        self.lay("stations", *pool)
        return self.put(STATION[area], (face,))

    def harvester(self, area: str) -> Self:
        return self._vehicle(area, HARVESTER)

    def ornithopter(self, zone: str) -> Self:
        return self._vehicle(zone, ORNITHOPTER)

    def carryall(self, zone: str) -> Self:
        return self._vehicle(zone, CARRYALL)

    def _vehicle(self, place: str, kind: int) -> Self:
        self._take("vehicles", VEHICLE[place], one(VEHICLES, kind))
        return self

    def _take(self, source: str, target: str, counts: tuple[int, ...]) -> None:
        left = tuple(there - out for there, out in zip(self.g.table[source], counts, strict=True))
        assert min(left) >= 0, f"{source} holds {self.g.table[source]}, not {counts}"
        self.put(source, left if any(left) else None)
        self.put(target, tuple(map(sum, zip(self.g.get(target), counts, strict=True))))

    # --- cards and dice

    def hand(self, side: str, *cards: str) -> Self:
        """Put planning cards into a side's hand: from their decks, if these are on the table."""
        for deck in dict.fromkeys(deck_of(self.g.content, card) for card in cards):
            mine = [card for card in cards if deck_of(self.g.content, card) == deck]
            key = hand(deck, self.seat(side))
            if DECK[deck] in self.g.table:
                self.deal(DECK[deck], {key: mine})
            else:
                self.lay(key, *mine)
        return self

    def dice(self, side: str, **boxes: int) -> Self:
        """Put so many unused action dice into boxes of a side's dashboard: from its pool, if there are dice in it."""
        seat = self.seat(side)
        pool = box(DASHBOARD[self.g.side(seat)], POOL)
        for name, number in boxes.items():
            key = pool if name == POOL else box(self.g.dashboard(seat), name)
            if key != pool and pool in self.g.table:
                there = self.g.get(key)
                self._take(pool, key, (number - there[DIE], 0))
            else:
                self.put(key, (number, 0) if number else None)
        return self

    def _face(self, label: str, face: Any) -> int:
        """Return the number of a face of "combat/<side>", "combat/worm", "combat/storm" or "action/<side>"."""
        kind, _, side = label.partition("/")
        if isinstance(face, int) or kind not in ("combat", "action"):
            return int(face)
        content = self.g.content
        die = content.combat_die.faces if kind == "combat" else getattr(content.action_dice, side)
        return int(die.index(face))

    # --- leaders, markers, bans

    def leader(self, leader: str, at: str = ASIDE, *, card: str = READY) -> Self:
        """Bring a named leader into play.

        Args:
            leader: the leader.
            at: an area, "aside" (off the board, ready to be deployed), "tank" (the first free slot of the tank),
                "tank/<slot>", "leaving" or "gone".
            card: which side of the leader's card shows, "ready" or "spent".

        """
        if at == "tank":
            taken = tank(self.g, leader)
            at = next(TANK[slot] for slot in range(slots(self.g, leader)) if slot not in taken)
        assert at in (*self.g.board.bit, *TANK, ASIDE, LEAVING, GONE), f"a leader cannot be at {at!r}"
        return self.put(FIGURE[leader], at).put(CARD[leader], card)

    def markers(self, **steps: int) -> Self:
        """Set markers of the prescience track, by name."""
        for marker, at in steps.items():
            self.put(MARKER[marker], at)
        return self

    def imperium(self, **steps: int) -> Self:
        """Set the Imperium markers, by power."""
        for power, at in steps.items():
            self.put(IMPERIUM[power], at)
        return self

    def bans(self, *powers: str) -> Self:
        """Let exactly these powers of the Imperium have imposed their bans."""
        for power, key in BAN.items():
            self.put(key, True if power in powers else None)
        return self

    # --- cards played

    def play_card(self, side: str, card: str) -> Self:
        """Let a side play a planning card, whatever else it has in hand."""
        deck = deck_of(self.g.content, card)
        held = self.g.table.get(hand(deck, self.seat(side)), ())
        self.lay(hand(deck, self.seat(side)), *held, card)
        return self.run(PlayPlanningCard(seat=self.seat(side), card=card))

    # --- battles

    def clash(
        self, attacker: str = HARKONNEN, source: str = "carthag", target: str = "arsunt", *, surprise: bool = False
    ) -> Self:
        """Run a battle, by default between the neighbours Carthag and Arsunt."""
        return self.run(Battle(seat=self.seat(attacker), source=source, target=target, surprise=surprise))

    # --- looking

    def said(self, verb: str) -> list[tuple[Any, ...]]:
        """Return the public arguments of all events of a verb so far."""
        return [event.public for event in self.told(verb) if event.public is not None]

    def thrown(self) -> list[int]:
        """Return the number of dice of each throw so far."""
        return [len(arguments) - 1 for arguments in self.said("roll")]

    def hits(self) -> list[tuple[int, int]]:
        """Return the hits that the attacker and the defender have suffered in each battle round so far."""
        return [(fact.attacker, fact.defender) for fact in self.announced(HitsRolled)]

    def strikes(self, by: str = "") -> list[Strike]:
        """Return all hits that legions have had to take so far, or those of a "storm" or a "worm"; misses have 0."""
        return [strike for strike in self.g.notes if not by or strike.by == by]

    def _watched(self, flow: FlowTable) -> FlowTable:
        """Return the steps, of which those that strike leave a note: no event tells where a storm has missed."""

        def noting(frame: str, name: str, fn: Callable[..., Flow]) -> Callable[..., Flow]:
            def noted(f: Any, g: Any) -> Flow:
                outcome = fn(f, g)
                if isinstance(outcome, Casualties):
                    g.notes.append(Strike(_STRIKING[frame, name], outcome.side, outcome.area, outcome.hits))
                return outcome

            return noted if (frame, name) in _STRIKING else fn

        return flow.wrapped(noting)

    def at(self, side: str, area: str) -> Legion:
        """Return the legion of a side in an area."""
        found: Legion = self.g.legion(side, area)
        return found

    def figures(self, side: str, area: str) -> Figures:
        """Return the figures of a side in an area, by kind."""
        found: Figures = self.g.figures(side, area)
        return found

    @property
    def harkonnen(self) -> int:
        """The seat of the Harkonnen."""
        return self.seat(HARKONNEN)

    @property
    def atreides(self) -> int:
        """The seat of the Atreides."""
        return self.seat(ATREIDES)


# ---------------------------------------------------------------------------------------------------------- positions


def war_at_setup(
    edition: str = "exclusive", *, seats: int = 2, seed: str = "war", orders: bool = True, **options: Any
) -> War:
    """Return the position that the set-up of an edition leaves, before the first round."""
    war = War(seats=seats, edition=edition, seed=seed, orders=orders, bare=False, **options)
    war.run(Setup()).finish()
    war.events.clear()
    return war


def complete_position(
    *,
    seats: int = 2,
    edition: str = "exclusive",
    round: int = 1,  # noqa: A002 - the word of the rulebook
    legions: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    leaders: Mapping[str, str] | None = None,
    hands: Mapping[str, Sequence[str]] | None = None,
    dice: Mapping[str, Mapping[str, int]] | None = None,
    markers: Mapping[str, int] | None = None,
    imperium: Mapping[str, int] | None = None,
    bans: Sequence[str] = (),
    supremacy: int = 0,
    harvesters: Sequence[str] = (),
    ornithopters: Sequence[str] = (),
    carryalls: Sequence[str] = (),
    worms: Sequence[str] = (),
    wormsigns: Mapping[str, str] | None = None,
    seed: str = "war",
    orders: bool = True,
    **options: Any,
) -> War:
    """Return a scenario at a complete position of War for Arrakis; `position(ARRAKIS, …)` calls this.

    Args:
        seats: the number of seats.
        edition: the edition that is played.
        round: the round.
        legions: for each side, the figures in each area, as `War.legion` takes them. If it is given, nothing else
            stands on the board: all other figures are in the supply, and the deployment tokens have been revealed.
        leaders: where named leaders are, as `War.leader` takes it; the others are as the set-up has them.
        hands: planning cards of each side.
        dice: unused action dice in the boxes of each side's dashboard; the others are in its pool.
        markers: steps of the markers on the prescience track.
        imperium: steps of the Imperium markers.
        bans: the powers of the Imperium that have imposed their bans.
        supremacy: the step of the supremacy marker.
        harvesters: areas with a harvester.
        ornithopters: air zones with an ornithopter.
        carryalls: air zones with a carryall.
        worms: areas with a sandworm.
        wormsigns: areas with a wormsign, and what is on its face.
        seed: where chance comes from that is not fixed.
        orders: whether seats that can only pass are passed over.
        options: options of the match.

    """
    war = war_at_setup(edition, seats=seats, seed=seed, orders=orders, **options)
    war.put("round", round).put("supremacy", supremacy)
    if legions is not None:
        _clear(war)
        for side, areas in legions.items():
            for area, figures in areas.items():
                war.legion(side, area, **figures)
    for leader, at in (leaders or {}).items():
        war.leader(leader, at)
    for side, cards in (hands or {}).items():
        war.hand(side, *cards)
    for side, boxes in (dice or {}).items():
        war.dice(side, **boxes)
    war.markers(**markers or {}).imperium(**imperium or {}).bans(*bans)
    for place, put_down in ((harvesters, war.harvester), (ornithopters, war.ornithopter), (carryalls, war.carryall)):
        for each in place:
            put_down(each)
    for area in worms:
        war.worm(area)
    for area, face in (wormsigns or {}).items():
        war.wormsign(area, face)
    problems = war.problems()
    assert not problems, "; ".join(problems)
    war.checked = True
    return war


def _clear(war: War) -> None:
    """Take all legions off the board: figures to the supply, deployment tokens to those that have been revealed."""
    for side in SIDES:
        figures = [war.g.get(key) for key in (SUPPLY[side], *LEGION[side].values())]
        for key in LEGION[side].values():
            war.put(key, None)
        war.put(SUPPLY[side], tuple(map(sum, zip(*figures, strict=True))))
    tokens = [token for key in TOKENS.values() for token in war.g.get(key)]
    for key in TOKENS.values():
        war.put(key, None)
    war.lay("tokens_revealed", *war.g.get("tokens_revealed"), *tokens)
