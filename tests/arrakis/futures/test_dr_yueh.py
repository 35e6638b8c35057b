"""Dr. Yueh: no hit touches him, and he goes with whoever beats the legion that he is with."""

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Cease,
    ChooseTarget,
    Continue,
    ExchangeLeaders,
    Retreat,
    RetreatTo,
    Stand,
    Stay,
    TakeCasualties,
    UseSpecial,
)
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.cards.strikes import SpecialAttack
from landsraad_engine.arrakis.regeneration import ToTank, tank
from landsraad_engine.arrakis.round import LeaderExchange
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.worms import UnderWorm, WormAttack
from landsraad_engine.arrakis.zones import ASIDE, CARD, FIGURE, LOYALTY, TANK
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War

YUEH = "dr_yueh"


def table() -> War:
    return War(futures="6").put(CARD[YUEH], "ready")


def in_the_open(regular: int = 2) -> War:
    """A legion with him in the open, next to the Harkonnen in Carthag."""
    war = table().legion(ATREIDES, "arsunt", regular=regular, named=(YUEH,))
    return war.legion(HARKONNEN, "carthag", regular=3)


def whose(war: War) -> str:
    return next(side for side in (HARKONNEN, ATREIDES) if YUEH in dict(war.g.leaders_of(side)))


def fight(war: War, mine: tuple[str, ...], theirs: tuple[str, ...], attacker: str = HARKONNEN) -> War:
    source, target = ("carthag", "arsunt") if attacker == HARKONNEN else ("arsunt", "carthag")
    war.rolls("combat/harkonnen", *mine).rolls("combat/atreides", *theirs)
    return war.clash(attacker, source, target)


class TestHits:
    @covers("WFA-N.37", "WFA-N.48")
    def test_casualties_never_name_him(self) -> None:
        war = table().legion(ATREIDES, "arsunt", regular=2, leader=1, named=(YUEH, "stilgar"))
        war.run(Casualties(side=ATREIDES, area="arsunt", hits=1, seats=(war.atreides,)))
        named = {leader for act in war.legal(ATREIDES, TakeCasualties) for leader in act.leaders}
        assert named == {"stilgar"}

    @covers("WFA-N.37", "WFA-N.48")
    def test_he_adds_nothing_to_what_a_legion_bears(self) -> None:
        war = table().legion(ATREIDES, "arsunt", regular=2, named=(YUEH,))
        war.run(Casualties(side=ATREIDES, area="arsunt", hits=2, seats=(war.atreides,)))
        assert war.done, "there is nothing to choose"
        assert war.g.size(ATREIDES, "arsunt") == 0

    @covers("WFA-N.47")
    def test_he_fights_with_his_ability_like_others(self) -> None:
        war = in_the_open(regular=2)
        fight(war, ("shield", "hit", "shield"), ("special", "shield"))
        assert war.hits() == [(0, 0)], "the Special that he turned into a shield stops the hit"


