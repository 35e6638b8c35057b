"""Information logs on the wire: events, questions, the public step, own answers; and views."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from landsraad.v1 import ask_pb2, log_pb2, table_pb2
from landsraad_engine.knowledge.information import Entry, KnownTable

from .acts import NAMED, ActCodec
from .events import read_event, write_event
from .fields import count, framed, maybe_number, numbers, tag, text
from .grammar import options, write_offered
from .memo import read_once, written_once
from .records import Record, chosen, many, one
from .values import value

if TYPE_CHECKING:
    from landsraad_engine.kernel.asks import Ask
    from landsraad_engine.kernel.frames import Frame

_ENTRY = log_pb2.Entry.DESCRIPTOR
_ELEMENT = tag(log_pb2.Entries.DESCRIPTOR, "entries")
_EVENT, _ASIDE, _STEP, _QUESTION, _ANSWER, _PLAY = (
    tag(_ENTRY, name) for name in ("event", "aside", "step", "question", "answer", "play")
)
_WITHDRAWN = framed(_ELEMENT, framed(tag(_ENTRY, "withdrawn"), b""))
_FIRST = count(log_pb2.Entries.DESCRIPTOR, "first")

_FRAME = Record(log_pb2.Step.Frame.DESCRIPTOR, {"name": text, "step": text, "fields": many(NAMED.write, NAMED.read)})


def _write_frame(items: tuple[tuple[str, Any], ...]) -> bytes:
    named = dict(items)
    return _FRAME.write((named.pop("frame"), named.pop("pc"), named.items()))


@read_once
def _read_frame(parsed: Any) -> tuple[tuple[str, Any], ...]:
    name, step, fields = _FRAME.read(parsed)
    return tuple(sorted((("frame", name), ("pc", step), *fields)))


# Straight from the engine's frames, without the plain form: in a step after the other most stand as they stood, and of
# the others one or two facts have changed.
_FRAMES, _FACTS = tag(log_pb2.Step.DESCRIPTOR, "frames"), tag(log_pb2.Step.Frame.DESCRIPTOR, "fields")
_NAME, _PC = text(log_pb2.Step.Frame.DESCRIPTOR, "name"), text(log_pb2.Step.Frame.DESCRIPTOR, "step")
_listed = written_once(lambda item: framed(_FACTS, NAMED.write(item)))


@lru_cache(4096, typed=True)  # True is not 1; but inside of a tuple it would be
def _single(name: str, value: Any) -> bytes:
    return framed(_FACTS, NAMED.write((name, value)))


@cache
def _facts(kind: type[Frame]) -> list[str]:
    """The names of a procedure's own fields, in the order in which they are told."""
    return sorted(name for name in kind.__struct_fields__ if name != "pc")


@written_once
def _standing(frame: Frame) -> bytes:
    """A procedure in progress as an element of a step."""
    kind = type(frame)
    body = [_NAME.write(kind.__name__), _PC.write(frame.pc)]
    for name in _facts(kind):
        value = getattr(frame, name)
        body.append(_listed((name, value)) if type(value) is tuple else _single(name, value))
    return framed(_FRAMES, b"".join(body))


_ASKED_BY, _ASKED = text(log_pb2.Step.DESCRIPTOR, "rule"), numbers(log_pb2.Step.DESCRIPTOR, "seats")
#: (frames, rule, seats): the public step.
_STEPS = Record(
    log_pb2.Step.DESCRIPTOR, {"frames": many(written_once(_write_frame), _read_frame), "rule": text, "seats": numbers}
)
#: (rule, window, options): what a seat is told of a question.
QUESTION = Record(ask_pb2.Question.DESCRIPTOR, {"rule": text, "window": text, "options": options})
_PUT_BY, _WINDOW = text(ask_pb2.Question.DESCRIPTOR, "rule"), text(ask_pb2.Question.DESCRIPTOR, "window")
_OPTIONS = tag(ask_pb2.Question.DESCRIPTOR, "options")
_PLACE = Record(table_pb2.PlaceContent.DESCRIPTOR, {"key": text, "value": value})
# Most places of a view are as they were in the one before.
_PLACES = many(written_once(_PLACE.write), _PLACE.read)
_OBSERVATION = Record(
    log_pb2.Observation.DESCRIPTOR,
    {
        "match": text,
        "seat": maybe_number,
        "epoch": count,
        "number": count,
        "places": _PLACES,
        "step": one(_STEPS.write, _STEPS.read),
        "decision_id": count,
        "question": one(QUESTION.write, QUESTION.read),
        "last_seq": count,
        "during": count,
        "shown": _PLACES,
    },
)


