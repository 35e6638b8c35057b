"""The Nexus Round: alliances broken at once, proposed in dot order, made by consent."""

from typing import Any

import pytest

from landsraad_engine.dune.acts import AcceptDeal, BreakAlliance, Consent, Pass, ProposeAlliance, ProposeDeal
from landsraad_engine.dune.alliances import end_primaries, possible_partners
from landsraad_engine.dune.nexus import Nexus
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN
from landsraad_engine.dune.promises import DEALS, NEXUS, TRUTHS, Promise
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, proposal, stand

FIVE = (ATREIDES, GUILD, HARKONNEN, FREMEN, EMPEROR)
SIX = (*FIVE, BENE_GESSERIT)
YES, NO = Consent(yes=True), Consent(yes=False)


def ally(scenario: Scenario, *members: str, primary: str | None = None) -> Scenario:
    for member in members:
        scenario.put(f"ally/{member}", tuple(sorted(set(members) - {member})))
        scenario.put(f"agreed_primary/{member}", primary)
    return scenario


def nexus(*factions: str, **options: Any) -> Scenario:
    return at_table(*(factions or FIVE), **options).run(Nexus())


def all_pass(scenario: Scenario) -> Scenario:
    """Everybody passes for the rest of this round of proposals, or of the Nexus."""
    rounds = [frame.round for frame in scenario.g.stack if isinstance(frame, Nexus)]
    return scenario.until(
        lambda s: s.done or [frame.round for frame in s.g.stack if isinstance(frame, Nexus)] != rounds
    )


# --- forming


@covers("DUNE-2A.9", "DUNE-R.28", "DUNE-0.13")
def test_an_alliance_exists_once_all_its_members_have_said_so() -> None:
    scenario = nexus()
    assert scenario.asked == (ATREIDES,)
    scenario.answer(ATREIDES, proposal(GUILD))
    assert scenario.asked == (GUILD,), "the one named answers right away"
    assert scenario.g.allies(ATREIDES) == ()
    scenario.answer(GUILD, YES)
    assert scenario.g.allies(ATREIDES) == (GUILD,)
    assert scenario.g.allies(GUILD) == (ATREIDES,)


@covers("DUNE-R.28")
def test_whoever_is_named_may_decline() -> None:
    scenario = nexus().answer(ATREIDES, proposal(GUILD)).answer(GUILD, NO)
    assert scenario.g.allies(ATREIDES) == ()
    assert scenario.asked == (GUILD,), "and is the next to propose"


@covers("DUNE-2A.10")
def test_members_and_primary_are_all_that_is_said_aloud() -> None:
    scenario = nexus().answer(ATREIDES, proposal(GUILD, primary=GUILD)).answer(GUILD, YES)
    assert scenario.g.table["agreed_primary/atreides"] == GUILD
    said = [entry for entry in scenario.seen(EMPEROR) if entry[0] in ("announce", "declare", "open")]
    assert said == [("open", "DUNE-R.28", f"sealed/{scenario.seat(GUILD)}", ("Consent", True))]


@covers("DUNE-R.28", "DUNE-2A.7")
def test_seats_propose_in_dot_order_and_several_alliances_may_come_of_it() -> None:
    scenario = nexus().answer(ATREIDES, Pass()).answer(GUILD, proposal(EMPEROR)).answer(EMPEROR, YES)
    scenario.answer(HARKONNEN, proposal(FREMEN)).answer(FREMEN, YES)
    assert scenario.g.allies(GUILD) == (EMPEROR,)
    assert scenario.g.allies(HARKONNEN) == (FREMEN,)


@covers("DUNE-2A.8")
def test_nobody_joins_two_new_alliances_in_one_nexus() -> None:
    scenario = nexus(*SIX, three_way_alliances=True).answer(ATREIDES, proposal(GUILD)).answer(GUILD, YES)
    assert scenario.asked == (HARKONNEN,), "the Guild have joined and are not asked"
    scenario.refused(HARKONNEN, proposal(ATREIDES, GUILD), rule="DUNE-2A.8")
    scenario.refused(HARKONNEN, proposal(GUILD), rule="DUNE-2A.8")


