"""Rate limits: a token bucket for each caller and kind of call, shared by all workers. They go by the store's time."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from landsraad_server.store import keys
from landsraad_server.store.pipeline import Link
from landsraad_server.store.scripts import TAKE


class TokenBucket(NamedTuple):
    """Parameters of a bucket: burst size and refill rate."""

    capacity: int
    per_second: int


class RateLimits:
    """Access to all buckets."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def take(self, kind: str, caller: str, bucket: TokenBucket, cost: int = 1) -> int:
        """Take `cost` tokens; return 0, or the ms until they will be there, in which case none were taken."""
        if cost > bucket.capacity:
            raise ValueError(f"a bucket of {bucket.capacity} never holds {cost}")
        # The caller's name comes from the network; its digest is short and has no special characters.
        name = hashlib.blake2b(caller.encode(), digest_size=12).hexdigest()
        wait = await TAKE.call(self._link, (keys.limit(kind, name),), bucket.capacity, bucket.per_second, cost)
        return int(wait)
