"""Revocation sweep: close the streams that were opened with a token that is no longer valid.

A seat's credential ends by a change of its match, which the streams of its players receive. Streams of spectators do
not, and a revoked token changes nothing but the store. So each worker polls the few tokens that its open streams use:
unlike a published message, a poll cannot be missed.
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
    """An open stream."""

    def close(self, reason: play_pb2.ClosedReason.ValueType) -> None: ...


class TokenStreams(Protocol):
    """The open streams by the account tokens that opened them: a worker has thousands, and few tokens."""

    def tokens(self) -> set[str]: ...

    def opened_with(self, token: str) -> Iterable[OpenStream]: ...


class RevocationSweep(PeriodicTask):
    """Periodic check of the tokens in use on one worker."""

    #: longest time in seconds that a stream outlives its token
    every_seconds = 1.0

    def __init__(self, authenticator: Authenticator, streams: TokenStreams) -> None:
        super().__init__()
        self._authenticator = authenticator
        self._streams = streams

    async def tick(self) -> None:
        """Close the streams whose token is no longer valid."""
        bearers = tuple(self._streams.tokens())
        found = await asyncio.gather(*map(self._has_ended, bearers))
        for bearer, has_ended in zip(bearers, found, strict=True):
            for stream in self._streams.opened_with(bearer) if has_ended else ():
                stream.close(play_pb2.CLOSED_REASON_REVOKED)

    async def _has_ended(self, bearer: str) -> bool:
        try:
            return not await self._authenticator.is_valid(bearer)
        except (StoreError, Denied):  # unknown at the moment; the next tick checks again
            return False
