"""Malformed input to every call: always a typed refusal, never a fault, and the service goes on."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from landsraad import games
from landsraad.v1 import (
    act_pb2,
    common_pb2,
    errors_pb2,
    matches_pb2,
    matches_service_pb2,
    play_pb2,
    play_service_pb2,
    value_pb2,
)
from landsraad.wire.refusals import CODES, reason_of
from landsraad.wire.seat_semantics import MOST_ACT_BYTES
from landsraad.wire.services import SERVICE_FILES
from landsraad_server.config import Config
from landsraad_server.matches.running_match import RunningMatch
from landsraad_server.process.worker import Worker
from landsraad_server.request_limits import MOST_BYTES, MOST_ITEMS, MOST_READ_BYTES
from landsraad_testkit.calls import METHODS, Calls

pytestmark = pytest.mark.asyncio


def check(method: str, answer: Any) -> None:
    """Assert that the call succeeded, or was refused for a reason of the protocol with the code that belongs to it."""
    if answer.code is grpc.StatusCode.OK:
        return
    assert answer.refusal is not None, f"{method}: {answer.code} {answer.details}"
    check_refusal(method, answer.refusal)
    assert answer.code.value[0] == answer.refusal.code


def check_violations(asked: Descriptor, refusal: errors_pb2.Refusal) -> None:
    """Assert that the paths of violations exist in the request; for a field of an act only its name is given."""
    if reason_of(refusal) in ("BAD_FIELD", "BAD_OPTION"):
        unknown = [each.field for each in refusal.violations if not leads_somewhere(each.field, asked)]
        assert unknown == [], f"{asked.name}: {refusal}"


def leads_somewhere(path: str, message: Descriptor) -> bool:
    """Return whether a message has a field of that path; keys of a map may be any."""
    name, _, rest = path.partition(".")
    field = message.fields_by_name.get(name.partition("[")[0])
    if field is None:
        return False
    inner = field.message_type
    return not rest or (inner is not None and (inner.GetOptions().map_entry or leads_somewhere(rest, inner)))


def check_refusal(method: str, refusal: errors_pb2.Refusal) -> None:
    assert refusal.reason != errors_pb2.ERROR_REASON_INTERNAL, f"{method}: {refusal}"
    assert refusal.code == CODES[reason_of(refusal)]
    assert not any(trace in refusal.message for trace in ("Traceback", ".py", "Error(", "object at 0x"))


@pytest.fixture
def names(seated: Any, calls: Calls) -> Any:
    """Names and credentials of two matches, one live and one open, and of things that do not exist."""

    async def run() -> tuple[list[str], list[str]]:
        begun = await seated(3)
        match = begun[0].match
        known = [
            match,
            await calls.new(),
            match.replace("matches", "replays"),
            "games/teaching",
            "games/dune",
            "matches/none",
        ]
        tokens = [
            "",
            "landsraad_guest_me",
            begun[0].credential,
            begun[1].credential,
            "landsraad_token_none",
            "landsraad_seat_x",
            "{}~",
        ]
        return [*known, *tokens[1:]], tokens

    return run


def requests(method: MethodDescriptor, nonsense: Any, count: int) -> Iterator[bytes]:
    """Yield empty, mutated, wrongly filled, random and oversized requests."""
    rng = Random(method.full_name)
    yield b""
    yield rng.randbytes(200)
    yield b"\xff" * 40
    yield b"\x0b" * 2000  # nested groups, deeper than allowed
    yield rng.randbytes(MOST_BYTES + 1)
    for _ in range(count):
        message = nonsense.message(method.input_type)
        if method.name == "GetDecision":
            message.wait_ms = rng.choice((0, 1, 2**32 - 1))
        body = message.SerializeToString()
        if len(body) <= MOST_BYTES:
            yield body
            yield nonsense.torn(body)


async def ask_all(worker: Worker, names: Any, mischief: Any, raw_calls: Any, count: int) -> int:
    texts, tokens = await names()
    raw = raw_calls()
    asked = 0
    for method in METHODS.values():
        nonsense = mischief(asked, texts)
        rng = Random(asked)
        for body in requests(method, nonsense, count):
            if method.name == "GetDecision" and _waits(body):
                continue
            answer = await raw.call(method, body, rng.choice(tokens))
            check(method.name, answer)
            if answer.refusal is not None and method.name != "Connect":
                check_violations(method.input_type, answer.refusal)
            asked += 1
    assert worker.counters.faults == 0
    assert worker.counters.refusals
    assert (await raw.call(METHODS["Catalog/ListGames"], b"")).code is grpc.StatusCode.OK
    return asked


def _waits(body: bytes) -> bool:
    """Return whether a damaged request may have become one that waits for long."""
    try:
        return 1 < play_service_pb2.GetDecisionRequest.FromString(body).wait_ms <= 30_000
    except Exception:  # noqa: BLE001  protobuf's own exception has no stable place
        return False


async def test_every_call(worker: Worker, names: Any, mischief: Any, raw_calls: Any) -> None:
    assert await ask_all(worker, names, mischief, raw_calls, 6) > 250


@pytest.mark.long
async def test_every_call_for_long(worker: Worker, names: Any, mischief: Any, raw_calls: Any) -> None:
    assert await ask_all(worker, names, mischief, raw_calls, 300) > 10_000


@pytest.mark.parametrize(("game", "seats"), [("teaching", 3), ("dune", 6), ("arrakis", 2)])
async def test_acts_that_are_nearly_right(
    game: str, seats: int, worker: Worker, seated: Any, calls: Calls, mischief: Any
) -> None:
    """A legal act with one wrong value, and random acts of all kinds."""
    tickets = await seated(seats, game=game)
    nonsense = mischief(seats, ["karama", "spice", "arrakeen", "harkonnen"])
    reasons: Counter[str] = Counter()
    for ticket in tickets:
        seat = {"match": ticket.match, "seat": ticket.seat}
        legal = (await calls("Play/GetDecision", ticket.credential, **seat)).clock.default
        for number in range(1, 15):
            act = nonsense.bent(legal) if number % 3 else nonsense.message(act_pb2.Act.DESCRIPTOR)
            explained = await calls("Play/Explain", ticket.credential, **seat, act=act)
            if not explained.legal:
                refusal = await calls.refusal("Play/Submit", ticket.credential, **seat, act=act, seq=number)
                check_refusal("Submit", refusal)
                assert refusal == errors_pb2.Refusal(**_fields(explained.refusal))
                reasons[reason_of(refusal)] += 1
    assert "MALFORMED" in reasons
    if game != "teaching":  # teaching's acts have no messages of their own: hardly any bent one is an act
        assert set(reasons) & {"AGAINST_RULES", "NOT_ASKED"}
    assert worker.counters.faults == 0


def _fields(refusal: errors_pb2.Refusal) -> dict[str, Any]:
    return {field.name: value for field, value in refusal.ListFields()}


async def test_nonsense_on_the_stream_is_refused_in_the_stream(
    worker: Worker, names: Any, mischief: Any, seated: Any, open_stream: Any
) -> None:
    """The stream goes on whatever the items are, as long as they can be parsed."""
    texts, _ = await names()
    seats = await seated(2)
    nonsense = mischief(5, texts)
    async with open_stream() as stream:
        await stream.subscribe(seats[0])
        await stream.next("snapshot")
        for number in range(150):
            item = nonsense.message(play_pb2.ClientItem.DESCRIPTOR)
            item.subscription = number % 3
            await stream.send(item)
        await stream.ping()
        for item in stream.received:
            if item.WhichOneof("item") == "refusal":
                check_refusal("Connect", item.refusal)
        assert "refusal" in stream.kinds()
    assert worker.counters.faults == 0


async def test_a_frame_of_too_many_items(open_stream: Any) -> None:
    ping = play_pb2.ClientItem(ping=play_pb2.Ping())
    async with open_stream() as stream:
        await stream.send(*[ping] * (MOST_ITEMS + 1))
        assert reason_of(await stream.next("refusal")) == "TOO_LARGE"
        await stream.ping()


async def test_a_message_that_is_too_large(raw_calls: Any) -> None:
    for name in ("Catalog/ListGames", "Play/Submit", "Play/Connect", "Watch/WatchMatch"):
        answer = await raw_calls().call(METHODS[name], b"\0" * (MOST_BYTES + 1))
        assert (answer.code, reason_of(answer.refusal)) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_LARGE")


async def test_a_message_that_is_not_even_read(raw_calls: Any) -> None:
    """Above this size the transport itself refuses: http2 with the usual details, grpcio without."""
    raw = raw_calls()
    answer = await raw.call(METHODS["Play/Submit"], b"\0" * (MOST_READ_BYTES + 1))
    assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    if Config().transport == "http2":
        assert reason_of(answer.refusal) == "TOO_LARGE"
        assert answer.refusal.message == f"a message has {MOST_BYTES} bytes at most, not {MOST_READ_BYTES + 1}"
        assert answer.details == answer.refusal.message
    assert (await raw.call(METHODS["Catalog/ListGames"], b"")).code is grpc.StatusCode.OK


async def test_what_does_not_exist(raw_calls: Any) -> None:
    for path in (
        "/landsraad.v1.Matches/Nothing",
        "/landsraad.v1.Nothing/Nothing",
        "/landsraad_admin.v1.Admin/GetTruth",
    ):
        assert (await raw_calls().call(path, b"")).code is grpc.StatusCode.UNIMPLEMENTED


Match = matches_pb2.Match
Seat = matches_pb2.Seat
Clock = common_pb2.ClockRules


#: Requests for new matches that are refused, and the field at fault.
ME = "landsraad_guest_me"
BAD: list[tuple[Match, list[str]]] = [
    (Match(title="x" * 81), ["match.title"]),
    (Match(title="\x1b[2J"), ["match.title"]),
    (Match(title="two\nlines"), ["match.title"]),
    (Match(watch_delay_ms=3_600_001), ["match.watch_delay_ms"]),
    (Match(clock=Clock(decision_ms=86_400_001)), ["match.clock.decision_ms"]),
    (Match(clock=Clock(bank_ms=2_592_000_001)), ["match.clock.bank_ms"]),
    (Match(clock=Clock(increment_ms=3_600_001)), ["match.clock.increment_ms"]),
    (Match(clock=Clock(disconnect_ms=86_400_001)), ["match.clock.disconnect_ms"]),
    (Match(clock=Clock(outcome=77)), ["match.clock.outcome"]),  # type: ignore[arg-type]
    (Match(seats=[Seat(invited="x" * 65)]), ["match.seats[0].invited"]),
    (Match(seats=[Seat(house_bot="\0")]), ["match.seats[0].house_bot"]),
    (Match(seats=[Seat(fill=matches_pb2.SEAT_FILL_HOUSE_BOT, house_bot="nobody")]), ["match.seats[0].house_bot"]),
    (Match(seats=[Seat(fill=matches_pb2.SEAT_FILL_HOUSE_BOT, house_bot="greedy@1s")]), ["match.seats[0].house_bot"]),
    (Match(seats=[Seat(), Seat(fill=9)]), ["match.seats[1].fill"]),  # type: ignore[arg-type]
    (Match(seats=[Seat(fill=matches_pb2.SEAT_FILL_INVITED)]), ["match.seats[0].invited"]),
    (Match(seats=[Seat()] * 1000), ["match.seats"]),
    (
        Match(
            seats=[Seat()] * 2,
            options={
                "colour": value_pb2.Value(text="red"),
                "size": value_pb2.Value(number=1),
                "rounds": value_pb2.Value(text="many"),
            },
        ),
        ["match.options.colour", "match.options.size", "match.options.rounds"],
    ),
]


async def test_each_bad_field_of_a_new_match_is_named(raw_calls: Any) -> None:
    raw = raw_calls()
    for given, fields in BAD:
        request = matches_service_pb2.CreateMatchRequest(match=given, validate_only=True)
        request.match.game = "games/teaching"
        if not request.match.seats:
            request.match.seats.extend([Seat()] * 2)
        answer = await raw.call(METHODS["Matches/CreateMatch"], request.SerializeToString(), ME)
        assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
        assert [violation.field for violation in answer.refusal.violations] == fields


@pytest.mark.parametrize(
    ("method", "fields", "at_fault"),
    [
        ("Catalog/GetGame", {"name": "games/teaching", "seats": 99}, "seats"),
        ("Catalog/GetGame", {"name": "games/teaching", "options": {"size": value_pb2.Value()}}, "options.size"),
        ("Matches/GetMatch", {"name": "match"}, "name"),
        ("Matches/Resign", {"name": "match"}, "name"),
        ("Replays/GetReplay", {"name": "match"}, "name"),
        ("Watch/WatchMatch", {"match": "match"}, "match"),
        ("Play/Submit", {"match": "match"}, "match"),
    ],
)
async def test_the_field_at_fault_is_one_of_the_request(
    method: str, fields: dict[str, Any], at_fault: str, raw_calls: Any
) -> None:
    request = GetMessageClass(METHODS[method].input_type)(**fields)
    answer = await raw_calls().call(METHODS[method], request.SerializeToString())
    assert [violation.field for violation in answer.refusal.violations] == [at_fault]


async def test_a_flag_is_no_number_whatever_was_asked_before(calls: Calls) -> None:
    """GetGame caches its answers, and in Python False equals 0."""
    fine, wrong = value_pb2.Value(flag=False), value_pb2.Value(number=0)
    for _ in range(2):
        await calls("Catalog/GetGame", name="games/teaching", options={"drought": fine})
        refusal = await calls.refusal("Catalog/GetGame", name="games/teaching", options={"drought": wrong})
        assert [each.field for each in refusal.violations] == ["options.drought"]


@pytest.mark.parametrize(("game", "seats"), [("teaching", 3), ("dune", 6)])
async def test_an_act_that_is_too_large_is_not_even_compared(
    game: str, seats: int, seated: Any, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    [ticket, *_] = await seated(seats, game=game)
    act = act_pb2.Act()
    if game == "dune":
        act.dune.place_forces.tokens.extend([1] * 60_000)
    else:
        act.generic.name = "Bid"
        act.generic.fields.add(name="x" * 60_000)
    monkeypatch.setattr(RunningMatch, "submit", lambda *_: pytest.fail("it was compared"))
    asked = {"match": ticket.match, "seat": ticket.seat, "act": act}
    refusal = await calls.refusal("Play/Submit", ticket.credential, **asked, seq=1)
    assert (reason_of(refusal), refusal.message) == ("MALFORMED", f"an act has {MOST_ACT_BYTES} bytes at most")
    assert (await calls("Play/Explain", ticket.credential, **asked)).refusal == refusal


async def test_options_by_the_thousand_are_not_even_looked_at(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wrong option costs another attempt to parse the rest: thousands of them must not stop a worker."""
    many = {f"option {number}": value_pb2.Value(number=1) for number in range(10_000)}
    game = games.load("teaching")
    monkeypatch.setattr(type(game), "parse_options", lambda *_: pytest.fail("they were looked at"))
    match = Match(game="games/teaching", seats=[Seat()] * 2, options=many)
    for refusal, field in (
        (await calls.refusal("Matches/CreateMatch", match=match), "match.options"),
        (await calls.refusal("Catalog/GetGame", name="games/teaching", options=many), "options"),
    ):
        assert [each.field for each in refusal.violations] == [field]


