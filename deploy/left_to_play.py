"""How many matches that are not over each engine build has to play; status 0 once none needs the build here, else 1.

For whoever rolls a service to another build: run where the old one runs, it says when that can go. It reads the store
that LANDSRAAD_REDIS names.
"""

import asyncio
import os
import sys
from collections import Counter

from landsraad.v1 import matches_pb2
from landsraad_engine.play.build import engine_build
from landsraad_server.matches.match_messages import read_summary
from landsraad_server.store import IndexState, Store, connect
from landsraad_server.store.errors import StoreError

PAGE = 500


async def counted(store: Store) -> Counter[str]:
    """Matches that are not over, by the build that they were made with."""
    found: Counter[str] = Counter()
    for state in (IndexState.OPEN, IndexState.LIVE):
        after = b""
        while True:
            page = await store.index.page(state, PAGE, after)
            for row in page.rows:
                match = matches_pb2.Match.FromString(read_summary(row.listing.summary).message)
                found[match.engine_build] += 1
            after = page.after
            if not after:
                break
    return found


async def main() -> int:
    """Print a line for each build."""
    store = await connect(os.environ.get("LANDSRAAD_REDIS", ""))
    try:
        found = await counted(store)
    finally:
        await store.close()
    here = engine_build()
    for build in sorted({here, *found}):
        print(f"{found[build]:>8}  {build}{'  (here)' if build == here else ''}")
    return 1 if found[here] else 0


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except StoreError as trouble:
        print(f"LANDSRAAD_REDIS: {trouble}", file=sys.stderr)
        sys.exit(2)  # which is not to be waited for
