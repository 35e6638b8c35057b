"""The Battle Round: which territories are disputed, who is Aggressor, and the order of battles."""

from landsraad_engine.dune.acts import ChooseBattle, Pass
from landsraad_engine.dune.battle.round import BattleRound, disputes
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN, LEADERS
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, plan, stand


def table(*factions: str, storm: int = 18) -> Scenario:
    s = at_table(*factions, storm=storm, orders=True)
    for faction in factions:
        s.lay(f"leaders/{faction}", *LEADERS[faction])
    return s


def fight_out(s: Scenario, winner: str, loser: str) -> None:
    """A battle in which the winner dials nothing and leads with the stronger leader."""
    strongest = {GUILD: "staban_tuek", HARKONNEN: "feyd_rautha", EMPEROR: "count_hasimir_fenring"}
    weakest = {GUILD: "guild_rep", HARKONNEN: "umman_kudu", EMPEROR: "bashar", FREMEN: "jamis"}
    s.answer(winner, plan(0, strongest[winner])).answer(loser, plan(0, weakest[loser]))


@covers("DUNE-6.1", "DUNE-6.2")
def test_a_territory_is_disputed_if_two_players_stand_there() -> None:
    s = table(HARKONNEN, GUILD)
    stand(stand(s, HARKONNEN, "old_gap:8", 1), GUILD, "old_gap:10", 1)
    stand(s, HARKONNEN, "arsunt:11", 3)
    cells = ("old_gap:8", "old_gap:9", "old_gap:10")
    assert disputes(s.g, HARKONNEN) == [(cells, GUILD)]
    assert disputes(s.g, GUILD) == [(cells, HARKONNEN)]
    s.run(BattleRound())
    assert s.g.table["battle"] == (HARKONNEN, GUILD, "old_gap")


@covers("DUNE-6.1")
def test_without_disputed_territories_nobody_is_asked_anything() -> None:
    s = stand(table(HARKONNEN, GUILD), HARKONNEN, "arrakeen:9", 5)
    assert s.run(BattleRound()).done


@covers("DUNE-6.3", "DUNE-1.19")
def test_tokens_on_different_sides_of_the_storm_do_not_fight() -> None:
    s = table(HARKONNEN, GUILD, storm=9)
    stand(stand(s, HARKONNEN, "old_gap:8", 1), GUILD, "old_gap:10", 1)
    assert s.run(BattleRound()).done


@covers("DUNE-R.36")
def test_tokens_in_the_storms_own_sector_do_battle() -> None:
    s = table(HARKONNEN, GUILD, storm=9)
    stand(stand(s, HARKONNEN, "old_gap:9", 1), GUILD, "old_gap:9", 1)
    s.run(BattleRound())
    assert s.asked == (HARKONNEN, GUILD)


@covers("DUNE-6.4")
def test_there_is_no_battle_in_the_polar_sink() -> None:
    s = table(HARKONNEN, GUILD)
    stand(stand(s, HARKONNEN, "polar_sink", 5), GUILD, "polar_sink", 5)
    assert s.run(BattleRound()).done


@covers("DUNE-BG.18")
def test_coexisting_tokens_neither_fight_nor_make_a_territory_disputed() -> None:
    s = table(HARKONNEN, BENE_GESSERIT)
    stand(stand(s, HARKONNEN, "carthag:10", 5), BENE_GESSERIT, "carthag:10", 0, 0, 3)
    assert s.run(BattleRound()).done


@covers("DUNE-5.21")
def test_the_secondary_of_an_alliance_does_not_fight() -> None:
    s = table(HARKONNEN, GUILD, EMPEROR)
    s.put("ally/guild", (EMPEROR,)).put("ally/emperor", (GUILD,)).put("primary/arrakeen:9", GUILD)
    for faction in (GUILD, EMPEROR, HARKONNEN):
        stand(s, faction, "arrakeen:9", 2)
    assert disputes(s.g, HARKONNEN) == [(("arrakeen:9",), GUILD)]
    assert disputes(s.g, EMPEROR) == []


