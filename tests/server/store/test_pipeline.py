"""Group commit: one write per tick, answers in order, and a typed error for each command of a broken connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import hiredis
import pytest
import pytest_asyncio

from landsraad_http2.listening import take_no_more
from landsraad_server.store import errors, reconnecting_connection
from landsraad_server.store.address import parse
from landsraad_server.store.pipeline import Pipeline
from landsraad_server.store.redis_connection import Access, Endpoint
from landsraad_server.store.resp import Reply, noop, pack, read_error
from landsraad_server.store.single_server import always

if TYPE_CHECKING:
    from landsraad_testkit import StoreProxy

pytestmark = pytest.mark.asyncio


class Scripted:
    """A server that answers only when told to, so that a test can act between a command and its answer."""

    def __init__(self) -> None:
        self.groups: asyncio.Queue[list[list[bytes]]] = asyncio.Queue()  # commands, write by write
        self.endpoint = Endpoint()
        self.greetings = 0  # clients that have probed this server
        self.loading = 0  # so many probes from now on are answered with LOADING
        self._to_client: asyncio.StreamWriter | None = None
        self._listener: asyncio.Server | None = None

    async def listen(self) -> None:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.endpoint = Endpoint(*self._listener.sockets[0].getsockname()[:2])

    async def close(self) -> None:
        assert self._listener is not None
        await take_no_more(self._listener.sockets)
        self._listener.close()
        self.cut()

    def answer(self, replies: bytes) -> None:
        assert self._to_client is not None
        self._to_client.write(replies)

    def cut(self) -> None:
        if self._to_client is not None:
            self._to_client.transport.abort()

    async def names(self) -> list[bytes]:
        """Return the names of the commands in the next write."""
        async with asyncio.timeout(10):
            return [command[0] for command in await self.groups.get()]

    async def _serve(self, source: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        self._to_client = to_client
        commands = hiredis.Reader()
        while chunk := await source.read(1 << 20):
            commands.feed(chunk)
            group = []
            while command := commands.gets():
                group.append(command)
            if group == [[b"ROLE"], [b"PING"]]:
                self.greetings += 1
                ready = self.greetings > self.loading
                to_client.write(b"*1\r\n$6\r\nmaster\r\n" + (b"+PONG\r\n" if ready else b"-LOADING the data\r\n"))
            else:
                self.groups.put_nowait(group)
        to_client.close()


@pytest_asyncio.fixture
async def scripted() -> AsyncIterator[Scripted]:
    server = Scripted()
    await server.listen()
    yield server
    await server.close()


class Answers:
    """Records replies in order of arrival."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.came: list[tuple[str, Reply]] = []
        self._pipeline = pipeline
        self._news = asyncio.Event()

    def send(self, name: str, *, read: bool = False) -> None:
        self._pipeline.send(b"", pack(name.encode()), lambda reply: self._take(name, reply), read=read)

    def _take(self, name: str, reply: Reply) -> None:
        self.came.append((name, reply))
        self._news.set()

    async def names(self, count: int) -> list[str]:
        async with asyncio.timeout(10):
            while len(self.came) < count:
                self._news.clear()
                await self._news.wait()
        return [name for name, _ in self.came]


@pytest_asyncio.fixture
async def pipeline(scripted: Scripted) -> AsyncIterator[Pipeline]:
    pipeline = Pipeline(always(scripted.endpoint), Access(), most=5)
    await pipeline.open(5.0)
    yield pipeline
    await pipeline.close()


@pytest_asyncio.fixture
async def replicated(scripted: Scripted) -> AsyncIterator[Pipeline]:
    pipeline = Pipeline(always(scripted.endpoint), Access(), replicas=2)
    await pipeline.open(5.0)
    yield pipeline
    await pipeline.close()


async def test_a_server_that_is_still_reading_its_file_is_not_up_yet(scripted: Scripted) -> None:
    scripted.loading = 2
    pipeline = Pipeline(always(scripted.endpoint), Access())
    await pipeline.open(5.0)
    assert scripted.greetings == 3
    await pipeline.close()


