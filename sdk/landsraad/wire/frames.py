"""Frames of a stream, joined from bytes: what an item holds is written once, whoever it goes to."""

from __future__ import annotations

from functools import lru_cache

from landsraad.v1 import log_pb2, play_pb2

from .fields import count, flag, framed, tag, varint
from .records import Record

_ITEMS = tag(play_pb2.Frame.DESCRIPTOR, "items")
_ITEM = play_pb2.ServerItem.DESCRIPTOR
_subscription = lru_cache(8192)(count(_ITEM, "subscription").write)
_MARKS = {name: tag(_ITEM, name) for name, field in _ITEM.fields_by_name.items() if field.message_type is not None}
_ENTRIES = _MARKS["entries"]
_FIRST = tag(log_pb2.Entries.DESCRIPTOR, "first", delimited=False)

#: (seq, entry, last, repeated): an input was accepted.
ACK = Record(play_pb2.Ack.DESCRIPTOR, {"seq": count, "entry": count, "last": count, "repeated": flag})


def item(subscription: int, name: str, body: bytes) -> bytes:
    """A frame with one item: `name` is the field of `ServerItem`, `body` the bytes of its message.

    Frames may be joined: `b"".join(items)` is the frame of them all.
    """
    return framed(_ITEMS, _subscription(subscription) + framed(_MARKS[name], body))


def entries_item(subscription: int, first: int, elements: bytes) -> bytes:
    """The same with consecutive log entries, the first of them with this number.

    Every action is told to every seat: of all items this one is made by far the most often.
    """
    number = _FIRST + varint(first)
    head = _subscription(subscription) + _ENTRIES + varint(len(number) + len(elements)) + number
    return b"".join((_ITEMS, varint(len(head) + len(elements)), head, elements))
