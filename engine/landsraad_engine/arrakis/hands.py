"""Effects on hands, by leaders, prescience cards and planning cards: discard, put back, look."""

from landsraad_engine.arrakis.acts import ChooseTarget, DiscardCards, Done, LookAt, target_choice
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.sides import OPPONENT
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import DECK, deck_of, hand
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Subset


@rule("WFA-C.1")
def holding(g: ArrakisState, seats: tuple[int, ...], deck: str = "") -> tuple[int, ...]:
    """The seats that have planning cards (of a deck) in hand, as everybody can see."""
    decks = (deck,) if deck else tuple(DECK)
    return tuple(seat for seat in seats if any(g.table.get(hand(each, seat)) for each in decks))


def number_held(g: ArrakisState, seat: int, deck: str = "") -> int:
    """Return how many planning cards (of a deck) a seat has in hand, as everybody can see."""
    return sum(len(g.table.get(hand(each, seat), ())) for each in ((deck,) if deck else DECK))


class GiveUpCards(Frame):
    """One of the seats discards so many planning cards of its choice, or all it can."""

    seats: tuple[int, ...]
    count: int
    deck: str = ""

    @step("WFA-C.7", "WFA-C.16", "WFA-Q.28", "WFA-C.94")
    def choose(f, g: ArrakisState) -> Flow:
        options = {}
        for seat in holding(g, f.seats, f.deck):
            cards = tuple(sorted(of_deck(g, g.discardable(seat), f.deck)))
            number = min(f.count, len(cards))
            options[seat] = (Choice(DiscardCards, cards=Subset(cards, number, number)),)
        # Closed: a card that is used up meanwhile would leave fewer to discard.
        return Ask.any_with(options, why="WFA-C.7", closed=True) if options else END

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: DiscardCards) -> Flow:
        for card in act.cards:
            g.discard(seat, card)
        return None


class GiveUpTogether(Frame):
    """Partners discard so many planning cards of their choice, card by card, or all they can."""

    seats: tuple[int, ...]
    count: int
    deck: str = ""
    #: those who have said that they can discard none
    out: tuple[int, ...] = ()

    @step("WFA-G.27", "WFA-G.67", "WFA-G.68")
    def choose(f, g: ArrakisState) -> Flow:
        options = {}
        for seat in holding(g, f.seats, f.deck):
            cards = tuple(sorted(of_deck(g, g.discardable(seat), f.deck)))
            if seat not in f.out:
                options[seat] = (Choice(DiscardCards, cards=Subset(cards, min(1, len(cards)), min(1, len(cards)))),)
        return Ask.any_with(options, why="WFA-G.67", closed=True) if f.count and options else END

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: DiscardCards) -> Flow:
        for card in act.cards:
            g.discard(seat, card)
            f.count -= 1
        if not act.cards:
            f.out = (*f.out, seat)
        return goto("choose")


@rule("WFA-G.27", "WFA-G.67")
def give_up_cards(seats: tuple[int, ...], count: int, deck: str = "") -> Frame:
    """Return the frame in which a side discards cards of its choice: as one player, whoever shares it."""
    frame = GiveUpTogether if len(seats) > 1 else GiveUpCards
    return frame(seats=seats, count=count, deck=deck)


def of_deck(g: ArrakisState, cards: tuple[str, ...], deck: str) -> tuple[str, ...]:
    """Those of the cards that are of a deck ("": of any)."""
    return tuple(card for card in cards if not deck or deck_of(g.content, card) == deck)


class LoseCards(Frame):
    """Planning cards are discarded at random from the hands of these seats."""

    seats: tuple[int, ...]
    count: int

    @step("WFA-C.1", "WFA-C.89", "WFA-G.67")
    def lose(f, g: ArrakisState) -> Flow:
        """The backs can be told apart: an open die says which of them is hit, then one of the cards with that back."""
        for _ in range(f.count):
            backs = [(seat, deck) for seat in f.seats for deck in DECK for _ in g.table.get(hand(deck, seat), ())]
            if not backs:
                return None
            seat, deck = backs[g.roll("lost_card", len(backs))]
            cards = of_deck(g, g.discardable(seat), deck)
            if cards:
                g.discard(seat, cards[g.pick("lost_card", len(cards))])
            else:
                g.declare("WFA-C.89", seat, "nothing_to_lose")
        return None


class ReturnCards(Frame):
    """Planning cards go from the hand back on top of their decks, face down, one after the other."""

    seat: int
    count: int

    @step("WFA-C.1")
    def choose(f, g: ArrakisState) -> Flow:
        if not f.count or not holding(g, (f.seat,)):
            return END
        cards = tuple(dict.fromkeys(g.hand(f.seat)))
        return elective((f.seat,), target_choice("return_card", cards), why="WFA-A.12")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, Done):
            return END
        deck = deck_of(g.content, act.target)
        g.move(hand(deck, seat), DECK[deck], act.target)
        f.count -= 1
        return goto("choose")


class LookAtHand(Frame):
    """A seat looks at the planning cards of an enemy player."""

    seat: int
    target: int = -1

    @step("WFA-C.7", "WFA-G.67")
    def whose(f, g: ArrakisState) -> Flow:
        enemies = g.seats_of(OPPONENT[g.side(f.seat)])
        if len(enemies) == 1:
            f.target = enemies[0]
            return None
        return Ask.any_of((f.seat,), Choice(LookAt, seat=OneOf(enemies)), why="WFA-C.7")

    @whose.answer
    def chosen(f, g: ArrakisState, seat: int, act: LookAt) -> Flow:
        f.target = act.seat
        return None

    @step("WFA-C.1")
    def look(f, g: ArrakisState) -> Flow:
        for deck in DECK:
            g.look(hand(deck, f.target), 1 << f.seat)
        return None


FRAMES = (GiveUpCards, GiveUpTogether, LoseCards, ReturnCards, LookAtHand)
