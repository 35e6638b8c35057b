"""The stream of a spectator, opened again whenever it breaks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from landsraad.backoff import BackoffTimer, probe_while_silent
from landsraad.cell_transports import MOST_HOPS, CellTransports
from landsraad.errors import WrongCell, error_from_refusal, is_retryable
from landsraad.seat_log import LogGap, SeatLog, Update
from landsraad.transport import CallFailed, CallRefused
from landsraad.v1 import common_pb2, matches_pb2, matches_service_pb2, play_pb2, watch_service_pb2
from landsraad.wire.seat_semantics import cursor_at

_PROBE_SECONDS: Final = 10.0


class SpectatorStream:
    """The spectators' view of one match, over as many streams as it takes.

    Args:
        cells: The ways to the service.
        match: The name of the match.
        retries: Delays between attempts to open the stream again.
        ping_interval: Seconds of silence after which the service is probed.
        token: Returns the token to use.
        check_open: Raises ConnectionLost once the client is closed.
    """

    def __init__(
        self,
        cells: CellTransports,
        match: str,
        retries: BackoffTimer,
        *,
        ping_interval: float,
        token: Callable[[], str],
        check_open: Callable[[], None],
    ) -> None:
        self._cells = cells
        self._match = match
        self._retries = retries
        self._ping_interval = ping_interval
        self._token = token
        self._check_open = check_open

    async def updates(self) -> AsyncIterator[Update]:
        """Follow the match from its beginning to its end.

        Yields:
            An update whenever something has happened.

        Raises:
            RefusedByService: The service refuses the stream.
            ConnectionLost: The service cannot be reached.
        """
        log = SeatLog(None)
        async for _ in self.follow(log.apply_frame, lambda: log.cursor or cursor_at(0, 1)):
            if log.match is not None and log.number:
                yield log.update()

    async def follow(
        self, apply: Callable[[play_pb2.Frame], bool], cursor: Callable[[], common_pb2.Cursor | None]
    ) -> AsyncGenerator[None, None]:
        """Hand each frame of the stream to a reader of your own.

        Args:
            apply: Takes a frame. It returns True at the end of the match, and raises LogGap to have the stream opened
                again.
            cursor: Returns the place from which to read when a stream is opened; None to begin with a snapshot.

        Yields:
            None, after each frame.

        Raises:
            RefusedByService: The service refuses the stream.
            ConnectionLost: The service cannot be reached.
        """
        hops = 0
        while True:
            self._check_open()
            request = watch_service_pb2.WatchMatchRequest(match=self._match, **{"from": cursor()})
            least, transport = None, self._cells.of(self._match)
            try:
                frames = transport.watch(request, token=self._token())
                async for frame in probe_while_silent(frames, self._ping_interval, self._probe):
                    self._retries.succeeded()
                    over = apply(frame)
                    yield
                    if over:
                        return
                ended: Exception = CallFailed("the service has ended the stream")
            except (CallFailed, LogGap) as failed:
                ended = failed
                self._cells.forget(self._match, transport)
            except CallRefused as refused:
                error = error_from_refusal(refused.refusal)
                if isinstance(error, WrongCell) and hops < MOST_HOPS and self._cells.follow(self._match, error):
                    hops += 1
                    continue
                if not is_retryable(error):
                    raise error from None
                ended, least = error, error.retry_after
            await self._retries.wait(ended, least)

    async def _probe(self) -> None:
        """Check that the service can be reached; CallFailed if not."""
        request = matches_service_pb2.GetMatchRequest(name=self._match)
        with suppress(CallRefused):  # any answer proves that the service is there
            await self._cells.of(self._match).call(
                "Matches/GetMatch", request, matches_pb2.Match, token=self._token(), deadline=_PROBE_SECONDS
            )