@covers("DUNE-R.29")
def test_rounds_of_proposals_go_on_until_one_brings_none() -> None:
    scenario = nexus().answer(ATREIDES, proposal(GUILD)).answer(GUILD, NO)
    all_pass(scenario)
    assert not scenario.done, "somebody proposed: there is another round"
    assert scenario.asked == (ATREIDES,)
    assert all_pass(scenario).done


@covers("DUNE-R.29")
def test_there_are_three_rounds_of_proposals_at_most() -> None:
    scenario = nexus()
    for _ in range(3):
        assert not scenario.done
        scenario.answer(ATREIDES, proposal(GUILD)).answer(GUILD, NO)
        all_pass(scenario)
    assert scenario.done


@covers("DUNE-2A.4", "DUNE-R.30")
def test_deals_may_be_offered_all_the_while() -> None:
    scenario = nexus()
    assert not scenario.g.ask.closed
    assert not scenario.answer(ATREIDES, proposal(GUILD)).g.ask.closed


@pytest.mark.parametrize("accept", [True, False])
@pytest.mark.parametrize("sealed", [YES, NO])
@covers("DUNE-R.120", "DUNE-R.19")
def test_a_deal_about_the_alliance_just_offered_does_not_tell_what_answer_lay_sealed(sealed: Any, accept: bool) -> None:
    scenario = nexus(*SIX, three_way_alliances=True).answer(ATREIDES, proposal(GUILD, FREMEN)).answer(GUILD, sealed)
    scenario.play(HARKONNEN, ProposeDeal(GUILD, you_ally=FREMEN, you_accept=accept)).play(GUILD, AcceptDeal(1))
    assert set(scenario.asked) == {GUILD, FREMEN}, "whatever it had answered, the Guild answers anew"
    assert scenario.legal(GUILD) == [YES if accept else NO]


@pytest.mark.parametrize("sealed", [YES, NO])
@covers("DUNE-R.120", "DUNE-R.123")
def test_nor_does_a_deal_about_an_alliance_that_the_offer_would_prevent(sealed: Any) -> None:
    scenario = nexus(*SIX, three_way_alliances=True).answer(ATREIDES, proposal(GUILD, FREMEN)).answer(GUILD, sealed)
    scenario.play(HARKONNEN, ProposeDeal(GUILD, you_ally=EMPEROR, you_accept=True)).play(GUILD, AcceptDeal(1))
    assert set(scenario.asked) == {GUILD, FREMEN}
    assert scenario.legal(GUILD) == [NO]


@covers("DUNE-R.120")
def test_other_deals_leave_the_answers_to_an_offer_as_they_lie() -> None:
    scenario = nexus(*SIX, three_way_alliances=True).answer(ATREIDES, proposal(GUILD, FREMEN)).answer(GUILD, YES)
    scenario.play(HARKONNEN, ProposeDeal(GUILD, you_shun="arrakeen", you_shun_until=3)).play(GUILD, AcceptDeal(1))
    scenario.play(HARKONNEN, ProposeDeal(EMPEROR, you_ally=GUILD, you_accept=True)).play(EMPEROR, AcceptDeal(2))
    assert scenario.asked == (FREMEN,)


# --- two or three


@covers("DUNE-2A.5")
def test_an_alliance_joins_two_factions() -> None:
    scenario = nexus()
    scenario.refused(ATREIDES, proposal(GUILD, HARKONNEN), rule="DUNE-2A.5")
    assert {len(act.partners) for act in scenario.legal(ATREIDES, ProposeAlliance)} == {1}


