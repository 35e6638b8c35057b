"""Study jobs: computations about finished matches, which run in processes of their own.

Logs come as the bytes of the pages that the service has sent, so that the page's process decodes none of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any, Final

import msgspec

from landsraad.advice import AdvisingBot
from landsraad.bots import make_bot
from landsraad.errors import LandsraadError
from landsraad.models import read_match
from landsraad.seat_log import SeatDecision, SeatLog
from landsraad.v1 import play_pb2, replays_pb2
from landsraad_web.errors import PageError
from landsraad_web.json_forms import act_json

#: Points of a curve, about evenly spread over the public steps.
_POINTS: Final = 120
#: The bot whose candidates are shown, and the seed of its random numbers: the same question gets the same answer.
ADVISER: Final = "searcher@worlds=24,k=6"
_SEED: Final = 1
#: A log as the pages of the service.
Pages = Sequence[bytes]


class StudyRefused(msgspec.Struct, frozen=True):
    """The reason why something cannot be studied."""

    status: int
    reason: str
    message: str

    def error(self) -> PageError:
        """Return it as an error of the page."""
        return PageError(self.status, self.reason, self.message)


class CurvePoint(msgspec.Struct, frozen=True):
    """The probabilities to win after a number of public steps, in the order of the sides."""

    step: int
    values: list[float]


class WinCurve(msgspec.Struct, frozen=True):
    """The probability of each side to win, over the public steps of a match."""

    #: each side with its seats
    sides: list[tuple[str, list[int]]]
    points: list[CurvePoint]


def lower_priority() -> None:
    """Give way to the service and to the page: nobody's clock runs while a match is studied."""
    os.nice(10)


def win_curve(logs: Sequence[Pages]) -> bytes:
    """Return the win curve of a match as JSON.

    Each side is judged from what its own seats knew, by the learned value of the searching bots, and the values of all
    sides at a moment are scaled to a sum of 1.

    Args:
        logs: The logs of all seats.

    Returns:
        A `WinCurve`, or a `StudyRefused`.
    """
    from landsraad_bots.searching.values import value_for  # noqa: PLC0415  only processes of the pool know bots

    first = replays_pb2.Replay.FromString(logs[0][0])
    game, seats = first.match.game.removeprefix("games/"), len(first.match.seats)
    value = value_for(game, seats)
    if value is None:
        return _answer(_no_value(game, seats))
    by_seat = [dict(_seat_values(pages, seat, value)) for seat, pages in enumerate(logs)]
    sides: dict[str, list[int]] = {}
    for seat, found in enumerate(by_seat):
        for side, _ in found.values():
            sides.setdefault(side, []).append(seat)
            break
    points = []
    for step in sorted(set.intersection(*map(set, by_seat))):
        raw = [fmean(by_seat[seat][step][1] for seat in members) for members in sides.values()]
        total = sum(raw)
        if total > 0:
            points.append(CurvePoint(step, [round(one / total, 4) for one in raw]))
    if not points or len(sides) < 2:
        return _answer(_no_value(game, seats))
    return _answer(WinCurve(list(sides.items()), points))


def _seat_values(pages: Pages, seat: int, value: Any) -> Iterator[tuple[int, tuple[str, float]]]:
    """Yield step, side and value at the points of a curve, as a seat saw them."""
    steps = sum(entry.HasField("step") for page in map(_page, pages) for entry in page.entries.entries)
    stride = max(1, steps // _POINTS)
    log = _empty_log(pages, seat)
    count = 0
    for page in map(_page, pages):
        for number, entry in enumerate(page.entries.entries, page.entries.first):
            log.apply(_single(number, entry))
            count += entry.HasField("step")
            if entry.HasField("step") and (count % stride == 0 or count == steps):
                view = log.view()
                side = view.table.get(f"side/{seat}")
                if side is not None:
                    try:
                        yield count, (side, value.of(view))
                    except (
                        LookupError
                    ):  # set-up, or a mode with other places than those of the boards it was learned on
                        continue
    log.take_entries()


def advice(pages: Pages, seat: int, number: int) -> bytes:
    """Return a searching bot's candidates at a decision of a seat as JSON.

    Args:
        pages: The log of the seat.
        seat: The seat.
        number: The entry that asks.

    Returns:
        Candidates with their values, the chosen act and the act that was played; or a `StudyRefused`.
    """
    log, played = _empty_log(pages, seat), None
    decision: SeatDecision | None = None
    for page in map(_page, pages):
        for at, entry in enumerate(page.entries.entries, page.entries.first):
            if decision is not None and entry.WhichOneof("body") == "answer":
                played = act_json(log.codec.read_act(entry.answer))
                return _answer(_considered(log, decision, played))
            if decision is not None and entry.WhichOneof("body") in ("question", "withdrawn"):
                return _answer(_considered(log, decision, None))
            if at <= number:
                log.apply(_single(at, entry))
            if at == number:
                decision = _decision(log, seat)
                if decision is None or entry.WhichOneof("body") != "question":
                    return _answer(StudyRefused(404, "no_decision", f"entry {number} asks nothing of seat {seat}"))
    if decision is None:
        return _answer(StudyRefused(404, "no_decision", f"the log has no entry {number}"))
    return _answer(_considered(log, decision, None))


def _considered(log: SeatLog, decision: SeatDecision, played: dict[str, Any] | None) -> Any:
    assert log.match is not None, "the match comes first"
    bot = make_bot(ADVISER, log.match.game, _SEED)
    assert isinstance(bot, AdvisingBot)
    try:
        found = bot.consider(decision.view, decision)
    except (LookupError, LandsraadError):
        return StudyRefused(409, "no_value", "the searching bot does not know this mode of the game")
    rows = [
        {
            "act": act_json(each.act),
            "value": each.value,
            "low": each.low,
            "high": each.high,
            "worlds": each.worlds,
            "rule": each.rule,
        }
        for each in found.candidates
    ]
    return {"chosen": act_json(found.chosen), "played": played, "note": found.note, "candidates": rows}


def _decision(log: SeatLog, seat: int) -> SeatDecision | None:
    question = log.question
    if question is None:
        return None
    number, rule, window = question
    view = log.view()
    return SeatDecision(seat, log.options, rule, window, number=number, view=view, clock=None, worlds=log.worlds(view))


def _empty_log(pages: Pages, seat: int) -> SeatLog:
    log = SeatLog(seat)
    log.set_match(read_match(_page(pages[0]).match))
    return log


def _page(encoded: bytes) -> replays_pb2.Replay:
    return replays_pb2.Replay.FromString(encoded)


def _single(number: int, entry: Any) -> play_pb2.ServerItem:
    item = play_pb2.ServerItem()
    item.entries.first = number
    item.entries.entries.append(entry)
    return item


def _no_value(game: str, seats: int) -> StudyRefused:
    return StudyRefused(409, "no_value", f"no value has been learned for this mode of {game} with {seats} seats")


def _answer(content: Any) -> bytes:
    """Return content as JSON; a refusal stands in the field `refused`."""
    return msgspec.json.encode({"refused": content} if isinstance(content, StudyRefused) else content)
