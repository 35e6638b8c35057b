"""The Possible Futures: which go together, what they change in the setup and in the course of the game."""

from collections import Counter
from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import BringForces, ChooseTarget, DeployLeader, PlotAgainstHawat, UseSpecial
from landsraad_engine.arrakis.content import load
from landsraad_engine.arrakis.futures import sets
from landsraad_engine.arrakis.futures.facts import CHANGES, cards_of
from landsraad_engine.arrakis.futures.setup import FuturesSetup, ReinforceSettlement
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.leaders.sets import DESCRIBED
from landsraad_engine.arrakis.regeneration import advance_tank
from landsraad_engine.arrakis.round import Round
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, LEADER
from landsraad_engine.arrakis.tracks import AdvanceMarker, GainSupremacy
from landsraad_engine.arrakis.whole_game import WholeGame
from landsraad_engine.arrakis.zones import ASIDE, CARD, DECK, FIGURE, GONE, READY, TANK, VILLAGE, hand
from landsraad_engine.errors import BadOption
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, war_at_setup

MODULES = load().modules
NEW = {leader.id: leader for leader in load().leader.values() if leader.future}


def begun(futures: str, **options: Any) -> War:
    """A match after its setup and the setup of its Futures, everything at the first that offers itself."""
    war = set_up(futures, **options)
    while not war.done:
        (side,) = war.asked
        war.answer(side, war.legal(side)[0])
    return war


def set_up(futures: str, **options: Any) -> War:
    return war_at_setup(futures=futures, **options).run(FuturesSetup())


class TestOption:
    @covers("WFA-N.1", "WFA-N.3", "WFA-N.57")
    def test_one_of_the_first_four_and_any_of_the_others(self) -> None:
        known = sets.sets(MODULES)
        assert len(known) == len(set(known)) == 40
        assert known[0] == ""
        for chosen in known:
            for faq in (True, False):
                options = ARRAKIS.parse_options({"futures": chosen, "faq": faq}, 2)
                assert options.get("futures", "") == chosen
        assert "1567" in known
        assert list(ARRAKIS.values_of(sets.OPTION)) == list(known)

    @pytest.mark.parametrize(
        ("given", "why"),
        [
            ("12", "cannot be combined"),
            ("1347", "1, 3, 4 cannot be combined"),
            ("8", "no Possible Future 8"),
            ("0", "no Possible Future 0"),
            ("55", "twice"),
            ("75", "ascending order: '57'"),
            ("one", "form"),
            ("1 5", "form"),
        ],
    )
    @covers("WFA-N.3", "WFA-N.57")
    def test_anything_else_is_refused_with_its_reason(self, given: str, why: str) -> None:
        with pytest.raises(BadOption, match=why) as refused:
            ARRAKIS.parse_options({"futures": given}, 2)
        assert refused.value.field == "futures"

    @pytest.mark.parametrize("edition", ["v1_1", "preview_2022"])
    @covers("WFA-N.1")
    def test_other_editions_have_none(self, edition: str) -> None:
        with pytest.raises(BadOption, match="exclusive") as refused:
            ARRAKIS.parse_options({"futures": "5", "edition": edition}, 2)
        assert refused.value.field == "futures"
        assert "futures" not in ARRAKIS.parse_options({"futures": "", "edition": edition}, 2)


