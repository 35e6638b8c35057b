"""What kind of server this is, and whether it can keep the promises that the store makes.

Asked before anything is written: a server that evicts keys or keeps nothing on disk works perfectly, until it does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from landsraad_server.store.errors import CommandFailed, SetupError, UnsuitableServer
from landsraad_server.store.line import Access, Endpoint, ask
from landsraad_server.store.resp import as_lines, pack

OLDEST = (6, 2, 0)
#: Since then a publication can stay on the node that holds the slot.
SHARDED_SINCE = (7, 0, 0)


class Durability(StrEnum):
    """What an acknowledged entry survives."""

    EVERYSEC = "everysec"  # a crash of any process (*); a power loss but for two seconds
    ALWAYS = "always"  # a power loss too
    REPLICATED = "replicated"  # a failover too

    # (*) A server that does its own `appendfsync everysec` can lose up to two seconds if it is itself killed while it
    # writes to the disk: see syncing.py. Ours do not.


@dataclass(frozen=True, slots=True)
class Facts:
    """A server as it describes itself."""

    version: tuple[int, ...]
    cluster: bool
    append_only: bool
    eviction: str
    fsync: str  # empty where the server does not tell, as managed ones often do

    @property
    def sharded(self) -> bool:
        return self.version >= SHARDED_SINCE


async def probe(endpoint: Endpoint, access: Access) -> Facts:
    """Ask the server at `endpoint`."""
    [info] = await ask(endpoint, access, pack(b"INFO"))
    lines = as_lines(info) if isinstance(info, bytes) else {}
    version = re.findall(r"\d+", lines.get("redis_version", ""))  # Valkey says here which Redis it stands in for
    if not version:
        raise UnsuitableServer(f"{endpoint} does not say which version of Redis it is")
    try:
        [setting] = await ask(endpoint, access, pack(b"CONFIG", b"GET", b"appendfsync"))
    except (SetupError, CommandFailed):
        setting = []
    return Facts(
        version=tuple(int(part) for part in version),
        cluster=lines.get("cluster_enabled") == "1",
        append_only=lines.get("aof_enabled") == "1",
        eviction=lines.get("maxmemory_policy", "noeviction") if lines.get("maxmemory", "0") != "0" else "noeviction",
        fsync=setting[1].decode() if setting else "",
    )


def demand(facts: Facts, durability: Durability, *, cluster: bool, synced: bool = False) -> None:
    """Raise Unsuitable, saying what to change, if the server cannot keep what `durability` promises.

    `synced` means that somebody else writes its file to the disk once a second.
    """
    if facts.version < OLDEST:
        raise UnsuitableServer(f"the store needs server version 6.2 or later, this one is {_dotted(facts.version)}")
    if cluster and not facts.sharded:
        raise UnsuitableServer(f"a cluster needs server version 7.0 or later, this one is {_dotted(facts.version)}")
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
        raise UnsuitableServer(f"durability {durability} needs appendfsync {durability}, the server has {facts.fsync}")


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
