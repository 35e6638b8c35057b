"""Matches played in the browser against bots of the house, on a real service: by keyboard alone, and with the mouse."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import OpenPage

from landsraad_testkit import ServeProcess, serving

#: What can be done next: "over", "wait", "do" (send the act), "amount", or the number of choices.
NEXT = """() => {
  const prompt = document.querySelector('#prompt')
  const playing = document.querySelector('.match-page').playing
  if (/^Over/.test(document.querySelector('[data-part=waiting]').textContent)) return 'over'
  if (prompt.hidden || !playing || playing.composer.sending) return 'wait'
  if (prompt.querySelector('[data-do]')) return 'do'
  if (prompt.querySelector('[data-amount]')) return 'amount'
  return String(prompt.querySelectorAll('[data-choice]').length || 'wait')
}"""
#: Seconds without anything to do after which a match hangs.
HANGS = 30.0


@pytest.fixture(scope="session")
def housed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """`landsraad serve` with its page, and bots that play the other seats."""
    with serving(tmp_path_factory.mktemp("housed") / "data", "--http", "0", "--house", workers=1) as running:
        yield running


def begin(page: Page, address: str, game: str, seats: int, options: dict[str, Any]) -> str:
    """Create a match against bots by the page's own script; return its id."""
    page.goto(address)
    page.wait_for_selector("[data-quick]")
    terms = {"game": game, "options": options, "seats": [{}, *[{"fill": "house"}] * (seats - 1)], "join": 0}
    found: str = page.evaluate(
        """async (terms) => {
          const { signIn } = await import('/static/session.js')
          const { postJson } = await import('/static/api.js')
          await signIn({ name: 'Ann' })
          return (await postJson('/api/matches', terms)).match.name.replace('matches/', '')
        }""",
        terms,
    )
    page.goto(f"{address}/matches/{found}")
    page.wait_for_selector("[data-choice], [data-do]")
    return found


def step(page: Page, what: str, rng: random.Random, *, mouse: bool) -> None:
    """Do one thing in the prompt or on the board."""
    if what == "do":
        target = "#prompt [data-do]"
    elif what == "amount":
        for _ in range(rng.randint(0, 3)):
            page.locator("#prompt [data-choice=amount]").press("ArrowUp")
        target = "#prompt [data-amount]" if mouse else "#prompt [data-choice=amount]"
    else:
        legal = page.locator("svg.board .area.legal")
        offered = legal.count() if mouse else 0
        if offered:
            legal.nth(rng.randrange(offered)).dispatch_event("click")
            return
        target = f"#prompt [data-choice] >> nth={rng.randrange(int(what))}"
    if mouse:
        page.locator(target).click(timeout=4000)
    else:
        page.locator(target).focus(timeout=4000)
        page.keyboard.press("Enter")


def play(page: Page, rng: random.Random, *, mouse: bool, most: int) -> int:
    """Play until the match is over, or for so many steps; return their number."""
    steps, idle = 0, time.monotonic()
    while steps < most:
        what: str = page.evaluate(NEXT)
        if what == "over":
            return steps
        if what == "wait":
            assert time.monotonic() - idle < HANGS, page.locator("#prompt").inner_text()
            page.wait_for_timeout(20)
            continue
        step(page, what, rng, mouse=mouse)
        steps, idle = steps + 1, time.monotonic()
    return steps


@pytest.mark.long
@pytest.mark.parametrize("mouse", [False, True], ids=["keyboard", "mouse"])
@pytest.mark.parametrize(
    ("game", "seats", "options"), [("arrakis", 2, {"round_limit": 2}), ("dune", 3, {"length": 10})]
)
def test_a_whole_match(
    housed: ServeProcess, open_page: OpenPage, game: str, seats: int, options: dict[str, Any], mouse: bool
) -> None:
    page = open_page(viewport={"width": 1400, "height": 900})
    match = begin(page, housed.http, game, seats, options)
    steps = play(page, random.Random(3), mouse=mouse, most=5000)
    assert steps > 10
    expect(page.locator("[data-part=waiting]")).to_contain_text("Over")
    page.goto(f"{housed.http}/replays/{match}")
    page.wait_for_selector("#scrub-where")


def test_acts_are_composed_by_keyboard_and_count_once(housed: ServeProcess, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1400, "height": 900})
    sent: list[dict[str, Any]] = []
    page.on("request", lambda asked: sent.append(json.loads(asked.post_data or "{}")) if _is_act(asked.url) else None)
    begin(page, housed.http, "arrakis", 2, {"round_limit": 1})
    assert play(page, random.Random(1), mouse=False, most=8) == 8
    assert sent
    assert [body["seq"] for body in sent] == sorted({body["seq"] for body in sent})


def test_three_clicks_lead_to_a_match_and_an_invitation_to_a_seat(housed: ServeProcess, open_page: OpenPage) -> None:
    page = open_page()
    page.goto(housed.http)
    page.locator("summary", has_text="A match of your own").click()
    page.locator("#new-game").select_option("arrakis")
    page.locator("#seat-1").select_option("open")
    page.locator("#new-private").check()
    page.locator("button", has_text="Create the match").click()
    page.wait_for_url("**/matches/*")
    invitation = page.locator(".invitation").inner_text()
    assert re.fullmatch(rf"{re.escape(housed.http)}/#join=[0-9a-zA-Z]+", invitation)
    friend = open_page()
    friend.goto(invitation)
    friend.wait_for_url("**/matches/*")
    friend.wait_for_selector("svg.board")
    expect(page.locator(".waiting-room")).to_have_count(0)
    assert "join" not in friend.url


def _is_act(url: str) -> bool:
    return url.endswith("/acts")
