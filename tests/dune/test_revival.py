"""What comes back from the Tanks: in the Revival Round, with the Ghola, and with Combat Medics."""

import pytest

from landsraad_engine.dune.acts import Pass, PlayCombatMedics, PlayGhola, Revive
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.pieces import (
    ATREIDES,
    BENE_GESSERIT,
    EMPEROR,
    FACTION,
    FREMEN,
    GUILD,
    HARKONNEN,
    KWISATZ_HADERACH,
    LEADERS,
)
from landsraad_engine.dune.revival import RevivalRound
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table


def tanks(
    faction: str,
    tokens: int = 0,
    elites: int = 0,
    *,
    spice: int = 20,
    leaders: tuple[str, ...] = (),
    him: str | None = None,
) -> Scenario:
    """A faction with losses, and another without any; ``him`` is how the Kwisatz Haderach fares."""
    scenario = at_table(faction, BENE_GESSERIT if faction != BENE_GESSERIT else GUILD)
    alive = tuple(leader for leader in LEADERS[faction] if leader not in leaders)
    scenario.put(f"tanks/{faction}", (tokens, elites, 0)).put(f"spice/{faction}", spice or None)
    scenario.lay(f"leaders/{faction}", *alive).lay(f"leader_tanks/{faction}", *leaders)
    return scenario.put("kh/state", him)


def round_of(scenario: Scenario) -> Scenario:
    return scenario.run(RevivalRound())


# ------------------------------------------------------------------------------------------------------------ tokens


@covers("DUNE-4.1")
def test_players_revive_in_dot_order_and_who_has_nothing_in_the_tanks_is_not_asked() -> None:
    s = at_table(FREMEN, GUILD, HARKONNEN).put("storm", 1)
    for faction in (FREMEN, HARKONNEN):
        s.put(f"tanks/{faction}", (1, 0, 0))
    s.run(RevivalRound())
    # The storm has passed dot 0: the order is Guild, Harkonnen, Fremen.
    assert s.asked == (HARKONNEN,)
    s.answer(HARKONNEN, Revive())
    assert s.asked == (FREMEN,)
    s.answer(FREMEN, Revive(tokens=1))
    assert s.done


@covers("DUNE-4.11")
@pytest.mark.parametrize(
    ("faction", "free"),
    [(FREMEN, 3), (ATREIDES, 2), (HARKONNEN, 2), (BENE_GESSERIT, 1), (EMPEROR, 1), (GUILD, 1)],
)
def test_free_revivals_differ_by_faction(faction: str, free: int) -> None:
    s = round_of(tanks(faction, 5, spice=0))
    assert s.legal(faction) == [Revive(tokens=n) for n in range(free + 1)]
    assert FACTION[faction]["free_revivals"] == free


@covers("DUNE-4.9", "DUNE-4.10")
def test_tokens_beyond_the_free_ones_cost_two_spice_and_go_to_the_reserves() -> None:
    s = round_of(tanks(GUILD, 5, spice=5)).answer(GUILD, Revive(tokens=3))
    assert s.g.spice(GUILD) == 1
    assert s.g.table["bank"] == 4
    assert s.g.reserves(GUILD) == (3, 0, 0)
    assert s.g.tanks(GUILD) == (2, 0, 0)


@covers("DUNE-4.9")
def test_what_cannot_be_paid_cannot_be_revived() -> None:
    s = round_of(tanks(ATREIDES, 5, spice=1))
    s.refused(ATREIDES, Revive(tokens=3), rule="DUNE-4.9")
    s = round_of(tanks(EMPEROR, 5, spice=3))
    assert Revive(tokens=2) in s.legal(EMPEROR)
    assert Revive(tokens=3) not in s.legal(EMPEROR)


@covers("DUNE-4.8")
def test_three_tokens_are_the_most_free_ones_included() -> None:
    s = round_of(tanks(FREMEN, 8))
    s.refused(FREMEN, Revive(tokens=4), rule="DUNE-4.8")
    s.answer(FREMEN, Revive(tokens=3))
    assert s.done


