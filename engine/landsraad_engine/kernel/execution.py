"""Execution: run the steps of frames until a question, take answers, and let out-of-turn plays in between."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import astuple

from landsraad_engine.errors import LawBroken, Refused

from .asks import Ask
from .events import WINDOW_OPENED, WINDOW_PASSED, Event
from .frames import END, Call, Chain, Frame, Goto, Interlude
from .game import Game
from .grammar import Act, Options
from .reserved_places import MAX_NESTED_PLAYS, absent_key, answer_key, orders_key, seat_keys
from .state import State
from .zones import Sight

#: More steps than this without a question means that a frame runs in a circle.
RUNAWAY = 1000

#: Standing order of a seat that does not want to be asked when passing is all it can do.
AUTO = "auto"

#: The window in which out-of-turn plays are offered at set moments; it is put to those whose orders ask for a kind
#: ("ask:ghola"), everybody else passes.
ON_REQUEST = "ask"


@lru_cache(maxsize=32)
def standing_orders(game: Game) -> tuple[str, ...]:
    """Return all standing orders that a game knows."""
    return (AUTO, *game.windows, *(f"{ON_REQUEST}:{kind}" for kind in game.play_kinds))


def order_problem(game: Game, orders: Iterable[str]) -> str:
    """Return an error message if an order is unknown to this game, else an empty string."""
    known = standing_orders(game)
    return next((f"{order!r} is no standing order of {game.id}" for order in orders if order not in known), "")


def plain(act: Act) -> tuple[Any, ...]:
    """Return an act as a plain value: its name, then its fields."""
    return (type(act).__name__, *astuple(act))


def from_plain(game: Game, value: tuple[Any, ...]) -> Act:
    """Return the act that a plain value stands for."""
    kind = _kinds(game).get(value[0])
    if kind is None:
        raise LawBroken(f"{game.id} has no act {value[0]!r}")
    return kind(*value[1:])


@lru_cache(maxsize=32)
def _kinds(game: Game) -> dict[str, type[Act]]:
    return {kind.__name__: kind for kind in game.acts}


def begin(g: State) -> None:
    """Start a match: run up to its first question."""
    push(g, g.setting.game.opening(g))
    advance(g)


def push(g: State, frame: Frame) -> None:
    """Put a frame on top of the stack, at its first step."""
    info = g.setting.flow.info.get(type(frame))
    if info is None:
        if isinstance(frame, Chain):
            push(g, frame.second)
            push(g, frame.first)
            return
        raise LawBroken(f"{type(frame).__name__} is not in the game's list of frames")
    frame.pc = info[0]
    g.stack.append(frame)


def advance(g: State) -> None:
    """Run steps until a question or the end of the match."""
    flow = g.setting.flow.info
    stack = g.stack
    for _ in range(RUNAWAY):
        if not stack:
            if g.result is None:
                raise LawBroken("the match has no frame left and no result")
            g.ask = None
            g.waiting = ()
            return
        frame = stack[-1]
        fn, rule, handler, after = flow[type(frame)][1][frame.pc]
        g.rule = rule
        outcome = fn(frame, g)
        if outcome is None and after:  # the most frequent case, kept short
            frame.pc = after
        elif isinstance(outcome, Ask):
            if handler is None:
                raise LawBroken(f"{type(frame).__name__}.{frame.pc} asks but takes no answer")
            gathered = _put(g, outcome)
            if gathered is None:
                return
            _hand_over(g, frame, outcome, gathered, handler, after)
        else:
            _follow(g, frame, outcome, after)
    raise LawBroken(f"more than {RUNAWAY} steps without a question in {g.path()}")


def _follow(g: State, frame: Frame, outcome: Any, after: str) -> None:
    """Do what a step returned."""
    stack = g.stack
    if outcome is None:
        if after:
            frame.pc = after
        elif stack and stack[-1] is frame:
            stack.pop()
    elif outcome is END:
        if stack and stack[-1] is frame:
            stack.pop()
    elif isinstance(outcome, Frame):
        if not stack:  # the match ended inside the step
            return
        if after:
            frame.pc = after
        else:
            stack.pop()  # a call in the last step needs no place to come back to
        push(g, outcome)
    elif type(outcome) is Goto:
        _jump(g, frame, outcome.step)
    elif type(outcome) is Call:
        if not stack:
            return
        _jump(g, frame, outcome.then)
        push(g, outcome.frame)
    else:
        raise LawBroken(f"{type(frame).__name__}.{frame.pc} returned {outcome!r}")


def _jump(g: State, frame: Frame, name: str) -> None:
    if name not in g.setting.flow.info[type(frame)][1]:
        raise LawBroken(f"{type(frame).__name__} has no step {name!r}")
    frame.pc = name


# ------------------------------------------------------------------------------------------------------------ questions


class Gathered(msgspec.Struct, frozen=True, gc=False):
    """The answers to a question for several seats, given or implied by standing orders."""

    answers: dict[int, Act]
    committed: list[str]  #: where those that were given lie
    missing: tuple[int, ...]  #: seats that have not answered


def _put(g: State, ask: Ask) -> Gathered | None:
    """Put a question. Return the answers if none is missing: all are given, or follow from standing orders."""
    g.ask = ask
    if ask.mode != "all":
        if not ask.seats:
            raise LawBroken(f"a question without seats ({ask.why})")
        g.waiting = present(g, ask)
        return None
    before = len(g.events)
    gathered = _gather(g, ask)
    g.waiting = gathered.missing
    stays = bool(g.waiting) or held(g)
    if ask.sight is Sight.QUIET:
        # A window shows in every log, even if standing orders close it at once. Otherwise its mere appearance would
        # tell that a seat can react.
        frames = tuple([frame.copy() for frame in g.stack])
        verb = WINDOW_OPENED if stays else WINDOW_PASSED
        g.events.insert(before, Event(verb, ask.why, (frames, ask.why, ask.seats)))
    return None if stays else gathered


def present(g: State, ask: Ask) -> tuple[int, ...]:
    """Return the seats that an open question waits for: of partners those who are there, or all if none of them is."""
    there = tuple([seat for seat in ask.seats if not g.table.get(absent_key(seat))]) if len(ask.seats) > 1 else ()
    return there or ask.seats


def _gather(g: State, ask: Ask, *, checked: bool = False) -> Gathered:
    """Return the answers that lie on the table or follow from standing orders.

    They were ``checked`` when they were given, or when the question was put; if it is put again they may be illegal.
    """
    answers: dict[int, Act] = {}
    committed = []
    missing = []
    table = g.table
    setting = g.setting
    quiet = ask.sight is Sight.QUIET
    keys = seat_keys(not quiet, g.level, setting.seats)
    for seat, options in ask.options.items():
        key, orders = keys[seat]
        given = table.get(key)
        if given is not None:
            act = from_plain(setting.game, given)
            if checked or options.contains(act):
                answers[seat] = act
                committed.append(key)
                continue
            g.set_mark(key, None)  # no longer legal after a play in between: ask again
        if quiet and _implied(table.get(orders, ()), ask.window, options):
            answers[seat] = options.only() or ask.default_for(seat)
        else:
            missing.append(seat)
    return Gathered(answers, committed, tuple(missing))


def held(g: State) -> bool:
    """Tell if a reaction window is open that closes by the clock alone, so that its duration tells nothing.

    ``waiting`` may be empty then: all seats have answered.
    """
    return g.setting.timed and g.ask is not None and g.ask.sight is Sight.QUIET


def _implied(orders: tuple[str, ...], window: str, options: Options) -> bool:
    """Tell if the standing orders of a seat answer a quiet window for it."""
    if window == ON_REQUEST:
        return not requested(orders)
    return window in orders or (AUTO in orders and options.only() is not None)


@lru_cache(maxsize=1024)
def requested(orders: tuple[str, ...]) -> frozenset[str]:
    """Return the kinds of out-of-turn plays that these standing orders ask to be offered."""
    prefix = ON_REQUEST + ":"
    return frozenset(order.removeprefix(prefix) for order in orders if order.startswith(prefix))


def _hand_over(g: State, frame: Frame, ask: Ask, gathered: Gathered, handler: Any, after: str) -> None:
    """Take the answers off the table and hand them to the step, with the default for each that is missing."""
    opens = ask.sight is Sight.SEALED and not ask.secret
    for key in gathered.committed:
        if opens:
            g.open(key, ask.why)
        else:
            g.set_mark(key, None)
    g.ask = None
    g.waiting = ()
    answers = gathered.answers
    if gathered.missing:
        answers = {seat: answers.get(seat) or ask.default_for(seat) for seat in ask.seats}
    _follow(g, frame, handler(frame, g, answers), after)


def check_answer(g: State, seat: int, act: Act) -> Ask:
    """Return the open question if this is an answer that the seat may give to it; raise `Refused` otherwise."""
    ask = g.ask
    if ask is None:
        raise Refused("over", "the match has ended")
    if seat not in g.waiting:
        raise Refused("not_asked", "there is nothing for this seat to decide now")
    _check(g, seat, act, ask.options[seat], ask.why)
    return ask


def answer(g: State, seat: int, act: Act) -> None:
    """Take a seat's answer to the open question and run on. If it raises `Refused`, the state is unchanged."""
    ask = check_answer(g, seat, act)
    if ask.mode == "all":
        g.set_mark(answer_key(ask.sight, seat, g.level), plain(act), ask.why)
        g.waiting = tuple(s for s in g.waiting if s != seat)
        if g.waiting or held(g):
            return
        _close(g, ask)
    else:
        frame, handler, after = _asking(g)
        g.ask = None
        g.waiting = ()
        _follow(g, frame, handler(frame, g, seat, act), after)
    advance(g)


