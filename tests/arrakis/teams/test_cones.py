"""Cones of Silence: tokens of shared factions, and whom a seat may talk to in private."""

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import OpenCone, TakeAction
from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.round import Round
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.play.match import Match
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, war_at_setup

HH, CORRINO, HA, FREMEN = "house_harkonnen", "corrino_ally", "house_atreides", "fremen_ally"


def whispers(war: War) -> list[tuple[int, ...]]:
    return [tuple(ARRAKIS.talks(war.g, seat)) for seat in range(war.g.setting.seats)]


def at_turn(**tokens: int) -> War:
    war = War(seats=4).dice(HA, mentat=1).dice(FREMEN, strategy=1).dice(HH, mentat=1)
    for side, number in tokens.items():
        war.put(f"cones/{side}", number)
    return war.run(ActionTurn(side=ATREIDES))


@covers("WFA-G.15")
@pytest.mark.parametrize(("seats", "shared"), [(3, ("harkonnen",)), (4, ("harkonnen", "atreides")), (2, ())])
@pytest.mark.parametrize("edition", ["exclusive", "v1_1", "preview_2022"])
def test_three_tokens_for_each_shared_faction(seats: int, shared: tuple[str, ...], edition: str) -> None:
    table = war_at_setup(edition, seats=seats).g.table
    assert {key: value for key, value in table.items() if key.startswith("cones/")} == {
        f"cones/{side}": 3 for side in shared
    }


@covers("WFA-G.18", "WFA-G.19", "WFA-G.52")
def test_partners_talk_in_private_for_a_token() -> None:
    war = at_turn(harkonnen=3, atreides=2)
    assert whispers(war) == [(), (), (), ()]
    war.play(FREMEN, OpenCone())
    assert whispers(war) == [(), (), (3,), (2,)]
    assert war.g.table["cones/atreides"] == 1, "it is used up in the open"
    assert war.asked == (HA, FREMEN), "the question stands"


@covers("WFA-G.52")
def test_one_token_at_a_time_and_none_without_one() -> None:
    war = at_turn(atreides=2)
    war.play(HA, OpenCone())
    war.refused(FREMEN, OpenCone(), play=True)
    war.refused(HH, OpenCone(), play=True)
    war = at_turn(atreides=1).play(HA, OpenCone())
    assert "cones/atreides" not in war.g.table
    with pytest.raises(AssertionError):
        at_turn(atreides=1).refused(HA, OpenCone(), play=True)


@covers("WFA-G.52")
def test_the_opponent_may_use_a_token_in_a_turn_that_is_not_its_own() -> None:
    war = at_turn(harkonnen=1).play(CORRINO, OpenCone())
    assert whispers(war) == [(1,), (0,), (), ()]


@covers("WFA-G.20", "WFA-G.52")
def test_the_channel_closes_with_the_turn() -> None:
    war = at_turn(atreides=2).play(FREMEN, OpenCone())
    war.answer(HA, TakeAction("mentat", "mentat")).finish()
    assert whispers(war) == [(), (), (), ()]


@covers("WFA-G.20", "WFA-G.52")
def test_outside_action_turns_the_channel_closes_with_the_phase() -> None:
    war = war_at_setup(seats=4).run(Round())
    war.play(CORRINO, OpenCone())
    assert whispers(war)[0] == (1,)
    war.until("ActionTurn.choose")
    assert whispers(war)[0] == ()
    later = war_at_setup(seats=4).run(Round(), until=DesertHazards)
    assert whispers(later)[0] == ()


@covers("WFA-G.53")
def test_a_cone_shows_nothing() -> None:
    war = at_turn(atreides=1).hand(HA, "war_plan").hand(FREMEN, "thumpers")
    before = {key: war.g.eyes[key] for key in war.g.setting.places}
    seen = [key for key in war.g.table if key.startswith("*")]
    war.play(HA, OpenCone())
    assert {key: war.g.eyes[key] for key in war.g.setting.places} == before
    assert [key for key in war.g.table if key.startswith("*")] == seen


@covers("WFA-G.18")
def test_two_players_have_nobody_to_confer_with() -> None:
    g = Match(ARRAKIS, 2, record=False).g
    assert [tuple(ARRAKIS.talks(g, seat)) for seat in (0, 1)] == [(), ()]
    three = Match(ARRAKIS, 3, record=False).g
    assert [tuple(ARRAKIS.talks(three, seat)) for seat in range(3)] == [(), (), ()]
    assert three.side(2) != HARKONNEN
