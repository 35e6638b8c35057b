"""Events on the wire: the verbs of the engine and their messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from landsraad.v1 import log_pb2, value_pb2

from .fields import Field, Kind, maybe_number, maybe_text, number, numbers, text, texts
from .records import Record, Variant, one, set_member
from .values import value, values

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

_TEXT_LIST = Record(value_pb2.TextList.DESCRIPTOR, {"items": texts})

#: Words, or None.
maybe_texts = one(lambda items: _TEXT_LIST.write((items,)), lambda parsed: tuple(parsed.items))


def _shown(message: Descriptor, name: str) -> Field:
    """Make the field for the faces that a look shows: none, one face (if there is an index), or all faces."""
    listed = maybe_texts(message, name)

    def read(parsed: Any) -> Any:
        faces = listed.read(parsed)
        return faces[0] if faces and parsed.HasField("index") else faces

    return Field(lambda shown: listed.write((shown,) if isinstance(shown, str) else shown), read)


def _faces(message: Descriptor, name: str) -> Field:
    """Make the field for pieces from the box: faces of pieces, or counts of units."""
    pieces, units = texts(message, name), numbers(message, "counts")
    read_pieces, read_units = pieces.read, units.read
    return Field(
        lambda what: units.write(what) if isinstance(what[0], int) else pieces.write(what),
        lambda parsed: read_units(parsed) or read_pieces(parsed),
    )


_EVENT = log_pb2.Event.DESCRIPTOR
_RULE = text(_EVENT, "rule")


def _verb(name: str, /, *, rest: bool = False, **kinds: Kind) -> Variant:
    return Variant(_EVENT, name, kinds, rest=rest)


#: The arguments of each verb, in the engine's order.
VERBS = {
    "set": _verb("set", key=text, value=value),
    "open": _verb("open", key=text, value=value),
    "transfer": _verb("transfer", source=text, target=text, amount=number),
    "shift": _verb("shift", source=text, target=text, counts=numbers),
    "exchange": _verb("exchange", key=text, counts=numbers),
    "move": _verb("move", source=text, slot=maybe_number, target=text, to=maybe_number, face=maybe_text),
    "place": _verb("place", key=text, faces=_faces),
    "gather": _verb("gather", source=text, target=text, faces=maybe_texts),
    "shuffle": _verb("shuffle", key=text),
    "look": _verb("look", key=text, index=maybe_number, seats=number, shown=_shown),
    "reveal": _verb("reveal", key=text, index=maybe_number, face=text),
    "declare": _verb("declare", seat=number, fact=text, value=value),
    "announce": _verb("announce", rest=True, what=text, facts=values),
    "whisper": _verb("whisper", rest=True, seats=number, what=text, facts=values),
    "roll": _verb("roll", rest=True, label=text, numbers=numbers),
}


def write_event(verb: str, rule: str, arguments: tuple[Any, ...]) -> bytes:
    """Write the bytes of an event."""
    return _RULE.write(rule) + VERBS[verb].write(arguments)


def read_event(parsed: Any) -> tuple[Any, ...]:
    """Read an event: its verb, its rule and its arguments."""
    verb = set_member(parsed, "verb")
    return (verb, parsed.rule, *VERBS[verb].record.read(getattr(parsed, verb)))
