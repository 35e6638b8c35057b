"""Watch: matches from outside."""

from __future__ import annotations

from landsraad.v1 import watch_service_pb2 as api
from landsraad_server.accounts import Accounts, match_id
from landsraad_server.hosting.hall import Hall
from landsraad_server.services.calls import Call
from landsraad_server.services.seeing import must_see
from landsraad_server.services.streaming import Streams
from landsraad_server.sessions.watching import WatchSession

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Watch"]


class Watch:
    """See the protocol."""

    def __init__(self, hall: Hall, accounts: Accounts, streams: Streams, *, address: str) -> None:
        self._hall = hall
        self._accounts = accounts
        self._streams = streams
        self._address = address

    async def watch_match(self, request: api.WatchMatchRequest, call: Call) -> None:
        match = match_id(request.match)
        await must_see(self._hall, self._accounts, match, call.bearer)
        cursor = getattr(request, "from") if request.HasField("from") else None
        session = WatchSession(self._hall, self._hall.host(match), address=self._address)
        try:
            await self._hall.read(match, lambda position: session.begin(position, cursor))
        except BaseException:
            session.end()
            raise
        await self._streams.carry(session, call.context)
