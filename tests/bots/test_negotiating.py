"""The negotiating player: deals and alliances by their worth, and a memory of broken words."""

from typing import Any

import pytest

from landsraad_bots.negotiating import negotiator
from landsraad_bots.negotiating.offers import offers
from landsraad_bots.negotiating.player import WORLDS, Negotiator
from landsraad_bots.negotiating.trust import MARGIN, SURCHARGE, Trust
from landsraad_bots.quick import quick
from landsraad_bots.searching.halving import Samples
from landsraad_engine.dune.acts import AcceptDeal, BreakAlliance, Consent, Pass, ProposeAlliance, ProposeDeal
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.execution import plays
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Decision
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, put_question, standing


def player(seed: int = 1, options: str = "worlds=2,k=3") -> Negotiator:
    bot = negotiator("dune", options)(seed)
    assert isinstance(bot, Negotiator)
    return bot


def at_question(why: str, name: bytes = b"negotiating") -> tuple[Match, int]:
    """Play quick players until a rule asks a question."""
    match = Match(DUNE, 4, secret=name, record=False, orders=standing(4))
    bots = [quick("dune")(seat) for seat in range(4)]
    while match.g.ask is None or match.g.ask.why != why:
        play_out(match, bots, 1)
    return match, match.waiting[0]


def put(match: Match, seat: int) -> tuple[DuneSeatView, Decision]:
    view, ask = put_question(match, seat)
    assert isinstance(view, DuneSeatView)
    return view, ask


@pytest.mark.parametrize("inputs", [70, pytest.param(5000, marks=pytest.mark.long)])
def test_negotiators_play_legal_acts(inputs: int) -> None:
    match = Match(DUNE, 4, secret=b"two of them", record=False, orders=standing(4))
    play_out(match, [player(1), player(2), quick("dune")(3), quick("dune")(4)], inputs)
    assert match.result is not None or match.g.table["turn"] > 0


def test_it_plays_dune_alone_and_takes_the_searchers_options() -> None:
    assert player(options="0.2s,k=4").settings.seconds == 0.2
    with pytest.raises(LookupError, match="arrakis"):
        negotiator("arrakis")


# --- trust


def seen(**places: Any) -> DuneSeatView:
    table = {f"dot/{faction}": dot for dot, faction in enumerate(("atreides", "guild", "fremen"))}
    view = DuneSeatView.of(table | {"side/0": "atreides"} | places, 0)
    assert isinstance(view, DuneSeatView)
    return view


def test_who_owes_spice_is_trusted_less_and_once_for_each_debt() -> None:
    trust = Trust()
    trust.observe(seen())
    assert trust.margin(("guild",)) == MARGIN
    owed = seen(
        deals=(("guild", "fremen", "pay", 3, True, "now", True), ("fremen", "guild", "pay", 3, True, "battle", True))
    )
    for _ in range(2):
        trust.observe(owed)
    assert trust.margin(("guild",)) == MARGIN + SURCHARGE
    assert trust.margin(("fremen",)) == MARGIN, "it is not due yet"
    assert trust.margin(("fremen", "guild")) == MARGIN + SURCHARGE, "an alliance is as good as its worst member"
    trust.observe(seen())
    trust.observe(owed)
    assert trust.margin(("guild",)) == MARGIN + 2 * SURCHARGE


def test_alliances_that_end_are_remembered() -> None:
    trust = Trust()
    trust.observe(seen(**{"ally/guild": ("fremen",), "ally/fremen": ("guild",)}))
    trust.observe(seen())
    assert trust.margin(("guild",)) == trust.margin(("fremen",)) == MARGIN + SURCHARGE
    assert trust.margin(("atreides",)) == MARGIN


# --- deals


def test_offers_are_legal() -> None:
    match, seat = at_question("DUNE-5.2")
    open_ = plays(match.g, seat)
    found = list(offers(put(match, seat)[0]))
    assert found
    assert all(open_.contains(deal) for deal in found)


def offered(monkeypatch: pytest.MonkeyPatch, gain: float) -> tuple[Act | None, int]:
    """Offer a deal of a known worth; return what the player makes of it, and the offer's number."""
    match, seat = at_question("DUNE-5.2")
    other = (seat + 1) % 4
    match.submit(other, ProposeDeal(match.g.side(seat), i_shun="arrakeen", i_shun_until=match.g.table["turn"]))
    bot = player()
    before = iter((0.3 + gain, 0.3) * 2 * WORLDS)  # with the deal and without it, for either side
    monkeypatch.setattr("landsraad_bots.negotiating.player.outcome", lambda world, seat, value: next(before))
    view, ask = put_question(match, seat)
    bot._wish = bot._weigh_deals(view, ask, Pass())
    wish = bot.interject(view, plays(match.g, seat))
    assert bot.interject(view, plays(match.g, seat)) is None, "it is said once"
    return wish, match.g.table["offers"][0][0]


def test_an_offer_is_accepted_above_the_margin_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    wish, number = offered(monkeypatch, MARGIN * 2)
    assert wish == AcceptDeal(number)
    assert offered(monkeypatch, MARGIN / 2)[0] is None
    assert offered(monkeypatch, -0.2)[0] is None


# --- alliances


def test_alliances_are_searched_with_the_answer_that_changes_nothing_first() -> None:
    match, seat = at_question("DUNE-R.28", b"nexus")
    bot = player()
    report = bot.consider(*put_question(match, seat))
    assert report.policy in (Pass(), Consent(yes=False))
    assert report.worlds == 2
    assert {type(row.act) for row in report.candidates} & {ProposeAlliance, Consent, BreakAlliance}


def test_a_partner_who_breaks_words_has_to_bring_more() -> None:
    match, seat = at_question("DUNE-R.28", b"nexus")
    view, ask = put(match, seat)
    bot = player()
    acts = bot.candidates(view, ask, bot._policy)
    good = _samples(len(acts), 0.02)
    assert bot._choice(view, acts, good) != 0
    for faction in view.factions():
        bot._trust._broken[faction] = 1
    assert bot._choice(view, acts, good) == 0, "two points of a hundred are less than the margin now"
    assert bot._choice(view, acts, _samples(len(acts), 0.06)) != 0


def _samples(number: int, lead: float) -> list[Samples]:
    made = [Samples() for _ in range(number)]
    for index, each in enumerate(made):
        each.values = [0.3 + lead * (index > 0)] * 4
    return made
