"""Moves and attacks: the splits of legions that are tried, and the best acts with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_engine.arrakis.acts import Attack, MoveLegion
from landsraad_engine.arrakis.movement import by_air, on_the_ground
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, ORNITHOPTER
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.kernel.grammar import Act, Choice

#: The worth of an ornithopter that is not used up.
ORNITHOPTER_WORTH: Final = 1.2
#: The least gain for which a move is made.
_LEAST: Final = 0.05


class March(NamedTuple):
    """A possible move and its gain."""

    gain: float
    source: str
    target: str
    going: Legion


def marches(outlook: Outlook) -> list[March]:
    """Return the moves with a gain, best first (cached)."""
    view = outlook.view
    found: list[March] | None = view.memo.get(marches)
    if found is None:
        free = ~outlook.survey.barred(outlook.side)
        found = []
        for source, legion in outlook.legions.items():
            reach = on_the_ground(view, outlook.side, outlook.survey, source)
            flies = _flies(view, outlook, source)
            if flies:
                reach |= by_air(view, source)
            for target in outlook.destinations(source, reach & free & ~outlook.board.bit[source]):
                for going in outlook.parts(legion):
                    gain = outlook.move_gain(source, target, going)
                    if flies and target not in outlook.board.neighbours(source):
                        gain -= ORNITHOPTER_WORTH
                    if gain > _LEAST:
                        found.append(March(gain, source, target, going))
        found.sort(key=lambda march: -march.gain)
        view.memo[marches] = found
    return found


def _flies(view: ArrakisSeatView, outlook: Outlook, source: str) -> bool:
    if outlook.side != HARKONNEN or source in view.table.get("flown", ()):
        return False
    return any(view.vehicle(zone)[ORNITHOPTER] for zone in outlook.board.zones_of[source])


def best_moves(outlook: Outlook, count: int = 2, *, led: bool = False, holding: str = "", unit: int = -1) -> float:
    """Return the total gain of the best ``count`` moves.

    They may be limited to legions with a leader (``led``), with a named leader (``holding``) or with a kind of unit.
    """
    total = 0.0
    moved: set[str] = set()
    for march in marches(outlook):
        if count == len(moved):
            break
        going = march.going
        if march.source in moved or (led and not going.leaders) or (holding and holding not in going.named):
            continue
        if unit >= 0 and not going.units[unit]:
            continue
        moved.add(march.source)
        total += march.gain
    return total


def best_attack(outlook: Outlook, *, surprise: bool = False, led: bool = False, holding: str = "") -> float:
    """Return the gain of the best attack, with the limits of ``best_moves`` (cached)."""
    view = outlook.view
    key = (best_attack, surprise, led, holding)
    found: float | None = view.memo.get(key)
    if found is None:
        found = 0.0
        open_areas = outlook.survey.legions(outlook.enemy) | outlook.survey.settlements(outlook.enemy)
        open_areas &= ~outlook.survey.worms
        for source, legion in outlook.legions.items():
            if (led and not legion.leaders) or (holding and holding not in legion.named):
                continue
            reach = on_the_ground(view, outlook.side, outlook.survey, source)
            if _flies(view, outlook, source):
                reach |= by_air(view, source)
            for target in outlook.board.names(reach & open_areas):
                found = max(found, outlook.attack(source, target, surprise=surprise)[0])
        view.memo[key] = found
    return found


# --- acts


def propose_moves(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Propose moves of the tried splits of a legion."""
    outlook = Outlook.of(view)
    (source,) = choice.domain("source").values()
    zones = tuple(choice.domain("ornithopter").values())
    for target in choice.domain("target").values():
        for going in outlook.parts(outlook.legions.get(source, Legion())):
            act = move_act(outlook, March(0.0, source, target, going), zones)
            if choice.fault(act) is None:
                yield act


def move_act(outlook: Outlook, march: March, zones: tuple[str, ...]) -> MoveLegion:
    """Return the act of a move; it flies from the first of the air zones if it cannot walk."""
    _, source, target, going = march
    walks = outlook.side == ATREIDES or target in outlook.board.neighbours(source) or len(zones) == 1
    named, tokens = tuple(sorted(going.named)), tuple(sorted(going.tokens))
    return MoveLegion(source, target, going.units, named, tokens, "" if walks else zones[1])


def move(view: ArrakisSeatView, act: MoveLegion, choice: Choice, why: str) -> float:
    """Score a move by the gain of the areas that it touches."""
    going = Legion(act.units, act.leaders, act.tokens)
    fare = ORNITHOPTER_WORTH if act.ornithopter else 0.0
    return Outlook.of(view).move_gain(act.source, act.target, going) - fare - _LEAST


def attack(view: ArrakisSeatView, act: Attack, choice: Choice, why: str) -> float:
    surprise = any(frame.get("surprise") for frame in view.frames[-1:])
    fare = ORNITHOPTER_WORTH if act.ornithopter else 0.0
    return Outlook.of(view).attack(act.source, act.target, surprise=surprise)[0] - fare


def propose_attacks(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Propose attacks with the whole legion, which are never worse than those with a part."""
    (source,) = choice.domain("source").values()
    whole = Outlook.of(view).legions[source]
    zones = tuple(choice.domain("ornithopter").values())
    for target in choice.domain("target").values():
        for zone in zones[:2]:
            act = Attack(source, target, whole.units, tuple(sorted(whole.named)), tuple(sorted(whole.tokens)), zone)
            if choice.fault(act) is None:
                yield act
                break
