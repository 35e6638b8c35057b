"""Worlds as bots search them: they agree with the view, play on as the engine does, and lead to no true state."""

import gc
import sys
import types
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from random import Random
from typing import Any

import pytest

from landsraad.games import load
from landsraad_engine.errors import NoWorld, Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.snapshots import encode
from landsraad_engine.play.bot import Bot, Decision, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, put_question, standing, view_apart
from landsraad_engine.play.world import World, WorldSource
from landsraad_engine.teaching.acts import Bid, NameOmen, Pass, Thump
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.teaching.words import HAND
from landsraad_engine.teaching.zones import THUMPER

GAMES = {"dune": load("dune"), "arrakis": load("arrakis"), "teaching": TEACHING}


def image(world: World) -> bytes:
    """Everything that a world consists of: its state, and the key of its later chance."""
    return encode(world._state) + bytes(world._state.setting.key)


def positions(game: Game, seats: int, *, every: int, most: int, record: bool = True) -> Iterator[Match]:
    """A random match, again and again as it goes on."""
    match = Match(game, seats, secret=b"worlds", orders=standing(seats), record=record)
    bots = [RandomBot(seat) for seat in range(seats)]
    for _ in range(most):
        play_out(match, bots, most=every)
        if match.result is not None:
            return
        yield match


def roam(world: World, rng: Random, most: int) -> list[Act]:
    """Play a world on at random; return the acts."""
    acts: list[Act] = []
    while world.asked and len(acts) < most:
        seat = rng.choice(world.asked)
        options = world.legal(seat)
        assert options is not None
        acts.append(options.sample(rng))
        world.apply(acts[-1], seat)
    return acts


# ---- What a world is made of ----


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("full", [False, True])
def test_a_world_agrees_with_the_view_all_through_a_match(name: str, full: bool) -> None:
    game = GAMES[name]
    seats = game.default_seats if full else min(game.seats)
    count = 0
    every = 3 if seats == 1 else 9  # alone against the automaton, a match has few questions
    for count, match in enumerate(positions(game, seats, every=every, most=60), 1):
        seat = match.waiting[count % len(match.waiting)]
        view, ask = put_question(match, seat)
        world = ask.world(Random(count))
        seen = world.view(seat)
        assert (seen.table, seen.frames, seen.side) == (view.table, view.frames, view.side)
        options = world.legal(seat)
        assert options is not None
        assert options.plain() == ask.options.plain()
        assert world.why(seat) == ask.why
        assert world.result is None
    assert count > (1 if game is TEACHING else 12)


@pytest.mark.parametrize("name", GAMES)
def test_a_view_read_from_the_table_and_one_folded_from_the_log_give_the_same_worlds(name: str) -> None:
    game = GAMES[name]
    seats = game.default_seats
    for number, match in enumerate(positions(game, seats, every=13, most=25)):
        seat = match.waiting[0]
        world = put_question(match, seat)[1].world(Random(number))
        folded = WorldSource(game, match.options, seats, match.fold(seat)).draw(Random(number))
        assert image(world) == image(folded)
        assert roam(world, Random(1), 40) == roam(folded, Random(1), 40)
        assert image(world) == image(folded)


def test_worlds_and_their_later_chance_differ_by_their_random_numbers() -> None:
    match = next(positions(GAMES["dune"], 6, every=40, most=1))
    _, ask = put_question(match, match.waiting[0])
    assert len({image(ask.world(Random(seed))) for seed in range(5)}) == 5
    keys = {bytes(ask.world(Random(seed))._state.setting.key) for seed in range(5)}
    assert len(keys) == 5
    assert match.g.setting.key not in keys


def test_a_decision_without_a_position_has_no_world() -> None:
    match = next(positions(TEACHING, 2, every=1, most=1))
    assert match.g.ask is not None
    seat = match.waiting[0]
    with pytest.raises(NoWorld, match="without a position"):
        Decision(seat, match.g.ask.options[seat], "").world(Random(1))


