"""Watch service: streams for spectators."""

from __future__ import annotations

from landsraad.v1 import watch_service_pb2 as api
from landsraad_server.accounts.authentication import Authenticator, match_id
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.session_streams import OpenStreams
from landsraad_server.api.visibility import check_visible
from landsraad_server.matches.credentials import SEAT_PREFIX
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.requests import MatchCall
from landsraad_server.store.account_store import TOKEN_PREFIX
from landsraad_server.streams.watch_session import WatchSession

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Watch"]


class WatchService:
    """Implementation of the Watch service."""

    def __init__(self, hosts: MatchHosts, authenticator: Authenticator, streams: OpenStreams, *, address: str) -> None:
        self._hosts = hosts
        self._authenticator = authenticator
        self._streams = streams
        self._address = address

    async def watch_match(self, request: api.WatchMatchRequest, call: RpcCall) -> None:
        """Stream a match as spectators see it, from a cursor on if one is given."""
        match = match_id(request.match)
        bearer = call.bearer
        await check_visible(self._hosts, self._authenticator, match, bearer)
        owner = await self._authenticator.identify(bearer) or call.address
        cursor = getattr(request, "from") if request.HasField("from") else None
        shown = bearer if bearer.startswith((TOKEN_PREFIX, SEAT_PREFIX)) else ""
        source = await self._hosts.spectator_host(match)
        session = WatchSession(self._hosts, source, address=self._address, opened_with=shown)
        beginning = MatchCall(read=lambda hosted: session.begin(hosted, cursor))
        try:
            source.put(beginning)
            await beginning.future
        except BaseException:
            session.end()
            raise
        await self._streams.serve(session, call.context, owner)