class TestAll:
    @covers("WFA-N.2", "WFA-N.5", "WFA-N.9")
    def test_leaders_and_cards_belong_to_their_future_and_half(self) -> None:
        halves = Counter(leader.side for leader in NEW.values())
        assert halves == {"house_atreides": 4, "fremen_ally": 2, "house_harkonnen": 4, "corrino_ally": 1}
        cards = [card for card in load().planning_card.values() if card.future]
        assert {(card.deck, card.copies) for card in cards} == {("house_harkonnen", 3)}
        assert sorted(card.future for card in cards) == [1, 2, 4]
        assert all(leader.special and leader.box != "none" for leader in NEW.values())
        assert NEW.keys() <= DESCRIBED.keys()
        values = {each.key: each for each in load().values if each.key.startswith("leader.duke_leto")}
        assert {values[f"leader.duke_leto.{field}"].certainty for field in ("box", "special", "combat")} == {
            "reconstructed"
        }

    @covers("WFA-N.2")
    def test_none_of_them_is_in_a_match_without_futures(self) -> None:
        war = war_at_setup()
        assert not any(FIGURE[leader] in war.g.table for leader in NEW)
        assert not any(load().planning_card[card].future for deck in DECK for card in cards_of(war.g, deck))  # type: ignore[arg-type]
        assert "futures" not in war.g.setting.places

    @pytest.mark.parametrize("futures", sets.sets(MODULES))
    @covers("WFA-N.2", "WFA-N.6", "WFA-N.7")
    def test_every_set_begins_whole(self, futures: str) -> None:
        war = begun(futures, old_man=bool(len(futures) % 2))
        assert war.problems() == []
        present = {leader for leader in NEW if war.g.in_play(leader)}
        assert {NEW[leader].future for leader in present} == {int(each) for each in futures if each != "7"}, (
            "the princess comes later"
        )
        assert all(war.g.table[CARD[leader]] == READY for leader in present)
        house = sorted(cards_of(war.g, "house_harkonnen"))
        held = [*war.g.table[DECK["house_harkonnen"]], *war.g.table.get(hand("house_harkonnen", war.harkonnen), ())]
        assert sorted(held) == house
        assert len(house) == 18
        assert house.count("hawats_scheming") == (0 if {"1", "2", "4"} & set(futures) else 3)

    @covers("WFA-N.7")
    def test_the_changes_follow_the_setup_in_the_order_of_the_numbers(self) -> None:
        war = war_at_setup(futures="356")
        war.run(FuturesSetup())
        asked: list[tuple[str, str]] = []
        while not war.done:
            (side,) = war.asked
            asked.append((side, type(war.g.stack[-1]).__name__))
            war.answer(side, war.legal(side)[0])
        naib, unit, sietch = "ReplaceNaib", "ReinforceSettlement", "DeployInSietch"
        assert asked == [
            (ATREIDES, naib),
            (HARKONNEN, unit),
            (ATREIDES, naib),
            (HARKONNEN, unit),
            (ATREIDES, sietch),
            (HARKONNEN, unit),
        ]
        whole = War(futures="6", bare=False).run(WholeGame())
        assert whole.where == "DeployInSietch.choose"
        assert whole.g.round == 0

    @covers("WFA-N.8")
    def test_an_extra_unit_needs_room_and_stands_in_by_lower_kinds(self) -> None:
        war = War(futures="5").village("carthag").village("arsunt").legion(HARKONNEN, "carthag", regular=6)
        special = war.g.supply(HARKONNEN)[2]
        lower = war.fork().legion(HARKONNEN, "north_pole", special=special)
        war.run(ReinforceSettlement(kind=2))
        assert war.legal(HARKONNEN) == [BringForces("arsunt", (0, 0, 1, 0), ())]
        lower.run(ReinforceSettlement(kind=2))
        assert lower.legal(HARKONNEN) == [BringForces("arsunt", (0, 1, 0, 0), ())]
        full = War(futures="5").village("carthag").legion(HARKONNEN, "carthag", regular=6)
        assert full.run(ReinforceSettlement(kind=2)).done

    @covers("WFA-N.4", "WFA-N.54")
    def test_two_leaders_on_one_box(self) -> None:
        war = War(futures="56").leader("paul_atreides", "gara_kulon").leader("duncan_idaho", "gara_kulon")
        war.legion(ATREIDES, "gara_kulon", regular=2).dice(ATREIDES, leadership=2).dice(HARKONNEN, mentat=1)
        war.run(ActionTurn(side=ATREIDES))
        open_ = {act.leader for act in war.legal(ATREIDES, UseSpecial)}
        assert open_ == {"paul_atreides", "duncan_idaho"}
        war.answer(ATREIDES, UseSpecial("leadership", "duncan_idaho")).finish()
        assert war.g.table[CARD["duncan_idaho"]] == "spent"
        assert war.g.table[CARD["paul_atreides"]] == READY
        war.run(ActionTurn(side=ATREIDES))
        assert UseSpecial("leadership", "paul_atreides") in war.legal(ATREIDES)
        assert UseSpecial("leadership", "duncan_idaho") not in war.legal(ATREIDES)

    @covers("WFA-N.10", "WFA-N.28")
    def test_a_text_brings_the_rest_without_whoever_is_out(self) -> None:
        war = War(futures="4").village("carthag").leader("baron_harkonnen", GONE)
        war.play_card(HARKONNEN, "barons_personal_guard")
        offers = war.legal(HARKONNEN, BringForces)
        assert max(act.units[1] for act in offers) == 2
        assert all(not act.leaders for act in offers)