# ---- Nothing leads to the match ----


def reachable(*roots: object, modules: bool) -> dict[int, object]:
    """Everything that attributes, slots, containers and closures lead to; perhaps our own modules' globals as well."""
    found: dict[int, object] = {}
    todo = list(roots)
    while todo:
        one = todo.pop()
        if id(one) in found or isinstance(one, types.ModuleType | types.FrameType):
            continue
        found[id(one)] = one
        if not modules and isinstance(one, _lru_cache_wrapper):
            continue  # no attribute leads to what it keeps
        if isinstance(one, types.FunctionType):
            todo += [one.__closure__, one.__defaults__, one.__kwdefaults__, vars(one)]
            if modules and (one.__module__ or "").startswith("landsraad"):
                todo.append(one.__globals__)
        else:
            todo += gc.get_referents(one)
    return found


def secrets_of(match: Match) -> list[object]:
    """The objects of the true match: what it holds, and all that changes with it."""
    g = match.g
    own = [match, match.core, match.journal, match.recorder, g, g.setting, g.table, g.stack, *g.stack]
    return [*own, g.events, g.dirty, g.memo, g.topics]


def questions_of(match: Match) -> list[object]:
    """The open question, and what it offers to other seats than the one that is asked first."""
    ask = match.g.ask
    return [] if ask is None else [ask, *(ask.options[seat] for seat in ask.seats if seat != match.waiting[0])]


#: Calls of a bot from one search to the next: each takes a third of a second.
LOOKS = {"dune": 250, "arrakis": 60, "teaching": 10}


class Reached(Bot):
    """A bot that looks for the match in everything that it is given."""

    def __init__(self, match: Match, seed: int, shared: list[int]) -> None:
        super().__init__(seed)
        self.every = LOOKS[match.game.id]
        self.match = match
        self.rounds = shared

    def look(self, *given: object) -> None:
        self.rounds.append(len(self.rounds))
        if len(self.rounds) % self.every != 1:
            return
        found = reachable(*given, modules=True)
        assert not [type(one).__name__ for one in secrets_of(self.match) if id(one) in found]
        keys = {one for one in found.values() if isinstance(one, bytes)}
        assert not keys & {self.match.secret, self.match.g.setting.key}
        assert not [one for one in found.values() if isinstance(one, Match)]

    def look_for_questions(self, *given: object) -> None:
        """Games keep public questions for all matches, so that worlds and modules may lead to one: look before."""
        if len(self.rounds) % self.every == 0:
            found = reachable(*given, modules=False)
            assert not [type(one).__name__ for one in questions_of(self.match) if id(one) in found]

    def decide(self, view: Any, ask: Any) -> Act:
        self.look_for_questions(view, ask)
        world = ask.world(self.rng)
        act: Act = ask.sample(self.rng)
        ask.explain(act)
        view.mark()
        after = world.copy()
        after.apply(act, ask.seat)
        views = [world.view(seat) for seat in (None, *range(world.seats))]
        self.look(view, view.table, ask, world, after, views, world.legal(ask.seat), world.plays(ask.seat))
        return act

    def interject(self, view: Any, plays: Any) -> None:
        self.look(view, plays)

    def ended(self, view: Any, result: Any) -> None:
        self.look(view, result)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_a_bot_gets_leads_to_the_match(name: str) -> None:
    game = GAMES[name]
    seats = game.default_seats
    match = Match(game, seats, secret=b"never to be found", orders=standing(seats))
    rounds: list[int] = []
    play_out(match, [Reached(match, seat, rounds) for seat in range(seats)], most=300)
    assert len(rounds) > 3 * LOOKS[name]


def test_the_search_for_the_match_finds_it_where_it_is() -> None:
    match = next(positions(TEACHING, 2, every=1, most=1))
    for given in (match.game.facade(match.g, 0), lambda: match, [{"a": (match.g,)}]):
        found = reachable(given, modules=False)
        assert [one for one in secrets_of(match) if id(one) in found]


