"""Verbs: their writes and refusals, and the equality of each seat's view with the fold of its log."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from landsraad_engine.errors import LawBroken
from landsraad_engine.kernel.announcements import Announcement
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import HIDDEN, Content, Layout, Sight, Zone
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.knowledge.information import places_seen, shown_faces, view_of
from landsraad_engine.knowledge.recorder import Recorder
from landsraad_engine.knowledge.worlds import sample_world
from landsraad_engine.testing.kernel_laws import state_faults

CARDS = ("karama", "shield", "shield", "shield", "snooper", "snooper", "thumper", "worthless")
SIDES = ("amber", "basalt", "basalt", "coral")
SEATS = (None, 0, 1, 2, 3)
BACK = "card"


class First(Announcement, frozen=True):
    """A side is first, with this number."""

    side: str
    number: int


class Undeclared(Announcement, frozen=True):
    """No kind of this game's."""


class Cards(Game):
    """Places of every kind, with cards."""

    id = "cards"
    seats = (4,)
    state = State
    disclosures = frozenset({"R-1"})
    announcements = (First,)

    def layout(self, options: Any, seats: int) -> Sequence[Zone]:
        def zone(content: Content, sight: Sight, *keys: str, owners: tuple[str, ...] = (), **more: Any) -> Zone:
            return Zone(keys[0], content, sight, dict.fromkeys(keys, owners), BACK, **more)

        return (
            zone(Content.PILE, Sight.BACKS, "deck", "row"),
            zone(Content.PILE, Sight.OPEN, "discard"),
            zone(Content.PILE, Sight.OWNER, "private", owners=("amber",)),
            zone(Content.HAND, Sight.OWNER, "hand/amber", owners=("amber",)),
            zone(Content.HAND, Sight.OWNER, "hand/basalt", owners=("basalt",)),
            zone(Content.HAND, Sight.OWNER, "shared", owners=("amber", "coral")),
            zone(Content.HAND, Sight.BACKS, "vault"),
            zone(Content.HAND, Sight.OPEN, "board"),
            zone(Content.PURSE, Sight.SCREEN, "spice/amber", owners=("amber",)),
            zone(Content.PURSE, Sight.SCREEN, "spice/basalt", owners=("basalt",)),
            zone(Content.PURSE, Sight.OPEN, "pot"),
            zone(Content.PURSE, Sight.OPEN, "bank", unlimited=True),
            zone(Content.STACK, Sight.OPEN, "camp", "field", units=("riders", "elders")),
            zone(Content.STACK, Sight.OPEN, "ships", units=("ships",)),
            *(zone(Content.MARK, sight, f"mark/{sight.value}", owners=("basalt",)) for sight in Sight),
        )

    def census(self, g: Any) -> Any:
        return {BACK: CARDS}


#: Bits of the seats of each side, and of the spectators.
AMBER, BASALT, CORAL, WATCHERS = 0b00001, 0b00110, 0b01000, 0b10000
ALL = 0b11111

GAME = Cards()
SETTING = setting_for(GAME, {}, 4, b"key")
PILES = ("deck", "row", "discard", "private")
PIECES = (*PILES, "hand/amber", "hand/basalt", "shared", "vault", "board")


def new() -> State:
    g = State(SETTING)
    for seat, side in enumerate(SIDES):
        g.assign(seat, side)
    return g


class Told:
    """A state with the log of each seat and its fold."""

    def __init__(self, g: State) -> None:
        self.g = g
        self.recorder = Recorder(4)
        self.folds = {seat: Fold(g.setting.layout, seat) for seat in SEATS}

    def check(self) -> None:
        self.recorder.note(self.g, self.g.events)
        self.g.events.clear()
        for seat, fold in self.folds.items():
            log = self.recorder.logs[-1 if seat is None else seat]
            fold.add(log)
            log.clear()
            assert fold.view.places == places_seen(self.g, seat), f"seat {seat}"
            assert fold.view.shown == shown_faces(self.g), f"seat {seat}"
        assert list(state_faults(self.g)) == []


# ---- Cards moving about at random ----

#: Few gather everything in one place, or show it to all.
VERBS = (*("move", "take", "draw") * 4, *("look", "look at", "reveal", "shuffle") * 2, "gather")


