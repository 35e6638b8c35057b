"""Who may come how often: token buckets for each account and each address, shared by all workers.

Asking the store at each call would cost as much as the call. So a worker takes a share of a bucket at once and spends
it by itself; what it has not spent when the bucket would be full again is forgotten.
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
from landsraad_server.store.rate_limits import RateLimits
from landsraad_server.telemetry.metrics import Counters

#: A bucket holds what its rate gives in so many seconds: whoever was quiet may hurry for a while.
_BURST_SECONDS = 10
#: Behind one address there may be several accounts.
_ACCOUNTS_TO_ADDRESS = 4
#: A worker takes this part of a bucket at once, and remembers so many shares.
_SHARE = 20
_MOST_SHARES = 10_000


class CallKind(StrEnum):
    """What is counted."""

    CALL = "call"
    CONNECT = "connect"
    MATCH = "match"
    HEAVY = "heavy"


#: Per second and account in the long run, where accounts are open to all (on one machine, mostly by its own tests and
#: bots), and where each has its token.
_OPEN = {CallKind.CALL: 20_000, CallKind.CONNECT: 5_000, CallKind.MATCH: 2_000, CallKind.HEAVY: 2_000}
_BY_TOKEN = {CallKind.CALL: 100, CallKind.CONNECT: 10, CallKind.MATCH: 2, CallKind.HEAVY: 5}


class Admission:
    """The buckets, as one worker sees them."""

    def __init__(self, config: Config, limits: RateLimits, now: Callable[[], int], figures: Counters) -> None:
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
        self._figures = figures
        #: what is left of a share, and until when it may be spent
        self._shares: OrderedDict[str, tuple[int, int]] = OrderedDict()

    async def account(self, kind: CallKind, identity: str) -> None:
        """Denied if the account has come too often."""
        await self._charge(kind, "account", identity, self._rates[kind])

    async def address(self, kind: CallKind, address: str) -> None:
        """Denied if somebody has come too often from this address."""
        await self._charge(kind, "address", address, self._rates[kind] * _ACCOUNTS_TO_ADDRESS)

    async def _charge(self, kind: CallKind, scope: str, who: str, rate: int) -> None:
        if not rate:
            return
        name = f"{scope} {who}"
        share = f"{kind} {name}"
        now = self._now()
        left, until = self._left(share, now)
        if not left:
            taken, wait = await self._take(kind, name, TokenBucket(rate * _BURST_SECONDS, rate), now)
            left = taken + self._left(share, now)[0]  # of others who have come meanwhile
            if not left:
                self._figures.limited[kind, scope] += 1
                raise Denied("RATE_LIMITED", f"too many of this kind ({kind}) from this {scope}", retry_ms=wait)
            until = now + _BURST_SECONDS * 1000
        self._shares[share] = (left - 1, until)
        if len(self._shares) > _MOST_SHARES:
            self._shares.popitem(last=False)

    def _left(self, share: str, now: int) -> tuple[int, int]:
        """Take what is left of a share out of our memory."""
        left, until = self._shares.pop(share, (0, 0))
        return (left, until) if until > now else (0, 0)

    async def _take(self, kind: CallKind, name: str, bucket: TokenBucket, now: int) -> tuple[int, int]:
        """How many may be spent, and if none, when to come again. A store that is lost keeps nobody out."""
        wait = 0
        with suppress(StoreUnavailable):
            for wanted in (max(1, bucket.capacity // _SHARE), 1):
                wait = await self._limits.take(kind, name, bucket, now, wanted)
                if not wait:
                    return wanted, 0
        return 0 if wait else 1, wait


def address_of(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """The address that a call comes from: gRPC's peer or, if that is a proxy of ours, whom the proxy has named last."""
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return kind  # a socket in the file system: all of this machine
    address = ipaddress.ip_address(rest.rpartition(":")[0].strip("[]"))
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if forwarded and any(address in network for network in proxies):
        return forwarded.rpartition(",")[2].strip()[:64]
    return str(address)
