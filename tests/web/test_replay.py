"""Replays in the browser: moving through a log, permalinks, spoilers, other eyes, and what it costs."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import OpenPage
from tests.web.recorded import log, played

from landsraad_engine.knowledge.fold import Fold


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("main[data-ready=yes]")
    return page


def position(page: Page) -> int:
    found: int = page.evaluate("document.querySelector('.match-page').table.timeline.number")
    return found


@pytest.mark.long
@pytest.mark.parametrize(("game", "seat"), [("dune", None), ("dune", 3), ("arrakis", 1)])
def test_every_jump_shows_what_the_engine_folds(
    game: str, seat: int | None, recorded: str, open_page: OpenPage
) -> None:
    page = opened(open_page(), f"{recorded}/replays/{game}" + (f"?seat={seat}" if seat is not None else ""))
    match = played(game)
    entries = match.log(seat)
    for at in (len(entries), 5, 700, 64, 128, 701, 699, 1):
        seen = page.evaluate("""(at) => {
          const { table } = document.querySelector('.match-page')
          table.goTo(at)
          return [...table.fold.places.keys()].sort()
        }""", at)  # fmt: skip
        known = Fold(match.g.setting.layout, seat).add(entries[:at]).view.places
        assert seen == sorted(known)


@pytest.mark.long
def test_buttons_and_keys_move_and_the_address_follows(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/dune")
    assert position(page) == 0
    page.click("#scrub-next")
    first = position(page)
    assert first > 0
    page.click("#scrub-phase-next")
    page.click("#scrub-phase-next")
    phase = position(page)
    assert phase > first
    page.wait_for_url(f"**at={phase}")
    page.click("#scrub-back")
    assert position(page) < phase
    page.click("#scrub-first")
    assert position(page) == 0
    page.select_option("#scrub-speed", label="Fastest")
    page.click("#scrub-play")
    expect(page.locator("#scrub-where")).not_to_have_text("entry 0")
    page.click("#scrub-play")
    again = opened(open_page(), f"{recorded}/replays/dune?at={phase}")
    assert position(again) == phase


def test_the_end_is_hidden_until_it_is_wanted(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/arrakis")
    shown = page.inner_text("main")
    assert "over" not in shown.lower().split()
    assert not page.is_visible("#scrub-slider")
    assert not page.is_visible("#scrub-last")
    assert str(len(log("arrakis", None))) not in shown
    page.click("#scrub-reveal")
    page.click("#scrub-last")
    page.wait_for_selector("[data-part=waiting] >> text=Over")
    assert page.is_visible("#scrub-slider")
    page.reload()
    page.wait_for_selector("main[data-ready=yes]")
    assert page.is_visible("#scrub-slider")


@pytest.mark.long
def test_other_eyes_see_the_same_moment(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/dune?at=900")
    before = page.inner_text("[data-part=turn]"), page.inner_text("[data-part=waiting]")
    assert not page.is_visible("#hand")
    with page.expect_navigation():
        page.select_option("#eyes", label="Seat 3, Player 3")
    page.wait_for_selector("main[data-ready=yes]")
    assert page.is_visible("#hand")
    assert (page.inner_text("[data-part=turn]"), page.inner_text("[data-part=waiting]")) == before


@pytest.mark.long
def test_a_line_of_the_log_shows_its_places_and_its_rule(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/dune?at=900")
    line = page.locator(".log-list li", has_text="Arrakeen").last
    line.hover()
    page.wait_for_selector("svg.board .area.marked[data-area='arrakeen:9']")
    rule = line.locator(".rule")
    rule.click()
    assert rule.inner_text() in line.inner_text()
    assert len(line.locator(".rule-text").inner_text()) > 20
    line.locator(".jump").click()
    assert str(position(page)) == line.get_attribute("data-number")


@pytest.mark.long
def test_a_jump_folds_few_entries(recorded: str, open_page: OpenPage) -> None:
    """At most 63 entries after the nearest checkpoint; the times are in decision 0038."""
    page = opened(open_page(), f"{recorded}/replays/dune")
    folded: list[int] = page.evaluate("""() => {
      const { table } = document.querySelector('.match-page')
      const { fold } = table
      const { add } = fold
      let count = 0
      fold.add = (entry) => { count += 1; return add.call(fold, entry) }
      return [.99, .01, .5, .77, .2, .63, .4, .9].map((part) => {
        count = 0
        table.goTo(Math.round(table.timeline.last * part))
        return count
      })
    }""")
    assert max(folded) < 64
    saved = page.evaluate("document.querySelector('.match-page').table.timeline.saved.filter(Boolean).length")
    assert saved >= len(log("dune", None)) // 64
