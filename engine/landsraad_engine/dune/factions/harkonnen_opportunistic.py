"""Opportunistic: for a Karama the Harkonnen swap treachery cards, blindly, with another player."""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from landsraad_engine.dune.acts import GiveBack, PlayOpportunistic
from landsraad_engine.dune.battle.fight import EXCUSED, PLAN, answered_cards, free_cards, planning
from landsraad_engine.dune.battle.plan import lacks_the_card, playable_leaders
from landsraad_engine.dune.bidding import ROBBED, auction_under_way
from landsraad_engine.dune.karama import UseKarama, karamas, owes_karama
from landsraad_engine.dune.pieces import CHEAP_HERO, HARKONNEN, KARAMA
from landsraad_engine.dune.promises import TRUTHS, Promise, cards_of
from landsraad_engine.dune.words import HAND, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Range
from landsraad_engine.kernel.plays import Play

#: Where the cards taken lie until as many have been given back.
ASIDE: Final = f"opportunity/{HARKONNEN}"


class Opportunistic(Frame):
    """Some cards of another player are taken at random and set aside; as many of the former hand go back."""

    target: str
    number: int

    @step("DUNE-K.19")
    def play(f, g: DuneState) -> Flow:
        return UseKarama(HARKONNEN, KARAMA, "opportunistic", f.target)

    @step("DUNE-K.19", "DUNE-K.20", "DUNE-3.20")
    def take(f, g: DuneState) -> Flow:
        for _ in range(f.number):
            free = free_cards(g, f.target)
            g.take(HAND[f.target], ASIDE, free[g.pick("opportunistic", len(free))])
        if auction_under_way(g) is not None:
            g.set_mark(ROBBED, (*g.table.get(ROBBED, ()), f.target))
        return None

    @step("DUNE-K.20", "DUNE-K.22", "DUNE-T.23")
    def give_back(f, g: DuneState) -> Flow:
        cards = tuple(returns(g, own_cards(g), f.number, g.table[ASIDE]))
        choice = Choice(GiveBack, cards=OneOf(cards, why="DUNE-K.22"))
        return Ask.one(g.seat_of(HARKONNEN), choice, why="DUNE-K.20", closed=True)

    @give_back.answer
    def given(f, g: DuneState, seat: int, act: GiveBack) -> Flow:
        lacking = planning(g, HARKONNEN) is not None and lacks_the_card(g, HARKONNEN)
        for card in act.cards:
            g.move(HAND[HARKONNEN], HAND[f.target], card)
        for card in g.table[ASIDE]:
            g.move(ASIDE, HAND[HARKONNEN], card)
        if lacking and not lacks_the_card(g, HARKONNEN):
            g.set_mark(EXCUSED, True, "DUNE-R.122")
        g.reopen()
        return None


def own_cards(g: DuneState) -> tuple[str, ...]:
    """The cards that the Harkonnen could give: not those that lie open in their plan."""
    hand = g.hand(HARKONNEN)
    return tuple(hand[at] for at in free_cards(g, HARKONNEN))


@rule("DUNE-K.22", "DUNE-T.23")
def promised(g: DuneState) -> tuple[frozenset[str], ...]:
    """For each answer that the Harkonnen have given about a plan or a bid and can keep, the cards that do so."""
    if PLAN[HARKONNEN] in g.table:  # the plan is open: what it could keep it has kept
        return ()
    hand = set(g.hand(HARKONNEN))
    sets: list[Iterable[str]] = [(card,) for card in answered_cards(g, HARKONNEN)]
    if owes_karama(g, HARKONNEN):
        sets.append((KARAMA,))
    for row in g.table.get(TRUTHS, ()):
        promise = Promise(*row)
        if promise.by == HARKONNEN and promise.yes:
            if promise.kind in ("weapon", "defense"):
                sets.append(cards_of(promise.kind, promise.value))
            elif promise.kind == "card" or promise.value == CHEAP_HERO:
                sets.append((promise.value,))
    found = [wanted for wanted in map(frozenset, sets) if wanted & hand]
    fight = planning(g, HARKONNEN)
    if found and fight is not None and CHEAP_HERO in hand and not playable_leaders(g, HARKONNEN, fight.place):
        found.append(frozenset((CHEAP_HERO,)))  # without whom no card could be played
    return tuple(found)


def returns(g: DuneState, hand: tuple[str, ...], number: int, taken: tuple[str, ...] = ()) -> Iterable[tuple[str, ...]]:
    """The cards that may be given back so that all answers given can still be kept."""
    wanted = promised(g)
    for cards in dict.fromkeys(combinations(hand, number)):
        left = [*hand, *taken]
        for card in cards:
            left.remove(card)
        if all(one.intersection(left) for one in wanted):
            yield cards


@rule("DUNE-K.19", "DUNE-K.21")
def choices(g: DuneState, faction: str) -> list[Choice]:
    """From each other player as many cards as that player holds and the Harkonnen could give for them."""
    if faction != HARKONNEN or KARAMA not in karamas(g, HARKONNEN):
        return []
    hand = list(own_cards(g))
    hand.remove(KARAMA)
    able = [n for n in range(1, len(hand) + 1) if next(iter(returns(g, tuple(hand), n)), None) is not None]
    most = max(able, default=0)
    found = []
    for other in g.after(HARKONNEN):
        number = min(most, len(free_cards(g, other)))
        if number:
            found.append(Choice(PlayOpportunistic, target=OneOf((other,)), number=Range(1, number), why="DUNE-K.19"))
    return found


def begin(faction: str, act: PlayOpportunistic) -> Opportunistic:
    return Opportunistic(act.target, act.number)


PLAYS = (Play(PlayOpportunistic, choices, begin, "opportunistic"),)

FRAMES: tuple[type[Frame], ...] = (Opportunistic,)
