"""Truthtrance answers about a card in the plan, a traitor, a Karama, a revival and the first storm."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import (
    AnswerTruth,
    BattlePlan,
    DialStorm,
    Pass,
    PlayCard,
    PlayCombatMedics,
    PlayGhola,
    PlayOpportunistic,
    PlayTruthtrance,
    Revive,
)
from landsraad_engine.dune.announcements import KaramaPlayed, TraitorCalled
from landsraad_engine.dune.battle.battle import Battle
from landsraad_engine.dune.bidding import CardAuction
from landsraad_engine.dune.factions.fremen_worms import ThumperWindow
from landsraad_engine.dune.factions.harkonnen_opportunistic import promised
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.karama import Ability, CancelWindow, karamas
from landsraad_engine.dune.movement import MovementRound
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN, LEADERS
from landsraad_engine.dune.revival import RevivalRound
from landsraad_engine.dune.storm import StormRound
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import ally, at_table, stand

YES = AnswerTruth(True)
NO = AnswerTruth(False)


def ask(target: str, question: str, value: str | int | None = None) -> PlayTruthtrance:
    return PlayTruthtrance(target, question, value)


def holder(*factions: str, **places: Any) -> Scenario:
    """The first faction holds both Truthtrances. Places are written with __ for the slash."""
    s = at_table(*factions, orders=True).lay(f"hand/{factions[0]}", "truthtrance", "truthtrance")
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    return s


def declared(s: Scenario) -> list[Any]:
    """Return the declarations about answers given: (what, (question, value, answer))."""
    return [e.public[1:] for e in s.told("declare", rule="DUNE-T.20") if e.public is not None]


def fight(attacker: str = HARKONNEN, defender: str = GUILD, *others: str, **places: Any) -> Scenario:
    """Two sides fight in Tuek's Sietch; the Fremen ask."""
    s = holder(FREMEN, attacker, defender, *others)
    for faction in (FREMEN, attacker, defender, *others):
        s.lay(f"leaders/{faction}", *LEADERS[faction])
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    stand(stand(s, attacker, "tueks_sietch:4", 5), defender, "tueks_sietch:4", 3)
    return s.run(Battle(("tueks_sietch:4",), attacker, defender)).until("Battle.commit")


# ------------------------------------------------------------------------------------------------- cards in the plan


@covers("DUNE-R.16", "DUNE-T.15")
def test_nobody_promises_a_card_that_is_not_in_the_hand() -> None:
    s = fight(hand__harkonnen=("shield",)).play(FREMEN, ask(HARKONNEN, "card", "snooper"))
    assert s.legal(HARKONNEN) == [NO]


@covers("DUNE-R.16", "DUNE-T.23")
def test_a_worthless_card_promised_for_the_plan_is_no_karama_meanwhile() -> None:
    s = fight(BENE_GESSERIT, hand__bene_gesserit=("kulon", "baliset"))
    assert set(karamas(s.g, BENE_GESSERIT)) == {"kulon", "baliset"}
    s.play(FREMEN, ask(BENE_GESSERIT, "card", "kulon")).answer(BENE_GESSERIT, YES)
    assert karamas(s.g, BENE_GESSERIT) == ("baliset",)


@covers("DUNE-R.16", "DUNE-T.23")
def test_a_card_promised_for_the_plan_is_not_given_away_by_a_swap() -> None:
    s = fight(hand__harkonnen=("chaumas", "slip_tip"))
    s.play(FREMEN, ask(HARKONNEN, "card", "chaumas")).answer(HARKONNEN, YES)
    assert promised(s.g) == (frozenset({"chaumas"}),)


# ----------------------------------------------------------------------------------------------------------- traitors


def called(answer: AnswerTruth, leader: str = "guild_rep") -> Scenario:
    """The Harkonnen have said whether they call a traitor, and the Guild have played a leader."""
    s = fight(traitors__harkonnen=("guild_rep",))
    s.play(FREMEN, ask(HARKONNEN, "calls traitor")).answer(HARKONNEN, answer)
    s.answer(HARKONNEN, BattlePlan(1, "feyd_rautha", None, None, cheap_hero=False, kwisatz_haderach=False))
    return s.answer(GUILD, BattlePlan(1, leader, None, None, cheap_hero=False, kwisatz_haderach=False))


