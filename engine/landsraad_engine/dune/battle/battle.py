"""One battle, in the order of the book's list on timing: Voice, Prescience, Karamas, answers, plans, resolution."""

from typing import Any

from msgspec.structs import astuple

from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.announcements import NoLeaderSent
from landsraad_engine.dune.battle.battle_karamas import FOR_THIS_BATTLE, BattleKaramas
from landsraad_engine.dune.battle.fight import (
    PLAN,
    QUESTION,
    SETTLED,
    VOICE,
    InBattle,
    cards_in,
    revealed,
    whereabouts,
)
from landsraad_engine.dune.battle.plan import final_plans, fit_to_fight, obeys, verdicts
from landsraad_engine.dune.battle.prescience import Answers, forget, owes_answer
from landsraad_engine.dune.battle.resolution import Resolution
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.karama import restore
from landsraad_engine.dune.pieces import LOYAL_TO
from landsraad_engine.dune.promises import enter_battle, judge, leave_battle
from landsraad_engine.dune.words import BATTLE_OF, FOUGHT, HAND, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, goto, rule, step


class Battle(InBattle):
    """Two sides fight in one territory, or in a part of one."""

    @property
    def resolved(self) -> bool:
        return self.pc == "over"

    @step("DUNE-6.1")
    def begin(f, g: DuneState) -> Flow:
        enter_battle(g, f.aggressor, f.defender, f.fight.territory)
        return None

    # --- before plans are committed

    @step("DUNE-6.44", "DUNE-R.96")
    def voice(f, g: DuneState) -> Flow:
        return g.at(Timing.THE_VOICE, *f.fight)

    @step("DUNE-6.44", "DUNE-ATR.5", "DUNE-R.96")
    def prescience(f, g: DuneState) -> Flow:
        return g.at(Timing.PRESCIENCE, *f.fight)

    @step("DUNE-6.49")
    def early_karamas(f, g: DuneState) -> Flow:
        return BattleKaramas(*f.fight) if QUESTION in g.table else None

    @step("DUNE-6.44", "DUNE-6.45", "DUNE-6.48")
    def answers(f, g: DuneState) -> Flow:
        return Answers(*f.fight)

    @step("DUNE-6.44")
    def karamas(f, g: DuneState) -> Flow:
        return BattleKaramas(*f.fight)

    @step("DUNE-6.45", "DUNE-K.8")
    def answered(f, g: DuneState) -> Flow:
        """After a Karama answers are given again, and then there may be other Karamas."""
        return goto("answers") if any(owes_answer(g, side) for side in f.fight.sides) else None

    @step("DUNE-T.22", "DUNE-T.21", "DUNE-6.47")
    def truths(f, g: DuneState) -> Flow:
        for side in f.fight.sides:
            for term, can in verdicts(g, f.fight, side):
                judge(g, term.promise, can)
        return None

    @step("DUNE-6.19", "DUNE-6.44", "DUNE-R.42")
    def commit(f, g: DuneState) -> Flow:
        # A play out of turn may have changed what was settled above; then whoever has committed does so anew.
        if any(owes_answer(g, side) for side in f.fight.sides):
            return goto("answers")
        for side in f.fight.sides:
            if any(term.promise.valid is not can for term, can in verdicts(g, f.fight, side)):
                return goto("truths")
        options = {g.seat_of(side): [final_plans(g, f.fight, side)] for side in f.fight.sides}
        return Ask.sealed(options, why="DUNE-6.9")

    @commit.answer
    def committed(f, g: DuneState, plans: dict[int, Any]) -> Flow:
        for side in f.fight.sides:
            f.reveal(g, side, plans[g.seat_of(side)])
        return None

    # --- afterwards

    @step("DUNE-6.19")
    def plans_open(f, g: DuneState) -> Flow:
        return g.at(Timing.PLANS_OPEN, *f.fight)

    @step("DUNE-BG.27")
    def disobedience(f, g: DuneState) -> Flow:
        """A player that could not obey the Voice says so now."""
        voice = g.table.get(VOICE)
        if voice is not None:
            _, target, must, kind = voice
            if not obeys(revealed(g, target), kind, must):
                g.declare("DUNE-BG.27", g.seat_of(target), "could not obey", kind)
        return None

    @step("DUNE-6.44")
    def resolution(f, g: DuneState) -> Flow:
        return Resolution(*f.fight)

    @step("DUNE-R.5")
    def over(f, g: DuneState) -> Flow:
        forget(g)
        for mark in (*SETTLED, *(PLAN[side] for side in f.fight.sides)):
            g.set_mark(mark, None)
        restore(g, *FOR_THIS_BATTLE)
        leave_battle(g)
        return None

    @rule("DUNE-6.15", "DUNE-6.19", "DUNE-6.20", "DUNE-6.29", "DUNE-6.33", "DUNE-R.89", "DUNE-T.33")
    def reveal(f, g: DuneState, side: str, plan: BattlePlan) -> None:
        """Lay a plan open: its cards are known from now on, its leader steps into the territory.

        There the leader stays, whoever wins and however, unless killed.
        """
        g.set_mark(PLAN[side], astuple(plan))
        for card in cards_in(plan):
            g.reveal(HAND[side], card)
        if plan.leader is not None:
            place = whereabouts(g, side, plan.leader)
            if plan.cheap_hero:
                g.reveal(place, plan.leader)  # and goes home at once
            elif place != FOUGHT[LOYAL_TO[plan.leader]]:
                g.move(place, FOUGHT[LOYAL_TO[plan.leader]], plan.leader)
                g.set_mark(BATTLE_OF[plan.leader], f.fight.place)
        elif not plan.cheap_hero:
            g.announce(NoLeaderSent(side))


def explain_plan(g: DuneState, seat: int, act: BattlePlan) -> tuple[str, str] | None:
    """Return the reason that a living leader of one's own cannot be in a plan."""
    battle = g.stack[-1]
    if not isinstance(battle, InBattle):
        return None
    side = g.side(seat)
    if act.leader is None or act.leader not in (*g.leaders(side), *g.table.get(FOUGHT[side], ())):
        return None
    if not g.may_fight(act.leader):
        return "DUNE-T.28", f"{act.leader} was killed this turn and cannot fight in it"
    if not fit_to_fight(g, act.leader, battle.fight.place):
        return "DUNE-6.13", f"{act.leader} has fought in another territory this turn"
    return None


EXPLANATIONS = {BattlePlan: explain_plan}
FRAMES = (Battle,)
