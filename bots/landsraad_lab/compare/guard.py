"""A guard around each bot: a failure or a timeout of a bot is a result, not the end of the comparison."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.match import Match

Answer = TypeVar("Answer")

#: After so many timeouts in a match, the bot has failed it.
MOST_TIMEOUTS = 3
#: A bot that sleeps takes no CPU time, so a call also ends after this multiple of the limit on the wall clock.
WALL_FACTOR = 10


class TimedOut(BaseException):
    """The time of a call is up. A bot's own `except Exception` does not catch it."""


class SeatFailed(BaseException):
    """A bot has raised an exception, chosen an illegal act or exceeded its time too often.

    It is no `Exception`, so that `play_out` does not report it as a failure of its own kind.
    """

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat
        self.why = why


class TimeLimit:
    """A limit on the CPU time of calls in the main thread."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._armed = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Handle the signals of both timers during the block."""
        before = [(each, signal.signal(each, self._ring)) for each in (signal.SIGPROF, signal.SIGALRM)]
        try:
            yield
        finally:
            self._disarm()
            for each, handler in before:
                signal.signal(each, handler)

    def call(self, function: Callable[[], Answer]) -> Answer:
        """Call a function.

        Raises:
            TimedOut: The time is up.
        """
        try:
            self._armed = True
            signal.setitimer(signal.ITIMER_PROF, self.seconds)
            signal.setitimer(signal.ITIMER_REAL, self.seconds * WALL_FACTOR)
            try:
                return function()
            finally:
                self._disarm()
        except TimedOut:
            self._disarm()  # a signal may have come before the timers were off
            raise

    def _disarm(self) -> None:
        self._armed = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, _number: int, _frame: object) -> None:
        if self._armed:
            self._armed = False
            raise TimedOut


class GuardedBot(Bot):
    """A bot in its seat. It answers timeouts with the default act, and turns failures into `SeatFailed`."""

    def __init__(self, bot: Bot, match: Match, seat: int, limit: TimeLimit) -> None:
        super().__init__()
        self.bot = bot
        self.match = match
        self.seat = seat
        self.limit = limit
        self.timeouts = 0

    def decide(self, view: Any, ask: Decision) -> Act:
        """Return the bot's act, or the default act after a timeout."""
        act = self._call(lambda: _checked(self.bot.decide(view, ask), ask.options), ask.why)
        if act is not None:
            return act
        assert self.match.g.ask is not None
        return self.match.g.ask.default_for(self.seat)

    def ended(self, view: Any, result: tuple[str, tuple[int, ...]]) -> None:
        """Tell the bot."""
        self._call(lambda: self.bot.ended(view, result), "the end")

    def _call(self, function: Callable[[], Answer], why: str) -> Answer | None:
        """Call the bot; return None after a timeout."""
        try:
            return self.limit.call(function)
        except TimedOut:
            self.timeouts += 1
            if self.timeouts == MOST_TIMEOUTS:
                text = f"{MOST_TIMEOUTS} decisions took more than {self.limit.seconds:g} s, the last at {why}"
                raise SeatFailed(self.seat, text) from None
        except Exception as error:
            raise SeatFailed(self.seat, f"{type(error).__name__} at {why}: {error}") from error
        return None


class GuardedTalker(GuardedBot):
    """The guard of a bot that makes out-of-turn plays. Other bots are not offered any, which saves time."""

    def interject(self, view: Any, plays: Options) -> Act | None:
        """Return the bot's play, or None, also after a timeout."""

        def ask() -> Act | None:
            play = self.bot.interject(view, plays)
            return None if play is None else _checked(play, plays)

        return self._call(ask, "a play")


def guarded(bot: Bot, match: Match, seat: int, limit: TimeLimit) -> GuardedBot:
    """Return the guard of a bot."""
    kind = GuardedBot if type(bot).interject is Bot.interject else GuardedTalker
    return kind(bot, match, seat, limit)


def _checked(act: object, options: Options) -> Act:
    """Return the act if it is legal."""
    if not isinstance(act, Act):
        raise TypeError(f"{act!r} is not an act")
    fault = options.fault(act)
    if fault is not None:
        raise ValueError(f"illegal act {act!r}: {fault.message}")
    return act
