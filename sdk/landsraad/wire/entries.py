"""Information logs on the wire: events, questions, public steps, own answers; and views."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from landsraad.v1 import ask_pb2, log_pb2, table_pb2
from landsraad_engine.knowledge.information import Entry, KnownTable

from .acts import NAMED, ActCodec
from .events import read_event, write_event
from .fields import count, framed, maybe_number, numbers, tag, text, varint
from .grammar import options, write_offered
from .memo import cached_reader, cached_writer
from .records import Record, many, one, set_member
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


@cached_reader
def _read_frame(parsed: Any) -> tuple[tuple[str, Any], ...]:
    name, step, fields = _FRAME.read(parsed)
    return tuple(sorted((("frame", name), ("pc", step), *fields)))


# Steps are written straight from the engine's frames, without the plain form. From one step to the next most frames
# stay the same, and in the others one or two facts change.
_FRAMES, _FACTS = tag(log_pb2.Step.DESCRIPTOR, "frames"), tag(log_pb2.Step.Frame.DESCRIPTOR, "fields")
_NAME, _PC = text(log_pb2.Step.Frame.DESCRIPTOR, "name"), text(log_pb2.Step.Frame.DESCRIPTOR, "step")
_fact_of_list = cached_writer(lambda item: framed(_FACTS, NAMED.write(item)))


@lru_cache(4096, typed=True)  # distinguish True from 1; inside a tuple, lru_cache would not
def _fact_of_value(name: str, value: Any) -> bytes:
    return framed(_FACTS, NAMED.write((name, value)))


@cache
def _fact_names(kind: type[Frame]) -> list[str]:
    """Return the names of a frame's own fields, in the order in which they are sent."""
    return sorted(name for name in kind.__struct_fields__ if name != "pc")


@cached_writer
def _frame_element(frame: Frame) -> bytes:
    """Write a frame in progress as an element of a step."""
    kind = type(frame)
    body = [_NAME.write(kind.__name__), _PC.write(frame.pc)]
    for name in _fact_names(kind):
        value = getattr(frame, name)
        body.append(_fact_of_list((name, value)) if type(value) is tuple else _fact_of_value(name, value))
    return framed(_FRAMES, b"".join(body))


_STEP_RULE, _STEP_SEATS = text(log_pb2.Step.DESCRIPTOR, "rule"), numbers(log_pb2.Step.DESCRIPTOR, "seats")
#: (frames, rule, seats): the public step.
_STEPS = Record(
    log_pb2.Step.DESCRIPTOR, {"frames": many(cached_writer(_write_frame), _read_frame), "rule": text, "seats": numbers}
)
#: (rule, window, options): a question in the log of the engine, where its place is its number.
_QUESTION_BODY = Record(ask_pb2.Question.DESCRIPTOR, {"rule": text, "window": text, "options": options})
#: The same with its number: a question as a seat receives it.
_QUESTIONS = Record(
    ask_pb2.Question.DESCRIPTOR, {"rule": text, "window": text, "options": options, "decision_id": count}
)
_DECISION_ID = tag(ask_pb2.Question.DESCRIPTOR, "decision_id", delimited=False)
_QUESTION_RULE, _WINDOW = text(ask_pb2.Question.DESCRIPTOR, "rule"), text(ask_pb2.Question.DESCRIPTOR, "window")
_OPTIONS = tag(ask_pb2.Question.DESCRIPTOR, "options")
_PLACE = Record(table_pb2.PlaceContent.DESCRIPTOR, {"key": text, "value": value})
# Most places of a view have not changed since the view before.
_PLACES = many(cached_writer(_PLACE.write), _PLACE.read)
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
        "question": one(_QUESTIONS.write, _QUESTIONS.read),
        "last_seq": count,
        "during": count,
        "shown": _PLACES,
    },
)


def write_entry(entry: Entry, acts: ActCodec) -> bytes:
    """Write an entry as an element of `Entries`.

    It contains no number, so an entry for several seats is written once, and joined into the logs of all of them.
    Only a question, which is for one seat, has its number; see `number_question`.
    """
    match entry[0]:
        case "event":
            body = framed(_EVENT, write_event(entry[1], entry[2], entry[3:]))
        case "aside":
            body = framed(_ASIDE, write_event(entry[1], entry[2], entry[3:]))
        case "at":
            body = framed(_STEP, _STEPS.write(entry[1:]))
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
    """Write the public step as an element of `Entries`: the bytes of its plain form, in a third of the time."""
    body = b"".join([*[_frame_element(frame) for frame in frames], _STEP_RULE.write(rule), _STEP_SEATS.write(seats)])
    return framed(_ELEMENT, framed(_STEP, body))


def write_question(ask: Ask, seat: int) -> bytes:
    """Write a question to a seat without its number, likewise."""
    return (
        _QUESTION_RULE.write(ask.why) + _WINDOW.write(ask.window) + framed(_OPTIONS, write_offered(ask.options[seat]))
    )


def write_plain_question(entry: Entry) -> bytes:
    """Write a question of a log without its number."""
    return _QUESTION_BODY.write(entry[1:])


def number_question(question: bytes, number: int) -> bytes:
    """Write a question as an element of `Entries`, from its bytes and the number of its entry."""
    return framed(_ELEMENT, framed(_QUESTION, b"".join((question, _DECISION_ID, varint(number)))))


def write_entries(first: int, elements: list[bytes]) -> bytes:
    """Write the bytes of `Entries`: consecutive entries, and the number of the first."""
    return _FIRST.write(first) + b"".join(elements)


def read_entry(parsed: log_pb2.Entry, acts: ActCodec) -> Entry:
    """Read an entry in the form of the engine's log."""
    name = set_member(parsed, "body")
    body = getattr(parsed, name)
    match name:
        case "event" | "aside":
            return (name, *read_event(body))
        case "step":
            return ("at", *_STEPS.read(body))
        case "question":
            return ("ask", *_QUESTION_BODY.read(body))
        case "withdrawn":
            return ("closed",)
        case own:
            return (own, acts.read_plain(body))


def write_observation(
    view: KnownTable, *, match: str, number: int, epoch: int = 0, last_seq: int = 0, during: int = 0
) -> bytes:
    """Write the bytes of `Observation`: a view as of the entry with this number."""
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
            question and (*question, decision),
            last_seq,
            during,
            sorted(view.shown.items()),
        )
    )


def read_observation(parsed: log_pb2.Observation) -> KnownTable:
    """Read a view."""
    _, seat, _, _, places, step, _, question, _, _, shown = _OBSERVATION.read(parsed)
    view = KnownTable(seat)
    view.places = dict(places)
    view.shown = dict(shown)
    view.at = step or ()
    view.ask = (question[-1], question[:-1]) if question else None
    return view
