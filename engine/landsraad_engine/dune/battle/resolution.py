"""Battle resolution: traitors, leaders, strengths, and what winner and loser lose and keep."""

from typing import Any, Final

from landsraad_engine.dune.acts import PASS_ONLY, CallTraitor, KeepCards, LoseTokens, Pass, or_pass
from landsraad_engine.dune.announcements import BattleWon, StrengthsCompared, TraitorCalled
from landsraad_engine.dune.battle.fight import InBattle, leader_in_battle, revealed
from landsraad_engine.dune.battle.losses import (
    Fallen,
    cards_played,
    casualties,
    discard_played,
    lose_everything,
    pay_casualties,
)
from landsraad_engine.dune.battle.traitors import accused, callers, in_pay
from landsraad_engine.dune.hooks import Instead, Query, Timing
from landsraad_engine.dune.pieces import CATEGORY, LOYAL_TO, STRENGTH
from landsraad_engine.dune.promises import TRAITOR_CALL, give_up, kept, said
from landsraad_engine.dune.words import FOUGHT, TRAITORS, DuneState
from landsraad_engine.kernel.asks import Answers, Ask
from landsraad_engine.kernel.frames import Call, Flow, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Options, Subset

#: The kind of reaction window in which traitors are called.
WINDOW: Final = "traitor"