async def test_what_is_quoted_is_cut(seated: Any, calls: Calls) -> None:
    """A refusal has to fit into trailing metadata, however long the request is that it quotes."""
    seats = await seated(2)
    act = act_pb2.Act(generic=act_pb2.GenericAct(name="ü" * 1500))
    asked = {"match": seats[0].match, "seat": 0}
    refusal = await calls.refusal("Play/Submit", seats[0].credential, **asked, seq=1, act=act)
    assert reason_of(refusal) == "MALFORMED"
    assert refusal.ByteSize() < 2000
    explained = await calls("Play/Explain", seats[0].credential, **asked, act=act)
    assert explained.refusal.message == refusal.message


async def test_names_that_are_too_long_or_strange(seated: Any, raw_calls: Any) -> None:
    [seat, *_] = await seated(2)
    raw = raw_calls()
    bad: list[tuple[str, Any]] = [
        ("player", "x" * 41),
        ("player", "\u202egnihtyna"),  # displayed backwards
        ("request_id", "x" * 65),
        ("entropy", b"x" * 65),
    ]
    for field, value in bad:
        request = matches_service_pb2.JoinMatchRequest(name=seat.match, **{field: value})
        answer = await raw.call(METHODS["Matches/JoinMatch"], request.SerializeToString(), ME)
        assert [violation.field for violation in answer.refusal.violations] == [field]
    request = matches_service_pb2.JoinMatchRequest(name=seat.match, standing_orders=["auto"] * 65)
    answer = await raw.call(METHODS["Matches/JoinMatch"], request.SerializeToString(), ME)
    assert [violation.field for violation in answer.refusal.violations] == ["standing_orders"]
    orders = play_service_pb2.SetStandingOrdersRequest(match=seat.match, seat=0, seq=1, orders=["x" * 65])
    answer = await raw.call(METHODS["Play/SetStandingOrders"], orders.SerializeToString(), seat.credential)
    assert reason_of(answer.refusal) == "BAD_FIELD"


