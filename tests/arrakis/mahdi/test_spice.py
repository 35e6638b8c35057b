"""Carryalls, spice and bans of the automaton, and the end of its round."""

import pytest

from landsraad_engine.arrakis.acts import ChooseBan, RescueHarvester, SpendSpice
from landsraad_engine.arrakis.desert_hazards import CoriolisStorms
from landsraad_engine.arrakis.harvesting import FALL, KEEP, RAISE, SpiceHarvesting
from landsraad_engine.arrakis.mahdi.hazards import carryalls_for
from landsraad_engine.arrakis.mahdi.spice import ways_to_spend
from landsraad_engine.arrakis.mahdi.zones import TACTICAL_DECK, TARGET_CARD
from landsraad_engine.arrakis.round import EndOfRound, LeaderExchange
from landsraad_engine.arrakis.sides import ATREIDES, CARRYALL, HARKONNEN
from landsraad_engine.arrakis.worms import UnderWorms, WormTakesHarvester
from landsraad_engine.arrakis.zones import BAN, FIGURE
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo

POWERS = ("choam", "spacing_guild", "landsraad")


def spending(spice: int, *markers: int, reserve: int = 0, **options: bool) -> Solo:
    """Spice of the phase, and the steps of the markers of CHOAM, the Spacing Guild and the Landsraad."""
    solo = Solo(**options).imperium(**dict(zip(POWERS, markers, strict=True)))
    return solo.put("spice", spice or None).put("reserve", reserve or None)


def after(solo: Solo) -> tuple[int, ...]:
    """Where the markers are after the phase."""
    solo.run(SpiceHarvesting())
    return tuple(solo.g.table[f"imperium/{power}"] for power in POWERS)


class TestSpice:
    @covers("WFA-Y.149", "WFA-Y.151")
    def test_mx_19(self) -> None:
        solo = spending(5, 5, 4, 4)
        assert after(solo) == (4, 4, 4)
        assert solo.g.get("reserve") == 1
        assert [power for power in POWERS if BAN[power] in solo.g.table] == ["choam"]

    @covers("WFA-Y.149", "WFA-Y.151")
    def test_mx_20(self) -> None:
        solo = spending(8, 5, 5, 3)
        assert after(solo) == (5, 5, 4)
        assert (solo.g.get("reserve"), solo.g.supremacy) == (1, 0), "not all were on top"

    @covers("WFA-Y.149")
    def test_mx_21(self) -> None:
        solo = spending(8, 4, 3, 3)
        assert after(solo) == (4, 4, 4)
        assert solo.g.get("reserve") == 0

    @covers("WFA-Y.150", "WFA-Y.152")
    def test_mx_22(self) -> None:
        solo = spending(9, 5, 5, 5)
        assert after(solo) == (5, 5, 5)
        assert (solo.g.supremacy, solo.g.get("reserve")) == (1, 0)

    @covers("WFA-Y.150")
    def test_mx_2(self) -> None:
        solo = spending(6, 5, 5, 5, reserve=1)
        assert after(solo) == (5, 5, 5)
        assert solo.g.supremacy == 1, "seven with the Reserve"
        assert after(none := spending(6, 5, 5, 5)) == (5, 5, 5)
        assert none.g.supremacy == 0

    @covers("WFA-Y.152", "WFA-Y.151")
    def test_mx_23(self) -> None:
        for options in ({}, {"faq": False}):
            solo = spending(3, 2, 2, 2, **options)
            solo.run(SpiceHarvesting())
            ways = set(solo.legal(ATREIDES, SpendSpice))
            assert ways == {
                SpendSpice(KEEP, FALL, FALL, stockpile=False, reserve=1),
                SpendSpice(FALL, KEEP, FALL, stockpile=False, reserve=1),
                SpendSpice(FALL, FALL, KEEP, stockpile=False, reserve=1),
            }
            solo.answer(ATREIDES, SpendSpice(FALL, KEEP, FALL, stockpile=False, reserve=1))
            assert {power for power in POWERS if BAN[power] in solo.g.table} == {"choam", "landsraad"}

    @covers("WFA-Y.152")
    def test_without_the_corrections_the_humans_choose_the_ban(self) -> None:
        solo = spending(0, 4, 4, 4, faq=False).run(SpiceHarvesting())
        assert {act.power for act in solo.legal(ATREIDES, ChooseBan)} == set(POWERS)
        solo.answer(ATREIDES, ChooseBan("landsraad"))
        assert [power for power in POWERS if BAN[power] in solo.g.table] == ["landsraad"]

    @covers("WFA-Y.149", "WFA-Y.152")
    def test_markers_that_are_level_are_raised_as_the_humans_choose(self) -> None:
        solo = spending(7, 3, 3, 3)
        raised = [[power for power in POWERS if getattr(act, power) == RAISE] for act in ways_to_spend(solo.g, 7)]
        assert sorted(raised) == [["choam"], ["landsraad"], ["spacing_guild"]]