class Resolution(InBattle):
    """Two open plans are compared. Without a ``winner`` both sides have lost."""

    betrayed: tuple[str, ...] = ()  # sides whose leader has been called a traitor
    unled: tuple[str, ...] = ()  # sides whose leader or Cheap Hero was killed by a weapon
    slain: tuple[str, ...] = ()  # leaders killed
    winner: str = ""
    fallen: tuple[Fallen, ...] = ()

    # --- traitors

    @step("DUNE-6.38", "DUNE-A.7", "DUNE-HAR.11")
    def traitors(f, g: DuneState) -> Flow:
        options: dict[int, Answers] = {}
        for side in f.fight.sides:
            for caller in callers(g, f.fight, side):
                leader = accused(g, f.fight.opponent(side))
                call = [Choice(CallTraitor, leader=OneOf((leader,)))] if in_pay(g, caller, str(leader)) else []
                options[g.seat_of(caller)] = _as_answered(call, said(g, caller, TRAITOR_CALL))
        if not options:
            give_up(g, TRAITOR_CALL)
            return goto("instead")
        return Ask.quiet(options, why="DUNE-6.38", window=WINDOW, default=Pass())

    @traitors.answer
    def called(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        for side in f.fight.sides:
            for caller in callers(g, f.fight, side):
                act = answers[g.seat_of(caller)]
                if isinstance(act, CallTraitor):
                    g.announce(TraitorCalled(caller, act.leader))
                    if LOYAL_TO[act.leader] != caller:  # who calls a captive home shows no card, held or not
                        g.reveal(TRAITORS[caller], act.leader)
                    f.betrayed = (*f.betrayed, f.fight.opponent(side))
                    kept(g, caller, TRAITOR_CALL, None)
                    break
        give_up(g, TRAITOR_CALL)
        return None if f.betrayed else goto("instead")

    @step("DUNE-6.39", "DUNE-6.40", "DUNE-6.41", "DUNE-6.43", "DUNE-A.8", "DUNE-T.12")
    def betrayal(f, g: DuneState) -> Flow:
        for side in f.betrayed:
            f.kill_leader_of(g, side)
        if len(f.betrayed) == 1:
            f.winner = f.fight.opponent(f.betrayed[0])
        return goto("leaders_died")

    # --- weapons and strengths

    @step("DUNE-T.10")
    def instead(f, g: DuneState) -> Flow:
        catastrophe = g.instead(Instead.RESOLUTION, *f.fight)
        return None if catastrophe is None else Call(catastrophe, "leaders_died")

    @step("DUNE-6.21", "DUNE-6.22")
    def leaders(f, g: DuneState) -> Flow:
        f.unled = tuple(
            side
            for side in f.fight.sides
            if kills(revealed(g, f.fight.opponent(side)).weapon, revealed(g, side).defense)
        )
        for side in f.unled:
            if leader_in_battle(revealed(g, side)) is not None:
                f.kill_leader_of(g, side)
        return None

    @step("DUNE-6.23", "DUNE-6.24", "DUNE-6.25", "DUNE-6.30")
    def strengths(f, g: DuneState) -> Flow:
        aggressor = f.strength(g, f.aggressor)
        defender = f.strength(g, f.defender)
        f.winner = f.aggressor if aggressor >= defender else f.defender
        g.announce(StrengthsCompared(f.aggressor, aggressor, f.defender, defender))
        return None

    # --- what follows from dead leaders: before anybody is asked for anything, or a Ghola could come first

    @step("DUNE-HAR.9")
    def leaders_died(f, g: DuneState) -> Flow:
        return g.at(Timing.LEADERS_DIED)

    # --- the winner

    @step("DUNE-6.27", "DUNE-6.40", "DUNE-6.43")
    def spice(f, g: DuneState) -> Flow:
        if not f.winner:
            return goto("loss")
        g.announce(BattleWon(f.winner, f.fight.opponent(f.winner), f.fight.place))
        g.gain(f.winner, sum(STRENGTH[leader] for leader in f.slain))
        return goto("cards") if f.betrayed else None

    @step("DUNE-6.26", "DUNE-R.34")
    def payment(f, g: DuneState) -> Flow:
        choice, sparing = casualties(g, f.fight, f.winner, revealed(g, f.winner).dial)
        if Options((choice,)).only() is None:
            return Ask.one(g.seat_of(f.winner), choice, why="DUNE-6.26", default=sparing)
        return f.paid(g, sparing)

    @payment.answer
    def chosen(f, g: DuneState, seat: int, act: LoseTokens) -> Flow:
        return f.paid(g, act)

    @step("DUNE-6.28", "DUNE-R.91", "DUNE-T.8")
    def cards(f, g: DuneState) -> Flow:
        played = cards_played(revealed(g, f.winner))
        if not played:
            discard_played(g, f.winner, revealed(g, f.winner))
            return goto("loss")
        keep = Choice(KeepCards, cards=Subset(played, 0, len(played), why="DUNE-6.28"))
        return Ask.one(g.seat_of(f.winner), keep, why="DUNE-6.28", default=KeepCards(played))

    @cards.answer
    def kept(f, g: DuneState, seat: int, act: KeepCards) -> Flow:
        discard_played(g, f.winner, revealed(g, f.winner), act.cards)
        return None

    # --- the loser, or both

    @step("DUNE-6.31", "DUNE-6.32", "DUNE-6.42", "DUNE-6.43", "DUNE-R.90")
    def loss(f, g: DuneState) -> Flow:
        for side in f.fight.sides:
            if side != f.winner:
                f.fallen = (*f.fallen, *lose_everything(g, f.fight, side))
                discard_played(g, side, revealed(g, side))
        return None

    @step("DUNE-ATR.10")
    def tokens_fell(f, g: DuneState) -> Flow:
        return g.at(Timing.TOKENS_FELL, *f.fallen)

    @step("DUNE-BG.17")
    def tokens_gone(f, g: DuneState) -> Flow:
        return g.at(Timing.TOKENS_GONE, *f.cells)

    @step("DUNE-HAR.5")
    def won(f, g: DuneState) -> Flow:
        return g.at(Timing.BATTLE_WON, f.winner, f.fight.opponent(f.winner), f.fight.place) if f.winner else None

    # --- parts of steps

    @rule("DUNE-6.22", "DUNE-HAR.10")
    def kill_leader_of(f, g: DuneState, side: str) -> None:
        """The leader of a side dies and goes to the Tanks of its first owner."""
        leader = leader_in_battle(revealed(g, side))
        assert leader is not None
        f.slain = (*f.slain, leader)
        g.kill_leader(FOUGHT[LOYAL_TO[leader]], leader)

    @rule(
        *("DUNE-6.23", "DUNE-T.30"),
        *("DUNE-ATR.20", "DUNE-BG.35", "DUNE-EMP.11", "DUNE-FRE.24", "DUNE-GUI.15", "DUNE-HAR.17"),
    )
    def strength(f, g: DuneState, side: str) -> int:
        """The battle strength of a side: the dial, and its leader if alive."""
        plan = revealed(g, side)
        if side in f.unled or (plan.leader is None and not plan.cheap_hero):
            return plan.dial
        leader = leader_in_battle(plan)
        strength: int = g.query(Query.BATTLE_STRENGTH, plan.dial + (STRENGTH[leader] if leader else 0), side, plan)
        return strength

    def paid(f, g: DuneState, act: LoseTokens) -> Flow:
        f.fallen = (*f.fallen, pay_casualties(g, f.fight, f.winner, act))
        return goto("cards")


@rule(
    "DUNE-6.18",
    "DUNE-6.21",
    "DUNE-T.2",
    "DUNE-T.3",
    "DUNE-T.4",
    "DUNE-T.5",
    "DUNE-T.6",
    "DUNE-T.7",
    "DUNE-T.9",
    "DUNE-T.45",
)
def kills(weapon: str | None, defense: str | None) -> bool:
    """Return whether a weapon kills: poison past all but the Snooper, projectiles past all but the Shield.

    No defense is made for the Lasgun, so nothing stops it; a worthless card is neither weapon nor defense.
    """
    if weapon is None or not CATEGORY[weapon].startswith("weapon_"):
        return False
    return defense is None or CATEGORY[defense] != CATEGORY[weapon].replace("weapon_", "defense_")


@rule("DUNE-R.16", "DUNE-T.19")
def _as_answered(call: list[Choice], word: bool | None) -> Answers:
    """The answers of who may call a traitor: calling or not, or what it has answered under Truthtrance."""
    if word is None or not call:
        return or_pass(*call)
    return tuple(call) if word else PASS_ONLY


FRAMES = (Resolution,)
