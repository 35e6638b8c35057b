"""Setting up the game, and what is open or hidden from then on."""

from collections import Counter
from typing import Any

import pytest

from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.invariants import problems
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, SIDES
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import AREAS, DECKS
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.zones import HIDDEN
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.play.match import Match
from landsraad_engine.testing import covers

EDITIONS = ("exclusive", "v1_1", "preview_2022")
EVERY_EDITION = pytest.mark.parametrize("edition", EDITIONS)


def match(edition: str = "exclusive", **options: Any) -> Match:
    """A match at its first question, the placing of vehicles in round 1."""
    return Match(ARRAKIS, 2, {"edition": edition, **options}, name=edition)


def position(edition: str = "exclusive") -> ArrakisState:
    g = match(edition).g
    assert isinstance(g, ArrakisState)
    return g


def seen(g: ArrakisState, side: str) -> dict[str, Any]:
    return places_seen(g, g.seats_of(side)[0])


class TestSides:
    @covers("WFA-S.1")
    def test_one_seat_leads_each_faction(self) -> None:
        g = position()
        assert [g.side(seat) for seat in range(2)] == [HARKONNEN, ATREIDES]
        assert [g.powers(seat) for seat in range(2)] == [
            ("house_harkonnen", "corrino_ally"),
            ("house_atreides", "fremen_ally"),
        ]

    @EVERY_EDITION
    @covers("WFA-S.17")
    def test_nothing_is_missing_and_nothing_is_twice(self, edition: str) -> None:
        assert problems(position(edition)) == []


class TestAtreides:
    @covers("WFA-S.15", "WFA-S.30", "WFA-U.7")
    def test_sietches_lie_face_down_and_the_atreides_know_their_ranks(self) -> None:
        g = position()
        places = [f"sietch/{area}" for area in g.board.names(g.board.sietches)]
        assert len(places) == 8
        assert sorted(g.table[place][0] for place in places) == ["1", "1", "2", "2", "2", "2", "3", "3"]
        assert {seen(g, HARKONNEN)[place] for place in places} == {(HIDDEN,)}
        assert all(seen(g, ATREIDES)[place] == g.table[place] for place in places)

    @covers("WFA-S.31", "WFA-S.20")
    def test_every_sietch_has_a_starting_token_and_a_naib(self) -> None:
        g = position()
        areas = g.board.names(g.board.sietches)
        assert len(areas) == 8
        for area in areas:
            assert g.figures(ATREIDES, area) == (0, 0, 0, 1)
            (token,) = g.tokens(area)
            assert token.startswith("atreides_starting")
            assert seen(g, HARKONNEN)[f"tokens/{area}"] == (HIDDEN,)

    @covers("WFA-S.32", "WFA-U.8")
    def test_the_standard_tokens_are_in_the_bag_and_nobody_knows_their_order(self) -> None:
        g = position()
        assert len(g.table["bag"]) == 8
        assert seen(g, ATREIDES)["bag"] == seen(g, HARKONNEN)["bag"] == (HIDDEN,) * 8

    @covers("WFA-S.44", "WFA-U.7", "WFA-U.8")
    def test_one_objective_is_drawn_in_secret_and_five_are_put_away(self) -> None:
        g = position()
        assert len(g.table["objectives"]) == 1
        assert seen(g, ATREIDES)["objectives"] == g.table["objectives"]
        assert seen(g, HARKONNEN)["objectives"] == (HIDDEN,)
        assert seen(g, ATREIDES)["objectives_away"] == (HIDDEN,) * 5


class TestHarkonnen:
    @covers("WFA-S.14", "WFA-S.33", "WFA-U.6")
    def test_six_settlements_with_public_ranks(self) -> None:
        g = position()
        ranks = {area: g.rank(HARKONNEN, area) for area in AREAS if g.rank(HARKONNEN, area)}
        assert ranks == {
            "arrakeen": 3,
            "carthag": 2,
            "arsunt": 1,
            "hagga_basin": 1,
            "imperial_basin": 1,
            "north_pole": 1,
        }

    @covers("WFA-S.34", "WFA-X.2", "WFA-S.24")
    def test_each_settlement_gets_the_figures_of_a_black_and_a_silver_token(self) -> None:
        g = position()
        tokens = g.content.deployment_token
        for name in ("harkonnen_black", "harkonnen_silver"):
            assert len(g.table[f"{name}_shown"]) == 6
        for n, area in enumerate(g.board.rank):
            shown = [tokens[g.table[f"harkonnen_{name}_shown"][n]] for name in ("black", "silver")]
            units = [sum(getattr(token.units, kind) for token in shown) for kind in ("regular", "elite", "special")]
            assert g.figures(HARKONNEN, area) == (*units, sum(token.leader for token in shown))
        assert tokens["harkonnen_black_1"].units.regular == tokens["harkonnen_black_1"].units.special == 1
        assert (tokens["harkonnen_black_1"].units.elite, tokens["harkonnen_black_1"].leader) == (0, 1)


