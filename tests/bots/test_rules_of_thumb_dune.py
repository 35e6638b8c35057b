"""The rule-of-thumb player of classic Dune: legal in every match, blind to what its seat may not see, and no fool."""

import pytest

from landsraad_bots.rules_of_thumb import rules_of_thumb
from landsraad_bots.rules_of_thumb.dune import abilities, battles, contest, movement, spending
from landsraad_bots.rules_of_thumb.dune.cards import arms_of, price
from landsraad_bots.rules_of_thumb.dune.player import RULES
from landsraad_cli.local.simulation import interval
from landsraad_engine.dune.acts import AskPrescience, BattlePlan, Bid, Manoeuvre, Pass, PlayCard, Ship
from landsraad_engine.dune.battle.battle import Battle
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.manoeuvre import ManoeuvrePhase
from landsraad_engine.dune.pieces import TREACHERY
from landsraad_engine.dune.shipment import ShipmentPhase
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.knowledge.information import at_entry, places_seen
from landsraad_engine.play.bot import Bot, Decision, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing
from landsraad_engine.testing import Scenario, position

OPTIONS = {
    "three_way_alliances": True,
    "karama_reach": "gf9",
    "direct_prescience_voice": True,
    "shield_wall_stronghold": True,
    "coexistence": "wbc",
    "factions": "chosen",
    "length": 10,
}
#: Every play that can be offered at set moments.
ASKED = ("ask:deals", "ask:offers", "ask:gifts", "ask:truthtrance", "ask:leaderless", "ask:combat_medics", "ask:ghola")


class Checked(Bot):
    """The player, beside a second one that decides on nothing but what has come over the wire."""

    def __init__(self, match: Match, seed: int) -> None:
        super().__init__(seed)
        self.match = match
        self.player = rules_of_thumb("dune")(seed)
        self.shadow = rules_of_thumb("dune")(seed)

    def decide(self, view: DuneSeatView, ask: Decision) -> Act:
        told = DuneSeatView.of(places_seen(self.match.g, ask.seat), ask.seat, at_entry(self.match.g)[0])
        act = self.player.decide(view, ask)
        assert self.shadow.decide(told, ask) == act
        assert ask.options.contains(act)
        return act


class Erratic(Bot):
    """An opponent that draws the kind of an act first, so that rare kinds come up as often as others."""

    def decide(self, view: DuneSeatView, ask: Decision) -> Act:
        return ask.options.sample_kind(self.rng)


def played(number: int, seats: int, options: dict[str, object], orders: tuple[str, ...] = ()) -> Match:
    wishes = {seat: (*said, *orders) for seat, said in standing(seats).items()}
    match = Match(DUNE, seats, options, secret=number.to_bytes(4, "big"), record=False, orders=wishes)
    bots: list[Bot] = [Erratic(number * 10 + seat) for seat in range(seats)]
    bots[number % seats] = Checked(match, number)
    play_out(match, bots)
    return match


@pytest.mark.parametrize(("seats", "options", "orders"), [(2, {}, ()), (3, OPTIONS, ASKED), (6, {"length": 10}, ())])
def test_it_plays_legal_acts_to_the_end_and_only_from_its_view(
    seats: int, options: dict[str, object], orders: tuple[str, ...]
) -> None:
    assert played(seats, seats, options, orders).result is not None


@pytest.mark.long
@pytest.mark.parametrize("seats", DUNE.seats)
def test_it_plays_legal_acts_in_many_matches(seats: int) -> None:
    for number in range(30):
        assert played(number, seats, OPTIONS if number % 2 else {}, ASKED).result is not None


def test_every_act_has_a_rule() -> None:
    assert set(RULES) == set(DUNE.acts)


def test_it_beats_random_nearly_always() -> None:
    assert wins(12, 4) >= 9


@pytest.mark.long
@pytest.mark.parametrize("seats", DUNE.seats)
def test_it_beats_random_beyond_doubt_at_every_number_of_seats(seats: int) -> None:
    won = wins(60, seats, 1000)
    assert interval(won, 60)[0] > 0.75, f"{won} of 60 at {seats} seats"


