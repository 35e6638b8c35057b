"""Talk in a match of the service in the process: the same channels as the real one, without its limits of rate."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from landsraad.talk_stream import SPECTATORS, TABLE, channel_of
from landsraad.transport import CallRefused
from landsraad.v1 import common_pb2, talk_service_pb2
from landsraad.wire.refusals import refusal
from landsraad_engine.kernel.match_options import NO_TALK, TALK_BY_RULES, talk_of

if TYPE_CHECKING:
    from landsraad.testing.local_match import LocalMatch

_MOST_CHARACTERS = 500


class LocalTalk:
    """The messages of one match."""

    def __init__(self, hosted: LocalMatch) -> None:
        self._hosted = hosted
        self._said: list[talk_service_pb2.TalkMessage] = []
        self._answers: dict[tuple[int | None, str], talk_service_pb2.SendResponse] = {}
        self._mutes: set[tuple[int, int]] = set()
        self._news = asyncio.Event()

    def send(self, request: talk_service_pb2.SendRequest) -> talk_service_pb2.SendResponse:
        """Keep a message for its readers; one that was sent by this request before is answered as it was.

        Raises:
            CallRefused: The channel is not open to the seat, or the text is not allowed.
        """
        seat = request.seat if request.HasField("seat") else None
        key = (seat, request.request_id)
        if key in self._answers:
            return self._answers[key]
        self._check(seat, request.channel)
        if not 0 < len(request.text.strip()) <= len(request.text) <= _MOST_CHARACTERS:
            violations = [("text", f"has to have 1 to {_MOST_CHARACTERS} characters")]
            raise CallRefused(refusal("BAD_TEXT", "text is empty or too long", violations=violations))
        number = 1 + sum(one.channel == request.channel for one in self._said)
        said = talk_service_pb2.TalkMessage(
            channel=request.channel,
            number=number,
            seat=seat,
            account="" if seat is not None else "you",
            text=request.text,
            time=int(time.time() * 1000),
        )
        self._said.append(said)
        self._answers[key] = talk_service_pb2.SendResponse(number=number, time=said.time)
        self._wake()
        return self._answers[key]

    def mute(self, request: talk_service_pb2.MuteRequest) -> None:
        """Mute a seat for another one, or end that."""
        change = self._mutes.add if request.muted else self._mutes.discard
        change((request.seat, request.muted_seat))

    async def read(self, request: talk_service_pb2.ReadRequest) -> AsyncGenerator[talk_service_pb2.ReadResponse, None]:
        """Yield what a seat, or a spectator, may read."""
        known = {place.channel: place.number for place in request.cursor}
        seat = request.seat if request.HasField("seat") else None
        channels = self._open(seat)
        opened = talk_service_pb2.TalkItem(open=talk_service_pb2.OpenChannels(channels=channels))
        yield talk_service_pb2.ReadResponse(items=[opened])
        at = 0
        while True:
            while at < len(self._said):
                said = self._said[at]
                at += 1
                wanted = said.number > known.get(said.channel, 0) and (seat, said.seat) not in self._mutes
                if wanted and _hears(said.channel, seat):
                    yield talk_service_pb2.ReadResponse(items=[talk_service_pb2.TalkItem(message=said)])
            await self._news.wait()

    def _open(self, seat: int | None) -> list[str]:
        allowed = talk_of(self._hosted.options)
        if allowed == NO_TALK:
            return []
        if seat is None:
            return [SPECTATORS]
        match = self._hosted.match
        if allowed != TALK_BY_RULES or match is None or self._hosted.info.state != common_pb2.MATCH_STATE_LIVE:
            return [TABLE]
        channels = self._hosted.game.channels(match.g)
        return [TABLE, *(channel_of(seat, seats) for seats in channels if seat in seats)]

    def _check(self, seat: int | None, channel: str) -> None:
        allowed = self._open(seat)
        if not allowed:
            raise CallRefused(refusal("TALK_OFF", "this match is played without talk"))
        if channel not in allowed:
            reason = "CHANNEL_CLOSED" if _hears(channel, seat) else "NO_SUCH_CHANNEL"
            raise CallRefused(refusal(reason, f"the channel {channel} is not open to you now"))
        others = set(channel.split("-")) - {str(seat)}
        if channel not in (TABLE, SPECTATORS) and len(others) == 1 and (int(*others), seat) in self._mutes:
            raise CallRefused(refusal("MUTED", "the other seat does not want to hear you"))

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


def _hears(channel: str, seat: int | None) -> bool:
    if seat is None:
        return channel in (TABLE, SPECTATORS)
    return channel == TABLE or str(seat) in channel.split("-")
