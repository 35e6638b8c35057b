"""Token administration from the command line, with access to the store as the only credential needed.

The store is given by its URL, or it is the embedded one of a data directory, running or not. Actions are recorded in
the audit log of that directory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

from landsraad_server.accounts.audit import AuditLine, AuditLog
from landsraad_server.matches.service_clock import now_ms
from landsraad_server.store import EmbeddedServer, Store, connect
from landsraad_server.store.account_store import Account, Token
from landsraad_server.store.embedded_server import running_url
from landsraad_server.store.errors import DataDirectoryBusy, SetupError

T = TypeVar("T")

#: Characters of a token's digest that serve as its id.
_ID = 12


class IssuedToken(NamedTuple):
    """A newly issued token. It is shown once: the store keeps only a digest."""

    account: str
    name: str
    token: str


class TokenInfo(NamedTuple):
    """A token as `list` shows it; `token` is empty for an account without one."""

    account: str
    name: str
    token: str
    made: str
    label: str


class TokenAdmin:
    """Issues, lists and revokes tokens in the store at a URL or, if that is empty, in a data directory."""

    def __init__(self, redis: str, data: Path) -> None:
        self._redis = redis
        self._data = data

    def issue(self, name: str, account: str, label: str) -> IssuedToken:
        """Issue a token for a new account of this name, or for an existing account, whose name has to match."""

        async def run(store: Store) -> IssuedToken:
            found = await store.accounts.get(account) if account else await store.accounts.create(name, now_ms())
            if found is None or found.name != name:
                raise SetupError(f"there is no account {account} with the name {name}")
            return IssuedToken(found.identity, name, await store.accounts.issue(found.identity, label, now_ms()))

        issued = self._with_store(run)
        self._record("issue", issued.account)
        return issued

    def list_tokens(self) -> list[TokenInfo]:
        """Return all tokens by account, oldest first."""

        async def run(store: Store) -> list[TokenInfo]:
            return [
                _token_info(account, token)
                for account in await store.accounts.all()
                for token in await store.accounts.tokens(account.identity) or [Token("", "", account.created)]
            ]

        return self._with_store(run)

    def revoke(self, name: str) -> TokenInfo:
        """Revoke the token with this id."""

        async def run(store: Store) -> TokenInfo:
            for account in await store.accounts.all():
                for token in await store.accounts.tokens(account.identity):
                    if token.digest[:_ID] == name and await store.accounts.revoke(account.identity, token.digest):
                        return _token_info(account, token)
            raise SetupError(f"no account has a token {name}; see `landsraad token list`")

        revoked = self._with_store(run)
        self._record("revoke", revoked.account)
        return revoked

    def _with_store(self, work: Callable[[Store], Awaitable[T]]) -> T:
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
        """Yield the URL of the store; start the embedded server of the data directory if it is not running."""
        if self._redis:
            yield self._redis
            return
        if not self._data.is_dir():
            raise SetupError(f"{self._data} is not a data directory: set --data, or the store's URL with --redis")
        with ExitStack() as stack:
            try:
                url = stack.enter_context(EmbeddedServer(self._data / "store")).url
            except DataDirectoryBusy:
                url = running_url(self._data / "store")
            yield url

    def _record(self, what: str, account: str) -> None:
        if self._data.is_dir():
            audit = AuditLog(self._data / "audit.jsonl")
            audit.add(AuditLine(now_ms(), "command line", "", f"token {what}", account))
            audit.close()


def _token_info(account: Account, token: Token) -> TokenInfo:
    made = datetime.fromtimestamp(token.created / 1000, UTC).date().isoformat()
    return TokenInfo(account.identity, account.name, token.digest[:_ID], made, token.label)
