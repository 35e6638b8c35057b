"""Raw calls: invoke any method of the public services by name, with an explicit token."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Any, Final, Self

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from landsraad.transport import CallRefused, GrpcTransport, Tls
from landsraad.v1 import (
    errors_pb2,
    matches_pb2,
    play_pb2,
    talk_service_pb2,
    watch_service_pb2,
)
from landsraad.wire.refusals import reason_of
from landsraad.wire.services import SERVICES
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

#: All methods of the protocol by name ("Matches/JoinMatch").
METHODS: Final[dict[str, MethodDescriptor]] = {
    f"{service.name}/{method.name}": method for service in SERVICES for method in service.methods_by_name.values()
}


#: Calls that need an account.
_FOR_ACCOUNTS: Final = frozenset({"Matches/CreateMatch", "Matches/JoinMatch"})


class Calls:
    """A client without retries that remembers no tokens: without one, each new seat or match is another guest's."""

    def __init__(self, address: str, *, tls: Tls | None = None) -> None:
        self._transport = GrpcTransport(address, tls=tls)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._transport.close()

    async def __call__(self, method: str, token: str = "", **fields: Any) -> Any:
        """Call a method with these request fields; CallRefused if it is refused."""
        if not token and method in _FOR_ACCOUNTS:
            token = (await self("Accounts/CreateGuest")).token
        described = METHODS[method]
        request = GetMessageClass(described.input_type)(**fields)
        answer = GetMessageClass(described.output_type)
        return await self._transport.call(method, request, answer, token=token, deadline=PATIENCE_SECONDS)

    async def refusal(self, method: str, token: str = "", **fields: Any) -> errors_pb2.Refusal:
        """Make a call that has to be refused, and return the refusal."""
        try:
            answer = await self(method, token, **fields)
        except CallRefused as refused:
            return refused.refusal
        raise AssertionError(f"{method} was answered: {answer}")

    async def reason(self, method: str, token: str = "", **fields: Any) -> str:
        """Make a call that has to be refused, and return the reason."""
        return reason_of(await self.refusal(method, token, **fields))

    async def new(self, token: str = "", *, seats: int | Sequence[matches_pb2.Seat] = 2, **terms: Any) -> str:
        """Create a match of `teaching` and return its name."""
        seated = [matches_pb2.Seat()] * seats if isinstance(seats, int) else seats
        terms = {"game": "games/teaching", "seats": seated, **terms}
        made = await self("Matches/CreateMatch", token, match=matches_pb2.Match(**terms))
        return str(made.name)

    def read_talk(
        self, match: str, token: str = "", seat: int | None = None, after: Mapping[str, int] = MappingProxyType({})
    ) -> AsyncGenerator[talk_service_pb2.ReadResponse, None]:
        """Read what is said in a match, after these numbers by channel."""
        cursor = [talk_service_pb2.TalkPlace(channel=channel, number=number) for channel, number in after.items()]
        return self._transport.read_talk(
            talk_service_pb2.ReadRequest(match=match, seat=seat, cursor=cursor), token=token
        )

    def watch(self, match: str, token: str = "") -> AsyncIterator[play_pb2.Frame]:
        """Open a spectator's stream."""
        return self._transport.watch(watch_service_pb2.WatchMatchRequest(match=match), token=token)
