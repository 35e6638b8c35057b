"""How many matches an account has made that are not over.

The set of an account lies apart from its matches, so a worker that dies may leave one in it that is long over. Nothing
mends that until the set is full: then the match index says what is really left.
"""

from __future__ import annotations

from landsraad_server.store import keys
from landsraad_server.store.match_index import IndexState, parse_listing
from landsraad_server.store.pipeline import Link
from landsraad_server.store.scripts import COUNT

#: The index may not know a match yet that is younger than this.
_YOUNG_MS = 60_000


class Quotas:
    """The sets, as one worker sees them."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def take(self, identity: str, match: str, most: int, now: int) -> bool:
        """Count a match; False, and not counted, if there are as many already. Twice does no harm."""
        made = keys.made(identity)
        if await self._count(made, match, most, now):
            return True
        await self._weed(made, now)
        return await self._count(made, match, most, now)

    async def free(self, identity: str, match: str) -> None:
        """A match is over."""
        made = keys.made(identity)
        await self._link.call(made, b"ZREM", made, match.encode())

    async def _count(self, made: bytes, match: str, most: int, now: int) -> bool:
        # In one step: of many that come at once each would find that there is room for it.
        return bool(await COUNT.call(self._link, (made,), match.encode(), now, most))

    async def _weed(self, made: bytes, now: int) -> None:
        """Take out what the index knows to be over, or does not know at all."""
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
