"""Scenarios of War for Arrakis: an empty board with the box beside it, figures put down by name, dice that are loaded.

war = War()
war.legion("harkonnen", "carthag", regular=3, named=("baron_harkonnen",))
war.loads("combat/harkonnen", "hit", "special", "shield")
war.run(AttackWith(seat=war.seat("harkonnen")))
"""

from __future__ import annotations

from typing import Any, Self

from landsraad_engine.arrakis.acts import Attack, MoveLegion, TakeCasualties
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.cards.play import PlayPlanningCard
from landsraad_engine.arrakis.game import Arrakis
from landsraad_engine.arrakis.sides import (
    ATREIDES,
    CARRYALL,
    HARKONNEN,
    HARVESTER,
    ORNITHOPTER,
    SANDWORM,
    SIDES,
    VEHICLES,
    WILD_MAKER,
    WORMS,
    Figures,
    one,
)
from landsraad_engine.arrakis.unseen import faces_of, tokens_of
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.arrakis.zones import (
    FIGURE,
    IMPERIUM,
    LEGION,
    MARKER,
    SIETCH,
    STATION,
    SUPPLY,
    TOKENS,
    VEHICLE,
    VILLAGE,
    WORM,
    WORMSIGN,
    box,
    deck_of,
    hand,
)
from landsraad_engine.testing.scenarios.scenario import Scenario


def loss(regular: int = 0, elite: int = 0, special: int = 0, leader: int = 0, *named: str) -> TakeCasualties:
    """Casualties: Regulars removed, Elites hit, Special Elites hit, generic leaders removed, named leaders removed."""
    return TakeCasualties((regular, elite, special, leader), named)


def attack(source: str, target: str, *units: int, leaders: tuple[str, ...] = (), ornithopter: str = "") -> Attack:
    """An attack with so many Regulars, Elites, Special Elites and generic leaders."""
    regular, elite, special, leader = (*units, 0, 0, 0, 0)[:4]
    return Attack(source, target, (regular, elite, special, leader), leaders, (), ornithopter)


def move(
    source: str,
    target: str,
    *units: int,
    leaders: tuple[str, ...] = (),
    tokens: tuple[str, ...] = (),
    ornithopter: str = "",
) -> MoveLegion:
    """A move of so many Regulars, Elites, Special Elites and generic leaders."""
    regular, elite, special, leader = (*units, 0, 0, 0, 0)[:4]
    return MoveLegion(source, target, (regular, elite, special, leader), leaders, tokens, ornithopter)


class _Loaded(ArrakisState):
    """A state whose dice show what a test has said, as long as it has said something."""

    __slots__ = ("loaded",)

    loaded: dict[str, list[int]]

    def _draws(self, label: str, bounds: tuple[int, ...]) -> list[int]:
        queue: list[int] = getattr(self, "loaded", {}).get(label, [])
        if not queue:
            drawn: list[int] = super()._draws(label, bounds)
            return drawn
        assert len(queue) >= len(bounds), f"{label}: {len(bounds)} dice are rolled, {len(queue)} are loaded"
        shown, self.loaded[label] = queue[: len(bounds)], queue[len(bounds) :]
        return shown


class _LoadedArrakis(Arrakis):
    state = _Loaded


_GAME = _LoadedArrakis()


class War(Scenario):
    """One position of War for Arrakis. Seat 0 leads the Harkonnen, seat 1 the Atreides."""

    def __init__(self, *, seed: str = "war", orders: bool = True, **options: Any) -> None:
        super().__init__(_GAME, SIDES, seed=seed, orders=orders, **options)
        self.g.loaded = {}
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
        """A Sietch token, face down unless it has been seen."""
        self.lay(SIETCH[area], str(rank))
        if shown:
            self.g.table["*" + SIETCH[area]] = (self.g.setting.everybody & ~self.g.eyes[SIETCH[area]],)
        return self

    def village(self, area: str) -> Self:
        """A Harkonnen settlement."""
        return self.put(VILLAGE[area], self.g.board.rank[area])

    def worm(self, area: str, *, wild_maker: bool = False) -> Self:
        self._take("worms", WORM[area], one(WORMS, WILD_MAKER if wild_maker else SANDWORM))
        return self

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
        """Planning cards in a side's hand."""
        for deck in dict.fromkeys(deck_of(self.g.content, card) for card in cards):
            mine = [card for card in cards if deck_of(self.g.content, card) == deck]
            self.lay(hand(deck, self.seat(side)), *mine)
        return self

    def dice(self, side: str, **boxes: int) -> Self:
        """Unused action dice on a side's dashboard."""
        dashboard = self.g.dashboard(self.seat(side))
        for name, number in boxes.items():
            self.put(box(dashboard, name), (number, 0) if number else None)
        return self

    def loads(self, label: str, *faces: str) -> Self:
        """What the next dice of a kind show: "combat/<side>", "combat/worm", "action/<side>" with their faces."""
        kind, _, side = label.partition("/")
        content = self.g.content
        die = content.combat_die.faces if kind == "combat" else getattr(content.action_dice, side)
        self.g.loaded.setdefault("die/" + label, []).extend(die.index(face) for face in faces)
        return self

    def plays(self, side: str, card: str) -> Self:
        """Have a side play a planning card, whatever else it has in hand."""
        deck = deck_of(self.g.content, card)
        held = self.g.table.get(hand(deck, self.seat(side)), ())
        self.lay(hand(deck, self.seat(side)), *held, card)
        return self.run(PlayPlanningCard(seat=self.seat(side), card=card))

    # --- battles

    def clash(
        self, attacker: str = HARKONNEN, source: str = "carthag", target: str = "arsunt", *, surprise: bool = False
    ) -> Self:
        """A battle, by default between the neighbours Carthag and Arsunt."""
        return self.run(Battle(seat=self.seat(attacker), source=source, target=target, surprise=surprise))

    # --- looking

    def said(self, verb: str) -> list[tuple[Any, ...]]:
        """The public arguments of all events of a verb so far."""
        return [event.public for event in self.told(verb) if event.public is not None]

    def thrown(self) -> list[int]:
        """How many dice have been rolled, throw by throw."""
        return [len(arguments) - 1 for arguments in self.said("roll")]

    def hits(self) -> list[tuple[int, int]]:
        """Hits that the attacker and the defender have suffered, battle round by battle round."""
        return [(arguments[1], arguments[2]) for arguments in self.said("announce") if arguments[0] == "hits"]

    def at(self, side: str, area: str) -> Legion:
        """What a side has in an area."""
        found: Legion = self.g.legion(side, area)
        return found

    def figures(self, side: str, area: str) -> Figures:
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
