"""5: Movement Round, Allies and Troop Placement: Primary and Secondary."""

from landsraad_engine.dune.acts import Manoeuvre, NamePrimary
from landsraad_engine.dune.alliances import form
from landsraad_engine.dune.board import cells_of
from landsraad_engine.dune.collection import within_reach
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.manoeuvre import ManoeuvrePhase
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, HARKONNEN
from landsraad_engine.dune.shared_territories import SharedTerritories
from landsraad_engine.dune.words import NONE
from landsraad_engine.dune.worms import WormAttack
from landsraad_engine.kernel.overrides import Moment
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, stand


def together(*cells: str, primary: str | None = None, storm: int = 18) -> Scenario:
    """Atreides and Harkonnen, who have just become allies, stand in these cells, alternately."""
    scenario = at_table(EMPEROR, ATREIDES, HARKONNEN, storm=storm)
    for at, cell in enumerate(cells):
        stand(scenario, (ATREIDES, HARKONNEN)[at % 2], cell, 2)
    form(scenario.g, (ATREIDES, HARKONNEN), primary)
    return scenario.run(Moment(Timing.ALLIANCE_FORMED.name, (ATREIDES, HARKONNEN)))


def shared(primary: str) -> Scenario:
    """Both stand in South Mesa, where the spice is, and one of them is Primary."""
    scenario = together("south_mesa:3", "south_mesa:4")
    return scenario.answer(ATREIDES, NamePrimary(primary)).answer(HARKONNEN, NamePrimary(primary))


@covers("DUNE-5.20")
def test_allies_who_come_to_share_a_territory_name_the_primary_at_once() -> None:
    scenario = together("south_mesa:3", "south_mesa:4")
    assert set(scenario.asked) == {ATREIDES, HARKONNEN}
    scenario.refused(ATREIDES, NamePrimary(EMPEROR))
    scenario.answer(ATREIDES, NamePrimary(HARKONNEN)).answer(HARKONNEN, NamePrimary(HARKONNEN))
    assert scenario.done
    assert scenario.g.present(cells_of["south_mesa"]) == (HARKONNEN,)


@covers("DUNE-5.23")
def test_allies_who_disagree_get_the_one_whose_dot_comes_first() -> None:
    scenario = together("south_mesa:3", "south_mesa:4")
    scenario.answer(HARKONNEN, NamePrimary(HARKONNEN)).answer(ATREIDES, NamePrimary(ATREIDES))
    assert scenario.g.present(cells_of["south_mesa"]) == (ATREIDES,)
    scenario = together("south_mesa:3", "south_mesa:4", storm=5)
    scenario.answer(HARKONNEN, NamePrimary(HARKONNEN)).answer(ATREIDES, NamePrimary(ATREIDES))
    assert scenario.g.present(cells_of["south_mesa"]) == (HARKONNEN,), "Atreides' dot has just been passed"


@covers("DUNE-5.24")
def test_what_the_alliance_agreed_on_holds_without_a_question() -> None:
    scenario = together("south_mesa:3", "south_mesa:4", primary=HARKONNEN)
    assert scenario.done
    assert scenario.g.present(cells_of["south_mesa"]) == (HARKONNEN,)


@covers("DUNE-5.21")
def test_the_secondary_counts_for_nothing() -> None:
    scenario = shared(HARKONNEN).put("blow/south_mesa:4", 10)
    assert within_reach(scenario.g, ATREIDES) == []
    assert within_reach(scenario.g, HARKONNEN) == [("south_mesa:4", 4)]


@covers("DUNE-5.21")
def test_the_secondary_dies_with_whatever_kills_all_in_the_territory() -> None:
    scenario = shared(HARKONNEN).run(WormAttack("south_mesa"))
    assert scenario.g.tanks(ATREIDES) == (2, 0, 0)
    assert "primary/south_mesa:3" not in scenario.g.table


@covers("DUNE-5.22")
def test_primary_and_secondary_stay_so_until_one_of_them_has_left() -> None:
    scenario = shared(HARKONNEN).run(SharedTerritories())
    assert scenario.done, "it is settled"
    scenario.run(ManoeuvrePhase(faction=HARKONNEN)).answer(HARKONNEN, Manoeuvre("south_mesa:4", (2,), "pasty_mesa:4"))
    assert scenario.g.present(cells_of["south_mesa"]) == (ATREIDES,)
    assert "primary/south_mesa:3" not in scenario.g.table
    scenario = shared(HARKONNEN).run(ManoeuvrePhase(faction=HARKONNEN))
    scenario.answer(HARKONNEN, Manoeuvre("south_mesa:4", (1,), "pasty_mesa:4"))
    assert scenario.g.present(cells_of["south_mesa"]) == (HARKONNEN,)


