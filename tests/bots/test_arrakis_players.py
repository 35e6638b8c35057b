"""Greedy and house in War for Arrakis: they play by the rules, from what their seat sees, and beat random."""

from collections.abc import Callable
from random import Random

import pytest

from landsraad_bots.greedy import greedy
from landsraad_bots.greedy.arrakis import odds, player
from landsraad_bots.greedy.arrakis.cards import TEXTS
from landsraad_bots.greedy.arrakis.odds import Force, duel
from landsraad_bots.greedy.arrakis.outlook import combine, subtract
from landsraad_bots.greedy.arrakis.splits import splits
from landsraad_bots.rules_of_thumb import rules_of_thumb
from landsraad_bots.rules_of_thumb.arrakis import player as house_player
from landsraad_bots.rules_of_thumb.arrakis.turns import CARDS, FOR_DICE, UNKNOWN_CARD, card_rank
from landsraad_cli.local.simulation import interval
from landsraad_engine.arrakis.content import load
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import EDITIONS
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.zones import HIDDEN
from landsraad_engine.knowledge.information import at_entry, places_seen
from landsraad_engine.play.bot import Bot, Decision, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing

Player = Callable[[str], type[Bot]]
PLAYERS = (greedy, rules_of_thumb)
SIDES = (HARKONNEN, ATREIDES)


def match_of(number: int, edition: str = "exclusive", rounds: int = 20) -> Match:
    options = {"edition": edition, "round_limit": rounds}
    return Match(ARRAKIS, 2, options, secret=number.to_bytes(4, "big"), record=False, orders=standing(2))


def play(bots: list[Bot], number: int, edition: str = "exclusive") -> Match:
    match = match_of(number, edition)
    play_out(match, bots)
    return match


def wins(player: Player, side: str, matches: int, edition: str = "exclusive", first: int = 0) -> int:
    """In how many matches the player beats random with this side."""
    seat = SIDES.index(side)
    won = 0
    for number in range(first, first + matches):
        bots: list[Bot] = [RandomBot(number), RandomBot(number + 1)]
        bots[seat] = player("arrakis")(number)
        won += play(bots, number, edition).result in (("supremacy", (seat,)), ("prescience", (seat,)))
    return won


# --- strength


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_beats_random_with_either_side(player: Player, side: str) -> None:
    assert wins(player, side, 2) == 2


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_beats_random_beyond_doubt_in_every_edition(player: Player, side: str, edition: str) -> None:
    won = wins(player, side, 60, edition, first=1000)
    assert interval(won, 60)[0] > 0.8, f"{won} of 60"


def test_a_match_between_greedy_players_ends_by_victory() -> None:
    match = play([greedy("arrakis")(1), greedy("arrakis")(2)], 1)
    assert match.result is not None
    assert match.result[0] in ("supremacy", "prescience")
    assert match.g.table["round"] < match.g.options["round_limit"]


@pytest.mark.long
@pytest.mark.parametrize("player", PLAYERS)
def test_neither_side_wins_much_more_often_between_equal_players(player: Player) -> None:
    """The reconstructed values are tuned to this; docs/arrakis-balance.md says how."""
    kinds = [play([player("arrakis")(n), player("arrakis")(n + 1)], n).result for n in range(2000, 2100)]
    harkonnen = kinds.count(("supremacy", (0,)))
    low, high = interval(harkonnen, 100, z=2.58)
    assert low < 0.55, f"{harkonnen} of 100"
    assert high > 0.45, f"{harkonnen} of 100"
    assert kinds.count(("round_limit", ())) < 5


# --- fairness and legality


class Shadowed(Bot):
    """A player beside whom the same one decides on nothing but what has come over the wire."""

    def __init__(self, match: Match, player: Player, seed: int) -> None:
        super().__init__(seed)
        self.match = match
        self.player = player("arrakis")(seed)
        self.shadow = player("arrakis")(seed)

    def decide(self, view: ArrakisSeatView, ask: Decision) -> Act:
        told = ArrakisSeatView.of(places_seen(self.match.g, ask.seat), ask.seat, at_entry(self.match.g)[0])
        act = self.player.decide(view, ask)
        assert self.shadow.decide(told, ask) == act
        assert ask.options.contains(act)
        return act


@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_decides_from_what_its_seat_sees(player: Player) -> None:
    match = match_of(3, rounds=2)
    play_out(match, [Shadowed(match, player, 1), Shadowed(match, player, 2)])
    assert match.result is not None


def test_proposals_are_legal_wherever_a_match_may_lead() -> None:
    match = match_of(5)
    rng = Random(5)
    looked_at = 0
    for _ in range(250):
        ask = match.g.ask
        if ask is None:
            break
        seat = match.waiting[0]
        options = ask.options[seat]
        view = ArrakisSeatView(match.g, seat)
        for choice in options.choices:
            propose = player.PROPOSALS.get(choice.act)
            if propose is not None:
                proposed = list(propose(view, choice, rng))
                looked_at += len(proposed)
                assert all(options.contains(act) for act in proposed)
        match.answer(seat, options.sample_kind(rng))
    assert looked_at > 100


def test_every_rule_is_of_an_act_of_the_game() -> None:
    assert set(player.SCORES) | set(house_player.RULES) <= set(ARRAKIS.acts)
    assert set(player.SCORES) == set(ARRAKIS.acts), "an act without a score is played blindly"


def test_every_planning_card_has_its_worth() -> None:
    every = {card for edition in EDITIONS for card in load(edition=edition).planning_card}
    assert set(TEXTS) == every
    assert set(CARDS) | FOR_DICE == every | {HIDDEN}
    assert not set(CARDS) & FOR_DICE


def test_a_card_that_is_not_known_is_played() -> None:
    assert card_rank("the_card_of_tomorrow") == UNKNOWN_CARD > card_rank("shigawire") == 0


# --- figures


def test_the_odds_go_the_right_way() -> None:
    six, three = Force(6, 8, 1, 1), Force(3, 3, 0, 0)
    assert duel(six, odds.NO_FORCE) == (1.0, 0.0, 0.0)
    assert duel(odds.NO_FORCE, six).chance == 0.0
    assert duel(three, six).chance < 0.2
    assert duel(six, three).chance > 0.8
    assert duel(six, three, rank=3).chance < duel(six, three, rank=1).chance < duel(six, three).chance
    assert duel(three, three, cards=2).chance > duel(three, three).chance
    assert all(0 <= share <= 1 for share in duel(six, six, rank=3))


def test_a_split_and_what_stays_are_the_legion() -> None:
    legion = Legion((2, 1, 1, 1), ("paul_atreides",), ("atreides_starting_1",))
    for going in splits(legion):
        assert combine(going, subtract(legion, going)) == legion
        assert going.size
    assert legion in splits(legion)
    assert Legion(tokens=("atreides_starting_1",)) in splits(
        Legion(tokens=("atreides_starting_1", "atreides_starting_2"))
    )
