"""Accounts and their tokens, from beside the service: what may open the store may make accounts.

Of a service on this machine that has a store of its own, its data directory says where that is, whether it runs or not.
What is done stands in that directory's audit log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

from landsraad_server.accounts.audit import AuditLine, AuditLog
from landsraad_server.matches.clock_poller import now_ms
from landsraad_server.store import EmbeddedServer, Store, connect
from landsraad_server.store.account_store import Account, Token
from landsraad_server.store.embedded_server import running_url
from landsraad_server.store.errors import DataDirectoryBusy, SetupError

T = TypeVar("T")

#: So much of a token's digest names it.
_ID = 12


class Issued(NamedTuple):
    """A new token. It is shown once: the store keeps a digest of it."""

    account: str
    name: str
    token: str


class Known(NamedTuple):
    """What is known of a token afterwards; of an account without one, its `token` is empty."""

    account: str
    name: str
    token: str
    made: str
    label: str


class TokenAdmin:
    """Where tokens are issued: the store at an address, or if that is empty the one in a data directory."""

    def __init__(self, redis: str, data: Path) -> None:
        self._redis = redis
        self._data = data

    def issue(self, name: str, account: str, label: str) -> Issued:
        """A token for a new account of this name, or for the one of this id, whose name it has to be."""

        async def run(store: Store) -> Issued:
            found = await store.accounts.get(account) if account else await store.accounts.create(name, now_ms())
            if found is None or found.name != name:
                raise SetupError(f"there is no account {account} of the name {name}")
            return Issued(found.identity, name, await store.accounts.issue(found.identity, label, now_ms()))

        issued = self._do(run)
        self._note("issue", issued.account)
        return issued

    def known(self) -> list[Known]:
        """All tokens, by account, the oldest first."""

        async def run(store: Store) -> list[Known]:
            return [
                _known(account, token)
                for account in await store.accounts.all()
                for token in await store.accounts.tokens(account.identity) or [Token("", "", account.created)]
            ]

        return self._do(run)

    def revoke(self, name: str) -> Known:
        """End the token of this name."""

        async def run(store: Store) -> Known:
            for account in await store.accounts.all():
                for token in await store.accounts.tokens(account.identity):
                    if token.digest[:_ID] == name and await store.accounts.revoke(account.identity, token.digest):
                        return _known(account, token)
            raise SetupError(f"no account has a token {name}; see `landsraad token list`")

        revoked = self._do(run)
        self._note("revoke", revoked.account)
        return revoked

    def _do(self, work: Callable[[Store], Awaitable[T]]) -> T:
        async def run(url: str) -> T:
            store = await connect(url)
            try:
                return await work(store)
            finally:
                await store.close()

        with self._address() as url:
            return asyncio.run(run(url))

    @contextmanager
    def _address(self) -> Iterator[str]:
        """The store; one that nobody runs at the moment is run for so long."""
        if self._redis:
            yield self._redis
            return
        if not self._data.is_dir():
            raise SetupError(f"there is no service's data in {self._data}: name it by --data, or the store by --redis")
        with ExitStack() as stack:
            try:
                url = stack.enter_context(EmbeddedServer(self._data / "store")).url
            except DataDirectoryBusy:
                url = running_url(self._data / "store")
            yield url

    def _note(self, what: str, account: str) -> None:
        if self._data.is_dir():
            audit = AuditLog(self._data / "audit.jsonl")
            audit.add(AuditLine(now_ms(), "command line", "", f"token {what}", account))
            audit.close()


def _known(account: Account, token: Token) -> Known:
    made = datetime.fromtimestamp(token.created / 1000, UTC).date().isoformat()
    return Known(account.identity, account.name, token.digest[:_ID], made, token.label)
