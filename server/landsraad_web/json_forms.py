"""JSON of the page: protobuf's own form of log entries and matches, with acts by the names of their fields.

The form is that of `proto/vectors`. Acts are always written as `{"generic": {"name", "fields"}}`, so that a script
needs no knowledge of the messages of a game.
"""

from __future__ import annotations

from typing import Any

import msgspec
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message

from landsraad.v1 import act_pb2, log_pb2, play_pb2
from landsraad.wire.codec import Codec
from landsraad_engine.kernel.execution import plain
from landsraad_engine.kernel.grammar import Act

encode = msgspec.json.Encoder().encode


def message_json(message: Message) -> dict[str, Any]:
    """Return a message as JSON; what is 0, false or empty is left out."""
    form: dict[str, Any] = MessageToDict(message)
    return form


def value_json(value: Any) -> dict[str, Any]:
    """Return a plain value in the form of the message `Value`."""
    if value is None:
        return {}
    if isinstance(value, bool):
        return {"flag": value}
    if isinstance(value, int):
        return {"number": value}
    if isinstance(value, str):
        return {"text": value}
    return {"list": {"items": [value_json(item) for item in value]}}


def act_json(act: Act) -> dict[str, Any]:
    """Return an act by its name and fields."""
    name, *values = plain(act)
    fields = [
        {"name": field, "value": value_json(value)} for field, value in zip(act.__struct_fields__, values, strict=True)
    ]
    return {"generic": {"name": name, "fields": fields}}


def read_act(form: dict[str, Any]) -> act_pb2.Act:
    """Read an act in protobuf's JSON form.

    Raises:
        ValueError: It has another form.
    """
    try:
        return ParseDict(form, act_pb2.Act(), max_recursion_depth=16)
    except (ParseError, RecursionError) as wrong:
        raise ValueError(str(wrong)) from None


class JsonForms:
    """The JSON forms of one game."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec

    def act(self, parsed: act_pb2.Act) -> dict[str, Any]:
        """Return an act that the service has sent."""
        return act_json(self._codec.read_act(parsed))

    def entry(self, entry: log_pb2.Entry) -> dict[str, Any]:
        """Return an entry of a log."""
        kind = entry.WhichOneof("body")
        if kind in ("answer", "play"):
            return {kind: self.act(getattr(entry, kind))}
        return message_json(entry)

    def clock(self, clock: play_pb2.Clock) -> dict[str, Any]:
        """Return a clock, with the act that a timeout takes."""
        form = message_json(clock)
        if clock.HasField("default"):
            form["default"] = self.act(clock.default)
        return form
