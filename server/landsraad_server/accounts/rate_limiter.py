"""Rate limiting: token buckets for each account and each address, shared by all workers through the store.

Asking the store on each call would double its cost. So a worker takes tokens in batches and spends them locally. Tokens
that it has not spent by the time the bucket would be full again expire.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from urllib.parse import unquote

from landsraad_server.config import Config, Network
from landsraad_server.refusals import Denied
from landsraad_server.store import TokenBucket
from landsraad_server.store.errors import StoreUnavailable
from landsraad_server.store.token_buckets import RateLimits
from landsraad_server.telemetry.metrics import Counters

#: A bucket holds the tokens of so many seconds: a caller that was quiet may send a burst.
_BURST_SECONDS = 10
#: The limit of an address as a multiple of that of an account: several accounts may share one address.
_ACCOUNTS_TO_ADDRESS = 4
#: A worker takes this fraction of a bucket at once, and keeps at most so many batches.
_BATCH_FRACTION = 20
_MOST_BATCHES = 10_000


class CallKind(StrEnum):
    """Classes of calls, each with its own rate."""

    CALL = "call"
    CONNECT = "connect"
    MATCH = "match"
    HEAVY = "heavy"


#: Default rates per second and account: where accounts are open to all (mostly tests and bots on one machine), and
#: where accounts need a token.
_OPEN = {CallKind.CALL: 20_000, CallKind.CONNECT: 5_000, CallKind.MATCH: 2_000, CallKind.HEAVY: 2_000}
_BY_TOKEN = {CallKind.CALL: 100, CallKind.CONNECT: 10, CallKind.MATCH: 2, CallKind.HEAVY: 5}


class RateLimiter:
    """Charges calls to accounts and addresses."""

    def __init__(self, config: Config, limits: RateLimits, now: Callable[[], int], counters: Counters) -> None:
        rates = {
            CallKind.CALL: config.call_rate,
            CallKind.CONNECT: config.connect_rate,
            CallKind.MATCH: config.match_rate,
            CallKind.HEAVY: config.heavy_rate,
        }
        usual = _OPEN if config.auth == "open" else _BY_TOKEN
        self._rates = {kind: usual[kind] if rate is None else rate for kind, rate in rates.items()}
        self._limits = limits
        self._now = now
        self._counters = counters
        #: tokens left of each batch, and when it expires
        self._batches: OrderedDict[str, tuple[int, int]] = OrderedDict()

    async def charge_account(self, kind: CallKind, identity: str) -> None:
        """Charge a call to its account; Denied if the account is over its rate."""
        await self._charge(kind, "account", identity, self._rates[kind])

    async def charge_address(self, kind: CallKind, address: str) -> None:
        """Charge a call to its address; Denied if the address is over its rate."""
        await self._charge(kind, "address", address, self._rates[kind] * _ACCOUNTS_TO_ADDRESS)

    async def _charge(self, kind: CallKind, scope: str, caller: str, rate: int) -> None:
        if not rate:
            return
        name = f"{scope} {caller}"
        batch = f"{kind} {name}"
        now = self._now()
        left, until = self._pop_batch(batch, now)
        if not left:
            taken, wait = await self._take(kind, name, TokenBucket(rate * _BURST_SECONDS, rate))
            left = taken + self._pop_batch(batch, now)[0]  # other calls may have taken a batch meanwhile
            if not left:
                self._counters.limited[kind, scope] += 1
                raise Denied("RATE_LIMITED", f"too many requests of kind {kind} from this {scope}", retry_ms=wait)
            until = now + _BURST_SECONDS * 1000
        self._batches[batch] = (left - 1, until)
        if len(self._batches) > _MOST_BATCHES:
            self._batches.popitem(last=False)

    def _pop_batch(self, batch: str, now: int) -> tuple[int, int]:
        """Remove a batch from memory and return what is left of it."""
        left, until = self._batches.pop(batch, (0, 0))
        return (left, until) if until > now else (0, 0)

    async def _take(self, kind: CallKind, name: str, bucket: TokenBucket) -> tuple[int, int]:
        """Return the number of tokens taken and, if there were none, the ms to wait. A lost store refuses no one."""
        wait = 0
        with suppress(StoreUnavailable):
            for amount in (max(1, bucket.capacity // _BATCH_FRACTION), 1):
                wait = await self._limits.take(kind, name, bucket, amount)
                if not wait:
                    return amount, 0
        return 0 if wait else 1, wait


def address_of(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """Return the address of the client: gRPC's peer or, behind a trusted proxy, the last one that the proxy
    forwards.
    """
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return kind  # a Unix socket: all clients on this machine
    address = ipaddress.ip_address(rest.rpartition(":")[0].strip("[]"))
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if forwarded and any(address in network for network in proxies):
        return forwarded.rpartition(",")[2].strip()[:64]
    return str(address)
