"""The rulebook's example of a battle: Harkonnen attack Fremen in Sietch Tabr."""

from landsraad_engine.dune.acts import BattlePlan, ChooseBattle, KeepCards, Pass, SpeakVoice
from landsraad_engine.dune.announcements import StrengthsCompared
from landsraad_engine.dune.battle.round import BattleRound
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.pieces import BENE_GESSERIT, FREMEN, GUILD, HARKONNEN, LEADERS
from landsraad_engine.testing import Scenario, covers, position
from landsraad_engine.testing.dune import plan

TABR = "sietch_tabr:13"


def example() -> Scenario:
    """The position as the Battle Round begins; a second battle shows that Harkonnen choose the order."""
    s = position(
        DUNE,
        factions=(HARKONNEN, FREMEN, BENE_GESSERIT, GUILD),
        alliances=[(FREMEN, BENE_GESSERIT)],
        troops={
            FREMEN: {TABR: (3, 2)},
            BENE_GESSERIT: {TABR: (0, 0, 1)},
            HARKONNEN: {TABR: 12, "tueks_sietch": 1},
            GUILD: {"tueks_sietch": 1},
        },
        dead=["jamis", "otheym", "shadout_mapes", "stilgar"],
        hands={FREMEN: ["maula_pistol", "shield"], HARKONNEN: ["slip_tip", "shield", "snooper", "cheap_hero"]},
        traitors={},
    )
    return s.run(BattleRound())


def after_the_voice() -> Scenario:
    """Harkonnen have chosen the battle, and the Bene Gesserit have ordered them to play a poison defense."""
    s = (
        example()
        .answer(HARKONNEN, ChooseBattle(TABR, FREMEN))
        .answer(BENE_GESSERIT, SpeakVoice(True, "poison_defense"))
    )
    return s.until("Battle.commit")


FREMEN_PLAN = plan(6, "chani", "maula_pistol", "shield")
HARKONNEN_PLAN = plan(11, "captain_iakin_nefud", "slip_tip", "snooper")


def fought() -> Scenario:
    """Both plans have been committed."""
    return after_the_voice().answer(FREMEN, FREMEN_PLAN).answer(HARKONNEN, HARKONNEN_PLAN)


@covers("DUNE-X.3", "DUNE-X.5")
def test_harkonnen_are_aggressor_and_choose_sietch_tabr_first() -> None:
    s = example()
    assert s.asked == (HARKONNEN,)
    assert s.legal(HARKONNEN) == [ChooseBattle(TABR, FREMEN), ChooseBattle("tueks_sietch:4", GUILD)]
    assert s.g.troops(FREMEN, TABR) == (3, 2, 0)
    assert s.g.troops(BENE_GESSERIT, TABR) == (0, 0, 1)
    s.answer(HARKONNEN, ChooseBattle(TABR, FREMEN))
    assert s.g.table["battle"] == (HARKONNEN, FREMEN, "sietch_tabr")


@covers("DUNE-X.6", "DUNE-X.7", "DUNE-X.1", "DUNE-X.2")
def test_the_fremen_dial_six_of_seven_the_harkonnen_eleven_of_twelve() -> None:
    s = after_the_voice()
    assert [max(act.dial for act in s.legal(side, BattlePlan)) for side in (FREMEN, HARKONNEN)] == [7, 12]
    assert FREMEN_PLAN.dial == 6
    s.answer(FREMEN, FREMEN_PLAN).answer(HARKONNEN, HARKONNEN_PLAN)
    assert s.g.table["plan/harkonnen"][0] == 11


@covers("DUNE-X.8", "DUNE-X.9")
def test_chani_has_to_be_played_harkonnen_may_choose_anybody_or_a_cheap_hero() -> None:
    s = after_the_voice()
    assert {act.leader for act in s.legal(FREMEN, BattlePlan)} == {"chani"}
    leaders = {(act.leader, act.cheap_hero) for act in s.legal(HARKONNEN, BattlePlan)}
    assert {leader for leader, hero in leaders if not hero} == set(LEADERS[HARKONNEN])
    assert (None, True) in leaders


@covers("DUNE-X.10", "DUNE-X.11")
def test_both_sides_have_a_weapon_and_a_defense_to_play() -> None:
    s = example().answer(HARKONNEN, ChooseBattle(TABR, FREMEN)).answer(BENE_GESSERIT, Pass())
    assert FREMEN_PLAN in s.legal(FREMEN)
    assert plan(11, "captain_iakin_nefud", "slip_tip", "shield") in s.legal(HARKONNEN), "as they first intend"


@covers("DUNE-X.12", "DUNE-X.13")
def test_ordered_to_play_a_poison_defense_harkonnen_replace_the_shield_by_the_snooper() -> None:
    s = after_the_voice()
    s.refused(HARKONNEN, plan(11, "captain_iakin_nefud", "slip_tip", "shield"), "DUNE-BG.23")
    s.answer(HARKONNEN, HARKONNEN_PLAN)


@covers("DUNE-X.14", "DUNE-X.15", "DUNE-X.16")
def test_the_maula_pistol_kills_nefud_the_shield_saves_chani_and_the_fremen_are_paid_two() -> None:
    s = fought()
    assert s.g.table["leader_tanks/harkonnen"] == ("captain_iakin_nefud",)
    assert s.g.table["fought/fremen"] == ("chani",)
    before = after_the_voice()
    assert s.g.spice(FREMEN) == before.g.spice(FREMEN) + 2
    assert s.g.table["bank"] == before.g.table["bank"] - 2


@covers("DUNE-X.17", "DUNE-X.18")
def test_twelve_beats_eleven() -> None:
    assert fought().announced(StrengthsCompared) == [StrengthsCompared(HARKONNEN, 11, FREMEN, 12)]


@covers("DUNE-X.19", "DUNE-X.20", "DUNE-X.21", "DUNE-X.22")
def test_the_fremen_pay_both_fedaykin_and_two_troops_and_keep_cards_and_chani() -> None:
    s = fought()
    # No other set of their tokens is worth six, so there is nothing to choose but the cards.
    assert s.legal(FREMEN, KeepCards)
    s.answer(FREMEN, KeepCards(("maula_pistol", "shield")))
    assert s.g.troops(FREMEN, TABR) == (1, 0, 0)
    assert s.g.tanks(FREMEN) == (2, 2, 0)
    assert s.g.hand(FREMEN) == ("maula_pistol", "shield")
    assert s.g.table["battle_of/chani"] == TABR
    assert s.g.troops(HARKONNEN, TABR) == (0, 0, 0)
    assert s.g.tanks(HARKONNEN) == (12, 0, 0)
    assert s.g.hand(HARKONNEN) == ("cheap_hero", "shield")
    assert sorted(s.g.table["treachery_discard"]) == ["slip_tip", "snooper"]
    assert s.g.troops(BENE_GESSERIT, TABR) == (0, 0, 1)
