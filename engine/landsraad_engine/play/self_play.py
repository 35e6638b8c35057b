"""Local play: bots in one process, with the same question and view that they get over the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from landsraad_engine.errors import BotFailed, Explanation, LawBroken, NoWorld, Refused
from landsraad_engine.kernel.execution import AUTO, plain, plays
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.knowledge.information import KnownTable, at_entry, places_seen, plain_stack, shown_faces
from landsraad_engine.knowledge.views import SeatView

from .bot import Bot, Decision, RandomBot
from .match import Match
from .match_core import Input
from .world import WorldSource

#: A match that takes more inputs than this does not end: a rule is missing somewhere.
BOUND = 200_000


class LocalDecision(Decision):
    """A decision of a match in this process. It knows what its seat knows, and nothing leads from it to the match."""

    __slots__ = ("_match",)

    def __init__(self, match: Match, known: KnownTable) -> None:
        ask, seat = match.g.ask, known.seat
        assert ask is not None
        assert seat is not None
        worlds = WorldSource(match.game, match.options, match.seats, known)
        super().__init__(seat, ask.options[seat], ask.why, ask.window, worlds=worlds)
        self._match = match.name

    def explain(self, act: Act) -> Explanation | None:
        """Return why an act is illegal.

        Args:
            act: The act to check.

        Returns:
            The refusal that the act would meet; None if it is legal.
        """
        try:  # a refusal is made of what the seat knows, so that any world gives the true one
            refused = self.world(Random(0)).explain(act, self.seat)
        except NoWorld:
            return super().explain(act)
        if refused is not None:
            refused.locate(self._match, self.seat, self.why)
        return refused


def view_apart(match: Match, seat: int) -> SeatView:
    """Return the view of a seat, from which nothing leads to the match."""
    view: SeatView = match.game.facade.of(places_seen(match.g, seat), seat, plain_stack(match.g.stack))
    return view


def put_question(match: Match, seat: int) -> tuple[SeatView, LocalDecision]:
    """Return the view and the open decision of a seat that is asked, as a bot gets them."""
    g = match.g
    known = KnownTable(seat)
    known.places = places_seen(g, seat)
    known.shown = shown_faces(g)
    known.at = at_entry(g)
    known.ask = (match.decision(seat), ())
    view: SeatView = match.game.facade.of(known.places, seat, known.at[0])
    return view, LocalDecision(match, known)


@dataclass(slots=True)
class Tally:
    """Counters of a match played out."""

    inputs: int = 0
    #: answers with at least two legal acts
    decisions: int = 0


def standing(seats: int) -> Mapping[int, tuple[str, ...]]:
    """Return the standing orders of seats that do not want to be asked when passing is all they can do."""
    return dict.fromkeys(range(seats), (AUTO,))


def play_out(match: Match, bots: Sequence[Bot], most: int | None = None) -> Tally:
    """Play a match with one bot per seat, to its end or for so many inputs at the most.

    Those with something to interject are offered their plays. Those that listen are told the new entries of their logs
    before each call.

    Raises:
        Refused: a bot has chosen an illegal act. The refusal names the match, the seat and the rule that asked it.
        BotFailed: a bot has raised an exception, which is the cause of this one; it names the same.

    """
    tally = Tally()
    g = match.g
    # Bots that draw at random look at nothing, and most of their time would go into what they are shown.
    blind = {seat for seat, bot in enumerate(bots) if type(bot).decide is RandomBot.decide}
    nothing: SeatView = match.game.facade.of({}, None)
    talkative = {seat: bot for seat, bot in enumerate(bots) if type(bot).interject is not Bot.interject}
    listeners = {seat: _Listener(match, seat, bot) for seat, bot in enumerate(bots) if listens(bot)}
    joint = 0  # questions to several partners so far: they take turns in answering them
    while (ask := g.ask) is not None and tally.inputs != most:
        tally.inputs += 1
        if tally.inputs > BOUND:
            raise LawBroken(f"the match does not end: {g.path()}")
        if talkative and _interjected(match, talkative, listeners):
            continue
        seat = g.waiting[0]
        if ask.mode == "any" and len(g.waiting) > 1:
            seat = g.waiting[joint % len(g.waiting)]
            joint += 1
        options = ask.options[seat]
        act = options.only()
        if act is None:
            tally.decisions += 1
            if seat in listeners:
                listeners[seat].tell()
            with _located(match, seat, "decide"):
                if seat in blind:
                    act = bots[seat].decide(nothing, Decision(seat, options, ask.why, ask.window))
                else:
                    act = bots[seat].decide(*put_question(match, seat))
        try:
            match.answer(seat, act)
        except Refused as refused:
            refused.locate(match.name, seat, ask.why)
            raise
    for seat, bot in enumerate(bots):
        if match.result is not None:
            if seat in listeners:
                listeners[seat].tell()
            with _located(match, seat, "ended"):
                bot.ended(view_apart(match, seat), match.result)
    return tally


def listens(bot: Bot) -> bool:
    """Return True if a bot wants to be told what happens, for which its match has to keep logs."""
    return type(bot).told is not Bot.told


class _Listener:
    """A bot that is told the new entries of its seat's log."""

    __slots__ = ("_bot", "_match", "_seat", "_sent")

    def __init__(self, match: Match, seat: int, bot: Bot) -> None:
        self._match = match
        self._seat = seat
        self._bot = bot
        self._sent = 0

    def tell(self) -> None:
        """Tell the bot what it has not been told yet.

        Raises:
            BotFailed: the bot has raised an exception.
            ValueError: the match keeps no logs.

        """
        new = tuple(self._match.log(self._seat)[self._sent :])
        if new:
            self._sent += len(new)
            with _located(self._match, self._seat, "told"):
                self._bot.told(view_apart(self._match, self._seat), new)


