"""The messages of a match for one reader, over as many streams as it takes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Final

from landsraad.backoff import BackoffTimer
from landsraad.cell_transports import MOST_HOPS, CellTransports
from landsraad.errors import MatchOver, WrongCell, error_from_refusal, is_retryable
from landsraad.transport import CallFailed, CallRefused
from landsraad.v1 import talk_service_pb2
from landsraad_engine.play.messages import TalkMessage

#: The channel that all seats hear.
TABLE: Final = "table"
#: The channel of accounts that watch.
SPECTATORS: Final = "spectators"


def channel_of(seat: int, to: int | Sequence[int] | str | None) -> str:
    """Return the name of a channel.

    Args:
        seat: The seat that speaks.
        to: None for the table; another seat, or several, for a private channel; or the name of a channel.
    """
    if to is None:
        return TABLE
    if isinstance(to, str):
        return to
    others = (to,) if isinstance(to, int) else to
    return "-".join(map(str, sorted({seat, *others})))


class TalkStream:
    """The messages that one seat, or a spectator, may read.

    Args:
        cells: The ways to the service.
        match: The name of the match.
        seat: The seat; None for a spectator.
        retries: Delays between attempts to open the stream again.
        token: Returns the token or credential to use.
        check_open: Raises ConnectionLost once the client is closed.
    """

    def __init__(
        self,
        cells: CellTransports,
        match: str,
        seat: int | None,
        retries: BackoffTimer,
        *,
        token: Callable[[], str],
        check_open: Callable[[], None],
    ) -> None:
        self._cells = cells
        self._match = match
        self._seat = seat
        self._retries = retries
        self._token = token
        self._check_open = check_open
        self._cursor: dict[str, int] = {}
        #: the channels on which the reader can speak now; None before the service has told them
        self.open: tuple[str, ...] | None = None

    async def messages(self) -> AsyncGenerator[TalkMessage, None]:
        """Follow what is said until the match has left the service.

        Yields:
            Each message once, those of a channel in order.

        Raises:
            RefusedByService: The service refuses the stream.
            ConnectionLost: The service cannot be reached.
        """
        hops = 0
        while True:
            self._check_open()
            places = [talk_service_pb2.TalkPlace(channel=name, number=last) for name, last in self._cursor.items()]
            request = talk_service_pb2.ReadRequest(match=self._match, seat=self._seat, cursor=places)
            least, transport = None, self._cells.of(self._match)
            try:
                async for response in transport.read_talk(request, token=self._token()):
                    self._retries.succeeded()
                    for item in response.items:
                        message = self._read(item)
                        if message is not None:
                            yield message
                ended: Exception = CallFailed("the service has ended the stream")
            except CallFailed as failed:
                ended = failed
                self._cells.forget(self._match, transport)
            except CallRefused as refused:
                error = error_from_refusal(refused.refusal)
                if isinstance(error, MatchOver):
                    return
                if isinstance(error, WrongCell) and hops < MOST_HOPS and self._cells.follow(self._match, error):
                    hops += 1
                    continue
                if not is_retryable(error):
                    raise error from None
                ended, least = error, error.retry_after
            await self._retries.wait(ended, least)

    def _read(self, item: talk_service_pb2.TalkItem) -> TalkMessage | None:
        match item.WhichOneof("item"):
            case "open":
                self.open = tuple(item.open.channels)
            case "message":
                said = item.message
                self._cursor[said.channel] = said.number
                seat = said.seat if said.HasField("seat") else None
                return TalkMessage(said.channel, said.number, seat, said.text, said.time / 1000, said.account)
        return None
