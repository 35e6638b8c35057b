"""Classic Dune for tests: complete positions, bare tables, battle plans, and what storms and worms have killed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from landsraad_engine.dune import bonuses
from landsraad_engine.dune.acts import BattlePlan, ProposeAlliance, Ship
from landsraad_engine.dune.battle.battle import Battle
from landsraad_engine.dune.board import DOTS, SPICE, cells_of
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.pieces import ELITES, FACTIONS, LEADERS, LOYAL_TO
from landsraad_engine.dune.setup import Setup
from landsraad_engine.dune.unseen import PURSES
from landsraad_engine.dune.whole_game import ROUNDS, GameTurn
from landsraad_engine.dune.words import (
    ALLY,
    AT,
    BANK,
    CAPTURED,
    DIED,
    HAND,
    LEADER_TANKS,
    LEADERS_AT,
    RESERVES,
    TANKS,
    TRAITORS,
    Counts,
)
from landsraad_engine.dune.words import SPICE as PURSE
from landsraad_engine.testing.scenarios.scenario import Scenario

TOKENS: Final = 20


# ---------------------------------------------------------------------------------------------------------- positions


def setting_up(*factions: str, seed: str = "dune", orders: bool = True, **options: Any) -> Scenario:
    """Return a scenario at the first question of the set-up, with the factions as they will be drawn.

    Factions sit on dots 0, 1, … in the order given; with the storm at its start that is their dot order.
    """
    assert "factions" not in options, "the seats of a position have their factions already"
    scenario = Scenario(DUNE, seats=len(factions), seed=seed, orders=orders, **options)
    scenario.rolls("faction", *_draws(FACTIONS, factions))
    playing = [faction for faction in FACTIONS if faction in factions]
    scenario.rolls("position", *_draws(range(len(DOTS)), [factions.index(faction) for faction in playing]))
    return scenario.run(Setup())


def dune_at_setup(*factions: str, seed: str = "dune", orders: bool = True, **options: Any) -> Scenario:
    """Return the position that the set-up leaves if all seats pass or take the default; seated as in `setting_up`."""
    scenario = setting_up(*factions, seed=seed, orders=orders, **options).finish()
    scenario.events.clear()
    return scenario


def _draws(box: Iterable[Any], wanted: Iterable[Any]) -> list[int]:
    """Return the numbers by which these things are drawn one after the other."""
    left = list(box)
    numbers = []
    for each in wanted:
        numbers.append(left.index(each))
        left.remove(each)
    return numbers


def complete_position(
    *,
    factions: Sequence[str] = FACTIONS,
    turn: int = 2,
    storm: int = 18,
    troops: Mapping[str, Mapping[str, int | tuple[int, ...]]] | None = None,
    tanks: Mapping[str, int | tuple[int, ...]] | None = None,
    spice: Mapping[str, int] | None = None,
    blows: Mapping[str, int] | None = None,
    hands: Mapping[str, Sequence[str]] | None = None,
    discards: Sequence[str] = (),
    traitors: Mapping[str, Sequence[str]] | None = None,
    prediction: tuple[str, int] | None = None,
    dead: Sequence[str] = (),
    captured: Sequence[str] = (),
    alliances: Sequence[Sequence[str]] = (),
    seed: str = "dune",
    orders: bool = True,
    **options: Any,
) -> Scenario:
    """Return a scenario at a complete position of classic Dune; `position(DUNE, …)` calls this.

    Args:
        factions: the factions in play, round the board from dot 0 on and by seat.
        turn: the game turn under way. In turn 1 the first Storm Round is still to come; later the storm card of the
            next turn lies ready, and a Storm Round begins that turn.
        storm: the sector of the storm.
        troops: what stands in which cells (or territories of one cell): a number of tokens, or (tokens, elites,
            coexisting). If it is given, nothing else stands on the board, and the other tokens are in reserve.
        tanks: tokens in the Tanks: a number, or (tokens, elites).
        spice: spice behind screens; the bank has the rest.
        blows: spice on the board, by territory.
        hands: treachery cards. If it is given, factions without an entry hold none.
        discards: treachery cards on the discard pile.
        traitors: traitor cards. If it is given, factions without an entry hold none.
        prediction: the faction and turn that the Bene Gesserit have written down.
        dead: leaders in the Tanks since the turn before.
        captured: leaders that the Harkonnen hold.
        alliances: the members of each alliance.
        seed: where chance comes from that is not fixed.
        orders: whether seats that can only pass are passed over.
        options: options of the match.

    """
    scenario = dune_at_setup(*factions, seed=seed, orders=orders, **options)
    scenario.put("turn", turn).put("storm", storm)
    if turn > 1:
        deck = scenario.g.table["storm_deck"]
        scenario.lay("storm_deck", *deck[:-1]).lay("storm_next", deck[-1])
    _tokens(scenario, factions, troops, tanks or {})
    for faction, amount in (spice or {}).items():
        scenario.put(PURSE[faction], amount or None)
    for territory, amount in (blows or {}).items():
        scenario.put(f"blow/{SPICE[territory][0]}", amount)
    scenario.put(BANK, -sum(scenario.g.table.get(purse, 0) for purse in PURSES if purse != BANK) or None)
    if hands is not None:
        scenario.deal("treachery_deck", {HAND[faction]: hands.get(faction, ()) for faction in factions})
    scenario.deal("treachery_deck", {"treachery_discard": discards})
    if traitors is not None:
        scenario.deal("traitor_deck", {TRAITORS[faction]: traitors.get(faction, ()) for faction in factions})
    if prediction is not None:
        scenario.put("prediction", prediction)
    for leader in dead:
        scenario.deal(LEADERS_AT[LOYAL_TO[leader]], {LEADER_TANKS[LOYAL_TO[leader]]: _also(scenario, leader, dead)})
        scenario.put(DIED[leader], max(1, turn - 1))
        living = LEADERS_AT[LOYAL_TO[leader]]  # who died in the open leaves the others known
        strangers = scenario.g.setting.everybody & ~scenario.g.eyes[living]
        scenario.g.table["*" + living] = (strangers,) * len(scenario.g.table.get(living, ()))
    for leader in captured:
        scenario.deal(LEADERS_AT[LOYAL_TO[leader]], {CAPTURED[LOYAL_TO[leader]]: _also(scenario, leader, captured)})
    for members in alliances:
        ally(scenario, *members)
    bonuses.hand_out(scenario.g)
    scenario.g.events.clear()
    problems = scenario.problems()
    assert not problems, "; ".join(problems)
    scenario.checked = True
    return scenario


def _also(scenario: Scenario, leader: str, leaders: Sequence[str]) -> list[str]:
    """Return the leaders among these that are of the same faction as this one."""
    assert LOYAL_TO[leader] in scenario.g.factions(), f"the faction of {leader} is not in play"
    return [each for each in leaders if LOYAL_TO[each] == LOYAL_TO[leader]]


def _tokens(
    scenario: Scenario,
    factions: Sequence[str],
    troops: Mapping[str, Mapping[str, int | tuple[int, ...]]] | None,
    tanks: Mapping[str, int | tuple[int, ...]],
) -> None:
    """Put tokens on the board and into the Tanks, and all others into the reserves."""
    for given in (troops or {}, tanks):
        assert set(given) <= set(factions), f"not all of {', '.join(given)} are in play"
    for faction in factions:
        if troops is not None:
            for cell in AT[faction]:
                scenario.put(AT[faction][cell], None)
            for place, number in troops.get(faction, {}).items():
                scenario.put(AT[faction][_cell(place)], _counts(number))
        if faction in tanks:
            scenario.put(TANKS[faction], _counts(tanks[faction]))
        away = [counts for _, counts in scenario.g.on_board(faction)] + [scenario.g.tanks(faction)]
        elites = ELITES[faction] - sum(counts[1] for counts in away)
        tokens = TOKENS - ELITES[faction] - sum(counts[0] + counts[2] for counts in away)
        assert min(tokens, elites) >= 0, f"{faction} has only {TOKENS} tokens, {ELITES[faction]} of them elites: {away}"
        scenario.put(RESERVES[faction], (tokens, elites, 0) if tokens or elites else None)


def _cell(place: str) -> str:
    """Return the cell of this name, or the one that a territory of this name consists of."""
    if place not in cells_of:
        return place
    assert len(cells_of[place]) == 1, f"{place} has several cells: {', '.join(cells_of[place])}"
    return cells_of[place][0]


def _counts(number: int | tuple[int, ...]) -> Counts:
    tokens, elites, coexisting = (number, 0, 0) if isinstance(number, int) else (*number, 0, 0)[:3]
    return (tokens, elites, coexisting)


# -------------------------------------------------------------------------------------------------------- bare tables


def at_table(*factions: str, storm: int = 18, turn: int = 2, seed: str = "dune", **options: Any) -> Scenario:
    """Return a bare table: some factions on dots 0, 1, … round an empty board, and not one card, token or spice.

    For procedures of which a few pieces are enough; no invariant holds there. `position` has all pieces.
    """
    scenario = Scenario(DUNE, factions, seed=seed, **options)
    for dot, faction in enumerate(factions):
        scenario.put(f"dot/{faction}", dot)
    return scenario.put("storm", storm).put("turn", turn)


def stand(scenario: Scenario, faction: str, cell: str, tokens: int, elites: int = 0, coexisting: int = 0) -> Scenario:
    """Put tokens of a faction into a cell."""
    return scenario.put(AT[faction][cell], (tokens, elites, coexisting))


def ally(scenario: Scenario, *members: str) -> Scenario:
    """Make these factions allies."""
    for member in members:
        scenario.put(ALLY[member], tuple(sorted(set(members) - {member})))
    return scenario


def duel(aggressor: str, defender: str, *others: str, cell: str = "arrakeen:9", **options: Any) -> Scenario:
    """Return a bare table where five tokens a side face each other in Arrakeen, all leaders home and hands empty.

    Seats that can only pass are not asked. `clash` starts the battle.
    """
    scenario = at_table(aggressor, defender, *others, orders=True, **options)
    for faction in (aggressor, defender, *others):
        scenario.lay(LEADERS_AT[faction], *LEADERS[faction])
    for faction in (aggressor, defender):
        stand(scenario, faction, cell, 5)
    return scenario


# --------------------------------------------------------------------------------------------------------------- acts


def plan(
    dial: int = 0,
    leader: str | None = None,
    weapon: str | None = None,
    defense: str | None = None,
    *,
    hero: bool = False,
    kh: bool = False,
) -> BattlePlan:
    """Return a battle plan; `hero` brings a Cheap Hero, `kh` the Kwisatz Haderach."""
    return BattlePlan(dial, leader, weapon, defense, hero, kh)


def shipment(to: str, tokens: int = 0, *, elites: int = 0, karama: str | None = None) -> Ship:
    """Return a standard shipment; `karama` is the card that halves its fee."""
    return Ship(tokens, elites, to, karama)


def proposal(*partners: str, primary: str | None = None) -> ProposeAlliance:
    """Return a proposal of an alliance; `primary` is the ally that counts where allies meet."""
    return ProposeAlliance(tuple(sorted(partners)), primary)


def turn_from(round_: str) -> GameTurn:
    """Return the procedure that plays the turn under way from a round on: "bidding", "movement", …"""
    names = [name for name, _ in ROUNDS]
    assert round_ in names, f"there is no {round_} round; there are {', '.join(names)}"
    return GameTurn(begun=names.index(round_))


def clash(scenario: Scenario, *cells: str) -> Scenario:
    """Start the battle of the first two seats, in Arrakeen or in the given cells."""
    return scenario.run(Battle(cells or ("arrakeen:9",), scenario.g.side(0), scenario.g.side(1)))


def commit(scenario: Scenario, aggressor: BattlePlan, defender: BattlePlan) -> Scenario:
    """Commit the plans of the first two seats."""
    return scenario.answer(scenario.g.side(0), aggressor).answer(scenario.g.side(1), defender)


# -------------------------------------------------------------------------------------------------------------- looking


class Loss(NamedTuple):
    """Tokens of a faction that have died in a cell."""

    faction: str
    cell: str
    tokens: int
    elites: int


#: The rules by which tokens die in a storm, and under a worm.
STORM_RULES: Final = frozenset({"DUNE-1.2", "DUNE-FRE.2"})
WORM_RULES: Final = frozenset({"DUNE-2.9"})


def storm_losses(scenario: Scenario) -> list[Loss]:
    """Return what storms have killed so far, in the order in which it died."""
    return _losses(scenario, STORM_RULES)


def worm_losses(scenario: Scenario) -> list[Loss]:
    """Return what worms have devoured so far, in the order in which it died."""
    return _losses(scenario, WORM_RULES)


def _losses(scenario: Scenario, rules: frozenset[str]) -> list[Loss]:
    found = []
    for event in scenario.told("shift"):
        assert event.public is not None
        source, target, (tokens, elites, _) = event.public
        if event.rule in rules and source.startswith("at/") and target.startswith("tanks/"):
            _, faction, cell = source.split("/")
            found.append(Loss(faction, cell, tokens, elites))
    return found