class Op(NamedTuple):
    """One verb with its arguments; a card is named by its position."""

    verb: str
    source: str
    target: str
    at: int
    seats: int

    def do(self, g: State) -> None:
        face = g.table[self.source][self.at]
        match self.verb:
            case "move":
                g.move(self.source, self.target, face)
            case "take":
                g.take(self.source, self.target, self.at)
            case "draw":
                g.draw(self.source, self.target)
            case "look":
                g.look(self.source, self.seats)
            case "look at":
                g.look(self.source, self.seats, self.at)
            case "reveal":
                g.reveal(self.source, face)
            case "gather":
                g.gather(self.source, self.target)
            case "shuffle":
                g.shuffle(self.source)


def some_op(g: State, rng: Random) -> Op:
    """Draw an operation that is possible now."""
    while True:
        source = rng.choice([key for key in PIECES if key in g.table])
        lookers = rng.choice((*range(16), ALL))  # the spectators never look alone
        op = Op(rng.choice(VERBS), source, rng.choice(PIECES), rng.randrange(len(g.table[source])), lookers)
        if op.verb in ("draw", "look at") and source not in PILES:
            continue
        if op.verb == "shuffle" and source not in ("deck", "row"):
            continue
        if op.verb == "gather" and (op.target not in PILES or op.target == source):
            continue
        return op


@pytest.mark.parametrize("seed", range(40))
def test_the_fold_of_what_a_seat_is_told_is_what_it_sees(seed: int) -> None:
    rng = Random(seed)
    g = new()
    told = Told(g)
    g.place("deck", CARDS)
    g.shuffle("deck")
    for _ in range(60):
        some_op(g, rng).do(g)
        told.check()
        assert Counter(face for key in PIECES for face in g.table.get(key, ())) == Counter(CARDS)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("seed", range(12))
def test_what_a_seat_is_told_does_not_depend_on_what_is_hidden_from_it(seed: int, seat: int | None) -> None:
    """Two worlds that a seat cannot distinguish give it the same events, to the byte, for verbs that it cannot see."""
    rng = Random(seed)
    bit = 1 << (4 if seat is None else seat)
    different = compared = 0
    for _ in range(20):
        true = new()
        true.place("deck", CARDS)
        true.shuffle("deck")
        for _ in range(rng.randrange(25)):
            some_op(true, rng).do(true)
        true.set_mark("result", ("over", ()))  # nothing runs in a sampled world
        world = sample_world(true.setting, view_of(true, seat), rng)
        world.table.update({key: value for key, value in true.table.items() if key.startswith("chance/")})
        true.events.clear()
        different += any(true.table.get(key) != world.table.get(key) for key in PIECES)
        for _ in range(12):
            op = some_op(true, rng)
            # Compare only operations that the seat cannot see, and none by position in a hand, which means nothing.
            hidden = not (true.eyes[op.source] | true.eyes[op.target]) & bit and not op.seats & bit
            if not hidden or op.verb in ("move", "reveal") or (op.verb == "take" and op.source not in PILES):
                continue
            op.do(true)
            op.do(world)
            compared += 1
            assert [e.seen_by(bit) for e in true.events] == [e.seen_by(bit) for e in world.events], op
            assert places_seen(true, seat) == places_seen(world, seat), op
    assert different > 5
    assert compared > 10


# ---- What is remembered of hidden places ----


def hand(*faces: str, key: str = "hand/basalt") -> State:
    """Return the state of a hand that no other seat has seen."""
    g = new()
    g.place("deck", faces)
    g.shuffle("deck")
    for _ in faces:
        g.draw("deck", key)
    g.events.clear()
    return g


def test_a_card_seen_on_its_way_is_remembered_until_one_leaves_unseen() -> None:
    g = hand("karama", "shield")
    g.place("board", ("snooper",))
    g.move("board", "hand/basalt", "snooper")
    assert places_seen(g, 0)["hand/basalt"] == ("snooper", HIDDEN, HIDDEN)
    assert places_seen(g, None)["hand/basalt"] == ("snooper", HIDDEN, HIDDEN)
    g.take("hand/basalt", "hand/amber", 0)
    assert places_seen(g, 0)["hand/basalt"] == ("snooper", HIDDEN), "amber has seen that it was another card"
    assert places_seen(g, 3)["hand/basalt"] == (HIDDEN, HIDDEN), "coral has not: the snooper may be gone"
    assert places_seen(g, None)["hand/amber"] == (HIDDEN,)


