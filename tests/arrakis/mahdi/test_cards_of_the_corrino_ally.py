"""The planning cards of the Corrino Ally as the automaton plays them, one by one."""

import pytest

from landsraad_engine.arrakis.acts import DiscardCards, PlaceVehicle
from landsraad_engine.arrakis.announcements import CardTakesEffect
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.cards.corrino_ally import HUNTED, MERCILESS
from landsraad_engine.arrakis.cards.lasting import effects
from landsraad_engine.arrakis.hooks import Permit, Timing
from landsraad_engine.arrakis.mahdi.card_texts import text_of
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, LOCKED, ORNITHOPTER, POOL
from landsraad_engine.arrakis.zones import ASIDE, GARRISON, box
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo

SHADDAM, ARAMSHAM = "emperor_shaddam_iv", "captain_aramsham"
RAGE = "rage_overcame_shaddam_iv"


def board(target: str = "gara_kulon", *, rank: int = 1, villages: tuple[str, ...] = ()) -> Solo:
    """A Target Sietch, and some settlements that stand."""
    solo = Solo().target(target, rank)
    for area in villages:
        solo.village(area)
    return solo


def battle(solo: Solo) -> Battle:
    """The battle in progress."""
    (found,) = (frame for frame in solo.g.stack if isinstance(frame, Battle))
    return found


class TestShaddam:
    @covers("WFA-Y.126", "WFA-Y.101")
    def test_he_enters_and_a_card_is_played(self) -> None:
        for version in "abc":
            solo = (
                board(villages=("arrakeen",))
                .deck("house_harkonnen", "polar_cap_factories")
                .play_drawn(f"{RAGE}_{version}")
            )
            assert solo.g.whereabouts(SHADDAM) == ASIDE
            assert solo.figures(HARKONNEN, "north_pole") == (2, 1, 0, 1)

    @covers("WFA-Y.126", "WFA-Y.171")
    def test_version_a(self) -> None:
        solo = board(villages=("arrakeen", "imperial_basin")).leader(SHADDAM).play_drawn(f"{RAGE}_a")
        assert solo.at(HARKONNEN, "imperial_basin")[:2] == ((4, 0, 0, 0), (SHADDAM,))

    @covers("WFA-Y.126", "WFA-Y.171")
    def test_version_b(self) -> None:
        solo = board().leader(SHADDAM, "carthag").legion(HARKONNEN, "carthag", regular=1)
        solo.legion(HARKONNEN, "ne_11", regular=1).play_drawn(f"{RAGE}_b")
        assert solo.at(HARKONNEN, "ne_11")[:2] == ((1, 0, 2, 0), (SHADDAM,))

    @covers("WFA-Y.126")
    def test_version_c_attacks_with_the_legion_that_he_makes_strong_enough(self) -> None:
        solo = board(rank=2).sietch("sihaya_ridge", 3).leader(SHADDAM).legion(ATREIDES, "sihaya_ridge", regular=3)
        solo.legion(HARKONNEN, "ne_6", special=1).legion(HARKONNEN, "ne_11", special=1)
        solo.legion(ATREIDES, "gara_kulon", special=1).play_drawn(f"{RAGE}_c", until=Battle)
        # One Sardaukar ties with one Fedaykin: only with Shaddam it can attack; three Regulars are too many.
        assert solo.at(HARKONNEN, "ne_11")[:2] == ((0, 0, 1, 0), (SHADDAM,))
        assert (battle(solo).target, battle(solo).surprise) == ("gara_kulon", True)

    @covers("WFA-Y.126", "WFA-Y.49")
    def test_version_c_moves_the_closest_and_attacks_after_that(self) -> None:
        solo = board().leader(SHADDAM).legion(HARKONNEN, "cne_6", special=1).legion(HARKONNEN, "ne_1", special=1)
        solo.legion(HARKONNEN, "pasty_mesa", regular=6).play_drawn(f"{RAGE}_c", until=Battle)
        assert solo.at(HARKONNEN, "shield_wall_east")[:2] == ((0, 0, 1, 0), (SHADDAM,)), "the closest with a Sardaukar"
        assert (battle(solo).target, battle(solo).surprise) == ("gara_kulon", True)

    @covers("WFA-Y.126", "WFA-Y.103")
    def test_in_the_tank_he_keeps_the_card(self) -> None:
        solo = board(villages=("arrakeen",)).leader(SHADDAM, "tank").play_drawn(f"{RAGE}_a")
        assert solo.reserve == [f"{RAGE}_a"]


