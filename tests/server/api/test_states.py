"""Call states: each call is valid in the states of a match that the services' tables promise."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from landsraad.transport import CallRefused
from landsraad.v1 import matches_pb2, play_pb2
from landsraad.wire.refusals import reason_of
from landsraad_server.matches.match_clocks import KEPT_MS
from landsraad_server.process.worker import Worker
from landsraad_testkit import HandClock, RawStream, pass_time
from landsraad_testkit.calls import METHODS, Calls

ME = "landsraad_guest_me"
_PROTO = Path(__file__).resolve().parents[3] / "proto" / "landsraad" / "v1"

#: Where the states of these tests stand in the tables. A match may be over because it was aborted before it began, and
#: one that is over may have left the store for the archive.
COLUMNS = {"open": "OPEN", "live": "LIVE", "over": "OVER", "aborted": "OVER", "archived": "OVER"}

#: What the tables cannot say: a match that was aborted before it began was never played, and talk is not archived.
EXCEPTIONS = {("Replays/GetCertificate", "aborted"): "WRONG_STATE"} | {
    (f"Talk/{method}", "archived"): "OVER" for method in ("Send", "Read", "Mute")
}
#: Calls that are answered by a stream alone.
STREAMS = ("Watch/WatchMatch", "Talk/Read")


def tables() -> dict[str, dict[str, str]]:
    """Return the cells of each call by column, from the comments above the services; continued rows are skipped."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(_PROTO.glob("*_service.proto")):
        rows = [
            [cell.strip() for cell in line.strip("/ \n").strip("|").split("|")]
            for line in path.read_text().splitlines()
            if line.startswith("// |") and "---" not in line
        ]
        service = re.search(r"^service (\w+)", path.read_text(), re.MULTILINE)
        assert service
        for row in rows[1:]:
            if row[0]:
                found[f"{service[1]}/{row[0]}"] = dict(zip(rows[0], row, strict=True))
    return found


TABLES = tables()


def promised(method: str, state: str) -> str:
    """Return the reason with which the call must be refused; empty if it must be answered."""
    if state == "absent":
        named = [field.name for field in METHODS[method].input_type.fields if field.name in ("name", "match")]
        if not named or method in ("Matches/CreateMatch", "Catalog/GetGame"):
            return "" if method != "Play/Connect" else "NO_SUCH_MATCH"
        return "NO_SUCH_REPLAY" if method.startswith("Replays/") else "NO_SUCH_MATCH"
    if (method, state) in EXCEPTIONS:
        return EXCEPTIONS[method, state]
    cell = TABLES[method].get(COLUMNS[state], "")
    if cell != "-":
        return ""
    return "OVER" if COLUMNS[state] == "OVER" and not method.startswith("Replays/") else "WRONG_STATE"


class Matches:
    """A factory of matches in any state: one for each call, since some calls change them."""

    def __init__(self, worker: Worker, clock: HandClock, calls: Calls) -> None:
        self._worker = worker
        self._clock = clock
        self._calls = calls

    async def make(self, state: str, count: int) -> list[str]:
        matches = list(await asyncio.gather(*(self._one(state) for _ in range(count))))
        if state == "archived":
            await pass_time(self._worker, self._clock, KEPT_MS)
            for match in matches:
                await self._archived(match.partition("/")[2])
        return matches

    async def _one(self, state: str) -> str:
        if state == "absent":
            return "matches/none"
        calls = self._calls
        match = await calls.new(ME)
        for seat in range(1 if state in ("open", "aborted") else 2):
            await calls("Matches/JoinMatch", ME, name=match, seat=seat)
        if state in ("over", "aborted", "archived"):
            await calls("Matches/AbortMatch", ME, name=match)
        return match

    async def _archived(self, match: str) -> None:
        """Wait until the match has left the store."""
        while await self._worker.hosts.store.index.get(match) is not None:
            await self._calls("Matches/GetMatch", name=f"matches/{match}")


async def outcome(calls: Calls, stream: RawStream, method: str, match: str) -> str:
    """Return the reason with which a call is refused; empty if it is answered."""
    try:
        fields, token = await request(calls, method, match)
        if method == "Play/Connect":
            return await subscribed(stream, match)
        if method in STREAMS:
            frames: Any = calls.watch(match) if method == "Watch/WatchMatch" else calls.read_talk(match)
            await anext(frames)
            await frames.aclose()
        else:
            await calls(method, token, **fields)
    except CallRefused as refused:
        return reason_of(refused.refusal)
    return ""


