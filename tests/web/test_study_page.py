"""Study in the browser: curves that lead to positions and tell nothing ahead, and a searching bot's candidates."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.web.conftest import OpenPage
from tests.web.recorded import log


@pytest.mark.parametrize("game", ["arrakis"])
def test_a_curve_leads_to_positions_and_hides_what_comes(game: str, recorded: str, open_page: OpenPage) -> None:
    page = open_page()
    page.goto(f"{recorded}/replays/{game}?at=600")
    page.wait_for_selector("main[data-ready=yes]")
    page.click("#show-curve")
    expect(page.locator("#curve-words")).to_contain_text("Probability to win: ")
    before = page.locator(".curve a").count()
    assert before > 5
    page.click("#scrub-reveal")
    assert page.locator(".curve a").count() > before
    page.locator(".curve a").nth(3).click(force=True)
    at = page.evaluate("document.querySelector('.match-page').table.timeline.number")
    assert page.locator(".curve a").nth(3).get_attribute("href") == f"?at={at}"
    page.click("#scrub-reveal")
    assert page.locator(".curve a").count() == 4


def test_candidates_at_a_decision(recorded: str, open_page: OpenPage) -> None:
    asked = next(
        number
        for number, entry in enumerate(log("arrakis", 0), 1)
        if "question" in entry and "TakeAction" in str(entry["question"])
    )
    page = open_page()
    page.goto(f"{recorded}/replays/arrakis?seat=0&at={asked}")
    page.wait_for_selector("main[data-ready=yes]")
    page.click("#show-candidates")
    expect(page.locator("#candidates tbody tr").first).to_be_visible()
    expect(page.locator("#candidates")).to_contain_text("Played: ")
    expect(page.locator("#candidates caption")).to_contain_text("Candidates")
    page.click("#scrub-first")
    expect(page.locator("#show-candidates")).to_be_disabled()
    # A public step comes right before the question that it puts.
    page.evaluate("(at) => document.querySelector('.match-page').table.goTo(at)", asked - 1)
    expect(page.locator("#show-candidates")).to_be_enabled()