def wins(matches: int, seats: int, first: int = 0) -> int:
    won = 0
    for number in range(first, first + matches):
        bots: list[Bot] = [RandomBot(number + seat) for seat in range(seats)]
        bots[number % seats] = rules_of_thumb("dune")(number)
        match = Match(DUNE, seats, secret=number.to_bytes(4, "big"), record=False, orders=standing(seats))
        play_out(match, bots)
        assert match.result is not None
        won += number % seats in match.result[1]
    return won


# --- decisions


def decide(s: Scenario, side: str) -> Act:
    """Let the player answer for a side that is asked."""
    assert s.g.ask is not None
    seat = s.g.seat_of(side)
    ask = Decision(seat, s.g.ask.options[seat], s.g.ask.why)
    return rules_of_thumb("dune")(1).decide(seen(s, side), ask)


def seen(s: Scenario, side: str) -> DuneSeatView:
    return DuneSeatView(s.g, s.g.seat_of(side))


def test_it_ships_into_the_stronghold_that_wins() -> None:
    s = position(
        DUNE,
        factions=("atreides", "harkonnen", "emperor", "guild"),
        troops={
            "atreides": {"arrakeen": 5, "sietch_tabr": 3},
            "harkonnen": {"carthag": 9},
            "guild": {"tueks_sietch": 6},
        },
        spice={"atreides": 6},
        blows={"the_great_flat": 10},
    )
    act = decide(s.run(ShipmentPhase(faction="atreides")), "atreides")
    assert isinstance(act, Ship)
    assert act.to == "habbanya_sietch:16"


def test_it_marches_against_a_victory_of_another() -> None:
    s = position(
        DUNE,
        factions=("atreides", "harkonnen", "emperor", "guild"),
        troops={
            "atreides": {"arrakeen": 9},
            "harkonnen": {"carthag": 2, "sietch_tabr": 9, "tueks_sietch": 9},
        },
        spice={"atreides": 0},
    )
    act = decide(s.run(ManoeuvrePhase(faction="atreides")), "atreides")
    assert isinstance(act, Manoeuvre)
    assert act.to == "carthag:10"


def test_a_manoeuvre_that_earns_nothing_is_not_made() -> None:
    s = position(DUNE, factions=("atreides", "fremen"), troops={"atreides": {"arrakeen": 1}}, spice={"atreides": 0})
    assert decide(s.run(ManoeuvrePhase(faction="atreides")), "atreides") == Pass()


def fight(attacker: int, defender: int, **more: object) -> Scenario:
    s = position(
        DUNE,
        factions=("atreides", "guild"),
        troops={"atreides": {"arrakeen": attacker}, "guild": {"arrakeen": defender}},
        **more,
    )
    return s.run(Battle(("arrakeen:9",), "atreides", "guild"), until=BattlePlan)


def test_a_battle_that_is_surely_won_is_won_cheaply_and_a_lost_one_lost_cheaply() -> None:
    won = decide(fight(9, 1, hands={}), "atreides")
    assert isinstance(won, BattlePlan)
    assert won.leader in ("lady_jessica", "thufir_hawat")
    assert won.dial <= 2
    lost = decide(fight(1, 18, hands={"guild": ["chaumas", "crysknife", "ellaca_drug", "stunner"]}), "atreides")
    assert isinstance(lost, BattlePlan)
    assert lost.leader == "dr_wellington_yueh", "no good leader is risked"


def test_an_answer_under_prescience_narrows_the_opponent_down() -> None:
    s = fight(8, 6, hands={})
    before = battles.BattleOutlook(seen(s, "atreides"), ("arrakeen:9",), "guild", aggressor=True)
    s.g.set_mark("battle/question", ("atreides", "guild", "dial"))
    s.g.set_mark("foreseen/atreides/guild", ("dial", 6))
    known = battles.BattleOutlook(seen(s, "atreides"), ("arrakeen:9",), "guild", aggressor=True)
    assert known.opposition.unled[5] == 0.0 < before.opposition.unled[5]
    assert known.opposition.unled[6] == 1.0, "the Aggressor wins a tie"


