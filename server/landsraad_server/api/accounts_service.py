"""Accounts service: guests, and the identity of a caller."""

from __future__ import annotations

from landsraad.v1 import accounts_service_pb2 as api
from landsraad_server.accounts.authentication import Authenticator, Caller
from landsraad_server.api.calls import RpcCall
from landsraad_server.refusals import bad_field, check_text

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Accounts"]

#: A guest's token follows from the id of its request, so the id must be as hard to guess.
_LEAST_REQUEST_CHARACTERS, _MOST_REQUEST_CHARACTERS = 32, 64


class AccountsService:
    """Implementation of the Accounts service."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    async def create_guest(self, request: api.CreateGuestRequest, call: RpcCall) -> api.CreateGuestResponse:
        """Create a guest account, the same one for a repeated request."""
        check_text("request_id", request.request_id, _MOST_REQUEST_CHARACTERS)
        if 0 < len(request.request_id) < _LEAST_REQUEST_CHARACTERS:
            raise bad_field("request_id", f"has {_LEAST_REQUEST_CHARACTERS} random characters or more")
        guest, token = self._authenticator.new_guest(request.request_id)
        return api.CreateGuestResponse(account=_account(guest), token=token)

    async def who_am_i(self, request: api.WhoAmIRequest, call: RpcCall) -> api.WhoAmIResponse:
        """Return the account of the caller, with the seat if the call came with a seat's credential."""
        if (seat := await self._authenticator.seat_holder(call.bearer)) is not None:
            return api.WhoAmIResponse(
                account=_account(seat.holder), roles=[api.ROLE_SEAT], match=f"matches/{seat.match}", seat=seat.seat
            )
        caller = await self._authenticator.authenticate(call.bearer)
        return api.WhoAmIResponse(account=_account(caller), roles=[api.ROLE_PLAYER])


def _account(caller: Caller) -> api.Account:
    return api.Account(account_id=caller.identity, display_name=caller.name, guest=caller.guest)
