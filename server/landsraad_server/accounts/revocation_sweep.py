"""Revocation sweep: close the streams that were opened with a token that is no longer valid.

A seat's credential ends with a change of its match, which its players' streams are told. Spectators' streams are not,
and a revoked token changes the store alone. So each worker polls the few tokens that its open streams use: a poll
cannot miss a revocation as a lost publication could.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Protocol

from landsraad.v1 import play_pb2
from landsraad_server.accounts.authentication import Authenticator
from landsraad_server.matches.periodic_task import PeriodicTask
from landsraad_server.refusals import Denied
from landsraad_server.store.errors import StoreError


class OpenStream(Protocol):
    """A stream, and the token that it was opened with."""

    opened_with: str

    def close(self, reason: play_pb2.ClosedReason.ValueType) -> None: ...


class RevocationSweep(PeriodicTask):
    """Looks after the tokens in use on one worker."""

    #: so long a revoked token may go on
    every_seconds = 1.0

    def __init__(self, accounts: Authenticator, streams: Iterable[OpenStream]) -> None:
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
