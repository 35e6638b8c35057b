"""The same client over real gRPC."""

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
import pytest_asyncio

from landsraad import AsyncClient, Client, errors
from landsraad.models import AccountInfo, Ticket
from landsraad.testing import Faults, LocalService
from landsraad.testing.listening import listening
from landsraad.testing.players import play, play_all, seated
from landsraad.transport import is_loopback
from landsraad_engine.teaching.acts import NameOmen

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def server(service: LocalService) -> AsyncIterator[str]:
    async with listening(service) as address:
        yield address


async def test_a_whole_match(server: str, service: LocalService, faults: Faults) -> None:
    async with AsyncClient(server) as client:
        seats = await seated(client, 3, "teaching")
        faults.cut_after = iter([5, 3])
        await play_all(seats)
        match = service.matches[seats[0].ticket.match].match
        assert match is not None
        assert [seat.view.table for seat in seats] == [match.view(seat).places for seat in range(3)]
        told = [one async for update in client.watch(seats[0].ticket.match) for one in update.entries]
        assert [one.entry for one in told] == match.log(None)


async def test_a_stream_that_is_opened_anew_goes_on_where_it_was(server: str, service: LocalService) -> None:
    async with AsyncClient(server) as client:
        seats = await seated(client, 2, "teaching")
        rng = Random(0)
        match = service.matches[seats[0].ticket.match].match
        assert match is not None
        for _ in range(12):
            decision = await seats[match.waiting[0]].next_decision()
            assert decision is not None
            await client.reconnect()
            await seats[decision.seat].answer(decision.sample(rng), decision)
        await play_all(seats)
        assert [seat.view.table for seat in seats] == [match.view(seat).places for seat in range(2)]


async def test_refusals_of_calls_carry_everything(server: str) -> None:
    async with AsyncClient(server) as client:
        with pytest.raises(errors.BadRequest) as caught:
            await client.create_match("dune", 6, {"length": 11})
        assert caught.value.reason == "bad_option"
        assert list(caught.value.fields) == ["match.options.length"]
        seats = await seated(client, 2, "teaching")
        assert await seats[0].next_decision() is not None
        said = await seats[0].explain(NameOmen("nobody"))
        assert said is not None
        assert said.nearest
        with pytest.raises(errors.NotAllowed):
            await client.seat(Ticket(seats[0].ticket.match, 0, "wrong")).next_decision()
        with pytest.raises(errors.NotFound):
            [update async for update in client.watch("matches/none")]


async def test_an_account_that_the_service_makes_is_kept(server: str) -> None:
    async with AsyncClient(server) as client:
        assert client.token == ""
        match = await client.create_match("teaching", ["open", "house"])
        assert (client.token, client.account) == ("made for you", "you")
        await play(await client.join(match.name))
    async with AsyncClient(server, token="mine") as client:
        await client.create_match("teaching", 2)
        assert client.token == "mine"
        with pytest.raises(errors.LandsraadError, match="await whoami"):
            client.account  # noqa: B018  it is a property
        assert await client.whoami() == AccountInfo("you", "", guest=True, roles=("player",))
        assert (client.token, client.account) == ("mine", "you")


async def test_a_plain_client_always_knows_its_account(server: str) -> None:
    def look(token: str) -> tuple[str, str]:
        with Client(server, token=token) as client:
            return client.account, client.token

    assert await asyncio.to_thread(look, "") == ("you", "made for you")
    assert await asyncio.to_thread(look, "mine") == ("you", "mine")


async def test_calls_at_once_make_one_account(
    service: LocalService, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    answer = service.answer

    def count(method: str, request: Any, token: str) -> Any:
        made.append(method)
        return answer(method, request, token)

    monkeypatch.setattr(service, "answer", count)
    async with AsyncClient(server) as client:
        await asyncio.gather(*(client.create_match("teaching", 2) for _ in range(3)), client.whoami())
    assert made.count("Accounts/CreateGuest") == 1


async def test_nobody_listening_is_connection_lost() -> None:
    async with AsyncClient("localhost:1", retry_timeout=0.3) as client:
        with pytest.raises(errors.ConnectionLost):
            await client.games()


@pytest.mark.parametrize("address", ["", "http://localhost:7447", "localhost:99999", "127.0.0.1:0", "[::1]:65536"])
async def test_what_is_no_address_is_not_looked_for(address: str) -> None:
    """The library would: at another port, or for a machine of that name."""
    with pytest.raises(errors.BadAddress, match="write host:port"):
        AsyncClient(address)
    with pytest.raises(errors.BadAddress, match="write host:port"):
        Client(address)


@pytest.mark.parametrize("address", ["localhost:7447", "[::1]:7447", "unix:/run/x:0", "dns:///localhost:7447", "host"])
async def test_what_may_be_an_address_is(address: str) -> None:
    async with AsyncClient(address):
        pass


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("localhost:7447", True),
        ("127.0.0.1:1", True),
        ("[::1]:1", True),
        ("unix:/run/landsraad", True),
        ("192.0.2.1:7447", False),
        ("localhost.example:7447", False),
    ],
)
async def test_only_this_machine_is_spoken_to_in_the_clear(address: str, here: bool) -> None:
    assert is_loopback(address) is here


async def test_a_client_that_is_closed_tells_those_whose_calls_are_under_way() -> None:
    """GRPC reports calls that it has cancelled itself as cancellations of their tasks, which they are not."""
    over = asyncio.Event()

    async def silent(_: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        await over.wait()
        to.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as listener:
        host, port = listener.sockets[0].getsockname()
        client = AsyncClient(f"{host}:{port}")
        match = "matches/1"
        calls = [client.games(), client.start(match), anext(client.watch(match)), client.connection(match)]
        waiting = [asyncio.ensure_future(call) for call in calls]
        await asyncio.sleep(0)
        await client.close()
        async with asyncio.timeout(10):
            ended = await asyncio.gather(*waiting, client.games(), return_exceptions=True)
        assert [type(error) for error in ended] == [errors.ConnectionLost] * 5
        over.set()
