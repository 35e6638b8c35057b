"""Match log: commit entries by compare-and-set, read those that others committed, keep snapshots."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import NamedTuple, TypeAlias

from landsraad_server.store import keys
from landsraad_server.store.entries import GENESIS, Entry, Head, Snapshot, parse_entry, parse_head, parse_snapshot
from landsraad_server.store.errors import Conflict, Rewound, StoreError, Torn
from landsraad_server.store.match_index import Listing
from landsraad_server.store.pipeline import Link, settle
from landsraad_server.store.resp import Reply, pack
from landsraad_server.store.scripts import COMMIT, CONFIRM, MEND, SNAPSHOT

#: Number of versions from one snapshot to the next.
SNAPSHOT_EVERY = 32
#: Entries read by one command, so that a long log does not block the connection.
CHUNK = 256


class Draft(NamedTuple):
    """An entry about to be committed. Committing the same draft twice commits it once."""

    match: str
    before: Head
    entry: Entry
    blob: bytes  # the encoded entry
    listing: bytes  # encoded, for the match index; empty if unchanged
    found: bytes | None = None  # the stored head of a torn log, which this entry mends


class Loaded(NamedTuple):
    """A log as loaded: the last snapshot, if there is one, and the entries after it.

    Of a torn log, what is intact. Its next entry has to mend it, and has to raise the epoch above `lost_epoch`.
    """

    snapshot: Snapshot | None
    entries: list[Entry]
    found: bytes | None = None  # the stored head, if the log is torn; empty if it has none
    lost_epoch: int = -1

    @property
    def head(self) -> Head:
        if self.entries:
            return self.entries[-1].head
        return self.snapshot.head if self.snapshot else GENESIS


#: Outcome of a commit: the new head, or an error: Conflict, Rewound or StoreUnavailable, whose class says whether the
#: entry may have been committed.
Outcome: TypeAlias = Head | StoreError
#: Outcome of a read: entries, oldest first, or an error.
Fetched: TypeAlias = list[Entry] | StoreError


class MatchLog:
    """Access to the logs of all matches.

    Args:
        link: The store's servers.
        replicated: Whether writes wait for replicas.
    """

    def __init__(self, link: Link, *, replicated: bool = False) -> None:
        self._link = link
        self._replicated = replicated
        self._writer = secrets.token_hex(6).encode()
        self._count = count(1)

    def draft(
        self,
        match: str,
        before: Head,
        payload: bytes,
        *,
        due: int = 0,
        listing: Listing | None = None,
        over_epoch: int = -1,
        found: bytes | None = None,
    ) -> Draft:
        """Make the entry that follows `before`. After a Rewound, `over_epoch` is the lost epoch, above which the new
        one is. `found` is the stored head of a torn log.
        """
        nonce = b"%b.%x" % (self._writer, next(self._count))
        after = Head(before.version + 1, max(before.epoch, over_epoch + 1), nonce, due)
        entry = Entry(after, before.nonce, payload)
        return Draft(match, before, entry, entry.encode(), listing.encode(after) if listing else b"", found)

    def append(self, draft: Draft, done: Callable[[Outcome], None]) -> None:
        """Commit a draft and call `done` with the outcome. If this raises, nothing was sent."""
        match, before, entry, blob, listing, found = draft
        after = entry.head

        def answered(reply: Reply) -> None:
            if reply == 1:
                done(after)
            elif isinstance(reply, bytes):
                actual = parse_head(reply)
                done(Conflict(match, actual) if actual.version > before.version else Rewound(match))
            else:
                done(reply)

        what: tuple[bytes, ...] = (b"%d-0" % after.version, blob)
        where: tuple[bytes, ...] = (keys.log(match), keys.head(match))
        if listing:
            what, where = (*what, listing), (*where, keys.listing(match))
        if found is None:
            COMMIT.send(self._link, where, (before.encode(), after.encode(), *what), answered)
        else:
            MEND.send(self._link, where, (found, after.encode(), b"%d-0" % before.version, *what), answered)

    async def head(self, match: str) -> Head:
        """Return the present head of a log; GENESIS if there is no such match."""
        return parse_head(await self._stored_head(match))

    def confirm(self, match: str, done: Callable[[Outcome], None]) -> None:
        """Read a head by callback instead of a task, so that thousands of matches are confirmed in one write."""
        key = keys.head(match)
        self._link.send(
            key,
            pack(b"GET", key),
            lambda reply: done(reply if isinstance(reply, StoreError) else parse_head(reply)),
            read=True,
        )

    def confirm_durable(self, match: str, done: Callable[[Outcome], None]) -> None:
        """Confirm a head, and that all which led to it is as durable as a commit that was acknowledged.

        A read tells what the master has, which replicas may lack: the writer of an entry may have waited for them in
        vain. So where commits wait for replicas, this is a write, which waits as well.
        """
        if not self._replicated:
            self.confirm(match, done)
            return
        CONFIRM.send(
            self._link,
            (keys.head(match),),
            (),
            lambda reply: done(reply if isinstance(reply, StoreError) else parse_head(reply)),
        )

    def fetch(self, match: str, after: Head, done: Callable[[Fetched], None], *, until: int | None = None) -> None:
        """Read up to CHUNK entries that follow `after`; Rewound if `after` is not, or no longer, in the log.

        Torn if one of them does not name the one before it. With `until`, no later version is read.
        """
        # Reading starts at `after` itself: finding the same nonce there proves that nothing was lost.
        key = keys.log(match)
        known = after.version > 0
        last = b"+" if until is None else b"%d-0" % until

        def answered(reply: Reply) -> None:
            if isinstance(reply, StoreError):
                return done(reply)
            entries = [parse_entry(fields[1]) for _, fields in reply]
            if known:
                if not entries or entries[0].head != after:
                    return done(Rewound(match))
                del entries[0]
            return done(_chained(match, after, entries))

        self._link.send(
            key,
            pack(b"XRANGE", key, b"%d-0" % after.version, last, b"COUNT", CHUNK + known),
            answered,
            read=True,
        )

    async def read(self, match: str, after: Head = GENESIS, until: int | None = None) -> list[Entry]:
        """Return all entries that follow `after`, up to the version `until` if there is one."""
        entries: list[Entry] = []
        while True:
            chunk = await self._fetch(match, entries[-1].head if entries else after, until)
            entries += chunk
            if len(chunk) < CHUNK or entries[-1].head.version == until:
                return entries

    async def load(self, match: str) -> Loaded:
        """Return the latest snapshot and the entries after it; both are empty if there is no such match.

        Entries are read up to the first that does not follow the one before it. A power loss can tear a log in the
        middle, or from its head, if the server's file is cut off inside a commit.
        """
        key = keys.snapshot(match)
        blob = await self._link.call(key, b"GET", key, read=True)
        if blob is not None:
            snapshot = parse_snapshot(blob)
            try:
                return await self._checked(match, Loaded(snapshot, []))
            except Rewound:
                pass  # the snapshot's own entry was lost: read from the start
        return await self._checked(match, Loaded(None, []))

    async def _checked(self, match: str, loaded: Loaded) -> Loaded:
        """Read on to the end of the log, and compare it with the stored head: both are written at once."""
        raw = await self._stored_head(match)
        while True:
            entries, lost_epoch = await self.intact(match, loaded.head)
            loaded = loaded._replace(entries=loaded.entries + entries)
            before, raw = raw, await self._stored_head(match) if lost_epoch < 0 else raw
            head = parse_head(raw)
            if lost_epoch < 0 and head == loaded.head:
                return loaded
            if raw == before:  # Nothing was committed while the log was read, so the two should agree.
                return loaded._replace(found=raw or b"", lost_epoch=max(lost_epoch, head.epoch, loaded.head.epoch))

    async def _stored_head(self, match: str) -> bytes | None:
        raw: bytes | None = await self._link.call(keys.head(match), b"GET", keys.head(match), read=True)
        return raw

    async def intact(self, match: str, after: Head = GENESIS) -> tuple[list[Entry], int]:
        """Return all entries that follow `after` up to a break, and the epoch lost by it; -1 if there is none."""
        entries: list[Entry] = []
        while True:
            try:
                chunk = await self._fetch(match, entries[-1].head if entries else after)
            except Torn as torn:
                return entries + torn.intact, torn.lost_epoch
            entries += chunk
            if len(chunk) < CHUNK:
                return entries, -1

    async def distrust_snapshot(self, match: str) -> None:
        """Delete the snapshot, so that the whole log is checked when it is loaded."""
        key = keys.snapshot(match)
        await self._link.call(key, b"DEL", key)

    @staticmethod
    def snapshot_due(head: Head) -> bool:
        """Return whether the worker that committed `head` should store a snapshot of it."""
        return head.version % SNAPSHOT_EVERY == 0

    async def keep_snapshot(self, match: str, head: Head, payload: bytes) -> bool:
        """Store the state at `head`; return False if the log does not have that very version."""
        blob = b"%b %b" % (head.encode(), payload)
        where = (keys.log(match), keys.snapshot(match))
        return bool(await SNAPSHOT.call(self._link, where, b"%d-0" % head.version, head.encode(), blob))

    async def forget(self, match: str) -> None:
        """Delete all keys of a match, which has been archived."""
        names = keys.of_match(match)
        await self._link.call(names[0], b"UNLINK", *names)

    async def _fetch(self, match: str, after: Head, until: int | None = None) -> list[Entry]:
        future: asyncio.Future[list[Entry]] = asyncio.get_running_loop().create_future()
        self.fetch(match, after, partial(settle, future), until=until)
        return await future


def _chained(match: str, after: Head, entries: list[Entry]) -> Fetched:
    """Return the entries if each follows the one before it; Torn if not."""
    for place, entry in enumerate(entries):
        if not entry.follows(after):
            return Torn(match, entries[:place], max(lost.head.epoch for lost in entries[place:]))
        after = entry.head
    return entries