async def request(calls: Calls, method: str, match: str) -> tuple[dict[str, Any], str]:
    """Return the fields of a valid request, and a token that may make it."""
    service, _, name = method.partition("/")
    replay = match.replace("matches", "replays")
    if service == "Play":
        fields = await asked(calls, match) if name in ("Submit", "Explain") else {"match": match, "seat": 0}
        if name in ("Submit", "SetStandingOrders"):
            fields["seq"] = 1
        return fields, ME
    match method:
        case "Talk/Send":
            said = {"channel": "table", "text": "hello", "request_id": "1"}
            return {"match": match, "seat": 0, **said}, ME
        case "Talk/Mute":
            return {"match": match, "seat": 0, "muted_seat": 1, "muted": True}, ME
        case "Catalog/GetGame":
            return {"name": "games/teaching"}, ""
        case "Matches/CreateMatch":
            return {"match": matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)}, ""
        case "Matches/LeaveMatch" | "Matches/Resign":
            return {"name": match, "seat": 0}, ME
        case "Replays/GetReplay":
            return {"name": replay, "seat": 0}, ME
        case "Replays/GetCertificate":
            return {"name": replay}, ""
        case "Accounts/WhoAmI":
            return {}, ME
        case (
            "Accounts/CreateGuest"
            | "Catalog/ListGames"
            | "Matches/ListMatches"
            | "Replays/ListReplays"
            | "Watch/WatchMatch"
            | "Talk/Read"
        ):
            return {}, ""
    return {"name": match}, ME


async def asked(calls: Calls, match: str) -> dict[str, Any]:
    """Return a seat that is asked, with an answer; if none is, any seat without one."""
    for seat in (0, 1):
        with suppress(CallRefused):
            decision = await calls("Play/GetDecision", ME, match=match, seat=seat)
            if decision.decision_id:
                return {"match": match, "seat": seat, "act": decision.clock.default}
    return {"match": match, "seat": 0}


async def subscribed(stream: RawStream, match: str) -> str:
    """Subscribe, and return the reason of a refusal; empty if there is none."""
    wanted = play_pb2.Subscribe(match=match, seat=0)
    await stream.send(play_pb2.ClientItem(subscription=1, subscribe=wanted))
    item = await stream.find(lambda item: item.WhichOneof("item") in ("refusal", "snapshot"))
    return reason_of(item.refusal) if item.HasField("refusal") else ""


@pytest.mark.asyncio
@pytest.mark.parametrize("state", [*COLUMNS, "absent"])
async def test_every_call(state: str, worker: Worker, clock: HandClock, calls: Calls, open_stream: Any) -> None:
    matches = await Matches(worker, clock, calls).make(state, len(METHODS))
    stream = open_stream(token=ME)
    found = {
        method: await outcome(calls, stream, method, match) for method, match in zip(METHODS, matches, strict=True)
    }
    assert found == {method: promised(method, state) for method in METHODS}
    assert worker.counters.faults == 0


@pytest.mark.asyncio
@pytest.mark.parametrize("state", ["over", "archived"])
async def test_a_subscription_to_what_is_over_ends(
    state: str, worker: Worker, clock: HandClock, calls: Calls, open_stream: Any
) -> None:
    """Also with the seat's credential, which outlives the match by a day."""
    match = await calls.new(ME)
    credential = (await calls("Matches/JoinMatch", ME, name=match, seat=0)).credential
    await calls("Matches/JoinMatch", ME, name=match, seat=1)
    await calls("Matches/AbortMatch", ME, name=match)
    if state == "archived":
        await pass_time(worker, clock, KEPT_MS)
        while await worker.hosts.store.index.get(match.partition("/")[2]) is not None:
            await calls("Matches/GetMatch", name=match)
    stream = open_stream()
    wanted = play_pb2.Subscribe(match=match, seat=0, credential=credential)
    await stream.send(play_pb2.ClientItem(subscription=1, subscribe=wanted))
    assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_OVER
    assert "snapshot" in stream.kinds()
    assert (await calls("Play/GetObservation", credential, match=match, seat=0)).number > 0


def test_all_calls_stand_in_the_tables() -> None:
    assert set(TABLES) == set(METHODS)
