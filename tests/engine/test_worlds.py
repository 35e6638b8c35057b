"""Sampled worlds: all worlds that are consistent with a view come, with the right frequencies."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import permutations
from random import Random
from typing import Any

import pytest

from landsraad.games import load
from landsraad_engine.errors import LawBroken
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, step
from landsraad_engine.kernel.grammar import Act, Choice, OneOf, Range
from landsraad_engine.kernel.snapshots import decode_stack, encode
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import HIDDEN, Content, Sight, Zone
from landsraad_engine.knowledge import worlds
from landsraad_engine.knowledge.information import view_of
from landsraad_engine.knowledge.worlds import WorldSampler, sample_world
from landsraad_engine.play.bot import RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing
from landsraad_engine.teaching.acts import Bid, NameOmen, Pass, Thump
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.teaching.words import HAND
from landsraad_engine.teaching.zones import THUMPER
from landsraad_engine.testing.fairness import looks_uniform

BACK = "card"
PLACES = ("deck", "hand/amber", "hand/basalt", "vault")
ZONES = (
    Zone("deck", Content.PILE, Sight.BACKS, {"deck": ()}, BACK),
    Zone("hand", Content.HAND, Sight.OWNER, {f"hand/{side}": (side,) for side in ("amber", "basalt")}, BACK),
    Zone("vault", Content.HAND, Sight.BACKS, {"vault": ()}, BACK),
    Zone("discard", Content.PILE, Sight.OPEN, {"discard": ()}, BACK),
    Zone("purse", Content.PURSE, Sight.SCREEN, {f"purse/{side}": (side,) for side in ("amber", "basalt", "coral")}),
    Zone("bank", Content.PURSE, Sight.OPEN, {"bank": ()}, unlimited=True),
    Zone("goal", Content.MARK, Sight.SEALED, {f"goal/{side}": (side,) for side in ("amber", "basalt")}),
    Zone("vow", Content.MARK, Sight.QUIET, {f"vow/{side}": (side,) for side in ("amber", "basalt")}),
)


@pytest.fixture
def laid(toy: Any, state_of: Any) -> Any:
    """Return a finished match of amber and basalt with these pieces, all of them unknown."""

    def lay(cards: Mapping[str, tuple[str, ...]], **methods: Any) -> State:
        pieces = tuple(card for key in cards for card in cards[key])
        game = toy(ZONES, census={BACK: pieces})
        game.__class__ = type("Sampled", (type(game),), methods)
        g: State = state_of(game, ("amber", "basalt"))
        for key, faces in cards.items():
            g.table[key] = tuple(sorted(faces)) if g.setting.places[key].zone.content is Content.HAND else faces
        g.set_mark("result", ("over", ()))
        return g

    return lay


def sampled(g: State, seat: int | None, n: int) -> Counter[tuple[Any, ...]]:
    """Count the sampled worlds by the content of their hidden places."""
    view = view_of(g, seat)
    rng = Random(3)
    found: Counter[tuple[Any, ...]] = Counter()
    for _ in range(n):
        world = sample_world(g.setting, view, rng)
        assert view_of(world, seat) == view
        found[tuple(world.table.get(key, ()) for key in PLACES)] += 1
    return found


def possible_worlds(sizes: Mapping[str, int], pool: str, own: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield every assignment of the pool's cards to these places, one for each order of the pool."""
    for order in permutations(pool):
        cards = iter(order)
        here = {key: [next(cards) for _ in range(size)] for key, size in sizes.items()}
        yield tuple(
            own if key == "hand/amber" else tuple(here.get(key, ()) if key == "deck" else sorted(here.get(key, ())))
            for key in PLACES
        )


def test_every_world_comes_equally_often(laid: Any) -> None:
    g = laid({"deck": ("a", "b"), "hand/amber": ("c",), "hand/basalt": ("d", "e")})
    possible = set(possible_worlds({"deck": 2, "hand/basalt": 2}, "abde", ("c",)))
    assert len(possible) == 12
    assert looks_uniform(sampled(g, 0, 60 * len(possible)), sorted(possible))


