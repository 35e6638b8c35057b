"""Setting up: what everybody starts with, and what is chosen before the first storm."""

from collections.abc import Mapping
from typing import Any

from landsraad_engine.dune.acts import (
    HandBackTraitors,
    KeepTraitor,
    Pass,
    PlaceForces,
    PlaceToken,
    Predict,
)
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.pieces import ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN, LEADERS, TREACHERY
from landsraad_engine.knowledge.information import places_seen
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.dune import at_table, dune_at_setup, setting_up

ALL = (ATREIDES, BENE_GESSERIT, EMPEROR, FREMEN, GUILD, HARKONNEN)

#: The Fremen's cells: sietch_tabr, false_wall_south (two), false_wall_west (three).
SPREAD = PlaceForces(tokens=(5, 0, 2, 0, 0, 1), elites=(0, 1, 0, 0, 0, 1))


def seen(s: Scenario, seat: int | None) -> Mapping[str, Any]:
    return places_seen(s.g, seat)


@covers("DUNE-S.1", "DUNE-S.3", "DUNE-S.4", "DUNE-S.13")
def test_turn_storm_and_spice_at_the_start() -> None:
    table = dune_at_setup(*ALL).g.table
    assert table["turn"] == 1
    assert table["storm"] == 18
    assert table["bank"] == -(10 + 5 + 10 + 3 + 5 + 10)
    assert all(table[f"leaders/{faction}"] == tuple(sorted(LEADERS[faction])) for faction in ALL)


@covers("DUNE-S.15", "DUNE-S.16", "DUNE-S.17", "DUNE-S.18", "DUNE-S.19", "DUNE-S.20", "DUNE-S.10")
def test_every_faction_starts_with_its_own_forces_and_spice() -> None:
    s = setting_up(*ALL).until(PlaceForces).answer(FREMEN, SPREAD).until(PlaceToken)
    table = s.answer(BENE_GESSERIT, PlaceToken("polar_sink")).finish().g.table
    assert table["at/atreides/arrakeen:9"] == (10, 0, 0)
    assert table["reserves/atreides"] == (10, 0, 0)
    assert table["at/bene_gesserit/polar_sink"] == (1, 0, 0)
    assert table["reserves/bene_gesserit"] == (19, 0, 0)
    assert table["reserves/emperor"] == (15, 5, 0)
    assert table["at/fremen/sietch_tabr:13"] == (5, 0, 0)
    assert sum(sum(counts) for key, counts in table.items() if key.startswith("at/fremen/")) == 10
    assert table["reserves/fremen"] == (9, 1, 0)
    assert table["at/guild/tueks_sietch:4"] == (5, 0, 0)
    assert table["reserves/guild"] == (15, 0, 0)
    assert table["at/harkonnen/carthag:10"] == (10, 0, 0)
    assert table["reserves/harkonnen"] == (10, 0, 0)
    spice = {faction: table[f"spice/{faction}"] for faction in ALL}
    assert spice == {ATREIDES: 10, BENE_GESSERIT: 5, EMPEROR: 10, FREMEN: 3, GUILD: 5, HARKONNEN: 10}


@covers("DUNE-S.15", "DUNE-S.19", "DUNE-S.20")
def test_the_owners_of_cities_start_with_their_bonuses() -> None:
    table = dune_at_setup(*ALL).g.table
    for bonus in ("ornithopters", "harvesters", "carryalls"):
        assert table[f"bonus/{bonus}"] == (ATREIDES, HARKONNEN)
    assert table["bonus/smugglers"] == (GUILD,)


@covers("DUNE-S.2", "DUNE-T.1")
def test_decks_lie_face_down_and_shuffled() -> None:
    orders = set()
    for name in ("one", "two"):
        table = setting_up(ATREIDES, GUILD, seed=name)
        deck = table.g.table["treachery_deck"]
        orders.add(deck)
        assert len(deck) == len(TREACHERY)
        assert len(table.g.table["spice_deck"]) == 21
        for seat in (0, 1, None):
            assert set(seen(table, seat)["treachery_deck"]) == {"?"}
    assert len(orders) == 2


