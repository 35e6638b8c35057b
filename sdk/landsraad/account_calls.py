"""Calls of a client in the name of its account: retried, and with a guest account if it has no other."""

from __future__ import annotations

import asyncio
import secrets
from typing import Final, TypeVar

from google.protobuf.message import Message

from landsraad.backoff import BackoffTimer
from landsraad.cell_transports import MOST_HOPS, CellTransports
from landsraad.errors import ConnectionLost, WrongCell, error_from_refusal, is_retryable
from landsraad.models import AccountInfo, read_account
from landsraad.transport import IDEMPOTENT, CallFailed, CallRefused
from landsraad.v1 import accounts_service_pb2
from landsraad.wire.codec import Codec
from landsraad.wire.match_names import match_of

Answer = TypeVar("Answer", bound=Message)

#: Calls that need an account. Without a token, a guest account is created first.
_FOR_ACCOUNTS: Final = frozenset({"Accounts/WhoAmI", "Matches/CreateMatch", "Matches/JoinMatch"})
#: Deadline of one call, in seconds.
_DEADLINE: Final = 10.0


class AccountCalls:
    """The calls of one client, with its token and the id of its account.

    Args:
        cells: The ways to the service.
        token: The token of the account; empty to become a guest when an account is needed.
        retry_timeout: Seconds to go on retrying what fails for a reason that passes.
    """

    def __init__(self, cells: CellTransports, token: str, retry_timeout: float) -> None:
        self._cells = cells
        self._retry_timeout = retry_timeout
        self._becoming_guest = asyncio.Lock()
        self.token = token
        #: the id of the account; empty until it is known
        self.account = ""
        self.closed = False

    async def whoami(self) -> AccountInfo:
        """Fetch the account."""
        request = accounts_service_pb2.WhoAmIRequest()
        found = read_account(await self.call("Accounts/WhoAmI", request, accounts_service_pb2.WhoAmIResponse))
        self.account = found.id
        return found

    async def call(
        self, method: str, request: Message, answer: type[Answer], *, token: str = "", codec: Codec | None = None
    ) -> Answer:
        """Make a call; see `AsyncClient.call`."""
        if method in _FOR_ACCOUNTS and not (token or self.token):
            await self._become_guest()
        return await self._retrying_call(method, request, answer, token or self.token, codec)

    async def _become_guest(self) -> None:
        """Get a guest account of a service with open accounts."""
        async with self._becoming_guest:  # concurrent calls must not create an account each
            if self.token:
                return
            request = accounts_service_pb2.CreateGuestRequest(request_id=secrets.token_hex(16))
            guest = await self._retrying_call(
                "Accounts/CreateGuest", request, accounts_service_pb2.CreateGuestResponse, "", None
            )
            self.token, self.account = guest.token, guest.account.account_id

    async def _retrying_call(
        self, method: str, request: Message, answer: type[Answer], token: str, codec: Codec | None
    ) -> Answer:
        """Make a call, and retry it until it succeeds, must not be retried, or the time for retries is over."""
        retries, match, hops = BackoffTimer(self._retry_timeout), match_of(request), 0
        transport = self._cells.of(match)
        while True:
            self.check_open()
            try:
                return await transport.call(method, request, answer, token=token, deadline=_DEADLINE)
            except CallRefused as refused:
                error = error_from_refusal(refused.refusal, codec)
                if isinstance(error, WrongCell) and hops < MOST_HOPS and (there := self._cells.follow(match, error)):
                    transport, hops = there, hops + 1
                    continue
                if not is_retryable(error) or method not in IDEMPOTENT:
                    raise error from None
                await retries.wait(error, error.retry_after)
            except CallFailed as failed:
                if method not in IDEMPOTENT:
                    raise ConnectionLost(str(failed)) from None
                self._cells.forget(match, transport)
                transport = self._cells.of(match)
                await retries.wait(failed)

    def check_open(self) -> None:
        """Raise ConnectionLost once the client is closed: calls in progress must not retry."""
        if self.closed:
            raise ConnectionLost("the client was closed")
