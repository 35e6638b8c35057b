"""The page with a real service behind it, and a visitor who speaks to it as the page's script does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

import httpx
import pytest
import pytest_asyncio

from landsraad_testkit import ServeProcess, serving

#: What waits for a match to go on.
SECONDS = 30.0


class Visitor:
    """A browser: it keeps cookies, and sends what a page's script sends."""

    def __init__(self, address: str, **more: Any) -> None:
        self.address = address
        self.http = httpx.AsyncClient(base_url=address, timeout=SECONDS, **more)

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.http.get(path, **more)

    async def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        ours = {"origin": self.address, "landsraad-page": "1", "content-type": "application/json", **headers}
        return await self.http.post(path, content=json.dumps({} if body is None else body), headers=ours)

    async def sign_in(self, name: str = "visitor") -> dict[str, Any]:
        answer = await self.post("/api/session", {"name": name})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def create(self, game: str = "arrakis", seats: int = 2, **terms: Any) -> dict[str, Any]:
        """Create a match with open seats, all of them if nothing else is said."""
        answer = await self.post("/api/matches", {"game": game, "seats": [{}] * seats, **terms})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def events(self, path: str, **more: Any) -> AsyncGenerator[tuple[str, str, Any], None]:
        """Yield the events of a stream: kind, id and data."""
        async with asyncio.timeout(SECONDS), self.http.stream("GET", path, **more) as answer:
            assert answer.status_code == 200, await answer.aread()
            event: dict[str, str] = {}
            async for line in answer.aiter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                elif "event" in event:
                    yield event["event"], event.get("id", ""), json.loads(event["data"])
                    event = {}
                else:
                    event = {}

    async def first(self, kind: str, path: str, **more: Any) -> tuple[str, Any]:
        """Return id and data of the first event of a kind."""
        async with aclosing(self.events(path, **more)) as events:
            async for found, cursor, data in events:
                if found == kind:
                    return cursor, data
        raise AssertionError(f"no {kind}")


@pytest.fixture(scope="session")
def paged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """`landsraad serve` with a page and the bots of the house; not to be broken."""
    with serving(tmp_path_factory.mktemp("paged") / "data", "--http", "0", "--house", workers=1) as running:
        yield running


@pytest_asyncio.fixture
async def visitor(paged: ServeProcess) -> AsyncIterator[Visitor]:
    one = Visitor(paged.http)
    yield one
    await one.http.aclose()


@pytest_asyncio.fixture
async def other(paged: ServeProcess) -> AsyncIterator[Visitor]:
    """Another visitor of the same page."""
    one = Visitor(paged.http)
    yield one
    await one.http.aclose()