@covers("DUNE-2A.6", "DUNE-2A.9")
def test_three_may_ally_if_the_match_allows_it_and_all_agree() -> None:
    scenario = nexus(*SIX, three_way_alliances=True).answer(ATREIDES, proposal(GUILD, FREMEN))
    assert set(scenario.asked) == {GUILD, FREMEN}
    scenario.answer(GUILD, YES)
    assert scenario.g.allies(GUILD) == ()
    scenario.answer(FREMEN, YES)
    assert scenario.g.allies(GUILD) == (ATREIDES, FREMEN)
    declined = nexus(*SIX, three_way_alliances=True).answer(ATREIDES, proposal(GUILD, FREMEN))
    declined.answer(GUILD, YES).answer(FREMEN, NO)
    assert declined.g.allies(GUILD) == ()


@covers("DUNE-2A.6", "DUNE-2A.11")
def test_an_alliance_that_stands_can_be_enlarged_but_not_raided() -> None:
    scenario = ally(at_table(*SIX, three_way_alliances=True), ATREIDES, GUILD)
    partners = possible_partners(scenario.g, FREMEN, ())
    assert (ATREIDES, GUILD) in partners
    assert (GUILD,) not in partners
    assert (GUILD, HARKONNEN) not in partners
    assert (FREMEN, GUILD) in possible_partners(scenario.g, ATREIDES, ())


@covers("DUNE-R.128", "DUNE-8.8")
@pytest.mark.parametrize("three_way", [False, True])
def test_with_two_players_nobody_proposes_an_alliance(three_way: bool) -> None:
    scenario = nexus(ATREIDES, GUILD, three_way_alliances=three_way)
    assert scenario.done
    assert possible_partners(scenario.g, ATREIDES, ()) == ()


@covers("DUNE-R.128", "DUNE-8.8")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_only_in_a_game_of_six_an_alliance_joins_three(players: int) -> None:
    scenario = nexus(*SIX[:players], three_way_alliances=True)
    sizes = {len(act.partners) for act in scenario.legal(ATREIDES, ProposeAlliance)}
    if players < len(SIX):
        assert sizes == {1}
        scenario.refused(ATREIDES, proposal(GUILD, HARKONNEN), rule="DUNE-R.128")
    else:
        assert sizes == {1, 2}


# --- leaving an alliance


@covers("DUNE-R.27", "DUNE-2A.12")
def test_all_allied_seats_say_at_once_whether_they_break() -> None:
    scenario = ally(ally(at_table(*FIVE), ATREIDES, GUILD), HARKONNEN, EMPEROR).run(Nexus())
    assert set(scenario.asked) == {ATREIDES, GUILD, HARKONNEN, EMPEROR}, "the Fremen have nothing to break"
    scenario.answer(ATREIDES, BreakAlliance())
    assert scenario.g.allies(ATREIDES) == (GUILD,), "nothing happens before all have answered"
    assert not any("BreakAlliance" in str(entry) for entry in scenario.seen(GUILD))
    for faction in (GUILD, HARKONNEN, EMPEROR):
        scenario.answer(faction, Pass())
    assert scenario.g.allies(GUILD) == ()
    assert scenario.g.allies(HARKONNEN) == (EMPEROR,)


@covers("DUNE-2A.3", "DUNE-2A.11")
def test_an_alliance_binds_unless_it_is_broken_in_a_nexus() -> None:
    scenario = ally(at_table(*FIVE), ATREIDES, GUILD).run(Nexus())
    scenario.answer(ATREIDES, Pass()).answer(GUILD, Pass())
    assert scenario.asked == (HARKONNEN,), "neither of them can propose anything else"
    scenario.refused(HARKONNEN, proposal(GUILD), rule="DUNE-2A.11")
    all_pass(scenario)
    assert scenario.g.allies(ATREIDES) == (GUILD,)


@covers("DUNE-2A.13")
def test_who_left_may_ally_again_with_the_former_partner_too() -> None:
    scenario = ally(at_table(*FIVE), ATREIDES, GUILD).run(Nexus())
    scenario.answer(ATREIDES, BreakAlliance()).answer(GUILD, Pass())
    scenario.answer(ATREIDES, proposal(GUILD)).answer(GUILD, YES)
    assert scenario.g.allies(ATREIDES) == (GUILD,)


