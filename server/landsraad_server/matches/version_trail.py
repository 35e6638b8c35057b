"""Version trail: the versions of a match's log that a host has seen, by which it finds what a rewind has left."""

from __future__ import annotations

from collections.abc import Iterable

from landsraad_server.matches.records import MatchRecord
from landsraad_server.store import Head
from landsraad_server.store.match_log import SNAPSHOT_EVERY

#: Versions of which each one is remembered. Of older ones only the waypoints are.
_RECENT = 2 * SNAPSHOT_EVERY


class VersionTrail:
    """The nonces of the versions that a host has seen: the recent ones, and one in so many of those before."""

    __slots__ = ("_nonces",)

    def __init__(self) -> None:
        self._nonces: dict[int, bytes] = {}

    def add(self, head: Head) -> None:
        """Remember a version, and forget one that is not recent any more."""
        self._nonces[head.version] = head.nonce
        old = head.version - _RECENT
        if old % SNAPSHOT_EVERY:
            self._nonces.pop(old, None)

    def restart(self, heads: Iterable[Head]) -> None:
        """Remember these versions, oldest first, and no others."""
        self._nonces.clear()
        for head in heads:
            self.add(head)

    def standing(self, records: Iterable[tuple[Head, MatchRecord]], logs: int) -> list[int]:
        """Return the lengths of the information logs at the last version that is in this trail and in a log.

        If that version is neither recent nor a waypoint, the lengths are those at the waypoint before it.

        Args:
            records: The log as it is now, from its beginning.
            logs: The number of information logs.
        """
        counts = stands = [0] * logs
        for head, record in records:
            if record.log_counters is not None:
                counts = record.log_counters.counts
            known = self._nonces.get(head.version)
            if known == head.nonce:
                stands = counts
            elif known is not None:
                break
        return stands
