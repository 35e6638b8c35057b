"""Karama before the plans are committed: taking a bonus away for this battle, and See Future.

The window opens before a Prescience question is answered and again after the answers. What is played in the first one
ahead of its step waits for that step: a whole plan is shown when answers are due, not before (DUNE-6.49).
"""

from typing import Any, Final

from landsraad_engine.dune.acts import PASS_ONLY, BattleKarama, Pass
from landsraad_engine.dune.announcements import Purpose
from landsraad_engine.dune.battle.fight import SEEN, Fight, InBattle
from landsraad_engine.dune.battle.prescience import owes_answer
from landsraad_engine.dune.hooks import Query
from landsraad_engine.dune.karama import (
    WINDOW,
    Ability,
    Until,
    UseKarama,
    cancel,
    could_hold_karama,
    karama_stands,
    karamas,
    play_or_pass,
    stands,
)
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.asks import Answers, Ask
from landsraad_engine.kernel.frames import END, Flow, goto, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Rows

SEE_FUTURE: Final = "see_future"

#: The abilities that a Karama takes away for one battle.
FOR_THIS_BATTLE: Final = tuple(ability for ability in Ability if ability.until is Until.BATTLE)

#: (effect, target) pairs
Effects = tuple[tuple[str, str], ...]
#: (player, card, effect, target)
KaramaPlay = tuple[str, str, str, str]


class BattleKaramas(InBattle):
    """Everybody for whom a Karama has an effect on this battle may play one; plays are carried out in dot order."""

    plays: tuple[KaramaPlay, ...] = ()

    @step("DUNE-6.44", "DUNE-6.49", "DUNE-R.11", "DUNE-R.105")
    def window(f, g: DuneState) -> Flow:
        options: dict[int, Answers] = {}
        for player in g.dot_order():
            effects = g.query(Query.BATTLE_KARAMAS, (), player, f.fight)
            if effects and could_hold_karama(g, player):
                options[g.seat_of(player)] = _choices(g, player, effects)
        if not options:
            return END
        return Ask.quiet(options, why="DUNE-6.44", window=WINDOW, default=Pass())

    @window.answer
    def played(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        # Whoever plays for what has just been played for keeps the card (DUNE-0.27).
        plays: dict[tuple[str, str], KaramaPlay] = {}
        for player in g.dot_order():
            act = answers.get(g.seat_of(player))
            if isinstance(act, BattleKarama):
                plays.setdefault((act.effect, act.target), (player, act.card, act.effect, act.target))
        f.plays = tuple(plays.values())
        return None if f.plays else END

    @step("DUNE-T.29", "DUNE-0.27")
    def use(f, g: DuneState) -> Flow:
        player, card, effect, target = f.plays[0]
        if card not in karamas(g, player):  # played against an earlier one meanwhile, stolen, or given up by an answer
            f.plays = f.plays[1:]
            return goto("others")
        use: tuple[Purpose, str] = (SEE_FUTURE, target) if effect == SEE_FUTURE else ("cancel", effect)
        return UseKarama(player, card, *use)

    @step("DUNE-K.5", "DUNE-K.6", "DUNE-K.25", "DUNE-K.26", "DUNE-K.27")
    def take_effect(f, g: DuneState) -> Flow:
        player, _, effect, target = f.plays[0]
        f.plays = f.plays[1:]
        if karama_stands(g):
            if effect == SEE_FUTURE:
                g.set_mark(SEEN, (*g.table.get(SEEN, ()), (player, target)))
            else:
                cancel(g, Ability[effect.upper()])
        return None

    @step("DUNE-R.105")
    def others(f, g: DuneState) -> Flow:
        if f.plays:
            return goto("use")
        # Others may follow, but answers that are owed now come first.
        return END if any(owes_answer(g, side) for side in f.fight.sides) else goto("window")


def elites_at_stake(g: DuneState, player: str, fight: Fight, owner: str, ability: Ability) -> Effects:
    """Taking the bonus of elite tokens away from their owner: open to others while such tokens are in the battle."""
    if player == owner or owner not in fight.sides or not stands(g, ability) or not g.tokens_in(owner, fight.cells)[1]:
        return ()
    return ((ability.name.lower(), owner),)


def _choices(g: DuneState, player: str, effects: Effects) -> Answers:
    """Passing, and each effect with each card that serves as a Karama."""
    cards = karamas(g, player)
    if not cards:
        return PASS_ONLY
    play = Choice(
        BattleKarama,
        Rows(("effect", "target"), effects),
        card=OneOf(cards),
        effect=OneOf(tuple(dict.fromkeys(effect for effect, _ in effects))),
        target=OneOf(tuple(dict.fromkeys(target for _, target in effects))),
    )
    return play_or_pass(g, player, play)


FRAMES = (BattleKaramas,)
