"""Cards of the Atreides that address the Harkonnen player, where the game plays the Harkonnen."""

from typing import Final

from landsraad_engine.arrakis.acts import ChooseTarget, Done, target_choice
from landsraad_engine.arrakis.cards.house_atreides import TRUTHTRANCE
from landsraad_engine.arrakis.cards.lasting import ChooseDie
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hands import GiveUpCards, LookAtHand, LoseCards
from landsraad_engine.arrakis.mahdi.overlay import Instead
from landsraad_engine.arrakis.mahdi.reinforcements_deck import discard_top
from landsraad_engine.arrakis.mahdi.zones import NAMED_RESULT, SPENT_RESULTS
from landsraad_engine.arrakis.sides import HARKONNEN, OPPONENT
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import END, Flow, rule, step

# ---- Truthtrance ----

#: So many spent dice may show a result at most for it to be named.
NAMED_UNTIL: Final = {"leadership": 3, "strategy": 3, "deployment": 2, "mentat": 3, "house": 2}


@rule("WFA-Y.107")
def names_a_result(f: ChooseDie, g: ArrakisState) -> bool:
    """Return whether a card names a die of the automaton, which has rolled none."""
    return f.effect == TRUTHTRANCE


@rule("WFA-Y.107")
def open_results(g: ArrakisState) -> tuple[str, ...]:
    """Return the results that can be named for the automaton's next turn."""
    spent: tuple[str, ...] = g.table.get(SPENT_RESULTS, ())
    return tuple(result for result, most in NAMED_UNTIL.items() if spent.count(result) < most)


@step("WFA-Y.107", "WFA-A.12")
def name_result(f: ChooseDie, g: ArrakisState) -> Flow:
    """A result is named that the automaton's next turn uses as if it had been rolled."""
    results = open_results(g)
    return elective((f.seat,), target_choice("name_result", results), why="WFA-Y.107") if results else END


@name_result.answer
def result_named(f: ChooseDie, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
    if isinstance(act, ChooseTarget):
        g.set_mark(NAMED_RESULT, act.target)
    return None


# ---- The hand that it does not have ----


def of_the_automaton(f: GiveUpCards | LoseCards, g: ArrakisState) -> bool:
    """Return whether a demand on a hand is one on the automaton's: nobody holds it."""
    return not f.seats


def of_nobody(f: LookAtHand, g: ArrakisState) -> bool:
    """Return whether a seat would look at the automaton's hand."""
    return OPPONENT[g.side(f.seat)] == HARKONNEN


@step("WFA-Y.108")
def lose_reinforcements(f: GiveUpCards | LoseCards, g: ArrakisState) -> Flow:
    """The top cards of the Reinforcements deck are discarded, as many as there are."""
    for _ in range(f.count):
        discard_top(g)
    return END


@step("WFA-Y.108")
def see_nothing(f: LookAtHand, g: ArrakisState) -> Flow:
    """There is no hand to look at."""
    return END


INSTEAD: Final = (
    Instead(ChooseDie, "choose", name_result, names_a_result),
    Instead(GiveUpCards, "choose", lose_reinforcements, of_the_automaton),
    Instead(LoseCards, "lose", lose_reinforcements, of_the_automaton),
    Instead(LookAtHand, "whose", see_nothing, of_nobody),
)