def test_equal_cards_are_remembered_by_their_number() -> None:
    g = hand("shield", "shield", "shield", "karama")
    g.reveal("hand/basalt", "shield")
    assert g.table["*hand/basalt"] == (0, AMBER | CORAL | WATCHERS, 0, 0)
    g.look("hand/basalt", AMBER)
    assert g.table["*hand/basalt"] == (AMBER, AMBER | CORAL | WATCHERS, AMBER, AMBER)
    g.move("hand/basalt", "board", "shield")
    assert g.table["*hand/basalt"] == (AMBER, AMBER, AMBER), "one of those that all knew is gone"
    g.move("board", "hand/basalt", "shield")
    assert g.table["*hand/basalt"] == (AMBER, AMBER | CORAL | WATCHERS, AMBER, AMBER)


def test_a_card_keeps_its_place_in_a_pile() -> None:
    g = new()
    g.place("deck", ("karama", "shield", "snooper"))
    g.shuffle("deck")
    faces = g.table["deck"]
    g.look("deck", AMBER, -1)
    g.look("deck", CORAL, 0)
    assert places_seen(g, 0)["deck"] == (HIDDEN, HIDDEN, faces[2])
    g.move("deck", "deck", faces[2], to=0)
    assert places_seen(g, 0)["deck"] == (faces[2], HIDDEN, HIDDEN)
    assert places_seen(g, 3)["deck"] == (HIDDEN, faces[0], HIDDEN)
    g.shuffle("deck")
    assert places_seen(g, 0)["deck"] == (HIDDEN,) * 3


def test_a_blind_theft_shows_the_card_to_the_two_concerned() -> None:
    g = hand("karama", "shield")
    g.take("hand/basalt", "hand/amber", 1)
    (event,) = g.events
    assert (
        event.seen_by(AMBER)
        == event.seen_by(0b00100)
        == ("move", "", "hand/basalt", None, "hand/amber", None, "shield")
    )
    assert (
        event.seen_by(CORAL) == event.seen_by(WATCHERS) == ("move", "", "hand/basalt", None, "hand/amber", None, None)
    )
    assert places_seen(g, 1)["hand/amber"] == ("shield",)
    assert places_seen(g, 3)["hand/amber"] == (HIDDEN,)


def test_what_all_seats_know_is_not_public_for_that() -> None:
    g = hand("karama")
    g.look("hand/basalt", AMBER | BASALT | CORAL)
    assert places_seen(g, 0)["hand/basalt"] == places_seen(g, 3)["hand/basalt"] == ("karama",)
    assert places_seen(g, None)["hand/basalt"] == (HIDDEN,)


# ---- Purses, stacks and marks ----


def test_payments_behind_screens_are_secret_and_others_are_not() -> None:
    g = new()
    told = Told(g)
    told.check()
    g.transfer("bank", "spice/amber", 7)
    g.transfer("spice/amber", "spice/basalt", 3)
    g.transfer("spice/basalt", "pot", 2)
    g.transfer("spice/basalt", "pot", 0)
    g.transfer("pot", "pot", 1)
    open_, secret, into_the_pot = g.events
    assert open_.seen_by(WATCHERS) == ("transfer", "", "bank", "spice/amber", 7)
    assert secret.seen_by(AMBER) == secret.seen_by(0b00010) == ("transfer", "", "spice/amber", "spice/basalt", 3)
    assert secret.seen_by(CORAL) is secret.seen_by(WATCHERS) is None
    assert into_the_pot.seen_by(CORAL) == ("transfer", "", "spice/basalt", "pot", 2)
    assert {key: g.get(key) for key in ("bank", "spice/amber", "spice/basalt", "pot")} == {
        "bank": -7,
        "spice/amber": 4,
        "spice/basalt": 1,
        "pot": 2,
    }
    told.check()


