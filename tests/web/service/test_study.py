"""Study of finished matches: win curves and candidates, computed by the page's pool from the service's logs."""

from __future__ import annotations

import asyncio

import pytest
from tests.web.service.conftest import SECONDS, Visitor

pytestmark = pytest.mark.asyncio


async def begun(visitor: Visitor, game: str, seats: int) -> str:
    """Return the id of a match with bots of the house. As it goes on, it cannot be studied."""
    house = [{"fill": "house"}] * (seats - 1)
    answer = await visitor.post("/api/matches", {"game": game, "seats": [{}, *house], "join": 0})
    assert answer.status_code == 200, answer.text
    created = answer.json()
    match: str = created["match"]["name"].removeprefix("matches/")
    await visitor.first("snapshot", f"/api/matches/{match}/events?seat=0")
    refused = await visitor.get(f"/api/replays/{match}/values")
    assert (refused.status_code, refused.json()["error"]["reason"]) == (409, "not_over")
    refused = await visitor.get(f"/api/replays/{match}/advice?seat=0&at=1")
    assert (refused.status_code, refused.json()["error"]["reason"]) == (409, "not_over")
    return match


async def until_over(visitor: Visitor, match: str) -> None:
    async with asyncio.timeout(SECONDS):
        async for kind, _, data in visitor.events(f"/api/matches/{match}/events"):
            if kind == "closed":
                assert data["reason"] == "over"
                return


async def test_a_finished_match_has_a_curve_and_candidates(visitor: Visitor) -> None:
    await visitor.sign_in()
    match = await begun(visitor, "arrakis", 2)
    assert (await visitor.post(f"/api/matches/{match}/resign", {"seat": 0})).status_code == 200
    await until_over(visitor, match)
    answers = await asyncio.gather(*(visitor.get(f"/api/replays/{match}/values") for _ in range(3)))
    assert [answer.status_code for answer in answers] == [200] * 3, answers[0].text
    curve = answers[0].json()
    assert sorted(side for side, _ in curve["sides"]) == ["atreides", "harkonnen"]
    assert curve["points"]
    for point in curve["points"]:
        assert sum(point["values"]) == pytest.approx(1, abs=0.001)
        assert all(0 <= value <= 1 for value in point["values"])
    log = (await visitor.get(f"/api/replays/{match}/log?seat=0")).json()["entries"]
    asked = next(number for number, entry in enumerate(log, 1) if "question" in entry)
    advice = (await visitor.get(f"/api/replays/{match}/advice?seat=0&at={asked}")).json()
    assert advice["chosen"] in [row["act"] for row in advice["candidates"]]
    missing = await visitor.get(f"/api/replays/{match}/advice?seat=0&at={len(log) + 9}")
    assert (missing.status_code, missing.json()["error"]["reason"]) == (404, "no_decision")
    wrong = await visitor.get(f"/api/replays/{match}/advice?seat=0&at=x")
    assert (wrong.status_code, wrong.json()["error"]["reason"]) == (400, "bad_field")


async def test_a_game_without_values_is_refused(visitor: Visitor) -> None:
    await visitor.sign_in()
    match = await begun(visitor, "arrakis", 1)
    assert (await visitor.post(f"/api/matches/{match}/resign", {"seat": 0})).status_code == 200
    await until_over(visitor, match)
    refused = await visitor.get(f"/api/replays/{match}/values")
    assert (refused.status_code, refused.json()["error"]["reason"]) == (409, "no_value")
