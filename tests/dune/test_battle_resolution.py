"""Battle resolution: weapons, strengths, losses, spice, cards, and the explosion."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import BattlePlan, ChooseBattle, KeepCards, LoseTokens, Pass
from landsraad_engine.dune.announcements import StrengthsCompared
from landsraad_engine.dune.battle.resolution import kills
from landsraad_engine.dune.battle.round import BattleRound
from landsraad_engine.dune.pieces import (
    ATREIDES,
    BENE_GESSERIT,
    DEFENSES,
    EMPEROR,
    FREMEN,
    GUILD,
    HARKONNEN,
    WEAPONS,
    WORTHLESS,
)
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import clash, commit, duel, plan, stand
from landsraad_engine.testing.seat_knowledge import faces_known_to


def battle(
    aggressor: BattlePlan, defender: BattlePlan, *others: str, hands: tuple[str, str] = ("", ""), **places: Any
) -> Scenario:
    """Emperor against Guild in Arrakeen, five ordinary tokens each, up to the first question after the plans."""
    s = duel(EMPEROR, GUILD, *others)
    for faction, hand in zip((EMPEROR, GUILD), hands, strict=True):
        s.lay(f"hand/{faction}", *hand.split())
    for key, value in places.items():
        s.put(key.replace("__", "/", 1).replace("__", ":"), value)
    return commit(clash(s), aggressor, defender)


def tokens(s: Scenario, faction: str, cell: str = "arrakeen:9") -> tuple[int, int, int]:
    counts: tuple[int, int, int] = s.g.troops(faction, cell)
    return counts


# ------------------------------------------------------------------------------------------------------- weapons


@covers("DUNE-6.18", "DUNE-6.21", "DUNE-T.3", "DUNE-T.4", "DUNE-T.6", "DUNE-T.7", "DUNE-T.9")
def test_a_weapon_kills_unless_the_defense_that_matches_it_is_played() -> None:
    stopped = {
        (weapon, defense)
        for weapon in WEAPONS
        for defense in (None, *DEFENSES, *WORTHLESS)
        if not kills(weapon, defense)
    }
    poison = ("chaumas", "chaumurky", "ellaca_drug", "gom_jabbar")
    projectile = ("crysknife", "maula_pistol", "slip_tip", "stunner")
    assert stopped == {(weapon, "snooper") for weapon in poison} | {(weapon, "shield") for weapon in projectile}
    assert not any(kills(card, None) for card in (None, *WORTHLESS))


@covers("DUNE-6.21", "DUNE-6.22", "DUNE-6.23", "DUNE-6.27")
def test_both_leaders_may_die_and_the_winner_is_paid_for_both() -> None:
    s = battle(plan(2, "bashar", "lasgun"), plan(1, "staban_tuek", "chaumas"), hands=("lasgun", "chaumas"))
    assert s.g.table["leader_tanks/emperor"] == ("bashar",)
    assert s.g.table["leader_tanks/guild"] == ("staban_tuek",)
    assert s.announced(StrengthsCompared) == [StrengthsCompared(EMPEROR, 2, GUILD, 1)]
    assert s.g.spice(EMPEROR) == 2 + 5
    assert s.g.spice(GUILD) == 0


@covers("DUNE-T.30")
def test_a_killed_cheap_hero_is_no_leader_in_the_tanks_and_pays_nothing() -> None:
    s = battle(plan(2, None, hero=True), plan(1, "guild_rep", "lasgun"), hands=("cheap_hero", "lasgun"))
    assert not s.g.table.get("leader_tanks/emperor")
    assert s.g.spice(EMPEROR) == s.g.spice(GUILD) == 0


@covers("DUNE-T.13", "DUNE-T.33", "DUNE-R.101")
def test_a_leader_beside_a_cheap_hero_goes_home_safe_and_the_hero_is_spent() -> None:
    s = battle(
        plan(5, "count_hasimir_fenring", hero=True),
        plan(1, "guild_rep", "lasgun"),
        hands=("cheap_hero", "lasgun"),
        traitors__guild=("count_hasimir_fenring",),
    )
    assert s.done, "nobody was asked to call the leader a traitor"
    assert "count_hasimir_fenring" in s.g.leaders(EMPEROR)
    assert "battle_of/count_hasimir_fenring" not in s.g.table
    assert s.announced(StrengthsCompared) == [StrengthsCompared(EMPEROR, 5, GUILD, 2)]
    assert s.g.table["treachery_discard"] == ("cheap_hero", "lasgun")


# ------------------------------------------------------------------------------------------------------- strengths


@covers("DUNE-6.23", "DUNE-6.24")
def test_the_greater_sum_of_dial_and_living_leader_wins() -> None:
    s = battle(plan(1, "bashar"), plan(0, "staban_tuek"))
    assert tokens(s, EMPEROR) == (0, 0, 0)
    assert tokens(s, GUILD) == (5, 0, 0)


@covers("DUNE-6.25")
def test_with_equal_strengths_the_aggressor_wins() -> None:
    s = battle(plan(3, "bashar"), plan(0, "staban_tuek"))
    assert tokens(s, EMPEROR) == (2, 0, 0)
    assert tokens(s, GUILD) == (0, 0, 0)


@covers("DUNE-6.30", "DUNE-6.26")
def test_one_can_win_with_nothing_left() -> None:
    s = battle(plan(5, "bashar"), plan(0, "guild_rep", "lasgun"), hands=("", "lasgun"))
    assert tokens(s, EMPEROR) == tokens(s, GUILD) == (0, 0, 0)
    assert s.g.table["leader_tanks/emperor"] == ("bashar",)
    assert s.g.spice(EMPEROR) == 2, "for the own leader, too"


# ------------------------------------------------------------------------------------------------------- losses


@covers("DUNE-6.26", "DUNE-R.34")
def test_the_winner_chooses_between_tokens_and_elites_worth_the_dial() -> None:
    s = duel(EMPEROR, GUILD)
    clash(stand(s, EMPEROR, "arrakeen:9", 4, 2))
    commit(s, plan(5, "bashar"), plan(0, "guild_rep"))
    assert s.asked == (EMPEROR,)
    assert s.legal(EMPEROR) == [LoseTokens((1,), (2,)), LoseTokens((3,), (1,))]
    s.refused(EMPEROR, LoseTokens((4,), (2,)))
    assert s.g.ask.default_for(s.seat(EMPEROR)) == LoseTokens((3,), (1,)), "elites are spared"
    s.answer(EMPEROR, LoseTokens((3,), (1,)))
    assert tokens(s, EMPEROR) == (1, 1, 0)
    assert s.g.tanks(EMPEROR) == (3, 1, 0)


@covers("DUNE-R.34")
def test_if_no_set_is_worth_the_dial_the_cheapest_above_it_is_lost() -> None:
    s = duel(EMPEROR, GUILD)
    clash(stand(s, EMPEROR, "arrakeen:9", 0, 3))
    commit(s, plan(3, "bashar"), plan(0, "guild_rep"))
    assert s.done
    assert tokens(s, EMPEROR) == (0, 1, 0)


@covers("DUNE-6.26", "DUNE-R.34")
def test_in_a_part_of_several_sectors_the_winner_says_where_tokens_die() -> None:
    s = duel(EMPEROR, GUILD)
    cells = ("old_gap:8", "old_gap:9", "old_gap:10")
    stand(stand(stand(s, EMPEROR, cells[0], 2), EMPEROR, cells[2], 1), GUILD, cells[1], 1)
    commit(clash(s, *cells), plan(2, "bashar"), plan(0, "guild_rep"))
    assert s.legal(EMPEROR) == [LoseTokens((1, 0, 1), (0, 0, 0)), LoseTokens((2, 0, 0), (0, 0, 0))]
    assert s.g.ask is not None
    assert s.g.ask.default_for(s.seat(EMPEROR)) == LoseTokens((2, 0, 0), (0, 0, 0)), "from the first sector on"
    s.answer(EMPEROR, LoseTokens((1, 0, 1), (0, 0, 0)))
    assert tokens(s, EMPEROR, cells[0]) == (1, 0, 0)
    assert tokens(s, GUILD, cells[1]) == (0, 0, 0)


@covers("DUNE-6.31", "DUNE-6.29", "DUNE-6.33")
def test_the_loser_loses_all_tokens_there_and_both_leaders_stay_in_the_territory() -> None:
    s = duel(EMPEROR, GUILD)
    clash(stand(stand(s, EMPEROR, "carthag:10", 2), GUILD, "carthag:10", 3))
    commit(s, plan(0, "bashar"), plan(2, "guild_rep"))
    assert tokens(s, EMPEROR) == (0, 0, 0)
    assert tokens(s, EMPEROR, "carthag:10") == (2, 0, 0)
    assert s.g.table["fought/emperor"] == ("bashar",)
    assert s.g.table["fought/guild"] == ("guild_rep",)
    assert s.g.table["battle_of/bashar"] == "arrakeen:9"


@covers("DUNE-5.21")
def test_a_secondary_dies_with_the_defeated_primary_coexisting_tokens_do_not() -> None:
    s = duel(EMPEROR, GUILD, FREMEN, BENE_GESSERIT)
    s.put("ally/guild", (FREMEN,)).put("ally/fremen", (GUILD,)).put("primary/arrakeen:9", GUILD)
    stand(stand(s, FREMEN, "arrakeen:9", 2, 1), BENE_GESSERIT, "arrakeen:9", 0, 0, 2)
    commit(clash(s), plan(0, "count_hasimir_fenring"), plan(0, "guild_rep"))
    assert tokens(s, GUILD) == tokens(s, FREMEN) == (0, 0, 0)
    assert s.g.tanks(FREMEN) == (2, 1, 0)
    assert sum(tokens(s, BENE_GESSERIT)) == 2
    assert "primary/arrakeen:9" not in s.g.table


@covers("DUNE-R.67", "DUNE-BG.18")
def test_of_a_loser_who_has_both_kinds_there_only_tokens_that_do_not_coexist_die() -> None:
    s = stand(duel(EMPEROR, BENE_GESSERIT), BENE_GESSERIT, "arrakeen:9", 2, 0, 3)
    clash(s).answer(BENE_GESSERIT, Pass())
    assert max(act.dial for act in s.legal(BENE_GESSERIT, BattlePlan)) == 2
    commit(s, plan(0, "count_hasimir_fenring"), plan(0, "alia"))
    assert s.g.tanks(BENE_GESSERIT) == (2, 0, 0)
    assert sum(tokens(s, BENE_GESSERIT)) == 3


# ------------------------------------------------------------------------------------------------------- cards


@covers("DUNE-6.28", "DUNE-6.32", "DUNE-T.8", "DUNE-T.47")
def test_the_winner_keeps_or_discards_each_card_the_loser_discards_all() -> None:
    s = battle(
        plan(5, "bashar", "kulon", "shield"),
        plan(0, "guild_rep", "stunner", "snooper"),
        hands=("kulon shield hajr", "stunner snooper karama"),
    )
    assert s.asked == (EMPEROR,)
    keeps = [(), ("kulon",), ("kulon", "shield"), ("shield",)]
    assert sorted(s.legal(EMPEROR, KeepCards), key=lambda act: act.cards) == [KeepCards(cards) for cards in keeps]
    s.answer(EMPEROR, KeepCards(("shield",)))
    assert s.g.hand(EMPEROR) == ("hajr", "shield")
    assert s.g.hand(GUILD) == ("karama",)
    assert sorted(s.g.table["treachery_discard"]) == ["kulon", "snooper", "stunner"]


def test_cards_kept_are_known_to_everybody_the_rest_of_the_hand_is_not() -> None:
    s = battle(plan(5, "bashar", "lasgun"), plan(0, "guild_rep"), FREMEN, hands=("lasgun shield", "")).answer(
        EMPEROR, KeepCards(("lasgun",))
    )
    assert faces_known_to(s.g, s.seat(FREMEN), "hand/emperor") == ["lasgun"]


# ------------------------------------------------------------------------------------------------------- the reveal


@covers("DUNE-6.19", "DUNE-6.20")
def test_plans_are_secret_until_both_are_in_then_both_are_open_and_stand() -> None:
    s = duel(EMPEROR, GUILD, FREMEN).lay("hand/emperor", "lasgun")
    clash(s).answer(EMPEROR, plan(5, "bashar", "lasgun"))
    assert "lasgun" not in repr(s.seen(GUILD)) + repr(s.seen(FREMEN))
    assert s.asked == (GUILD,)
    s.answer(GUILD, plan(0, "guild_rep"))
    for faction in (GUILD, FREMEN):
        seen = [e[2:] for e in s.seen(faction) if e[0] == "set" and e[2].startswith("plan/")]
        assert seen[:2] == [
            ("plan/emperor", (5, "bashar", "lasgun", None, False, False)),
            ("plan/guild", (0, "guild_rep", None, None, False, False)),
        ]
    assert s.asked == (EMPEROR,), "nothing is left but to resolve"


# ------------------------------------------------------------------------------------------------------- explosion


@pytest.mark.parametrize(
    "plans",
    [
        (plan(1, "bashar", "lasgun"), plan(1, "guild_rep", None, "shield")),
        (plan(1, "bashar", "lasgun", "shield"), plan(1, "guild_rep")),
    ],
)
@covers("DUNE-T.10", "DUNE-T.11", "DUNE-R.53", "DUNE-R.54", "DUNE-R.55", "DUNE-R.56", "DUNE-R.57", "DUNE-BG.19")
def test_lasgun_and_shield_destroy_everything_in_the_territory(plans: tuple[BattlePlan, BattlePlan]) -> None:
    s = duel(EMPEROR, GUILD, FREMEN, BENE_GESSERIT, storm=9)
    for faction in (EMPEROR, GUILD):
        stand(s, faction, "old_gap:8", 3).lay(f"hand/{faction}", "lasgun", "shield")
    stand(s, FREMEN, "old_gap:10", 2, 1)
    stand(s, BENE_GESSERIT, "old_gap:8", 0, 0, 2)
    s.put("blow/old_gap:9", 6).put("bank", -6)
    s.lay("leaders/fremen", "chani").lay("fought/fremen", "jamis").put("battle_of/jamis", "old_gap:10")
    s.lay("fought/guild", "master_bewt").put("battle_of/master_bewt", "carthag:10")
    commit(clash(s, "old_gap:8"), *plans)
    assert s.done
    for faction in (EMPEROR, GUILD, FREMEN, BENE_GESSERIT):
        assert s.g.tokens_at(faction, "old_gap") == (0, 0, 0)
        assert s.g.spice(faction) == 0
    assert tokens(s, EMPEROR) == (5, 0, 0), "other territories are not touched"
    assert s.g.tanks(FREMEN) == (2, 1, 0)
    assert s.g.table["leader_tanks/emperor"] == ("bashar",)
    assert s.g.table["leader_tanks/guild"] == ("guild_rep",)
    assert s.g.table["leader_tanks/fremen"] == ("jamis",)
    assert s.g.table["fought/guild"] == ("master_bewt",)
    assert "blow/old_gap:9" not in s.g.table
    assert sorted(s.g.table["treachery_discard"]) == ["lasgun", "shield"]


@covers("DUNE-R.74", "DUNE-ATR.10")
def test_bystanders_of_an_explosion_have_died_in_a_battle() -> None:
    s = duel(EMPEROR, GUILD, ATREIDES).lay("hand/emperor", "lasgun", "shield")
    stand(s, ATREIDES, "old_gap:10", 4)
    for faction in (EMPEROR, GUILD):
        stand(s, faction, "old_gap:8", 3)
    clash(s, "old_gap:8")
    s.until(BattlePlan)
    commit(s, plan(0, "bashar", "lasgun", "shield"), plan(0, "guild_rep"))
    assert s.g.table["kh/losses"] == 4


# ------------------------------------------------------------------------------------------------------- afterwards


def test_when_a_battle_is_over_nothing_of_it_is_left_behind() -> None:
    s = battle(plan(1, "bashar"), plan(0, "guild_rep"))
    assert s.done
    left = [key for key in s.g.table if key.startswith(("battle/", "plan/", "foreseen/")) or key == "battle"]
    assert left == []


@covers("DUNE-6.50")
def test_a_surviving_leader_fights_again_in_the_same_territory() -> None:
    s = duel(EMPEROR, GUILD, FREMEN)
    stand(s, FREMEN, "arrakeen:9", 2).run(BattleRound())
    s.answer(EMPEROR, ChooseBattle("arrakeen:9", GUILD))
    commit(s, plan(1, "bashar"), plan(0, "guild_rep"))
    s.answer(EMPEROR, plan(0, "bashar")).answer(FREMEN, plan(0, "jamis"))
    assert s.g.table["fought/emperor"] == ("bashar",)
    assert tokens(s, EMPEROR) == (4, 0, 0)


def test_a_harkonnen_victory_is_resolved_like_any_other() -> None:
    s = duel(HARKONNEN, GUILD)
    commit(clash(s), plan(1, "feyd_rautha"), plan(0, "guild_rep"))
    assert tokens(s, HARKONNEN) == (4, 0, 0)