async def test_standing_orders_that_mean_nothing(calls: Calls) -> None:
    """A misspelt order is refused, before and during the match, instead of being ignored."""
    match = await calls.new()
    refusal = await calls.refusal("Matches/JoinMatch", name=match, standing_orders=["auto", "snares"])
    assert [violation.field for violation in refusal.violations] == ["standing_orders"]
    assert "snares" in refusal.message
    game = await calls("Catalog/GetGame", name="games/teaching")
    assert list(game.standing_orders) == ["auto", "snare"]
    mine = await calls("Matches/JoinMatch", name=match, standing_orders=game.standing_orders)
    seat = {"match": match, "seat": mine.seat}
    for seq in (1, 2):
        refusal = await calls.refusal("Play/SetStandingOrders", mine.credential, **seat, seq=seq, orders=["Snare"])
        assert [violation.field for violation in refusal.violations] == ["orders"]
        answer = await calls("Play/SetStandingOrders", mine.credential, **seat, seq=seq, orders=["snare"])
        assert answer.ack.seq == seq
        if seq == 1:
            await calls("Matches/JoinMatch", name=match)  # starts the match


GARBAGE = [
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n",  # half of HTTP/2's preface
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 64,  # the whole preface, followed by no frame
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64,  # TLS
    Random(1).randbytes(4096),
    b"",
]


async def test_garbage_on_the_port(worker: Worker, raw_calls: Any) -> None:
    """A client of another protocol is disconnected, and the others go on undisturbed."""
    host, _, port = worker.address.rpartition(":")
    raw = raw_calls()
    for garbage in GARBAGE:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(garbage)
        writer.write_eof()
        async with asyncio.timeout(10):
            with suppress(ConnectionError):
                await reader.read()
        writer.close()
        assert (await raw.call(METHODS["Catalog/ListGames"], b"")).code is grpc.StatusCode.OK
    assert worker.counters.faults == 0


async def test_all_calls_are_asked() -> None:
    """A service added to the protocol has to be covered by this test."""
    folder = Path(play_service_pb2.__file__).parent
    assert {f"{file.__name__.rpartition('.')[2]}.py" for file in SERVICE_FILES} == {
        path.name for path in folder.glob("*_service_pb2.py")
    }
