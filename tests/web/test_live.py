"""A match that goes on, in the browser: entries as they come, resuming, looking back, and what is said."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import OpenPage
from tests.web.recorded import live_log, played

from landsraad_engine.knowledge.fold import Fold


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("svg.board [aria-label*=stronghold], svg.board [aria-label*=desert]")
    return page


def places(page: Page) -> list[str]:
    found: list[str] = page.evaluate("[...document.querySelector('.match-page').table.fold.places.keys()].sort()")
    return found


def known(game: str, seat: int | None, number: int) -> list[str]:
    match = played(game)
    return sorted(Fold(match.g.setting.layout, seat).add(match.log(seat)[:number]).view.places)


def number(page: Page) -> int:
    found: int = page.evaluate("document.querySelector('.match-page').table.timeline.last")
    return found


@pytest.mark.long
def test_entries_are_shown_as_they_come(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/matches/live-dune-600-a")
    assert places(page) == known("dune", None, 600)
    live_log("live-dune-600-a", "").shown = 630
    expect(page.locator("#scrub-where")).to_have_text("630 / 630")
    assert places(page) == known("dune", None, 630)
    expect(page.locator("#say-soon")).not_to_be_empty()


def test_a_lost_stream_goes_on_without_a_gap(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/matches/live-arrakis-400-b")
    found = live_log("live-arrakis-400-b", "")
    page.evaluate("document.querySelector('.match-page').stream.source.close()")
    found.shown = 450
    page.evaluate("document.querySelector('.match-page').stream.source.onerror()")
    expect(page.locator("#scrub-where")).to_have_text("450 / 450")
    assert places(page) == known("arrakis", None, 450)
    assert found.streams == 2


@pytest.mark.long
def test_a_hidden_tab_gives_its_stream_back_and_resumes(recorded: str, open_page: OpenPage) -> None:
    page = open_page()
    page.clock.install()
    page = opened(page, f"{recorded}/matches/live-arrakis-400-c")
    found = live_log("live-arrakis-400-c", "")
    hide = """(hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }"""
    page.evaluate(hide, True)
    page.clock.run_for(6_000)
    assert page.evaluate("document.querySelector('.match-page').stream.source.readyState") == 2
    found.shown = 470
    assert number(page) == 400
    page.evaluate(hide, False)
    page.clock.resume()
    expect(page.locator("#scrub-where")).to_have_text("470 / 470")
    assert places(page) == known("arrakis", None, 470)


@pytest.mark.long
def test_looking_back_does_not_leave_the_match(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/matches/live-dune-600-d")
    page.click("#scrub-load")
    expect(page.locator("#scrub-load")).to_have_count(0)
    page.click("#scrub-first")
    expect(page.locator("#scrub-where")).to_have_text("0 / 600")
    live_log("live-dune-600-d", "").shown = 640
    expect(page.locator("#scrub-where")).to_have_text("0 / 640")
    page.click("#scrub-live")
    assert places(page) == known("dune", None, 640)


@pytest.mark.long
def test_my_question_is_said_at_once(recorded: str, open_page: OpenPage) -> None:
    log = played("dune").log(0)
    asked = next(at for at, entry in enumerate(log, 1) if at > 300 and entry[0] == "ask")
    page = opened(open_page(), f"{recorded}/matches/live-dune-{asked - 1}-e?seat=0")
    expect(page.locator("#prompt")).to_be_hidden()
    live_log(f"live-dune-{asked - 1}-e", "0").shown = asked
    expect(page.locator("#prompt")).to_be_visible()
    expect(page.locator("#say-now")).to_contain_text("Your decision.")
    expect(page.locator("#hand")).to_be_visible()
    live_log(f"live-dune-{asked - 1}-e", "0").shown = asked + 1
    expect(page.locator("#prompt")).to_be_hidden()


@pytest.mark.long
def test_a_second_snapshot_takes_the_place_of_everything(recorded: str, open_page: OpenPage) -> None:
    """A slow reader gets a snapshot instead of what it has missed: no counter of before stays."""
    page = opened(open_page(), f"{recorded}/matches/live-arrakis-900-f")
    page.evaluate("""() => {
      const { table } = document.querySelector('.match-page')
      table.begin({ places: [{ key: 'round', value: { number: 7 } }], number: '950' })
      table.render()
      table.board.paint()
    }""")
    expect(page.locator("[data-part=turn]")).to_contain_text("Round 7")
    expect(page.locator("svg.board .piece")).to_have_count(0)
    expect(page.locator(".area-list li:not(.empty)")).to_have_count(0)
