"""Server probe: query version and configuration, and refuse a server that cannot give the guarantees required.

Run before anything is written: a server that evicts keys or persists nothing works perfectly, until it does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

from landsraad_server.store.errors import UnsuitableServer
from landsraad_server.store.redis_connection import ask
from landsraad_server.store.resp import as_lines, pack

OLDEST = (6, 2, 0)
#: Since this version publications can be sharded, that is stay on the node that holds the slot.
SHARDED_SINCE = (7, 0, 0)


class Durability(StrEnum):
    """Levels of durability, by what an acknowledged entry survives."""

    EVERYSEC = "everysec"  # a crash of any process (*); a power loss but for two seconds
    ALWAYS = "always"  # a power loss too
    REPLICATED = "replicated"  # a failover too

    # (*) A server with its own `appendfsync everysec` can lose up to two seconds if it is itself killed while it
    # writes to the disk: see fsync_thread.py. Embedded servers do not.


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """Version and configuration of a server."""

    version: tuple[int, ...]
    cluster: bool
    append_only: bool
    eviction: str
    fsync: str  # empty if the server does not tell, as managed ones often do
    fsync_on_rewrite: bool = True  # also while it rewrites its append-only file
    run: str = ""  # id of the server's process

    @property
    def sharded(self) -> bool:
        return self.version >= SHARDED_SINCE


async def probe(connection: AbstractConnection) -> ServerFacts:
    """Query the server of a connection."""
    [info] = await ask(connection, pack(b"INFO"))
    lines = as_lines(info) if isinstance(info, bytes) else {}
    version = re.findall(r"\d+", lines.get("redis_version", ""))  # Valkey reports the compatible Redis version here
    if not version:
        raise UnsuitableServer("the server does not report its Redis version")
    try:
        [told] = await ask(connection, pack(b"CONFIG", b"GET", b"*appendfsync*"))
    except ResponseError:
        told = []
    settings = {name.decode(): value.decode() for name, value in zip(told[::2], told[1::2], strict=True)}
    return ServerFacts(
        version=tuple(int(part) for part in version),
        cluster=lines.get("cluster_enabled") == "1",
        append_only=lines.get("aof_enabled") == "1",
        eviction=lines.get("maxmemory_policy", "noeviction") if lines.get("maxmemory", "0") != "0" else "noeviction",
        fsync=settings.get("appendfsync", ""),
        fsync_on_rewrite=settings.get("no-appendfsync-on-rewrite", "no") == "no",
        run=lines.get("run_id", ""),
    )


def check_suitable(facts: ServerFacts, durability: Durability, *, cluster: bool, synced: bool = False) -> None:
    """Raise UnsuitableServer, saying what to change, if the server cannot give what `durability` promises.

    `synced` means that the server's owner syncs its file to disk once a second.
    """
    if facts.version < OLDEST:
        raise UnsuitableServer(f"the store needs server version 6.2 or later, but this one is {_dotted(facts.version)}")
    if cluster and not facts.sharded:
        raise UnsuitableServer(f"a cluster needs server version 7.0 or later, but this one is {_dotted(facts.version)}")
    if cluster != facts.cluster:
        raise UnsuitableServer("use redis+cluster:// for a cluster, and only for one")
    if facts.eviction != "noeviction":
        raise UnsuitableServer(f"the server evicts keys ({facts.eviction}): set maxmemory-policy noeviction")
    if durability is Durability.REPLICATED:
        return
    if not facts.append_only:
        raise UnsuitableServer(
            "the server writes no append-only file: set appendonly yes, or choose durability replicated"
        )
    enough = durability is Durability.EVERYSEC and (synced or facts.fsync == Durability.EVERYSEC)
    if facts.fsync not in ("", Durability.ALWAYS) and not enough:
        raise UnsuitableServer(
            f"durability {durability} needs appendfsync {durability}, but the server has {facts.fsync}"
        )
    if not (facts.fsync_on_rewrite or synced):
        raise UnsuitableServer(
            "the server does not sync its append-only file while it rewrites it: set no-appendfsync-on-rewrite no"
        )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