class TestHumans:
    @covers("WFA-Y.127", "WFA-Y.109")
    def test_manipulation_of_others(self) -> None:
        solo = board().hand(ATREIDES, "war_plan", "hieregs", "thumpers").deck("house_harkonnen", "sandmasters")
        solo.play_drawn("manipulation_of_others").answer(ATREIDES, DiscardCards(("hieregs", "war_plan")))
        assert solo.g.hand(solo.atreides) == ("thumpers",)
        assert solo.reserve == ["sandmasters"]

    @covers("WFA-Y.128")
    def test_breeding_program(self) -> None:
        solo = board().put(box("giedi_prime", LOCKED), (2, 0)).deck("house_harkonnen", "polar_cap_factories")
        solo.play_drawn("breeding_program")
        assert solo.g.get(box("giedi_prime", POOL)) == (1, 0)
        assert solo.g.supremacy == 0
        assert [fact.card for fact in solo.announced(CardTakesEffect)] == ["breeding_program", "polar_cap_factories"]
        assert board().play_drawn("breeding_program").g.supremacy == 1, "no die is locked"

    @covers("WFA-Y.131")
    def test_hope_clouds_observation(self) -> None:
        solo = board()
        cards = list(solo.g.content.prescience_card)[:3]
        solo.lay("prescience_row", *cards[:2]).lay("prescience_deck", cards[2]).play_drawn("hope_clouds_observation")
        assert solo.choices("choose_revealed") == set(cards[:2])
        solo.choose("choose_revealed", cards[0])
        assert solo.g.get("prescience_row") == (cards[1],)

    @covers("WFA-Y.132")
    def test_reports_of_traitors(self) -> None:
        solo = board().dice(ATREIDES, house=2, mentat=1).play_drawn("reports_of_traitors")
        assert solo.g.dice("sietch_tabr") == {"house": 1, "mentat": 1}
        assert solo.done, "there is nothing to choose"

    @covers("WFA-Y.134", "WFA-Y.102")
    def test_spies_all_over_arrakis(self) -> None:
        solo = board().sietch("gara_kulon", shown=True).sietch("sihaya_ridge", 2).sietch("hobars_gap", 3)
        first, second, *_ = solo.g.table["bag"]
        solo.legion(ATREIDES, "ne_15", tokens=(first,)).legion(ATREIDES, "hobars_gap", tokens=(second,))
        solo.deck("house_harkonnen", "sandmasters").play_drawn("spies_all_over_arrakis")
        assert [solo.g.hidden_sietch(area) for area in ("sihaya_ridge", "hobars_gap")] == [False, True]
        assert (solo.g.tokens("ne_15"), solo.g.tokens("hobars_gap")) == ((), (second,)), "of the closest area"
        assert solo.reserve == ["sandmasters"], "the card that it draws, and none for what it turns up"

    @covers("WFA-Y.134")
    def test_spies_where_places_tie(self) -> None:
        solo = board().sietch("gara_kulon", shown=True).sietch("sihaya_ridge", 2).sietch("tasmin_sink", 3)
        first, second, *_ = solo.g.table["bag"]
        solo.legion(ATREIDES, "ne_15", tokens=(first,)).legion(ATREIDES, "ne_16", tokens=(second,))
        solo.play_drawn("spies_all_over_arrakis")
        assert solo.choices("reveal_sietch") == {"sihaya_ridge", "tasmin_sink"}
        solo.choose("reveal_sietch", "tasmin_sink")
        assert solo.choices("reveal_tokens") == {"ne_15", "ne_16"}
        solo.choose("reveal_tokens", "ne_16")
        assert (solo.g.tokens("ne_15"), solo.g.tokens("ne_16")) == ((first,), ())