@covers("DUNE-EMP.7")
def test_one_sardaukar_comes_back_in_a_round_and_counts_as_one_token() -> None:
    s = round_of(tanks(EMPEROR, 3, 3))
    s.refused(EMPEROR, Revive(tokens=0, elites=2), rule="DUNE-EMP.7")
    s.refused(EMPEROR, Revive(tokens=3, elites=1), rule="DUNE-4.8")
    s.answer(EMPEROR, Revive(tokens=2, elites=1))
    assert s.g.reserves(EMPEROR) == (2, 1, 0)
    assert s.g.spice(EMPEROR) == 16


@covers("DUNE-FRE.14")
def test_one_fedaykin_comes_back_in_a_round_and_counts_as_one_token() -> None:
    s = round_of(tanks(FREMEN, 3, 2))
    s.refused(FREMEN, Revive(elites=2), rule="DUNE-FRE.14")
    s.answer(FREMEN, Revive(tokens=2, elites=1))
    assert s.g.spice(FREMEN) == 20
    assert s.g.reserves(FREMEN) == (2, 1, 0)


# ----------------------------------------------------------------------------------------------------------- leaders


@covers("DUNE-4.2", "DUNE-4.4")
def test_a_killed_leader_lies_face_down_and_cannot_be_bought_back() -> None:
    s = tanks(GUILD, 1)
    s.g.kill_leader(f"leaders/{GUILD}", "guild_rep")
    assert s.g.table[f"leader_tanks/{GUILD}"] == ("guild_rep",)
    round_of(s)
    s.refused(GUILD, Revive(leader="guild_rep"), rule="DUNE-4.4")


@covers("DUNE-4.3", "DUNE-4.4", "DUNE-4.5", "DUNE-4.6")
def test_when_all_five_are_in_the_tanks_they_are_turned_up_and_one_may_be_bought() -> None:
    s = round_of(tanks(GUILD, leaders=LEADERS[GUILD]))
    assert s.legal(GUILD) == [Revive(leader=leader) for leader in (None, *sorted(LEADERS[GUILD]))]
    s.answer(GUILD, Revive(leader="esmar_tuek"))
    assert s.g.spice(GUILD) == 17
    assert s.g.leaders(GUILD) == ("esmar_tuek",)
    assert s.g.may_fight("esmar_tuek")
    assert s.done


@covers("DUNE-4.3")
def test_captured_leaders_count_as_gone() -> None:
    gone = LEADERS[GUILD][:3]
    s = at_table(GUILD, HARKONNEN).lay(f"leader_tanks/{GUILD}", *gone).lay(f"captured/{GUILD}", *LEADERS[GUILD][3:])
    s.put(f"spice/{GUILD}", 9).run(RevivalRound())
    assert s.g.table[f"face_up/{GUILD}"] == tuple(sorted(gone))


@covers("DUNE-4.12", "DUNE-4.3")
def test_a_leader_once_turned_up_stays_open_although_others_live_again() -> None:
    s = round_of(tanks(GUILD, leaders=LEADERS[GUILD])).answer(GUILD, Revive(leader="master_bewt"))
    s.put("turn", 3)
    s.g.kill_leader(f"leaders/{GUILD}", "master_bewt")
    round_of(s)
    # Four lie face up; the one who died again lies face down beside them.
    s.refused(GUILD, Revive(leader="master_bewt"), rule="DUNE-4.4")
    s.answer(GUILD, Revive(leader="guild_rep"))
    assert s.g.leaders(GUILD) == ("guild_rep",)


@covers("DUNE-4.5")
def test_a_leader_too_dear_for_the_purse_is_refused() -> None:
    s = round_of(tanks(GUILD, leaders=LEADERS[GUILD], spice=2))
    s.refused(GUILD, Revive(leader="staban_tuek"), rule="DUNE-4.5")
    assert Revive(leader="soo_soo_sook") in s.legal(GUILD)