@covers("DUNE-S.8", "DUNE-S.11", "DUNE-S.12")
def test_traitors_are_of_the_factions_in_play_and_one_of_four_is_kept() -> None:
    table = setting_up(ATREIDES, GUILD).until("Setup.traitors")
    dealt = {faction: table.g.table[f"dealt/{faction}"] for faction in (ATREIDES, GUILD)}
    assert all(len(cards) == 4 for cards in dealt.values())
    assert set(dealt[ATREIDES]) | set(dealt[GUILD]) <= {*LEADERS[ATREIDES], *LEADERS[GUILD]}
    table.refused(ATREIDES, KeepTraitor(dealt[GUILD][0]), rule="DUNE-S.12")
    for faction in (ATREIDES, GUILD):
        table.answer(faction, KeepTraitor(dealt[faction][1]))
    deck = table.g.table["traitor_deck"]
    for faction in (ATREIDES, GUILD):
        assert table.g.table[f"traitors/{faction}"] == (dealt[faction][1],)
    assert set(deck[:6]) == {c for f in (ATREIDES, GUILD) for c in dealt[f] if c != dealt[f][1]}, "under the deck"
    assert "leaders/harkonnen" not in table.g.table
    assert "reserves/harkonnen" not in table.g.table


@covers("DUNE-S.12")
def test_nobody_sees_which_traitors_another_keeps_or_returns() -> None:
    table = setting_up(ATREIDES, GUILD).until("Setup.traitors")
    returned = table.g.table["dealt/guild"][1:]
    table.answer(GUILD, KeepTraitor(table.g.table["dealt/guild"][0]))
    table.answer(ATREIDES, KeepTraitor(table.g.table["dealt/atreides"][0]))
    view = seen(table, 0)
    assert view["traitors/guild"] == ("?",)
    assert set(view["traitor_deck"]) - {"?"} == set(table.g.table["traitor_deck"][:6]) - set(returned)


@covers("DUNE-S.14", "DUNE-HAR.16")
def test_everybody_draws_one_treachery_card_and_the_harkonnen_two() -> None:
    table = dune_at_setup(*ALL).g.table
    hands = {faction: len(table[f"hand/{faction}"]) for faction in ALL}
    assert hands == dict.fromkeys(ALL, 1) | {HARKONNEN: 2}
    assert len(table["treachery_deck"]) == len(TREACHERY) - 7


# --- the Fremen


@covers("DUNE-S.18", "DUNE-FRE.17")
def test_fremen_spread_ten_tokens_with_any_fedaykin_among_them() -> None:
    table = setting_up(FREMEN, GUILD).until("NativeForces.spread")
    for wrong in (
        PlaceForces(tokens=(9, 0, 0, 0, 0, 0), elites=(0,) * 6),  # nine
        PlaceForces(tokens=(6, 0, 0, 0, 0, 0), elites=(4, 0, 0, 0, 0, 0)),  # four Fedaykin
        PlaceForces(tokens=(11, 0, 0, 0, 0, 0), elites=(0,) * 6),
    ):
        table.refused(FREMEN, wrong, rule="DUNE-S.18")
    table.answer(FREMEN, PlaceForces(tokens=(0, 0, 0, 0, 0, 7), elites=(3, 0, 0, 0, 0, 0)))
    assert table.g.table["at/fremen/sietch_tabr:13"] == (0, 3, 0)


# --- the Bene Gesserit


@covers("DUNE-BG.29", "DUNE-BG.30", "DUNE-BG.31", "DUNE-R.100")
def test_the_prediction_is_made_before_any_piece_is_on_the_board() -> None:
    table = setting_up(BENE_GESSERIT, ATREIDES, GUILD).until("Prediction.predict")
    assert not [key for key in table.g.table if key.startswith(("at/", "dot/", "reserves/"))]
    assert table.options(BENE_GESSERIT).count() == 3 * 15, "any faction in play, themselves included, in any turn"
    table.refused(BENE_GESSERIT, Predict(HARKONNEN, 3))
    table.answer(BENE_GESSERIT, Predict(GUILD, 4))
    assert table.g.table["prediction"] == (GUILD, 4)
    assert seen(table, 1)["prediction"] == "?"
    assert seen(table, None)["prediction"] == "?"


