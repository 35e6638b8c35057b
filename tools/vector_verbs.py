"""A log in which every verb occurs, and pieces are known to some seats, as random play seldom brings about."""

from landsraad_engine.kernel.state import State
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.game import TEACHING

SEATS = 3


def every_verb() -> Match:
    """Return a match of Wells and Worms on which every verb was called directly, ignoring the rules."""
    match = Match(TEACHING, SEATS, secret=b"vectors", name="verbs")
    g = match.g
    hands = [f"hand/{g.side(seat)}" for seat in range(SEATS)]
    for act in (_looking, _exchanging, _gathering, _first, _marking):
        act(g, hands)
        assert match.recorder is not None
        match.recorder.note(g, g.events)
        g.events.clear()
    return match


def _looking(g: State, hands: list[str]) -> None:
    """Make pieces known to one seat, to two, to all."""
    g.look("deck", 0b010, index=-1)
    g.look("deck", 0b101, index=-2)
    g.draw("deck", hands[0])  # seat 1 knows it
    g.draw("deck", hands[1])  # the other seats know it
    g.look(hands[2], 0b010)
    g.look(hands[2], 0b001)
    g.reveal(hands[0], g.get(hands[0])[-1])
    g.reveal(hands[0], g.get(hands[0])[0])
    g.reveal(hands[0], g.get(hands[0])[0])  # once more, with a second piece of this face
    g.look("deck", 0b111, index=-1)  # all seats, but not the spectators: an aside


def _exchanging(g: State, hands: list[str]) -> None:
    """Move pieces out of hands that other seats know in part."""
    g.move(hands[2], hands[1], g.get(hands[2])[0])
    g.take(hands[0], hands[2], 1)
    g.move(hands[1], "discard", g.get(hands[1])[0])
    g.move(hands[1], "deck", g.get(hands[1])[0])
    g.move(hands[2], "deck", g.get(hands[2])[-1], to=0)
    g.move("deck", "offer", g.get("deck")[2])
    g.reveal("deck", g.get("deck")[-1])
    g.draw("deck", hands[2])


def _gathering(g: State, hands: list[str]) -> None:
    """Gather places onto a pile whose pieces are known, known in part and unknown."""
    g.gather("discard", "deck")
    g.gather(hands[1], "deck")
    g.gather("offer", "deck")
    g.reveal(hands[0], g.get(hands[0])[0])
    g.gather(hands[0], "deck")
    g.shuffle("deck")
    g.draw("deck", hands[1])


def _first(g: State, hands: list[str]) -> None:
    """Use the index 0 in a pile, which a reader must not confuse with a missing index."""
    deck = g.get("deck")
    for index in (deck.index(deck[0], 1), 3, 1, 0):
        g.look("deck", 0b010, index=index)
        g.reveal("deck", deck[0])
    g.take("deck", "offer", 0)
    g.take("deck", hands[1], 0)
    g.take("deck", hands[0], 0)
    g.move(hands[1], "offer", g.get(hands[1])[0], to=0)


def _marking(g: State, hands: list[str]) -> None:
    """Call the verbs for marks, purses, units, dice and announcements."""
    mine, other, third = (hand.replace("hand", "water") for hand in hands)
    g.transfer("spring", mine, 4)
    g.transfer(mine, other, 2)
    g.transfer(other, third, 1)
    g.transfer(third, "spring", 1)
    g.transfer(other, "spring", g.get(other))
    omen = mine.replace("water", "omen")
    g.set_mark(omen, ("coral", 3))
    g.open(omen)
    g.set_mark("quiet/1", ("Pass",))
    g.set_mark("quiet/1", None)
    g.set_mark("worm", True)
    for mark in (1, 0, False, "", ()):  # false in Python, but none of them is an empty mark
        g.set_mark("worm", mark)
    g.emit("announce", ("weather", "storm", 3, None))
    g.whisper(0b010, "weather", "sand")
    g.declare("TEACH-7.1", 1, "spices", 2)
    g.roll("dice", 6)
    g.rolls("dice", 6, 3)
    camp = mine.replace("water", "camp")
    riders, elders = g.get(camp)
    g.exchange(camp, (riders + elders, 0))
    g.shift(camp, mine.replace("water", "near"), (1, 0))
    g.shift(camp, mine.replace("water", "near"), (riders + elders - 1, 0))