def test_units_move_and_change_kind() -> None:
    g = new()
    g.place("camp", (3, 1))
    g.shift("camp", "field", (2, 1))
    g.shift("camp", "field", (0, 0))
    g.shift("camp", "camp", (1, 0))
    g.exchange("field", (1, 2))
    g.exchange("field", (1, 2))
    assert (g.get("camp"), g.get("field")) == ((1, 0), (1, 2))
    g.shift("camp", "field", (1, 0))
    assert "camp" not in g.table
    assert [event.verb for event in g.events] == ["set"] * 4 + ["place", "shift", "exchange", "shift"]
    Told(g).check()


@pytest.mark.parametrize(
    ("sight", "told"),
    [
        (Sight.OPEN, (7, 7)),
        (Sight.OWNER, (7, HIDDEN)),
        (Sight.SCREEN, (7, None)),
        (Sight.BACKS, (HIDDEN, HIDDEN)),
        (Sight.SEALED, (7, HIDDEN)),
        (Sight.QUIET, (7, None)),
    ],
)
def test_what_a_mark_shows(sight: Sight, told: tuple[Any, Any]) -> None:
    g = new()
    g.events.clear()
    key = f"mark/{sight.value}"
    for value in (7, 0, False, (), "", None):
        g.set_mark(key, value, "R-2")
        g.set_mark(key, value, "R-2")
        for bit, shown in zip((0b00010, CORAL), told, strict=True):
            seen = value if shown == 7 or value is None else HIDDEN
            # A change from one hidden value to another gives other seats no event, just as no change does.
            silent = shown is None or (seen == HIDDEN and value != 7)
            assert g.events[-1].seen_by(bit) == (None if silent else ("set", "R-2", key, seen))
    assert len(g.events) == 6, "0 and False are different values, and the same value twice is no change"
    g.set_mark(key, 5)
    assert g.open(key) == 5
    assert g.events[-1].seen_by(WATCHERS) == ("open", "", key, 5)
    assert key not in g.table


@pytest.mark.parametrize("value", [0, False, (), "", 3, (1, ("a", None))])
def test_a_mark_is_there_with_any_value_but_none(value: Any) -> None:
    g = new()
    for sight in Sight:
        g.set_mark(f"mark/{sight.value}", value)
    told = Told(g)
    told.check()
    for sight in Sight:
        g.set_mark(f"mark/{sight.value}", None)
    told.check()


def test_things_said_change_no_place() -> None:
    g = new()
    told = Told(g)
    told.check()
    before = dict(g.table)
    g.rule = "R-0"
    g.declare("R-1", 2, "poor", value=False)
    g.announce(First("amber", 3))
    with pytest.raises(LawBroken, match="Undeclared is not one of the game's announcements"):
        g.announce(Undeclared())
    g.whisper(AMBER, "a hint", "worm", rule="R-3")
    assert [event.seen_by(AMBER) for event in g.events] == [
        ("declare", "R-1", 2, "poor", False),
        ("announce", "R-0", "First", "amber", 3),
        ("whisper", "R-3", AMBER, "a hint", "worm"),
    ]
    assert g.events[-1].seen_by(CORAL) == ("whisper", "R-3", AMBER, "a hint")
    told.check()
    assert g.table == before


def test_dice_are_told_and_picks_are_not() -> None:
    g = new()
    g.events.clear()
    number = g.roll("storm", 6)
    numbers = g.rolls("battle", 3, 4)
    assert g.rolls("battle", 3, 0) == ()
    assert g.pick("theft", 1) == 0
    assert 0 <= g.pick("theft", 5) < 5
    assert [event.public for event in g.events] == [("storm", number), ("battle", *numbers)]
    assert {key for key in g.table if key.startswith("chance/")} == {
        "chance/die/storm",
        "chance/die/battle",
        "chance/pick/theft",
    }
    assert places_seen(g, 0).keys() == {"side/0", "side/1", "side/2", "side/3"}


# ---- What cannot be done ----