async def test_what_one_tick_wants_goes_out_in_one_write(scripted: Scripted, pipeline: Pipeline) -> None:
    answers = Answers(pipeline)
    for name in ("A", "B", "C"):
        answers.send(name)
    assert await scripted.names() == [b"A", b"B", b"C"]
    answers.send("D")
    assert await scripted.names() == [b"D"]
    scripted.answer(b":1\r\n+two\r\n$-1\r\n*1\r\n:4\r\n")
    await answers.names(4)
    assert answers.came == [("A", 1), ("B", b"two"), ("C", None), ("D", [4])]


async def test_a_callback_that_raises_costs_only_itself(scripted: Scripted, pipeline: Pipeline) -> None:
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context["exception"]))
    answers = Answers(pipeline)
    pipeline.send(b"", pack(b"A"), lambda reply: {}[reply])
    answers.send("B")
    await scripted.names()
    scripted.answer(b":1\r\n:2\r\n")
    await answers.names(1)
    assert answers.came == [("B", 2)]
    assert [type(fault) for fault in faults] == [KeyError]


async def test_a_waiter_that_has_gone_is_no_trouble(scripted: Scripted, pipeline: Pipeline) -> None:
    gone, stays = pipeline.call(b"", b"A"), pipeline.call(b"", b"B")
    await scripted.names()
    gone.cancel()
    scripted.answer(b":1\r\n:2\r\n")
    assert await stays == 2


async def test_a_loss_tells_what_was_sent_from_what_was_not(scripted: Scripted, pipeline: Pipeline) -> None:
    answers = Answers(pipeline)
    answers.send("A")
    answers.send("B")
    await scripted.names()
    scripted.answer(b":1\r\n")
    await answers.names(1)
    answers.send("C")
    pipeline.drop()
    with pytest.raises(errors.NotExecuted):
        answers.send("D")
    assert [(name, type(reply)) for name, reply in answers.came] == [
        ("A", int),
        ("B", errors.ReplyLost),
        ("C", errors.NotExecuted),
    ]


async def test_a_lost_connection_is_made_again(scripted: Scripted, pipeline: Pipeline) -> None:
    waiting = pipeline.call(b"", b"A")
    await scripted.names()
    scripted.cut()
    with pytest.raises(errors.ReplyLost):
        await waiting
    assert await pipeline.up_within(10)
    waiting = pipeline.call(b"", b"A")
    assert await scripted.names() == [b"A"]
    scripted.answer(b"+again\r\n")
    assert await waiting == b"again"


async def test_too_many_under_way_are_refused_before_they_are_sent(scripted: Scripted, pipeline: Pipeline) -> None:
    for _ in range(5):
        pipeline.call(b"", b"A").cancel()
    with pytest.raises(errors.Overloaded):
        pipeline.call(b"", b"A")
    await scripted.names()
    with pytest.raises(errors.Overloaded):
        pipeline.call(b"", b"A")
    scripted.answer(b":1\r\n")


async def test_a_server_that_falls_silent_is_given_up(
    scripted: Scripted, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconnecting_connection, "BEAT_SECONDS", 0.01)
    pipeline.drop()
    assert await pipeline.up_within(10)
    waiting = pipeline.call(b"", b"A")
    assert await scripted.names() == [b"A"]
    assert await scripted.names() == [b"PING"]
    with pytest.raises(errors.ReplyLost):
        await waiting


async def test_a_server_that_was_demoted_is_left(scripted: Scripted, pipeline: Pipeline) -> None:
    waiting = pipeline.call(b"", b"A")
    await scripted.names()
    scripted.answer(b"-READONLY You can't write against a read only replica.\r\n")
    with pytest.raises(errors.Demoted):
        await waiting
    assert not pipeline.up