@covers("DUNE-BG.29", "DUNE-V.7")
def test_in_a_short_game_only_its_turns_can_be_predicted() -> None:
    table = setting_up(BENE_GESSERIT, ATREIDES, length=10).until(Predict)
    assert {act.turn for act in table.legal(BENE_GESSERIT, Predict)} == set(range(1, 11))


@covers("DUNE-BG.32", "DUNE-BG.33", "DUNE-S.16")
def test_the_bene_gesserit_place_last_and_coexist_with_whoever_is_there() -> None:
    table = setting_up(*ALL).until(PlaceForces).answer(FREMEN, SPREAD).until(PlaceToken)
    assert table.g.table["at/fremen/sietch_tabr:13"] == (5, 0, 0), "the Fremen have placed before"
    table.answer(BENE_GESSERIT, PlaceToken("sietch_tabr:13"))
    assert table.g.table["at/bene_gesserit/sietch_tabr:13"] == (0, 0, 1)


@covers("DUNE-BG.33")
def test_a_starting_token_on_its_own_does_not_coexist() -> None:
    s = setting_up(*ALL).until(PlaceToken).answer(BENE_GESSERIT, PlaceToken("habbanya_sietch:16"))
    assert s.g.table["at/bene_gesserit/habbanya_sietch:16"] == (1, 0, 0)


# --- the Harkonnen


def harkonnen_cards(*dealt: str) -> Scenario:
    """The Harkonnen about to be dealt these traitor cards; three Guild leaders and a Harkonnen one come after them."""
    scenario = at_table(HARKONNEN, GUILD)
    rest = ("staban_tuek", "esmar_tuek", "master_bewt", "umman_kudu")
    scenario.lay("traitor_deck", *rest, *dealt)
    frame = next(frame for frame in DUNE.frames if frame.__name__ == "ManySecrets")
    return scenario.run(frame())


OWN_TWO = ("feyd_rautha", "beast_rabban", "soo_soo_sook", "guild_rep")


@covers("DUNE-HAR.14")
def test_with_two_own_leaders_the_harkonnen_may_hand_the_cards_back() -> None:
    scenario = harkonnen_cards(*OWN_TWO)
    scenario.answer(HARKONNEN, HandBackTraitors())
    assert set(scenario.g.table["dealt/harkonnen"]) == {"staban_tuek", "esmar_tuek", "master_bewt", "umman_kudu"}
    assert set(scenario.g.table["traitor_deck"]) == set(OWN_TWO)


@covers("DUNE-HAR.14", "DUNE-R.41")
def test_the_harkonnen_are_asked_until_they_accept_or_hold_fewer_than_two() -> None:
    scenario = harkonnen_cards(*OWN_TWO)
    scenario.answer(HARKONNEN, HandBackTraitors())
    assert scenario.where == "ManySecrets.hand_back", "the question comes whatever they hold"
    assert scenario.legal(HARKONNEN) == [Pass()], "with one own leader there is nothing to hand back"
    scenario.refused(HARKONNEN, HandBackTraitors(), rule="DUNE-HAR.14")


@covers("DUNE-HAR.12")
def test_the_harkonnen_keep_all_four_traitors() -> None:
    scenario = harkonnen_cards(*OWN_TWO).answer(HARKONNEN, Pass())
    assert scenario.done
    assert set(scenario.g.table["traitors/harkonnen"]) == set(OWN_TWO)


@covers("DUNE-HAR.13", "DUNE-HAR.15")
def test_the_harkonnen_get_traitors_first_and_the_rest_is_shuffled_again() -> None:
    table = setting_up(HARKONNEN, GUILD).until("ManySecrets.hand_back")
    assert len(table.g.table["dealt/harkonnen"]) == 4
    assert "dealt/guild" not in table.g.table
    shuffles = table.g.table["chance/deck/traitor_deck"]
    table.until("Setup.traitors")
    assert table.g.table["chance/deck/traitor_deck"] > shuffles
    assert set(seen(table, 0)["dealt/guild"]) == {"?"}


def test_while_the_game_is_set_up_there_are_no_plays_out_of_turn() -> None:
    s = setting_up(*ALL)
    while not s.done:
        assert not any(s.open_plays(faction).choices for faction in ALL)
        s.passes(s.asked[0])
