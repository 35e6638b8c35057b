"""Account cache: the accounts of all cells lie in one small store, of which each worker caches what it needs.

A cached token would outlive its revocation. So each revocation is also written to a stream, which every worker reads by
its new entries several times a second. While the store of accounts cannot be reached nobody can revoke anything there,
and cached tokens stay good until they expire; those that are not cached are refused with STORE_LOST.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from landsraad_server.store import keys
from landsraad_server.store.account_store import Account, AccountStore, digest
from landsraad_server.store.pipeline import Link

T = TypeVar("T")

#: Seconds for which a token or account is cached.
CACHED_SECONDS = 60.0
#: Entries of each cache, and revoked tokens that are remembered.
_MOST = 20_000


class _Cache(OrderedDict[str, tuple[float, T]]):
    """Values that expire, limited in number."""

    def find(self, key: str, now: float) -> T | None:
        found = self.get(key)
        return found[1] if found is not None and found[0] > now else None

    def keep(self, key: str, value: T, until: float) -> None:
        self[key] = until, value
        self.move_to_end(key)
        if len(self) > _MOST:
            self.popitem(last=False)


class CachedAccounts(AccountStore):
    """The accounts of all cells, as one worker sees them."""

    def __init__(self, link: Link, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(link)
        self._clock = clock
        self._identities: _Cache[str] = _Cache()
        self._accounts: _Cache[Account] = _Cache()
        # A token that was revoked is never issued again. Remembering it settles the race of its last valid read with
        # the news of its revocation.
        self._revoked: OrderedDict[str, None] = OrderedDict()
        self._read_upto = b""

    async def get(self, identity: str) -> Account | None:
        """Return an account; None if it does not exist. Accounts never change."""
        now = self._clock()
        found = self._accounts.find(identity, now)
        if found is None:
            found = await super().get(identity)
            if found is not None:
                self._accounts.keep(identity, found, now + CACHED_SECONDS)
        return found

    async def identify(self, token: str) -> str | None:
        """Return the account that a token stands for; None if the token is not valid."""
        name, now = digest(token), self._clock()
        found = self._identities.find(name, now)
        if found is None:
            found = await super().identify(token)
            if found is not None and name not in self._revoked:
                self._identities.keep(name, found, now + CACHED_SECONDS)
        return None if name in self._revoked else found

    async def revoke(self, identity: str, name: str) -> bool:
        """Revoke a token of this account by its digest; return False if the account has no such token."""
        revoked = await super().revoke(identity, name)
        if revoked:
            self._forget(name)
        return revoked

    async def read_revocations(self) -> bool:
        """Drop the tokens that were revoked since the last call; return whether there were any."""
        if not self._read_upto:
            [last] = await self._link.call(
                keys.REVOCATIONS, b"XREVRANGE", keys.REVOCATIONS, b"+", b"-", b"COUNT", 1, read=True
            ) or [(b"0-0", [])]
            self._read_upto = last[0]
            self._identities.clear()  # Of what was revoked before nothing may stay.
            return True
        entries = await self._link.call(
            keys.REVOCATIONS, b"XRANGE", keys.REVOCATIONS, b"(" + self._read_upto, b"+", read=True
        )
        for number, (_, name) in entries:
            self._read_upto = number
            self._forget(name.decode())
        return bool(entries)

    def distrust(self) -> None:
        """Begin again with an empty cache: after a failover the stream may lack its end."""
        self._read_upto = b""

    def _forget(self, name: str) -> None:
        self._identities.pop(name, None)
        self._revoked[name] = None
        if len(self._revoked) > _MOST:
            self._revoked.popitem(last=False)