class RepeatedBot:
    """A bot that is asked again, in a match that is played from its journal, what it was asked there.

    Args:
        match: the match, before its first input.
        seat: the seat of the bot.
        bot: the bot, as new.

    """

    def __init__(self, match: Match, seat: int, bot: Bot) -> None:
        self.match = match
        self.seat = seat
        #: the decisions so far, and the positions at which the bot has answered otherwise than in the journal
        self.decisions = 0
        self.differing: list[int] = []
        self._bot = bot
        self._interjects = type(bot).interject is not Bot.interject
        self._listener = _Listener(match, seat, bot) if listens(bot) else None

    def follow(self, given: Input | None) -> None:
        """Put to the bot what `play_out` put to it before an input.

        Raises:
            BotFailed: the bot has raised an exception.

        """
        ask = self.match.g.ask
        if ask is None or given is None:
            return
        own_play = given.kind == "play" and given.seat == self.seat
        if given.kind != "play" or given.seat >= self.seat:  # else `play_out` had not come to this bot
            play = self.interject()
            if (None if play is None else plain(play)) != (given.act if own_play else None):
                self.differing.append(len(self.match.journal))
        if given.kind == "answer" and given.seat == self.seat and ask.options[self.seat].only() is None:
            self.decisions += 1
            if plain(self.decide()) != given.act:
                self.differing.append(len(self.match.journal))

    def decide(self) -> Act:
        """Put the open decision to the bot.

        Raises:
            BotFailed: the bot has raised an exception.

        """
        self._tell()
        with _located(self.match, self.seat, "decide"):
            return self._bot.decide(*put_question(self.match, self.seat))

    def interject(self) -> Act | None:
        """Offer the bot the out-of-turn plays that are open, if there are any and it makes some.

        Raises:
            BotFailed: the bot has raised an exception.

        """
        if not self._interjects:
            return None
        open_ = plays(self.match.g, self.seat)
        if not open_.choices:
            return None
        self._tell()
        with _located(self.match, self.seat, "interject"):
            return self._bot.interject(view_apart(self.match, self.seat), open_)

    def _tell(self) -> None:
        if self._listener is not None:
            self._listener.tell()


class _located:  # noqa: N801  a generator would cost each decision a microsecond more
    """Raise an exception of a bot as `BotFailed`, with its place."""

    __slots__ = ("_hook", "_match", "_seat")

    def __init__(self, match: Match, seat: int, hook: str) -> None:
        self._match = match
        self._seat = seat
        self._hook = hook

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            ask = self._match.g.ask
            why = "" if ask is None else ask.why
            raise BotFailed(self._match.name, self._seat, why, self._hook, error) from error


def _interjected(match: Match, talkative: Mapping[int, Bot], listeners: Mapping[int, _Listener]) -> bool:
    """Offer the out-of-turn plays that are open now; True if one was made."""
    for seat, bot in talkative.items():
        open_ = plays(match.g, seat)
        if open_.choices:
            if seat in listeners:
                listeners[seat].tell()
            with _located(match, seat, "interject"):
                act = bot.interject(view_apart(match, seat), open_)
            if act is not None:
                try:
                    match.submit(seat, act)
                except Refused as refused:
                    assert match.g.ask is not None
                    refused.locate(match.name, seat, match.g.ask.why)
                    raise
                return True
    return False