def _asking(g: State) -> tuple[Frame, Any, str]:
    """Return the frame that asks, the handler of its answer, and the step after it."""
    frame = g.stack[-1]
    _, g.rule, handler, after = g.setting.flow.info[type(frame)][1][frame.pc]
    return frame, handler, after


def _close(g: State, ask: Ask) -> None:
    """Hand the answers to a question of several seats to its step."""
    frame, handler, after = _asking(g)
    _hand_over(g, frame, ask, _gather(g, ask, checked=True), handler, after)


def close_window(g: State) -> None:
    """Close the held window because its time is up: a missing answer is the default."""
    ask = g.ask
    if ask is None or not held(g):
        raise Refused("not_asked", "no reaction window is open")
    _close(g, ask)
    advance(g)


def _check(g: State, seat: int, act: Act, options: Options, why: str) -> None:
    fault = options.fault(act)
    if fault is None:
        return
    sharper = g.setting.game.explain(g, seat, act)
    rule, message = sharper or (fault.rule or why, fault.message)
    raise Refused("against_rules", message, rule=rule, field=fault.field, nearest=options.nearest(act))


def plays(g: State, seat: int) -> Options:
    """Return the out-of-turn plays open to a seat now.

    There are none while a closed question is open or too many plays are in progress, and none for an absent seat, which
    only takes default acts.
    """
    if g.ask is None or g.ask.closed or g.level >= MAX_NESTED_PLAYS or g.table.get(absent_key(seat)):
        return Options(())
    return Options(tuple(g.setting.game.plays(g, seat)))