class TestEach:
    @covers("WFA-N.11", "WFA-N.12", "WFA-N.13", "WFA-N.14")
    def test_1_long_live_the_duke(self) -> None:
        war = begun("1")
        assert war.g.whereabouts("duke_leto") == war.g.whereabouts("piter_de_vries") == ASIDE
        assert war.g.whereabouts("thufir_hawat") == GONE
        assert cards_of(war.g, "house_harkonnen").count("twisted_mentat") == 3
        war.run(GainSupremacy(points=1)).finish()
        assert war.g.whereabouts("thufir_hawat") == GONE, "he enters by no rule"

    @pytest.mark.parametrize("future", ["1", "2"])
    @covers("WFA-N.15", "WFA-N.21", "WFA-N.52")
    def test_1_and_2_draw_one_card_more_in_the_first_round(self, future: str) -> None:
        war = begun(future)

        def held() -> tuple[int, int]:
            return tuple(
                len(war.g.table.get(hand(deck, war.harkonnen), ())) for deck in ("house_harkonnen", "corrino_ally")
            )  # type: ignore[return-value]

        war.run(Round(), until="Round.vehicle_placement")
        assert held() == (2, 1)
        war.run(Round(), until="Round.vehicle_placement")
        assert held() == (3, 2)

    @pytest.mark.parametrize("future", ["1", "2", "4"])
    @covers("WFA-N.16", "WFA-N.22", "WFA-N.32", "WFA-N.43")
    def test_1_2_and_4_bring_gaius_at_step_8(self, future: str) -> None:
        war = begun(future).put("supremacy", 6)
        early = war.fork().run(GainSupremacy(points=1)).finish()
        assert early.g.whereabouts("gaius_helen_mohiam") is None
        war.run(GainSupremacy(points=3)).finish()
        assert war.g.whereabouts("gaius_helen_mohiam") == ASIDE
        assert war.g.get("bene_gesserit/harkonnen") == (0, 1)

    @covers("WFA-N.17", "WFA-N.18", "WFA-N.19", "WFA-N.20", "WFA-N.41", "WFA-N.42")
    def test_2_the_master_of_assassins(self) -> None:
        war = begun("2")
        assert war.g.whereabouts("thufir_hawat_atreides") == ASIDE
        assert war.g.whereabouts("thufir_hawat") == GONE
        assert not war.g.in_play("thufir_hawat"), "texts that name him do not mean the other one"
        assert (war.g.whereabouts("lady_jessica"), war.g.table[CARD["lady_jessica"]]) == (TANK[0], READY)
        assert not war.g.has_special("lady_jessica")
        assert cards_of(war.g, "house_harkonnen").count("guard_captain") == 3
        assert war.g.whereabouts("iakin_nefud") is None

    @covers("WFA-N.53", "WFA-N.41")
    def test_2_lady_jessica_leaves_the_tank_with_the_dice_that_are_spent(self) -> None:
        war = begun("2")
        tank = war.g.content.dashboard["sietch_tabr"].tank
        for _ in range(tank):
            assert war.g.in_tank("lady_jessica")
            advance_tank(war.g, ATREIDES)
        assert war.g.whereabouts("lady_jessica") == "leaving"
        war.dice(ATREIDES, mentat=1).dice(HARKONNEN, mentat=1).run(ActionTurn(side=ATREIDES))
        assert war.g.whereabouts("lady_jessica") == ASIDE

    @covers("WFA-N.23", "WFA-N.24", "WFA-N.25", "WFA-N.26", "WFA-N.44")
    def test_3_the_judge_of_the_change(self) -> None:
        war = set_up("3")
        sietches = war.g.board.names(war.g.board.sietches)
        assert {act.target for act in war.legal(ATREIDES, ChooseTarget)} == set(sietches)
        naibs = war.g.supply(ATREIDES)[LEADER]
        war.answer(ATREIDES, ChooseTarget("replace_naib", "gara_kulon"))
        assert war.g.whereabouts("jamis") == "gara_kulon"
        assert war.g.figures(ATREIDES, "gara_kulon")[LEADER] == 0
        assert war.g.supply(ATREIDES)[LEADER] == naibs + 1
        assert war.g.table[FIGURE["liet_kynes"]] == TANK[0]
        elites = war.g.supply(HARKONNEN)[1]
        assert {act.place for act in war.legal(HARKONNEN, BringForces)} <= {
            area for area in war.g.board.rank if VILLAGE[area]
        }
        war.answer(HARKONNEN, BringForces("carthag", (0, 1, 0, 0), ()))
        assert war.g.supply(HARKONNEN)[1] == elites - 1
        assert len(war.g.table[hand("corrino_ally", war.harkonnen)]) == 1
        assert war.done

    @covers("WFA-N.27", "WFA-N.45")
    def test_3_paul_stays_paul_atreides(self) -> None:
        war = begun("3").run(AdvanceMarker(marker="kwisatz_haderach", steps=4)).finish()
        assert war.g.whereabouts("paul_atreides") == ASIDE
        assert not war.g.on_board("paul_muad_dib")
        assert war.g.bearer("paul") == "paul_atreides"
        usual = war_at_setup().run(AdvanceMarker(marker="kwisatz_haderach", steps=4)).finish()
        assert usual.g.bearer("paul") == "paul_muad_dib"

    @covers("WFA-N.28", "WFA-N.29", "WFA-N.30", "WFA-N.31")
    def test_4_the_baron_is_dead(self) -> None:
        war = begun("4")
        assert war.g.whereabouts("baron_harkonnen") == war.g.whereabouts("thufir_hawat") == GONE
        assert CARD["baron_harkonnen"] not in war.g.table
        assert war.g.whereabouts("count_fenring") == ASIDE
        assert cards_of(war.g, "house_harkonnen").count("trained_in_the_bene_gesserit_ways") == 3

    @covers("WFA-N.33", "WFA-N.34", "WFA-N.44")
    def test_5_the_swordmaster_of_ginaz(self) -> None:
        war = set_up("35").answer(ATREIDES, ChooseTarget("replace_naib", "gara_kulon"))
        war.answer(HARKONNEN, war.legal(HARKONNEN)[0])
        assert "gara_kulon" not in {act.target for act in war.legal(ATREIDES, ChooseTarget)}, "another Naib"
        war.answer(ATREIDES, ChooseTarget("replace_naib", "tasmin_sink"))
        assert war.g.whereabouts("duncan_idaho") == "tasmin_sink"
        special = war.g.supply(HARKONNEN)[2]
        war.answer(HARKONNEN, BringForces("carthag", (0, 0, 1, 0), ()))
        assert war.g.supply(HARKONNEN)[2] == special - 1

    @covers("WFA-N.35", "WFA-N.36", "WFA-N.47")
    def test_6_the_redemption_of_dr_yueh(self) -> None:
        war = set_up("6")
        assert {act.area for act in war.legal(ATREIDES, DeployLeader)} == set(war.g.board.names(war.g.board.sietches))
        war.answer(ATREIDES, DeployLeader("tasmin_sink", "dr_yueh"))
        assert war.g.whereabouts("dr_yueh") == "tasmin_sink"
        assert war.g.table[CARD["dr_yueh"]] == READY
        assert war.g.leader("dr_yueh").box == "house"
        elites = war.g.supply(HARKONNEN)[1]
        war.answer(HARKONNEN, BringForces("carthag", (0, 1, 0, 0), ()))
        assert war.g.supply(HARKONNEN)[1] == elites - 1

    @covers("WFA-N.39", "WFA-N.40")
    def test_7_the_princess_steps_in(self) -> None:
        war = begun("7")
        assert war.g.whereabouts("gaius_helen_mohiam") == GONE
        war.run(GainSupremacy(points=1)).finish()
        war.hand(HARKONNEN, "hawats_scheming", "hawats_scheming").dice(HARKONNEN, mentat=1)
        war.run(ActionTurn(side=HARKONNEN)).play(HARKONNEN, PlotAgainstHawat(2))
        assert war.g.whereabouts("thufir_hawat") == GONE
        assert war.g.whereabouts("princess_irulan") == ASIDE
        assert war.g.whereabouts("gaius_helen_mohiam") == GONE
        assert war.g.get("bene_gesserit/harkonnen") == (0, 0)

    @pytest.mark.parametrize("futures", ["17", "27", "47"])
    @covers("WFA-N.46")
    def test_7_with_1_2_or_4_at_step_8(self, futures: str) -> None:
        war = begun(futures).put("supremacy", 7).run(GainSupremacy(points=1)).finish()
        assert war.g.whereabouts("princess_irulan") == ASIDE
        assert war.g.whereabouts("gaius_helen_mohiam") == GONE
        assert war.g.get("bene_gesserit/harkonnen") == (0, 0)

    def test_every_change_has_a_statement_of_its_own(self) -> None:
        cited = [change.rule for due in CHANGES.values() for change in due]
        assert len(set(cited)) == len(cited)