@covers("DUNE-R.16", "DUNE-T.19")
def test_who_has_promised_to_call_a_traitor_does_so_if_there_is_one() -> None:
    s = called(YES)
    assert s.where != "Resolution.traitors", "there is nothing to decide any more"
    assert s.announced(TraitorCalled) == [TraitorCalled(HARKONNEN, "guild_rep")]
    assert declared(s) == []


@covers("DUNE-R.16", "DUNE-T.19")
def test_who_has_promised_to_call_none_is_silent() -> None:
    s = called(NO)
    assert s.where != "Resolution.traitors"
    assert s.announced(TraitorCalled) == []


@covers("DUNE-R.16", "DUNE-T.20")
def test_a_promised_call_without_a_traitor_is_declared_invalid() -> None:
    s = called(YES, "staban_tuek")
    assert s.announced(TraitorCalled) == []
    assert declared(s) == [("answer invalid", ("calls traitor", None, True))]


@covers("DUNE-R.16", "DUNE-T.15", "DUNE-A.7")
def test_only_who_could_call_a_traitor_promises_it() -> None:
    s = fight(traitors__harkonnen=("chani",)).play(FREMEN, ask(HARKONNEN, "calls traitor"))
    assert s.legal(HARKONNEN) == [NO], "no leader of the Guild is in their pay"
    s = fight().play(FREMEN, ask(GUILD, "calls traitor"))
    assert s.legal(GUILD) == [NO, YES], "the Harkonnen may have a captive with them"
    s = fight(EMPEROR, GUILD, HARKONNEN, traitors__harkonnen=("guild_rep",))
    s.refused(FREMEN, ask(HARKONNEN, "calls traitor"), play=True)
    ally(s, EMPEROR, HARKONNEN).again().play(FREMEN, ask(HARKONNEN, "calls traitor"))
    assert s.legal(HARKONNEN) == [NO, YES]


# ------------------------------------------------------------------------------------------------------------- Karama


def window(s: Scenario) -> Scenario:
    """The Atreides are about to use the Spy Network."""
    return s.run(CancelWindow(Ability.SPY_NETWORK.name, ATREIDES))


@covers("DUNE-R.17", "DUNE-T.19")
def test_who_has_answered_to_use_no_karama_cannot() -> None:
    s = holder(FREMEN, ATREIDES, EMPEROR, hand__emperor=("karama",), tanks__emperor=(3, 0, 0))
    assert s.open_plays(EMPEROR).contains(PlayCombatMedics(tokens=1))
    s.play(FREMEN, ask(EMPEROR, "karama")).answer(EMPEROR, NO)
    assert not s.open_plays(EMPEROR).contains(PlayCombatMedics(tokens=1))
    assert window(s).done, "the window has nothing for them"
    s.run(s.g.at(Timing.TURN_ENDS))
    assert s.open_plays(EMPEROR).contains(PlayCombatMedics(tokens=1))


@covers("DUNE-R.17", "DUNE-T.19", "DUNE-K.19")
def test_nor_do_the_harkonnen_swap_cards() -> None:
    def swaps(s: Scenario) -> bool:
        return PlayOpportunistic in {choice.act for choice in s.open_plays(HARKONNEN).choices}

    s = holder(FREMEN, HARKONNEN, hand__harkonnen=("karama", "kulon"))
    assert swaps(s)
    assert not swaps(s.play(FREMEN, ask(HARKONNEN, "karama")).answer(HARKONNEN, NO))


@covers("DUNE-R.129", "DUNE-T.19")
def test_who_has_promised_a_karama_uses_it_at_the_first_window() -> None:
    s = holder(FREMEN, ATREIDES, EMPEROR, hand__emperor=("karama",))
    free = window(s.fork())
    assert free.legal(EMPEROR) == [Pass(), PlayCard("karama")]
    window(s.play(FREMEN, ask(EMPEROR, "karama")).answer(EMPEROR, YES))
    assert s.done
    assert s.announced(KaramaPlayed) == [KaramaPlayed(EMPEROR, "karama", "cancel", "spy_network")]
    assert "truths" not in s.g.table, "the promise has been kept"


