"""8: Control Round: conquest for every number of players, subterfuge, the end of the game."""

from typing import Any

import pytest

from landsraad_engine.dune.alliances import form
from landsraad_engine.dune.board import STRONGHOLDS, cells_of
from landsraad_engine.dune.control import ENDED_BY, NEEDED, ControlRound, conquest
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN
from landsraad_engine.dune.shipment import ShipmentPhase
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, shipment, stand

ALL = (ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN)
#: Factions without a win by subterfuge, if possible.
TABLE = {n: (ATREIDES, EMPEROR, HARKONNEN, FREMEN, GUILD, BENE_GESSERIT)[:n] for n in range(2, 7)}


def holding(faction: str, number: int, scenario: Scenario) -> Scenario:
    """The faction holds so many strongholds, in board order."""
    for stronghold in STRONGHOLDS[:number]:
        stand(scenario, faction, cells_of[stronghold][0], 1)
    return scenario


def result(scenario: Scenario) -> Any:
    """How the game ends with this Control Round: the result kind and the winning factions, or nothing.

    The log tells it by the statement that gives this victory, and not by that of another one.
    """
    scenario.run(ControlRound())
    assert scenario.done
    if scenario.g.result is None:
        return None
    kind, seats = scenario.g.result
    (told,) = [event for event in scenario.told("set") if event.public and event.public[0] == "result"]
    assert told.rule == ENDED_BY[kind]
    return kind, {scenario.g.side(seat) for seat in seats}


# --- bribes


@covers("DUNE-8.1", "DUNE-0.24")
def test_the_round_opens_with_bribes_going_behind_the_screen() -> None:
    scenario = at_table(ATREIDES, HARKONNEN).put("bribes/harkonnen", 7).put("spice/harkonnen", 1).run(ControlRound())
    assert scenario.g.spice(HARKONNEN) == 8
    assert "bribes/harkonnen" not in scenario.g.table


# --- conquest


@covers("DUNE-0.1", "DUNE-0.2", "DUNE-8.2", "DUNE-8.3", "DUNE-8.4")
@pytest.mark.parametrize(("players", "needed"), [(2, 4), (3, 4), (4, 3), (5, 3), (6, 3)])
def test_a_lone_faction_conquers(players: int, needed: int) -> None:
    assert result(holding(ATREIDES, needed - 1, at_table(*TABLE[players]))) is None
    assert result(holding(ATREIDES, needed, at_table(*TABLE[players]))) == ("conquest", {ATREIDES})


@covers("DUNE-8.5", "DUNE-8.6", "DUNE-8.10", "DUNE-0.15", "DUNE-8.9")
@pytest.mark.parametrize(("players", "needed"), [(3, 5), (4, 4), (5, 4), (6, 4)])
def test_two_allies_conquer_together_even_if_one_holds_everything(players: int, needed: int) -> None:
    def allies(strongholds: int) -> Scenario:
        scenario = at_table(*TABLE[players])
        form(scenario.g, (ATREIDES, EMPEROR), None)
        return holding(ATREIDES, strongholds, scenario)

    assert result(allies(needed - 1)) is None, "what a faction by itself would need does not count"
    assert result(allies(needed)) == ("conquest", {ATREIDES, EMPEROR})


@covers("DUNE-8.7", "DUNE-8.8")
@pytest.mark.parametrize(("players", "wins"), [(3, False), (4, False), (5, False), (6, True)])
def test_three_allies_conquer_only_in_a_game_of_six(players: int, wins: bool) -> None:
    scenario = at_table(*TABLE[players], three_way_alliances=True)
    form(scenario.g, (ATREIDES, EMPEROR, HARKONNEN), None)
    expected = ("conquest", {ATREIDES, EMPEROR, HARKONNEN}) if wins else None
    assert result(holding(EMPEROR, 5, scenario)) == expected
    assert NEEDED.get((6, 3)) == 5


@covers("DUNE-8.8")
def test_of_two_players_no_alliance_conquers() -> None:
    scenario = at_table(*TABLE[2])
    form(scenario.g, (ATREIDES, EMPEROR), None)
    assert result(holding(ATREIDES, 5, scenario)) is None


@covers("DUNE-0.16", "DUNE-0.17")
def test_the_strongholds_of_allies_count_as_one() -> None:
    scenario = at_table(*TABLE[6])
    form(scenario.g, (ATREIDES, EMPEROR), None)
    for at, stronghold in enumerate(STRONGHOLDS[:4]):
        stand(scenario, (ATREIDES, EMPEROR)[at % 2], cells_of[stronghold][0], 1)
    assert result(scenario) == ("conquest", {ATREIDES, EMPEROR})


