"""Cells: matches are made, joined and played in two of them as in one service."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from landsraad import AsyncClient, Bot
from landsraad.async_seat import AsyncSeat
from landsraad.bot_runner import run
from landsraad.errors import ConnectionLost, NotFound, WrongCell
from landsraad.models import Ticket
from landsraad.transport import GrpcTransport, Tls
from landsraad.v1 import matches_pb2, matches_service_pb2
from landsraad.wire.match_names import cell_of
from landsraad_server.cells import placement
from landsraad_server.store import keys
from landsraad_testkit import HandClock, RawStream
from landsraad_testkit.calls import Calls

if TYPE_CHECKING:
    from tests.server.cells.conftest import RunningCell, Service, StartCell
    from tests.server.conftest import Certify

pytestmark = pytest.mark.asyncio

OPTIONS = {"rounds": 2}


async def play(seat: AsyncSeat, seed: int) -> None:
    rng = Random(seed)
    async for decision in seat:
        await seat.answer(decision.sample(rng), decision)


async def play_match(client: AsyncClient, match: str) -> None:
    """Take all seats of a match, and play it to its end."""
    seats = [await client.join(match, number) for number in range(2)]
    async with asyncio.timeout(60):
        await asyncio.gather(*(play(seat, number) for number, seat in enumerate(seats)))
    assert all(seat.result is not None for seat in seats)


class RandomTeacher(Bot):
    game = "teaching"

    def decide(self, view: Any, ask: Any) -> Any:
        return ask.sample(self.rng)


async def test_one_client_plays_whole_matches_of_both_cells(
    clients: list[AsyncClient], cells: list[RunningCell]
) -> None:
    """Each client knows one address only, and its matches of the other cell go there by themselves."""
    made = [await client.create_match("teaching", 2, OPTIONS) for client in clients]
    assert [cell_of(match.name) for match in made] == ["c1", "c2"]
    await asyncio.gather(*(play_match(clients[0], match.name) for match in made))
    for match in made:
        for client in clients:
            assert (await client.match(match.name)).state == "over"
            assert (await client.replay(match.name)).entries
            assert (await client.certificate(match.name))["name"] == match.name.removeprefix("matches/")
            assert [update.match.state async for update in client.watch(match.name)][-1] == "over"
    assert not [match for match in cells[0].worker.hosts.by_match if cell_of(match) != "c1"]
    assert not [match for match in cells[1].worker.hosts.by_match if cell_of(match) != "c2"]


async def test_seats_of_both_cells_are_played_over_streams_of_their_own(
    clients: list[AsyncClient], cells: list[RunningCell]
) -> None:
    tickets: list[Ticket] = []
    for client in clients:
        match = await client.create_match("teaching", 2, OPTIONS)
        tickets += [(await client.join(match.name, number)).ticket for number in range(2)]
    async with AsyncClient(cells[0].address) as other:
        seats = [other.seat(ticket) for ticket in tickets]
        async with asyncio.timeout(60):
            await asyncio.gather(*(play(seat, number) for number, seat in enumerate(seats)))
        assert len(other._connections) == len(cells)
    assert all(seat.result is not None for seat in seats)


async def test_the_bot_runner_goes_where_there_is_room(clients: list[AsyncClient], cells: list[RunningCell]) -> None:
    """Its user knows nothing of cells."""
    for _ in range(3):
        await clients[0].create_match("teaching", 2, OPTIONS)
    for cell in cells:
        await cell.publish()
    address = cells[0].address
    played = await asyncio.to_thread(
        run, RandomTeacher, address, 2, opponents=RandomTeacher, options=OPTIONS, seats=2, quiet=True, seed=1
    )
    assert [cell_of(one.match) for one in played] == ["c2", "c2"]


# --- routing


async def test_a_worker_of_another_cell_names_the_right_one(
    clients: list[AsyncClient], cells: list[RunningCell]
) -> None:
    match = (await clients[1].create_match("teaching", 2, OPTIONS)).name
    ticket = (await clients[1].join(match)).ticket
    identity, seat = match.removeprefix("matches/"), {"match": match, "seat": 0}
    async with Calls(cells[0].address) as calls:
        for method, fields in (
            ("Matches/GetMatch", {"name": match}),
            ("Matches/JoinMatch", {"name": match, "request_id": "r" * 32}),
            ("Matches/AbortMatch", {"name": match}),
            ("Matches/Resign", {"name": match, "seat": 0}),
            ("Play/GetDecision", seat),
            ("Play/GetObservation", seat),
            ("Play/Submit", seat),
            ("Replays/GetReplay", {"name": f"replays/{identity}"}),
            ("Replays/GetCertificate", {"name": f"replays/{identity}"}),
        ):
            token = ticket.credential if "seat" in fields else (clients[0].token or clients[1].token)
            refusal = await calls.refusal(method, token, **fields)
            told = (calls_reason(refusal), refusal.cell, refusal.address)
            assert told == ("WRONG_CELL", "c2", cells[1].address), method
        with pytest.raises(Exception, match="belongs to cell c2"):
            await anext(aiter(calls.watch(match)))
    async with RawStream(cells[0].address) as stream:
        await stream.subscribe(ticket)
        refusal = await stream.next("refusal")
        assert (refusal.cell, refusal.address) == ("c2", cells[1].address)


def calls_reason(refusal: Any) -> str:
    from landsraad.wire.refusals import reason_of

    return reason_of(refusal)


async def test_a_match_without_a_cell_belongs_to_the_first(
    clients: list[AsyncClient], cells: list[RunningCell]
) -> None:
    """So a service can be divided while its matches go on."""
    async with Calls(cells[0].address) as first, Calls(cells[1].address) as second:
        assert await first.reason("Matches/GetMatch", name="matches/5f2a") == "NO_SUCH_MATCH"
        refusal = await second.refusal("Matches/GetMatch", name="matches/5f2a")
        assert (refusal.cell, refusal.address) == ("c1", cells[0].address)
        for calls in (first, second):
            assert await calls.reason("Matches/GetMatch", name="matches/c9-5f2a") == "NO_SUCH_MATCH"
            assert await calls.reason("Matches/GetMatch", name="matches/C1-5f2a") == "BAD_FIELD"
    with pytest.raises(NotFound):
        await clients[1].match("matches/5f2a")


async def test_a_cell_that_has_moved_is_found_again(clients: list[AsyncClient]) -> None:
    """The client goes by the address that its user has given when the one that it was told fails."""
    match = (await clients[1].create_match("teaching", 2)).name
    nowhere = GrpcTransport("127.0.0.1:1")
    clients[0]._cells._known["c2"] = ("127.0.0.1:1", nowhere)
    assert (await clients[0].match(match)).name == match
    assert clients[0]._cells.of(match) is not nowhere
    await nowhere.close()


# --- placement


async def test_new_matches_go_to_the_cell_with_the_most_room(
    clients: list[AsyncClient], cells: list[RunningCell]
) -> None:
    made = Counter[str]()
    for _ in range(24):
        for cell in cells:
            await cell.publish()
        made[cell_of((await clients[0].create_match("teaching", 2)).name)] += 1
    assert sum(made.values()) == 24
    assert all(10 <= made[cell.name] <= 14 for cell in cells), made


async def test_a_repeated_request_finds_the_match_of_the_first_in_whatever_cell(
    clients: list[AsyncClient], cells: list[RunningCell]
) -> None:
    """Its answer was lost, and the load has changed since."""
    token = "landsraad_guest_" + "a" * 40
    request = {
        "match": matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2),
        "request_id": "request",
    }
    for _ in range(4):
        await clients[0].create_match("teaching", 2)
    for cell in cells:
        await cell.publish()
    async with Calls(cells[0].address) as first, Calls(cells[1].address) as second:
        refusal = await first.refusal("Matches/CreateMatch", token, **request)
        assert (calls_reason(refusal), refusal.cell) == ("WRONG_CELL", "c2")
        match = (await second("Matches/CreateMatch", token, **request)).name
        assert cell_of(match) == "c2"
        for _ in range(12):
            await clients[1].create_match("teaching", 2)
        for cell in cells:
            await cell.publish()
        assert (await first.refusal("Matches/CreateMatch", token, **request)).cell == "c2"
        assert (await second("Matches/CreateMatch", token, **request)).name == match
        other = await first("Matches/CreateMatch", token, **{**request, "request_id": "another"})
        assert cell_of(other.name) == "c1"


async def test_the_same_request_at_two_cells_at_once_makes_one_match(
    cells: list[RunningCell], service_of_cells: Service
) -> None:
    token = "landsraad_guest_" + "a" * 40
    fields: dict[str, Any] = {"match": matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)}
    async with Calls(cells[0].address) as first, Calls(cells[1].address) as second:

        async def create(calls: Calls, request: str) -> str:
            try:
                return str((await calls("Matches/CreateMatch", token, request_id=request, **fields)).name)
            except Exception as refused:  # noqa: BLE001
                return refused.refusal.cell  # type: ignore[attr-defined, no-any-return]

        for number in range(20):
            name = f"request {number}"
            made = await asyncio.gather(create(first, name), create(second, name))
            [match] = [one for one in made if "/" in one]
            [cell] = [one for one in made if "/" not in one]
            assert cell_of(match) == cell


async def test_a_dead_cell_gets_no_new_matches(
    clients: list[AsyncClient], cells: list[RunningCell], service_of_cells: Service
) -> None:
    for _ in range(4):
        await clients[0].create_match("teaching", 2)
    for cell in cells:
        await cell.publish()
    await cells[1].stop()
    raw = service_of_cells.raw()
    left: Any = raw.pttl(keys.cell_load("c2"))
    assert 0 < left <= placement._LOAD_MS
    raw.delete(keys.cell_load("c2"))  # as when that time is over
    cells[0].reread()
    assert cell_of((await clients[0].create_match("teaching", 2)).name) == "c1"


# --- lists


async def listed(address: str, cell: str = "", **fields: Any) -> matches_service_pb2.ListMatchesResponse:
    transport = GrpcTransport(address, cell=cell)
    try:
        request = matches_service_pb2.ListMatchesRequest(**fields)
        return await transport.call(
            "Matches/ListMatches", request, matches_service_pb2.ListMatchesResponse, token="", deadline=10.0
        )
    finally:
        await transport.close()


async def test_lists_merge_the_matches_of_all_cells_by_time(
    clients: list[AsyncClient], cells: list[RunningCell], clock: HandClock
) -> None:
    made: list[str] = []
    for number in range(9):
        made.insert(0, (await clients[number % 4 // 2].create_match("teaching", 2, unlisted=number == 4)).name)
        clock.advance(0 if number == 6 else 10)
    shown = [name for number, name in enumerate(made) if number != 4]
    tied = shown[1:3]
    shown[1:3] = sorted(tied, reverse=True)
    assert {cell_of(name) for name in shown} == {"c1", "c2"}
    for cell in cells:
        async with AsyncClient(cell.address) as stranger:
            found = await stranger.matches()
        assert [match.name for match in found] == shown
        assert found.missing_cells == ()
        for size in (1, 2, 3, 5):
            names: list[str] = []
            token = ""
            for _ in range(30):
                page = await listed(cell.address, page_size=size, page_token=token)
                assert len(page.matches) <= size
                names += [match.name for match in page.matches]
                token = page.next_page_token
                if not token:
                    break
            assert names == shown, size
        alone = await listed(cell.address, cell=cell.name)
        assert {cell_of(match.name) for match in alone.matches} == {cell.name}


async def test_ones_own_matches_are_listed_from_all_cells(clients: list[AsyncClient], cells: list[RunningCell]) -> None:
    here = (await clients[0].create_match("teaching", 2, unlisted=True)).name
    async with AsyncClient(cells[1].address, token=clients[0].token) as same:
        there = (await same.create_match("teaching", 2, unlisted=True)).name
    await clients[1].create_match("teaching", 2)
    mine = {match.name for match in await clients[0].matches(mine=True)}
    assert mine == {here, there}


async def test_replays_are_listed_from_all_cells(
    clients: list[AsyncClient], cells: list[RunningCell], clock: HandClock
) -> None:
    ended: list[str] = []
    for number in range(4):
        client = clients[number % 2]
        match = await client.create_match("teaching", 2, OPTIONS)
        await play_match(client, match.name)
        ended.insert(0, match.name.replace("matches/", "replays/"))
        clock.advance(1000)
    clock.advance(600_000)
    for cell in cells:
        cell.store.clocks.flush()
        await cell.worker.clock_poller.tick()
    async with Calls(cells[0].address) as calls:
        found: list[str] = []
        token = ""
        for _ in range(10):
            page = await calls("Replays/ListReplays", page_size=1, page_token=token)
            found += [replay.name for replay in page.replays]
            token = page.next_page_token
            if not token:
                break
        assert found == ended
        await cells[1].stop()
        page = await calls("Replays/ListReplays")
        assert [replay.name for replay in page.replays] == ended[1::2]
        assert list(page.unreachable) == ["cells/c2"]


# --- a dead cell


async def test_a_dead_cell_takes_only_its_own_matches_with_it(
    clients: list[AsyncClient], cells: list[RunningCell], start_cell: StartCell
) -> None:
    made = [(await client.create_match("teaching", 2, OPTIONS)).name for client in clients]
    seats = [await client.join(match, number) for client, match in zip(clients, made, strict=True) for number in (0, 1)]
    await cells[1].stop()
    async with asyncio.timeout(60):
        await asyncio.gather(*(play(seat, number) for number, seat in enumerate(seats[:2])))
    found = await clients[0].matches()
    assert [match.name for match in found] == [made[0]]
    assert found.missing_cells == ("c2",)
    async with AsyncClient(cells[0].address, retry_timeout=0.5) as hasty:
        with pytest.raises(ConnectionLost):
            await hasty.match(made[1])
    again = await start_cell("c2")
    async with asyncio.timeout(60):
        await asyncio.gather(*(play(seat, number) for number, seat in enumerate(seats[2:])))
    assert (await clients[0].match(made[1])).state == "over"
    async with asyncio.timeout(20):
        while (await clients[0].matches()).missing_cells:  # noqa: ASYNC110  they connect again after a backoff
            await asyncio.sleep(0.05)
    assert again.address == cells[1].address


async def test_cells_that_send_a_client_round_in_circles_are_given_up(
    start_cell: StartCell, service_of_cells: Service, tmp_path: Any
) -> None:
    """Their maps name each other for a third one."""
    ports = service_of_cells.ports
    for name, other in (("c1", "c2"), ("c2", "c1")):
        told = {"c1": ports["c1"], "c2": ports["c2"], "c3": ports[other]}
        (tmp_path / f"{name}.toml").write_text(
            "".join(
                f'[{cell}]\naddress = "127.0.0.1:{port}"\npeer = "127.0.0.1:{port}"\n' for cell, port in told.items()
            )
        )
    cells = [await start_cell(name, cells=tmp_path / f"{name}.toml") for name in ports]
    ticket = Ticket("matches/c3-5f2a", 0, "landsraad_seat_c3-5f2a.0." + "a" * 43)
    async with AsyncClient(cells[0].address, retry_timeout=5.0) as client, asyncio.timeout(30):
        with pytest.raises(WrongCell):
            await client.match(ticket.match)
        with pytest.raises(WrongCell):
            await client.seat(ticket).next_decision()
        with pytest.raises(WrongCell):
            await anext(aiter(client.watch(ticket.match)))


@pytest.mark.parametrize("mutual", [False, True])
async def test_cells_and_clients_reach_each_other_over_tls(
    start_cell: StartCell, service_of_cells: Service, certify: Certify, tmp_path: Any, mutual: bool
) -> None:
    certificate, key = certify("server")
    authority = certify("authority", "authority")[0]
    named = tmp_path / "tls.toml"
    named.write_text(
        "".join(
            f'[{cell}]\naddress = "localhost:{port}"\nca = "{authority}"\n'
            for cell, port in service_of_cells.ports.items()
        )
    )
    settings: dict[str, Any] = {"tls_cert": certificate, "tls_key": key, "cells": named, "host": "localhost"}
    if mutual:
        settings["tls_client_ca"] = authority
    cells = [await start_cell(name, **settings) for name in service_of_cells.ports]
    tls = Tls(authority, *(certify("player") if mutual else ()))
    async with AsyncClient(cells[0].address, tls=tls) as client, AsyncClient(cells[1].address, tls=tls) as other:
        made = [(await one.create_match("teaching", 2, OPTIONS)).name for one in (client, other)]
        found = await client.matches()
        assert ({match.name for match in found}, found.missing_cells) == (set(made), ())
        await play_match(client, made[1])
