"""Moves and attacks: the few ways to split a legion that are looked at, and the best that can be done with them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_engine.arrakis.acts import Attack, MoveLegion
from landsraad_engine.arrakis.movement import by_air, on_the_ground
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, ORNITHOPTER
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.kernel.grammar import Act, Choice

#: Units that may stay behind when a legion is split.
_STAY: Final = (0, 1, 2, 3)
#: What an ornithopter is worth that one keeps.
ORNITHOPTER_WORTH: Final = 1.2
#: A move that brings less is not worth the ride.
_LEAST: Final = 0.05


class March(NamedTuple):
    """A move that one side could make."""

    gain: float
    source: str
    target: str
    going: Legion


@lru_cache(maxsize=4096)
def splits(legion: Legion) -> tuple[Legion, ...]:
    """What of a legion may go: all of it, all but a few of the weakest, a single unit."""
    found = [going for stay in _STAY if (going := _without(legion, stay)) is not None]
    if legion.size > 1:
        regular, elite, special, _ = legion.units
        if legion.tokens and not legion.strength:
            found.append(Legion(tokens=legion.tokens[:1]))
        elif regular:
            found.append(Legion((1, 0, 0, 0)))
        elif elite:
            found.append(Legion((0, 1, 0, 0)))
        elif special:
            found.append(Legion((0, 0, 1, 0)))
    return tuple(dict.fromkeys(found))


def _without(legion: Legion, stay: int) -> Legion | None:
    """The legion without so many of its units, the weakest first, and with its leaders."""
    left = stay
    tokens = legion.tokens[min(left, len(legion.tokens)) :]
    left -= len(legion.tokens) - len(tokens)
    units = []
    for number in legion.units[:3]:
        gone = min(left, number)
        left -= gone
        units.append(number - gone)
    if left or not (sum(units) + len(tokens)):
        return None
    return Legion((units[0], units[1], units[2], legion.units[3]), legion.named, tokens)


def marches(outlook: Outlook) -> list[March]:
    """The moves that are worth something, best first."""
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
            for target in outlook.board.names(reach & free & ~outlook.board.bit[source]):
                for going in splits(legion):
                    gain = outlook.gain(source, target, going)
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
    """What the best moves of one action bring together."""
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
    """What the best attack brings."""
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
    """The moves of one legion that are looked at."""
    outlook = Outlook.of(view)
    (source,) = choice.domain("source").values()
    zones = tuple(choice.domain("ornithopter").values())
    near = outlook.board.neighbours(source)
    for target in choice.domain("target").values():
        walks = outlook.side == ATREIDES or target in near or len(zones) == 1
        for going in splits(outlook.legions.get(source, Legion())):
            act = MoveLegion(
                source, target, going.units, tuple(sorted(going.named)), tuple(sorted(going.tokens)),
                "" if walks else zones[1],
            )  # fmt: skip
            if choice.fault(act) is None:
                yield act


def move(view: ArrakisSeatView, act: MoveLegion, choice: Choice, why: str) -> float:
    """What the areas are worth after it."""
    going = Legion(act.units, act.leaders, act.tokens)
    fare = ORNITHOPTER_WORTH if act.ornithopter else 0.0
    return Outlook.of(view).gain(act.source, act.target, going) - fare - _LEAST


def attack(view: ArrakisSeatView, act: Attack, choice: Choice, why: str) -> float:
    surprise = any(frame.get("surprise") for frame in view.frames[-1:])
    fare = ORNITHOPTER_WORTH if act.ornithopter else 0.0
    return Outlook.of(view).attack(act.source, act.target, surprise=surprise)[0] - fare


def propose_attacks(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Attacks with a whole legion: where a part may attack, it is never better."""
    (source,) = choice.domain("source").values()
    whole = Outlook.of(view).legions[source]
    zones = tuple(choice.domain("ornithopter").values())
    for target in choice.domain("target").values():
        for zone in zones[:2]:
            act = Attack(source, target, whole.units, tuple(sorted(whole.named)), tuple(sorted(whole.tokens)), zone)
            if choice.fault(act) is None:
                yield act
                break
