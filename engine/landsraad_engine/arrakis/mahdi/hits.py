"""Hits on the automaton's legions, units beyond the stacking limit, and deployment tokens that blows turn up."""

from collections.abc import Iterator
from itertools import product

from landsraad_engine.arrakis.acts import RemoveExcess, TakeCasualties
from landsraad_engine.arrakis.battle.casualties import Casualties, exposed, suffer
from landsraad_engine.arrakis.cards.strikes import SpecialAttack
from landsraad_engine.arrakis.desert_hazards import CoriolisStorms
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.mahdi.garrisons import TurnUpGarrisons
from landsraad_engine.arrakis.sides import ELITE, FIGURES, LEADER, REGULAR, SPECIAL, one
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.arrakis.worms import WormAttack
from landsraad_engine.kernel.frames import Call, Flow, rule, step

# ---- Hits ----


@rule("WFA-Y.138", "WFA-Y.139")
def next_hit(legion: Legion, hits: int) -> list[TakeCasualties]:
    """Return the ways to take the next hit: several if it falls on one of several named leaders."""
    regular, elite, special, generic = legion.units
    leader = [TakeCasualties(one(FIGURES, LEADER), ())] if generic else []  # type: ignore[arg-type]
    leaders = leader or [TakeCasualties((0, 0, 0, 0), (each,)) for each in legion.named]
    if legion.leaders > 1:
        return leaders
    for kind, number in ((ELITE, elite), (SPECIAL, special)):
        if number:
            return [TakeCasualties(one(FIGURES, kind), ())]  # type: ignore[arg-type]
    if leaders and hits >= regular:
        return leaders
    return [TakeCasualties(one(FIGURES, REGULAR), ())]  # type: ignore[arg-type]


@step("WFA-Y.138", "WFA-Y.139", "WFA-Y.146", "WFA-Y.175")
def choose(f: Casualties, g: ArrakisState) -> Flow:
    """Take one hit after the other."""
    return decide(f, g, next_hit(exposed(g, g.legion(f.side, f.area)), f.hits), suffer, "WFA-Y.139")


choose.answer(suffer)


# ---- Tokens that are struck ----


@step("WFA-Y.160")
def all_of_it(f: Casualties, g: ArrakisState) -> Flow:
    """Turn the tokens up before hits are taken."""
    return Call(TurnUpGarrisons(area=f.area), "all_of_it")


@step("WFA-Y.160")
def strike(f: CoriolisStorms | WormAttack | SpecialAttack, g: ArrakisState) -> Flow:
    """Turn the tokens up before dice are rolled."""
    return Call(TurnUpGarrisons(area=struck(f)), "strike")


def struck(f: CoriolisStorms | WormAttack | SpecialAttack) -> str:
    """Return the area that is struck next, or ""."""
    match f:
        case CoriolisStorms():
            return f.areas[0] if f.areas else ""
        case WormAttack():
            return f.target
        case _:
            return f.area


def tokens_struck(f: CoriolisStorms | WormAttack | SpecialAttack, g: ArrakisState) -> bool:
    """Return whether tokens lie where the next blow falls."""
    area = struck(f)
    return bool(area and g.garrison(area))


# ---- The stacking limit ----


@rule("WFA-Y.144", "WFA-Y.161")
def excess_ways(legion: Legion, excess: int) -> Iterator[RemoveExcess]:
    """Yield the ways to remove so many units, those that count least first; Regulars and tokens count alike."""
    regular, elite, special, _ = legion.units
    colours = tuple(dict.fromkeys(legion.tokens))
    least = min(excess, regular + len(legion.tokens))
    elites = min(elite, excess - least)
    rest = excess - least - elites
    for counts in product(*(range(legion.tokens.count(colour) + 1) for colour in colours)):
        if 0 <= least - sum(counts) <= regular:
            tokens = tuple(colour for colour, number in zip(colours, counts, strict=True) for _ in range(number))
            yield RemoveExcess((least - sum(counts), elites, min(special, rest)), tokens)


def removed(f: Settle, g: ArrakisState, seat: int, act: RemoveExcess) -> Flow:
    """Take off what exceeds the limit."""
    handler = Settle.STEPS["stacking"].handler
    assert handler
    return handler(f, g, seat, act)


@step("WFA-Y.144", "WFA-Y.161")
def stacking(f: Settle, g: ArrakisState) -> Flow:
    """Remove the units that count least."""
    excess = g.size(f.side, f.area) - g.stacking(f.side)
    if excess <= 0:
        return None
    return decide(f, g, list(excess_ways(g.legion(f.side, f.area), excess)), removed, "WFA-Y.144")


stacking.answer(removed)
