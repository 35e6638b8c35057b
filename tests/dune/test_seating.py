"""Factions and positions: drawn, chosen, traded."""

from landsraad_engine.dune.acts import Consent, Pass, TakeFaction, WishFaction
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.pieces import FACTIONS
from landsraad_engine.play.match import Match
from landsraad_engine.testing import covers


def sides(match: Match) -> list[str]:
    return [match.g.table[f"side/{seat}"] for seat in range(match.seats)]


def wish(match: Match, *wishes: str | None) -> None:
    """Every seat says which faction it would like."""
    for seat, faction in enumerate(wishes):
        match.submit(seat, Pass() if faction is None else WishFaction(faction))


@covers("DUNE-S.5")
def test_every_seat_gets_a_faction_of_its_own_by_chance() -> None:
    drawn = {tuple(sides(Match(DUNE, 6, name=f"draw {n}"))) for n in range(8)}
    assert all(sorted(draw) == sorted(FACTIONS) for draw in drawn)
    assert len(drawn) > 1


@covers("DUNE-R.97")
def test_seats_may_choose_their_factions_in_turn() -> None:
    match = Match(DUNE, 3, {"factions": "chosen"})
    assert match.waiting == (0,)
    match.submit(0, TakeFaction("guild"))
    options = match.g.ask.options[1]  # type: ignore[union-attr]
    assert not options.contains(TakeFaction("guild"))
    match.submit(1, TakeFaction("fremen"))
    match.submit(2, TakeFaction("atreides"))
    assert sides(match) == ["guild", "fremen", "atreides"]


@covers("DUNE-S.6", "DUNE-R.98")
def test_mutual_wishes_are_exchanged_without_another_question() -> None:
    match = Match(DUNE, 6)
    before = sides(match)
    wish(match, before[1], before[0], None, None, None, None)
    assert sides(match) == [before[1], before[0], *before[2:]]
    assert match.g.path()[-1] == ("TradeFactions", "wish"), "after a trade everybody is asked again"


@covers("DUNE-S.6")
def test_a_one_sided_wish_needs_the_other_players_consent() -> None:
    match = Match(DUNE, 6)
    before = sides(match)
    wish(match, before[1], None, None, None, None, None)
    assert match.waiting == (1,)
    match.submit(1, Consent(yes=False))
    assert sides(match) == before


@covers("DUNE-S.7")
def test_an_undrawn_faction_may_be_taken_if_everybody_else_agrees() -> None:
    match = Match(DUNE, 3)
    before = sides(match)
    in_the_box = next(faction for faction in FACTIONS if faction not in before)
    wish(match, in_the_box, None, None)
    assert match.waiting == (1, 2)
    match.submit(1, Consent(yes=True))
    assert sides(match) == before, "one of them has not agreed yet"
    match.submit(2, Consent(yes=True))
    assert sides(match) == [in_the_box, *before[1:]]


@covers("DUNE-S.7")
def test_one_player_against_it_keeps_an_undrawn_faction_in_the_box() -> None:
    match = Match(DUNE, 3)
    before = sides(match)
    wish(match, next(faction for faction in FACTIONS if faction not in before), None, None)
    match.submit(1, Consent(yes=True))
    match.submit(2, Consent(yes=False))
    assert sides(match) == before


@covers("DUNE-R.98")
def test_a_wish_lapses_when_its_seat_has_traded_meanwhile() -> None:
    match = Match(DUNE, 6)
    zero, one, two, *_ = sides(match)
    wish(match, one, two, None, None, None, None)
    assert match.waiting == (1,), "seat 1 is asked to give its faction to seat 0"
    match.submit(1, Consent(yes=True))
    assert sides(match)[:3] == [one, zero, two]
    assert match.g.path()[-1] == ("TradeFactions", "wish"), "what seat 1 wished for is not asked for any more"


@covers("DUNE-R.98")
def test_there_are_three_rounds_of_trade_at_most() -> None:
    match = Match(DUNE, 6)
    for _ in range(3):
        assert match.g.path()[-1] == ("TradeFactions", "wish")
        now = sides(match)
        wish(match, now[1], now[0], None, None, None, None)
    assert "TradeFactions" not in [frame for frame, _ in match.g.path()]


@covers("DUNE-S.9", "DUNE-R.23", "DUNE-0.8")
def test_positions_are_drawn_among_all_six_dots() -> None:
    seen = set()
    for n in range(30):
        match = Match(DUNE, 2, name=f"dots {n}")
        wish(match, None, None)
        dots = [match.g.table.get(f"dot/{side}") for side in sides(match)]
        if None in dots:
            continue  # the Bene Gesserit predict first
        assert len(set(dots)) == 2
        seen.update(dots)
    assert seen == set(range(6))
