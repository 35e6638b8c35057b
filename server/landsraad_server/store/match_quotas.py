"""Match quotas: the number of unfinished matches that an account has created.

An account's set of matches lies in another slot than the matches, so a worker that dies may leave a finished match in
it. That is repaired only when the set is full, by comparison with the match index.
"""

from __future__ import annotations

from landsraad_server.store import keys
from landsraad_server.store.match_index import IndexState, parse_listing
from landsraad_server.store.pipeline import Link
from landsraad_server.store.scripts import COUNT

#: Matches younger than this may not be in the index yet.
_YOUNG_MS = 60_000


class MatchQuotas:
    """Access to the quotas of all accounts."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def reserve(self, identity: str, match: str, most: int, now: int) -> bool:
        """Count a match; return False, without counting it, if the quota is used up. Idempotent."""
        made = keys.made(identity)
        if await self._count(made, match, most, now):
            return True
        await self._drop_finished(made, now)
        return await self._count(made, match, most, now)

    async def release(self, identity: str, match: str) -> None:
        """Remove a finished match from the count."""
        made = keys.made(identity)
        await self._link.call(made, b"ZREM", made, match.encode())

    async def _count(self, made: bytes, match: str, most: int, now: int) -> bool:
        # In one script: concurrent requests must not all find the same free place.
        return bool(await COUNT.call(self._link, (made,), match.encode(), now, most))

    async def _drop_finished(self, made: bytes, now: int) -> None:
        """Remove matches that the index lists as over, or does not list at all."""
        old = await self._link.call(made, b"ZRANGEBYSCORE", made, b"-inf", now - _YOUNG_MS, read=True)
        if not old:
            return
        listings = await self._link.call(keys.INDEX, b"HMGET", keys.INDEX, *old, read=True)
        over = [
            match
            for match, record in zip(old, listings, strict=True)
            if record is None or parse_listing(record).state is IndexState.OVER
        ]
        if over:
            await self._link.call(made, b"ZREM", made, *over)