class TestCarryalls:
    @covers("WFA-Y.148")
    def test_a_carryall_is_always_used(self) -> None:
        solo = Solo().target("gara_kulon").harvester("ne_3").carryall("z1")
        solo.run(WormTakesHarvester(area="ne_3", rescue=True))
        assert solo.done
        assert solo.g.survey().harvesters == solo.g.board.bit["ne_3"]
        assert solo.g.zones_with(CARRYALL) == ()

    @covers("WFA-Y.148")
    def test_of_several_zones_the_humans_choose(self) -> None:
        solo = Solo().target("gara_kulon").harvester("cne_3")
        solo.carryall("z1").carryall("z2").run(WormTakesHarvester(area="cne_3", rescue=True))
        assert set(solo.legal(ATREIDES)) == {RescueHarvester("z1"), RescueHarvester("z2")}

    @covers("WFA-Y.147", "WFA-Y.148")
    @pytest.mark.parametrize(("carryalls", "given_up"), [(("z1",), ()), (("z1", "z2"), ("z2",)), (("z2",), ("z2",))])
    def test_one_that_a_deep_desert_may_still_need_is_kept(
        self, carryalls: tuple[str, ...], given_up: tuple[str, ...]
    ) -> None:
        """Only z1 serves the harvester in the Deep Desert, under a worm that is resolved later."""
        solo = Solo().target("gara_kulon").harvester("cne_3").harvester("ne_1")
        for zone in carryalls:
            solo.carryall(zone)
        solo.g.stack.append(UnderWorms(areas=("ne_1",)))
        assert carryalls_for(WormTakesHarvester(area="cne_3", rescue=True), solo.g) == given_up
        deep = tuple(zone for zone in carryalls if zone == "z1")
        assert carryalls_for(WormTakesHarvester(area="ne_1", rescue=True), solo.g) == deep


class TestRound:
    @covers("WFA-Y.146", "WFA-Y.138")
    def test_storms_strike_by_the_criteria(self) -> None:
        solo = Solo().legion(HARKONNEN, "ne_3", regular=1, elite=2, leader=2)
        solo.rolls("combat/storm", *["hit"] * 6).run(CoriolisStorms(areas=("ne_3",)))
        (strike,) = solo.strikes("storm")
        left = solo.at(HARKONNEN, "ne_3")
        assert (strike.hits, left.units) == (2, (2, 1, 0, 1)), "a Bashar, then an Elite becomes a Regular"

    @covers("WFA-Y.155")
    def test_its_leaders_on_the_board_are_never_exchanged(self) -> None:
        solo = (
            Solo().legion(HARKONNEN, "carthag", regular=1, named=("beast_rabban",)).run(LeaderExchange(side=HARKONNEN))
        )
        assert solo.done
        assert solo.g.table[FIGURE["beast_rabban"]] == "carthag"

    @covers("WFA-Y.153", "WFA-Y.154", "WFA-Y.137")
    def test_supremacy_advances_and_all_tactical_cards_make_a_new_deck(self) -> None:
        solo = Solo().target("gara_kulon").harvesting("tasmin_sink").reinforcements("shigawire", "sandmasters")
        rest = [card for card in solo.g.content.tactical_card if card not in ("gara_kulon", "tasmin_sink")]
        solo.lay(TACTICAL_DECK, *rest).run(EndOfRound())
        assert solo.g.supremacy == 1
        assert solo.g.whereabouts("thufir_hawat") == "aside", "what the step brings it brings as usual"
        assert sorted(solo.g.get(TACTICAL_DECK)) == sorted(solo.g.content.tactical_card)
        assert solo.g.get(TARGET_CARD) == ()
        assert solo.reserve == ["shigawire", "sandmasters"], "no hand limit"