@pytest.mark.parametrize(
    "verb",
    [
        lambda g: g.move("hand/basalt", "hand/amber", "thumper"),
        lambda g: g.move("hand/basalt", "pot", "karama"),
        lambda g: g.move("hand/basalt", "camp", "karama"),
        lambda g: g.draw("row", "hand/amber"),
        lambda g: g.place("hand/basalt", ("shield",)),
        lambda g: g.place("camp", (1, 1)),
        lambda g: g.place("pot", (1, 1)),
        lambda g: g.gather("hand/basalt", "hand/amber"),
        lambda g: g.shuffle("hand/basalt"),
        lambda g: g.shuffle("private"),
        lambda g: g.look("hand/basalt", 1, 0),
        lambda g: g.look("hand/basalt", WATCHERS),
        lambda g: g.reveal("hand/basalt", "thumper"),
        lambda g: g.transfer("pot", "bank", 3),
        lambda g: g.transfer("bank", "pot", -1),
        lambda g: g.transfer("bank", "hand/amber", 1),
        lambda g: g.transfer("camp", "pot", 1),
        lambda g: g.shift("camp", "field", (2, 0)),
        lambda g: g.shift("camp", "field", (2, -1)),
        lambda g: g.shift("camp", "ships", (1, 0)),
        lambda g: g.exchange("camp", (3, 3)),
        lambda g: g.exchange("camp", (3, -1)),
        lambda g: g.set_mark("pot", 7),
        lambda g: g.set_mark("hand/basalt", None),
        lambda g: g.open("mark/sealed"),
        lambda g: g.open("hand/basalt"),
        lambda g: g.declare("R-9", 0, "something"),
        lambda g: g.assign(3, "basalt"),
        lambda g: g.roll("storm", 0),
    ],
)
def test_what_cannot_be_done_changes_nothing(verb: Any) -> None:
    g = hand("karama", "shield")
    g.place("private", ("snooper",))
    g.place("camp", (1, 1))
    g.transfer("bank", "pot", 2)
    g.events.clear()
    before = dict(g.table)
    with pytest.raises((LawBroken, ValueError)):
        verb(g)
    assert g.table == before
    assert g.events == []


@pytest.mark.parametrize("verb", ["set_mark", "transfer", "move", "shift", "place", "look"])
def test_places_that_are_not_declared_are_never_written(verb: str) -> None:
    arguments: dict[str, tuple[Any, ...]] = {
        "set_mark": ("nowhere", 1),
        "transfer": ("bank", "nowhere", 1),
        "move": ("hand/basalt", "nowhere", "karama"),
        "shift": ("camp", "nowhere", (1, 0)),
        "place": ("nowhere", ("karama",)),
        "look": ("nowhere", 1),
    }
    g = hand("karama")
    g.place("camp", (1, 1))
    before = dict(g.table)
    if verb == "look":
        g.look(*arguments[verb])  # the place is empty
    else:
        with pytest.raises((KeyError, LawBroken)):
            getattr(g, verb)(*arguments[verb])
    assert g.table == before


# ---- What can be declared ----


@pytest.mark.parametrize(
    ("zone", "complaint"),
    [
        (Zone("hand", Content.HAND, Sight.SCREEN, {"h": ()}, BACK), "a hand cannot have the sight screen"),
        (Zone("deck", Content.PILE, Sight.QUIET, {"d": ()}, BACK), "a pile cannot have the sight quiet"),
        (Zone("camp", Content.STACK, Sight.OWNER, {"c": ()}), "a stack cannot have the sight owner"),
        (Zone("spice", Content.PURSE, Sight.SEALED, {"s": ()}), "a purse cannot have the sight sealed"),
        (Zone("deck", Content.PILE, Sight.BACKS, {"d": ()}), "hidden pieces need a back"),
        (Zone("mark", Content.MARK, Sight.OPEN, {"*d": ()}), "is reserved for the engine"),
        (Zone("mark", Content.MARK, Sight.OPEN, {"chance/d": ()}), "is reserved for the engine"),
        (Zone("mark", Content.MARK, Sight.OPEN, {"pot": ()}), "declared twice"),
    ],
)
def test_zones_that_no_verb_could_keep(zone: Zone, complaint: str) -> None:
    with pytest.raises(LawBroken, match=complaint):
        Layout((Zone("pot", Content.PURSE, Sight.OPEN, {"pot": ()}), zone))
