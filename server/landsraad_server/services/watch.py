"""Watch: matches from outside."""

from __future__ import annotations

from landsraad.v1 import watch_service_pb2 as api
from landsraad_server.accounts import Accounts, match_id
from landsraad_server.hosting.credentials import SEAT_PREFIX
from landsraad_server.hosting.hall import Hall
from landsraad_server.hosting.requests import Call as Beginning
from landsraad_server.services.calls import Call
from landsraad_server.services.seeing import must_see
from landsraad_server.services.streaming import Streams
from landsraad_server.sessions.watching import WatchSession
from landsraad_server.store.accounts import TOKEN_PREFIX

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
        bearer = call.bearer
        await must_see(self._hall, self._accounts, match, bearer)
        who = await self._accounts.known(bearer) or call.address
        cursor = getattr(request, "from") if request.HasField("from") else None
        shown = bearer if bearer.startswith((TOKEN_PREFIX, SEAT_PREFIX)) else ""
        source = await self._hall.watched(match)
        session = WatchSession(self._hall, source, address=self._address, opened_with=shown)
        beginning = Beginning(read=lambda position: session.begin(position, cursor))
        try:
            source.put(beginning)
            await beginning.future
        except BaseException:
            session.end()
            raise
        await self._streams.carry(session, call.context, who)