class TestMarches:
    @covers("WFA-Y.129")
    def test_troop_carriers(self) -> None:
        solo = board(villages=("carthag", "arrakeen")).legion(HARKONNEN, "carthag", regular=5)
        solo.legion(HARKONNEN, "arrakeen", regular=3, special=1, named=(SHADDAM,)).legion(HARKONNEN, "ne_11", regular=4)
        solo.play_drawn("troop_carriers")
        # Arrakeen is closer than Carthag. Two fit: the Sardaukar, and one of the Regulars, which are alike.
        assert solo.at(HARKONNEN, "ne_11")[:2] == ((5, 0, 1, 0), (SHADDAM,))
        assert solo.figures(HARKONNEN, "arrakeen") == (2, 0, 0, 0)

    @covers("WFA-Y.129")
    def test_troop_carriers_carry_all_and_leave_tokens(self) -> None:
        solo = (
            board(villages=("arrakeen",)).legion(HARKONNEN, "arrakeen", regular=2).legion(HARKONNEN, "ne_11", regular=1)
        )
        solo.play_drawn("troop_carriers")
        assert solo.figures(HARKONNEN, "ne_11") == (3, 0, 0, 0)
        assert [len(solo.g.get(keys["arrakeen"])) for keys in GARRISON.values()] == [1, 1]

    @covers("WFA-Y.129", "WFA-Y.103")
    def test_troop_carriers_move_nobody_who_is_too_weak_or_would_not_come_closer(self) -> None:
        weak = board(villages=("arrakeen",)).legion(HARKONNEN, "arrakeen", regular=2)
        weak.legion(HARKONNEN, "ne_11", regular=1).legion(ATREIDES, "gara_kulon", regular=3).play_drawn(
            "troop_carriers"
        )
        assert weak.reserve == ["troop_carriers"]
        far = board(villages=("imperial_basin",)).legion(HARKONNEN, "imperial_basin", regular=2)
        far.legion(HARKONNEN, "carthag", regular=1).play_drawn("troop_carriers")
        assert far.reserve == ["troop_carriers"]

    @covers("WFA-Y.130", "WFA-Y.170")
    def test_shigawire(self) -> None:
        solo = board().legion(HARKONNEN, "imperial_basin", regular=1, special=1)
        solo.legion(ATREIDES, "ne_7", regular=1, named=("chani",))
        solo.legion(ATREIDES, "arrakeen", regular=1, named=("stilgar",)).play_drawn("shigawire")
        assert solo.figures(HARKONNEN, "cne_5") == (1, 0, 1, 0)
        assert solo.g.in_tank("chani"), "next to where it is now, across an impassable border"
        assert not solo.g.in_tank("stilgar")

    @covers("WFA-Y.130")
    def test_shigawire_where_none_moves(self) -> None:
        solo = board().legion(HARKONNEN, "imperial_basin", special=1).legion(ATREIDES, "gara_kulon", regular=6)
        solo.legion(ATREIDES, "arrakeen", regular=1, named=("chani",)).play_drawn("shigawire")
        assert solo.g.in_tank("chani")

    @covers("WFA-Y.133", "WFA-Y.97")
    def test_sardaukar_pogrom(self) -> None:
        solo = board().legion(HARKONNEN, "ne_1", special=1).legion(HARKONNEN, "se_1", special=1)
        solo.legion(HARKONNEN, "csw_1", special=1).legion(HARKONNEN, "hole_in_the_rock", regular=3)
        solo.play_drawn("sardaukar_pogrom")
        while not solo.done:
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert all(not solo.g.size(HARKONNEN, area) for area in ("ne_1", "se_1", "csw_1"))
        assert solo.figures(HARKONNEN, "hole_in_the_rock") == (3, 0, 0, 0), "it has no Sardaukar"

    @covers("WFA-Y.133")
    def test_sardaukars_manner_is_a_surprise_attack(self) -> None:
        solo = board().legion(HARKONNEN, "ne_11", special=1).legion(HARKONNEN, "ne_14", regular=5)
        solo.legion(ATREIDES, "gara_kulon", regular=1).play_drawn("sardaukars_manner", until=Battle)
        assert (battle(solo).source, battle(solo).target, battle(solo).surprise) == ("ne_11", "gara_kulon", True)

    @covers("WFA-Y.133", "WFA-Y.103")
    def test_killers_without_mercy(self) -> None:
        solo = board().legion(HARKONNEN, "ne_11", special=1).legion(ATREIDES, "gara_kulon", regular=1)
        solo.play_drawn(MERCILESS, until=Battle)
        assert (battle(solo).effects, battle(solo).surprise) == ((MERCILESS,), False)
        idle = board().legion(HARKONNEN, "ne_1", special=1).play_drawn(MERCILESS)
        assert idle.reserve == [MERCILESS], "it only attacks"

    @covers("WFA-Y.133", "WFA-Y.99")
    def test_full_control_of_the_air(self) -> None:
        solo = board("windgap").play_drawn("full_control_of_the_air")
        while not solo.done and solo.legal(ATREIDES, PlaceVehicle):
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        zones = solo.g.zones_with(ORNITHOPTER)
        assert len(zones) == 2
        assert set(zones) <= {"z6", "z7", "z8"}

    @covers("WFA-Y.133")
    def test_seek_out_the_mahdi(self) -> None:
        solo = board().legion(ATREIDES, "ne_3", regular=1, named=("paul_atreides",)).play_drawn(HUNTED)
        assert effects(solo.g, HUNTED)
        assert not solo.g.allowed(Permit.MOVE, ATREIDES, "ne_3", default=True)
        solo.run(solo.g.at(Timing.TURN_ENDS, HARKONNEN))
        assert effects(solo.g, HUNTED), "it holds in the next Atreides turn"
        solo.run(solo.g.at(Timing.TURN_ENDS, ATREIDES))
        assert not effects(solo.g, HUNTED)

    @covers("WFA-Y.135", "WFA-Y.102")
    def test_moving_the_battle_group(self) -> None:
        solo = board().legion(ATREIDES, "shield_wall_east", regular=1).play_drawn("moving_the_battle_group")
        assert solo.figures(HARKONNEN, "cne_6") == (0, 2, 0, 1), "the closest Mountain is not free"

    @covers("WFA-Y.135", "WFA-Y.98")
    def test_sardaukar_disguised(self) -> None:
        solo = board().legion(HARKONNEN, "ne_1", elite=1).legion(HARKONNEN, "cne_8", elite=1, regular=1)
        solo.legion(ATREIDES, "gara_kulon", special=6).play_drawn("sardaukar_disguised")
        assert solo.figures(HARKONNEN, "cne_8") == (1, 0, 1, 0), "closest first, then the next"
        assert solo.figures(HARKONNEN, "ne_1") == (0, 0, 1, 0)

    @covers("WFA-Y.135")
    def test_i_decide_what_best_serves_his_majesty(self) -> None:
        solo = board().leader(ARAMSHAM).legion(HARKONNEN, "ne_11", special=1).legion(ATREIDES, "gara_kulon", regular=1)
        solo.legion(HARKONNEN, "ne_14", special=2).play_drawn("i_decide_what_best_serves_his_majesty", until=Battle)
        assert battle(solo).source == "ne_14", "with him the difference is the greatest"
        assert ARAMSHAM in solo.at(HARKONNEN, "ne_14").named

    @covers("WFA-Y.135")
    @pytest.mark.parametrize("where", ["tank", ASIDE])
    def test_i_decide_where_none_can_attack(self, where: str) -> None:
        solo = board().leader(ARAMSHAM, where).legion(HARKONNEN, "imperial_basin", special=1)
        solo.legion(HARKONNEN, "ne_1", special=2).play_drawn("i_decide_what_best_serves_his_majesty")
        assert solo.figures(HARKONNEN, "cne_5") == (0, 0, 1, 0), "the closest moves"
        assert (solo.g.whereabouts(ARAMSHAM) == "cne_5") == (where == ASIDE)


@pytest.mark.parametrize("edition", ["exclusive", "v1_1"])
def test_every_card_has_a_text(edition: str) -> None:
    solo = Solo(edition=edition).leader(SHADDAM)
    cards = {card for deck in ("house_harkonnen", "corrino_ally") for card in solo.g.content.deck(deck)}
    assert len(cards) > 30
    assert {card for card in cards if text_of(solo.g, card) < 0} == set()