def test_equal_cards_weigh_as_many_as_they_are(laid: Any) -> None:
    g = laid({"deck": ("a", "a"), "hand/amber": ("c",), "hand/basalt": ("a", "b", "b")})
    weights = Counter(possible_worlds({"deck": 2, "hand/basalt": 3}, "aaabb", ("c",)))
    counts = sampled(g, 0, 3000)
    assert set(counts) == set(weights)
    spread: Counter[tuple[Any, int]] = Counter()
    for world, n in counts.items():  # divided by its orders, which are equally likely
        for order in range(weights[world]):
            spread[world, order] += n // weights[world]
    assert looks_uniform(spread, list(spread))


def test_a_place_takes_only_what_fits_it(laid: Any) -> None:
    def fits(self: Any, g: Any, key: str, face: str) -> bool:
        return {"deck": "abc", "vault": "cd", "hand/basalt": "abcde"}[key].count(face) == 1

    g = laid({"deck": ("a", "c"), "vault": ("d",), "hand/basalt": ("b", "e")}, fits=fits)
    possible = {
        world
        for world in possible_worlds({"deck": 2, "vault": 1, "hand/basalt": 2}, "abcde", ())
        if set(world[0]) <= set("abc") and set(world[3]) <= set("cd")
    }
    assert len(possible) == 8
    assert looks_uniform(sampled(g, 0, 100 * len(possible)), sorted(possible))


def test_the_one_assignment_that_fits_is_found(laid: Any) -> None:
    """A case in which taking the first card that fits mostly leads to a dead end."""

    def fits(self: Any, g: Any, key: str, face: str) -> bool:
        return face in {"deck": "abcde", "vault": "ab", "hand/basalt": "a"}[key]

    g = laid({"deck": ("c", "d", "e"), "vault": ("b",), "hand/basalt": ("a",)}, fits=fits)
    assert {(basalt, vault) for _, _, basalt, vault in sampled(g, 0, 40)} == {(("a",), ("b",))}
    g = laid({"deck": ("c", "d", "e"), "vault": ("c",), "hand/basalt": ("b",)}, fits=fits)
    with pytest.raises(LawBroken, match="no unseen piece fits"):
        sampled(g, 0, 1)


def test_what_a_seat_knows_of_hidden_places_it_still_knows(laid: Any) -> None:
    g = laid({"deck": ("a", "b", "c"), "hand/amber": ("d",), "hand/basalt": ("e", "e", "f"), "vault": ("g", "h")})
    g.look("deck", 0b01, 1)
    g.look("vault", 0b01)
    g.reveal("hand/basalt", "e")
    found = sampled(g, 0, 200)
    assert {world[0][1] for world in found} == {"b"}
    assert {world[3] for world in found} == {("g", "h")}
    assert {world[2].count("e") for world in found} == {1, 2}
    assert len(found) > 5


def test_spectators_sample_too(laid: Any) -> None:
    g = laid({"deck": ("a", "b"), "hand/amber": ("c",), "hand/basalt": ("d",), "discard": ("x",)})
    assert looks_uniform(sampled(g, None, 24 * 40), sorted(set(permutations_of_all(("a", "b", "c", "d")))))


