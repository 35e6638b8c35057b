"""Lasting effects of planning cards: entries of the mark "effects", and cards laid on others."""

from typing import Any

from landsraad_engine.arrakis.acts import ChooseEnemyDie, ChooseTarget, Done, target_choice
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.sides import OPPONENT
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.arrakis.zones import DISCARD, LAID, deck_of
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf

# ---- Effects that last until the end of a turn ----


def effects(g: Words, name: str) -> tuple[tuple[Any, ...], ...]:
    """The entries of a kind that are in force, without their name."""
    return tuple(entry[1:] for entry in g.table.get("effects", ()) if entry[0] == name)


def lay_effect(g: ArrakisState, name: str, *facts: Any) -> None:
    g.set_mark("effects", (*g.table.get("effects", ()), (name, *facts)))


def lift_effects(g: ArrakisState, name: str) -> None:
    g.set_mark("effects", tuple(entry for entry in g.table.get("effects", ()) if entry[0] != name) or None)


# ---- Dice of the other side ----


class ChooseDie(Frame):
    """An unused die of the other side is chosen, of one result or any: it is discarded, or becomes an effect."""

    seat: int
    result: str = ""
    #: the effect that remembers it; "": the die is discarded
    effect: str = ""

    @step("WFA-C.37", "WFA-C.57", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        choices = []
        for dashboard in g.dashboards(OPPONENT[g.side(f.seat)]):
            dice = tuple(die for die in g.dice(dashboard) if f.result in ("", die))
            if dice:
                choices.append(Choice(ChooseEnemyDie, dashboard=OneOf((dashboard,)), die=OneOf(dice)))
        return elective((f.seat,), *choices, why="WFA-A.12") if choices else None

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseEnemyDie | Done) -> Flow:
        if isinstance(act, Done):
            return None
        if f.effect:
            lay_effect(g, f.effect, act.dashboard, act.die)
        else:
            g.use_die(act.dashboard, act.die)
        return None


# ---- Cards laid on revealed prescience cards ----


@rule("WFA-C.66", "WFA-C.71")
def lies_on(g: Words, planning_card: str, card: str) -> bool:
    """Return whether a planning card has been laid on a revealed prescience card."""
    return (card, planning_card) in g.table.get("attached", ())


@rule("WFA-C.71", "WFA-C.87")
def discardable_row(g: Words) -> tuple[str, ...]:
    """The revealed prescience cards that may be discarded or put back."""
    row: tuple[str, ...] = g.table.get("prescience_row", ())
    return tuple(card for card in row if not lies_on(g, "eyes_of_ibad", card))


@rule("WFA-C.66", "WFA-C.71", "WFA-C.87", "WFA-A.33")
def lift(g: ArrakisState, planning_card: str, card: str) -> None:
    """Put a planning card that lies on a prescience card on the discards of its deck, if it does."""
    if lies_on(g, planning_card, card):
        deck = deck_of(g.content, planning_card)
        g.move(LAID[deck], DISCARD[deck], planning_card)
        g.set_mark("attached", tuple(p for p in g.table["attached"] if p != (card, planning_card)) or None)


class LayOn(Frame):
    """A planning card that has just been played is laid on a revealed prescience card."""

    seat: int
    card: str

    @step("WFA-C.66", "WFA-C.71", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        row = tuple(sorted(g.table.get("prescience_row", ())))
        if not row:
            return None
        return elective((f.seat,), target_choice("choose_revealed", row), why="WFA-A.12")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, ChooseTarget):
            deck = deck_of(g.content, f.card)
            g.move(DISCARD[deck], LAID[deck], f.card)
            g.set_mark("attached", (*g.table.get("attached", ()), (act.target, f.card)))
        return None


FRAMES = (ChooseDie, LayOn)
