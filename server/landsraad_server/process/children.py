"""Child processes: start, liveness check, restart with backoff, and shutdown.

Supervisor and child exchange JSON objects, one per line, over standard input and standard output.
"""

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

#: Restart backoff in seconds, doubled after each exit that comes soon after a start.
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 5.0
#: After so many seconds of uptime an exit is not "soon": the backoff starts anew.
_LONG_SECONDS = 5.0
#: Seconds between liveness checks, and how many may go unanswered in a row. Checks are counted instead of timed, so
#: that a supervisor that was itself suspended kills no healthy child. A healthy worker never pauses for 20 s.
CHECK_SECONDS, MOST_UNANSWERED = 2.0, 10
#: Checks that a process may miss while it starts up, and while it shuts down beyond its drain time. It is not queried
#: then.
MOST_STARTING, MOST_STOPPING = 30, 5


async def _lines(output: asyncio.StreamReader) -> AsyncIterator[dict[str, Any]]:
    """Yield the JSON objects that a process prints; skip other output, which bots of third parties may print."""
    while True:
        try:
            line = await output.readline()
        except ValueError:  # longer than any line of ours
            continue
        if not line:
            return
        message = None
        with suppress(ValueError, RecursionError):
            message = json.loads(line)
        if isinstance(message, dict):
            yield message


class Child:
    """A child process that is restarted whenever it exits, from `run` until `stop`."""

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
        #: set whenever the process reports that it is ready
        self.ready = asyncio.Event()
        self.last_stats: dict[str, Any] = {}
        self._stats_received = asyncio.Event()
        self._command = command
        self._task = task
        self._on_line = on_line
        self._on_end = on_end  # receives the last stats of the process that exited
        self._process: asyncio.subprocess.Process | None = None
        self._keep_running = True
        self._stopped = asyncio.Event()  # interrupts the backoff
        self._unanswered = 0
        self._checks_to_stop = 0  # checks that it may miss after `stop`

    async def run(self) -> None:
        """Start the process, and restart it with backoff whenever it exits; return after `stop`."""
        pause = _SHORTEST_PAUSE
        clock = asyncio.get_running_loop().time
        while self._keep_running:
            started = clock()
            code = await self._run_once()
            self._on_end(self.last_stats)
            if not self._keep_running:
                return
            self.restarts += 1
            _log.warning("process_ended", worker=self.name, exit_code=code, restarts=self.restarts)
            pause = _SHORTEST_PAUSE if clock() - started > _LONG_SECONDS else min(2 * pause, _LONGEST_PAUSE)
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopped.wait()

    async def _run_once(self) -> int:
        """Run the process once and return its exit code."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at the terminal must reach the supervisor alone
        )
        self._process, self.pid = process, process.pid
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if self._task:
                process.stdin.write(self._task.encode() + b"\n")
            if not self._keep_running:  # `stop` was called during the start
                process.stdin.close()
            async for message in _lines(process.stdout):
                self._on_message(message)
            return await process.wait()
        finally:
            self.ready.clear()
            self._unanswered = 0
            self._process = None
            if process.returncode is None:
                process.kill()
                await process.wait()

    def _on_message(self, line: dict[str, Any]) -> None:
        if self._keep_running:
            self._unanswered = 0
        if "ready" in line:
            self.last_stats = line["ready"]
            self.ready.set()
        elif "stats" in line:
            self.last_stats = line["stats"]
            self._stats_received.set()
        self._on_line(line)

    def send(self, **line: Any) -> None:
        """Send one JSON line to the process if it runs."""
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            with suppress(ConnectionError):
                process.stdin.write(json.dumps(line).encode() + b"\n")

    def check_alive(self) -> None:
        """Check that the process is alive; kill it if it has not answered for long, so that `run` restarts it.

        A process that is still starting or already stopping is not queried, but has to finish in time as well.
        """
        process = self._process
        if process is None:
            return
        serving = self._keep_running and self.ready.is_set()
        most = MOST_UNANSWERED if serving else MOST_STARTING if self._keep_running else self._checks_to_stop
        if self._unanswered < most:
            self._unanswered += 1
            if serving:
                self.send(stats=True)
        else:
            _log.warning("process_hangs", worker=self.name, pid=self.pid)
            with suppress(ProcessLookupError):
                process.kill()

    @property
    def stopping(self) -> bool:
        """Return whether `stop` was called; the process answers no more queries then."""
        return not self._keep_running

    @property
    def stopped(self) -> bool:
        """Return whether the process was stopped and has exited."""
        return not self._keep_running and self._process is None

    async def stats(self, within: float = 1.0) -> dict[str, Any]:
        """Query the process for its stats; return the last known ones if it does not answer in time."""
        if self.stopping:
            return self.last_stats
        self._stats_received.clear()
        self.send(stats=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._stats_received.wait()
        return self.last_stats

    def stop(self, *, drain: float | None = None) -> None:
        """Stop the process for good: let it drain for so many seconds, or just close its standard input."""
        self._keep_running = False
        self._stopped.set()
        self._unanswered, self._checks_to_stop = 0, ceil((drain or 0.0) / CHECK_SECONDS) + MOST_STOPPING
        if drain is not None:
            self.send(drain=drain)
        process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()
