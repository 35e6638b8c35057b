"""The options of a match of classic Dune, and what stands in its catalog about the table."""

import pytest

from landsraad_engine.checks.rulebook import statement
from landsraad_engine.dune.game import DUNE
from landsraad_engine.errors import BadOption
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import standing
from landsraad_engine.testing import covers


@covers("DUNE-R.25")
def test_options_of_the_rulebook_and_their_defaults() -> None:
    options = DUNE.parse_options({}, 6)
    assert options == {
        "length": 15,
        "factions": "drawn",
        "three_way_alliances": False,
        "coexistence": "bernard",
        "direct_prescience_voice": False,
        "shield_wall_stronghold": False,
        "karama_reach": "seed",
        "window": "fast",
    }
    assert all(statement(spec.rule) for spec in DUNE.option_specs if spec.rule)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("length", 11),
        ("length", "long"),
        ("coexistence", "both"),
        ("karama_reach", ""),
        ("three_way_alliances", "maybe"),
        ("window", "fixed:"),
        ("window", "slow"),
        ("spice", 3),
    ],
)
def test_bad_options_are_named(name: str, value: object) -> None:
    with pytest.raises(BadOption) as refusal:
        DUNE.parse_options({name: value}, 6)
    assert refusal.value.field == name


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_seats_are_two_to_six(seats: int) -> None:
    with pytest.raises(BadOption, match="seats"):
        DUNE.parse_options({}, seats)


def test_words_from_a_command_line_become_values() -> None:
    options = DUNE.parse_options({"length": "10", "three_way_alliances": "true", "window": "fixed:250"}, 3)
    assert (options["length"], options["three_way_alliances"], options["window"]) == (10, True, "fixed:250")


@covers("DUNE-R.26")
def test_everybody_can_look_up_all_that_they_have_observed() -> None:
    match = Match(DUNE, 3, secret=b"memory", orders=standing(3))
    heard = [len(match.log(seat)) for seat in range(3)]
    while match.g.ask is not None and len(match.journal) < 40:
        seat = match.waiting[0]
        match.answer(seat, match.g.ask.default_for(seat))
        now = [len(match.log(s)) for s in range(3)]
        assert all(a <= b for a, b in zip(heard, now, strict=True))
        heard = now
    assert match.fold(1).places == match.view(1).places
    assert "DUNE-R.26" in DUNE.house_rules


@covers("DUNE-R.43")
def test_a_match_ends_with_one_of_the_results_of_the_book() -> None:
    assert DUNE.results == ("conquest", "prediction", "liets_plan", "spice_must_flow", "stalemate")
    text = statement("DUNE-R.43").text
    assert all(kind in text for kind in DUNE.results)
