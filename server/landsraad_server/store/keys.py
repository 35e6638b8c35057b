"""Key names of the store, all in one place.

The part in braces decides the hash slot on a cluster: all keys of a match share one, so that a commit is one script;
the match index has another; clocks, accounts and limits are spread. Nothing outside the match's slot can therefore be
written in the same script as its log: the log is written first and the rest second, and the sweeper repairs what was
left undone in between.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

from redis.crc import key_slot

#: Number of clock sets: enough to spread them over a cluster, few enough to poll them several times a second.
CLOCK_SETS = 16
#: Size of the caches of key names that each act needs.
_KEPT = 8192


# --- of one match -------------------------------------------------------------------------------------------------


@lru_cache(_KEPT)
def log(match: str) -> bytes:
    """Return the key of a match's stream of entries, also the name of its channel."""
    return b"log:{%b}" % match.encode()


@lru_cache(_KEPT)
def head(match: str) -> bytes:
    """Return the key of the log's last version, epoch, nonce and deadline."""
    return b"head:{%b}" % match.encode()


def snapshot(match: str) -> bytes:
    """Return the key of a recent state, from which loading starts."""
    return b"snap:{%b}" % match.encode()


@lru_cache(_KEPT)
def listing(match: str) -> bytes:
    """Return the key of the match's index record, committed with the log and copied to the index from here."""
    return b"listing:{%b}" % match.encode()


def talk(match: str) -> bytes:
    """Return the key of all that is said in a match, also the name of its channel."""
    return b"talk:{%b}" % match.encode()


def of_match(match: str) -> tuple[bytes, ...]:
    """Return all keys that are deleted together when the match leaves the store."""
    return (log(match), head(match), snapshot(match), listing(match), talk(match))


#: Pattern of the heads of all matches on a node; `match_of_head` is its inverse.
ANY_HEAD = b"head:{*}"


def match_of_head(key: bytes) -> str:
    return key[len(b"head:{") : -1].decode()


# --- the match index ----------------------------------------------------------------------------------------------

#: Hash from match to listing.
INDEX = b"{index}:matches"


def index_order(state: str) -> bytes:
    """Return the key of the sorted set of matches in one state, by time of creation."""
    return b"{index}:%b" % state.encode()


#: Id of the archive to which finished matches go.
ARCHIVE = b"{index}:archive"
#: Lock of the worker that sweeps.
SWEPT = b"{index}:swept"


# --- clocks -------------------------------------------------------------------------------------------------------


def clock_set(number: int) -> bytes:
    return b"clock:{%d}" % number


def clock_poller(number: int) -> bytes:
    """Return the key of the worker that polls a set."""
    return b"poller:{%d}" % number


def clock_number(match: str) -> int:
    """Return the number of the set with a match's clock, the same on every worker."""
    return zlib.crc32(match.encode()) % CLOCK_SETS


#: Id of the server process to which workers have written.
RUN = b"{workers}:run"
#: Hash with the last time at which a worker could write, and the last pause of that.
PULSE = b"{workers}:pulse"

# --- workers ------------------------------------------------------------------------------------------------------

#: Sorted set of workers by their last heartbeat.
ROSTER = b"{workers}:seen"
#: Hash from worker to what it announces: its build and where it listens.
ADDRESSES = b"{workers}:at"
#: Number of changes ever made to the announcements, and a stream of the last ones, whose ids are these numbers.
ROSTER_VERSION = b"{workers}:version"
ROSTER_CHANGES = b"{workers}:changes"


def present(worker: str) -> bytes:
    """Return the key of the set of matches in which a worker has players."""
    return b"present:{%b}" % worker.encode()


# --- accounts and limits ------------------------------------------------------------------------------------------


def account(identity: str) -> bytes:
    return b"account:{%b}" % identity.encode()


#: Pattern of all accounts on a node; `account_of` is its inverse.
ANY_ACCOUNT = b"account:{*}"


def account_of(key: bytes) -> str:
    return key[len(b"account:{") : -1].decode()


def accounts_named(digest: str) -> bytes:
    """Return the key of the set of accounts with one name, by its digest: a name may contain braces."""
    return b"named:{%b}" % digest.encode()


def account_tokens(identity: str) -> bytes:
    """Return the key of the hash from token digests of an account to their time and label."""
    return b"tokens:{%b}" % identity.encode()


def token(digest: str) -> bytes:
    """Return the key of the account that a token stands for."""
    return b"token:{%b}" % digest.encode()


#: Stream of the digests of tokens that were revoked, for caches.
REVOCATIONS = b"{revoked}:tokens"


def made(identity: str) -> bytes:
    """Return the key of the set of unfinished matches that an account has created."""
    return b"made:{%b}" % identity.encode()


def limit(kind: str, caller: str) -> bytes:
    """Return the key of one caller's token bucket for one kind of call."""
    return b"limit:{%b:%b}" % (kind.encode(), caller.encode())


# --- cells: in the store of accounts, but for the last ------------------------------------------------------------


def cell_load(cell: str) -> bytes:
    """Return the key of a cell's load, which expires if it is not published again."""
    return b"load:{%b}" % cell.encode()


def placed(identity: str, request_id: str) -> bytes:
    """Return the key of the cell in which an account's request has made a match."""
    return b"placed:{%b %b}" % (identity.encode(), request_id.encode())


#: Name of the cell that a store belongs to.
CELL = b"{index}:cell"
#: Lock of the worker that publishes the load of its cell.
LOAD_PUBLISHED = b"{index}:load"


def slot(key: bytes) -> int:
    """Return the hash slot of a key."""
    return key_slot(key)
