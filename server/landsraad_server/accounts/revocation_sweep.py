"""Tokens that were revoked: what was opened with them is closed, on whichever worker.

A seat's credential ends with a change of the match, which all who play hear of; those who only watch with it do not,
and a token ends in the store alone: workers look after those in use. There are few, and what is looked
at again and again cannot be missed.
"""

from __future__ import annotations

import asyncio

from landsraad.v1 import play_pb2
from landsraad_server.accounts.authentication import Authenticator
from landsraad_server.api.session_streams import Streams
from landsraad_server.process.periodic_task import PeriodicTask
from landsraad_server.refusals import Denied
from landsraad_server.store.errors import StoreError


class RevocationSweep(PeriodicTask):
    """Looks after the tokens in use on one worker."""

    #: so long a revoked token may go on
    every_seconds = 1.0

    def __init__(self, accounts: Authenticator, streams: Streams) -> None:
        super().__init__()
        self._accounts = accounts
        self._streams = streams

    async def turn(self) -> None:
        """Once: close what was opened with a token that is no longer good."""
        bearers = tuple({stream.opened_with for stream in self._streams if stream.opened_with})
        found = await asyncio.gather(*map(self._has_ended, bearers))
        ended = {bearer for bearer, has_ended in zip(bearers, found, strict=True) if has_ended}
        for stream in tuple(self._streams):
            if stream.opened_with in ended:
                stream.close(play_pb2.CLOSED_REASON_REVOKED)

    async def _has_ended(self, bearer: str) -> bool:
        try:
            return not await self._accounts.is_good(bearer)
        except (StoreError, Denied):  # nobody can say at the moment: it is looked at again
            return False