def check_play(g: State, seat: int, act: Act) -> None:
    """Raise `Refused` unless a seat may make this out-of-turn play."""
    if g.ask is None:
        raise Refused("over", "the match has ended")
    open_ = plays(g, seat)
    if not open_.offers(type(act)):
        message = f"{type(act).__name__} is not open to this seat now"
        raise Refused("not_now", message, nearest=tuple(open_.enumerate(3)))
    _check(g, seat, act, open_, "")


def play(g: State, seat: int, act: Act) -> None:
    """Take an out-of-turn play: its frame runs on top, then the question below is put again."""
    check_play(g, seat, act)
    frame = g.setting.game.play(g, seat, act)
    g.ask = None
    g.waiting = ()
    push(g, Interlude(seat, type(act).__name__))
    push(g, frame)
    advance(g)


def ask_again(g: State) -> bool:
    """Put the question of a state again; its step has written nothing, so it may run again.

    Return False if it asks no more: a sampled world may not lead to the question that is known to be open.
    """
    g.forget()
    if not g.stack:
        return False
    frame = g.stack[-1]
    fn, g.rule, *_ = g.setting.flow.info[type(frame)][1][frame.pc]
    outcome = fn(frame, g)
    return isinstance(outcome, Ask) and _put(g, outcome) is None


def reopen(g: State) -> None:
    """Take back the sealed answers to the open question, so that all its seats are asked again."""
    ask = g.ask
    if ask is None or ask.mode != "all" or ask.sight is not Sight.SEALED:
        return
    g.void_answers(g.level, {}, ask.why)
    g.waiting = ask.seats


def refresh(g: State) -> None:
    """Put the question of a loaded state again."""
    if not ask_again(g) and g.result is None:
        raise LawBroken(f"the question is not put again at {g.path()}")


def set_orders(g: State, seat: int, orders: tuple[str, ...]) -> None:
    """Set a seat's standing orders; a window that they answer closes."""
    g.set_mark(orders_key(seat), tuple(sorted(set(orders))) or None)
    if g.ask is not None and g.ask.sight is Sight.QUIET:
        g.ask = None
        advance(g)
