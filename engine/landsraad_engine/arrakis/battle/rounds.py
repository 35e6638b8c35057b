"""The battle rounds: cards for dice, the combat roll, casualties."""

from landsraad_engine.arrakis.acts import DiscardForDice, UseLeaders
from landsraad_engine.arrakis.announcements import HitsRolled
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.roll import (
    Shown,
    Throw,
    has_to_choose,
    hits_through,
    less_shields,
    throw,
    with_leaders,
)
from landsraad_engine.arrakis.hooks import Permit, Query
from landsraad_engine.arrakis.sides import OPPONENT, SPECIAL
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, Linear, Range, Subset, Term


class InBattle(Frame):
    """A procedure of a battle. ``effects``: put on this battle by cards or leaders, by names that their hooks know."""

    seat: int  #: of the attacker
    source: AreaId
    target: AreaId
    surprise: bool = False
    effects: tuple[str, ...] = ()
    number: int = 0  #: of the battle round

    def area(f, g: ArrakisState, side: str) -> AreaId:
        """Return where a side's legion stands."""
        return f.source if side == g.side(f.seat) else f.target

    @rule("WFA-G.16", "WFA-G.56")
    def seats(f, g: ArrakisState, side: str) -> tuple[int, ...]:
        """The seats that decide for a side: attacks are the acting player's, a defence is shared."""
        return (f.seat,) if f.seat >= 0 and side == g.side(f.seat) else g.deciders(side)

    def sides(f, g: ArrakisState) -> tuple[str, str]:
        """Attacker and defender."""
        attacker = g.side(f.seat)
        return attacker, OPPONENT[attacker]


@rule("WFA-H.56")
def face_to_face(f: InBattle, g: ArrakisState) -> bool:
    """Return whether both legions are still there: the Atomics may take one away while somebody thinks."""
    attacker, defender = f.sides(g)
    return bool(g.size(attacker, f.source) and g.size(defender, f.target))


@rule("WFA-B.10", "WFA-B.11", "WFA-B.12", "WFA-B.52")
def dice(f: InBattle, g: ArrakisState, side: str) -> tuple[int, int]:
    """Combat dice of a side before cards, and the most that it may roll."""
    area = f.area(g, side)
    number = g.legion(side, area).strength
    if side != g.side(f.seat):
        number += g.rank(side, area)
    most = g.query(Query.DICE_LIMIT, g.content.limits.combat_dice, side, f)
    return min(most, g.query(Query.COMBAT_DICE, number, side, f)), most


class BattleRound(InBattle):
    """One round of a battle."""

    #: per side, attacker first: dice for cards; what was rolled; after leaders; hits suffered
    cards: tuple[int, int] = (0, 0)
    rolled: tuple[Shown, ...] = ()
    hits: tuple[int, int] = (0, 0)

    @step("WFA-B.7", "WFA-B.9", "WFA-B.53", "WFA-G.26")
    def attacker_discards(f, g: ArrakisState) -> Flow:
        return discards(f, g, 0)

    @attacker_discards.answer
    def attacker_discarded(f, g: ArrakisState, seat: int, act: DiscardForDice) -> Flow:
        f.cards = (_discard(g, seat, act), 0)
        return None

    @step("WFA-B.7", "WFA-B.9", "WFA-B.53", "WFA-G.26")
    def defender_discards(f, g: ArrakisState) -> Flow:
        return discards(f, g, 1)

    @defender_discards.answer
    def defender_discarded(f, g: ArrakisState, seat: int, act: DiscardForDice) -> Flow:
        f.cards = (f.cards[0], _discard(g, seat, act))
        return None

    @step("WFA-B.10", "WFA-B.11", "WFA-B.12", "WFA-B.13", "WFA-B.14")
    def roll(f, g: ArrakisState) -> Flow:
        f.rolled = combat_roll(f, g, added=1 if f.surprise and f.number == 1 else 0)
        return None

    @step("WFA-B.19")
    def attackers_leaders(f, g: ArrakisState) -> Flow:
        return _leaders(f, g, 0)

    @attackers_leaders.answer
    def attackers_leaders_chosen(f, g: ArrakisState, seat: int, act: UseLeaders) -> Flow:
        _apply(f, g, 0, act)
        return None

    @step("WFA-B.19")
    def defenders_leaders(f, g: ArrakisState) -> Flow:
        return _leaders(f, g, 1)

    @defenders_leaders.answer
    def defenders_leaders_chosen(f, g: ArrakisState, seat: int, act: UseLeaders) -> Flow:
        _apply(f, g, 1, act)
        return None

    @step("WFA-B.20", "WFA-B.21")
    def special_elites(f, g: ArrakisState) -> Flow:
        f.rolled = cancel_shields(f, g)
        return None

    @step("WFA-B.15", "WFA-B.27")
    def result(f, g: ArrakisState) -> Flow:
        attack, defence = (Throw(*each) for each in f.rolled)
        f.hits = (hits_through(defence, attack), hits_through(attack, defence))
        g.announce(HitsRolled(*f.hits))
        return None

    @step("WFA-B.23")
    def attacker_suffers(f, g: ArrakisState) -> Flow:
        side = f.sides(g)[0]
        return Casualties(side=side, area=f.source, hits=f.hits[0], seats=f.seats(g, side))

    @step("WFA-B.23")
    def defender_suffers(f, g: ArrakisState) -> Flow:
        side = f.sides(g)[1]
        return Casualties(side=side, area=f.target, hits=f.hits[1], seats=f.seats(g, side))


