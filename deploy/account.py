"""Make an account in the deployment's store, and print its token.

    python account.py NAME          inside a server's container

A deployment beyond loopback takes nobody without a token. The token is shown only here; the store keeps a hash of it.
"""

import asyncio
import os
import sys
import time

from landsraad_server.store import connect


async def make(url: str, name: str) -> str:
    """The token of a new account."""
    store = await connect(url)
    try:
        now = time.time_ns() // 1_000_000
        account = await store.accounts.create(name, now)
        return await store.accounts.issue(account.identity, "made by the operator", now)
    finally:
        await store.close()


def main() -> int:
    """Print the token, and nothing else, on standard output."""
    if len(sys.argv) != 2 or "LANDSRAAD_REDIS" not in os.environ:
        print("usage: LANDSRAAD_REDIS=... python account.py NAME", file=sys.stderr)
        return 2
    print(asyncio.run(make(os.environ["LANDSRAAD_REDIS"], sys.argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