@covers("DUNE-6.5", "DUNE-6.6", "DUNE-6.7")
def test_the_first_player_is_aggressor_for_all_own_battles_in_the_order_chosen_then_the_next() -> None:
    s = table(HARKONNEN, GUILD, EMPEROR)
    for cell, pair in {
        "arrakeen:9": (GUILD, EMPEROR),
        "carthag:10": (HARKONNEN, GUILD),
        "tueks_sietch:4": (HARKONNEN, EMPEROR),
    }.items():
        for faction in pair:
            stand(s, faction, cell, 1)
    s.run(BattleRound())
    assert s.legal(HARKONNEN) == [ChooseBattle("carthag:10", GUILD), ChooseBattle("tueks_sietch:4", EMPEROR)]
    s.refused(HARKONNEN, ChooseBattle("carthag:10", EMPEROR))
    s.answer(HARKONNEN, ChooseBattle("tueks_sietch:4", EMPEROR))
    battles = [s.g.table["battle"]]
    fight_out(s, EMPEROR, HARKONNEN)
    battles.append(s.g.table["battle"])
    s.answer(HARKONNEN, plan(0, "captain_iakin_nefud")).answer(GUILD, plan(0, "staban_tuek"))
    battles.append(s.g.table["battle"])
    s.answer(GUILD, plan(0, "guild_rep")).answer(EMPEROR, plan(0, "bashar"))
    assert battles == [
        (HARKONNEN, EMPEROR, "tueks_sietch"),
        (HARKONNEN, GUILD, "carthag"),
        (GUILD, EMPEROR, "arrakeen"),
    ]
    assert s.done


@covers("DUNE-6.8")
def test_among_three_the_aggressor_names_opponents_while_still_there() -> None:
    s = table(HARKONNEN, GUILD, EMPEROR)
    for faction in (HARKONNEN, GUILD, EMPEROR):
        stand(s, faction, "old_gap:9", 2)
    s.run(BattleRound())
    assert s.legal(HARKONNEN) == [ChooseBattle("old_gap:8", EMPEROR), ChooseBattle("old_gap:8", GUILD)]
    s.answer(HARKONNEN, ChooseBattle("old_gap:8", GUILD))
    fight_out(s, HARKONNEN, GUILD)
    s.answer(HARKONNEN, Pass())
    assert s.g.table["battle"] == (HARKONNEN, EMPEROR, "old_gap")
    s.refused(HARKONNEN, plan(9, "feyd_rautha"), "DUNE-6.10")
    fight_out(s, EMPEROR, HARKONNEN)
    assert s.done


@covers("DUNE-6.8")
def test_an_aggressor_beaten_by_the_first_opponent_leaves_the_others_to_fight() -> None:
    s = table(HARKONNEN, GUILD, EMPEROR)
    for faction in (HARKONNEN, GUILD, EMPEROR):
        stand(s, faction, "old_gap:9", 2)
    s.run(BattleRound()).answer(HARKONNEN, ChooseBattle("old_gap:8", GUILD))
    fight_out(s, GUILD, HARKONNEN)
    assert s.g.table["battle"] == (GUILD, EMPEROR, "old_gap")


@covers("DUNE-6.13")
def test_a_new_battle_round_forgets_where_leaders_fought_before() -> None:
    s = table(HARKONNEN, GUILD).put("battle_of/feyd_rautha", "carthag:10")
    stand(stand(s, HARKONNEN, "arrakeen:9", 1), GUILD, "arrakeen:9", 1).run(BattleRound())
    assert plan(0, "feyd_rautha") in s.legal(HARKONNEN)


def test_allies_in_one_territory_do_not_fight_each_other() -> None:
    s = table(ATREIDES, FREMEN).put("ally/atreides", (FREMEN,)).put("ally/fremen", (ATREIDES,))
    stand(stand(s, ATREIDES, "old_gap:9", 2), FREMEN, "old_gap:9", 2)
    assert s.run(BattleRound()).done
