"""Frames of a stream, joined from bytes, so that an item is written once for all its receivers."""

from __future__ import annotations

from functools import lru_cache

from landsraad.v1 import log_pb2, play_pb2

from .fields import count, flag, framed, tag, varint

_ITEMS = tag(play_pb2.Frame.DESCRIPTOR, "items")
_ITEM = play_pb2.ServerItem.DESCRIPTOR
_subscription = lru_cache(8192)(count(_ITEM, "subscription").write)
_SUBSCRIPTION = tag(_ITEM, "subscription", delimited=False)
_MARKS = {name: tag(_ITEM, name) for name, field in _ITEM.fields_by_name.items() if field.message_type is not None}
_ENTRIES = _MARKS["entries"]
_FIRST = tag(log_pb2.Entries.DESCRIPTOR, "first", delimited=False)
_MARK = tag(log_pb2.Entries.DESCRIPTOR, "mark")


def item(subscription: int, name: str, body: bytes) -> bytes:
    """Write a frame with one item: `name` is the field of `ServerItem`, `body` the bytes of its message.

    Frames can be joined: `b"".join(items)` is one frame with all of their items.
    """
    return framed(_ITEMS, _subscription(subscription) + framed(_MARKS[name], body))


def subscription_of(item: bytes) -> int:
    """Return the subscription of an item that was written here; 0 if it has none."""
    at = len(_ITEMS)
    while item[at : at + 1] >= b"\x80":  # the length of the item
        at += 1
    at += 1
    if not item.startswith(_SUBSCRIPTION, at):
        return 0
    number = shift = 0
    for byte in item[at + len(_SUBSCRIPTION) :]:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return number


def entries_item(subscription: int, first: int, elements: bytes, mark: bytes = b"") -> bytes:
    """Write a frame with consecutive log entries, the first of them with this number. It is by far the most frequent
    frame.
    """
    number = _FIRST + varint(first)
    if mark:
        number += framed(_MARK, mark)
    head = _subscription(subscription) + _ENTRIES + varint(len(number) + len(elements)) + number
    return b"".join((_ITEMS, varint(len(head) + len(elements)), head, elements))


_ACK = _MARKS["ack"]
_SEEN, _ENTRY, _LAST = (tag(play_pb2.Ack.DESCRIPTOR, name, delimited=False) for name in ("seq", "entry", "last"))
_REPEATED = flag(play_pb2.Ack.DESCRIPTOR, "repeated").write


def ack_item(subscription: int, seq: int, entry: int, last: int, *, repeated: bool) -> bytes:
    """Write a frame with an acknowledgement. Each action gets one."""
    body = b"".join((_SEEN, varint(seq), _ENTRY, varint(entry), _LAST, varint(last), _REPEATED(repeated)))
    return framed(_ITEMS, _subscription(subscription) + framed(_ACK, body))


_CLIENT_ITEMS = tag(play_pb2.ClientFrame.DESCRIPTOR, "items")
_CLIENT_ITEM = play_pb2.ClientItem.DESCRIPTOR
_client_subscription = lru_cache(8192)(count(_CLIENT_ITEM, "subscription").write)
_CLIENT_SUBMIT = tag(_CLIENT_ITEM, "submit")
_SUBMIT = play_pb2.SubmitItem.DESCRIPTOR
_SEQ, _DECISION, _DURING = (tag(_SUBMIT, name, delimited=False) for name in ("seq", "decision_id", "during"))
_ACT = tag(_SUBMIT, "act")


def client_item(given: play_pb2.ClientItem) -> bytes:
    """Return a client's frame with one item. These may be joined, too."""
    return framed(_CLIENT_ITEMS, given.SerializeToString())


def submit_item(
    subscription: int, seq: int, act: bytes, *, decision: int | None = None, during: int | None = None
) -> bytes:
    """Return a client's frame with one item: an act, and the decision or the public step that it is meant for."""
    if decision is not None:
        meant = _DECISION + varint(decision)
    else:
        meant = b"" if during is None else _DURING + varint(during)
    submit = b"".join((_SEQ, varint(seq), meant, framed(_ACT, act)))
    return framed(_CLIENT_ITEMS, _client_subscription(subscription) + framed(_CLIENT_SUBMIT, submit))
