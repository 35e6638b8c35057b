"""Study of finished matches: who was winning, and what a searching bot would have considered.

Everything is computed on demand, in one process of low priority, and kept. A match that goes on is never studied: the
logs of all seats are read, which are hidden until it is over.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from landsraad.process_pool import process_pool
from landsraad.replays import replay_name
from landsraad.v1 import common_pb2, replays_pb2, replays_service_pb2
from landsraad_web import study_jobs
from landsraad_web.errors import PageError
from landsraad_web.match_routes import match_name
from landsraad_web.static_files import StaticFile, make_file
from landsraad_web.study_jobs import StudyRefused
from landsraad_web.visitors import Visitors

_JSON: Final = "application/json; charset=utf-8"
#: Computations that may wait; seconds that one may take.
_MOST_WAITING: Final = 8
_MOST_SECONDS: Final = 60.0
#: Results that are kept; each has a few kilobytes.
_KEPT: Final = 512
_PART: Final = 500
StudyKey = tuple[str, str, int, int]


class StudyRefusal(msgspec.Struct):
    """The part of a result that tells why there is none."""

    refused: StudyRefused | None = None


class StudyPool:
    """One process for computations, begun when it is first needed, and anew if it has ended."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._stack = ExitStack()
        self._waiting = 0

    async def run(self, job: Callable[..., bytes], *arguments: object) -> bytes:
        """Compute a result.

        Raises:
            PageError: Too many are waiting already, or it has failed.
        """
        if self._waiting >= _MOST_WAITING:
            raise PageError(429, "study_busy", "other matches are being studied; try again soon", retry_after=5)
        self._waiting += 1
        try:
            if self._pool is None:
                self._pool = self._stack.enter_context(process_pool(1, study_jobs.lower_priority))
            async with asyncio.timeout(_MOST_SECONDS * self._waiting):
                return await asyncio.wrap_future(self._pool.submit(job, *arguments))
        except (BrokenProcessPool, TimeoutError):
            self.close()
            raise PageError(503, "unavailable", "the computation has failed; try again", retry_after=5) from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the process at once, whatever it computes."""
        stack, self._stack, self._pool = self._stack, ExitStack(), None
        ended = asyncio.CancelledError()
        stack.__exit__(type(ended), ended, None)


class StudyRoutes:
    """Handlers of `/api/replays/{match}/values` and `/advice`.

    Args:
        visitors: The visitors.
    """

    def __init__(self, visitors: Visitors) -> None:
        self._visitors = visitors
        self._pool = StudyPool()
        self._kept: OrderedDict[StudyKey, StaticFile] = OrderedDict()
        self._running: dict[StudyKey, asyncio.Task[StaticFile]] = {}

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/replays/{match}/values", self.values, methods=["GET"]),
            Route("/api/replays/{match}/advice", self.advice, methods=["GET"]),
        ]

    def close(self) -> None:
        """End all computations."""
        self._pool.close()

    async def values(self, request: Request) -> Response:
        """Return the probability of each side to win over the public steps."""
        first = await self._first(request, None)

        async def compute() -> bytes:
            logs = [await self._log(request, seat) for seat in range(len(first.match.seats))]
            return await self._pool.run(study_jobs.win_curve, logs)

        found = await self._shared(("values", match_name(request), 0, 0), compute)
        return found.response(request)

    async def advice(self, request: Request) -> Response:
        """Return a searching bot's candidates at an entry that asks a seat."""
        seat, number = _number(request, "seat", 63), _number(request, "at", 1 << 31)
        await self._first(request, seat)

        async def compute() -> bytes:
            return await self._pool.run(study_jobs.advice, await self._log(request, seat), seat, number)

        found = await self._shared(("advice", match_name(request), seat, number), compute)
        return found.response(request)

    async def _first(self, request: Request, seat: int | None) -> replays_pb2.Replay:
        """Return the first entry of a log with its match, which has to be over.

        Raises:
            LandsraadError: The visitor may not read the log.
            PageError: The match goes on.
        """
        wanted = replays_service_pb2.GetReplayRequest(
            name=replay_name(match_name(request)), seat=seat, page_size=1, **{"from": 1}
        )
        first = await self._visitors.call(request, "Replays/GetReplay", wanted, replays_pb2.Replay)
        if first.match.state != common_pb2.MATCH_STATE_OVER:
            raise PageError(409, "not_over", "a match can be studied once it is over")
        return first

    async def _log(self, request: Request, seat: int) -> list[bytes]:
        """Return the pages of a log, undecoded as far as possible."""
        wanted = replays_service_pb2.GetReplayRequest(
            name=replay_name(match_name(request)), seat=seat, page_size=_PART, **{"from": 1}
        )
        pages = []
        while True:
            page = await self._visitors.call(request, "Replays/GetReplay", wanted, replays_pb2.Replay)
            pages.append(page.SerializeToString())
            if not page.next_from:
                return pages
            setattr(wanted, "from", page.next_from)

    async def _shared(self, key: StudyKey, compute: Callable[[], Awaitable[bytes]]) -> StaticFile:
        """Return a result that is kept, or compute it once for all who ask."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.get_running_loop().create_task(self._keep(key, compute))
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return await asyncio.shield(task)

    async def _keep(self, key: StudyKey, compute: Callable[[], Awaitable[bytes]]) -> StaticFile:
        content = await compute()
        refusal = msgspec.json.decode(content, type=StudyRefusal).refused
        if refusal is not None:
            raise refusal.error()
        found = self._kept[key] = make_file(content, _JSON)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found


def _number(request: Request, name: str, most: int) -> int:
    text = request.query_params.get(name, "")
    if text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= most:
        return int(text)
    raise PageError(400, "bad_field", f"{name} is a number", fields={name: "not a number"})