@covers("DUNE-4.5", "DUNE-4.9")
def test_tokens_and_leader_are_paid_from_one_purse() -> None:
    s = round_of(tanks(GUILD, 3, leaders=LEADERS[GUILD], spice=5))
    s.refused(GUILD, Revive(tokens=3, leader="soo_soo_sook"), rule="DUNE-4.9")
    s.answer(GUILD, Revive(tokens=2, leader="esmar_tuek"))
    assert s.g.spice(GUILD) == 0


@covers("DUNE-4.7")
def test_a_traitor_stays_a_traitor_through_the_tanks() -> None:
    s = tanks(GUILD, leaders=LEADERS[GUILD]).lay(f"traitors/{BENE_GESSERIT}", "guild_rep")
    round_of(s).answer(GUILD, Revive(leader="guild_rep"))
    assert s.g.table[f"traitors/{BENE_GESSERIT}"] == ("guild_rep",)


# --------------------------------------------------------------------------------------------------- Kwisatz Haderach


@covers("DUNE-ATR.17", "DUNE-R.71")
def test_the_kwisatz_haderach_comes_back_for_two_spice_as_the_leader_of_the_turn() -> None:
    s = round_of(tanks(ATREIDES, leaders=LEADERS[ATREIDES], him="dead"))
    s.answer(ATREIDES, Revive(leader=KWISATZ_HADERACH))
    assert s.g.table["kh/state"] == "alive"
    assert s.g.spice(ATREIDES) == 18
    assert s.done


@covers("DUNE-R.71")
def test_he_cannot_come_back_while_no_leader_could() -> None:
    s = round_of(tanks(ATREIDES, 1, leaders=LEADERS[ATREIDES][:4], him="dead"))
    assert s.legal(ATREIDES, Revive) == [Revive(), Revive(tokens=1)]


@covers("DUNE-ATR.18", "DUNE-R.72")
@pytest.mark.parametrize("state", [None, "alive", "dead"])
def test_he_is_not_counted_when_leaders_are_turned_up(state: str | None) -> None:
    s = round_of(tanks(ATREIDES, leaders=LEADERS[ATREIDES], him=state))
    assert s.g.table[f"face_up/{ATREIDES}"] == tuple(sorted(LEADERS[ATREIDES]))
    assert (Revive(leader=KWISATZ_HADERACH) in s.legal(ATREIDES)) is (state == "dead")


# ------------------------------------------------------------------------------------------- Ghola and Combat Medics


def test_nobody_is_offered_a_ghola_without_the_card_or_without_dead() -> None:
    s = tanks(GUILD, 3)
    assert not set(s.open_plays(GUILD).enumerate(2000)) & {PlayGhola(tokens=1)}
    s = tanks(GUILD).lay(f"hand/{GUILD}", "tleilaxu_ghola")
    assert not any(choice.act is PlayGhola for choice in s.open_plays(GUILD).choices)


@covers("DUNE-T.13", "DUNE-T.24", "DUNE-T.26", "DUNE-T.27")
def test_the_ghola_brings_back_five_tokens_of_any_kind_for_nothing() -> None:
    s = tanks(EMPEROR, 4, 4, spice=0).lay(f"hand/{EMPEROR}", "tleilaxu_ghola")
    s.refused(EMPEROR, PlayGhola(tokens=3, elites=3), play=True)
    s.refused(EMPEROR, PlayGhola(), play=True)
    s.play(EMPEROR, PlayGhola(tokens=1, elites=4))
    assert s.g.reserves(EMPEROR) == (1, 4, 0)
    assert s.g.table["treachery_discard"] == ("tleilaxu_ghola",)
    # The Revival Round is not touched by it.
    round_of(s).answer(EMPEROR, Revive(tokens=1))