class TestLoyalty:
    @covers("WFA-N.38", "WFA-N.49", "WFA-N.55")
    def test_destroyed_his_legion_loses_him_to_the_attackers_before_they_advance(self) -> None:
        war = fight(in_the_open(regular=2), ("hit", "hit", "hit"), ("hit", "shield"))
        assert war.g.whereabouts(YUEH) == "carthag", "he joins them where they stand"
        assert whose(war) == HARKONNEN
        assert war.g.table[LOYALTY[YUEH]] == "house_harkonnen"
        war.answer(HARKONNEN, next(act for act in war.legal(HARKONNEN) if not isinstance(act, Stay)))
        assert war.g.whereabouts(YUEH) == "arsunt", "and goes on with them"

    @covers("WFA-N.38", "WFA-N.49", "WFA-N.56")
    def test_he_stays_behind_when_his_legion_retreats(self) -> None:
        war = fight(in_the_open(regular=2), ("shield",) * 3, ("shield",) * 2)
        war.answer(HARKONNEN, Continue()).answer(ATREIDES, Retreat())
        target = war.legal(HARKONNEN, RetreatTo)[0].area
        war.answer(HARKONNEN, RetreatTo(target))
        assert war.g.size(ATREIDES, target) == 2
        assert (war.g.whereabouts(YUEH), whose(war)) == ("carthag", HARKONNEN)

    @covers("WFA-N.38")
    def test_it_happens_again_and_again(self) -> None:
        war = table().put(LOYALTY[YUEH], "house_harkonnen").legion(ATREIDES, "arsunt", regular=2)
        war.legion(HARKONNEN, "carthag", regular=1, named=(YUEH,))
        assert whose(war) == HARKONNEN
        fight(war, ("hit",), ("hit", "shield"), ATREIDES)
        assert whose(war) == ATREIDES
        assert LOYALTY[YUEH] not in war.g.table
        assert war.g.whereabouts(YUEH) == "arsunt"

    @covers("WFA-N.49")
    def test_the_defenders_take_him_from_beaten_attackers_too(self) -> None:
        war = in_the_open(regular=1)
        fight(war, ("hit", "hit", "shield"), ("shield",), ATREIDES)
        assert war.done
        assert (war.g.whereabouts(YUEH), whose(war)) == ("carthag", HARKONNEN)

    @covers("WFA-N.49")
    def test_the_price_of_going_on_can_be_a_defeat(self) -> None:
        war = in_the_open(regular=1).village("carthag")
        fight(war, ("shield",) * 6, ("shield",), ATREIDES)
        war.answer(ATREIDES, Continue())
        assert (war.g.whereabouts(YUEH), whose(war)) == ("carthag", HARKONNEN)

    @covers("WFA-N.49")
    def test_if_nobody_is_left_he_goes_to_his_sides_tank(self) -> None:
        war = table().legion(ATREIDES, "arsunt", regular=1, named=(YUEH,)).legion(HARKONNEN, "carthag", regular=1)
        fight(war, ("hit",), ("hit",))
        assert war.done
        assert (war.g.table[FIGURE[YUEH]], whose(war)) == (TANK[0], ATREIDES)

    @covers("WFA-N.49")
    def test_ceasing_is_no_defeat(self) -> None:
        war = fight(in_the_open(regular=2), ("shield",) * 3, ("shield",) * 2, ATREIDES).answer(ATREIDES, Cease())
        assert (war.g.whereabouts(YUEH), whose(war)) == ("arsunt", ATREIDES)
        stood = fight(in_the_open(regular=2), ("shield",) * 3, ("shield",) * 2)
        stood.answer(HARKONNEN, Continue()).answer(ATREIDES, Stand())
        assert whose(stood) == ATREIDES

    @covers("WFA-N.49")
    def test_a_worm_or_a_special_attack_sends_him_to_the_tank(self) -> None:
        war = table().put(LOYALTY[YUEH], "house_harkonnen").legion(HARKONNEN, "se_1", regular=1, named=(YUEH,))
        war.legion(ATREIDES, "se_2", regular=1)
        war.rolls("combat/worm", *["hit"] * 5).run(WormAttack(source="", target="se_1"))
        assert war.g.table[FIGURE[YUEH]] == TANK[0]
        assert whose(war) == HARKONNEN
        far = in_the_open(regular=1).rolls("combat/harkonnen", "hit")
        far.run(SpecialAttack(seat=far.harkonnen, dice=1, ways=(("", ("arsunt",)),)))
        far.answer(HARKONNEN, far.legal(HARKONNEN)[0])
        assert (far.g.table[FIGURE[YUEH]], whose(far)) == (TANK[0], ATREIDES)

    @covers("WFA-N.49")
    def test_giving_way_to_a_worm_is_no_defeat(self) -> None:
        war = table().put(LOYALTY[YUEH], "house_harkonnen").worm("se_1")
        war.legion(HARKONNEN, "se_1", regular=1, named=(YUEH,)).run(UnderWorm(area="se_1"))
        target = war.legal(ATREIDES, RetreatTo)[0].area
        war.answer(ATREIDES, RetreatTo(target))
        assert (war.g.whereabouts(YUEH), whose(war)) == (target, HARKONNEN)


class TestCard:
    @covers("WFA-N.50", "WFA-N.61")
    def test_his_special_action_is_theirs_whom_he_serves(self) -> None:
        war = table().put(LOYALTY[YUEH], "house_harkonnen").leader(YUEH).leader("beast_rabban", "tank/0")
        war.leader("stilgar", "tank/0").dice(HARKONNEN, house=1).dice(ATREIDES, house=1)
        assert UseSpecial("house", YUEH) not in war.fork().run(ActionTurn(side=ATREIDES)).legal(ATREIDES)
        war.run(ActionTurn(side=HARKONNEN)).answer(HARKONNEN, UseSpecial("house", YUEH))
        assert {act.target for act in war.legal(HARKONNEN, ChooseTarget)} == {"beast_rabban"}
        war.answer(HARKONNEN, ChooseTarget("advance_leader", "beast_rabban"))
        assert war.g.table[FIGURE["beast_rabban"]] in TANK[2:4]
        assert war.g.table[CARD[YUEH]] == "spent"

    @covers("WFA-N.50")
    def test_his_tank_is_theirs_too(self) -> None:
        war = table().put(LOYALTY[YUEH], "house_harkonnen").leader("beast_rabban", "tank/0").leader("stilgar", "tank/0")
        war.legion(HARKONNEN, "carthag", regular=1, named=(YUEH,)).run(ToTank(leaders=(YUEH,)))
        assert tank(war.g, YUEH) == {0: YUEH, 1: "beast_rabban"}
        assert war.g.table[FIGURE["stilgar"]] == TANK[0]

    @covers("WFA-N.47")
    @pytest.mark.parametrize("side", [HARKONNEN, ATREIDES])
    def test_he_may_be_exchanged_at_the_end_of_a_round(self, side: str) -> None:
        war = table().put(LOYALTY[YUEH], "house_harkonnen" if side == HARKONNEN else None)
        war.legion(side, "carthag", regular=1, named=(YUEH,)).run(LeaderExchange(side=side))
        war.answer(side, ExchangeLeaders((YUEH,)))
        assert war.g.whereabouts(YUEH) == ASIDE
        assert YUEH in war.g.leaders_aside(side)