@covers("DUNE-R.129", "DUNE-K.12")
def test_the_fremen_too_at_the_window_of_their_own() -> None:
    s = at_table(GUILD, FREMEN, orders=True).lay("hand/guild", "truthtrance").lay("hand/fremen", "karama")
    s.play(GUILD, ask(FREMEN, "karama")).answer(FREMEN, YES).run(ThumperWindow())
    assert {type(act) for act in s.legal(FREMEN)} == {PlayCard}


@covers("DUNE-R.129", "DUNE-T.20")
def test_a_promised_karama_that_found_no_window_is_declared_invalid_as_the_turn_ends() -> None:
    s = holder(FREMEN, EMPEROR, hand__emperor=("karama",))
    s.play(FREMEN, ask(EMPEROR, "karama")).answer(EMPEROR, YES).run(s.g.at(Timing.TURN_ENDS))
    assert declared(s) == [("answer invalid", ("karama", None, True))]
    assert "truths" not in s.g.table


@covers("DUNE-R.17", "DUNE-T.15", "DUNE-T.23")
def test_a_karama_is_promised_from_the_hand_and_not_renounced_while_a_bid_counts_on_it() -> None:
    s = holder(FREMEN, EMPEROR).play(FREMEN, ask(EMPEROR, "karama"))
    assert s.legal(EMPEROR) == [NO]
    s = holder(FREMEN, EMPEROR, auction_row=("hajr",), spice__emperor=6, hand__emperor=("karama",))
    s.run(CardAuction(order=(EMPEROR, FREMEN), number=2))
    s.play(FREMEN, ask(EMPEROR, "bid", 6)).answer(EMPEROR, YES).play(FREMEN, ask(EMPEROR, "karama"))
    assert s.legal(EMPEROR) == [YES]


# ------------------------------------------------------------------------------------------------------------ revival


def dead(**places: Any) -> Scenario:
    """The Guild have losses: tokens, and all leaders but one, who lie face up."""
    s = holder(FREMEN, GUILD, tanks__guild=(4, 0, 0), spice__guild=20)
    s.lay("leaders/guild", "staban_tuek").lay("leader_tanks/guild", *(x for x in LEADERS[GUILD] if x != "staban_tuek"))
    s.put("face_up/guild", ("guild_rep", "esmar_tuek"))
    for key, value in places.items():
        s.put(key.replace("__", "/"), value)
    return s


def revived(s: Scenario) -> list[Revive]:
    return [act for act in s.legal(GUILD) if isinstance(act, Revive)]


@covers("DUNE-R.17", "DUNE-R.129", "DUNE-T.19")
@pytest.mark.parametrize("value", ["guild_rep", "tokens"])
@pytest.mark.parametrize("yes", [True, False])
def test_an_answer_about_a_revival_binds_in_the_revival_round(value: str, yes: bool) -> None:
    s = dead().play(FREMEN, ask(GUILD, "revive", value)).answer(GUILD, AnswerTruth(yes)).run(RevivalRound())
    assert s.asked == (GUILD,)
    brings = {act.leader == value or (value == "tokens" and bool(act.tokens)) for act in revived(s)}
    assert brings == {yes}
    s.answer(GUILD, next(act for act in revived(s) if act.tokens or act.leader or not yes))
    assert declared(s) == []


@covers("DUNE-R.129", "DUNE-T.20")
def test_a_revival_out_of_reach_is_declared_invalid_and_binds_nobody() -> None:
    s = dead(spice__guild=None).play(FREMEN, ask(GUILD, "revive", "guild_rep")).answer(GUILD, YES).run(RevivalRound())
    assert {act.leader for act in revived(s)} == {None}
    s.answer(GUILD, Revive())
    assert declared(s) == [("answer invalid", ("revive", "guild_rep", True))]


