"""A match's log: commit the next entry, read what others committed, keep a snapshot now and then."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import NamedTuple, TypeAlias

from landsraad_server.store import keys
from landsraad_server.store.entries import GENESIS, Entry, Head, Snapshot, parse_entry, parse_head, parse_snapshot
from landsraad_server.store.errors import Conflict, Rewound, StoreError
from landsraad_server.store.match_index import Listing
from landsraad_server.store.pipeline import Link, settle
from landsraad_server.store.resp import Reply, pack
from landsraad_server.store.scripts import COMMIT, SNAPSHOT

#: A snapshot is due at every version that this divides.
SNAPSHOT_EVERY = 32
#: Entries read in one go, so that one long log does not hold up the connection.
CHUNK = 256


class Draft(NamedTuple):
    """An entry on its way. Committing the same draft twice commits it once."""

    match: str
    before: Head
    entry: Entry
    blob: bytes  # the entry as it will be stored
    listing: bytes  # for the match index; empty if unchanged


class Loaded(NamedTuple):
    """What a worker starts from: a snapshot, if there is one, and the entries after it."""

    snapshot: Snapshot | None
    entries: list[Entry]

    @property
    def head(self) -> Head:
        if self.entries:
            return self.entries[-1].head
        return self.snapshot.head if self.snapshot else GENESIS


#: What became of a draft: the new head; Conflict or Rewound; or Unavailable, which says whether it may have been
#: committed.
Outcome: TypeAlias = Head | StoreError
#: What was read: entries, oldest first, or why not.
Fetched: TypeAlias = list[Entry] | StoreError


class MatchLog:
    """All logs, as one worker sees them."""

    def __init__(self, link: Link) -> None:
        self._link = link
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
    ) -> Draft:
        """The entry after `before`. After a Rewound, `over_epoch` is the epoch that was lost: the new one is higher."""
        nonce = b"%b.%x" % (self._writer, next(self._count))
        after = Head(before.version + 1, max(before.epoch, over_epoch + 1), nonce, due)
        entry = Entry(after, before.nonce, payload)
        return Draft(match, before, entry, entry.encode(), listing.encode(after) if listing else b"")

    def is_mine(self, head: Head) -> bool:
        """Whether this worker wrote the entry: how one finds out about a lost reply after others went on."""
        return head.nonce.startswith(self._writer)

    def append(self, draft: Draft, done: Callable[[Outcome], None]) -> None:
        """Commit: `done` gets the outcome. What raises was not sent."""
        match, before, entry, blob, listing = draft
        after = entry.head

        def answered(reply: Reply) -> None:
            if reply == 1:
                done(after)
            elif isinstance(reply, bytes):
                actual = parse_head(reply)
                done(Conflict(match, actual) if actual.version > before.version else Rewound(match))
            else:
                done(reply)

        what = (before.encode(), after.encode(), b"%d-0" % after.version, blob)
        if listing:
            where = (keys.log(match), keys.head(match), keys.listing(match))
            COMMIT.send(self._link, where, (*what, listing), answered)
        else:
            COMMIT.send(self._link, (keys.log(match), keys.head(match)), what, answered)

    async def head(self, match: str) -> Head:
        """Where the log stands now; GENESIS if there is no such match."""
        return parse_head(await self._link.call(keys.head(match), b"GET", keys.head(match), read=True))

    def confirm(self, match: str, done: Callable[[Outcome], None]) -> None:
        """The same without a task: many matches are confirmed in one write."""
        key = keys.head(match)
        self._link.send(
            key,
            pack(b"GET", key),
            lambda reply: done(reply if isinstance(reply, StoreError) else parse_head(reply)),
            read=True,
        )

    def fetch(self, match: str, after: Head, done: Callable[[Fetched], None]) -> None:
        """Up to CHUNK entries that follow `after`; Rewound if `after` is not, or no longer, in the log."""
        # Read from `after` itself on: finding it there, by the same writer, is what proves that nothing was lost.
        key = keys.log(match)
        known = after.version > 0

        def answered(reply: Reply) -> None:
            if isinstance(reply, StoreError):
                return done(reply)
            entries = [parse_entry(fields[1]) for _, fields in reply]
            if not known:
                return done(entries)
            return done(entries[1:] if entries and entries[0].head == after else Rewound(match))

        self._link.send(
            key,
            pack(b"XRANGE", key, b"%d-0" % after.version, b"+", b"COUNT", CHUNK + known),
            answered,
            read=True,
        )

    async def read(self, match: str, after: Head = GENESIS) -> list[Entry]:
        """All entries that follow `after`."""
        entries: list[Entry] = []
        while True:
            chunk = await self._fetch(match, entries[-1].head if entries else after)
            entries += chunk
            if len(chunk) < CHUNK:
                return entries

    async def load(self, match: str) -> Loaded:
        """The latest snapshot and what followed it; nothing at all if there is no such match."""
        key = keys.snapshot(match)
        blob = await self._link.call(key, b"GET", key, read=True)
        if blob is not None:
            snapshot = parse_snapshot(blob)
            try:
                return Loaded(snapshot, await self.read(match, snapshot.head))
            except Rewound:
                pass  # the snapshot outlived its entry: begin at the beginning
        return Loaded(None, await self.read(match))

    @staticmethod
    def snapshot_due(head: Head) -> bool:
        """Whether whoever committed `head` should keep a snapshot of it."""
        return head.version % SNAPSHOT_EVERY == 0

    async def keep_snapshot(self, match: str, head: Head, payload: bytes) -> bool:
        """Keep the state as of `head`; False if the log does not have that version of ours."""
        blob = b"%b %b" % (head.encode(), payload)
        where = (keys.log(match), keys.snapshot(match))
        return bool(await SNAPSHOT.call(self._link, where, b"%d-0" % head.version, head.encode(), blob))

    async def forget(self, match: str) -> None:
        """Remove the match: it was archived."""
        names = keys.of_match(match)
        await self._link.call(names[0], b"UNLINK", *names)

    async def _fetch(self, match: str, after: Head) -> list[Entry]:
        future: asyncio.Future[list[Entry]] = asyncio.get_running_loop().create_future()
        self.fetch(match, after, partial(settle, future))
        return await future
