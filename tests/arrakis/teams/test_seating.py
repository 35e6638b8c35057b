"""Seats and options: each combination of players that the books name, and no other."""

from typing import Any

import pytest

from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.seating import seating
from landsraad_engine.errors import BadOption
from landsraad_engine.play.match import Match
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, war_at_setup

TEAMS: tuple[tuple[int, dict[str, Any]], ...] = (
    (3, {"shared": "harkonnen"}),
    (3, {"shared": "atreides"}),
    (4, {}),
)
HOUSE_HARKONNEN = ("harkonnen", ("house_harkonnen",))
CORRINO_ALLY = ("harkonnen", ("corrino_ally",))
HOUSE_ATREIDES = ("atreides", ("house_atreides",))
FREMEN_ALLY = ("atreides", ("fremen_ally",))
HARKONNEN, ATREIDES = ("harkonnen", ()), ("atreides", ())


@covers("WFA-G.2", "WFA-G.3", "WFA-G.4", "WFA-G.88")
@pytest.mark.parametrize(
    ("seats", "options", "roles"),
    [
        (2, {}, (HARKONNEN, ATREIDES)),
        (3, {}, (HOUSE_HARKONNEN, CORRINO_ALLY, ATREIDES)),
        (3, {"shared": "atreides"}, (HARKONNEN, HOUSE_ATREIDES, FREMEN_ALLY)),
        (4, {}, (HOUSE_HARKONNEN, CORRINO_ALLY, HOUSE_ATREIDES, FREMEN_ALLY)),
    ],
)
@pytest.mark.parametrize("edition", ["exclusive", "v1_1", "preview_2022"])
def test_each_seat_leads_a_faction_or_a_half_of_one(
    seats: int, options: dict[str, Any], roles: tuple[Any, ...], edition: str
) -> None:
    war = war_at_setup(edition, seats=seats, **options)
    led = [(war.g.side(seat), war.g.table.get(f"powers/{seat}", ())) for seat in range(seats)]
    assert tuple(led) == roles
    assert ARRAKIS.default_seats == 2


@covers("WFA-G.88")
def test_the_humans_against_the_game_lead_the_atreides() -> None:
    assert seating({"mahdi": True}, 1) == (ATREIDES,)
    assert seating({"mahdi": True}, 2) == (HOUSE_ATREIDES, FREMEN_ALLY)


@covers("WFA-G.87")
@pytest.mark.parametrize(
    ("seats", "options", "field"),
    [
        (3, {"mahdi": True}, "mahdi"),
        (4, {"mahdi": True}, "mahdi"),
        (2, {"mahdi": True, "edition": "preview_2022"}, "mahdi"),
        (2, {"shared": "atreides"}, "shared"),
        (2, {"shared": "harkonnen"}, "shared"),
        (4, {"shared": "atreides"}, "shared"),
        (3, {"shared": "fremen_ally"}, "shared"),
        (2, {"mahdi": "perhaps"}, "mahdi"),
        (5, {}, "seats"),
        (0, {}, "seats"),
    ],
)
def test_other_combinations_are_refused_by_field_and_reason(seats: int, options: dict[str, Any], field: str) -> None:
    with pytest.raises(BadOption) as refused:
        ARRAKIS.parse_options(options, seats)
    assert refused.value.field == field
    assert len(str(refused.value)) > len(field) + 2


@covers("WFA-G.87")
@pytest.mark.parametrize(("seats", "options"), [(2, {}), *TEAMS])
@pytest.mark.parametrize("edition", ["exclusive", "v1_1", "preview_2022"])
def test_options_of_a_match_are_accepted_again(seats: int, options: dict[str, Any], edition: str) -> None:
    chosen = ARRAKIS.parse_options({**options, "edition": edition}, seats)
    assert ARRAKIS.parse_options(chosen, seats) == chosen
    assert ("shared" in chosen) == (seats == 3)
    assert ARRAKIS.parse_options({"mahdi": "false"}, seats) == ARRAKIS.parse_options({}, seats)


@covers("WFA-G.7")
def test_only_the_dashboards_in_play_have_places() -> None:
    places = Match(ARRAKIS, 3, record=False).g.setting.places
    assert {"dice/house_harkonnen/house", "dice/corrino_ally/mentat", "dice/sietch_tabr/house"} <= places.keys()
    assert "dice/giedi_prime/used" not in places
    assert "dice/house_atreides/house" not in places
    war = War(seats=4)
    assert [war.g.dashboard(seat) for seat in range(4)] == [
        "house_harkonnen",
        "corrino_ally",
        "house_atreides",
        "fremen_ally",
    ]