def test_the_voice_takes_a_weapon_away() -> None:
    s = fight(5, 5, hands={"guild": ["crysknife"]})
    arms = arms_of(seen(s, "atreides"), "guild")
    assert arms.weapon["projectile"] > 0
    assert battles.ordered(arms, must=False, named="projectile_weapon").weapon.get("projectile", 0.0) == 0.0
    assert battles.ordered(arms, must=True, named="projectile_weapon").weapon == {"projectile": 1.0}


def test_chances_of_arms_are_chances() -> None:
    s = position(DUNE, hands={"atreides": ["shield", "lasgun"], "guild": ["chaumas", "snooper", "karama"]})
    for faction in ("atreides", "guild"):
        for place in arms_of(seen(s, "fremen"), faction):
            assert sum(place.values()) == pytest.approx(1.0)
            assert all(0 <= chance <= 1 for chance in place.values())


def test_it_asks_for_the_dial_of_many_and_the_weapon_of_few() -> None:
    for tokens, part in ((6, "dial"), (1, "weapon")):
        s = position(
            DUNE, factions=("atreides", "guild"), troops={"atreides": {"arrakeen": 5}, "guild": {"arrakeen": tokens}}
        )
        s.run(Battle(("arrakeen:9",), "atreides", "guild"), until=AskPrescience)
        assert decide(s, "atreides") == AskPrescience(part)


def test_bids_keep_the_spice_for_the_shipment() -> None:
    s = position(DUNE, spice={"atreides": 20, "harkonnen": 3}, hands={"harkonnen": ["shield", "snooper"]})
    assert spending.bid(seen(s, "atreides"), Bid(2)) is not None
    assert spending.bid(seen(s, "atreides"), Bid(15)) is None
    assert spending.bid(seen(s, "harkonnen"), Bid(2)) is None
    assert spending.cost(seen(s, "atreides"), 2) < spending.cost(seen(s, "harkonnen"), 2)


def test_cards_have_their_price() -> None:
    assert price("shield", (), "guild") > price("shield", ("shield",), "guild") > price("kulon", (), "guild")
    assert price("kulon", (), "bene_gesserit") > price("kulon", (), "guild")
    assert price("?", (), "guild") > price("?", ("shield",) * 3, "guild") > 0
    assert all(price(card, (), "guild") >= 0 for card in TREACHERY)
    assert price("stone_burner", (), "guild") > 0, "a card that is not known is good for something"


def test_weather_control_spares_the_own_tokens() -> None:
    s = position(DUNE, troops={"atreides": {"the_great_flat:14": 8}, "fremen": {"cielago_depression:2": 8}}, storm=18)
    view = seen(s, "atreides")
    assert abilities.play_card(view, PlayCard("weather_control", 4)) is not None
    assert abilities.play_card(seen(s, "fremen"), PlayCard("weather_control", 4)) is None
    assert movement.storm_risk(view, "cielago_depression:2") > 0 == movement.storm_risk(view, "arrakeen:9")


def test_victory_is_foreseen() -> None:
    three = {"arrakeen": 6, "carthag": 6, "sietch_tabr": 6}
    s = position(DUNE, factions=("atreides", "guild", "fremen", "emperor"), troops={"guild": three})
    view = seen(s, "atreides")
    assert contest.needed(view, ("guild",)) == contest.held(view, ("guild",)) == 3
    assert contest.victory(view, ("guild",), {}) > 0.2
    assert contest.victory(view, ("guild",), {"carthag": 10}) < contest.victory(view, ("guild",), {})
    assert contest.victory(view, ("fremen",), {}) == 0.0


def test_chances_of_battles_go_the_right_way() -> None:
    weak, strong = contest.TroopStrength("guild", 2, 3), contest.TroopStrength("fremen", 9, 5)
    assert contest.battle_chance(weak, strong) < 0.2
    assert contest.battle_chance(strong, weak) > 0.8
    assert movement.fill((2, 3), 4) == (2, 2)
