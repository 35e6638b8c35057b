"""Accessibility: axe finds nothing on any page, in light and dark; names, keys and live regions."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from tests.web.conftest import OpenPage
from tests.web.recorded import played

PAGES = ["/replays/dune?at=900", "/replays/arrakis?at=800&seat=1", "/rules/dune"]


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("main[data-ready]")
    return page


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(path: str, scheme: str, recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(color_scheme=scheme), recorded + path)
    for summary in page.locator("details > summary").all():
        summary.click()
    if page.locator("[data-part=list-areas]").count():
        page.click("[data-part=list-areas]")
    found = Axe().run(
        page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    )
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found.response["violations"]] == []


@pytest.mark.long
def test_keys_read_hand_log_and_board_and_find_an_area(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/dune?at=900&seat=2")
    said = page.locator("#say-now")
    page.keyboard.press("h")
    expect(said).to_contain_text("You are Fremen")
    assert page.evaluate("document.activeElement.id") == "hand"
    page.keyboard.press("l")
    expect(said).not_to_contain_text("You are Fremen")
    expect(said).not_to_be_empty()
    assert page.evaluate("document.activeElement.id") == "log"
    page.keyboard.press("/")
    page.keyboard.type("habbanya si")
    page.keyboard.press("Enter")
    name = page.evaluate("document.activeElement.ariaLabel")
    assert name.startswith("Habbanya Sietch, sector 16, stronghold")
    page.keyboard.press("b")
    expect(said).to_have_text(name)
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.area") in played("dune").game.graphs({})["cells"]


@pytest.mark.long
def test_a_replay_speaks_politely(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/arrakis?at=800")
    page.click("#scrub-phase-next")
    expect(page.locator("#say-soon")).not_to_be_empty()
    expect(page.locator("#say-now")).to_be_empty()


@pytest.mark.parametrize("width", [320, 360, pytest.param(800, marks=pytest.mark.long)])
def test_nothing_is_wider_than_the_page_and_targets_are_large(width: int, recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(viewport={"width": width, "height": 900}), f"{recorded}/replays/arrakis?at=800&seat=1")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate("""() => [...document.querySelectorAll('button, select, input, summary, nav a')]
      .filter((node) => node.checkVisibility() && !node.closest('.out-of-sight'))
      .map((node) => [node.textContent.trim() || node.id, node.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < 24 || height < 24).map(([name]) => name)""")
    assert small == []


@pytest.mark.long
def test_motion_is_reduced_and_forced_colours_keep_the_counters(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(reduced_motion="reduce", forced_colors="active"), f"{recorded}/replays/dune?at=900")
    piece = "document.querySelector('svg.board .piece')"
    assert page.evaluate(f"getComputedStyle({piece}).animationName") == "none"
    assert page.evaluate(f"getComputedStyle({piece}).forcedColorAdjust") == "none"
    assert page.evaluate("getComputedStyle(document.querySelector('svg.board .area')).strokeWidth") == "12px"
