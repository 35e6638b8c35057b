"""The frame of a game turn: its rounds, and the moments at which each begins."""

from itertools import groupby
from typing import Any

from landsraad_engine.dune.bidding import has_room
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.hooks import Query
from landsraad_engine.dune.pieces import EMPEROR, GUILD, HARKONNEN
from landsraad_engine.dune.whole_game import ROUNDS
from landsraad_engine.play.match import Match
from landsraad_engine.testing import covers
from landsraad_engine.testing.dune import at_table


@covers("DUNE-0.31")
def test_a_turn_plays_its_rounds_in_the_fixed_order() -> None:
    match = Match(DUNE, 3, name="rounds", orders=dict.fromkeys(range(3), ("auto",)))
    g: Any = match.g
    while g.turn < 3:
        seat = match.waiting[0]
        match.answer(seat, g.ask.default_for(seat))
    # The frame of the turn counts the rounds that have begun, which stands in everybody's log.
    stacks = (entry[1] for entry in match.log(None) if entry[0] == "at")
    frames = (dict(frame) for stack in stacks for frame in stack)
    begun = [ROUNDS[frame["begun"] - 1][0] for frame in frames if frame["frame"] == "GameTurn" and frame["begun"]]
    in_order = ["storm", "spice_blow", "bidding", "revival", "movement", "battle", "collection", "control"]
    assert [name for name, _ in groupby(begun)][: 2 * len(in_order)] == [*in_order, *in_order]
    assert [name for name, _ in ROUNDS] == in_order


@covers("DUNE-0.28")
def test_an_ability_prevails_over_the_main_rule_it_contradicts() -> None:
    """The hand limit is four and an auctioned card is paid to the bank; two factions' abilities say otherwise."""
    s = at_table(HARKONNEN, EMPEROR, GUILD)
    for faction in (HARKONNEN, GUILD):
        s.lay(f"hand/{faction}", "shield", "shield", "snooper", "snooper")
    assert has_room(s.g, HARKONNEN)
    assert not has_room(s.g, GUILD)
    assert s.g.query(Query.AUCTION_PAYEE, "bank", GUILD) == EMPEROR
