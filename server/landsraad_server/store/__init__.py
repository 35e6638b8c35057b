"""The store: match logs, their index and clocks, accounts and limits, in Redis or Valkey.

To this package an entry is opaque bytes behind a small header; it knows nothing of the games. `connect` gives a
`Store`; `EmbeddedServer` and `Keeper` run a private server for those who have none. All it raises is in `errors`.
"""

from landsraad_server.store.connect import Store, connect
from landsraad_server.store.embedded import EmbeddedServer
from landsraad_server.store.entries import GENESIS, Entry, Head, Snapshot
from landsraad_server.store.index import Listing, State
from landsraad_server.store.keeper import Keeper
from landsraad_server.store.limits import Bucket
from landsraad_server.store.log import Draft, Log, Outcome
from landsraad_server.store.probe import Durability

__all__ = [
    "GENESIS",
    "Bucket",
    "Draft",
    "Durability",
    "EmbeddedServer",
    "Entry",
    "Head",
    "Keeper",
    "Listing",
    "Log",
    "Outcome",
    "Snapshot",
    "State",
    "Store",
    "connect",
]