def write_entry(entry: Entry, acts: ActCodec) -> bytes:
    """An entry as an element of `Entries`.

    It has no number in it: an entry that several seats were told is written once, and joined into the logs of all.
    """
    match entry[0]:
        case "event":
            body = framed(_EVENT, write_event(entry[1], entry[2], entry[3:]))
        case "aside":
            body = framed(_ASIDE, write_event(entry[1], entry[2], entry[3:]))
        case "at":
            body = framed(_STEP, _STEPS.write(entry[1:]))
        case "ask":
            body = framed(_QUESTION, QUESTION.write(entry[1:]))
        case "answer":
            body = framed(_ANSWER, acts.write(entry[1]))
        case "play":
            body = framed(_PLAY, acts.write(entry[1]))
        case "closed":
            return _WITHDRAWN
        case kind:
            raise TypeError(f"a log entry of kind {kind!r} has no form on the wire")
    return framed(_ELEMENT, body)


def write_step(frames: Iterable[Frame], rule: str, seats: tuple[int, ...]) -> bytes:
    """The public step as an element of `Entries`: the same bytes as of its plain form, in a third of the time."""
    body = b"".join([*[_standing(frame) for frame in frames], _ASKED_BY.write(rule), _ASKED.write(seats)])
    return framed(_ELEMENT, framed(_STEP, body))


def write_question(ask: Ask, seat: int) -> bytes:
    """What a seat is asked, as an element of `Entries`: likewise."""
    body = _PUT_BY.write(ask.why) + _WINDOW.write(ask.window) + framed(_OPTIONS, write_offered(ask.options[seat]))
    return framed(_ELEMENT, framed(_QUESTION, body))


def write_entries(first: int, elements: list[bytes]) -> bytes:
    """The bytes of `Entries`: consecutive entries, the first of them with this number."""
    return _FIRST.write(first) + b"".join(elements)


def read_entry(parsed: log_pb2.Entry, acts: ActCodec) -> Entry:
    """The entry as the engine's log has it."""
    name = chosen(parsed, "body")
    body = getattr(parsed, name)
    match name:
        case "event" | "aside":
            return (name, *read_event(body))
        case "step":
            return ("at", *_STEPS.read(body))
        case "question":
            return ("ask", *QUESTION.read(body))
        case "withdrawn":
            return ("closed",)
        case own:
            return (own, acts.read_plain(body))


def write_observation(
    view: KnownTable, *, match: str, number: int, epoch: int = 0, last_seq: int = 0, during: int = 0
) -> bytes:
    """The bytes of `Observation`: a view as of an entry's number."""
    decision, question = view.ask or (0, None)
    return _OBSERVATION.write(
        (
            match,
            view.seat,
            epoch,
            number,
            sorted(view.places.items()),
            view.at or None,
            decision,
            question,
            last_seq,
            during,
            sorted(view.shown.items()),
        )
    )


def read_observation(parsed: log_pb2.Observation) -> KnownTable:
    """The view."""
    _, seat, _, _, places, step, decision, question, _, _, shown = _OBSERVATION.read(parsed)
    view = KnownTable(seat)
    view.places = dict(places)
    view.shown = dict(shown)
    view.at = step or ()
    view.ask = (decision, question) if decision else None
    return view
