"""Wire leak test: the two-run test of one game behind `landsraad leaktest GAME --wire`."""

from __future__ import annotations

import asyncio
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import grpc.aio

from landsraad import games
from landsraad.v1 import act_pb2
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.chance import match_key
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.match_options import window_ms
from landsraad_engine.play.match import Match
from landsraad_engine.testing.fuzz.random_play import random_input, random_orders, random_setting
from landsraad_engine.testing.leaks.leak_match import OVERHEARD, REKEYED, LeakReport
from landsraad_engine.testing.leaks.two_runs import Leak, TwoRuns
from landsraad_server.config import Config
from landsraad_server.process.worker import Worker
from landsraad_server.store import EmbeddedServer, connect
from landsraad_server.store.resp import noop
from landsraad_server.telemetry import logs
from landsraad_testkit import HandClock
from landsraad_testkit.leaks.observed_world import ObservedWorld, WorkerConnection
from landsraad_testkit.leaks.planting import Difference

#: One in so many positions of a random match is tested.
EVERY = 25
#: Probability that the windows of a match have a fixed length, and that all queries are made at a step.
FIXED, PROBING = 0.5, 0.3
#: Probability that the other seats are on another worker.
APART = 0.5
#: Probability that a window of fixed length closes before all have answered.
CLOSING = 0.3
#: Inputs for which a position is played on, and positions tested in one match.
AHEAD, PER_MATCH = 10, 20

#: The service's own knowledge of the other seats in the changed world.
_DIFFERENT = Difference(entries=3, inputs=7, refused=2, orders=("auto", "changed"), thinking_ms=12_345)


#: Arguments: the workers of the tested seat and of the others, the clock, the match, its name, and the tested seat.
WorldMaker: TypeAlias = Callable[[WorkerConnection, WorkerConnection, HandClock, Match, str, int], ObservedWorld]


class LeakTestService(NamedTuple):
    """Two workers on one store, and their clock."""

    connections: Sequence[WorkerConnection]
    clock: HandClock
    #: the clients of a position
    world: WorldMaker = ObservedWorld


#: Starts a service with its data below a directory.
ServiceMaker: TypeAlias = Callable[[Path], AbstractAsyncContextManager[LeakTestService]]


@asynccontextmanager
async def service(directory: Path) -> AsyncIterator[LeakTestService]:
    """Start a service with its data below a directory."""
    clock = HandClock()
    async with AsyncExitStack() as stack:
        server = stack.enter_context(EmbeddedServer(directory / "store"))
        connections = [await stack.enter_async_context(_connect_worker(server.url, directory, clock)) for _ in range(2)]
        yield LeakTestService(connections, clock)


@asynccontextmanager
async def _connect_worker(url: str, directory: Path, clock: HandClock) -> AsyncIterator[WorkerConnection]:
    async with AsyncExitStack() as stack:
        store = await connect(url)
        stack.push_async_callback(store.close)
        # No coalescing: it depends on real time, which differs between the worlds.
        worker = Worker(Config(data=directory, linger_ms=0), store, now=clock)
        await worker.start(0)
        stack.push_async_callback(worker.drain, 0.0)
        # The test runs periodic tasks itself; no worker must be taken for dead because an hour passes at once.
        await worker.clock_poller.stop()
        await worker.hosts.presence.stop()
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(worker.address))
        yield WorkerConnection(worker, channel)


