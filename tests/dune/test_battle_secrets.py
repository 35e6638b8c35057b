"""What a plan holds, or an answer about it says, is told to nobody by what happens while it lies there unseen."""

from collections.abc import Callable

import pytest

from landsraad_engine.dune.acts import (
    AnswerPrescience,
    AnswerTruth,
    AskPrescience,
    BattlePlan,
    Consent,
    GiveBack,
    OfferLeaderless,
    Pass,
    PlayGhola,
    PlayOpportunistic,
    PlayTruthtrance,
)
from landsraad_engine.dune.pieces import ATREIDES, FREMEN, GUILD, HARKONNEN, LEADERS
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import clash, duel, plan

PASS = Pass()


def _swap(s: Scenario) -> None:
    s.play(HARKONNEN, PlayOpportunistic(GUILD, 1)).answer(HARKONNEN, GiveBack(("kulon",)))


def _truth(s: Scenario) -> None:
    s.play(FREMEN, PlayTruthtrance(GUILD, "weapon", "projectile")).answer(GUILD, AnswerTruth(False))


def _leaderless(s: Scenario) -> None:
    s.play(ATREIDES, OfferLeaderless(own=False, theirs=True)).answer(GUILD, Consent(True))


def _ghola(s: Scenario) -> None:
    s.play(GUILD, PlayGhola(leader="guild_rep"))


@covers("DUNE-6.45", "DUNE-ATR.4")
def test_nobody_else_hears_whether_an_answer_given_anew_is_another_one() -> None:
    heard = []
    for again in (2, 3):
        s = duel(ATREIDES, GUILD, HARKONNEN, FREMEN).lay("hand/harkonnen", "karama", "kulon")
        s.lay("hand/guild", "stunner")
        clash(s).answer(ATREIDES, AskPrescience("dial"))
        s.until(AnswerPrescience).answer(GUILD, AnswerPrescience(2))
        _swap(s)
        assert s.asked == (GUILD,)
        s.answer(GUILD, AnswerPrescience(again))
        assert s.where == "Battle.commit"
        assert places_seen(s.g, s.seat(ATREIDES))["foreseen/atreides/guild"] == ("dial", again)
        heard.append((s.seen(HARKONNEN), s.seen(FREMEN)))
    assert heard[0] == heard[1]


@pytest.mark.parametrize(
    ("happens", "one", "other", "leaders", "hand"),
    [
        (_swap, plan(0, "guild_rep", "stunner"), plan(0, "guild_rep"), ("guild_rep",), ("stunner",)),
        (_truth, plan(0, "guild_rep", "stunner"), plan(0, "guild_rep"), ("guild_rep",), ("stunner",)),
        (_leaderless, plan(0, hero=True), plan(), (), ("cheap_hero",)),
        (_ghola, plan(0, hero=True), plan(), (), ("cheap_hero", "tleilaxu_ghola")),
    ],
)
@covers("DUNE-6.19")
def test_no_play_tells_what_lies_committed(
    happens: Callable[[Scenario], None],
    one: BattlePlan,
    other: BattlePlan,
    leaders: tuple[str, ...],
    hand: tuple[str, ...],
) -> None:
    """One of the plans becomes illegal, the other does not; both have to be committed anew."""
    seen = []
    for committed in (one, other):
        s = duel(ATREIDES, GUILD, HARKONNEN, FREMEN).lay("leaders/guild", *leaders).lay("hand/guild", *hand)
        s.lay("leader_tanks/guild", *(leader for leader in LEADERS[GUILD] if leader not in leaders))
        s.lay("hand/harkonnen", "karama", "kulon").lay("hand/fremen", "truthtrance")
        clash(s).answer(ATREIDES, PASS)
        assert s.where == "Battle.commit"
        s.answer(GUILD, committed)
        happens(s)
        assert s.asked == (ATREIDES, GUILD)
        seen.append((s.seen(ATREIDES), s.seen(FREMEN)))
    assert seen[0] == seen[1]
