"""Sharper reasons for refusals than "not among the answers", from what the seat knows."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from landsraad_engine.arrakis.acts import Attack, MoveLegion, RetreatTo
from landsraad_engine.arrakis.battle.retreat import RetreatFrom
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.movement import by_air, on_the_ground, ornithopters
from landsraad_engine.arrakis.sides import HARKONNEN, OPPONENT
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.kernel.game import Explanation
from landsraad_engine.kernel.grammar import Act

#: The rule that an act breaks, and how.
Reason: TypeAlias = tuple[str, str] | None


def explain_march(g: ArrakisState, seat: int, act: MoveLegion | Attack) -> Reason:
    """Return the reason that a legion may not move or attack like this."""
    board, side = g.board, g.side(seat)
    if act.source not in board.bit or act.target not in board.bit:
        return None
    if not g.size(side, act.source):
        return ("WFA-S.16", f"you have no legion in {act.source}")
    survey, target = g.survey(), board.bit[act.target]
    enemy = survey.legions(OPPONENT[side]) | survey.settlements(OPPONENT[side])
    if target & survey.worms:
        return ("WFA-M.47", f"there is a sandworm in {act.target}")
    if isinstance(act, MoveLegion) and target & enemy:
        return ("WFA-S.9", f"{act.target} is not free")
    if isinstance(act, Attack) and not target & enemy:
        return ("WFA-B.1", f"there is nothing to attack in {act.target}")
    if not act.ornithopter and not target & on_the_ground(g, side, survey, act.source):
        if ornithopters(g, side, act.source) and target & by_air(g, act.source):
            return ("WFA-M.20", f"only an ornithopter takes a legion from {act.source} to {act.target}")
        return _too_far(g, act.source, target)
    return _figures(g.legion(side, act.source), act)


def _too_far(g: ArrakisState, source: AreaId, target: AreaSet) -> Reason:
    (area,) = g.board.names(target)
    if target & g.board.adjacent_by_air[source] & ~g.board.adjacent[source]:
        return ("WFA-S.8", f"there is an impassable border between {source} and {area}")
    return ("WFA-M.1", f"{area} is not next to {source}")


def _figures(legion: Legion, act: MoveLegion | Attack) -> Reason:
    there = all(out <= units for out, units in zip(act.units, legion.units, strict=False))
    if not there or not set(act.leaders) <= set(legion.named) or not set(act.tokens) <= set(legion.tokens):
        return ("WFA-S.16", f"the legion in {act.source} does not have these figures")
    if not sum(act.units[:3]) + len(act.tokens):
        return ("WFA-M.2", "leaders move only along with a unit")
    return None


def explain_retreat(g: ArrakisState, seat: int, act: RetreatTo) -> Reason:
    """Return the reason that a legion may not be made to retreat there."""
    frame = g.stack[-1]
    if not isinstance(frame, RetreatFrom) or act.area not in g.board.bit:
        return None
    target, survey = g.board.bit[act.area], g.survey()
    if target & survey.barred(frame.side):
        return ("WFA-B.35", f"{act.area} is not free for the legion")
    if frame.side == HARKONNEN and target & survey.wormsigns & g.board.adjacent[frame.area]:
        return ("WFA-B.36", f"there is a wormsign in {act.area}")
    return None if target & g.board.adjacent[frame.area] else _too_far(g, frame.area, target)


EXPLANATIONS: Final[Mapping[type[Act], Explanation]] = {
    MoveLegion: explain_march,
    Attack: explain_march,
    RetreatTo: explain_retreat,
}
