"""Talk with the SDK: `say`, `messages`, `mute` and the hook `heard`, on a service in the process."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from landsraad import AsyncClient, Client, play_seat
from landsraad.errors import BadRequest, WrongState
from landsraad.testing import LocalService
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Decision, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.messages import TalkMessage
from landsraad_engine.play.self_play import play_out
from landsraad_engine.teaching.game import TEACHING

SECONDS = 20


class Hearing(RandomBot):
    """A bot that notes what it hears, and between which calls."""

    game = "teaching"
    busy = False

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.messages: list[TalkMessage] = []

    def heard(self, message: TalkMessage) -> None:
        assert not self.busy
        self.messages.append(message)

    def decide(self, view: Any, ask: Decision) -> Act:
        self.busy = True
        act = super().decide(view, ask)
        self.busy = False
        return act


def test_a_bot_hears_what_others_say_to_it() -> None:
    async def run() -> list[TalkMessage]:
        service, bot = LocalService(), Hearing()
        async with AsyncClient(transport=service.transport()) as client, asyncio.timeout(SECONDS):
            match = await client.create_match("teaching", 2)
            seats = [await client.join(match.name, number) for number in (0, 1)]
            async with aclosing(seats[1].talk_stream().messages()) as messages:
                await seats[0].say("Hello.")
                await seats[1].say("Hello yourself.")
                assert [(await anext(messages)).seat for _ in range(2)] == [0, 1]
            await asyncio.gather(play_seat(seats[1], bot), play_seat(seats[0], RandomBot()))
        return bot.messages

    [message] = asyncio.run(run())
    assert (message.seat, message.channel, message.number, message.text) == (0, "table", 1, "Hello.")


def test_nobody_talks_in_local_play() -> None:
    bots = [Hearing(1), Hearing(2)]
    play_out(Match(TEACHING, 2), bots)
    assert [bot.messages for bot in bots] == [[], []]


def test_without_asyncio() -> None:
    with Client(transport=LocalService().transport()) as client:
        match = client.create_match("dune", 3, {"talk": "rules"})
        seats = [client.join(match.name, number) for number in range(3)]
        seats[0].say("to one", to=1)
        seats[0].say("to all")
        assert [message.text for _, message in zip(range(2), seats[1].messages(), strict=False)] == ["to one", "to all"]
        assert next(seats[2].messages()).text == "to all"
        assert next(client.messages(match.name)).text == "to all"
        seats[1].mute(0)
        with pytest.raises(WrongState, match="muted"):
            seats[0].say("are you there?", to=1)
        with pytest.raises(BadRequest) as refused:
            seats[0].say("x" * 501)
        assert "text" in refused.value.fields
        silent = client.join(client.create_match("arrakis", 2, {"talk": "off"}).name)
        with pytest.raises(WrongState, match="talk_off"):
            silent.say("hello")