@covers("DUNE-R.17", "DUNE-T.19")
def test_who_has_answered_not_to_revive_somebody_does_not_with_a_card_either() -> None:
    def brings(s: Scenario) -> set[str | None]:
        choices = [choice for choice in s.open_plays(GUILD).choices if choice.act is PlayGhola]
        return {act.leader for choice in choices for act in choice.enumerate() if isinstance(act, PlayGhola)}

    s = dead(hand__guild=("tleilaxu_ghola",))
    assert brings(s) >= {None, "guild_rep", "esmar_tuek"}
    s.play(FREMEN, ask(GUILD, "revive", "guild_rep")).answer(GUILD, NO)
    assert brings(s) >= {None, "esmar_tuek"}
    assert "guild_rep" not in brings(s)
    s.play(FREMEN, ask(GUILD, "revive", "tokens")).answer(GUILD, NO)
    assert None not in brings(s)


@covers("DUNE-R.17", "DUNE-T.15")
@pytest.mark.parametrize(("hand", "answers"), [((), [NO]), (("tleilaxu_ghola",), [NO, YES])])
def test_after_the_revival_round_only_a_card_can_keep_such_a_promise(
    hand: tuple[str, ...], answers: list[AnswerTruth]
) -> None:
    s = dead(hand__guild=hand or None, reserves__guild=(5, 0, 0)).run(MovementRound())
    assert s.play(FREMEN, ask(GUILD, "revive", "guild_rep")).legal(GUILD) == answers


@covers("DUNE-R.129")
def test_a_promise_kept_with_a_card_is_kept() -> None:
    s = dead(hand__guild=("tleilaxu_ghola",)).play(FREMEN, ask(GUILD, "revive", "guild_rep")).answer(GUILD, YES)
    s.play(GUILD, PlayGhola(leader="guild_rep")).run(RevivalRound())
    assert Revive() in revived(s)
    assert declared(s) == []


# ---------------------------------------------------------------------------------------------------- the first storm


def first_storm() -> Scenario:
    s = at_table(ATREIDES, GUILD, FREMEN, HARKONNEN, turn=1, orders=True)
    return s.lay("hand/fremen", "truthtrance", "truthtrance").lay("storm_deck", "storm_1").run(StormRound())


@covers("DUNE-R.17", "DUNE-T.19")
@pytest.mark.parametrize(("answer", "dials"), [(YES, range(12, 21)), (NO, range(12))])
def test_an_answer_about_the_first_storm_binds_the_dial(answer: AnswerTruth, dials: range) -> None:
    s = first_storm().play(FREMEN, ask(HARKONNEN, "storm dial", 12)).answer(HARKONNEN, answer)
    assert s.legal(HARKONNEN) == [DialStorm(number) for number in dials]
    assert len(s.legal(ATREIDES)) == 21


@covers("DUNE-R.17")
def test_a_dial_that_lies_sealed_is_made_anew_under_the_answer() -> None:
    s = first_storm().answer(HARKONNEN, DialStorm(3)).play(FREMEN, ask(HARKONNEN, "storm dial", 12))
    s.answer(HARKONNEN, YES)
    assert set(s.asked) == {ATREIDES, HARKONNEN}
    s.refused(HARKONNEN, DialStorm(3), rule="DUNE-T.19")


@covers("DUNE-R.17", "DUNE-T.19")
def test_a_second_answer_about_the_dial_agrees_with_the_first() -> None:
    s = first_storm().play(FREMEN, ask(HARKONNEN, "storm dial", 12)).answer(HARKONNEN, YES)
    assert s.play(FREMEN, ask(HARKONNEN, "storm dial", 8)).legal(HARKONNEN) == [YES]


@covers("DUNE-R.17")
def test_only_who_dials_the_storm_is_asked_and_only_before_it_comes() -> None:
    s = first_storm()
    s.refused(FREMEN, ask(GUILD, "storm dial", 12), play=True)
    s = holder(FREMEN, GUILD, EMPEROR, turn=2)
    s.refused(FREMEN, ask(GUILD, "storm dial", 12), play=True)
    assert Pass() not in first_storm().legal(ATREIDES)
