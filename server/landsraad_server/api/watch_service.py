"""Watch: matches from outside."""

from __future__ import annotations

from landsraad.v1 import watch_service_pb2 as api
from landsraad_server.accounts.authentication import Authenticator, match_id
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.session_streams import Streams
from landsraad_server.api.visibility import must_see
from landsraad_server.matches.credentials import SEAT_PREFIX
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.requests import MatchCall as Beginning
from landsraad_server.store.account_store import TOKEN_PREFIX
from landsraad_server.streams.watch_session import WatchSession

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Watch"]


class WatchService:
    """See the protocol."""

    def __init__(self, hall: MatchHosts, accounts: Authenticator, streams: Streams, *, address: str) -> None:
        self._hall = hall
        self._accounts = accounts
        self._streams = streams
        self._address = address

    async def watch_match(self, request: api.WatchMatchRequest, call: RpcCall) -> None:
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
