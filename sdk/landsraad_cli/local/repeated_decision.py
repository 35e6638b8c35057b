"""A decision of a saved match: what was asked and answered, and the answer of a bot that is asked again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from landsraad.advice import Advice, AdvisingBot, advice_facts
from landsraad.bot_traceback import bot_traceback
from landsraad.bots import bot_class
from landsraad_cli.output import progress
from landsraad_cli.terminal.advice import advice_lines
from landsraad_cli.terminal.sentences import rule_text
from landsraad_engine.errors import BotFailed, Refused
from landsraad_engine.kernel.execution import from_plain, plays
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.match import Match, replaying
from landsraad_engine.play.match import replay as play_again
from landsraad_engine.play.self_play import RepeatedBot

#: Legal acts that are listed; of more, some are drawn as examples.
_LISTED: Final = 20
_EXAMPLES: Final = 8
#: Legal acts that are counted.
_COUNTED: Final = 100_000


class NoDecision(Exception):
    """At this position, the seat has nothing to decide."""


@dataclass(frozen=True, slots=True)
class RepeatedDecision:
    """The answer of a bot to a decision that was put to it again."""

    bot: str
    seed: int
    #: True if the seed stands in the file, so that the bot draws the random numbers of the match
    same_seed: bool
    #: the number of earlier decisions that were put to the bot first
    earlier: int
    #: the positions of those that it answers otherwise now
    differing: tuple[int, ...]
    #: the act, None after an exception
    answer: Act | None
    #: the refusal of the act, or the traceback of the bot's exception
    error: str
    #: all that it has considered, if it is a bot that tells it
    advice: Advice | None = None


def seat_to_ask(match: Match, body: Mapping[str, Any], position: int, seat: int | None) -> int | None:
    """Return the seat whose decision is shown at a position: the one given, else the one that acts next."""
    if seat is not None or match.g.ask is None or not match.waiting:
        return seat
    failed = [one["seat"] for one in body.get("failures", ()) if one["at"] == position]
    following = [one[0] for one in body["journal"][position : position + 1]]
    return next(iter((*failed, *(one for one in following if one in match.waiting))), match.waiting[0])


def decision_facts(match: Match, body: Mapping[str, Any], position: int, seat: int | None) -> dict[str, Any] | None:
    """Return what a seat has to decide at a position, and its choice; None if it has nothing to decide."""
    seat = seat_to_ask(match, body, position, seat)
    ask = match.g.ask
    if ask is None or seat not in match.waiting:
        return None
    options = ask.options[seat]
    acts = [repr(act) for act in options.enumerate(limit=_LISTED + 1)]
    complete = len(acts) <= _LISTED
    if not complete:
        rng = Random(0)
        acts = list(dict.fromkeys(repr(options.sample_kind(rng)) for _ in range(2 * _EXAMPLES)))[:_EXAMPLES]
    count = len(acts) if complete else options.count(limit=_COUNTED)
    return {
        "seat": seat,
        "why": ask.why,
        "window": ask.window,
        "legal": count,
        "legal_is_exact": complete or count < _COUNTED,
        "acts": acts,
        "acts_are_all": complete,
        "chosen": _chosen(match, body, position, seat),
    }


def _chosen(match: Match, body: Mapping[str, Any], position: int, seat: int) -> str | None:
    """Return the next answer of a seat, if nothing else has closed its question before."""
    decision = match.decision(seat)
    for later, given in replaying(match.game, body):
        if len(later.journal) < position:
            continue
        if given is None or later.decision(seat) != decision or seat not in later.waiting:
            return None
        if given.seat == seat and given.kind == "answer":
            return repr(from_plain(match.game, given.act))
        if given.seat == seat and given.kind == "absent":
            return "(given up: the default act)"
    return None


def decision_lines(game: Game, facts: Mapping[str, Any]) -> list[str]:
    """Return a decision for people."""
    window = f" (window {facts['window']})" if facts["window"] else ""
    count = f"{facts['legal']:,}" if facts["legal_is_exact"] else f"more than {facts['legal'] - 1:,}"
    label = "Legal acts" if facts["acts_are_all"] else "Legal acts, with examples"
    lines = [
        f"Seat {facts['seat']} decides{window}, by {rule_text(game.id, facts['why'])}",
        f"{label}: {count}",
        *(f"  {'>' if act == facts['chosen'] else ' '} {act}" for act in facts["acts"]),
    ]
    return [*lines, f"Chosen: {facts['chosen'] or 'nothing: the question was closed otherwise, or the file ends here'}"]


def repeat_decision(
    game: Game, body: Mapping[str, Any], position: int, seat: int | None, bot: str, *, fresh: bool
) -> RepeatedDecision:
    """Put a decision of a saved match to a bot again.

    The bot is made with the seed that stands in the file, and gets everything that its seat was told and asked before,
    in the order of the match. So its memory and its random numbers are those of the match, if it has not changed.

    Args:
        game: The game.
        body: The replay.
        position: The number of inputs before the decision.
        seat: The seat; by default, the one that decides there.
        bot: A name, as `landsraad.bots.bot_class` takes it.
        fresh: Leave out the earlier decisions: quicker, but the bot has no memory and begins its random numbers anew.

    Raises:
        NoDecision: The seat has nothing to decide at this position.
        UnknownBot: There is no such bot.
        BadJournal: The replay cannot be played.
    """
    kind = bot_class(bot, game.id)
    at = play_again(game, body, position)
    wanted = seat_to_ask(at, body, position, seat)
    if wanted is None or not (wanted in at.waiting or plays(at.g, wanted).choices):
        there = f"the seats {', '.join(map(str, at.waiting))} have" if at.waiting else "nobody has"
        who = "" if wanted is None else f" and not seat {wanted}"
        raise NoDecision(f"after input {position}, {there} something to decide{who}")
    seated = body.get("bots") or []
    known = wanted < len(seated) and bool(seated[wanted]["bot"])
    seed = int(seated[wanted]["seed"]) if known else 0
    player: RepeatedBot | None = None
    made = kind(seed)
    try:
        with progress(f"{bot}: earlier decisions", position) as advance:
            for match, given in replaying(game, body):
                if player is None:
                    player = RepeatedBot(match, wanted, made)
                if len(match.journal) >= position:
                    break
                if not fresh:
                    player.follow(given)
                advance()
        assert player is not None
        answer, error = _decided(player)
    except BotFailed as failed:
        cause = failed.__cause__ or failed
        assert player is not None
        answer, error = None, f"After input {len(player.match.journal)}: {failed}\n{bot_traceback(cause)}"
    advice = made.last_report if isinstance(made, AdvisingBot) and not error else None
    return RepeatedDecision(bot, seed, known, player.decisions, tuple(player.differing), answer, error, advice)


def _decided(player: RepeatedBot) -> tuple[Act | None, str]:
    """Ask the bot; return its act with the refusal that it meets."""
    act = player.interject()
    if act is None and player.seat in player.match.waiting:
        act = player.decide()
    if act is not None:
        try:
            player.match.try_out(player.seat, act)
        except Refused as refused:
            ask = player.match.g.ask
            refused.locate(player.match.name, player.seat, "" if ask is None else ask.why)
            return act, f"The act is illegal: {refused}"
    return act, ""


def repeated_facts(repeated: RepeatedDecision) -> dict[str, Any]:
    """Return the answer as data for programs."""
    return {
        "bot": repeated.bot,
        "seed": repeated.seed,
        "same_seed": repeated.same_seed,
        "earlier_decisions": repeated.earlier,
        "answered_otherwise": list(repeated.differing),
        "answer": None if repeated.answer is None else repr(repeated.answer),
        "error": repeated.error,
        "advice": None if repeated.advice is None else advice_facts(repeated.advice),
    }


def repeated_lines(repeated: RepeatedDecision) -> list[str]:
    """Return the answer for people."""
    stream = "with the seed of the match" if repeated.same_seed else f"with seed {repeated.seed}, for the file has none"
    lines = [f"{repeated.bot}, {stream}, after {repeated.earlier} earlier decisions"]
    if repeated.differing:
        lines.append(
            f"It answers {len(repeated.differing)} of them otherwise now, first after input {repeated.differing[0]}."
        )
    if repeated.error:
        return [*lines, *([] if repeated.answer is None else [f"Its answer: {repeated.answer!r}"]), repeated.error]
    if repeated.advice is not None:
        lines += ["It has considered:", *advice_lines(repeated.advice, repr)]
    return [*lines, f"Its answer: {'no out-of-turn play' if repeated.answer is None else repr(repeated.answer)}"]
