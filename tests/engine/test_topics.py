"""Cache topics: a derived value stays cached until a place that it depends on is written, and no longer."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from landsraad_engine.errors import LawBroken
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.memo import MemoKind
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import Content, Layout, Sight, Zone

HILLS, RIDERS, CARDS = "hills", "riders", "cards"
KIND = MemoKind("kind")


class Country(Game):
    """Three topics, two of which share a place, and places without a topic."""

    id = "country"
    seats = (2,)
    state = State

    def layout(self, options: Any, seats: int) -> Sequence[Zone]:
        def zone(content: Content, *keys: str, topics: tuple[str, ...] = (), **more: Any) -> Zone:
            return Zone(keys[0], content, Sight.OPEN, dict.fromkeys(keys, ()), "card", topics=topics, **more)

        return (
            zone(Content.STACK, "hill", "peak", topics=(HILLS, RIDERS), units=("riders",)),
            zone(Content.STACK, "camp", units=("riders",)),
            zone(Content.MARK, "weather", topics=(HILLS,)),
            zone(Content.MARK, "turn"),
            zone(Content.PILE, "deck", topics=(CARDS,)),
            zone(Content.HAND, "table"),
            zone(Content.PURSE, "pot", "purse"),
        )


def country() -> State:
    g = State(setting_for(Country(), {}, 2, b"key"))
    g.table |= {"hill": (3,), "camp": (2,), "deck": ("knife", "mask"), "pot": 4}
    g.memo["anything"] = 1
    for topic in (HILLS, RIDERS, CARDS):
        g.topics[topic][KIND, "key"] = 1
    return g


def kept(g: State) -> set[str]:
    return {name for name, memo in (("memo", g.memo), *g.topics.items()) if memo}


WRITES: dict[str, tuple[Callable[[State], Any], set[str]]] = {
    "units leave": (lambda g: g.shift("hill", "camp", (1,)), {CARDS}),
    "units come": (lambda g: g.shift("camp", "peak", (1,)), {CARDS}),
    "units are placed": (lambda g: g.place("peak", (1,)), {CARDS}),
    "a mark of the topic": (lambda g: g.set_mark("weather", "sand"), {CARDS, RIDERS}),
    "a mark of none": (lambda g: g.set_mark("turn", 2), {CARDS, HILLS, RIDERS}),
    "a piece leaves": (lambda g: g.draw("deck", "table"), {HILLS, RIDERS}),
    "a mark as it was": (lambda g: g.set_mark("turn", None), {CARDS, HILLS, RIDERS, "memo"}),
    "spice": (lambda g: g.transfer("pot", "purse", 1), {CARDS, HILLS, RIDERS, "memo"}),
    "the table itself": (lambda g: g.forget(), set()),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_write_outdates_what_rests_on_it_and_nothing_else(write: str) -> None:
    g = country()
    do, left = WRITES[write]
    do(g)
    assert kept(g) == left


def test_the_keys_of_two_kinds_do_not_collide() -> None:
    g = country()
    other = MemoKind(KIND.name)
    g.topics[HILLS][other, "key"] = 2
    assert g.topics[HILLS][KIND, "key"] == 1


def test_a_copy_works_everything_out_for_itself() -> None:
    g = country()
    twin = g.copy()
    assert kept(twin) == set()
    twin.shift("hill", "camp", (1,))
    assert kept(g) == {"memo", HILLS, RIDERS, CARDS}


@pytest.mark.parametrize(
    ("content", "sight"),
    [(Content.PURSE, Sight.OPEN), (Content.PURSE, Sight.SCREEN), (Content.MARK, Sight.SEALED)],
)
def test_what_no_write_outdates_has_no_topic(content: Content, sight: Sight) -> None:
    with pytest.raises(LawBroken, match="purses and hidden marks cannot have topics"):
        Layout((Zone("spice", content, sight, {"spice": ()}, topics=(HILLS,)),))


def test_a_topic_is_nobodys_business() -> None:
    """Topics are about caching; they are no part of a zone's identity."""
    plain, topical = (Zone("hill", Content.STACK, Sight.OPEN, {"hill": ()}, topics=topics) for topics in ((), (HILLS,)))
    assert plain == topical