@covers("DUNE-R.31")
def test_an_alliance_made_in_a_nexus_cannot_be_broken_in_it() -> None:
    scenario = nexus().answer(ATREIDES, proposal(GUILD)).answer(GUILD, YES)
    while not scenario.done:
        assert not scenario.legal(scenario.asked[0], BreakAlliance)
        scenario.answer(scenario.asked[0], Pass())
    assert scenario.g.allies(ATREIDES) == (GUILD,)


@covers("DUNE-2A.12")
def test_when_one_of_three_leaves_the_others_stay_allies() -> None:
    scenario = ally(at_table(*SIX, three_way_alliances=True), ATREIDES, GUILD, FREMEN, primary=GUILD).run(Nexus())
    scenario.answer(GUILD, BreakAlliance()).answer(ATREIDES, Pass()).answer(FREMEN, Pass())
    assert scenario.g.allies(ATREIDES) == (FREMEN,)
    assert scenario.g.allies(GUILD) == ()
    assert "agreed_primary/atreides" not in scenario.g.table, "the agreed Primary has gone"


# --- Primary


@covers("DUNE-5.24")
def test_who_shall_be_primary_may_be_a_term_of_the_alliance() -> None:
    scenario = nexus()
    refusal = scenario.refused(ATREIDES, proposal(GUILD, primary=FREMEN), rule="DUNE-5.24")
    assert "primary" in refusal.field
    for primary in (None, ATREIDES, GUILD):
        assert scenario.options(ATREIDES).contains(proposal(GUILD, primary=primary))


@covers("DUNE-5.22")
def test_a_broken_alliance_ends_what_was_settled_about_primaries() -> None:
    scenario = ally(at_table(*FIVE), ATREIDES, GUILD).put("primary/arrakeen:9", ATREIDES)
    stand(stand(scenario, ATREIDES, "arrakeen:9", 2), GUILD, "arrakeen:9", 3).run(Nexus())
    assert scenario.g.present(("arrakeen:9",)) == (ATREIDES,)
    scenario.answer(GUILD, BreakAlliance()).answer(ATREIDES, Pass())
    assert "primary/arrakeen:9" not in scenario.g.table
    assert set(scenario.g.present(("arrakeen:9",))) == {ATREIDES, GUILD}


@covers("DUNE-5.22")
def test_primaries_end_when_one_of_the_two_has_left_and_not_before() -> None:
    scenario = ally(at_table(*FIVE), ATREIDES, GUILD).put("primary/arrakeen:9", ATREIDES)
    stand(stand(scenario, ATREIDES, "arrakeen:9", 2), GUILD, "arrakeen:9", 3)
    end_primaries(scenario.g)
    assert scenario.g.table["primary/arrakeen:9"] == ATREIDES
    stand(scenario, GUILD, "arrakeen:9", 0).put("at/guild/arrakeen:9", None)
    end_primaries(scenario.g)
    assert "primary/arrakeen:9" not in scenario.g.table


# --- promises


def promised(mark: str, by: str, other: str, *, yes: bool) -> Scenario:
    promise = Promise(by=by, to=HARKONNEN, kind="ally", value=other, yes=yes, scope=NEXUS)
    return at_table(*FIVE).put(mark, (tuple(promise),)).run(Nexus())


@pytest.mark.parametrize("mark", [TRUTHS, DEALS])
@pytest.mark.parametrize("yes", [True, False])
@covers("DUNE-R.17", "DUNE-R.19")
def test_a_promised_answer_to_an_alliance_is_binding(mark: str, yes: bool) -> None:
    scenario = promised(mark, GUILD, ATREIDES, yes=yes).answer(ATREIDES, proposal(GUILD))
    scenario.refused(GUILD, Consent(yes=not yes), rule="DUNE-R.17")
    scenario.answer(GUILD, Consent(yes=yes))
    assert (scenario.g.allies(ATREIDES) == (GUILD,)) is yes


