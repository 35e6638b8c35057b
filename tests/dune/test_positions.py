"""Complete positions of classic Dune: everything is there once, and what cannot be is refused."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.pieces import ATREIDES, EMPEROR, FACTIONS, FREMEN, GUILD, HARKONNEN, TREACHERY
from landsraad_engine.dune.storm import StormRound
from landsraad_engine.dune.whole_game import GameTurn
from landsraad_engine.dune.worms import WormAttack
from landsraad_engine.testing import position
from landsraad_engine.testing.dune import Loss, at_table, dune_at_setup, plan, storm_losses, turn_from, worm_losses
from landsraad_engine.testing.seat_knowledge import faces_known_to


@pytest.mark.parametrize("turn", [1, 2, 15])
@pytest.mark.parametrize("factions", [FACTIONS, (GUILD, ATREIDES), (HARKONNEN, FREMEN, EMPEROR)])
def test_a_position_is_played_on_with_its_invariants_to_the_end_of_the_turn(
    factions: tuple[str, ...], turn: int
) -> None:
    s = position(DUNE, factions=factions, turn=turn)
    assert s.g.factions() == factions
    assert s.problems() == []
    assert s.run(turn_from("spice_blow")).finish().done
    assert s.g.turn == turn
    assert (s.g.result is not None) is (turn == 15)


def test_a_turn_begins_with_its_storm() -> None:
    assert position(DUNE, turn=1).run(GameTurn()).finish().g.turn == 1
    assert position(DUNE, turn=2).run(GameTurn()).finish().g.turn == 3
    with pytest.raises(AssertionError, match="no tea round"):
        turn_from("tea")


def test_what_is_said_is_there_and_all_the_rest_too() -> None:
    s = position(
        DUNE,
        factions=(ATREIDES, FREMEN, HARKONNEN),
        turn=4,
        storm=7,
        troops={ATREIDES: {"arrakeen": 6}, FREMEN: {"old_gap:9": (2, 3)}},
        tanks={HARKONNEN: 8, FREMEN: (1, 0)},
        spice={ATREIDES: 3, HARKONNEN: 0},
        blows={"red_chasm": 8},
        hands={ATREIDES: ["karama", "shield"]},
        discards=["hajr"],
        traitors={HARKONNEN: ["stilgar", "chani"]},
        dead=["jamis"],
        captured=["duncan_idaho"],
        alliances=[(ATREIDES, FREMEN)],
    )
    g = s.g
    assert (g.turn, g.storm) == (4, 7)
    assert g.troops(FREMEN, "old_gap:9") == (2, 3, 0)
    assert g.reserves(ATREIDES) == (14, 0, 0)
    assert g.reserves(FREMEN) == (14, 0, 0)
    assert g.reserves(HARKONNEN) == (12, 0, 0)
    assert g.table["bank"] == -(3 + g.spice(FREMEN) + 8)
    assert g.hand(HARKONNEN) == ()
    assert len(g.table["treachery_deck"]) == len(TREACHERY) - 3
    assert g.table["leader_tanks/fremen"] == ("jamis",)
    assert "duncan_idaho" not in g.leaders(ATREIDES)
    assert g.allies(ATREIDES) == (FREMEN,)
    assert g.has_bonus(ATREIDES, "ornithopters") == 1
    assert set(faces_known_to(g, s.seat(HARKONNEN), "leaders/fremen")) == set(g.leaders(FREMEN)), (
        "jamis died in the open"
    )


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"hands": {ATREIDES: ["lasgun"], FREMEN: ["lasgun"]}}, "no lasgun"),
        ({"hands": {ATREIDES: ["hajr"]}, "discards": ["hajr"]}, "no hajr"),
        ({"troops": {ATREIDES: {"arrakeen": 21}}}, "has only 20 tokens"),
        ({"troops": {FREMEN: {"arrakeen": (0, 4)}}}, "3 of them elites"),
        ({"troops": {ATREIDES: {"old_gap": 1}}}, "several cells: old_gap:8, old_gap:9"),
        ({"troops": {ATREIDES: {"arrakeen": 1}, FREMEN: {"arrakeen": 1}, GUILD: {"arrakeen": 1}}}, "all stand in"),
        ({"hands": {ATREIDES: ["hajr", "lasgun", "kulon", "baliset", "la_la_la"]}}, "holds 5 treachery cards"),
        ({"factions": (ATREIDES, GUILD), "troops": {FREMEN: {"arrakeen": 1}}}, "fremen are in play"),
        ({"factions": (ATREIDES, GUILD), "dead": ["jamis"]}, "faction of jamis is not in play"),
        ({"turn": 16}, "turn 16"),
        ({"alliances": [(ATREIDES, FREMEN, GUILD)]}, "is allied with"),
    ],
)
def test_what_cannot_be_is_no_position(facts: dict[str, Any], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        position(DUNE, **facts)


def test_the_set_up_with_everybody_passing() -> None:
    s = dune_at_setup(GUILD, HARKONNEN)
    assert s.problems() == []
    assert s.g.turn == 1
    assert s.g.troops(HARKONNEN, "carthag:10") == (10, 0, 0)
    assert s.chance_left == ()


def test_storms_and_worms_say_what_they_have_killed() -> None:
    s = position(
        DUNE,
        factions=(ATREIDES, FREMEN),
        storm=4,
        troops={ATREIDES: {"old_gap:10": 3, "red_chasm:6": 1}, FREMEN: {"old_gap:9": (4, 2)}},
        hands={},
    )
    s.deal("storm_deck", {"storm_next": ["storm_6"]}).run(StormRound()).finish()
    assert storm_losses(s) == [
        Loss(ATREIDES, "red_chasm:6", 1, 0),
        Loss(ATREIDES, "old_gap:10", 3, 0),
        Loss(FREMEN, "old_gap:9", 4, 2),
    ]
    assert worm_losses(s) == []
    s = position(DUNE, troops={GUILD: {"old_gap:9": 2}}, hands={}).run(WormAttack("old_gap")).finish()
    assert worm_losses(s) == [Loss(GUILD, "old_gap:9", 2, 0)]
    assert storm_losses(s) == []


def test_a_battle_from_a_whole_turn() -> None:
    s = position(
        DUNE,
        factions=(ATREIDES, HARKONNEN),
        troops={ATREIDES: {"arrakeen": 5}, HARKONNEN: {"arrakeen": 5}},
        hands={},
        traitors={},
    )
    s.run(GameTurn(), until=BattlePlan)
    aggressor, defender = s.asked
    s.answer(aggressor, plan(2, s.g.leaders(aggressor)[0])).answer(defender, plan(0, s.g.leaders(defender)[0]))
    assert s.finish().g.turn == 3


def test_a_bare_table_is_no_position() -> None:
    assert at_table(ATREIDES, GUILD).problems() != []
