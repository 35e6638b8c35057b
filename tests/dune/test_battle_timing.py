"""The ten steps before a battle is resolved: the Voice, Prescience, See Future, and the Karamas between them."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import (
    AnswerPrescience,
    AskPrescience,
    BattleKarama,
    BattlePlan,
    GiveBack,
    OfferLeaderless,
    Pass,
    PlayCard,
    PlayCombatMedics,
    PlayGhola,
    PlayOpportunistic,
    SpeakVoice,
)
from landsraad_engine.dune.battle.voice import KINDS
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
from landsraad_engine.dune.promises import BATTLE, TRUTHS, Promise
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import ally, clash, commit, duel, plan, stand

PASS = Pass()
ALL_CARDS = ("cheap_hero", *WEAPONS, *DEFENSES, *WORTHLESS)


def spoken(order: SpeakVoice, *hand: str, leaders: tuple[str, ...] = ("guild_rep",)) -> Scenario:
    """The Guild under the Voice, with these cards, up to the plans."""
    s = duel(BENE_GESSERIT, GUILD).lay("hand/guild", *hand).lay("leaders/guild", *leaders)
    s = clash(s).answer(BENE_GESSERIT, order)
    return s.answer(GUILD, PASS) if s.asked == (GUILD,) else s


def asked(part: str, *hand: str, others: tuple[str, ...] = (), **places: Any) -> Scenario:
    """Harkonnen under Prescience, with these cards, up to the answer."""
    s = duel(ATREIDES, HARKONNEN, *others).lay("hand/harkonnen", *hand)
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    return clash(s).answer(ATREIDES, AskPrescience(part))


def declared(s: Scenario, rule: str) -> list[Any]:
    return [e.public for e in s.told("declare", rule=rule)]


# ------------------------------------------------------------------------------------------------------- the Voice


@covers("DUNE-BG.23", "DUNE-BG.24", "DUNE-BG.25", "DUNE-BG.26", "DUNE-R.92")
def test_the_voice_orders_one_of_six_kinds_to_be_played_or_left_out() -> None:
    s = clash(duel(BENE_GESSERIT, GUILD))
    assert s.asked == (BENE_GESSERIT,)
    kinds = ("projectile_weapon", "poison_weapon", "lasgun", "projectile_defense", "poison_defense", "worthless")
    orders = [SpeakVoice(must, kind) for must in (True, False) for kind in kinds]
    assert s.legal(BENE_GESSERIT) == [PASS, *orders]
    for kind in ("cheap_hero", "karama", "any"):
        s.refused(BENE_GESSERIT, SpeakVoice(True, kind), "DUNE-R.92")


@pytest.mark.parametrize("kind", KINDS)
@covers("DUNE-BG.23")
def test_who_can_obey_the_voice_must(kind: str) -> None:
    places, cards = KINDS[kind]

    def has(act: Any) -> bool:
        return any(getattr(act, place) in cards for place in places)

    every = set(spoken(SpeakVoice(True, kind), leaders=()).legal(GUILD))
    hand = ("lasgun", "chaumas", "stunner", "shield", "snooper", "baliset")
    free = set(clash(duel(HARKONNEN, GUILD).lay("hand/guild", *hand).lay("leaders/guild", "guild_rep")).legal(GUILD))
    assert set(spoken(SpeakVoice(True, kind), *hand).legal(GUILD)) == {act for act in free if has(act)}
    assert set(spoken(SpeakVoice(False, kind), *hand).legal(GUILD)) == {act for act in free if not has(act)}
    assert every == {plan(dial) for dial in range(6)}


@covers("DUNE-BG.27")
def test_who_cannot_obey_plays_freely_and_says_so_when_plans_are_open() -> None:
    s = spoken(SpeakVoice(True, "lasgun"), "chaumas")
    assert {act.weapon for act in s.legal(GUILD, BattlePlan)} == {None, "chaumas"}
    assert declared(s, "DUNE-BG.27") == []
    commit(s, plan(1, "alia"), plan(1, "guild_rep", "chaumas"))
    assert declared(s, "DUNE-BG.27") == [(s.seat(GUILD), "could not obey", "lasgun")]


@covers("DUNE-BG.27")
def test_who_obeys_has_nothing_to_say() -> None:
    s = spoken(SpeakVoice(False, "poison_weapon"), "chaumas")
    s.refused(GUILD, plan(1, "guild_rep", "chaumas"), "DUNE-BG.23")
    commit(s, plan(1, "alia"), plan(1, "guild_rep"))
    assert declared(s, "DUNE-BG.27") == []


@covers("DUNE-BG.28")
def test_beside_a_worthless_card_that_was_ordered_a_weapon_or_defense_may_be_played() -> None:
    legal = spoken(SpeakVoice(True, "worthless"), "baliset", "lasgun", "shield").legal(GUILD)
    assert plan(0, "guild_rep", "baliset", "shield") in legal
    assert plan(0, "guild_rep", "lasgun", "baliset") in legal
    assert plan(0, "guild_rep", "lasgun", "shield") not in legal


@covers("DUNE-T.31", "DUNE-R.106")
def test_the_voice_obliges_nobody_to_play_a_cheap_hero() -> None:
    s = spoken(SpeakVoice(True, "lasgun"), "cheap_hero", "lasgun", leaders=())
    legal = s.legal(GUILD)
    assert plan(0) in legal
    assert plan(0, None, "lasgun", hero=True) in legal
    assert plan(0, hero=True) not in legal


@covers("DUNE-K.23", "DUNE-6.44")
def test_a_karama_cancels_the_voice_right_after_it_is_spoken() -> None:
    s = clash(duel(BENE_GESSERIT, GUILD).lay("hand/guild", "karama", "lasgun"))
    s.answer(BENE_GESSERIT, SpeakVoice(True, "lasgun"))
    assert s.asked == (GUILD,)
    s.answer(GUILD, PlayCard("karama"))
    assert plan(0, "guild_rep") in s.legal(GUILD)
    assert "cancelled" not in s.g.table


@covers("DUNE-A.2")
def test_the_bene_gesserit_speak_for_an_ally_to_the_allys_opponent() -> None:
    s = clash(ally(duel(FREMEN, GUILD, BENE_GESSERIT), BENE_GESSERIT, FREMEN).lay("hand/guild", "lasgun"))
    s.answer(BENE_GESSERIT, SpeakVoice(True, "lasgun"))
    s.until(BattlePlan)
    s.refused(GUILD, plan(0, "guild_rep"), "DUNE-BG.23")


@covers("DUNE-V.9")
def test_with_the_option_the_ally_speaks_with_the_voice() -> None:
    s = ally(duel(FREMEN, GUILD, BENE_GESSERIT, direct_prescience_voice=True), BENE_GESSERIT, FREMEN)
    assert clash(s).asked == (FREMEN,)
    s.answer(FREMEN, SpeakVoice(False, "lasgun"))
    assert s.g.table["battle/voice"] == (FREMEN, GUILD, False, "lasgun")


def test_in_a_battle_of_others_there_is_no_voice_and_no_prescience() -> None:
    s = clash(duel(FREMEN, GUILD, BENE_GESSERIT, ATREIDES))
    assert s.asked == (FREMEN, GUILD)


# ------------------------------------------------------------------------------------------------------- Prescience


@covers("DUNE-ATR.4", "DUNE-ATR.7", "DUNE-6.44")
def test_atreides_make_their_opponent_answer_for_one_part_of_the_plan() -> None:
    s = clash(duel(ATREIDES, HARKONNEN))
    assert s.legal(ATREIDES) == [PASS, *map(AskPrescience, ("dial", "leader", "weapon", "defense"))]
    s.answer(ATREIDES, AskPrescience("dial"))
    assert s.asked == (HARKONNEN,)
    s.answer(HARKONNEN, AnswerPrescience(3))
    assert {act.dial for act in s.legal(HARKONNEN, BattlePlan)} == {3}
    assert {act.dial for act in s.legal(ATREIDES, BattlePlan)} == {0, 1, 2, 3, 4, 5}
    s.refused(HARKONNEN, plan(2, "feyd_rautha"), "DUNE-R.32")


@pytest.mark.parametrize(
    ("part", "answers"),
    [
        ("weapon", (None, "lasgun", "baliset")),
        ("defense", (None, "baliset", "shield")),
        ("leader", ("umman_kudu", "cheap_hero")),
        ("dial", (0, 1, 2, 3, 4, 5)),
    ],
)
@covers("DUNE-ATR.4")
def test_the_answers_are_what_some_plan_has_there(part: str, answers: tuple[Any, ...]) -> None:
    s = asked(part, "lasgun", "shield", "baliset", "cheap_hero", leaders__harkonnen=("umman_kudu",))
    assert {act.value for act in s.legal(HARKONNEN, AnswerPrescience)} == set(answers)


@covers("DUNE-R.102")
def test_who_answers_with_a_leader_may_still_bring_a_cheap_hero() -> None:
    s = asked("leader", "cheap_hero").answer(HARKONNEN, AnswerPrescience("feyd_rautha"))
    heroes = {(act.leader, act.cheap_hero) for act in s.legal(HARKONNEN, BattlePlan)}
    assert heroes == {("feyd_rautha", False), ("feyd_rautha", True)}


@covers("DUNE-ATR.6")
def test_that_no_weapon_is_played_is_an_answer_and_the_last_one() -> None:
    s = asked("weapon", "stunner").answer(HARKONNEN, AnswerPrescience(None))
    assert s.asked == (ATREIDES, HARKONNEN)
    assert {act.weapon for act in s.legal(HARKONNEN, BattlePlan)} == {None}


@covers("DUNE-ATR.4", "DUNE-K.7")
def test_the_answer_is_known_to_who_asked_and_who_answered_alone() -> None:
    s = asked("weapon", "stunner", others=(FREMEN,)).answer(HARKONNEN, AnswerPrescience("stunner"))
    place = "foreseen/atreides/harkonnen"
    assert places_seen(s.g, s.seat(ATREIDES))[place] == ("weapon", "stunner")
    assert places_seen(s.g, s.seat(HARKONNEN))[place] == ("weapon", "stunner")
    assert places_seen(s.g, s.seat(FREMEN))[place] == "?"
    assert "stunner" not in repr(s.seen(FREMEN))


@covers("DUNE-ATR.5", "DUNE-R.96")
def test_voice_and_prescience_are_separate_steps_the_voice_first() -> None:
    s = clash(ally(duel(ATREIDES, HARKONNEN, BENE_GESSERIT), ATREIDES, BENE_GESSERIT))
    assert s.asked == (BENE_GESSERIT,)
    s.refused(ATREIDES, AskPrescience("dial"))
    s.answer(BENE_GESSERIT, PASS)
    assert s.asked == (ATREIDES,)
    s.answer(ATREIDES, PASS)
    assert [*s.asked] == [ATREIDES, HARKONNEN]


@covers("DUNE-6.47")
def test_the_answer_obeys_the_voice() -> None:
    s = ally(duel(ATREIDES, HARKONNEN, BENE_GESSERIT), ATREIDES, BENE_GESSERIT).lay(
        "hand/harkonnen", "stunner", "lasgun"
    )
    s.lay("leaders/harkonnen", "umman_kudu")
    clash(s).answer(BENE_GESSERIT, SpeakVoice(False, "lasgun"))
    s.until(AskPrescience)
    s.answer(ATREIDES, AskPrescience("weapon"))
    while PASS in s.legal(HARKONNEN):
        s.answer(HARKONNEN, PASS)
    assert s.legal(HARKONNEN) == [AnswerPrescience(None), AnswerPrescience("stunner")]


@covers("DUNE-6.47", "DUNE-T.22")
def test_the_answer_keeps_earlier_truthtrance_answers() -> None:
    promise = Promise(HARKONNEN, ATREIDES, "dial", 3, True, BATTLE)
    s = asked("dial", truths=(tuple(promise),))
    assert s.legal(HARKONNEN) == [AnswerPrescience(3), AnswerPrescience(4), AnswerPrescience(5)]


@covers("DUNE-K.24")
def test_a_karama_cancels_the_question_right_after_it_is_put() -> None:
    s = asked("weapon", "karama", "stunner")
    s.answer(HARKONNEN, PlayCard("karama"))
    assert s.asked == (ATREIDES, HARKONNEN)
    assert {act.weapon for act in s.legal(HARKONNEN, BattlePlan)} == {None, "stunner"}
    assert "cancelled" not in s.g.table


@covers("DUNE-A.1")
def test_atreides_ask_for_an_ally() -> None:
    s = clash(ally(duel(FREMEN, GUILD, ATREIDES), ATREIDES, FREMEN))
    assert s.asked == (ATREIDES,)
    s.answer(ATREIDES, AskPrescience("leader")).answer(GUILD, AnswerPrescience("guild_rep"))
    assert {act.leader for act in s.legal(GUILD, BattlePlan)} == {"guild_rep"}


@covers("DUNE-V.8")
def test_with_the_option_the_ally_puts_the_question_and_gets_the_answer() -> None:
    s = clash(ally(duel(FREMEN, GUILD, ATREIDES, direct_prescience_voice=True), ATREIDES, FREMEN))
    s.answer(FREMEN, AskPrescience("leader")).answer(GUILD, AnswerPrescience("guild_rep"))
    assert places_seen(s.g, s.seat(FREMEN))["foreseen/fremen/guild"] == ("leader", "guild_rep")
    assert places_seen(s.g, s.seat(ATREIDES))["foreseen/fremen/guild"] == "?"


# ------------------------------------------------------------------------------------------------------- See Future

SEE_HARKONNEN = BattleKarama("karama", "see_future", HARKONNEN)


def foreseen(*hand: str, part: str | None = None, first: Any = None) -> Scenario:
    """Atreides have played See Future on Harkonnen, perhaps after a Prescience question and its answer."""
    s = duel(ATREIDES, HARKONNEN).lay("hand/harkonnen", *hand).lay("hand/atreides", "karama", "karama")
    clash(s).answer(ATREIDES, PASS if part is None else AskPrescience(part))
    if part is not None:
        s.answer(ATREIDES, PASS).answer(HARKONNEN, AnswerPrescience(first))
    return s.answer(ATREIDES, SEE_HARKONNEN)


@covers("DUNE-K.5", "DUNE-K.7", "DUNE-6.44")
def test_by_karama_atreides_see_the_whole_plan_before_making_their_own() -> None:
    s = foreseen("stunner")
    assert s.asked == (HARKONNEN,)
    shown = plan(2, "feyd_rautha", "stunner")
    s.answer(HARKONNEN, shown)
    seen = places_seen(s.g, s.seat(ATREIDES))["foreseen/atreides/harkonnen"]
    assert seen == ("plan", (2, "feyd_rautha", "stunner", None, False, False))
    assert s.legal(HARKONNEN) == [shown]
    assert s.g.table["treachery_discard"] == ("karama",)


@covers("DUNE-K.6", "DUNE-ATR.8", "DUNE-6.46", "DUNE-6.48")
def test_the_target_of_see_future_may_think_again_about_the_part_answered_before() -> None:
    s = foreseen("stunner", part="weapon", first="stunner")
    s.answer(HARKONNEN, plan(0, "feyd_rautha"))
    assert s.legal(HARKONNEN) == [plan(0, "feyd_rautha")]


@covers("DUNE-K.5", "DUNE-R.104")
def test_see_future_works_in_a_battle_of_others_on_either_side() -> None:
    s = clash(duel(FREMEN, HARKONNEN, ATREIDES).lay("hand/atreides", "karama"))
    assert s.asked == (ATREIDES,)
    effects = [(act.effect, act.target) for act in s.legal(ATREIDES, BattleKarama)]
    assert effects == [("see_future", FREMEN), ("see_future", HARKONNEN)]
    s.answer(ATREIDES, SEE_HARKONNEN).answer(HARKONNEN, plan(1, "umman_kudu"))
    assert [*s.asked] == [FREMEN, HARKONNEN]
    assert s.legal(HARKONNEN) == [plan(1, "umman_kudu")]


@covers("DUNE-6.49", "DUNE-R.105")
def test_see_future_declared_before_the_answer_waits_for_its_step() -> None:
    s = duel(ATREIDES, HARKONNEN).lay("hand/atreides", "karama")
    clash(s).answer(ATREIDES, AskPrescience("dial"))
    assert s.asked == (ATREIDES,), "the window before the answer"
    s.answer(ATREIDES, SEE_HARKONNEN)
    assert not [key for key in s.g.table if key.startswith("foreseen/")]
    assert s.asked == (HARKONNEN,)
    assert s.where == "Answers.answer"


@covers("DUNE-V.8")
def test_who_asked_for_an_ally_learns_the_part_when_the_whole_plan_is_shown_to_atreides() -> None:
    s = ally(duel(FREMEN, GUILD, ATREIDES, direct_prescience_voice=True), ATREIDES, FREMEN)
    s.lay("hand/atreides", "karama")
    clash(s).answer(FREMEN, AskPrescience("dial"))
    s.answer(ATREIDES, PASS).answer(ATREIDES, PASS).answer(GUILD, AnswerPrescience(1))
    s.answer(ATREIDES, BattleKarama("karama", "see_future", GUILD)).answer(GUILD, plan(4, "guild_rep"))
    assert s.g.table["foreseen/fremen/guild"] == ("dial", 4)


# ------------------------------------------------------------------------------------------------- Karamas afterwards


@covers("DUNE-6.45", "DUNE-6.46", "DUNE-6.48", "DUNE-ATR.8", "DUNE-ATR.9")
def test_a_karama_after_the_answer_calls_for_a_new_one_to_the_same_question() -> None:
    s = asked("dial", "stunner", others=(EMPEROR,), hand__emperor=("karama",), tanks__emperor=(1, 0, 0))
    s.answer(EMPEROR, PASS).answer(HARKONNEN, AnswerPrescience(1))
    s.answer(ATREIDES, plan(0, "lady_jessica"))
    s.play(EMPEROR, PlayCombatMedics(1, 0, None))
    assert s.asked == (HARKONNEN,)
    s.answer(HARKONNEN, AnswerPrescience(4))
    assert [*s.asked] == [ATREIDES, HARKONNEN], "what was committed before is taken up again"
    assert {act.dial for act in s.legal(HARKONNEN, BattlePlan)} == {4}


@covers("DUNE-6.45")
def test_a_karama_while_the_answer_is_thought_over_calls_for_no_second_one() -> None:
    s = asked("dial", "stunner", others=(EMPEROR,), hand__emperor=("karama",), tanks__emperor=(1, 0, 0))
    s.answer(EMPEROR, PASS)
    assert s.asked == (HARKONNEN,)
    s.play(EMPEROR, PlayCombatMedics(1, 0, None)).answer(HARKONNEN, AnswerPrescience(1))
    assert s.where == "Battle.commit"


@covers("DUNE-R.105")
def test_after_a_karama_others_may_follow_until_nobody_plays_one() -> None:
    s = stand(duel(EMPEROR, ATREIDES, GUILD), EMPEROR, "arrakeen:9", 1, 2).put("kh/state", "alive")
    s.lay("hand/guild", "karama", "karama")
    clash(s).answer(ATREIDES, PASS).answer(GUILD, BattleKarama("karama", "sardaukar", EMPEROR))
    assert [act.effect for act in s.legal(GUILD, BattleKarama)] == ["kwisatz_haderach"]
    s.answer(GUILD, BattleKarama("karama", "kwisatz_haderach", ATREIDES))
    assert s.where == "Battle.commit"
    assert {act.kwisatz_haderach for act in s.legal(ATREIDES, BattlePlan)} == {False}


@covers("DUNE-K.8")
def test_a_karama_after_the_plan_was_shown_lets_the_target_show_another() -> None:
    s = duel(ATREIDES, HARKONNEN, EMPEROR).lay("hand/atreides", "karama").lay("hand/emperor", "karama")
    s.put("tanks/emperor", (1, 0, 0))
    clash(s).answer(ATREIDES, PASS).answer(ATREIDES, SEE_HARKONNEN)
    s.answer(HARKONNEN, plan(1, "umman_kudu")).play(EMPEROR, PlayCombatMedics(1, 0, None))
    assert s.asked == (HARKONNEN,)
    s.answer(HARKONNEN, plan(5, "feyd_rautha"))
    assert s.legal(HARKONNEN) == [plan(5, "feyd_rautha")]


def leaderless_emperor(*hand: str, part: str = "leader", first: Any = None, **places: Any) -> Scenario:
    """The Emperor, whose leaders are all dead, has answered a Prescience question and could play Combat Medics."""
    s = duel(ATREIDES, EMPEROR).lay("hand/emperor", "karama", *hand)
    s.lay("leaders/emperor").lay("leader_tanks/emperor", "burseg", "bashar")
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    clash(s).answer(ATREIDES, AskPrescience(part))
    while PASS in s.legal(EMPEROR):
        s.answer(EMPEROR, PASS)
    return s.answer(EMPEROR, AnswerPrescience(first))


@covers("DUNE-T.23")
def test_combat_medics_may_not_bring_a_leader_to_who_has_answered_to_have_none() -> None:
    s = leaderless_emperor(tanks__emperor=(1, 0, 0))
    s.refused(EMPEROR, PlayCombatMedics(leader="burseg"), play=True)
    s.play(EMPEROR, PlayCombatMedics(tokens=1))
    assert {act.leader for act in s.legal(EMPEROR, BattlePlan)} == {None}


@covers("DUNE-T.23")
def test_combat_medics_may_not_undo_a_truthtrance_answer_about_the_leader() -> None:
    no_burseg = Promise(EMPEROR, ATREIDES, "leader", "burseg", False, BATTLE)
    s = leaderless_emperor(part="weapon", truths=(tuple(no_burseg),))
    s.refused(EMPEROR, PlayCombatMedics(leader="burseg"), play=True)
    s.play(EMPEROR, PlayCombatMedics(leader="bashar"))
    assert {act.leader for act in s.legal(EMPEROR, BattlePlan)} == {"bashar"}


@pytest.mark.parametrize(
    ("part", "first", "places"),
    [
        ("weapon", None, {}),
        ("leader", "cheap_hero", {}),
        ("leader", None, {"died__burseg": 2}),  # killed in this turn, so not to be played in it
    ],
)
@covers("DUNE-T.23")
def test_combat_medics_may_bring_a_leader_beside_whom_the_answer_can_be_kept(
    part: str, first: Any, places: dict[str, Any]
) -> None:
    s = leaderless_emperor("cheap_hero", part=part, first=first, **places)
    s.play(EMPEROR, PlayCombatMedics(leader="burseg"))
    assert s.g.leaders(EMPEROR) == ("burseg",)


@covers("DUNE-R.126")
def test_nor_does_the_ghola_undo_an_answer_about_the_leader() -> None:
    s = leaderless_emperor("tleilaxu_ghola", tanks__emperor=(1, 0, 0))
    s.refused(EMPEROR, PlayGhola(leader="burseg"), play=True)
    s.play(EMPEROR, PlayGhola(tokens=1))
    assert {act.leader for act in s.legal(EMPEROR, BattlePlan)} == {None}
    no_burseg = Promise(EMPEROR, ATREIDES, "leader", "burseg", False, BATTLE)
    s = leaderless_emperor("tleilaxu_ghola", part="weapon", truths=(tuple(no_burseg),))
    s.refused(EMPEROR, PlayGhola(leader="burseg"), play=True)
    s.play(EMPEROR, PlayGhola(leader="bashar"))


@covers("DUNE-T.23", "DUNE-K.22")
def test_ones_own_karama_changes_no_answer_and_the_card_answered_stays_in_hand() -> None:
    s = asked("weapon", "karama", "stunner", "shield", hand__atreides=("hajr", "kulon"))
    s.answer(HARKONNEN, PASS).answer(HARKONNEN, AnswerPrescience("stunner"))
    s.play(HARKONNEN, PlayOpportunistic(ATREIDES, 1))
    assert s.legal(HARKONNEN) == [GiveBack(("shield",))]
    s.answer(HARKONNEN, GiveBack(("shield",)))
    assert s.where == "Battle.commit"
    assert {act.weapon for act in s.legal(HARKONNEN, BattlePlan)} == {"stunner"}


@covers("DUNE-T.23")
def test_a_worthless_card_that_was_answered_is_no_karama_in_this_battle() -> None:
    s = duel(ATREIDES, BENE_GESSERIT).lay("hand/bene_gesserit", "baliset").put("kh/state", "alive")
    clash(s).answer(BENE_GESSERIT, PASS).answer(ATREIDES, AskPrescience("weapon"))
    assert s.asked == (BENE_GESSERIT,)
    assert PlayCard("baliset") in s.legal(BENE_GESSERIT)
    s.answer(BENE_GESSERIT, PASS)
    assert BattleKarama("baliset", "kwisatz_haderach", ATREIDES) in s.legal(BENE_GESSERIT)
    s.answer(BENE_GESSERIT, PASS).answer(BENE_GESSERIT, AnswerPrescience("baliset"))
    assert s.where == "Battle.commit", "no window is left in which the card could be played"


@covers("DUNE-K.21")
def test_harkonnen_who_swap_the_card_away_need_not_obey_the_voice() -> None:
    s = duel(BENE_GESSERIT, HARKONNEN).lay("hand/bene_gesserit", "hajr").lay("hand/harkonnen", "karama", "lasgun")
    s.lay("leaders/harkonnen", "umman_kudu")
    clash(s).answer(BENE_GESSERIT, SpeakVoice(True, "lasgun"))
    s.play(HARKONNEN, PlayOpportunistic(BENE_GESSERIT, 1)).answer(HARKONNEN, GiveBack(("lasgun",)))
    s.until(BattlePlan)
    commit(s, plan(0, "alia"), plan(0, "umman_kudu"))
    assert declared(s, "DUNE-BG.27") == [(s.seat(HARKONNEN), "could not obey", "lasgun")]


@covers("DUNE-K.26", "DUNE-K.27", "DUNE-R.5", "DUNE-6.46")
@pytest.mark.parametrize(("owner", "effect"), [(EMPEROR, "sardaukar"), (FREMEN, "fedaykin")])
def test_a_karama_takes_the_elites_bonus_away_for_one_battle(owner: str, effect: str) -> None:
    s = duel(owner, GUILD).lay("hand/guild", "karama")
    clash(stand(s, owner, "arrakeen:9", 1, 2))
    assert s.asked == (GUILD,)
    s.answer(GUILD, BattleKarama("karama", effect, owner))
    assert max(act.dial for act in s.legal(owner, BattlePlan)) == 3
    weakest = s.g.ask.default_for(s.seat(owner)).leader
    commit(s, plan(0, weakest), plan(0, "staban_tuek"))
    assert "cancelled" not in s.g.table


def test_sardaukar_against_fremen_have_no_bonus_to_take_away() -> None:
    s = stand(duel(EMPEROR, FREMEN, GUILD).lay("hand/guild", "karama"), EMPEROR, "arrakeen:9", 1, 2)
    assert clash(s).asked == (EMPEROR, FREMEN)


@covers("DUNE-K.25")
def test_a_karama_bars_the_kwisatz_haderach_from_one_battle() -> None:
    s = duel(ATREIDES, GUILD).lay("hand/guild", "karama").put("kh/state", "alive")
    clash(s).answer(ATREIDES, PASS).answer(GUILD, BattleKarama("karama", "kwisatz_haderach", ATREIDES))
    assert {act.kwisatz_haderach for act in s.legal(ATREIDES, BattlePlan)} == {False}


@covers("DUNE-0.27")
def test_of_two_who_play_for_the_same_effect_the_second_in_dot_order_keeps_the_card() -> None:
    s = stand(duel(EMPEROR, GUILD, HARKONNEN), EMPEROR, "arrakeen:9", 1, 2)
    for faction in (GUILD, HARKONNEN):
        s.lay(f"hand/{faction}", "karama")
    act = BattleKarama("karama", "sardaukar", EMPEROR)
    clash(s).answer(HARKONNEN, act).answer(GUILD, act)
    assert s.g.hand(GUILD) == ()
    assert s.g.hand(HARKONNEN) == ("karama",)


@covers("DUNE-0.27", "DUNE-K.29")
@pytest.mark.parametrize(
    ("answer", "barred", "seen"),
    [(PlayCard("karama"), None, ()), (PASS, ("KWISATZ_HADERACH",), ((ATREIDES, BENE_GESSERIT),))],
)
def test_a_karama_spent_against_an_earlier_play_is_not_played_again(answer: Any, barred: Any, seen: Any) -> None:
    """Both play at once; before the turn comes to the second, its player may use the card against the first play."""
    s = duel(BENE_GESSERIT, ATREIDES).put("kh/state", "alive")
    s.lay("hand/bene_gesserit", "baliset").lay("hand/atreides", "karama")
    clash(s).answer(BENE_GESSERIT, PASS).answer(ATREIDES, PASS)
    s.answer(BENE_GESSERIT, BattleKarama("baliset", "kwisatz_haderach", ATREIDES))
    s.answer(ATREIDES, BattleKarama("karama", "see_future", BENE_GESSERIT)).answer(ATREIDES, answer)
    assert s.g.table.get("cancelled") == barred
    assert s.g.table.get("battle/seen", ()) == seen
    assert s.g.table["treachery_discard"] == ("baliset", "karama")
    assert s.where == ("Answers.answer" if seen else "Battle.commit")


@covers("DUNE-R.11")
def test_windows_go_to_all_who_could_hold_a_karama_and_show_nothing() -> None:
    s = stand(duel(EMPEROR, GUILD, HARKONNEN), EMPEROR, "arrakeen:9", 1, 2)
    s.lay("hand/harkonnen", "shield").lay("hand/guild", "karama")
    for faction in (EMPEROR, GUILD, HARKONNEN):
        s.put(f"orders/{s.seat(faction)}", None)
    clash(s)
    assert s.asked == (GUILD, HARKONNEN)
    s.answer(HARKONNEN, PASS)
    assert not [e for e in s.seen(EMPEROR) if "quiet" in repr(e)]


@covers("DUNE-6.14", "DUNE-R.103")
def test_no_leaderless_agreement_after_somebody_has_answered_for_a_plan() -> None:
    s = asked("leader").answer(HARKONNEN, AnswerPrescience("feyd_rautha"))
    s.refused(HARKONNEN, OfferLeaderless(own=True, theirs=True), play=True)


@covers("DUNE-T.22", "DUNE-R.32", "DUNE-R.110")
def test_a_truthtrance_after_the_answer_yields_to_it() -> None:
    s = asked("weapon", "stunner").answer(HARKONNEN, AnswerPrescience("stunner"))
    s.put(TRUTHS, (tuple(Promise(HARKONNEN, ATREIDES, "weapon", "any", False, BATTLE)),))
    s.refused(HARKONNEN, plan(0, "feyd_rautha"))
    s.answer(ATREIDES, plan(0, "lady_jessica"))
    s.answer(HARKONNEN, plan(0, "feyd_rautha", "stunner"))
    assert s.where == "Resolution.cards", "both plans are open"


@covers("DUNE-6.47", "DUNE-6.48", "DUNE-T.22")
def test_truthtrance_answers_are_judged_after_the_new_answer_not_before() -> None:
    s = asked("weapon", "stunner", others=(GUILD,), hand__guild=("karama",), kh__state="alive")
    s.answer(GUILD, PASS).answer(GUILD, PASS).answer(HARKONNEN, AnswerPrescience(None))
    s.put(TRUTHS, (tuple(Promise(HARKONNEN, GUILD, "weapon", "any", True, BATTLE)),))
    s.answer(GUILD, BattleKarama("karama", "kwisatz_haderach", ATREIDES))
    assert s.legal(HARKONNEN) == [AnswerPrescience("stunner")]
    s.answer(HARKONNEN, AnswerPrescience("stunner"))
    assert declared(s, "DUNE-T.20") == []
    assert s.where == "Battle.commit"
