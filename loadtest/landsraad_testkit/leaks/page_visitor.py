"""Page visitor: requests to the application of the page without a socket, and every byte of its responses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from landsraad_testkit.leaks.byte_capture import PATIENCE_SECONDS, Capture
from landsraad_web.application import WebPage

#: The only host of the page, and the origin of its documents.
_HOST: Final = b"127.0.0.1"
_CURSOR: Final = re.compile(rb"^id: (\d+)\.(\d+)(?:\.([0-9a-z]+))?$", re.MULTILINE)
_KIND: Final = re.compile(rb"^event: (\w+)$", re.MULTILINE)
#: Noted when a stream has ended.
THE_END: Final = b"the end"
#: Events of a log; all others are about the present.
LOG_EVENTS: Final = frozenset({b"snapshot", b"entry"})


class PageAnswer(NamedTuple):
    """A response: status, headers in order, and body."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class PageVisitor:
    """A browser that is signed in, or a stranger.

    Args:
        page: The page.
        cookie: The id of its session; empty for a stranger.
    """

    def __init__(self, page: WebPage, cookie: str = "") -> None:
        self._page = page
        self._cookie = f"{page.visitors.cookie}={cookie}".encode() if cookie else b""

    def scope(self, method: str, address: str) -> dict[str, Any]:
        """Return the scope of a request, as a server of the application makes it."""
        path, _, query = address.partition("?")
        headers = [(b"host", _HOST)]
        if self._cookie:
            headers.append((b"cookie", self._cookie))
        if method == "POST":
            ours = [(b"origin", b"http://" + _HOST), (b"landsraad-page", b"1"), (b"content-type", b"application/json")]
            headers += ours
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }

    async def get(self, address: str) -> PageAnswer:
        """Fetch an address."""
        return await self._request("GET", address, b"")

    async def post(self, address: str, form: Any) -> PageAnswer:
        """Send a form."""
        return await self._request("POST", address, msgspec.json.encode(form))

    async def _request(self, method: str, address: str, body: bytes) -> PageAnswer:
        status, parts = 0, list[bytes]()
        headers: tuple[Any, ...] = ()
        scope = self.scope(method, address)
        scope["headers"].append((b"content-length", str(len(body)).encode()))
        sent = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return sent.pop() if sent else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], tuple(map(tuple, message["headers"]))
            else:
                parts.append(message.get("body", b""))

        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._page.app(scope, receive, send)
        return PageAnswer(status, headers, b"".join(parts))

    def follow(self, address: str, hidden: bytes) -> EventCapture:
        """Open an event stream.

        Args:
            address: Its address.
            hidden: Bytes that differ between the worlds, to be masked.
        """
        return EventCapture(self._page, self.scope("GET", address), hidden)


class EventCapture:
    """An event stream of which every event is kept as bytes, with the marks of histories masked."""

    def __init__(self, page: WebPage, scope: dict[str, Any], hidden: bytes) -> None:
        #: the events, in order
        self.items: list[bytes] = []
        #: those of the log, and all others
        self.log, self.state = EventPart(self, in_log=True), EventPart(self, in_log=False)
        self._hidden = hidden
        self._marks: set[bytes] = set()
        self._rest = b""
        self._read = 0
        self._changed = asyncio.Event()
        self._left = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._run(page, scope))

    async def _run(self, page: WebPage, scope: dict[str, Any]) -> None:
        async def receive() -> dict[str, Any]:
            await self._left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self._add(f"status {message['status']} {sorted(message['headers'])}".encode())
                return
            *whole, self._rest = (self._rest + message.get("body", b"")).split(b"\n\n")
            for event in whole:
                if not event.startswith(b":"):  # a comment is about time only
                    self._add(self._masked(event))

        await page.app(scope, receive, send)
        self._add(THE_END)

    def _add(self, event: bytes) -> None:
        self.items.append(event)
        (self.log if kind_of(event) in LOG_EVENTS else self.state).items.append(event)
        self._changed.set()

    def _masked(self, event: bytes) -> bytes:
        """Mask what differs between the worlds. What is left of a mark is whether it was told before."""
        found = _CURSOR.search(event)
        if found is not None and found[3]:
            event = event.replace(found[3], b"known" if found[3] in self._marks else b"new", 1)
            self._marks.add(found[3])
        return event.replace(self._hidden, b"-" * len(self._hidden))

    async def until(self, fits: Callable[[bytes], bool]) -> bytes:
        """Receive up to an event that fits; later calls continue after it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                while self._read < len(self.items):
                    self._read += 1
                    if fits(self.items[self._read - 1]):
                        return self.items[self._read - 1]
                if self.items[-1:] == [THE_END] and fits(THE_END):
                    return THE_END
                self._changed.clear()
                await self._changed.wait()

    async def hear_entries(self, last: int) -> None:
        """Receive until the log has reached this entry."""
        self._read = 0
        await self.until(lambda event: _number(event) >= last)

    def forget(self, event: bytes) -> None:
        """Remove an event that is the test's own."""
        self.items.remove(event)
        self.state.items.remove(event)
        self._read -= 1

    def cut(self) -> None:
        """Leave."""
        self._left.set()


class EventPart(Capture):
    """The events of a stream that belong to its log, or all others: only within each, their order is certain."""

    def __init__(self, stream: EventCapture, *, in_log: bool) -> None:
        self.items = []
        self._stream = stream
        self._in_log = in_log

    async def hear_entries(self, last: int) -> None:
        """Receive until the log has reached this entry."""
        if self._in_log:
            await self._stream.hear_entries(last)

    def cut(self) -> None:
        """Leave."""
        self._stream.cut()


def kind_of(event: bytes) -> bytes:
    """Return the kind of an event; empty for what is none."""
    found = _KIND.search(event)
    return b"" if found is None else found[1]


def entries_among(events: list[bytes]) -> Iterator[bytes]:
    """Yield the entries and snapshots among events, without the marks, which tell how entries were bundled."""
    return (_CURSOR.sub(rb"id: \1.\2", event) for event in events if kind_of(event) in LOG_EVENTS)


def _number(event: bytes) -> int:
    found = _CURSOR.search(event)
    return 0 if found is None else int(found[2])
