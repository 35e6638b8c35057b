"""Pictures: whole, true to the view, silent about the rest."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree as ET

import pytest

import gen_pictures
from landsraad.svg import draw, draw_board, themes
from landsraad.svg.dune import _LOOKS
from landsraad_engine.arrakis.content import load
from landsraad_engine.content.outlines import outline_of
from landsraad_engine.dune.board import cells_of, name_of
from landsraad_engine.dune.pieces import FACTIONS, LEADER_TITLE, TREACHERY_TITLE
from landsraad_engine.kernel.zones import HIDDEN
from landsraad_engine.knowledge.views import SeatView
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.game import TEACHING

GAMES = ("dune", "arrakis")


@cache
def position(game: str) -> Match:
    return gen_pictures.position(game)


def seen(match: Match, seat: int | None) -> SeatView:
    """Return a view that knows nothing of the state behind it."""
    view = match.view(seat)
    return match.game.facade.of(dict(view.places), seat, view.at[0] if view.at else ())  # type: ignore[no-any-return]


@cache
def drawn(game: str, seat: int | None, width: int = 1000) -> str:
    return draw(seen(position(game), seat), width=width)


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - our own


def marked(picture: str, name: str) -> Iterator[ET.Element]:
    return (each for each in parsed(picture).iter() if name in each.attrib)


def words(picture: str) -> str:
    """Return all text of a picture, tips included, with one blank between any two words."""
    return " ".join(" ".join(text.split()) for text in parsed(picture).itertext())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("width", "theme"), [(240, "auto"), (360, "light"), (800, "dark"), (1400, "auto")])
def test_a_picture_is_well_formed_and_has_each_area_once(game: str, width: int, theme: str) -> None:
    for picture in (
        draw_board(game, width=width, theme=theme),  # type: ignore[arg-type]
        draw(seen(position(game), None), width=width, theme=theme),  # type: ignore[arg-type]
    ):
        root = parsed(picture)
        assert root.attrib["width"] == str(width)
        areas = Counter(each.attrib["data-area"] for each in marked(picture, "data-area"))
        assert areas == dict.fromkeys(outline_of(game).area, 1)
        assert picture.count("NaN") == picture.count("inf ") == 0


@pytest.mark.parametrize("game", GAMES)
def test_what_is_drawn_lies_on_the_sheet(game: str) -> None:
    for width in (360, 800, 1400):
        root = parsed(drawn(game, 0, width))
        high = float(root.attrib["height"])
        for each in root.iter("{http://www.w3.org/2000/svg}text"):
            x, y, size = (float(each.attrib[name]) for name in ("x", "y", "font-size"))
            long = 0.5 * size * len(each.text or "")
            left = {"start": x, "middle": x - long / 2, "end": x - long}[each.attrib["text-anchor"]]
            assert left >= 0, each.text
            assert left + long <= width, each.text
            assert size / 2 <= y <= high, each.text


def test_forces_of_dune_are_those_of_the_view() -> None:
    match = position("dune")
    for seat in (None, 0, 3):
        table = match.view(seat).places
        shown = {
            each.attrib["data-piece"]: int(each.attrib["data-count"])
            for each in marked(drawn("dune", seat), "data-piece")
        }
        assert shown == {
            f"{faction} {key.split('/', 2)[2]}": sum(table[key])
            for faction in FACTIONS
            for key in table
            if key.startswith(f"at/{faction}/")
        }
        spice = sorted(int(each.attrib["data-spice"]) for each in marked(drawn("dune", seat), "data-spice"))
        assert spice == sorted([*[v for k, v in table.items() if k.startswith("blow/")], 6])  # 6: the legend
    assert [key for key in position("dune").view(None).places if key.startswith("at/")]


def test_legions_and_backs_of_arrakis_are_those_of_the_view() -> None:
    match = position("arrakis")
    for seat in (None, 0, 1):
        table = match.view(seat).places
        picture = drawn("arrakis", seat)
        backs = Counter(each.attrib["data-back"] for each in marked(picture, "data-back"))
        for back, stem in (("deployment", "tokens/"), ("station", "station/"), ("wormsign", "wormsign/")):
            assert backs[back] == sum(key.startswith(stem) for key in table) + 1, back  # 1: the legend
        units = Counter[str]()
        for each in marked(picture, "data-piece"):
            units[each.attrib["data-piece"]] += int(each.attrib["data-count"])
        for side in ("harkonnen", "atreides"):
            legions = [value for key, value in table.items() if key.startswith(f"legion/{side}/")]
            assert units[side] == sum(sum(each[:3]) for each in legions) + 4  # 4: the legend
        vehicles = sum(bool(n) for k, v in table.items() if k.startswith("vehicle/") for n in v)
        assert len(list(marked(picture, "data-vehicle"))) == vehicles + 3


def _secrets(game: str, seat: int | None) -> set[str]:
    """Return the titles of everything that some seat sees and this one does not, nowhere."""
    titles = dict(TREACHERY_TITLE) | LEADER_TITLE
    if game == "arrakis":
        box = load()
        tables = (box.planning_card, box.objective, box.prescience_card)
        titles = {row.id: row.title for table in tables for row in table.values()}

    def known(places: dict[str, object]) -> set[str]:
        return {str(face) for value in places.values() if isinstance(value, tuple) for face in value if face != HIDDEN}

    match = position(game)
    own = {titles[face] for face in known(match.view(seat).places) if face in titles}
    other = {titles[f] for s in range(match.seats) for f in known(match.view(s).places) if f in titles}
    return other - own


@pytest.mark.parametrize("game", GAMES)
def test_no_picture_shows_what_its_seat_does_not_see(game: str) -> None:
    match = position(game)
    for seat in (None, *range(match.seats)):
        hidden = _secrets(game, seat)
        said = words(drawn(game, seat))
        assert hidden
        assert not [title for title in hidden if re.search(rf"(?<!\w){re.escape(title)}(?!\w)", said)]


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_sees_its_own_hand(game: str) -> None:
    told = 0
    for seat in range(position(game).seats):
        own = words(drawn(game, seat))
        told += any(title in own for title in _secrets(game, None))
        assert own != words(drawn(game, None))
    assert told


def test_a_sietch_has_its_rank_for_its_owner_alone() -> None:
    atreides = next(s for s in (0, 1) if position("arrakis").view(None).places[f"side/{s}"] == "atreides")
    assert "Sietch, face down" in words(drawn("arrakis", None))
    assert "Sietch of rank" not in words(drawn("arrakis", 1 - atreides))
    assert "Sietch of rank" in words(drawn("arrakis", atreides))


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_depends_on_the_view_alone(game: str) -> None:
    match = position(game)
    assert draw(match.game.facade(match.g, 1)) == drawn(game, 1)


def test_texts_are_escaped() -> None:
    title = "<script>\"&'\x00]]></title>"
    for picture in (draw_board("dune", title=title), draw(seen(position("arrakis"), None), title=title)):
        root = parsed(picture)
        assert not list(root.iter("{http://www.w3.org/2000/svg}script"))
        assert "<script>\"&' ]]></title>" in words(picture)


def test_every_territory_has_its_name_once_on_a_wide_board() -> None:
    (names,) = [each for each in parsed(draw_board("dune")).iter() if each.attrib.get("class") == "names"]
    said = " ".join(text.strip() for text in names.itertext() if text.strip())
    assert len(name_of) == len(cells_of)
    assert not [name for name in name_of.values() if name not in said]
    assert not [each for each in parsed(draw_board("dune", width=360)).iter() if each.attrib.get("class") == "names"]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"width": 10}, "from 240 to 8000"),
        ({"width": 10**9}, "from 240 to 8000"),
        ({"theme": "red"}, "auto, light, dark"),
    ],
)
def test_bad_arguments_are_refused(how: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw_board("dune", **how)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message):
        draw(seen(position("dune"), None), **how)  # type: ignore[arg-type]


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match="'teaching'"):
        draw_board("teaching")
    with pytest.raises(ValueError, match="dune and arrakis"):
        draw(TEACHING.facade.of({}, None))


def test_a_match_can_be_drawn_from_its_first_question_on() -> None:
    for game in GAMES:
        new = Match(position(game).game, position(game).seats, secret=b"first", name="first")
        for seat in (None, 0):
            assert parsed(draw(seen(new, seat)))


# ------------------------------------------------------------------------------------------------------------- contrast


def _fill(name: str, dark: bool) -> str:
    found = re.search(r"fill:#([0-9a-f]{3,6})", themes._RULES[name][dark])
    assert found
    digits = found[1]
    return digits if len(digits) == 6 else "".join(2 * each for each in digits)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


PAIRS = [
    *[(f"f-{faction}", on) for faction, (_, _, on) in _LOOKS.items()],
    ("side-harkonnen", "on-dark"),
    ("side-atreides", "on-dark"),
    ("base-harkonnen", "in-harkonnen"),
    ("base-atreides", "in-atreides"),
    ("spice", "on-spice"),
    ("back", "on-back"),
    ("paper", "ink"),
    ("paper", "faint"),
    *[(ground, "name") for ground in ("sand", "deep", "erg", "plateau", "rock", "sink")],
]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("ground", "on"), PAIRS)
def test_texts_stand_out(ground: str, on: str, dark: bool) -> None:
    low, high = sorted(_luminance(_fill(name, dark)) for name in (ground, on))
    assert (high + 0.05) / (low + 0.05) >= 4.5


# --------------------------------------------------------------------------------------------------- pictures of README


@pytest.mark.parametrize("game", GAMES)
def test_the_pictures_of_the_readme_are_current(game: str) -> None:
    """After a change of rules, bots, outlines or colours: python tools/gen_pictures.py."""
    file = gen_pictures.PICTURES / f"{game}.svg"
    assert file.read_text(encoding="utf-8") == gen_pictures.picture(game)
    assert f"docs/pictures/{game}.svg" in (gen_pictures.ROOT / "README.md").read_text(encoding="utf-8")
