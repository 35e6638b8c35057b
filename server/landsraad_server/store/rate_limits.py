"""Rate limits: a token bucket per caller and kind of call, shared by all workers."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from landsraad_server.store import keys
from landsraad_server.store.pipeline import Link
from landsraad_server.store.scripts import TAKE


class TokenBucket(NamedTuple):
    """So many at once, and so many per second in the long run."""

    capacity: int
    per_second: int


class RateLimits:
    """The buckets, as one worker sees them."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def take(self, kind: str, who: str, bucket: TokenBucket, now: int, cost: int = 1) -> int:
        """Take `cost` tokens: 0 if they were there, else in how many ms they will be (and nothing was taken)."""
        if cost > bucket.capacity:
            raise ValueError(f"a bucket of {bucket.capacity} never holds {cost}")
        # The caller's name comes from the network; as a digest it can be neither long nor strange.
        name = hashlib.blake2b(who.encode(), digest_size=12).hexdigest()
        wait = await TAKE.call(self._link, (keys.limit(kind, name),), now, bucket.capacity, bucket.per_second, cost)
        return int(wait)
