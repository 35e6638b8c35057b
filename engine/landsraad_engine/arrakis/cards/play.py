"""Playing a planning card: it is laid open, and its parts are carried out in the order of its text."""

from landsraad_engine.arrakis.acts import ChooseTarget, Done, target_choice
from landsraad_engine.arrakis.announcements import CardTakesEffect
from landsraad_engine.arrakis.cards.deck import CardText
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Query
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step


def playable(g: ArrakisState, seat: int) -> tuple[str, ...]:
    """The cards of a seat's hand that it may play for a die."""
    cards = g.content.planning_card
    return tuple(dict.fromkeys([card for card in g.hand(seat) if cards[card].timing == "action"]))


@rule("WFA-C.86")
def text_in_force(g: ArrakisState, seat: int, texts: tuple[CardText, ...]) -> int:
    """Return which of a card's texts holds now; past the last one if none does."""
    return next((n for n, text in enumerate(texts) if text.when(g, seat)), len(texts))


class PlayPlanningCard(Frame):
    """A planning card is played."""

    seat: int
    card: str
    #: which of its texts, and which part of that
    text: int = 0
    part: int = 0

    @step("WFA-A.33")
    def lay_open(f, g: ArrakisState) -> Flow:
        """It goes to the discards before its effects, so that these do not find it in hand."""
        g.discard(f.seat, f.card)
        texts = _texts(g, f.card)
        f.text = text_in_force(g, f.seat, texts)
        if f.text < len(texts):
            g.announce(CardTakesEffect(f.card), rule=texts[f.text].rule)
        return None

    @step("WFA-A.3", "WFA-A.12", "WFA-A.13", "WFA-C.8")
    def carry_out(f, g: ArrakisState) -> Flow:
        texts = _texts(g, f.card)
        if f.text >= len(texts):
            return goto("forget")
        text = texts[f.text]
        if f.part == len(text.deeds):
            return goto("forget")
        deed = text.deeds[f.part]
        f.part += 1
        frame = deed(g, f.seat)
        return Call(frame, "carry_out") if frame else goto("carry_out")

    @step()
    def forget(f, g: ArrakisState) -> Flow:
        g.set_mark("here", None)
        return None


def _texts(g: ArrakisState, card: str) -> tuple[CardText, ...]:
    texts: tuple[CardText, ...] = g.query(Query.EFFECTS, (), card)
    return texts


class PlayMore(Frame):
    """More planning cards are played from the hand, at once and at no cost."""

    seat: int
    count: int = 1

    @step("WFA-C.3", "WFA-G.66")
    def choose(f, g: ArrakisState) -> Flow:
        """Anybody with a hand is asked: whether it holds a card to play is its secret."""
        if not f.count or not g.hand(f.seat):
            return END
        cards = playable(g, f.seat)
        more = (target_choice("play_another", cards),) if cards else ()
        return elective((f.seat,), *more, why="WFA-C.3")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, Done):
            return END
        f.count -= 1
        return PlayPlanningCard(seat=f.seat, card=act.target)

    @step()
    def on(f, g: ArrakisState) -> Flow:
        return goto("choose")


FRAMES = (PlayPlanningCard, PlayMore)
