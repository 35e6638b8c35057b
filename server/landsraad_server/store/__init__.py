"""Store: match logs, their index and clocks, accounts and rate limits, in Redis or Valkey.

To this package a log entry is opaque bytes behind a small header; it knows nothing of the games. `connect` returns a
`Store`. `EmbeddedServer` and `EmbeddedServerWatchdog` run a private server for deployments without one. All exceptions
are in `errors`.
"""

from landsraad_server.store.connect import Store, connect
from landsraad_server.store.embedded_server import EmbeddedServer
from landsraad_server.store.embedded_watchdog import EmbeddedServerWatchdog
from landsraad_server.store.entries import GENESIS, Entry, Head, Snapshot
from landsraad_server.store.match_index import IndexState, Listing
from landsraad_server.store.match_log import Draft, MatchLog, Outcome
from landsraad_server.store.server_probe import Durability
from landsraad_server.store.token_buckets import TokenBucket

__all__ = [
    "GENESIS",
    "Draft",
    "Durability",
    "EmbeddedServer",
    "EmbeddedServerWatchdog",
    "Entry",
    "Head",
    "IndexState",
    "Listing",
    "MatchLog",
    "Outcome",
    "Snapshot",
    "Store",
    "TokenBucket",
    "connect",
]
