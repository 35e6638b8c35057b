"""Talk session: the stream of one reader of a match's talk."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from landsraad.v1 import play_pb2
from landsraad.v1 import talk_service_pb2 as api
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.talk_channels import (
    SPECTATORS,
    TABLE,
    has_account_in,
    hears,
    open_channels,
)
from landsraad_server.store.talk_store import Said
from landsraad_server.streams.session import Session

#: Messages that are sent in one go.
_CHUNK = 100


class TalkSession(Session):
    """A session that sends what one seat, or one spectator, may read.

    What it sends depends on the channels of its reader alone: neither numbers nor order tell of others.

    Args:
        hosts: The matches of this worker.
        host: The host of the match.
        cursor: The last message that the reader has, by channel.
        seat: The seat; None for a spectator.
        proof: The proof that the caller may play the seat.
        account: The account of a spectator; empty if it has shown none.
        opened_with: The token that opened the stream, if it is an account's.
    """

    __slots__ = (
        "_account",
        "_cursor",
        "_delay_ms",
        "_feed",
        "_host",
        "_news",
        "_open",
        "_proof",
        "_seat",
        "_seats",
        "_with_spectators",
    )

    def __init__(
        self,
        hosts: MatchHosts,
        host: MatchHost,
        cursor: dict[str, int],
        *,
        seat: int | None = None,
        proof: SeatProof | None = None,
        account: str = "",
        opened_with: str = "",
    ) -> None:
        super().__init__(hosts)
        self._host = host
        self._cursor = cursor
        self._seat = seat
        self._proof = proof
        self._account = account
        self._seats = 0
        self._delay_ms = 0
        self._with_spectators = False
        self._open: list[str] | None = None
        self._news = asyncio.Event()
        self._feed = hosts.talk_feeds.join(host.match, self)
        if opened_with:
            self.by_token[opened_with] = {self: None}

    def begin(self, hosted: HostedMatch) -> None:
        """Send the open channels, and follow the match. Call this while a request is settled."""
        self._seats = len(hosted.seats)
        self._delay_ms = hosted.terms.watch_delay_ms if self._seat is None else 0
        self._host.add_listener(self)
        self._look(hosted)
        self.spawn(self._pump())

    def wake(self) -> None:
        """Look for new messages."""
        self._news.set()

    def end(self) -> None:
        """Release everything: the client has gone."""
        self._host.remove_listener(self)
        self.hosts.talk_feeds.leave(self._host.match, self)
        super().end()

    # ------------------------------------------------------------------------------------------------- what is sent

    async def _pump(self) -> None:
        started = False
        while True:
            self._news.clear()
            if not started and self._feed.loaded:
                started = True
                # A failover may have lost messages that the client has: others have their numbers now.
                last = self._feed.last
                self._cursor = {channel: min(number, last(channel)) for channel, number in self._cursor.items()}
            found = self._next() if started else []
            if not found:
                await self._news.wait()
                continue
            await self.outbox.wait_for_room()
            for channel, said in found:
                self._cursor[channel] = said.number
                if not self._is_muted(said):
                    self.outbox.put(_message_item(said))

    def _next(self) -> list[tuple[str, Said]]:
        """Return the next messages of all channels of this reader, oldest first."""
        found: list[tuple[str, Said]] = []
        for channel in self._readable():
            new = self._feed.after(channel, self._cursor.get(channel, 0))
            if channel == TABLE and self._delay_ms:
                new = self._shown(new)
            found += [(channel, said) for said in new[:_CHUNK]]
        found.sort(key=lambda one: (one[1].time, one[0], one[1].number))
        return found[:_CHUNK]

    def _readable(self) -> Iterable[str]:
        if self._seat is None:
            return (TABLE, SPECTATORS) if self._with_spectators else (TABLE,)
        seat, seats = self._seat, self._seats
        return [channel for channel in self._feed.messages if hears(channel, seat, seats)]

    def _shown(self, new: list[Said]) -> list[Said]:
        """Return the messages that are old enough for spectators, and come back for the others."""
        until = self.hosts.now() - self._delay_ms
        shown = [said for said in new if said.time <= until]
        if len(shown) < len(new):
            self.hosts.talk_feeds.wake_at(self, min(said.time for said in new if said.time > until) + self._delay_ms)
        return shown

    def _is_muted(self, said: Said) -> bool:
        if self._seat is None or not self._feed.mutes:
            return False
        message = api.TalkMessage.FromString(said.body)
        return message.HasField("seat") and (self._seat, message.seat) in self._feed.mutes

    def _look(self, hosted: HostedMatch) -> None:
        """Send the open channels if they have changed."""
        if self._seat is None:
            can_speak = open_channels(hosted, -1) != [] and bool(self._account)
            self._with_spectators = can_speak and not has_account_in(hosted, self._account)
            channels = [SPECTATORS] if self._with_spectators else []
        else:
            channels = open_channels(hosted, self._seat)
        if channels != self._open:
            self._open = channels
            item = api.TalkItem(open=api.OpenChannels(channels=channels))
            self.outbox.put(api.ReadResponse(items=[item]).SerializeToString())
            self.wake()

    # ------------------------------------------------------------------ for the match's host: as a RecordListener

    def on_record(self, hosted: HostedMatch, fanout: RecordFanout) -> None:
        """End with the seat, and follow the channels."""
        if self._seat is not None and self._proof is not None and not self._proof.holds(hosted, self._seat):
            self._finish()
        else:
            self._look(hosted)

    def on_rewound(self, hosted: HostedMatch, epoch: int, stands: Sequence[int]) -> None:
        """Follow the channels."""
        self._look(hosted)

    def on_archived(self) -> None:
        """End with the match."""
        self._finish()

    def on_failed(self) -> None:
        """End: the client opens another stream."""
        self._finish()

    def close(self, reason: play_pb2.ClosedReason.ValueType) -> None:
        """End the stream as soon as all output is written."""
        super().close(reason)
        self._stop()

    def _finish(self) -> None:
        self.outbox.close()
        self._stop()

    def _stop(self) -> None:
        """Send nothing more: what waits is still written."""
        for task in tuple(self._tasks):
            task.cancel()


def _message_item(said: Said) -> bytes:
    message = api.TalkMessage.FromString(said.body)
    message.number, message.time = said.number, said.time
    return api.ReadResponse(items=[api.TalkItem(message=message)]).SerializeToString()
