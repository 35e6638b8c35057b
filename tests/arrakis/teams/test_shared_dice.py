"""The action dice of a shared faction: rolled as one, divided in four steps, changed by their owners."""

from collections.abc import Sequence
from typing import Any

import pytest

from landsraad_engine.arrakis.acts import ChangeDie, ChooseTarget, Done, PlaceBeneGesserit
from landsraad_engine.arrakis.content import offer
from landsraad_engine.arrakis.dice import BeneGesseritTokens, ExcessDice, RollDice
from landsraad_engine.arrakis.round import EndOfRound
from landsraad_engine.arrakis.vehicles import VehiclePlacement
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, war_at_setup

HH, CORRINO, HA, FREMEN = "house_harkonnen", "corrino_ally", "house_atreides", "fremen_ally"
ASIDE = "dice/{}/set_aside"


def rolled(*, seats: int = 4, harkonnen: Sequence[str] = (), atreides: Sequence[str] = (), **options: Any) -> War:
    """Let both sides roll these dice."""
    war = War(seats=seats, **options)
    war.dice("harkonnen", pool=len(harkonnen)).dice("atreides", pool=len(atreides))
    war.rolls("action/harkonnen", *harkonnen).rolls("action/atreides", *atreides)
    return war.run(RollDice())


def faces(**dice: int) -> list[str]:
    return [face for face, number in dice.items() for _ in range(number)]


def change(war: War, half: str, target: str) -> War:
    return war.answer(half, ChangeDie("set_aside", target))


class TestExamples:
    @covers("WFA-G.28", "WFA-G.29", "WFA-G.30", "WFA-G.31", "WFA-G.32", "WFA-G.73", "WFA-G.89")
    def test_eight_harkonnen_dice(self) -> None:
        roll = faces(strategy=3, deployment=2, leadership=1, mentat=2)
        war = rolled(seats=3, harkonnen=roll, atreides=faces(mentat=2, house=2))
        assert war.thrown() == [4, 8], "one roll for a faction"
        assert war.asked == (HH,)
        assert war.legal(HH) == [ChangeDie("set_aside", "house")], "the box with the fewest dice"
        change(war, HH, "house")
        assert war.done
        assert war.g.dice(HH) == {"leadership": 1, "mentat": 2, "house": 1}
        assert war.g.dice(CORRINO) == {"strategy": 2, "deployment": 2}

    @covers("WFA-G.34", "WFA-G.90")
    def test_seven_harkonnen_dice_of_2022(self) -> None:
        roll = faces(strategy=2, deployment=2, leadership=1, mentat=2)
        war = rolled(seats=3, harkonnen=roll, atreides=faces(mentat=1), edition="preview_2022")
        assert war.g.dice(CORRINO) == {"strategy": 2, "deployment": 2}
        assert war.g.dice(HH) == {"leadership": 1, "mentat": 2}

    @covers("WFA-G.33", "WFA-G.92")
    def test_four_strategy_dice_of_the_atreides(self) -> None:
        war = rolled(atreides=faces(strategy=4))
        assert war.g.dice(FREMEN) == {"strategy": 1}
        assert war.g.table[ASIDE.format(HA)] == (2, 0)
        assert war.g.table[ASIDE.format(FREMEN)] == (1, 0)
        assert {act.target for act in war.legal(HA, ChangeDie)} == {"leadership", "mentat", "house"}
        change(war, HA, "mentat")
        assert {act.target for act in war.legal(FREMEN, ChangeDie)} == {"leadership", "deployment"}
        change(war, FREMEN, "deployment")
        assert {act.target for act in war.legal(HA, ChangeDie)} == {"leadership", "house"}, "fewest dice first"
        change(war, HA, "house")
        assert war.done

    @covers("WFA-G.71", "WFA-G.93")
    def test_three_leadership_dice_of_the_atreides(self) -> None:
        war = rolled(atreides=faces(leadership=3, mentat=1))
        assert war.g.dice(HA) == {"leadership": 1, "mentat": 1}
        assert war.g.dice(FREMEN) == {"leadership": 1}
        assert {act.target for act in war.legal(FREMEN, ChangeDie)} == {"strategy", "deployment"}

    @covers("WFA-G.94")
    def test_eight_strategy_dice_of_the_harkonnen(self) -> None:
        war = rolled(harkonnen=faces(strategy=8))
        asked = []
        while not war.done:
            asked.append(war.asked[0])
            war.answer(asked[-1], war.legal(asked[-1])[0])
        assert asked == [HH, CORRINO, HH, CORRINO, HH, HH]
        assert sum(war.g.dice(HH).values()) == sum(war.g.dice(CORRINO).values()) == 4
        assert war.g.dice(CORRINO) == {"strategy": 2, "deployment": 1, "mentat": 1}

    @covers("WFA-G.35", "WFA-G.77", "WFA-G.95")
    def test_of_2022_one_partner_with_all_dice_keeps_one(self) -> None:
        war = War(seats=4, edition="preview_2022").dice("atreides", pool=4)
        war.rolls("action/atreides", *["mentat"] * 4, *["mentat"] * 3, "leadership", "leadership", "strategy")
        war.run(RollDice())
        assert war.thrown() == [4, 3]
        assert war.asked == (HA,)
        war.answer(HA, ChooseTarget("keep_die", "mentat"))
        assert war.done, "the others are rolled again once"
        assert war.g.dice(HA) == {"mentat": 1, "leadership": 1}
        assert war.g.dice(FREMEN) == {"leadership": 1, "strategy": 1}