@covers("DUNE-R.17")
def test_who_has_promised_not_to_ally_cannot_propose_it_either() -> None:
    scenario = promised(TRUTHS, ATREIDES, GUILD, yes=False)
    scenario.refused(ATREIDES, proposal(GUILD), rule="DUNE-R.17")
    assert scenario.options(ATREIDES).contains(proposal(FREMEN))


@pytest.mark.parametrize("mark", [TRUTHS, DEALS])
@covers("DUNE-R.123", "DUNE-T.19", "DUNE-0.21")
def test_who_has_promised_an_alliance_does_not_escape_it_by_another(mark: str) -> None:
    # To propose: the Atreides, who come first, have promised the Emperor, who comes last.
    scenario = promised(mark, ATREIDES, EMPEROR, yes=True)
    scenario.refused(ATREIDES, proposal(FREMEN), rule="DUNE-R.123")
    members = (None, ATREIDES, EMPEROR)
    assert scenario.legal(ATREIDES, ProposeAlliance) == [proposal(EMPEROR, primary=each) for each in members]
    scenario.answer(ATREIDES, Pass())
    # To accept: the Guild ask them meanwhile.
    scenario.answer(GUILD, proposal(ATREIDES))
    scenario.refused(ATREIDES, YES, rule="DUNE-R.123")
    scenario.answer(ATREIDES, NO).answer(HARKONNEN, Pass()).answer(FREMEN, Pass())
    scenario.answer(EMPEROR, proposal(ATREIDES))
    assert scenario.legal(ATREIDES) == [YES]


@covers("DUNE-R.123", "DUNE-R.18")
def test_once_a_promised_alliance_has_become_impossible_others_are_open() -> None:
    scenario = promised(TRUTHS, GUILD, ATREIDES, yes=True)
    scenario.answer(ATREIDES, proposal(FREMEN)).answer(FREMEN, YES)
    assert scenario.answer(GUILD, proposal(EMPEROR)).answer(EMPEROR, YES).g.allies(GUILD) == (EMPEROR,)
    # Nor does a promise wait for somebody who has promised to decline.
    scenario = promised(TRUTHS, ATREIDES, EMPEROR, yes=True)
    no = Promise(by=EMPEROR, to=HARKONNEN, kind="ally", value=ATREIDES, yes=False, scope=NEXUS)
    scenario.put(TRUTHS, (*scenario.g.table[TRUTHS], tuple(no))).again()
    assert scenario.options(ATREIDES).contains(proposal(FREMEN))


@covers("DUNE-R.123")
def test_nobody_has_to_leave_an_alliance_for_one_that_was_promised() -> None:
    promise = Promise(by=ATREIDES, to=HARKONNEN, kind="ally", value=EMPEROR, yes=True, scope=NEXUS)
    scenario = ally(at_table(*FIVE), ATREIDES, GUILD).put(TRUTHS, (tuple(promise),)).run(Nexus())
    assert BreakAlliance() in scenario.legal(ATREIDES)
    scenario.answer(ATREIDES, Pass()).answer(GUILD, Pass())
    (said,) = scenario.told("declare")
    assert said.public == (scenario.seat(ATREIDES), "answer invalid", ("ally", EMPEROR, True))


@covers("DUNE-R.18", "DUNE-T.20")
def test_a_promised_alliance_that_has_become_impossible_is_declared_so() -> None:
    scenario = promised(TRUTHS, GUILD, ATREIDES, yes=True)
    assert not scenario.told("declare")
    scenario.answer(ATREIDES, proposal(FREMEN)).answer(FREMEN, YES)
    (said,) = scenario.told("declare")
    assert said.public == (scenario.seat(GUILD), "answer invalid", ("ally", ATREIDES, True))


@covers("DUNE-R.17")
def test_promises_about_a_nexus_lapse_with_it() -> None:
    assert TRUTHS not in all_pass(promised(TRUTHS, GUILD, ATREIDES, yes=True)).g.table
