"""Tokens that were revoked: what was opened with them is closed, on whichever worker.

A seat's credential ends with a change of the match, which all who play hear of; those who only watch with it do not,
and a token ends in the store alone: workers look after those in use. There are few, and what is looked
at again and again cannot be missed.
"""

from __future__ import annotations

import asyncio

from landsraad.v1 import play_pb2
from landsraad_server.accounts import Accounts
from landsraad_server.rounds import Round
from landsraad_server.services.streaming import Streams


class Patrol(Round):
    """Looks after the tokens in use on one worker."""

    #: so long a revoked token may go on
    every_seconds = 1.0

    def __init__(self, accounts: Accounts, streams: Streams) -> None:
        super().__init__()
        self._accounts = accounts
        self._streams = streams

    async def turn(self) -> None:
        """Once: close what was opened with a token that is no longer good."""
        bearers = tuple({stream.opened_with for stream in self._streams if stream.opened_with})
        good = await asyncio.gather(*map(self._accounts.is_good, bearers))
        ended = {bearer for bearer, is_good in zip(bearers, good, strict=True) if not is_good}
        for stream in tuple(self._streams):
            if stream.opened_with in ended:
                stream.close(play_pb2.CLOSED_REASON_REVOKED)