@covers("DUNE-R.45", "DUNE-R.93")
def test_a_stronghold_with_two_rivals_counts_for_nobody() -> None:
    scenario = stand(holding(ATREIDES, 3, at_table(*ALL)), HARKONNEN, "arrakeen:9", 1)
    assert result(scenario) is None


@covers("DUNE-R.93")
def test_coexisting_tokens_and_a_secondary_are_not_counted() -> None:
    scenario = at_table(*ALL)
    form(scenario.g, (ATREIDES, EMPEROR), None)
    holding(ATREIDES, 4, scenario)
    stand(scenario, EMPEROR, "arrakeen:9", 2).put("primary/arrakeen:9", ATREIDES)
    stand(scenario, BENE_GESSERIT, "carthag:10", 0, coexisting=2)
    assert result(scenario) == ("conquest", {ATREIDES, EMPEROR})


# --- the Shield Wall as a stronghold


def with_wall(*factions: str, wall: bool = True, storm: int = 18) -> Scenario:
    """Atreides hold two strongholds and these factions stand on the Shield Wall."""
    scenario = at_table(*ALL, storm=storm, shield_wall_stronghold=True).put("shield_wall_stronghold", wall or None)
    for faction, cell in zip(factions, ("shield_wall:7", "shield_wall:8"), strict=False):
        stand(scenario, faction, cell, 1)
    return holding(ATREIDES, 2, scenario)


@covers("DUNE-V.10", "DUNE-V.12")
def test_from_the_sixth_worm_on_the_shield_wall_counts_for_victory() -> None:
    assert result(with_wall(ATREIDES)) == ("conquest", {ATREIDES})
    assert result(with_wall(ATREIDES, wall=False)) is None


@covers("DUNE-V.15")
def test_a_wall_held_by_two_whom_the_storm_parts_counts_for_neither() -> None:
    assert result(with_wall(ATREIDES, HARKONNEN, storm=8)) is None


@covers("DUNE-V.13")
def test_in_every_other_respect_the_wall_is_rock() -> None:
    scenario = with_wall(EMPEROR, HARKONNEN).put("reserves/atreides", (5, 0, 0)).put("spice/atreides", 2)
    scenario.run(ShipmentPhase(faction=ATREIDES)).answer(ATREIDES, shipment("shield_wall:7", 1))
    assert scenario.g.spice(ATREIDES) == 0, "two for a token, and the two others are no hindrance"


@covers("DUNE-V.14")
def test_after_family_atomics_the_wall_still_counts() -> None:
    scenario = with_wall(ATREIDES).put("atomics", True)
    assert conquest(scenario.g) == ("conquest", (ATREIDES,))


@covers("DUNE-R.44", "DUNE-V.10")
@pytest.mark.parametrize(("storm", "winner"), [(18, ATREIDES), (2, HARKONNEN)])
def test_of_two_who_reach_their_number_together_the_first_in_storm_order_wins(storm: int, winner: str) -> None:
    scenario = at_table(ATREIDES, HARKONNEN, EMPEROR, FREMEN, storm=storm, shield_wall_stronghold=True)
    scenario.put("shield_wall_stronghold", True)
    for at, cell in enumerate([*(cells_of[stronghold][0] for stronghold in STRONGHOLDS), "shield_wall:7"]):
        stand(scenario, (ATREIDES, HARKONNEN)[at % 2], cell, 1)
    assert result(scenario) == ("conquest", {winner})


# --- Prediction


@covers("DUNE-8.12", "DUNE-8.13", "DUNE-8.14", "DUNE-0.3")
@pytest.mark.parametrize("conquerors", [(ATREIDES,), (ATREIDES, BENE_GESSERIT), (ATREIDES, EMPEROR)])
def test_a_right_prediction_wins_for_the_bene_gesserit_alone(conquerors: tuple[str, ...]) -> None:
    scenario = at_table(*ALL, turn=4).put("prediction", (ATREIDES, 4))
    if len(conquerors) > 1:
        form(scenario.g, conquerors, None)
    assert result(holding(ATREIDES, 4, scenario)) == ("prediction", {BENE_GESSERIT})
    assert [event.public for event in scenario.told("open")] == [("prediction", (ATREIDES, 4))]


@covers("DUNE-R.4")
def test_no_karama_cancels_a_prediction_or_a_special_victory() -> None:
    def with_karamas(turn: int) -> Scenario:
        scenario = at_table(*ALL, turn=turn, karama_reach="gf9").put("prediction", (ATREIDES, 4))
        return scenario.lay("hand/emperor", "karama").lay("hand/harkonnen", "karama")

    assert result(holding(ATREIDES, 3, with_karamas(turn=4))) == ("prediction", {BENE_GESSERIT})
    assert result(with_karamas(turn=15)) == ("liets_plan", {FREMEN})