class PartnersDiscard(Frame):
    """Partners discard cards for dice, each in its own time, until both are done or no more dice could be rolled."""

    #: 0 for the attacker, 1 for the defender
    role: int
    #: those who are not done
    seats: tuple[int, ...]

    @step("WFA-G.26", "WFA-G.57")
    def choose(f, g: ArrakisState) -> Flow:
        battle = g.stack[-2]
        assert isinstance(battle, BattleRound)
        return _ask_for_discards(battle, g, f.role, f.seats) or END

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: DiscardForDice) -> Flow:
        battle = g.stack[-2]
        assert isinstance(battle, BattleRound)
        cards = list(battle.cards)
        cards[f.role] += _discard(g, seat, act)
        battle.cards = (cards[0], cards[1])
        if not act.cards:
            f.seats = tuple(other for other in f.seats if other != seat)
        return goto("choose")


def discards(f: BattleRound, g: ArrakisState, role: int) -> Ask | Frame | None:
    """May a side discard cards for dice? Both partners may."""
    seats = g.seats_of(f.sides(g)[role])
    return PartnersDiscard(role=role, seats=seats) if len(seats) > 1 else _ask_for_discards(f, g, role, seats)


def _ask_for_discards(f: BattleRound, g: ArrakisState, role: int, seats: tuple[int, ...]) -> Ask | None:
    """Ask these seats for cards: only as many as their side could still roll dice for."""
    side = f.sides(g)[role]
    number, most = dice(f, g, side)
    number += f.cards[role]
    if not face_to_face(f, g) or not g.allowed(Permit.COMBAT_DISCARD, side, f, default=True):
        return None
    # Whether a hand holds cards that can be given up is its secret.
    hands = {seat: tuple(sorted(g.discardable(seat))) for seat in seats if g.hand(seat)}
    options = {
        seat: (Choice(DiscardForDice, cards=Subset(cards, 0, min(most - number, len(cards)))),)
        for seat, cards in hands.items()
    }
    if number >= most or not options:
        return None
    return Ask.any_with(options, why="WFA-B.7", default=DiscardForDice(()))


def _discard(g: ArrakisState, seat: int, act: DiscardForDice) -> int:
    for card in act.cards:
        g.discard(seat, card)
    return len(act.cards)


def combat_roll(f: BattleRound, g: ArrakisState, added: int = 0) -> tuple[Shown, ...]:
    """Both sides roll; so many Specials are added to what the attacker has rolled."""
    throws = []
    for side, cards, extra in zip(f.sides(g), f.cards, (added, 0), strict=True):
        number, most = dice(f, g, side)
        rolled = throw(g, side, min(most, number + cards))
        throws.append(rolled._replace(specials=rolled.specials + extra).shown)
    return tuple(throws)


def cancel_shields(f: BattleRound, g: ArrakisState) -> tuple[Shown, ...]:
    """Each Sardaukar or Fedaykin in the battle cancels a shield of the opponent."""
    attacker, defender = f.sides(g)
    elites = (g.figures(defender, f.target)[SPECIAL], g.figures(attacker, f.source)[SPECIAL])
    return tuple(less_shields(Throw(*rolled), number).shown for rolled, number in zip(f.rolled, elites, strict=True))


@rule("WFA-B.18", "WFA-B.19")
def _leaders(f: BattleRound, g: ArrakisState, n: int) -> Ask | None:
    """Apply a side's leaders, or ask it whose abilities count if it has more of them than Specials."""
    side = f.sides(g)[n]
    legion = g.legion(side, f.area(g, side))
    specials = Throw(*f.rolled[n]).specials
    generic = legion.units[3]
    if not has_to_choose(legion, specials):
        named = legion.named if specials else ()
        _apply(f, g, n, UseLeaders(min(generic, specials - len(named)), named))
        return None
    chosen = Linear((Term("generic"), Term("named")), low=specials, high=specials)
    choice = Choice(
        UseLeaders,
        chosen,
        generic=Range(0, min(generic, specials)),
        named=Subset(tuple(sorted(legion.named)), 0, specials),
    )
    return Ask.any_of(f.seats(g, side), choice, why="WFA-B.19")


def _apply(f: BattleRound, g: ArrakisState, n: int, act: UseLeaders) -> None:
    side = f.sides(g)[n]
    turned = with_leaders(g, side, Throw(*f.rolled[n]), act.generic, act.named).shown
    f.rolled = (turned, f.rolled[1]) if n == 0 else (f.rolled[0], turned)


FRAMES = (BattleRound, PartnersDiscard)