class TestBoards:
    @covers("WFA-S.35", "WFA-M.29")
    def test_stations_lie_face_down_for_everybody(self) -> None:
        g = position()
        places = [f"station/{area}" for area in g.board.names(g.board.stations)]
        kinds = Counter(g.table[place][0] for place in places)
        assert kinds == {"kwisatz_haderach": 2, "sand_dwellers": 2, "jihad": 2}
        assert {seen(g, side)[place] for side in SIDES for place in places} == {(HIDDEN,)}

    @covers("WFA-M.30")
    def test_in_2022_some_stations_show_all_three_symbols(self) -> None:
        g = position("preview_2022")
        kinds = {g.table[f"station/{area}"][0] for area in g.board.names(g.board.stations)}
        assert kinds == {"kwisatz_haderach", "sand_dwellers", "any"}

    @covers("WFA-S.12", "WFA-S.13", "WFA-S.36")
    def test_all_markers_start_on_0(self) -> None:
        g = position()
        assert (g.supremacy, *[g.marker(each) for each in ("kwisatz_haderach", "sand_dwellers", "jihad")]) == (0,) * 4

    @covers("WFA-S.37", "WFA-R.3")
    def test_sixteen_prescience_cards_of_which_three_are_turned_up(self) -> None:
        g = position()
        assert (len(g.table["prescience_deck"]), len(g.table["prescience_row"])) == (13, 3)

    @covers("WFA-S.38", "WFA-U.8")
    def test_sixteen_wormsigns_in_a_pool(self) -> None:
        g = position()
        assert seen(g, ATREIDES)["wormsigns"] == (HIDDEN,) * 16

    @pytest.mark.parametrize(("edition", "step"), [("exclusive", 5), ("v1_1", 5), ("preview_2022", 4)])
    @covers("WFA-S.41", "WFA-S.42")
    def test_imperium_markers(self, edition: str, step: int) -> None:
        g = position(edition)
        assert {g.table[f"imperium/{power}"] for power in ("choam", "spacing_guild", "landsraad")} == {step}


class TestDashboards:
    @EVERY_EDITION
    @covers("WFA-S.39", "WFA-S.40")
    def test_three_leaders_a_side_are_in_play_and_aside(self, edition: str) -> None:
        g = position(edition)
        assert set(g.leaders_aside(HARKONNEN)) == {"baron_harkonnen", "beast_rabban", "captain_aramsham"}
        assert set(g.leaders_aside(ATREIDES)) == {"paul_atreides", "lady_jessica", "stilgar"}
        assert {g.table[f"card/{leader}"] for side in SIDES for leader in g.leaders_aside(side)} == {"ready"}
        assert not g.in_play("alia")

    @covers("WFA-S.43", "WFA-R.2", "WFA-U.6")
    def test_four_decks_of_eighteen_of_which_one_card_each_is_drawn(self) -> None:
        g = position()
        assert [len(g.table[f"deck/{deck}"]) for deck in DECKS] == [17] * 4
        assert len(g.hand(0)) == len(g.hand(1)) == 2
        assert seen(g, ATREIDES)["hand/corrino_ally/0"] == (HIDDEN,)

    @covers("WFA-S.45")
    def test_bene_gesserit_tokens(self) -> None:
        g = position()
        assert g.get("bene_gesserit/atreides") == (0, 1)
        assert g.get("bene_gesserit/harkonnen") == (0, 0)
        assert g.get("bene_gesserit/reserve") == (0, 4)

    @covers("WFA-S.46")
    def test_in_2022_they_are_cards(self) -> None:
        g = position("preview_2022")
        assert g.get("bene_gesserit/reserve") == (0, 0)
        decks = {deck: g.content.deck(deck) for deck in DECKS}
        assert decks["corrino_ally"].count("bene_gesserit_corrino") == 3
        assert decks["house_atreides"].count("bene_gesserit_atreides") == 3
        assert {len(cards) for cards in decks.values()} == {18}

    @covers("WFA-S.48", "WFA-S.47", "WFA-D.1", "WFA-V.4")
    def test_dice(self) -> None:
        g = position()
        assert g.get("dice/giedi_prime/pool") == (8, 0)
        assert g.get("dice/sietch_tabr/pool") == (4, 0)
        assert Counter(g.content.action_dice.harkonnen) == {
            "strategy": 2,
            "leadership": 1,
            "deployment": 1,
            "mentat": 1,
            "house": 1,
        }
        assert Counter(g.content.combat_die.faces) == {"hit": 3, "shield": 2, "special": 1}
        assert max(Counter(g.content.action_dice.atreides).values()) == 2


class TestOptions:
    @covers("WFA-U.1")
    def test_the_corrected_exclusive_edition_is_the_default(self) -> None:
        options = ARRAKIS.parse_options({}, 2)
        assert (options["edition"], options["faq"], options["round_limit"]) == ("exclusive", True, 20)

    @pytest.mark.parametrize("edition", ["v1_1", "preview_2022"])
    @covers("WFA-U.2")
    def test_corrections_are_an_option_of_the_exclusive_edition_only(self, edition: str) -> None:
        with pytest.raises(BadOption) as refused:
            ARRAKIS.parse_options({"edition": edition, "faq": False}, 2)
        assert refused.value.field == "faq"

    @EVERY_EDITION
    def test_what_was_parsed_can_be_parsed_again(self, edition: str) -> None:
        options = ARRAKIS.parse_options({"edition": edition}, 2)
        assert ARRAKIS.parse_options(options, 2) == options

    @covers("WFA-U.3")
    def test_what_2022_leaves_out_is_as_in_the_exclusive_edition(self) -> None:
        late, early = position(), position("preview_2022")
        assert late.content.supply == early.content.supply
        assert late.content.objective == early.content.objective