# ---- Playing on ----


def opened(seats: int = 3, seed: int = 1) -> tuple[Match, World]:
    """A match of the small game at its first question, which asks all seats at once, and a world of it."""
    match = Match(TEACHING, seats)
    return match, put_question(match, 0)[1].world(Random(seed))


def test_answers_to_a_sealed_question_wait_for_the_last_one() -> None:
    match, world = opened()
    assert world.asked == (0, 1, 2)
    before = world.view(0).frames
    with pytest.raises(ValueError, match="3 seats are asked"):
        world.apply(NameOmen(match.g.side(0)))
    for seat in (0, 1):
        world.apply(NameOmen(match.g.side(seat)), seat)
        assert seat not in world.asked
        assert world.legal(seat) is None
        assert world.why(seat) == ""
    world.apply(NameOmen(match.g.side(2)))
    assert world.view(0).frames != before
    assert match.waiting == (0, 1, 2), "the match itself has not moved"


def test_sealed_answers_can_be_taken_back() -> None:
    """The worlds of a seat that answers late contain the answers of others, drawn at random."""
    match, fresh = opened()
    match.answer(0, NameOmen(match.g.side(0)))
    world = put_question(match, 2)[1].world(Random(1))
    assert world.asked == (1, 2)
    world.reopen()
    assert world.asked == fresh.asked == (0, 1, 2)
    assert world.view(None).frames == fresh.view(None).frames
    for seat in world.asked:
        world.apply(NameOmen(match.g.side(seat)), seat)
    assert match.waiting == (1, 2), "the match itself has not moved"


def test_a_question_to_one_seat_stays_as_it_is_when_reopened() -> None:
    match = next(positions(GAMES["dune"], 2, every=30, most=1))
    world = put_question(match, match.waiting[0])[1].world(Random(1))
    before = image(world)
    world.reopen()
    assert image(world) == before


def test_a_refused_act_changes_nothing() -> None:
    _, world = opened()
    before = image(world)
    for act, seat in ((NameOmen("nobody"), 0), (Pass(), 1), (Bid(0), 2)):
        refused = world.explain(act, seat)
        with pytest.raises(Refused) as caught:
            world.apply(act, seat)
        assert refused is not None
        assert refused.reason in ("against_rules", "not_now")
        assert caught.value.rule == refused.rule
    assert (world.explain(NameOmen("nobody"), 7) or Refused("over", "")).reason == "not_asked"
    assert image(world) == before


def test_copies_are_independent_and_share_their_later_chance_unless_it_is_drawn_anew() -> None:
    match = next(positions(GAMES["dune"], 2, every=30, most=1))
    world = put_question(match, match.waiting[0])[1].world(Random(1))
    before = image(world)
    alike = [world.copy() for _ in range(2)]
    assert roam(alike[0], Random(3), 300) == roam(alike[1], Random(3), 300)
    assert image(alike[0]) == image(alike[1])
    assert image(world) == before
    anew = world.copy(Random(5))
    assert encode(anew._state) == encode(world._state)
    roam(anew, Random(3), 300)
    assert encode(anew._state) != encode(alike[0]._state), "other dice"


def test_a_view_of_a_world_does_not_change() -> None:
    _, world = opened()
    view = world.view(0)
    table, frames = dict(view.table), view.frames
    roam(world, Random(1), 8)
    assert (view.table, view.frames) == (table, frames)
    assert world.view(0).table != table


def test_out_of_turn_plays_can_be_made() -> None:
    for seed in range(60):
        match = Match(TEACHING, 3, secret=b"%d" % seed)
        for seat in range(3):
            match.submit(seat, NameOmen(match.g.side(seat)))
        while match.g.path()[-1] != ("Market", "bids"):
            match.submit(match.waiting[0], Pass())
        holder = next((s for s in range(3) if THUMPER in match.g.table[HAND[match.g.side(s)]]), None)
        if holder is None:
            continue
        world = put_question(match, holder)[1].world(Random(1))
        target = (holder + 1) % 3
        play = Thump(match.g.side(target))
        assert world.plays(holder).offers(Thump)
        assert world.plays(holder).contains(play)
        world.apply(play, holder)
        assert world.asked == (target,)
        return
    pytest.fail("nobody has got a Thumper")


