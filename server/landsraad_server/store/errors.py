"""What the store says when it does not do as asked. Which branch an error stands in tells what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from landsraad_server.store.entries import Head


class StoreError(Exception):
    """Base of everything that this package raises on purpose."""


# --- somebody has to change something: trying again will not help -------------------------------------------------


class SetupError(StoreError):
    """The deployment is wrong; the message says what to change."""


class BadUrl(SetupError):
    """The store's address cannot be understood."""


class NoServerBinary(SetupError):
    """Neither a wheel nor PATH offers a server that could be embedded."""


class DataDirectoryBusy(SetupError):
    """Another live process owns this data directory."""


class SocketPathTooLong(SetupError):
    """No directory is short enough for a Unix socket's address."""


class StartFailed(SetupError):
    """The embedded server did not come up, or will not stay up."""


class AccessDenied(SetupError):
    """The server does not accept our name and password, or forbids a command we need."""


class UnsuitableServer(SetupError):
    """The server is there but cannot keep the promises asked of it: version, eviction, persistence."""


# --- try again later; each class says whether the command has run -------------------------------------------------


class StoreUnavailable(StoreError):
    """The server did not do it now. Safe to try again wherever the command itself is (a commit is, by its nonce)."""


class NotExecuted(StoreUnavailable):
    """Certainly not run: never sent, or the server said so."""


class Overloaded(NotExecuted):
    """Too many commands are already under way on this connection."""


class StoreFull(NotExecuted):
    """The server is out of memory and, rightly, evicts nothing."""


class Demoted(NotExecuted):
    """The server we talk to has become a replica."""


class ReplyLost(StoreUnavailable):
    """Sent, but the connection ended before the answer: it may have run or not."""


class NotReplicated(StoreUnavailable):
    """Run, but too few replicas confirmed it in time."""


# --- the log is not where the writer thought ----------------------------------------------------------------------


class Conflict(StoreError):
    """Somebody else committed first: read on from your head, then decide again."""

    def __init__(self, match: str, actual: Head) -> None:
        super().__init__(f"match {match} stands at version {actual.version}")
        self.match = match
        self.actual = actual


class Rewound(StoreError):
    """The log lost what this worker has seen (a failover lost its tail): drop the cache, raise the epoch."""

    def __init__(self, match: str) -> None:
        super().__init__(f"match {match} has lost entries that had been read before")
        self.match = match


# --- answers to a single command ----------------------------------------------------------------------------------


class CommandFailed(StoreError):
    """The server refused the command itself: a fault of ours."""


class NoReply(StoreError):
    """What came is none: who answers there is no server of ours, or something has mixed its bytes up."""


class ScriptMissing(CommandFailed):
    """The server's script cache was emptied; nothing ran."""


class Moved(CommandFailed):
    """Cluster: the slot is served elsewhere, for good (MOVED) or for this one command (ASK); nothing ran here."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        kind, slot, address = message.split(" ")[:3]
        host, _, port = address.rpartition(":")
        self.once = kind == "ASK"
        self.slot = int(slot)
        self.address = (host, int(port))
