"""Complete positions of War for Arrakis: everything is there once, and what cannot be is refused."""

from typing import Any

import pytest

from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.round import Round
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.worms import WormAttack
from landsraad_engine.testing import position
from landsraad_engine.testing.arrakis import Strike, War, war_at_setup

EDITIONS = ("exclusive", "v1_1", "preview_2022")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_position_is_played_on_with_its_invariants_to_the_end_of_the_round(edition: str) -> None:
    war = position(ARRAKIS, edition=edition, hands={HARKONNEN: ["sandmasters"]}, worms=["se_3"])
    assert war.problems() == []
    assert war.run(Round()).finish().done
    assert war.g.round == 2


def test_what_is_said_is_there_and_all_the_rest_too() -> None:
    war = position(
        ARRAKIS,
        round=3,
        legions={HARKONNEN: {"carthag": {"regular": 3, "special": 1, "named": ("baron_harkonnen",)}}},
        leaders={"stilgar": "tank", "chani": "aside"},
        hands={ATREIDES: ["hieregs"]},
        dice={HARKONNEN: {"strategy": 2}},
        markers={"jihad": 4},
        imperium={"choam": 2},
        bans=["choam"],
        supremacy=5,
        harvesters=["se_6"],
        ornithopters=["z1"],
        carryalls=["z2"],
        worms=["se_3"],
        wormsigns={"cnw_3": "sandworm"},
    )
    g = war.g
    assert war.figures(HARKONNEN, "carthag") == (3, 0, 1, 0)
    assert g.supply(HARKONNEN) == (21, 12, 7, 6)
    assert g.supply(ATREIDES) == (16, 8, 6, 12), "no Naib stands on the board"
    assert g.table["tokens_revealed"] != ()
    assert (g.whereabouts("stilgar"), g.whereabouts("chani")) == ("tank/0", "aside")
    assert g.hand(war.atreides) == ("hieregs",)
    assert "hieregs" not in g.table["deck/fremen_ally"]
    assert (g.get("dice/giedi_prime/strategy"), g.get("dice/giedi_prime/pool")) == ((2, 0), (6, 0))
    assert (g.table["marker/jihad"], g.table["imperium/choam"], g.banned("choam")) == (4, 2, True)
    assert g.table["vehicles"] == (7, 5, 2)
    assert g.table["wormsign/cnw_3"] == ("sandworm",)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"legions": {HARKONNEN: {"carthag": {"regular": 25}}}}, "supply/harkonnen holds"),
        ({"legions": {HARKONNEN: {"carthag": {"regular": 7}}}}, "7 units in carthag"),
        ({"legions": {s: {"arsunt": {"regular": 1}} for s in (HARKONNEN, ATREIDES)}}, "both sides stand in arsunt"),
        ({"hands": {HARKONNEN: ["sandmasters"] * 9}}, "no sandmasters"),
        ({"dice": {HARKONNEN: {"strategy": 9}}}, "holds"),
        ({"worms": ["carthag"]}, "no desert"),
        ({"leaders": {"stilgar": "nowhere"}}, "a leader cannot be at 'nowhere'"),
        ({"imperium": {"choam": 9}}, "the marker of choam"),
        ({"carryalls": ["z1", "z1"]}, "vehicles"),
    ],
)
def test_what_cannot_be_is_no_position(facts: dict[str, Any], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        position(ARRAKIS, **facts)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_set_up_of_each_edition(edition: str) -> None:
    war = war_at_setup(edition)
    assert war.problems() == []
    assert war.g.content.edition == edition
    assert war.g.round == 0


def test_a_worm_says_its_hits() -> None:
    war = War().worm("se_2").legion(HARKONNEN, "se_1", regular=4).rolls("combat/worm", "hit", "hit", "shield", "shield")
    twin = war.fork().run(WormAttack(source="se_2", target="se_1"))
    assert twin.strikes("worm") == [Strike("worm", HARKONNEN, "se_1", 2)]
    assert twin.strikes("storm") == []
    assert war.strikes() == []
    assert war.chance_left == ("die/combat/worm",)
