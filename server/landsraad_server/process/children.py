"""Processes that the supervisor starts, talks to in lines of JSON, and starts again when they end unasked, or hang."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from math import ceil
from typing import Any

import structlog

from landsraad_server.store.resp import noop

_log = structlog.get_logger()

#: Before a process that ends at once is started again; doubled each time.
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 5.0
#: A process that has run for so long has not ended at once.
_LONG_SECONDS = 5.0
#: How often a process is asked for a sign of life, and so often in a row it may give none. They are counted, not timed:
#: if we were stopped, or had no time, that is nobody's fault. Twenty seconds are longer than any pause of a live one.
BEAT_SECONDS, MOST_UNANSWERED = 2.0, 10
#: Until a process has begun, and after it should have ended, nothing is asked; then it is given so many beats.
MOST_BEGINNING, MOST_ENDING = 30, 5


async def _lines(output: asyncio.StreamReader) -> AsyncIterator[dict[str, Any]]:
    """What a process says. It may hold somebody else's code, a bot, which may print whatever it likes."""
    while True:
        try:
            line = await output.readline()
        except ValueError:  # far longer than any of ours
            continue
        if not line:
            return
        said = None
        with suppress(ValueError, RecursionError):
            said = json.loads(line)
        if isinstance(said, dict):
            yield said


class Child:
    """One process, kept running from `run` on until `stop`."""

    def __init__(
        self,
        name: str,
        command: list[str],
        task: str,
        on_line: Callable[[dict[str, Any]], None],
        on_end: Callable[[dict[str, Any]], None] = noop,
    ) -> None:
        self.name = name
        self.restarts = 0
        self.pid = 0
        #: set each time it has said that it is ready
        self.ready = asyncio.Event()
        self.about: dict[str, Any] = {}
        self._told = asyncio.Event()
        self._command = command
        self._task = task
        self._on_line = on_line
        self._on_end = on_end  # is given what the process has said of itself
        self._process: asyncio.subprocess.Process | None = None
        self._wanted = True
        self._stopped = asyncio.Event()  # for whoever waits before it starts another one
        self._unanswered = 0
        self._beats_to_end = 0  # what it is given once it is told to end

    async def run(self) -> None:
        """Start it, and again whenever it ends; returns after `stop`."""
        pause = _SHORTEST_PAUSE
        clock = asyncio.get_running_loop().time
        while self._wanted:
            started = clock()
            code = await self._once()
            self._on_end(self.about)
            if not self._wanted:
                return
            self.restarts += 1
            _log.warning("process_ended", worker=self.name, exit_code=code, restarts=self.restarts)
            pause = _SHORTEST_PAUSE if clock() - started > _LONG_SECONDS else min(2 * pause, _LONGEST_PAUSE)
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopped.wait()

    async def _once(self) -> int:
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C at the terminal is for us
        )
        self._process, self.pid = process, process.pid
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if self._task:
                process.stdin.write(self._task.encode() + b"\n")
            if not self._wanted:  # stopped while it was being started
                process.stdin.close()
            async for said in _lines(process.stdout):
                self._hear(said)
            return await process.wait()
        finally:
            self.ready.clear()
            self._unanswered = 0
            self._process = None
            if process.returncode is None:
                process.kill()
                await process.wait()

    def _hear(self, line: dict[str, Any]) -> None:
        if self._wanted:
            self._unanswered = 0
        if "ready" in line:
            self.about = line["ready"]
            self.ready.set()
        elif "stats" in line:
            self.about = line["stats"]
            self._told.set()
        self._on_line(line)

    def tell(self, **line: Any) -> None:
        """A line to the process, if it runs."""
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            with suppress(ConnectionError):
                process.stdin.write(json.dumps(line).encode() + b"\n")

    def beat(self) -> None:
        """Ask for a sign of life, and end a process that has given none for long: it hangs, and `run` starts another.

        One that still begins is not asked, nor one that is told to end; but neither may take for ever.
        """
        process = self._process
        if process is None:
            return
        serving = self._wanted and self.ready.is_set()
        most = MOST_UNANSWERED if serving else MOST_BEGINNING if self._wanted else self._beats_to_end
        if self._unanswered < most:
            self._unanswered += 1
            if serving:
                self.tell(stats=True)
        else:
            _log.warning("process_hangs", worker=self.name, pid=self.pid)
            with suppress(ProcessLookupError):
                process.kill()

    @property
    def ending(self) -> bool:
        """Whether it was told to end; then nothing more can be asked of it."""
        return not self._wanted

    @property
    def gone(self) -> bool:
        """Whether it was told to end, and has."""
        return not self._wanted and self._process is None

    async def stats(self, within: float = 1.0) -> dict[str, Any]:
        """What the process says of itself; what it said last, if it does not answer."""
        if self.ending:
            return self.about
        self._told.clear()
        self.tell(stats=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._told.wait()
        return self.about

    def stop(self, *, drain: float | None = None) -> None:
        """Do not start it again, and tell it to end: within so many seconds, or only by the end of its input."""
        self._wanted = False
        self._stopped.set()
        self._unanswered, self._beats_to_end = 0, ceil((drain or 0.0) / BEAT_SECONDS) + MOST_ENDING
        if drain is not None:
            self.tell(drain=drain)
        process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()
