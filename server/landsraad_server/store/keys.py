"""Every key name of the store, in one place.

What stands in braces decides the hash slot on a cluster: all keys of a match share one, so that a commit is one
script; the match index is another; clocks, accounts and limits are spread. Nothing here can therefore be changed
together with a match in one script: the log comes first, the rest second, and the sweeper repairs what was left
undone in between.
"""

from __future__ import annotations

import zlib
from binascii import crc_hqx
from functools import lru_cache

#: Enough for the clocks to spread over a cluster's nodes, few enough to look at all of them several times a second.
CLOCK_SETS = 16
#: Names that every action needs are made once for each of so many matches.
_KEPT = 8192


# --- of one match -------------------------------------------------------------------------------------------------


@lru_cache(_KEPT)
def log(match: str) -> bytes:
    """Stream of entries, and the name of the channel on which they are published."""
    return b"log:{%b}" % match.encode()


@lru_cache(_KEPT)
def head(match: str) -> bytes:
    """The log's last id, epoch, nonce and clock."""
    return b"head:{%b}" % match.encode()


def snapshot(match: str) -> bytes:
    """State of a recent version, so that loading need not start at the beginning."""
    return b"snap:{%b}" % match.encode()


@lru_cache(_KEPT)
def listing(match: str) -> bytes:
    """What the match index should say of this match; committed with the log, copied from here by the sweeper."""
    return b"listing:{%b}" % match.encode()


def of_match(match: str) -> tuple[bytes, ...]:
    """All that has to go at once when the match leaves the store."""
    return (log(match), head(match), snapshot(match), listing(match))


#: Pattern that finds every match on one node, and the way back from such a key to the match.
ANY_HEAD = b"head:{*}"


def match_of_head(key: bytes) -> str:
    return key[len(b"head:{") : -1].decode()


# --- the match index ----------------------------------------------------------------------------------------------

#: Hash: match to listing.
INDEX = b"{index}:matches"


def index_order(state: str) -> bytes:
    """Sorted set of the matches in one state, by time of creation."""
    return b"{index}:%b" % state.encode()


#: Held by the worker that sweeps, for as long as no other should.
SWEPT = b"{index}:swept"


# --- clocks -------------------------------------------------------------------------------------------------------


def clock_set(number: int) -> bytes:
    return b"clock:{%d}" % number


def clock_number(match: str) -> int:
    """In which of the sets a match's clock runs: the same on every worker."""
    return zlib.crc32(match.encode()) % CLOCK_SETS


# --- workers ------------------------------------------------------------------------------------------------------

#: Sorted set of workers, by when they were seen last.
ROSTER = b"{workers}:seen"
ADDRESSES = b"{workers}:at"


def present(worker: str) -> bytes:
    """Set of the matches in which a worker has players."""
    return b"present:{%b}" % worker.encode()


# --- accounts and limits ------------------------------------------------------------------------------------------


def account(identity: str) -> bytes:
    return b"account:{%b}" % identity.encode()


#: Pattern that finds every account on one node, and the way back from such a key to the account.
ANY_ACCOUNT = b"account:{*}"


def account_of(key: bytes) -> str:
    return key[len(b"account:{") : -1].decode()


def account_tokens(identity: str) -> bytes:
    """Hash: digest of each API token of an account to its label and age."""
    return b"tokens:{%b}" % identity.encode()


def token(digest: str) -> bytes:
    """Account that an API token speaks for."""
    return b"token:{%b}" % digest.encode()


def made(identity: str) -> bytes:
    """Matches that an account has made and that are not over."""
    return b"made:{%b}" % identity.encode()


def limit(kind: str, who: str) -> bytes:
    """Token bucket of one caller for one kind of call."""
    return b"limit:{%b:%b}" % (kind.encode(), who.encode())


def slot(key: bytes) -> int:
    """Hash slot of a key on a cluster. All our keys have braces."""
    tag = key[key.index(b"{") + 1 : key.index(b"}")]
    return crc_hqx(tag, 0) % 16384
