"""Talk of a match: messages by channel, bounded, in the match's hash slot, and published as they are said.

All of it is one hash, whose fields `say.lua` explains: it is deleted with the match by one more key.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from landsraad_server.store import keys
from landsraad_server.store.cluster import Cluster
from landsraad_server.store.scripts import MUTE, SAY
from landsraad_server.store.single_server import SingleServer
from landsraad_server.store.subscriptions import Listener

#: Messages that are kept of each channel.
MOST_KEPT = 1000
#: What a seat may say at once, and in a minute.
MOST_A_MINUTE = 20
_MINUTE_MS = 60_000


class Said(NamedTuple):
    """A message as it is stored."""

    number: int
    time: int
    #: an encoded `TalkMessage` without number and time
    body: bytes


class TalkContent(NamedTuple):
    """All that is stored of the talk in a match."""

    #: by channel, oldest first
    messages: dict[str, list[Said]]
    #: seats, each with one that it has muted
    mutes: set[tuple[int, int]]


class NotSaid(Exception):
    """A message was not stored.

    Args:
        why: "gone", if there is no such match; "moved", if it is not where the writer believed it to be; "muted"; or
            "wait", if the sender has said too much.
        wait_ms: When the sender may say something again.
    """

    def __init__(self, why: str, wait_ms: int = 0) -> None:
        super().__init__(why)
        self.why = why
        self.wait_ms = wait_ms


class TalkStore:
    """Access to the talk of all matches."""

    def __init__(self, link: SingleServer | Cluster) -> None:
        self._link = link

    async def say(
        self,
        match: str,
        channel: str,
        sender: str,
        request_id: str,
        body: bytes,
        *,
        head: bytes = b"",
        unless: tuple[int, int] | None = None,
        limited: bool = True,
    ) -> Said:
        """Store a message and publish it; one that was stored by this request before is returned as it is.

        Args:
            match: The match.
            channel: The channel.
            sender: A name of the sender within the match.
            request_id: An id of the request, chosen by the sender.
            body: The message.
            head: The head of the log at which the message was allowed; empty if it is allowed at any.
            unless: A mute that forbids the message.
            limited: Limit how much this sender says.

        Raises:
            NotSaid: The message is not stored.
        """
        reply = await SAY.call(
            self._link,
            (keys.head(match), keys.talk(match)),
            head,
            channel.encode(),
            sender.encode(),
            request_id.encode(),
            body,
            MOST_KEPT,
            b"" if unless is None else _mute_field(*unless),
            _MINUTE_MS,
            _MINUTE_MS // MOST_A_MINUTE if limited else 0,
        )
        if not reply[0]:
            raise NotSaid(reply[1].decode(), int(reply[2]) if len(reply) > 2 else 0)
        return Said(int(reply[1]), int(reply[2]), body)

    async def answer(self, match: str, sender: str, request_id: str) -> Said | None:
        """Return number and time of the message that a request has stored; None if there is none."""
        key = keys.talk(match)
        field = f"q:{sender}:{request_id}".encode()
        stored: bytes | None = await self._link.call(key, b"HGET", key, field, read=True)
        if stored is None:
            return None
        number, _, time = stored.partition(b" ")
        return Said(int(number), int(time), b"")

    async def mute(self, match: str, seat: int, other: int, *, muted: bool) -> bool:
        """Mute a seat for another one, or end that; False if there is no such match."""
        where = (keys.head(match), keys.talk(match))
        return bool(await MUTE.call(self._link, where, _mute_field(seat, other), int(muted)))

    async def read(self, match: str) -> TalkContent:
        """Return all that is stored."""
        key = keys.talk(match)
        flat = cast("list[bytes]", await self._link.call(key, b"HGETALL", key, read=True))
        content = TalkContent({}, set())
        for field, value in zip(flat[::2], flat[1::2], strict=True):
            kind, _, rest = field.partition(b":")
            if kind == b"m":
                channel, _, number = rest.decode().partition(":")
                time, _, body = value.partition(b" ")
                content.messages.setdefault(channel, []).append(Said(int(number), int(time), body))
            elif kind == b"x":
                seat, _, other = rest.partition(b":")
                content.mutes.add((int(seat), int(other)))
        for messages in content.messages.values():
            messages.sort()
        return content

    def listen(self, match: str, listener: Listener) -> None:
        """Tell a listener of all that is published, as `parse` reads it; one listener for each match."""
        self._link.listen(keys.talk(match), listener)

    def unlisten(self, match: str) -> None:
        """Tell the listener of a match of nothing more."""
        self._link.unlisten(keys.talk(match))


def parse(published: bytes) -> tuple[str, Said] | None:
    """Return a published message with its channel; None if something else was published: read everything then."""
    if not published:
        return None
    channel, number, time, body = published.split(b" ", 3)
    return channel.decode(), Said(int(number), int(time), body)


def _mute_field(seat: int, other: int) -> bytes:
    return b"x:%d:%d" % (seat, other)