def permutations_of_all(cards: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    for one, two, three, four in permutations(cards):
        yield ((one, two), (three,), (four,), ())


def test_a_box_that_does_not_hold_what_is_seen(laid: Any) -> None:
    g = laid({"deck": ("a", "b")}, census=lambda self, g: {BACK: ("a",)})
    with pytest.raises(LawBroken, match="2 hidden pieces, but only 1 in the box"):
        sampled(g, 0, 1)
    g = laid({"hand/amber": ("a",)}, census=lambda self, g: {BACK: ("b",)})
    with pytest.raises(LawBroken, match="a in hand/amber is not in the census"):
        sampled(g, 0, 1)


def test_hidden_marks_and_purses_are_guessed_one_after_the_other(laid: Any) -> None:
    """The game sees which values are not guessed yet, so that it can meet a fixed total."""
    seen: list[tuple[str, ...]] = []

    def guess(self: Any, g: State, key: str, rng: Random) -> Any:
        seen.append(tuple(sorted(k for k, v in g.table.items() if v == HIDDEN)))
        name, _, side = key.partition("/")
        if name == "purse":
            rest = -g.table["bank"] - sum(n for k, n in g.table.items() if k.startswith("purse/") and n != HIDDEN)
            return 0 if side == "coral" else rest
        return "worm" if name == "goal" else None

    g = laid({"deck": ("a",)}, guess=guess)
    g.transfer("bank", "purse/amber", 3)
    g.transfer("bank", "purse/basalt", 4)
    g.set_mark("goal/basalt", "storm")
    g.set_mark("vow/basalt", "secret")
    view = view_of(g, 0)
    world = sample_world(g.setting, view, Random(1))
    assert seen == [
        ("goal/basalt", "purse/basalt", "purse/coral", "vow/basalt"),
        ("purse/basalt", "purse/coral", "vow/basalt"),
        ("purse/coral", "vow/basalt"),
        ("vow/basalt",),
    ]
    assert (world.get("purse/amber"), world.get("purse/basalt"), world.get("purse/coral")) == (3, 4, 0)
    assert world.get("goal/basalt") == "worm"
    assert "vow/basalt" not in world.table, "whether there is one, the seat cannot know"
    assert "purse/coral" not in world.table
    assert view_of(world, 0) == view


# ---- Questions ----


class Say(Act, frozen=True):
    number: int


class Outer(Frame):
    @step("R-1")
    def ask(f, g: State) -> Flow:
        return Ask.sealed(dict.fromkeys((0, 1, 2), (Choice(Say, number=Range(0, 3)),)), why="R-1")

    @ask.answer
    def answered(f, g: State, answers: dict[int, Say]) -> Flow: ...


class Inner(Frame):
    @step("R-2")
    def ask(f, g: State) -> Flow:
        return Ask.sealed(dict.fromkeys((0, 1, 2), (Choice(Say, number=Range(5, 6)),)), why="R-2")

    @ask.answer
    def answered(f, g: State, answers: dict[int, Say]) -> Flow: ...


def test_sealed_answers_are_sampled_at_every_level(toy: Any, state_of: Any) -> None:
    game = toy(
        (),
        (Outer, Inner),
        (Say,),
        plays=lambda g, seat: (Choice(Say, number=OneOf((9,)), why="R-9"),),
        play=lambda g, seat, act: Inner(),
    )
    g = state_of(game, ("amber", "basalt", "coral"))
    execution.begin(g)
    execution.answer(g, 1, Say(2))
    execution.answer(g, 0, Say(1))
    execution.play(g, 2, Say(9))
    execution.answer(g, 1, Say(6))
    view = view_of(g, 0)
    rng = Random(1)
    found = set()
    for _ in range(60):
        world = sample_world(g.setting, view, rng)
        assert view_of(world, 0) == view
        assert world.waiting == (0, 2)
        assert world.table["sealed/0"] == ("Say", 1)
        found.add((world.table["sealed/1"][1], world.table["sealed/1/1"][1]))
    assert found == {(outer, inner) for outer in range(4) for inner in (5, 6)}


def test_a_world_may_have_a_stranger_s_chance() -> None:
    match = Match(TEACHING, 3)
    view = match.view(1)
    stranger = replace(match.g.setting, key=b"not the match's")
    assert encode(sample_world(stranger, view, Random(4))) == encode(sample_world(match.g.setting, view, Random(4)))
    assert not [key for key in sample_world(stranger, view, Random(4)).table if key.startswith("chance/")]


def test_a_world_in_the_middle_of_a_play_can_be_played_on() -> None:
    for n in range(60):
        match = Match(TEACHING, 3, secret=b"%d" % n)
        for seat in range(3):
            match.submit(seat, NameOmen(match.g.side(seat)))
        while match.g.path()[-1] != ("Market", "bids"):
            match.submit(match.waiting[0], Pass())
        holder = next((s for s in range(3) if THUMPER in match.g.table[HAND[match.g.side(s)]]), None)
        if holder is None:
            continue
        target = (holder + 1) % 3
        match.submit(target, Bid(0))
        match.submit(holder, Thump(match.g.side(target)))
        for seat in range(3):
            world = sample_world(match.g.setting, match.view(seat), Random(n))
            assert world.waiting == (target,)
            assert world.ask is not None
            execution.answer(world, target, next(world.ask.options[target].enumerate()))
            assert world.path()[-1] == ("Market", "bids")


# ---- Prepared samplers ----


def test_where_choices_are_nested_every_world_comes_equally_often(laid: Any) -> None:
    """The pieces with fewer choices draw first, and one piece of the box lies nowhere."""

    def fits(self: Any, g: Any, key: str, face: str) -> bool:
        return face in {"deck": "abcdef", "vault": "abcf", "hand/basalt": "ab"}[key]

    def census(self: Any, g: Any) -> Any:
        return {BACK: tuple("abcdef")}

    g = laid({"deck": ("c", "d"), "vault": ("b", "f"), "hand/basalt": ("a",)}, fits=fits, census=census)
    possible = {
        ((one, two), (), (basalt,), tuple(sorted((three, four))))
        for one, two, basalt, three, four in permutations("abcdef", 5)
        if basalt in "ab" and three in "abcf" and four in "abcf"
    }
    assert len(possible) == 36
    assert looks_uniform(sampled(g, None, 100 * len(possible)), sorted(possible))


def test_a_face_that_fits_nowhere_is_never_dealt(laid: Any) -> None:
    def fits(self: Any, g: Any, key: str, face: str) -> bool:
        return face != "x" and (key != "vault" or face == "a")

    g = laid({"deck": ("b",), "vault": ("a",)}, fits=fits, census=lambda self, g: {BACK: ("x", "b", "a", "x", "c")})
    assert {(world[0], world[3]) for world in sampled(g, None, 60)} == {(("b",), ("a",)), (("c",), ("a",))}


def test_a_prepared_sampler_draws_the_same_worlds_however_the_view_changes(laid: Any) -> None:
    g = laid({"deck": ("a", "b", "c"), "hand/amber": ("d",), "hand/basalt": ("e", "f")})
    view = view_of(g, 0)
    expected = [encode(sample_world(g.setting, view, Random(seed))) for seed in range(20)]
    sampler = WorldSampler(g.setting, view)
    assert len(set(expected)) > 10
    view.places.clear()
    view.shown.clear()
    view.at, view.ask = (), (1, ())
    assert [encode(sampler.sample(Random(seed))) for seed in range(20)] == expected


#: Most calls of Python functions for one world, on average: a fifth more than counted.
MOST_CALLS = {"dune": 280, "arrakis": 210}


@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_a_world_costs_little_at_every_position(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames, census and fitting are prepared once for all worlds of a view."""
    game = load(name)
    asked: Counter[str] = Counter()
    for method in ("census", "fits"):
        monkeypatch.setattr(type(game), method, counted(asked, method, getattr(type(game), method)))
    monkeypatch.setattr(worlds, "decode_stack", counted(asked, "frames", decode_stack))
    seats = game.default_seats
    match = Match(game, seats, secret=b"calls", record=False, orders=standing(seats))
    bots = [RandomBot(seat) for seat in range(seats)]
    costs: list[int] = []
    while match.result is None:
        play_out(match, bots, most=40)
        view = view_of(match.g, len(costs) % seats)
        sampler = WorldSampler(match.g.setting, view)
        assert asked["frames"] == asked["census"] == 1
        asked.clear()
        rng = Random(len(costs))
        sampler.sample(rng)  # fills the caches of the game
        costs.append(calls_of(partial(sampler.sample, rng)))
        assert not asked
    assert len(costs) > 10
    assert max(costs) <= 3 * MOST_CALLS[name]
    assert sum(costs) / len(costs) <= MOST_CALLS[name]


def counted(tally: Counter[str], name: str, function: Any) -> Any:
    """Return the function, with its calls counted."""

    def run(*arguments: Any) -> Any:
        tally[name] += 1
        return function(*arguments)

    return run


def calls_of(run: Callable[[], object]) -> int:
    """Return how many Python functions are called by a function."""
    calls = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls
