"""The Harkonnen swap cards for a Karama: blindly, one for one, and without escaping what they have answered."""

from typing import Any

from landsraad_engine.dune.acts import (
    AnswerPrescience,
    AnswerTruth,
    BattlePlan,
    CaptureLeader,
    GiveBack,
    KeepCards,
    Pass,
    PlayOpportunistic,
    PlayTruthtrance,
)
from landsraad_engine.dune.battle.battle import Battle
from landsraad_engine.dune.battle.fight import QUESTION, VOICE, foreseen_key
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, FREMEN, GUILD, HARKONNEN, LEADERS
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, plan, stand


def table(*factions: str, **hands: str) -> Scenario:
    s = at_table(*factions, orders=True)
    for faction, cards in hands.items():
        s.lay(f"hand/{faction}", *cards.split())
    return s


def numbers(s: Scenario, target: str) -> list[int]:
    """How many cards may be taken from a player."""
    found = s.open_plays(HARKONNEN).choices
    return [
        n
        for choice in found
        if choice.act is PlayOpportunistic and choice.domain("target").has(target)
        for n in choice.domain("number").values()
    ]


@covers("DUNE-K.19", "DUNE-K.20", "DUNE-T.29")
def test_cards_are_taken_at_random_set_aside_and_paid_for_from_the_former_hand() -> None:
    s = table(HARKONNEN, GUILD, harkonnen="karama kulon baliset", guild="shield snooper lasgun")
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 2))
    taken = s.g.table["opportunity/harkonnen"]
    assert len(taken) == 2
    assert s.legal(HARKONNEN) == [GiveBack(("baliset", "kulon"))]
    s.answer(HARKONNEN, GiveBack(("baliset", "kulon")))
    assert s.g.hand(HARKONNEN) == taken
    assert set(s.g.hand(GUILD)) == {"shield", "snooper", "lasgun", "baliset", "kulon"} - set(taken)
    assert s.g.table["treachery_discard"] == ("karama",)


@covers("DUNE-K.19")
def test_which_cards_are_taken_is_left_to_chance() -> None:
    taken = set()
    for seed in "abcdefgh":
        s = at_table(HARKONNEN, GUILD, seed=seed).lay("hand/harkonnen", "karama", "kulon")
        s.lay("hand/guild", "shield", "snooper", "lasgun").play(HARKONNEN, PlayOpportunistic(GUILD, 1))
        taken |= set(s.g.table["opportunity/harkonnen"])
    assert len(taken) > 1


@covers("DUNE-K.20")
def test_the_victim_learns_what_was_taken_and_nobody_else_learns_anything() -> None:
    s = table(HARKONNEN, GUILD, FREMEN, harkonnen="karama kulon", guild="shield")
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 1)).answer(HARKONNEN, GiveBack(("kulon",)))
    assert places_seen(s.g, s.seat(GUILD))["hand/harkonnen"] == ("shield",)
    assert places_seen(s.g, s.seat(HARKONNEN))["hand/guild"] == ("kulon",)
    told = s.seen(FREMEN)
    assert not [event for event in told if "shield" in str(event) or "kulon" in str(event)]


@covers("DUNE-K.19")
def test_no_more_are_taken_than_the_target_holds_and_the_harkonnen_could_give() -> None:
    s = table(HARKONNEN, GUILD, FREMEN, harkonnen="karama kulon baliset", guild="shield", fremen="hajr snooper lasgun")
    assert numbers(s, GUILD) == [1]
    assert numbers(s, FREMEN) == [1, 2]
    assert numbers(table(HARKONNEN, GUILD, harkonnen="karama", guild="shield"), GUILD) == []


def test_the_swap_is_the_harkonnens_alone() -> None:
    s = table(HARKONNEN, GUILD, harkonnen="shield", guild="karama kulon")
    s.refused(GUILD, PlayOpportunistic(HARKONNEN, 1), play=True)


# ------------------------------------------------------------------------------------------------------- in a battle


def fight(*others: str, voice: Any = None, question: Any = None, answer: Any = None, **hands: str) -> Scenario:
    """The Harkonnen attack the Guild and have their plan to make."""
    s = table(HARKONNEN, GUILD, *others, **hands)
    for faction in (HARKONNEN, GUILD):
        s.lay(f"leaders/{faction}", *LEADERS[faction])
    stand(s, HARKONNEN, "tueks_sietch:4", 5)
    stand(s, GUILD, "tueks_sietch:4", 3)
    s.run(Battle(("tueks_sietch:4",), HARKONNEN, GUILD))
    while s.where != "Battle.commit":
        s.answer(s.asked[0], Pass())
    s.put(VOICE, voice).put(QUESTION, question)
    if answer is not None:
        s.put(foreseen_key(ATREIDES, HARKONNEN), answer)
    return s.again()


@covers("DUNE-K.21")
def test_the_swap_may_make_the_voice_void() -> None:
    s = fight(
        BENE_GESSERIT,
        voice=(BENE_GESSERIT, HARKONNEN, True, "poison_weapon"),
        harkonnen="karama chaumas",
        guild="shield",
    )
    assert {act.weapon for act in s.legal(HARKONNEN, BattlePlan)} == {"chaumas"}
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 1)).answer(HARKONNEN, GiveBack(("chaumas",)))
    assert {act.weapon for act in s.legal(HARKONNEN)} == {None}  # type: ignore[attr-defined]


@covers("DUNE-K.22", "DUNE-T.23")
def test_the_swap_may_not_undo_a_truthtrance_answer() -> None:
    s = fight(FREMEN, harkonnen="karama chaumas kulon", guild="shield snooper", fremen="truthtrance")
    s.play(FREMEN, PlayTruthtrance(HARKONNEN, "weapon", "poison")).answer(HARKONNEN, AnswerTruth(True))
    # With the poison to be kept there is only one card to give.
    assert numbers(s, GUILD) == [1]
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 1))
    s.refused(HARKONNEN, GiveBack(("chaumas",)), rule="DUNE-K.22")
    s.answer(HARKONNEN, GiveBack(("kulon",)))


@covers("DUNE-K.22")
def test_only_what_the_harkonnen_have_promised_to_play_keeps_a_card_from_the_swap() -> None:
    s = fight(FREMEN, harkonnen="karama chaumas kulon", guild="shield snooper", fremen="truthtrance truthtrance")
    s.play(FREMEN, PlayTruthtrance(HARKONNEN, "weapon", "poison")).answer(HARKONNEN, AnswerTruth(False))
    s.play(FREMEN, PlayTruthtrance(GUILD, "defense", "projectile")).answer(GUILD, AnswerTruth(True))
    assert numbers(s, GUILD) == [1, 2]


@covers("DUNE-K.22", "DUNE-T.23")
def test_the_swap_may_not_undo_an_answer_under_prescience() -> None:
    s = fight(
        ATREIDES,
        question=(ATREIDES, HARKONNEN, "weapon"),
        answer=("weapon", "chaumas"),
        harkonnen="karama chaumas kulon",
        guild="shield snooper",
    )
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 1))
    s.refused(HARKONNEN, GiveBack(("chaumas",)), rule="DUNE-K.22")


@covers("DUNE-K.22", "DUNE-T.23")
def test_without_a_leader_the_cheap_hero_stays_who_has_to_bring_the_card_promised() -> None:
    s = fight(FREMEN, harkonnen="karama cheap_hero chaumas kulon", guild="shield snooper", fremen="truthtrance")
    s.play(FREMEN, PlayTruthtrance(HARKONNEN, "weapon", "poison")).answer(HARKONNEN, AnswerTruth(True))
    assert numbers(s, GUILD) == [1, 2], "with a leader at home the Cheap Hero may be given"
    s.put("leaders/harkonnen", None).again()
    assert numbers(s, GUILD) == [1]
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 1))
    s.refused(HARKONNEN, GiveBack(("cheap_hero",)), rule="DUNE-K.22")
    s.answer(HARKONNEN, GiveBack(("kulon",)))
    assert plan(0, None, "chaumas", hero=True) in s.legal(HARKONNEN)


def poison_ordered(*others: str, guild: str = "chaumas", **more: Any) -> Scenario:
    """The Voice wants poison of the Harkonnen, who have none until they take what the Guild hold."""
    voice = (BENE_GESSERIT, HARKONNEN, True, "poison_weapon")
    return fight(BENE_GESSERIT, *others, voice=voice, harkonnen="karama stunner kulon", guild=guild, **more)


def swap(s: Scenario) -> Scenario:
    return s.play(HARKONNEN, PlayOpportunistic(GUILD, 1)).answer(HARKONNEN, GiveBack(("kulon",)))


@covers("DUNE-R.122", "DUNE-K.22", "DUNE-R.32")
def test_the_voice_does_not_undo_through_the_swap_what_was_answered_under_prescience() -> None:
    s = poison_ordered(ATREIDES, question=(ATREIDES, HARKONNEN, "weapon"))
    s.answer(HARKONNEN, AnswerPrescience("stunner"))
    while s.where != "Battle.commit":
        s.answer(s.asked[0], Pass())
    assert {act.weapon for act in s.legal(HARKONNEN, BattlePlan)} == {"stunner"}
    swap(s)
    assert {act.weapon for act in s.legal(HARKONNEN, BattlePlan)} == {"stunner"}
    for other in (GUILD, BENE_GESSERIT, ATREIDES):
        assert not [event for event in s.seen(other) if "battle/excused" in str(event)]
    s.answer(HARKONNEN, plan(5, "umman_kudu", "stunner")).answer(GUILD, plan(0, "guild_rep"))
    told = [e.public for e in s.told("declare", rule="DUNE-BG.27")]
    assert told == [(s.seat(HARKONNEN), "could not obey", "poison_weapon")]


@covers("DUNE-R.122", "DUNE-K.22", "DUNE-T.23")
def test_nor_does_it_undo_a_truthtrance_answer() -> None:
    s = poison_ordered(FREMEN, fremen="truthtrance")
    s.play(FREMEN, PlayTruthtrance(HARKONNEN, "weapon", "poison")).answer(HARKONNEN, AnswerTruth(False))
    swap(s)
    assert {act.weapon for act in s.legal(HARKONNEN, BattlePlan)} == {None, "stunner"}
    assert not s.told("declare", rule="DUNE-T.20")


@covers("DUNE-R.122", "DUNE-BG.23")
def test_where_no_answer_stands_against_it_the_voice_is_obeyed_with_what_the_swap_brought() -> None:
    s = swap(poison_ordered(FREMEN, fremen="truthtrance"))
    assert {act.weapon for act in s.legal(HARKONNEN, BattlePlan)} == {"chaumas"}
    s.play(FREMEN, PlayTruthtrance(HARKONNEN, "weapon", "poison"))
    assert s.legal(HARKONNEN) == [AnswerTruth(True)]
    s.answer(HARKONNEN, AnswerTruth(True))
    s.answer(HARKONNEN, plan(5, "umman_kudu", "chaumas")).answer(GUILD, plan(0, "guild_rep"))
    while not s.done:
        s.answer(s.asked[0], s.legal(s.asked[0])[0])
    assert "battle/excused" not in s.g.table


@covers("DUNE-K.22")
def test_a_card_of_the_same_kind_taken_in_may_stand_in_for_the_one_promised() -> None:
    s = fight(FREMEN, harkonnen="karama chaumas kulon", guild="ellaca_drug", fremen="truthtrance")
    s.play(FREMEN, PlayTruthtrance(HARKONNEN, "weapon", "poison")).answer(HARKONNEN, AnswerTruth(True))
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 1)).answer(HARKONNEN, GiveBack(("chaumas",)))
    assert {act.weapon for act in s.legal(HARKONNEN, BattlePlan)} == {"ellaca_drug"}


@covers("DUNE-6.20", "DUNE-6.32", "DUNE-K.19")
def test_cards_that_lie_open_in_a_plan_can_neither_be_taken_nor_given() -> None:
    s = fight(harkonnen="karama chaumas shield", guild="stunner stunner snooper")
    s.answer(HARKONNEN, plan(5, "umman_kudu", "chaumas")).answer(GUILD, plan(0, "guild_rep", "stunner"))
    assert (s.where, s.asked) == ("Resolution.cards", (HARKONNEN,))
    assert numbers(s, GUILD) == [1], "only the Shield can be given"
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 1))
    assert s.legal(HARKONNEN) == [GiveBack(("shield",))]
    s.answer(HARKONNEN, GiveBack(("shield",))).answer(HARKONNEN, KeepCards(()))
    assert s.g.table["treachery_discard"] == ("karama", "chaumas", "stunner")


@covers("DUNE-6.28", "DUNE-6.32", "DUNE-K.19")
def test_once_the_cards_played_are_discarded_or_kept_all_others_may_be_taken_and_given() -> None:
    s = fight(harkonnen="karama chaumas", guild="shield shield")
    s.answer(HARKONNEN, plan(5, "umman_kudu", "chaumas")).answer(GUILD, plan(0, "guild_rep", None, "shield"))
    s.answer(HARKONNEN, KeepCards(("chaumas",)))
    assert s.where == "ASubtlePoison.offer"
    assert s.g.table["treachery_discard"] == ("shield",)
    assert numbers(s, GUILD) == [1], "the second Shield was not played, and the weapon is in the hand again"
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 1)).answer(HARKONNEN, GiveBack(("chaumas",)))
    assert (s.g.hand(HARKONNEN), s.g.hand(GUILD)) == (("shield",), ("chaumas",))
    s.answer(HARKONNEN, CaptureLeader())
    assert s.where == "Captive.fate"


@covers("DUNE-6.20", "DUNE-K.19")
def test_from_who_has_played_everything_nothing_can_be_taken() -> None:
    s = fight(harkonnen="karama kulon chaumas", guild="cheap_hero stunner shield")
    s.answer(HARKONNEN, plan(5, "umman_kudu", "chaumas")).answer(GUILD, plan(0, None, "stunner", "shield", hero=True))
    assert s.where == "Resolution.cards"
    assert numbers(s, GUILD) == []
