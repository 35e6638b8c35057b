"""After restoring the store from a backup, start a new epoch in every unfinished match.

The restore undid what players saw after the backup. The same dice and cards must not come again, because players know
them. So each match gets new random streams, as after a failover that lost the end of a log, and clients with an old
cursor get a snapshot. Run this once, while no worker runs, with the image that plays the matches. It uses the store
that LANDSRAAD_REDIS names.
"""

import asyncio
import os
import sys

from landsraad_server.matches import archive, match_messages
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.service_clock import now_ms
from landsraad_server.store import Head, IndexState, Store, connect
from landsraad_server.store.errors import StoreError
from landsraad_server.telemetry.metrics import Counters

PAGE = 500
#: A log position beyond any real log, to pretend that the end of the log was lost.
LOST = 1 << 50


async def raise_epoch(hosts: MatchHosts, match: str) -> bool:
    """Start a new epoch in a match, by the code path for a lost end of its log; return True if it worked."""
    before = await hosts.store.log.head(match)
    hosts.host(match).head = Head(LOST, before.epoch, b"lost", 0)
    await hosts.read(match, lambda _: None)  # any read detects the loss
    return (await hosts.store.log.head(match)).epoch > before.epoch


async def raise_all(store: Store) -> tuple[int, int]:
    """Start a new epoch in all unfinished matches; return their number, and that of the successes."""
    unused = archive.open_archive("archive")  # holds finished matches only
    hosts = MatchHosts(store, now_ms, archive=unused, counters=Counters(), describe=match_messages.summary)
    try:
        found = []
        for state in (IndexState.OPEN, IndexState.LIVE):
            after = b""
            while True:
                page = await store.index.page(state, PAGE, after)
                found += [row.match for row in page.rows]
                after = page.after
                if not after:
                    break
        return len(found), sum([await raise_epoch(hosts, match) for match in found])
    finally:
        await hosts.close()


async def main() -> int:
    """Raise all epochs; return status 1 if some matches belong to another build, whose image must raise them."""
    store = await connect(os.environ.get("LANDSRAAD_REDIS", ""))
    try:
        found, done = await raise_all(store)
    finally:
        await store.close()
    print(f"{done} of {found} matches continue with new dice")
    return 0 if done == found else 1


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except StoreError as error:
        print(f"LANDSRAAD_REDIS: {error}", file=sys.stderr)
        sys.exit(2)
