"""The board in the browser: the same geometry as landsraad.svg, the same facts in picture and words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Page
from tests.web.conftest import OpenPage
from tests.web.recorded import played

from landsraad.svg import draw, draw_board
from landsraad_engine.content.outlines import outline_of
from landsraad_engine.knowledge.fold import Fold

GAMES = ["arrakis", pytest.param("dune", marks=pytest.mark.long)]
SVG = "{http://www.w3.org/2000/svg}"


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("main[data-ready=yes]")
    return page


@pytest.mark.parametrize("game", GAMES)
def test_both_painters_draw_the_same_shapes(game: str, recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/{game}")
    corners = "all => all.map(a => [a.dataset.area, a.getAttribute('points')])"
    drawn = dict(page.eval_on_selector_all("svg.board .area", corners))
    picture = ET.fromstring(draw_board(game, width=1000))  # noqa: S314 - we have made it
    shapes = {shape.get("data-area"): shape.get("points", "") for shape in picture.iter(f"{SVG}polygon")}
    shapes.pop(None, None)
    outline = outline_of(game)
    assert drawn.keys() == shapes.keys() == outline.area.keys()
    pairs: list[tuple[float, float]] = []
    for area, points in drawn.items():
        ours, theirs = ([float(n) for n in re.split("[ ,]", each)] for each in (points, shapes[area]))
        assert ours == [float(n) for point in outline.area[area].outline for n in point]
        pairs += zip(ours[::2], theirs[::2], strict=True)
    # The other painter has a margin and another unit.
    (left, from_left), (right, from_right) = min(pairs), max(pairs)
    scale = (from_right - from_left) / (right - left)
    assert all(abs(from_left + (a - left) * scale - b) < 0.06 for a, b in pairs)


@pytest.mark.parametrize(("game", "at"), [("arrakis", 700), pytest.param("dune", 900, marks=pytest.mark.long)])
def test_both_painters_show_the_same_counters(game: str, at: int, recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/{game}?at={at}")
    match = played(game)
    fold = Fold(match.g.setting.layout, None).add(match.log(None)[:at])
    view = match.game.facade.of(fold.view.places, None, fold.view.at[0])
    picture = ET.fromstring(draw(view, width=1200))  # noqa: S314 - we have made it
    pieces = picture.find(f".//{SVG}g[@class='pieces']")
    assert pieces is not None
    counted = sorted(group.get("data-count", "") for group in pieces.iter(f"{SVG}g") if group.get("data-piece"))
    stem = "legion" if game == "arrakis" else "at"
    selector = f"svg.board .pieces .piece[data-piece^='{stem}/']"
    texts = page.eval_on_selector_all(selector, "all => all.map(g => g.querySelector('text')?.textContent ?? '0')")
    assert sorted(texts) == counted
    assert counted


@pytest.mark.parametrize("game", GAMES)
def test_every_counter_is_told_in_the_list_of_areas(game: str, recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/{game}?at=800")
    filled = page.eval_on_selector_all("svg.board .pieces > g", "all => all.map(g => g.dataset.of)")
    told = dict(page.eval_on_selector_all(".area-list button", "all => all.map(b => [b.dataset.area, b.textContent])"))
    names = dict(page.eval_on_selector_all("svg.board .area", "all => all.map(a => [a.dataset.area, a.ariaLabel])"))
    assert len(filled) > 10
    for area in filled:
        if area in told:
            assert ":" in told[area]
            assert names[area] == told[area]


@pytest.mark.parametrize("game", GAMES)
def test_arrow_keys_reach_every_area(game: str, recorded: str, open_page: OpenPage) -> None:
    """The board is a graph: from any area every other one can be reached with the arrow keys."""
    page = opened(open_page(), f"{recorded}/replays/{game}")
    reached = page.evaluate("""() => {
      const { geometry } = document.querySelector('.match-page').table.board
      const all = [...geometry.areas.keys()]
      const seen = new Set([all[0]])
      for (const area of seen)
        for (const [dx, dy] of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
          const next = geometry.towards(area, dx, dy)
          if (next) seen.add(next)
        }
      return all.filter((area) => !seen.has(area))
    }""")
    assert reached == []


def test_keys_move_the_focus_and_choose(recorded: str, open_page: OpenPage) -> None:
    page = opened(open_page(), f"{recorded}/replays/arrakis")
    page.focus("svg.board [data-area=arrakeen]")
    page.evaluate("document.addEventListener('choose', (event) => { document.title = event.detail.area })")
    page.keyboard.press("Enter")
    assert page.title() == "arrakeen"
    page.keyboard.press("ArrowDown")
    now = page.evaluate("document.activeElement.dataset.area")
    assert now in outline_neighbours("arrakeen")
    assert page.locator("svg.board [tabindex='0']").count() == 1


def outline_neighbours(area: str) -> Sequence[str]:
    match = played("arrakis")
    return match.game.graphs(match.options)["areas"][area]


def test_places_that_the_page_does_not_know_are_shown(recorded: str, open_page: OpenPage) -> None:
    """A new mode of a game shows without new code: a piece in an area, and a fact beside the board."""
    page = opened(open_page(), f"{recorded}/replays/arrakis")
    told = page.evaluate("""() => {
      const { table } = document.querySelector('.match-page')
      const zone = { name: 'beacon', content: 'CONTENT_STACK', sight: 'SIGHT_OPEN', units: ['beacon'] }
      const { contents } = table.board
      for (const key of ['beacon/arrakeen', 'beacons']) table.layout.places.set(key, { zone, owners: [] })
      contents.keys.get('arrakeen').push('beacon/arrakeen')
      table.fold.add({ event: { shift: { source: 'beacons', target: 'beacon/arrakeen', counts: [2] } } })
      table.fold.add({ event: { place: { key: 'beacons', counts: [3] } } })
      table.render()
      table.board.paint()
      return [table.board.describe('arrakeen'), document.querySelector('[data-part=other]').textContent,
        document.querySelectorAll('[data-piece="beacon/arrakeen"]').length]
    }""")
    assert "beacon: 2" in told[0]
    assert "3 beacons" in told[1]
    assert told[2] == 1
