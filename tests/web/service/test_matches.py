"""Matches over HTTP: sessions, lists, seats, acts that count once, replays."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from landsraad_testkit import ServeProcess

SHORT = {"round_limit": 1}


def id_of(shown: dict[str, Any]) -> str:
    return str(shown["match"]["name"].removeprefix("matches/"))


async def asked(visitor: Any, match: str, seat: int = 0) -> tuple[dict[str, Any], int]:
    """Return the open question of a seat, and the number of its last input."""
    async with aclosing(visitor.events(f"/api/matches/{match}/events?seat={seat}")) as events:
        last = 0
        async for kind, _, data in events:
            if kind == "snapshot":
                last = int(data.get("lastSeq", 0))
                if "question" in data:
                    return data["question"], last
            elif kind == "entry" and "question" in data:
                return data["question"], last
    raise AssertionError("nothing was asked")


async def default_act(visitor: Any, match: str, seat: int = 0) -> dict[str, Any]:
    """Return an act that is legal now: the one that a timeout takes."""
    _, clock = await visitor.first("clock", f"/api/matches/{match}/events?seat={seat}")
    return dict(clock["default"])


CLOCK = {"decision": 3600}


@pytest.mark.asyncio
async def test_a_visitor_signs_in_renames_and_leaves(visitor: Any) -> None:
    before = (await visitor.get("/api/session")).json()
    assert before == {"guests": True, "signedIn": False}
    me = await visitor.sign_in(" Ann ")
    assert me["name"] == "Ann"
    assert me["guest"] is True
    renamed = (await visitor.post("/api/session", {"name": "Bee"})).json()
    assert (renamed["name"], renamed["account"]) == ("Bee", me["account"])
    assert (await visitor.post("/api/session/end")).json()["signedIn"] is False
    assert (await visitor.get("/api/session")).json()["signedIn"] is False


@pytest.mark.asyncio
async def test_another_device_takes_the_account_up(visitor: Any, other: Any) -> None:
    me = await visitor.sign_in("ann")
    made = await visitor.create(join=1, options=SHORT)
    code = (await visitor.post("/api/session/link")).json()["code"]
    there = (await other.post("/api/session", {"code": code})).json()
    assert there["account"] == me["account"]
    assert (await other.get(f"/api/matches/{id_of(made)}")).json()["seats"] == [1]
    assert (await other.post("/api/session", {"code": code})).status_code == 403


@pytest.mark.asyncio
async def test_games_and_catalogs(visitor: Any) -> None:
    games = {game["name"]: game for game in (await visitor.get("/api/games")).json()["games"]}
    assert {"games/dune", "games/arrakis"} <= games.keys()
    assert any(option["name"] == "edition" for option in games["games/arrakis"]["options"])
    first = await visitor.get("/api/catalog/arrakis?seats=2")
    assert first.headers["cache-control"] == "no-cache"
    assert {"acts", "layout", "graphs", "rules", "components", "announcements"} <= first.json().keys()
    digest = first.headers["etag"].strip('"')
    again = await visitor.get(f"/api/catalog/arrakis?seats=2&v={digest}")
    assert "immutable" in again.headers["cache-control"]
    assert again.headers["content-encoding"] == "gzip"
    known = await visitor.get("/api/catalog/arrakis?seats=2", headers={"if-none-match": first.headers["etag"]})
    assert known.status_code == 304
    assert (await visitor.get("/api/catalog/chess")).status_code == 404
    for wrong in ("seats=x", "seats=99", "options=[]", 'options={"edition":"none"}', "options={"):
        answer = await visitor.get(f"/api/catalog/arrakis?{wrong}")
        assert answer.status_code == 400, wrong
        assert answer.json()["error"]["fields"]


@pytest.mark.asyncio
async def test_a_match_names_the_catalog_of_its_terms(visitor: Any) -> None:
    await visitor.sign_in()
    made = await visitor.create("dune", 3)
    query = parse_qs(urlsplit(made["catalog"]).query)
    assert query["seats"] == ["3"]
    assert set(json.loads(query["options"][0])) == set(made["match"]["options"])
    catalog = await visitor.get(made["catalog"])
    assert catalog.status_code == 200
    shown = (await visitor.get(f"/api/matches/{id_of(made)}")).json()
    assert parse_qs(urlsplit(shown["catalog"]).query)["v"] == [catalog.headers["etag"].strip('"')]
    assert "immutable" in (await visitor.get(shown["catalog"])).headers["cache-control"]


@pytest.mark.asyncio
async def test_lists_of_matches(visitor: Any, other: Any) -> None:
    await visitor.sign_in()
    made = await visitor.create(title="listed here", options=SHORT)
    for query in ("", "?state=open", "?state=open&game=arrakis", "?mine=1"):
        listed = (await visitor.get(f"/api/matches{query}")).json()["matches"]
        assert made["match"]["name"] in {match["name"] for match in listed}
    assert (await other.get("/api/matches?mine=1")).json()["matches"] == []
    assert (await visitor.get("/api/matches?state=nothing")).status_code == 400
    hidden = await visitor.create(unlisted=True)
    listed = (await other.get("/api/matches")).json()["matches"]
    assert hidden["match"]["name"] not in {match["name"] for match in listed}
    _, closed = await other.first("closed", f"/api/matches/{id_of(hidden)}/events")
    assert (closed["reason"], closed["error"]["reason"]) == ("failed", "no_credential")
    await other.sign_in()
    _, closed = await other.first("closed", f"/api/matches/{id_of(hidden)}/events")
    assert closed["error"]["reason"] == "not_yours"
    joined = await other.post(f"/api/matches/{id_of(hidden)}/join", {"player": "invited"})
    assert joined.json()["seats"] == [0]
    _, shown = await other.first("match", f"/api/matches/{id_of(hidden)}/events")
    assert shown["name"] == hidden["match"]["name"]
    assert (await visitor.post(f"/api/matches/{id_of(made)}/abort", {"reason": "a test"})).status_code == 200


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seats": [{}]}, None),
        ({"game": "arrakis", "seats": []}, "seats"),
        ({"game": "arrakis", "seats": [{"fill": "nobody"}, {}]}, "seats[0].fill"),
        ({"game": "arrakis", "seats": [{}, {}], "join": 2}, "join"),
        ({"game": "arrakis", "seats": [{}, {}], "options": {"edition": "none"}}, "match.options.edition"),
        ({"game": "arrakis", "seats": [{}, {}], "options": {"edition": [1]}}, "options[...]"),
        ({"game": "arrakis", "seats": [{}, {}], "clock": {"decision": -1}}, "clock.decision"),
        ({"game": "arrakis", "seats": [{}, {}], "clock": {"decision": 1, "outcome": "x"}}, "clock.outcome"),
        ({"game": "arrakis", "seats": [{}, {}], "colour": "red"}, None),
    ],
)
async def test_a_wrong_match_is_refused_with_its_fields(visitor: Any, body: Any, field: str | None) -> None:
    await visitor.sign_in()
    answer = await visitor.post("/api/matches", body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["message"]
    assert field is None or field in error["fields"]


@pytest.mark.asyncio
async def test_creating_needs_a_session_and_counts_once(visitor: Any) -> None:
    body = {"game": "arrakis", "seats": [{}, {}], "requestId": "once-only-123"}
    assert (await visitor.post("/api/matches", body)).status_code == 401
    await visitor.sign_in()
    first, second = [(await visitor.post("/api/matches", body)).json() for _ in range(2)]
    assert first["match"]["name"] == second["match"]["name"]


@pytest.mark.asyncio
async def test_an_act_counts_once(visitor: Any) -> None:
    await visitor.sign_in("ann")
    made = await visitor.create(seats=2, join=0, options=SHORT, clock=CLOCK)
    match = id_of(made)
    assert (await visitor.post(f"/api/matches/{match}/start")).json()["match"]["state"] == "MATCH_STATE_LIVE"
    question, last = await asked(visitor, match)
    act = await default_act(visitor, match)
    acts = f"/api/matches/{match}/seats/0/acts"
    body = {"seq": last + 1, "decision": int(question["decisionId"]), "act": act}
    assert (await visitor.post(f"/api/matches/{match}/seats/0/explain", {"act": act})).json() == {"legal": True}
    first = (await visitor.post(acts, body)).json()["ack"]
    assert first["seq"] == last + 1
    assert not first["repeated"]
    assert (await visitor.post(acts, body)).json()["ack"] == {**first, "repeated": True}
    another = {**body, "act": {"generic": {"name": "Concede"}}}
    refused = await visitor.post(acts, another)
    assert refused.status_code == 409
    assert refused.json()["error"]["reason"] == "superseded"
    late = (await visitor.post(acts, {**body, "seq": last + 2})).json()["refusal"]
    assert late["reason"] == "stale"


@pytest.mark.asyncio
async def test_an_illegal_act_is_explained_and_its_number_stays_free(visitor: Any) -> None:
    await visitor.sign_in("ann")
    match = id_of(await visitor.create(seats=2, join=0, options=SHORT, clock=CLOCK))
    await visitor.post(f"/api/matches/{match}/start")
    _, last = await asked(visitor, match)
    wrong = {"generic": {"name": "Nonsense"}}
    acts = f"/api/matches/{match}/seats/0/acts"
    refusal = (await visitor.post(acts, {"seq": last + 1, "act": wrong})).json()["refusal"]
    assert refusal["reason"] == "malformed"
    said = (await visitor.post(f"/api/matches/{match}/seats/0/explain", {"act": wrong})).json()
    assert said["legal"] is False
    assert said["refusal"]["reason"] == "malformed"
    unread = await visitor.post(acts, {"seq": last + 1, "act": {"generic": {"nome": "x"}}})
    assert unread.status_code == 400
    taken = (await visitor.post(acts, {"seq": last + 1, "act": await default_act(visitor, match)})).json()
    assert taken["ack"]["seq"] == last + 1


@pytest.mark.asyncio
async def test_orders_share_the_numbers_of_acts(visitor: Any) -> None:
    await visitor.sign_in("ann")
    match = id_of(await visitor.create(seats=2, join=0, options=SHORT, clock=CLOCK))
    await visitor.post(f"/api/matches/{match}/start")
    _, last = await asked(visitor, match)
    orders = f"/api/matches/{match}/seats/0/orders"
    assert (await visitor.post(orders, {"seq": last + 1, "orders": ["auto"]})).json()["ack"]["seq"] == last + 1
    refusal = (await visitor.post(orders, {"seq": last + 2, "orders": ["nonsense"]})).json()["refusal"]
    assert refusal["reason"] == "bad_field"


@pytest.mark.asyncio
async def test_a_seat_is_for_its_player_alone(visitor: Any, other: Any) -> None:
    await visitor.sign_in("ann")
    match = id_of(await visitor.create(seats=2, join=0, options=SHORT))
    await visitor.post(f"/api/matches/{match}/start")
    path = f"/api/matches/{match}/events?seat=0"
    assert (await other.get(path)).status_code == 401
    await other.sign_in("eve")
    assert (await other.get(path)).status_code == 403
    for route in ("acts", "explain", "orders"):
        body = {"seq": 1, "act": {"generic": {"name": "x"}}, "orders": []}
        kept = {"acts": ("seq", "act"), "explain": ("act",), "orders": ("seq", "orders")}[route]
        answer = await other.post(f"/api/matches/{match}/seats/0/{route}", {name: body[name] for name in kept})
        assert answer.status_code == 403, route
    assert (await other.get(f"/api/replays/{match}/log?seat=0")).status_code == 403
    assert (await visitor.get(f"/api/replays/{match}/log?seat=0")).status_code == 200
    assert (await visitor.get(f"/api/matches/{match}/events?seat=7")).status_code == 404
    assert (await visitor.get(f"/api/matches/{match}/events?seat=x")).status_code == 400
    assert (await visitor.get("/api/matches/none/events")).status_code == 404
    assert (await visitor.get("/api/matches/a..b")).status_code == 404


@pytest.mark.asyncio
async def test_a_stream_is_resumed_without_a_gap(visitor: Any) -> None:
    await visitor.sign_in("ann")
    match = id_of(await visitor.create(seats=2, join=0, options=SHORT, clock=CLOCK))
    await visitor.post(f"/api/matches/{match}/start")
    question, last = await asked(visitor, match)
    stream = f"/api/matches/{match}/events?seat=0"
    cursor, _ = await visitor.first("snapshot", stream)
    body = {"seq": last + 1, "decision": int(question["decisionId"]), "act": await default_act(visitor, match)}
    ack = (await visitor.post(f"/api/matches/{match}/seats/0/acts", body)).json()["ack"]
    for how in ({"headers": {"last-event-id": cursor}}, {"params": {"seat": "0", "from": cursor}}):
        numbers = []
        async with aclosing(visitor.events(stream, **how)) as events:
            async for kind, found, _ in events:
                assert kind != "snapshot"
                if kind == "entry":
                    numbers.append(int(found.split(".")[1]))
                    if numbers[-1] >= ack["last"]:
                        break
        assert numbers == list(range(int(cursor.split(".")[1]) + 1, numbers[-1] + 1))


@pytest.mark.asyncio
@pytest.mark.parametrize("cursor", ["9.5", "1.99999", "1.1.zz", "nonsense", "1.2.ab" + "0" * 500])
async def test_a_cursor_that_is_not_known_gets_a_snapshot(visitor: Any, cursor: str) -> None:
    await visitor.sign_in("ann")
    match = id_of(await visitor.create(seats=2, join=0, options=SHORT))
    await visitor.post(f"/api/matches/{match}/start")
    stream = f"/api/matches/{match}/events?seat=0"
    await visitor.first("snapshot", stream)
    _, seen = await visitor.first("snapshot", stream, headers={"last-event-id": cursor})
    assert seen["places"]


@pytest.mark.asyncio
async def test_a_finished_match_is_shown_replayed_and_proved(visitor: Any, other: Any) -> None:
    await visitor.sign_in("ann")
    made = await visitor.create("arrakis", 2, options=SHORT, join=0)
    match = id_of(made)
    await visitor.post(f"/api/matches/{match}/start")
    over = (await visitor.post(f"/api/matches/{match}/resign", {"seat": 0})).json()
    assert over["match"]["state"] == "MATCH_STATE_OVER"
    for seat in ("", "?seat=0"):
        kinds = [event async for event in visitor.events(f"/api/matches/{match}/events{seat}")]
        assert kinds[-1][0] == "closed"
        assert kinds[-1][2] == {"reason": "over"}
    log = (await other.get(f"/api/replays/{match}/log?seat=1")).json()
    assert log["seat"] == 1
    assert len(log["entries"]) > 20
    assert log["layout"]["zones"]
    assert (await other.get(f"/api/replays/{match}/log?seat=1")).json() == log
    certificate = (await other.get(f"/api/replays/{match}/certificate")).json()
    assert certificate["journalDigest"]


@pytest.mark.asyncio
async def test_windows_of_one_seat_hear_of_each_others_inputs(visitor: Any) -> None:
    await visitor.sign_in("ann")
    match = id_of(await visitor.create(seats=2, join=0, options=SHORT, clock=CLOCK))
    await visitor.post(f"/api/matches/{match}/start")
    _, last = await asked(visitor, match)
    heard: asyncio.Queue[Any] = asyncio.Queue()

    async def listen() -> None:
        async with aclosing(visitor.events(f"/api/matches/{match}/events?seat=0")) as events:
            async for event in events:
                heard.put_nowait(event)

    listening = asyncio.create_task(listen())
    while (await heard.get())[0] != "snapshot":
        pass
    await visitor.post(f"/api/matches/{match}/seats/0/orders", {"seq": last + 1, "orders": []})
    async with asyncio.timeout(20):
        while (event := await heard.get())[0] != "ack":
            pass
    assert event[2]["seq"] == last + 1
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


@pytest.mark.asyncio
async def test_streams_of_one_session_are_limited(paged: ServeProcess, visitor: Any) -> None:
    await visitor.sign_in()
    match = id_of(await visitor.create(options=SHORT))
    async with asyncio.timeout(30):
        streams = [visitor.http.stream("GET", f"/api/matches/{match}/events") for _ in range(33)]
        opened = [await stream.__aenter__() for stream in streams]
        statuses = [answer.status_code for answer in opened]
        for stream in streams:
            await stream.__aexit__(None, None, None)
    assert statuses.count(429) == 1
    assert statuses.count(200) == 32
