"""Alliances, traitors and the prediction."""

from __future__ import annotations

from typing import Final

from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.dune import contest
from landsraad_bots.rules_of_thumb.priorities import Urgency
from landsraad_engine.dune import acts
from landsraad_engine.dune.pieces import ATREIDES, EMPEROR, FREMEN, GUILD, HARKONNEN, LOYAL_TO, STRENGTH
from landsraad_engine.dune.words import DuneSeatView

#: Factions in the order in which they win most among equal players.
_STRONG: Final = (EMPEROR, HARKONNEN, GUILD, ATREIDES, FREMEN)
#: The turn in which most matches end.
_TURN: Final = 4


def predict(view: DuneSeatView, act: acts.Predict) -> Urgency:
    """Predict a strong faction, in the turn in which most matches end."""
    strong = -_STRONG.index(act.faction) if act.faction in _STRONG else -len(_STRONG)
    return (float(act.faction != view.side), -float(abs(act.turn - _TURN)), float(strong))


def keep_traitor(view: DuneSeatView, act: acts.KeepTraitor) -> Urgency:
    """Keep the strongest leader of another faction: it fights most."""
    return (float(LOYAL_TO[act.leader] != view.side), float(STRENGTH[act.leader]))


def _wanted(view: DuneSeatView, partners: tuple[str, ...]) -> bool:
    """Ally with those who hold strongholds, unless the own faction is about to win alone."""
    me = side_of(view)
    alone = contest.needed(view, (me,)) - contest.held(view, (me,))
    side = (me, *(partner for partner in partners if partner != me))
    together = contest.needed(view, side) - contest.held(view, side)
    return together < alone or (together == alone and alone >= 3)


def propose(view: DuneSeatView, act: acts.ProposeAlliance) -> Urgency:
    me = side_of(view)
    if not _wanted(view, act.partners):
        return None
    return (1.0, float(contest.held(view, act.partners)), float(act.primary == me))


def consent(view: DuneSeatView, act: acts.Consent) -> Urgency:
    """Join alliances that bring victory nearer; let an ally in; decline all else."""
    frame = view.frames[-1] if view.frames else {}
    wish = False
    if frame.get("frame") == "AllianceOffer":
        wish = _wanted(view, (frame["proposer"], *frame["partners"]))
    elif frame.get("frame") == "AllyEnters":
        wish = True
    return (float(act.yes is wish),)


def leave(view: DuneSeatView, act: acts.BreakAlliance) -> Urgency:
    """Leave allies when the own faction alone lacks fewer strongholds than the alliance."""
    me = side_of(view)
    alone = contest.needed(view, (me,)) - contest.held(view, (me,))
    side = contest.own_side(view)
    together = contest.needed(view, side) - contest.held(view, side)
    return (1.0,) if alone < together else None