async def test_nonsense_from_the_server_ends_the_connection_and_no_more(scripted: Scripted, pipeline: Pipeline) -> None:
    asyncio.get_running_loop().set_exception_handler(noop)
    waiting = pipeline.call(b"", b"A")
    await scripted.names()
    scripted.answer(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    with pytest.raises(errors.ReplyLost):
        await waiting
    assert await pipeline.up_within(10)


# --- durability: replicated


async def test_a_group_with_writes_ends_with_one_wait_that_holds_their_answers(
    scripted: Scripted, replicated: Pipeline
) -> None:
    answers = Answers(replicated)
    answers.send("A")
    answers.send("READ", read=True)
    answers.send("B")
    assert await scripted.names() == [b"A", b"READ", b"B", b"WAIT"]
    scripted.answer(b":1\r\n:0\r\n:2\r\n")
    assert await answers.names(1) == ["READ"]
    scripted.answer(b":2\r\n")
    assert await answers.names(3) == ["READ", "A", "B"]


async def test_reads_alone_wait_for_nobody(scripted: Scripted, replicated: Pipeline) -> None:
    Answers(replicated).send("READ", read=True)
    assert await scripted.names() == [b"READ"]


async def test_the_next_group_forms_while_replicas_confirm(scripted: Scripted, replicated: Pipeline) -> None:
    answers = Answers(replicated)
    answers.send("A")
    assert await scripted.names() == [b"A", b"WAIT"]
    answers.send("B")
    await asyncio.sleep(0)  # wait for the next tick
    answers.send("C")
    assert scripted.groups.empty()
    scripted.answer(b":1\r\n:2\r\n")
    assert await scripted.names() == [b"B", b"C", b"WAIT"]


async def test_too_few_replicas_are_told_but_a_refusal_stays_a_refusal(
    scripted: Scripted, replicated: Pipeline
) -> None:
    answers = Answers(replicated)
    answers.send("A")
    answers.send("B")
    await scripted.names()
    scripted.answer(b":1\r\n-OOM command not allowed\r\n:1\r\n")
    await answers.names(2)
    assert [type(reply) for _, reply in answers.came] == [errors.NotReplicated, errors.StoreFull]


async def test_an_answer_held_when_the_connection_breaks_is_no_success(
    scripted: Scripted, replicated: Pipeline
) -> None:
    answers = Answers(replicated)
    answers.send("A")
    answers.send("B")
    answers.send("READ", read=True)
    await scripted.names()
    scripted.answer(b":1\r\n")
    scripted.cut()
    await answers.names(3)
    replies = dict(answers.came)
    assert isinstance(replies["READ"], errors.ReplyLost)
    assert isinstance(replies["A"], errors.NotReplicated | errors.ReplyLost)
    assert isinstance(replies["B"], errors.ReplyLost)
    assert await replicated.up_within(10)
    answers.send("C")
    assert await scripted.names() == [b"C", b"WAIT"]


# --- connecting


async def test_opening_gives_up_in_time_and_says_why() -> None:
    pipeline = Pipeline(always(Endpoint(path="nowhere/at/all")), Access())
    with pytest.raises(errors.NotExecuted, match="nowhere/at/all"):
        await pipeline.open(0.05)


async def test_a_password_that_is_not_taken_is_told_at_once(proxy: StoreProxy) -> None:
    access = Access(password="wrong")
    pipeline = Pipeline(always(parse(proxy.url).endpoints[0]), access)
    with pytest.raises(errors.StoreError) as told:
        await pipeline.open(3600)
    assert not isinstance(told.value, errors.StoreUnavailable)
    assert "wrong" not in repr(access) + str(told.value)


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        ("NOSCRIPT No matching script.", errors.ScriptMissing),
        ("OOM command not allowed when used memory > 'maxmemory'.", errors.StoreFull),
        ("ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed", errors.StoreFull),
        ("LOADING server is loading the dataset in memory", errors.NotExecuted),
        ("MISCONF Errors writing to the AOF file: No space left on device", errors.NotExecuted),
        ("NOAUTH Authentication required.", errors.AccessDenied),
        ("WRONGPASS invalid username-password pair", errors.AccessDenied),
        ("ERR unknown command 'NOAUTHORITY'", errors.CommandFailed),
        ("WRONGTYPE Operation against a key", errors.CommandFailed),
    ],
)
async def test_error_replies_have_their_meaning(message: str, meaning: type[errors.StoreError]) -> None:
    assert type(read_error(message)) is meaning


async def test_a_slot_that_moved_is_understood() -> None:
    moved, once = (read_error(reply) for reply in ("MOVED 3999 127.0.0.1:6381", "ASK 3999 ::1:6381"))
    assert isinstance(moved, errors.Moved)
    assert isinstance(once, errors.Moved)
    assert (moved.once, moved.slot, moved.node) == (False, 3999, "127.0.0.1:6381")
    assert (once.once, once.node) == (True, "::1:6381")
