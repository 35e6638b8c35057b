"""Match index: lists of matches by state, newest first.

It lies outside the hash slot of the matches, so it cannot be written together with a log. A commit that changes a
match's listing stores it beside the log, in the same script. Copying it here comes second; if the worker dies in
between, the sweeper copies it. Later listings win, so the order of copying does not matter.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from landsraad_server.store import keys
from landsraad_server.store.entries import Head
from landsraad_server.store.pipeline import Link
from landsraad_server.store.resp import Reply
from landsraad_server.store.scripts import LIST


class IndexState(StrEnum):
    """The states under which matches are listed."""

    OPEN = "open"  # seats are being filled
    LIVE = "live"
    OVER = "over"  # finished but not yet archived


_STATES = tuple(IndexState)


class Listing(NamedTuple):
    """A match's record in the index."""

    created: int  # ms since 1970; never changes
    state: IndexState
    summary: bytes  # opaque to the store

    def encode(self, head: Head) -> bytes:
        """Encode for storage, preceded by the version to which the listing belongs."""
        return b"%d %d %d %b %b" % (head.epoch, head.version, self.created, self.state.encode(), self.summary)


def parse_listing(record: bytes) -> Listing:
    _, _, created, state, summary = record.split(b" ", 4)
    return Listing(int(created), IndexState(state.decode()), summary)


class IndexRow(NamedTuple):
    """One match on a page."""

    match: str
    listing: Listing


class Page(NamedTuple):
    """A page of matches; `after` is the cursor of the next page, empty at the end."""

    rows: list[IndexRow]
    after: bytes


class MatchIndex:
    """Access to the index."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def put(self, match: str, record: bytes) -> asyncio.Future[Reply]:
        """Copy an encoded listing to the index; resolves to 0 if this or a later one is there already."""
        listing = parse_listing(record)
        where = (keys.INDEX, *(keys.index_order(state) for state in _STATES))
        position = 2 + _STATES.index(listing.state)
        return LIST.call(self._link, where, match.encode(), position, _member(match, listing), record)

    async def get(self, match: str) -> Listing | None:
        """Return the listing of a match; None if it is not listed."""
        record = await self.record(match)
        return parse_listing(record) if record else None

    async def record(self, match: str) -> bytes | None:
        """Return the encoded listing of a match."""
        found: bytes | None = await self._link.call(keys.INDEX, b"HGET", keys.INDEX, match.encode(), read=True)
        return found

    async def records(self, matches: Sequence[str]) -> dict[str, bytes | None]:
        """Return the encoded listings of several matches, of which there is at least one."""
        names = [match.encode() for match in matches]
        found = await self._link.call(keys.INDEX, b"HMGET", keys.INDEX, *names, read=True)
        return dict(zip(matches, found, strict=True))

    async def page(self, state: IndexState, size: int, after: bytes = b"") -> Page:
        """Return a page of matches in a state, newest first; `after` is the cursor from the previous page."""
        order = keys.index_order(state)
        end = b"(" + after if after else b"+"
        members = await self._link.call(
            order, b"ZRANGE", order, end, b"-", b"BYLEX", b"REV", b"LIMIT", 0, size, read=True
        )
        if not members:
            return Page([], b"")
        matches = [member.split(b" ", 1)[1] for member in members]
        records = await self._link.call(keys.INDEX, b"HMGET", keys.INDEX, *matches, read=True)
        rows = [
            IndexRow(match.decode(), parse_listing(record))
            for match, record in zip(matches, records, strict=True)
            if record is not None
        ]
        return Page(rows, members[-1] if len(members) == size else b"")

    async def all(self, state: IndexState, size: int = 200) -> AsyncIterator[list[IndexRow]]:
        """Iterate over all matches in a state, newest first, page by page."""
        after = b""
        while True:
            page = await self.page(state, size, after)
            yield page.rows
            after = page.after
            if not after:
                return

    async def count(self, state: IndexState) -> int:
        """Return the number of matches in a state."""
        order = keys.index_order(state)
        return int(await self._link.call(order, b"ZCARD", order, read=True))

    async def claim_archive(self, archive: str) -> str:
        """Record the id of the archive of finished matches, unless one is recorded; return the recorded one."""
        await self._link.call(keys.ARCHIVE, b"SET", keys.ARCHIVE, archive.encode(), b"NX")
        found: bytes = await self._link.call(keys.ARCHIVE, b"GET", keys.ARCHIVE, read=True)
        return found.decode()

    async def remove(self, match: str) -> None:
        """Remove a match, whose own keys are deleted already, so that the sweeper does not copy it back."""
        listing = await self.get(match)
        if listing is None:
            return
        for state in _STATES:
            order = keys.index_order(state)
            await self._link.call(order, b"ZREM", order, _member(match, listing))
        await self._link.call(keys.INDEX, b"HDEL", keys.INDEX, match.encode())


def _member(match: str, listing: Listing) -> bytes:
    # All scores are 0 and members begin with the time, so that pages are delimited exactly even where times are equal.
    return b"%015d %b" % (listing.created, match.encode())
