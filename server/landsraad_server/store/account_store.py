"""Account store: accounts and their API tokens. A token is shown once, to its owner; the store keeps digests.

The secrets are 256 random bits, so a plain SHA-256 is as good as a slow password hash: there is nothing to guess.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from typing import NamedTuple

from landsraad_server.store import keys
from landsraad_server.store.pipeline import Link

#: Revocations kept for caches, which read them several times a second.
_KEPT_REVOCATIONS = 10_000
#: Prefix of every token, by which people and scanners recognise a leaked one.
TOKEN_PREFIX = "landsraad_token_"  # noqa: S105  a prefix, not a secret


class Account(NamedTuple):
    """An account that may call the service."""

    identity: str
    name: str
    created: int  # ms since 1970


class Token(NamedTuple):
    """An API token as the store knows it: enough to revoke it, nothing to use it with."""

    digest: str
    label: str
    created: int


def digest(text: str) -> str:
    """Return the digest under which a token is stored, or accounts of one name."""
    return hashlib.sha256(text.encode()).hexdigest()


class AccountStore:
    """Accounts and API tokens in the store."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def create(self, name: str, now: int) -> Account:
        """Create an account."""
        account = Account(secrets.token_hex(8), name, now)
        await self.adopt(account, ())
        return account

    async def adopt(self, account: Account, tokens: Iterable[Token]) -> None:
        """Write an account and its tokens, as another store may have them already."""
        key, named = keys.account(account.identity), keys.accounts_named(digest(account.name))
        await self._link.call(key, b"HSET", key, b"name", account.name.encode(), b"created", account.created)
        await self._link.call(named, b"SADD", named, account.identity.encode())
        listed = keys.account_tokens(account.identity)
        for token in tokens:
            details = b"%d %b" % (token.created, token.label.encode())
            await self._link.call(listed, b"HSET", listed, token.digest.encode(), details)
            speaks_for = keys.token(token.digest)
            await self._link.call(speaks_for, b"SET", speaks_for, account.identity.encode())

    async def get(self, identity: str) -> Account | None:
        """Return an account; None if it does not exist."""
        key = keys.account(identity)
        name, created = await self._link.call(key, b"HMGET", key, b"name", b"created", read=True)
        return None if name is None else Account(identity, name.decode(), int(created))

    async def named(self, name: str) -> list[str]:
        """Return the identities of all accounts with this name: names need not be unique."""
        key = keys.accounts_named(digest(name))
        return sorted(identity.decode() for identity in await self._link.call(key, b"SMEMBERS", key, read=True))

    async def all(self) -> list[Account]:
        """Return all accounts, oldest first. Scans the whole store, so it is for operators only."""
        found: set[str] = set()
        for node in self._link.nodes():
            cursor = b"0"
            while True:
                cursor, known = await node.call(
                    b"", b"SCAN", cursor, b"MATCH", keys.ANY_ACCOUNT, b"COUNT", 500, read=True
                )
                found.update(map(keys.account_of, known))
                if cursor == b"0":
                    break
        accounts = [account for identity in found if (account := await self.get(identity)) is not None]
        return sorted(accounts, key=lambda account: (account.created, account.identity))

    async def issue(self, identity: str, label: str, now: int) -> str:
        """Create and return an API token. Only its digest is stored, so it cannot be retrieved again."""
        token = TOKEN_PREFIX + secrets.token_urlsafe(32)
        name = digest(token)
        tokens, speaks_for = keys.account_tokens(identity), keys.token(name)
        # Listed first: a token that works but does not appear in the list could not be revoked.
        await self._link.call(tokens, b"HSET", tokens, name.encode(), b"%d %b" % (now, label.encode()))
        await self._link.call(speaks_for, b"SET", speaks_for, identity.encode())
        return token

    async def identify(self, token: str) -> str | None:
        """Return the identity of the account that a token stands for; None if the token is not valid."""
        key = keys.token(digest(token))
        identity = await self._link.call(key, b"GET", key, read=True)
        return None if identity is None else identity.decode()

    async def tokens(self, identity: str) -> list[Token]:
        """Return the account's tokens, oldest first."""
        key = keys.account_tokens(identity)
        flat = await self._link.call(key, b"HGETALL", key, read=True)
        known = []
        for name, details in zip(flat[::2], flat[1::2], strict=True):
            created, label = details.split(b" ", 1)
            known.append(Token(name.decode(), label.decode(), int(created)))
        return sorted(known, key=lambda token: (token.created, token.digest))

    async def revoke(self, identity: str, name: str) -> bool:
        """Revoke a token of this account by its digest; return False if the account has no such token."""
        tokens, speaks_for = keys.account_tokens(identity), keys.token(name)
        if not await self._link.call(tokens, b"HEXISTS", tokens, name.encode(), read=True):
            return False
        await self._link.call(speaks_for, b"DEL", speaks_for)
        # Before the token leaves the list: if this is lost, the operator sees it there and revokes it again.
        changes = keys.REVOCATIONS
        await self._link.call(
            changes, b"XADD", changes, b"MAXLEN", b"~", _KEPT_REVOCATIONS, b"*", b"token", name.encode()
        )
        await self._link.call(tokens, b"HDEL", tokens, name.encode())
        return True