@pytest.mark.parametrize("name", GAMES)
def test_a_world_ends_with_the_shares_of_all_seats(name: str) -> None:
    game = GAMES[name]
    seats = min(game.seats)
    options = {"round_limit": 1} if name == "arrakis" else {}
    for seed in range(3):
        match = Match(game, seats, options, orders=standing(seats), secret=b"%d" % seed)
        world = put_question(match, match.waiting[0])[1].world(Random(seed))
        roam(world, Random(seed), 20_000)
        result = world.result
        assert result is not None
        assert world.asked == ()
        assert result.kind in game.results
        assert sum(result.shares) == pytest.approx(1)
        winning = result.winners or range(seats)
        assert [share > 0 for share in result.shares] == [seat in winning for seat in range(seats)]
        assert world.legal(0) is None
        with pytest.raises(Refused):
            world.apply(Pass(), 0)


def test_seats_that_have_resigned_take_default_acts_in_a_world_too() -> None:
    match = next(positions(GAMES["dune"], 4, every=25, most=1))
    match.set_absent(3)
    match.set_absent(2)
    while match.waiting[0] != 0:
        match.answer(match.waiting[0], default_act(match))
    world = put_question(match, 0)[1].world(Random(1))
    rng = Random(2)
    for _ in range(100):
        assert not {2, 3} & set(world.asked)
        roam(world, rng, 1)


def default_act(match: Match) -> Act:
    """The default act of the first seat that is asked."""
    assert match.g.ask is not None
    return match.g.ask.default_for(match.waiting[0])


def test_views_of_local_play_do_not_change() -> None:
    match = next(positions(TEACHING, 2, every=1, most=1))
    view, apart = put_question(match, match.waiting[0])[0], view_apart(match, match.waiting[0])
    before = dict(view.table), view.frames
    assert (apart.table, apart.frames) == before
    play_out(match, [RandomBot(1), RandomBot(2)], most=4)
    assert (view.table, view.frames) == (apart.table, apart.frames) == before


# ---- Cost ----

#: Calls of Python functions that a world makes beyond those of the engine: a key, a setting with it, the world.
WORLD_CALLS = 10


@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_a_world_costs_little_more_than_the_state_in_it(name: str) -> None:
    for match in positions(GAMES[name], GAMES[name].default_seats, every=60, most=5, record=False):
        _, ask = put_question(match, match.waiting[0])
        ask.world(Random(1))  # makes the sampler
        check_cost(ask)


def check_cost(ask: Decision) -> None:
    """Count the calls of each operation of a world beside those of the engine's own."""
    source, seat = ask._worlds, ask.seat
    assert isinstance(source, WorldSource)
    assert source._sampler is not None
    sampler, world = source._sampler, ask.world(Random(1))
    state = world._state
    options = world.legal(seat)
    assert options is not None
    act = options.sample(Random(2))
    for _ in range(2):  # fills the caches of the game
        ask.world(Random(4)).apply(act, seat)
        world.copy().apply(act, seat)
    assert calls_of(ask.world, Random(4)) <= calls_of(sampler.sample, Random(4)) + WORLD_CALLS
    assert calls_of(world.copy) == calls_of(state.copy) + 1
    assert calls_of(world.legal, seat) == 1
    assert calls_of(world.copy().apply, act, seat) <= calls_of(execution.answer, state.copy(), seat, act) + 2


def calls_of(run: Callable[..., object], *arguments: object) -> int:
    """Return how many Python functions are called by a function, itself included."""
    calls = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run(*arguments)
    finally:
        sys.setprofile(before)
    return calls