@covers("DUNE-5.25")
def test_no_primary_across_the_storm_nor_in_the_polar_sink() -> None:
    assert together("imperial_basin:8", "imperial_basin:10", "polar_sink", "polar_sink", storm=9).done


@covers("DUNE-5.20", "DUNE-1.19")
def test_allies_whom_the_storm_no_longer_parts_share_the_territory() -> None:
    scenario = together("imperial_basin:8", "imperial_basin:10", storm=9).put("storm", 12)
    scenario.run(Moment(Timing.STORM_MOVED.name))
    assert set(scenario.asked) == {ATREIDES, HARKONNEN}


@covers("DUNE-5.22", "DUNE-1.19")
def test_the_storm_that_parts_a_territory_leaves_both_parts_their_primary() -> None:
    scenario = together("pasty_mesa:4", "pasty_mesa:4", "pasty_mesa:7", "pasty_mesa:7")
    scenario.answer(ATREIDES, NamePrimary(HARKONNEN)).answer(HARKONNEN, NamePrimary(HARKONNEN))
    scenario.put("storm", 5).run(Moment(Timing.STORM_MOVED.name))
    assert scenario.done, "neither has left"
    for part in scenario.g.parts("pasty_mesa"):
        assert scenario.g.present(part) == (() if part == ("pasty_mesa:5",) else (HARKONNEN,))
    scenario.put("storm", 9).run(Moment(Timing.STORM_MOVED.name))
    assert scenario.done
    assert scenario.g.present(cells_of["pasty_mesa"]) == (HARKONNEN,)


@covers("DUNE-5.20", "DUNE-5.21")
def test_where_the_storm_joins_two_parts_with_different_primaries_the_allies_name_one() -> None:
    scenario = together("pasty_mesa:4", "pasty_mesa:4", "pasty_mesa:7", "pasty_mesa:7", storm=5)
    for primary in (ATREIDES, HARKONNEN):
        scenario.answer(ATREIDES, NamePrimary(primary)).answer(HARKONNEN, NamePrimary(primary))
    assert [scenario.g.present(part) for part in scenario.g.parts("pasty_mesa")] == [(ATREIDES,), (), (HARKONNEN,)]
    scenario.put("storm", 9).run(Moment(Timing.STORM_MOVED.name))
    scenario.answer(ATREIDES, NamePrimary(HARKONNEN)).answer(HARKONNEN, NamePrimary(HARKONNEN))
    assert scenario.g.present(cells_of["pasty_mesa"]) == (HARKONNEN,)


@covers("DUNE-5.20")
def test_when_the_primary_of_three_allies_leaves_the_other_two_name_a_new_one() -> None:
    scenario = at_table(ATREIDES, EMPEROR, HARKONNEN, three_way_alliances=True)
    for faction in (ATREIDES, EMPEROR, HARKONNEN):
        stand(scenario, faction, "south_mesa:4", 1)
    form(scenario.g, (ATREIDES, EMPEROR, HARKONNEN), EMPEROR)
    scenario.run(Moment(Timing.ALLIANCE_FORMED.name, (ATREIDES, EMPEROR, HARKONNEN)))
    assert scenario.g.present(cells_of["south_mesa"]) == (EMPEROR,)
    scenario.run(ManoeuvrePhase(faction=EMPEROR)).answer(EMPEROR, Manoeuvre("south_mesa:4", (1,), "pasty_mesa:4"))
    assert set(scenario.asked) == {ATREIDES, HARKONNEN}


@covers("DUNE-BG.10", "DUNE-R.113")
def test_the_bene_gesserit_coexist_with_a_new_ally_and_nobody_is_primary() -> None:
    scenario = stand(at_table(ATREIDES, BENE_GESSERIT), ATREIDES, "south_mesa:4", 2)
    stand(scenario, BENE_GESSERIT, "south_mesa:3", 1)
    form(scenario.g, (ATREIDES, BENE_GESSERIT), None)
    scenario.run(Moment(Timing.ALLIANCE_FORMED.name, (ATREIDES, BENE_GESSERIT)))
    assert scenario.done
    assert scenario.g.troops(BENE_GESSERIT, "south_mesa:3") == (0, 0, 1)
    assert scenario.g.tanks(BENE_GESSERIT) == NONE
