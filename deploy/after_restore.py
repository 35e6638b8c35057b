"""After the store was put back to a backup: give all matches that are not over a new epoch; says how many.

What players saw after the backup was taken did not happen any more, and must not come again as it came before. So each
match gets new dice and decks from here on, as after a failover that has cost the end of its log, and clients that come
with a cursor of before get a snapshot. Run once, while no worker runs, with the image that the matches are played by.
It reads and writes the store that LANDSRAAD_REDIS names.
"""

import asyncio
import os
import sys

from landsraad_server.matches import archive, match_messages
from landsraad_server.matches.clock_poller import now_ms
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.store import Head, IndexState, Store, connect
from landsraad_server.store.errors import StoreError
from landsraad_server.telemetry.metrics import Counters

PAGE = 500
#: No log is as long as what is said to have been lost of it.
LOST = 1 << 50


async def raised(hall: MatchHosts, match: str) -> bool:
    """Let the match find that its log has lost its end, which it had in the epoch that it has now."""
    before = await hall.store.log.head(match)
    hall.host(match).head = Head(LOST, before.epoch, b"lost", 0)
    await hall.read(match, lambda _: None)  # any look at it finds out
    return (await hall.store.log.head(match)).epoch > before.epoch


async def all_raised(store: Store) -> tuple[int, int]:
    """How many there are, and of how many it has become true."""
    nowhere = archive.at("archive")  # what is there is over
    hall = MatchHosts(store, now_ms, archive=nowhere, figures=Counters(), describe=match_messages.summary)
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
        return len(found), sum([await raised(hall, match) for match in found])
    finally:
        await hall.close()


async def main() -> int:
    """Raise them all; status 1 if some are of another build, and have to be raised with that."""
    store = await connect(os.environ.get("LANDSRAAD_REDIS", ""))
    try:
        found, done = await all_raised(store)
    finally:
        await store.close()
    print(f"{done} of {found} matches go on with new dice")
    return 0 if done == found else 1


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except StoreError as trouble:
        print(f"LANDSRAAD_REDIS: {trouble}", file=sys.stderr)
        sys.exit(2)