@covers("DUNE-8.12", "DUNE-BG.31")
@pytest.mark.parametrize("prediction", [(ATREIDES, 5), (EMPEROR, 4)])
def test_a_wrong_prediction_stays_closed(prediction: tuple[str, int]) -> None:
    scenario = at_table(*ALL, turn=4).put("prediction", prediction)
    assert result(holding(ATREIDES, 3, scenario)) == ("conquest", {ATREIDES})
    assert not scenario.told("open")


@covers("DUNE-BG.31")
def test_a_win_by_subterfuge_cannot_be_predicted() -> None:
    scenario = at_table(*ALL, turn=15).put("prediction", (FREMEN, 15))
    assert result(scenario) == ("liets_plan", {FREMEN})


# --- the last turn


def last_turn(*factions: str, turn: int = 15, **options: Any) -> Scenario:
    return at_table(*factions, turn=turn, **options)


@covers("DUNE-8.15", "DUNE-0.3")
@pytest.mark.parametrize("fremen_there", [True, False])
def test_liets_plan_needs_two_sietches_without_anybody_else(fremen_there: bool) -> None:
    scenario = last_turn(*ALL)
    if fremen_there:
        stand(stand(scenario, FREMEN, "sietch_tabr:13", 1), FREMEN, "habbanya_sietch:16", 1)
    assert result(scenario) == ("liets_plan", {FREMEN})
    assert result(stand(last_turn(*ALL), EMPEROR, "sietch_tabr:13", 1)) == ("spice_must_flow", {GUILD})


@covers("DUNE-8.16")
@pytest.mark.parametrize("faction", [HARKONNEN, ATREIDES, EMPEROR, GUILD, BENE_GESSERIT])
def test_liets_plan_fails_if_one_of_three_sits_in_tueks_sietch(faction: str) -> None:
    kind, _ = result(stand(last_turn(*ALL), faction, "tueks_sietch:4", 1))
    assert kind == ("spice_must_flow" if faction in (HARKONNEN, ATREIDES, EMPEROR) else "liets_plan")


@covers("DUNE-8.17", "DUNE-R.46")
def test_an_ally_wins_liets_plan_too_but_may_not_stand_in_the_sietches() -> None:
    def with_ally(cell: str) -> Scenario:
        scenario = stand(last_turn(*ALL), ATREIDES, cell, 1)
        form(scenario.g, (FREMEN, ATREIDES), None)
        return scenario

    assert result(with_ally("arrakeen:9")) == ("liets_plan", {FREMEN, ATREIDES})
    assert result(with_ally("sietch_tabr:13")) == ("spice_must_flow", {GUILD})


@covers("DUNE-8.15")
def test_conquest_comes_before_liets_plan() -> None:
    assert result(holding(ATREIDES, 3, last_turn(*ALL))) == ("conquest", {ATREIDES})


@covers("DUNE-8.18", "DUNE-8.19", "DUNE-0.3")
def test_the_spice_must_flow_for_the_guild_and_its_ally() -> None:
    scenario = last_turn(ATREIDES, GUILD, HARKONNEN)
    form(scenario.g, (GUILD, HARKONNEN), None)
    assert result(scenario) == ("spice_must_flow", {GUILD, HARKONNEN})


@covers("DUNE-8.20", "DUNE-X.25")
def test_without_the_guild_a_last_turn_with_no_winner_is_a_stalemate() -> None:
    assert result(last_turn(ATREIDES, HARKONNEN)) == ("stalemate", set())


@covers("DUNE-V.7", "DUNE-0.30")
def test_the_option_for_shorter_games_ends_them_after_ten_turns() -> None:
    assert result(last_turn(ATREIDES, HARKONNEN, turn=10)) is None
    assert result(last_turn(ATREIDES, HARKONNEN, turn=10, length=10)) == ("stalemate", set())
    assert result(last_turn(ATREIDES, HARKONNEN, turn=14)) is None


# --- the turn goes on


@covers("DUNE-8.11")
def test_if_nobody_has_won_all_bonuses_go_back() -> None:
    scenario = at_table(ATREIDES, GUILD)
    for bonus in ("ornithopters", "harvesters", "carryalls", "smugglers"):
        scenario.put(f"bonus/{bonus}", (ATREIDES,))
    assert result(scenario) is None
    assert not any(key.startswith("bonus/") for key in scenario.g.table)
