"""Losses of a battle: the winner's casualties, the loser's tokens, the cards played."""

from landsraad_engine.dune.acts import BattlePlan, LoseTokens
from landsraad_engine.dune.battle.fight import Fight, elite_strength, fighting
from landsraad_engine.dune.pieces import CHEAP_HERO
from landsraad_engine.dune.words import PRIMARY, DuneState
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.grammar import Alloc, Choice, Linear, Term

#: (faction, number of tokens)
Fallen = tuple[str, int]


@rule("DUNE-6.26", "DUNE-R.34")
def casualties(g: DuneState, fight: Fight, side: str, dial: int) -> tuple[Choice, LoseTokens]:
    """The sets of own tokens with which the winner may pay what was dialled: worth just that, or the cheapest above.

    The one named apart spares as many elites as can be: what happens if the winner does not say.
    """
    stacks = [g.troops(side, cell) for cell in fight.cells]
    tokens = tuple(stack[0] for stack in stacks)
    elites = tuple(stack[1] for stack in stacks)
    worth = elite_strength(g, side, fight.opponent(side))
    price = next(price for price in (dial, dial + 1) if _payable(price, sum(tokens), sum(elites), worth))
    fewest = max(0, -((sum(tokens) - price) // worth))
    most = min(sum(elites), price // worth)
    sums = Linear(
        (Term("tokens", weights=(1,) * len(tokens)), Term("elites", weights=(worth,) * len(elites))),
        low=price,
        high=price,
        why="DUNE-R.34",
    )
    choice = Choice(
        LoseTokens,
        *((sums,) if fewest < most else ()),
        why="DUNE-6.26",
        tokens=Alloc(fight.cells, tokens, price - most * worth, price - fewest * worth),
        elites=Alloc(fight.cells, elites, fewest, most),
    )
    return choice, LoseTokens(_first(tokens, price - fewest * worth), _first(elites, fewest))


def _first(counts: tuple[int, ...], number: int) -> tuple[int, ...]:
    """So many of them, from the first cells on."""
    taken: list[int] = []
    for count in counts:
        taken.append(min(count, number - sum(taken)))
    return tuple(taken)


def _payable(price: int, tokens: int, elites: int, worth: int) -> bool:
    """Return whether some set of these tokens is worth exactly the price."""
    return any(0 <= price - worth * number <= tokens for number in range(elites + 1))


def pay_casualties(g: DuneState, fight: Fight, side: str, act: LoseTokens) -> Fallen:
    """Send the named tokens to the Tanks."""
    for cell, tokens, elites in zip(fight.cells, act.tokens, act.elites, strict=True):
        g.kill(side, cell, (tokens, elites, 0))
    return (side, sum(act.tokens) + sum(act.elites))


@rule("DUNE-6.31", "DUNE-6.42", "DUNE-5.21", "DUNE-R.90")
def lose_everything(g: DuneState, fight: Fight, side: str) -> list[Fallen]:
    """The loser's tokens there all die, and with them those of an ally who is Secondary. Coexisting ones stay."""
    victims = [side]
    victims += [ally for ally in g.allies(side) if any(g.table.get(PRIMARY[cell]) == side for cell in fight.cells)]
    fallen = []
    for faction in victims:
        number = 0
        for cell in fight.cells:
            counts = fighting(g.troops(faction, cell))
            if any(counts):
                g.kill(faction, cell, counts)
                number += sum(counts)
        fallen.append((faction, number))
    return fallen


def cards_played(plan: BattlePlan) -> tuple[str, ...]:
    """The cards of a plan that its player may keep after a victory."""
    return tuple(sorted(card for card in (plan.weapon, plan.defense) if card is not None))


@rule("DUNE-T.13", "DUNE-T.8", "DUNE-T.47")
def discard_played(g: DuneState, side: str, plan: BattlePlan, kept: tuple[str, ...] = ()) -> None:
    """Discard what a side has played, but for the cards it keeps. A Cheap Hero is spent in any case."""
    for card in cards_played(plan):
        if card not in kept:
            g.discard(side, card)
    if plan.cheap_hero:
        g.discard(side, CHEAP_HERO)
