"""Copy all accounts and tokens to the store that all cells share, when a service is divided into cells.

Run this once, while no worker runs, with the environment of the first cell: it copies from the store that
LANDSRAAD_REDIS names to the one that LANDSRAAD_ACCOUNTS names. Copying twice does no harm.
"""

import asyncio
import os
import sys

from landsraad_server.store import Store, connect
from landsraad_server.store.errors import StoreError


async def copy(source: Store, into: Store) -> int:
    """Copy all accounts with their tokens; return the number of accounts."""
    accounts = await source.accounts.all()
    for account in accounts:
        await into.accounts.adopt(account, await source.accounts.tokens(account.identity))
    return len(accounts)


async def main() -> int:
    """Copy between the stores that the environment names."""
    names = ("LANDSRAAD_REDIS", "LANDSRAAD_ACCOUNTS")
    source, into = [await connect(os.environ.get(name, "")) for name in names]
    try:
        copied = await copy(source, into)
    finally:
        await source.close()
        await into.close()
    print(f"{copied} accounts are in the store of accounts")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except StoreError as error:
        print(f"LANDSRAAD_REDIS or LANDSRAAD_ACCOUNTS: {error}", file=sys.stderr)
        sys.exit(2)