class TestDivision:
    @covers("WFA-G.36", "WFA-G.78")
    @pytest.mark.parametrize(("side", "house", "ally"), [("harkonnen", HH, CORRINO), ("atreides", HA, FREMEN)])
    def test_the_odd_die_of_2022_goes_to_the_house(self, side: str, house: str, ally: str) -> None:
        shared = "mentat" if side == "harkonnen" else "leadership"
        dice: dict[str, Any] = {side: faces(**{shared: 3})}
        war = rolled(edition="preview_2022", **dice)
        assert (war.g.dice(house), war.g.dice(ally)) == ({shared: 2}, {shared: 1})

    @covers("WFA-G.72")
    def test_several_results_on_both_dashboards_are_dealt_die_by_die(self, tmp_path: Any) -> None:
        path = tmp_path / "two_shared_results.toml"
        path.write_text(
            'provenance = "certain"\n[dashboard.fremen_ally]\nboxes = ["leadership", "mentat", "strategy"]\n'
        )
        war = rolled(atreides=faces(mentat=2, leadership=2), content=offer(path))
        assert war.g.dice(HA) == war.g.dice(FREMEN) == {"leadership": 1, "mentat": 1}

    @covers("WFA-G.74")
    def test_partners_change_their_dice_in_turns(self) -> None:
        war = rolled(harkonnen=faces(strategy=8), atreides=faces(strategy=4))
        asked = []
        while not war.done:
            asked.append(war.asked[0])
            war.answer(asked[-1], war.legal(asked[-1])[0])
        assert asked == [HH, HA, CORRINO, FREMEN, HH, HA, CORRINO, HH, HH]

    @covers("WFA-G.74")
    def test_an_unshared_faction_has_both_turns_of_its_side(self) -> None:
        war = War(seats=3).dice("atreides", pool=4).dice("harkonnen", pool=8)
        war.rolls("action/atreides", *["strategy"] * 4).rolls("action/harkonnen", *["strategy"] * 8).run(RollDice())
        asked = []
        while not war.done:
            asked.append(war.asked[0])
            war.answer(asked[-1], war.legal(asked[-1])[0])
        assert asked == [HH, "atreides", CORRINO, "atreides", HH, CORRINO, HH, HH]

    @covers("WFA-G.74")
    def test_without_the_corrections_each_faction_changes_all_its_dice_first(self) -> None:
        war = rolled(harkonnen=faces(strategy=8), atreides=faces(strategy=4), faq=False)
        asked = []
        while not war.done:
            asked.append(war.asked[0])
            war.answer(asked[-1], war.legal(asked[-1])[0])
        assert asked == [HH] * 4 + [CORRINO] * 2 + [HA] * 2 + [FREMEN]


class TestOfTheFaction:
    @covers("WFA-G.75", "WFA-G.42", "WFA-G.60")
    def test_locked_dice_are_the_factions(self) -> None:
        war = war_at_setup(seats=4)
        war.imperium(choam=1, landsraad=1, spacing_guild=1)
        war.run(VehiclePlacement())
        locked, pool = war.g.table["dice/giedi_prime/locked"], war.g.table["dice/giedi_prime/pool"]
        assert locked[0] > 0
        assert locked[0] + pool[0] == 8
        assert war.asked == (HH,)

    @covers("WFA-G.75")
    def test_all_dice_go_back_to_the_faction(self) -> None:
        war = war_at_setup(seats=4)
        war.put("dice/giedi_prime/pool", None).put("dice/giedi_prime/locked", (2, 0))
        war.put("dice/house_harkonnen/house", (1, 1)).put("dice/corrino_ally/used", (5, 0))
        war.run(EndOfRound()).finish()
        assert war.g.table["dice/giedi_prime/pool"] == (8, 0)

    @covers("WFA-G.49", "WFA-G.50", "WFA-G.76")
    def test_either_partner_may_lay_the_token_of_the_faction(self) -> None:
        war = War(seats=4).dice(HA, leadership=1).dice(FREMEN, strategy=1).put("bene_gesserit/atreides", (0, 2))
        war.run(BeneGesseritTokens(dashboards=("giedi_prime", "sietch_tabr")))
        assert war.asked == (HA, FREMEN)
        assert set(war.legal(HA)) == {PlaceBeneGesserit("mentat"), PlaceBeneGesserit("house"), Done()}
        assert set(war.legal(FREMEN)) == {PlaceBeneGesserit("leadership"), PlaceBeneGesserit("deployment"), Done()}
        war.answer(FREMEN, PlaceBeneGesserit("deployment"))
        assert war.done, "one token a round"
        assert war.g.dice(FREMEN) == {"strategy": 1, "deployment": 1}
        assert war.g.table["bene_gesserit/atreides"] == (0, 1)

    @covers("WFA-G.76")
    def test_a_dashboard_without_a_free_slot_takes_no_token(self) -> None:
        war = War(seats=4).dice(HA, leadership=1, mentat=1, house=1).put("bene_gesserit/atreides", (0, 1))
        war.run(BeneGesseritTokens(dashboards=("sietch_tabr",)))
        assert war.asked == (FREMEN,)

    def test_excess_of_an_unshared_faction_is_as_before(self) -> None:
        war = War(seats=3).dice("atreides", leadership=4)
        war.run(ExcessDice(dashboards=(HH, "sietch_tabr")))
        assert war.asked == ("atreides",)
