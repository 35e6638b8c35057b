"""Prescience and See Future: what a player asks of the opponent's plan, and the answers.

The answers are given just before the plans are committed, and given again after every Karama that somebody else has
played since (DUNE-6.45). They bind the plan and are known to who asked and who answered.
"""

from msgspec.structs import astuple

from landsraad_engine.dune.acts import PASSING, AnswerPrescience, AskPrescience, BattlePlan, Pass
from landsraad_engine.dune.battle.fight import (
    ANSWERED,
    KARAMAS,
    QUESTION,
    SEEN,
    WHOLE_PLAN,
    InBattle,
    foreseen_key,
    planning,
)
from landsraad_engine.dune.battle.plan import PARTS, answers, keeps_word, open_plans, part_of
from landsraad_engine.dune.karama import Ability, Cancellable
from landsraad_engine.dune.words import LEADER_TANKS, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, goto, rule, step
from landsraad_engine.kernel.grammar import Act, Choice, OneOf


class PrescienceQuestion(Cancellable):
    """The owner may choose a part of the target's plan to be answered for; a Karama may cancel the question."""

    owner: str
    target: str

    ability = Ability.PRESCIENCE

    @step("DUNE-ATR.4", "DUNE-ATR.5", "DUNE-R.96")
    def question(f, g: DuneState) -> Flow:
        parts = Choice(AskPrescience, part=OneOf(PARTS, why="DUNE-ATR.4"))
        return Ask.one(g.seat_of(f.owner), PASSING, parts, why="DUNE-ATR.4", default=Pass())

    @question.answer
    def asked(f, g: DuneState, seat: int, act: Act) -> Flow:
        if not isinstance(act, AskPrescience):
            return END
        g.set_mark(QUESTION, (f.owner, f.target, act.part))
        return None

    @rule("DUNE-K.24")
    def cancelled(f, g: DuneState) -> Flow:
        g.set_mark(QUESTION, None)
        return None


class Answers(InBattle):
    """Everybody who is foreseen and has to answer does so: ``pending``, one by one."""

    pending: tuple[str, ...] = ()

    @step("DUNE-6.45", "DUNE-T.23")
    def who(f, g: DuneState) -> Flow:
        f.pending = tuple(side for side in f.fight.sides if owes_answer(g, side))
        return None

    @step("DUNE-ATR.6", "DUNE-ATR.7", "DUNE-ATR.8", "DUNE-ATR.9", "DUNE-K.5", "DUNE-6.46", "DUNE-6.48")
    def answer(f, g: DuneState) -> Flow:
        if not f.pending:
            return END
        side = f.pending[0]
        choice = open_plans(g, f.fight, side)
        if _viewer(g, side) is None:
            part = g.table[QUESTION][2]
            choice = Choice(AnswerPrescience, value=OneOf(answers(choice, part), why="DUNE-6.47"))
            return Ask.one(g.seat_of(side), choice, why="DUNE-ATR.4")
        return Ask.one(g.seat_of(side), choice, why="DUNE-K.5")

    @answer.answer
    def given(f, g: DuneState, seat: int, act: AnswerPrescience | BattlePlan) -> Flow:
        side = f.pending[0]
        f.pending = f.pending[1:]
        if isinstance(act, BattlePlan):
            _show_plan(g, side, act)
        else:
            asker, _, part = g.table[QUESTION]
            g.set_mark(foreseen_key(asker, side), (part, act.value))
        answered = dict(g.table.get(ANSWERED, ())) | {side: len(g.table.get(KARAMAS, ()))}
        g.set_mark(ANSWERED, tuple(sorted(answered.items())))
        return goto("answer")


def _viewer(g: DuneState, side: str) -> str | None:
    """The player that sees the whole plan of a side, if there is one."""
    return next((viewer for viewer, target in g.table.get(SEEN, ()) if target == side), None)


@rule("DUNE-K.5", "DUNE-K.7")
def _show_plan(g: DuneState, side: str, plan: BattlePlan) -> None:
    """The plan goes to its viewer and nobody else; who asked about one part of it learns that part."""
    viewer = _viewer(g, side)
    assert viewer is not None
    g.set_mark(foreseen_key(viewer, side), (WHOLE_PLAN, astuple(plan)))
    question = g.table.get(QUESTION)
    if question is not None and question[1] == side and question[0] != viewer:
        g.set_mark(foreseen_key(question[0], side), (question[2], part_of(plan, question[2])))


@rule("DUNE-6.45", "DUNE-6.48", "DUNE-ATR.8", "DUNE-K.8", "DUNE-T.23", "DUNE-K.22")
def owes_answer(g: DuneState, side: str) -> bool:
    """Return whether a side has to answer: for the first time, or anew after a Karama that was not its own."""
    question = g.table.get(QUESTION)
    if _viewer(g, side) is None and (question is None or question[1] != side):
        return False
    before = dict(g.table.get(ANSWERED, ())).get(side)
    return before is None or any(player != side for player in g.table.get(KARAMAS, ())[before:])


@rule("DUNE-T.23", "DUNE-R.126")
def word_breakers(g: DuneState, side: str) -> tuple[str, ...]:
    """The dead leaders whose return would undo what a side has answered about the plan that it is making."""
    fight = planning(g, side)
    if fight is None or owes_answer(g, side):
        return ()
    dead = g.table.get(LEADER_TANKS[side], ())
    return tuple(leader for leader in dead if not keeps_word(g, fight, side, leader))


def forget(g: DuneState) -> None:
    """The battle is over, and with it what was asked and answered."""
    question = g.table.get(QUESTION)
    pairs = set(g.table.get(SEEN, ()))
    if question is not None:
        pairs.add((question[0], question[1]))
    for viewer, target in sorted(pairs):
        g.set_mark(foreseen_key(viewer, target), None)


FRAMES = (PrescienceQuestion, Answers)
