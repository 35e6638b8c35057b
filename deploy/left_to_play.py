"""Count the unfinished matches of each engine build; exit with 0 if none needs the build of this image, else 1.

During a rollout, run this in the image of the old build: it can be removed once the status is 0. The script reads the
store that LANDSRAAD_REDIS names.
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


async def count_by_build(store: Store) -> Counter[str]:
    """Count the unfinished matches by the engine build that created them."""
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
    """Print a line for each build; return 1 if a match needs this one."""
    store = await connect(os.environ.get("LANDSRAAD_REDIS", ""))
    try:
        found = await count_by_build(store)
    finally:
        await store.close()
    here = engine_build()
    for build in sorted({here, *found}):
        print(f"{found[build]:>8}  {build}{'  (here)' if build == here else ''}")
    return 1 if found[here] else 0


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except StoreError as error:
        print(f"LANDSRAAD_REDIS: {error}", file=sys.stderr)
        sys.exit(2)  # not 1, which means "wait and try again"