class WireRuns:
    """One position in two worlds on the wire."""

    def __init__(self, runs: TwoRuns, worlds: Sequence[ObservedWorld], rng: Random) -> None:
        self.runs = runs
        self.worlds = worlds
        self.rng = rng
        self._entries_in = worlds[0].entries_in
        self._given = [0, 0]
        self._compared = [0, 0]  # items of the seat's stream
        self._apart = False  # whether the worlds have been at different steps since then
        self._parted = False  # or ever

    async def test(self) -> Leak | None:
        """Play on and compare; return the first difference that no rule explains."""
        try:
            for world, run, differing in zip(self.worlds, self.runs.runs, (Difference(), _DIFFERENT), strict=True):
                await world.open(run, differing)
            return await self._compare(asking=True) or await self._play_on()
        finally:
            for world in self.worlds:
                world.close()

    async def _play_on(self) -> Leak | None:
        for found in self.runs.steps(AHEAD):
            await self._pass_on()
            different = found or await self._compare(asking=self.rng.random() < PROBING)
            if different is not None:
                return different
            await self._idle()
        return None

    async def _pass_on(self) -> None:
        """Send the inputs given to the runs since the last call; those of the tested seat sometimes by plain calls."""
        by_call = self.rng.random() < PROBING
        for at, (world, run) in enumerate(zip(self.worlds, self.runs.runs, strict=True)):
            given = run.journal[self._given[at] :]
            self._given[at] = len(run.journal)
            for one in given:
                if one.kind == "window":
                    await world.pass_time(await world.window_left())
                elif one.kind == "orders":
                    await world.order(one)
                else:
                    await world.give(one, by_call=by_call)

    async def _idle(self) -> None:
        """Advance time in both worlds; other seats may lose their connection, or give orders in one world only."""
        if not self.runs.level:
            # the length of a window that is open in one world only is visible, which is why windows have fixed lengths
            return
        most = min([await world.window_left() or 10_000 for world in self.worlds])
        ms = self.rng.randrange(max(1, most // 2))
        for world in self.worlds:
            await world.pass_time(ms)
        if self.rng.random() < PROBING / 3:
            for world in self.worlds:
                await world.lose_others()
                await world.bring_others()
        if self.rng.random() < PROBING / 3:
            other = self._another()
            for world in self.worlds:
                await world.hand_over(other)
            self.runs.done["seats handed over"] += 1
        if self.rng.random() < PROBING / 3:
            await self._order_in_secret()

    async def _order_in_secret(self) -> None:
        """Give standing orders of another seat in one world. (Within a window they would visibly close it.)"""
        run = self.rng.choice(self.runs.runs)
        if run.g.ask is not None and not run.g.ask.window:
            other = self._another()
            run.set_orders(other, () if run.g.table.get(f"orders/{other}") else (execution.AUTO,))
            self.runs.done["orders"] += 1
            await self._pass_on()

    def _another(self) -> int:
        """Choose a seat that is not tested."""
        return self.rng.choice([seat for seat in range(self.runs.runs[0].seats) if seat != self.runs.seat])

    # ----------------------------------------------------------------------------------------------------- comparing

    async def _compare(self, *, asking: bool) -> Leak | None:
        """Compare everything received since the last time, if both worlds are at the same step."""
        if not self.runs.level:
            self._apart = self._parted = True
            return None
        # Once the match is over, everything may be read by all.
        asking = asking and all(run.g.ask is not None for run in self.runs.runs)
        if asking:
            await self._probe()
        for world in self.worlds:
            await world.sync()
        received = [world.tested_stream.items[start:] for world, start in zip(self.worlds, self._compared, strict=True)]
        replies = [world.replies for world in self.worlds]
        self._compared = [len(world.tested_stream.items) for world in self.worlds]
        if self._apart:  # a window was visibly open in one world only, so its entries came at other times
            self._apart = False
            received, replies = [self._entries_in(items) for items in received], [[], []]
        found = self._difference("stream", received) or self._difference("answer to an act", replies)
        for world in self.worlds:
            world.replies = []
        if found is None and asking:
            found = await self._compare_answers() or await self._compare_spectators()
        return found

    async def _probe(self) -> None:
        """Send acts that are refused on the stream; the refusals are part of what is compared."""
        for act, message in self._probes():
            self.runs.done["refusals on the stream"] += 1
            moment = self._moment(act)
            for world in self.worlds:
                await world.send_refused_act(message, *moment)

    def _probes(self) -> Iterator[tuple[Act, act_pb2.Act]]:
        """Yield the acts to be refused that can be encoded."""
        for act in self.runs.probes():
            with suppress(AttributeError, TypeError, ValueError):  # acts of wrong types cannot be encoded
                yield act, self.worlds[0].codec.act(act)

    def _moment(self, act: Act) -> tuple[int | None, int | None]:
        """Return a wrong decision or step for a legal act, so that every act tried is refused."""
        run, seat = self.runs.runs[0], self.runs.seat
        g = run.g
        if g.ask is not None and seat in g.waiting and g.ask.options[seat].contains(act):
            return run.decision(seat) + 1, None
        if execution.plays(g, seat).contains(act):
            return None, run.step(seat) + 1
        return None, None

    async def _compare_answers(self) -> Leak | None:
        both: list[dict[str, Any]] = [await world.answers() for world in self.worlds]
        for act, message in self._probes():
            for world, answers in zip(self.worlds, both, strict=True):
                answers[f"explanation of {act}"] = await world.explained(message)
        self.runs.done["answers"] += len(both[0])
        true, changed = both
        for what, answer in true.items():
            if answer != changed[what]:
                return self._finding(what, answer, changed[what])
        return None

    async def _compare_spectators(self) -> Leak | None:
        """Compare the streams of long-standing spectators and of a new one."""
        last, start = len(self.runs.runs[0].log(None)), self.rng.choice((0, 1))
        for world in self.worlds:
            await world.watch(start)
            for stream in world.watching:
                await stream.hear_entries(last)
        for number in range(len(self.worlds[0].watching)):
            received = [world.watching[number].items for world in self.worlds]
            if self._parted:
                received = [self._entries_in(items) for items in received]
            # A spectator has no ping to wait for; what comes later is compared later.
            shared = min(map(len, received))
            found = self._difference("stream of a spectator", [items[:shared] for items in received])
            if found is not None:
                return found
        return None

    def _difference(self, what: str, items: Sequence[list[bytes]]) -> Leak | None:
        true, changed = items
        for one, other in zip(true, changed, strict=False):
            if one != other:
                return self._finding(what, one, other)
        self.runs.done["items"] += len(true)
        if len(true) != len(changed):
            shared = min(len(true), len(changed))
            return self._finding(f"length of the {what}", true[shared:], changed[shared:])
        return None

    def _finding(self, what: str, true: Any, changed: Any) -> Leak:
        return Leak(self.runs.seat, self.runs.runs[0].g.path(), what, true, changed, self.runs.kinds)


# ------------------------------------------------------------------------------------------------------------ positions


async def test_match(
    game: Game, services: Sequence[LeakTestService], rng: Random, positions: int, label: str, given: Mapping[str, Any]
) -> LeakReport:
    """Test positions of one random match until something is found."""
    report = LeakReport()
    match = _random_match(game, rng, given)
    g = match.g
    overheard: deque[Act] = deque(maxlen=OVERHEARD)
    while g.ask is not None and report.positions < positions and not report.findings:
        if rng.randrange(EVERY) == 0:
            seat = rng.randrange(match.seats)
            rekeyed = rng.random() < REKEYED
            runs = TwoRuns(match, seat, rng, rekeyed=rekeyed, overheard=overheard)
            name = f"{label}{report.positions}"
            key = match_key(match.secret, name, (b"",) * match.seats)
            for run in runs.runs[: 1 if rekeyed else 2]:  # continue with the dice that the services will roll
                run.g.setting = replace(run.g.setting, key=key)
            # A worker derives a match's key from its terms, so with another key all seats have to be on one worker.
            other = int(not rekeyed and rng.random() < APART)
            worlds = [
                one.world(one.connections[0], one.connections[other], one.clock, match, name, seat) for one in services
            ]
            found = await WireRuns(runs, worlds, rng).test()
            report.positions += 1
            report.changed += bool(runs.kinds)
            report.changed_by_kind.update(runs.kinds)
            report.done.update(runs.done)
            report.findings += [found] if found is not None else []
        if execution.held(g) and (not g.waiting or rng.random() < CLOSING):
            match.close_window()
        else:
            input_ = random_input(match, rng)
            overheard.append(execution.from_plain(game, input_.act))
            match.take(input_)
    return report


def _random_match(game: Game, rng: Random, given: Mapping[str, Any]) -> Match:
    seats, options = random_setting(game, rng, given)
    if rng.random() < FIXED and "window" not in given:
        options["window"] = "fixed:2000"
    orders, timed = random_orders(seats, rng), window_ms(options) > 0
    return Match(game, seats, options, secret=rng.randbytes(8), name="leak", orders=orders, timed=timed)


async def leak_wire(
    game: Game,
    positions: int,
    seed: int,
    given: Mapping[str, Any] = MappingProxyType({}),
    advance: Callable[[int], None] = noop,
    *,
    start: ServiceMaker = service,
) -> LeakReport:
    """Test at least so many positions, of as many random matches as it takes."""
    total = LeakReport()
    async with AsyncExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="landsraad-leaks-")))
        services = [await stack.enter_async_context(start(directory / name)) for name in ("true", "changed")]
        number = 0
        while total.positions < positions and not total.findings:
            number += 1
            rng = Random(f"{seed}/{number}")
            wanted = min(PER_MATCH, positions - total.positions)
            report = await test_match(game, services, rng, wanted, f"leak{number}x", given)
            total.add(report)
            advance(report.positions)
    return total


def leak_wire_all(
    game_id: str, positions: int, _jobs: int, seed: int, given: Mapping[str, str], advance: Callable[[int], None]
) -> LeakReport:
    """Run `landsraad leaktest GAME --wire` in one process, beside the two stores'."""
    logs.configure(as_json=False, level="warning")
    return asyncio.run(leak_wire(games.load(game_id), positions, seed, given, advance))
