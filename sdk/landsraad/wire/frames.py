"""Frames of a stream, joined from bytes: what an item holds is written once, whoever it goes to."""

from __future__ import annotations

from landsraad.v1 import play_pb2

from .fields import count, framed, tag

_ITEMS = tag(play_pb2.Frame.DESCRIPTOR, "items")
_ITEM = play_pb2.ServerItem.DESCRIPTOR
_SUBSCRIPTION = count(_ITEM, "subscription")
_MARKS = {name: tag(_ITEM, name) for name, field in _ITEM.fields_by_name.items() if field.message_type is not None}


def item(subscription: int, name: str, body: bytes) -> bytes:
    """A frame with one item: `name` is the field of `ServerItem`, `body` the bytes of its message.

    Frames may be joined: `b"".join(items)` is the frame of them all.
    """
    return framed(_ITEMS, _SUBSCRIPTION.write(subscription) + framed(_MARKS[name], body))