@covers("DUNE-T.24", "DUNE-T.25")
def test_the_ghola_takes_any_leader_although_others_live() -> None:
    s = tanks(GUILD, 4, leaders=("guild_rep",)).lay(f"hand/{GUILD}", "tleilaxu_ghola")
    s.refused(GUILD, PlayGhola(tokens=1, leader="guild_rep"), play=True)
    s.play(GUILD, PlayGhola(leader="guild_rep"))
    assert "guild_rep" in s.g.leaders(GUILD)
    assert s.g.spice(GUILD) == 20


@covers("DUNE-T.28", "DUNE-0.29")
def test_a_ghola_leader_does_not_fight_in_the_round_of_its_death() -> None:
    """The card says nothing of it, the almanac does."""
    s = tanks(GUILD).lay(f"hand/{GUILD}", "tleilaxu_ghola")
    s.g.kill_leader(f"leaders/{GUILD}", "guild_rep")
    s.play(GUILD, PlayGhola(leader="guild_rep"))
    assert not s.g.may_fight("guild_rep")
    s.put("turn", 3)
    assert s.g.may_fight("guild_rep")


@covers("DUNE-T.24")
def test_the_ghola_may_be_played_in_the_middle_of_anothers_turn() -> None:
    s = at_table(GUILD, FREMEN).put(f"tanks/{GUILD}", (2, 0, 0)).put(f"tanks/{FREMEN}", (1, 0, 0))
    s.lay(f"hand/{FREMEN}", "tleilaxu_ghola").run(RevivalRound())
    assert s.asked == (GUILD,)
    s.play(FREMEN, PlayGhola(tokens=1))
    assert s.asked == (GUILD,)
    s.answer(GUILD, Revive(tokens=1))
    assert s.done


@covers("DUNE-K.9", "DUNE-K.10", "DUNE-T.29")
def test_the_emperors_karama_brings_back_three_tokens_beyond_every_limit() -> None:
    s = tanks(EMPEROR, 2, 4).lay(f"hand/{EMPEROR}", "karama")
    s.refused(EMPEROR, PlayCombatMedics(elites=4), play=True)
    s.play(EMPEROR, PlayCombatMedics(elites=3))
    assert s.g.reserves(EMPEROR) == (0, 3, 0)
    assert s.g.spice(EMPEROR) == 20
    assert s.g.table["treachery_discard"] == ("karama",)
    round_of(s).answer(EMPEROR, Revive(tokens=2, elites=1))


@covers("DUNE-K.9", "DUNE-K.11")
def test_the_emperors_karama_brings_back_a_leader_who_does_not_fight_at_once() -> None:
    s = tanks(EMPEROR).lay(f"hand/{EMPEROR}", "karama")
    s.g.kill_leader(f"leaders/{EMPEROR}", "burseg")
    s.play(EMPEROR, PlayCombatMedics(leader="burseg"))
    assert "burseg" in s.g.leaders(EMPEROR)
    assert not s.g.may_fight("burseg")


@covers("DUNE-K.9")
def test_combat_medics_are_the_emperors_alone() -> None:
    s = tanks(GUILD, 3).lay(f"hand/{GUILD}", "karama")
    s.refused(GUILD, PlayCombatMedics(tokens=1), play=True)


def test_a_standing_order_has_the_ghola_offered_as_a_round_begins() -> None:
    s = tanks(GUILD, 2).lay(f"hand/{GUILD}", "tleilaxu_ghola").put(f"orders/{0}", ("ask:ghola",))
    s.run(s.g.at(Timing.ROUND_BEGINS, "storm"))
    assert s.asked == (GUILD,)
    assert s.legal(GUILD) == [Pass(), PlayGhola(tokens=1), PlayGhola(tokens=2)]
    s.answer(GUILD, PlayGhola(tokens=2))
    assert s.g.reserves(GUILD) == (2, 0, 0)
    s.answer(GUILD, Pass())
    assert s.done
