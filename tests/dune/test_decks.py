"""The decks and factions of classic Dune come to the numbers that the rulebook states."""

import re
import tomllib
from collections import Counter
from importlib import resources
from typing import Any

import pytest

from landsraad_engine import content
from landsraad_engine.checks.rulebook import statements
from landsraad_engine.dune import board
from landsraad_engine.testing import covers

DECKS: dict[str, Any] = tomllib.loads(resources.files(content).joinpath("dune_decks.toml").read_text(encoding="utf-8"))
FACTIONS = {faction["id"]: faction for faction in DECKS["faction"]}


@covers("DUNE-T.1", "DUNE-T.4", "DUNE-T.7", "DUNE-T.45")
def test_treachery_deck() -> None:
    """The numbers are those of the statement, so that a new card changes them in one place."""
    deck: Counter[str] = Counter()
    for kind in DECKS["treachery"]:
        deck[kind["category"]] += kind.get("count", 1)
    said = [int(number) for number in re.findall(r"\d+", statements("dune")["DUNE-T.1"].text)]
    specials = deck["special"] + deck["leader"]
    weapons = sum(number for kind, number in deck.items() if kind.startswith("weapon"))
    defenses = deck["defense_projectile"] + deck["defense_poison"]
    assert [deck.total(), weapons, defenses, specials, deck["worthless"]] == said
    assert sum(said[1:]) == said[0] >= 33
    assert (deck["defense_poison"], deck["defense_projectile"], deck["worthless"]) == (4, 4, 5)


def test_cards_and_leaders_have_ids_of_their_own() -> None:
    ids = [kind["id"] for kind in DECKS["treachery"]]
    ids += [leader["id"] for faction in FACTIONS.values() for leader in faction["leaders"]]
    assert len(set(ids)) == len(ids)


@covers("DUNE-R.77", "DUNE-R.78")
def test_spice_and_storm_decks() -> None:
    assert DECKS["spice_deck"]["shai_hulud"] + len(board.SPICE) == 21
    assert DECKS["storm_deck"]["cards"] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("faction", "strengths"),
    [
        ("atreides", [5, 5, 4, 2, 1]),
        ("bene_gesserit", [5, 5, 5, 5, 5]),
        ("emperor", [6, 5, 3, 3, 2]),
        ("fremen", [7, 6, 5, 3, 2]),
        ("guild", [5, 3, 3, 2, 1]),
        ("harkonnen", [6, 4, 3, 2, 1]),
    ],
)
@covers("DUNE-ATR.20", "DUNE-BG.35", "DUNE-EMP.11", "DUNE-FRE.24", "DUNE-GUI.15", "DUNE-HAR.17")
def test_leaders(faction: str, strengths: list[int]) -> None:
    assert [leader["strength"] for leader in FACTIONS[faction]["leaders"]] == strengths


@covers("DUNE-0.9")
def test_every_faction_has_twenty_troops() -> None:
    for faction in FACTIONS.values():
        assert sum(group["count"] for group in faction["forces"]) + faction["reserves"]["count"] == 20


def test_starting_forces_stand_on_the_board() -> None:
    territories = {place for f in FACTIONS.values() for group in f["forces"] for place in group["territories"]}
    assert territories <= set(board.TERRITORIES)
    assert FACTIONS["fremen"]["forces"][0]["territories"] == list(board.SPECIAL.fremen_start)


@covers("DUNE-4.11", "DUNE-EMP.10", "DUNE-FRE.16")
def test_spice_revivals_and_elites() -> None:
    assert {name: (f["spice"], f["free_revivals"]) for name, f in FACTIONS.items()} == {
        "atreides": (10, 2),
        "bene_gesserit": (5, 1),
        "emperor": (10, 1),
        "fremen": (3, 3),
        "guild": (5, 1),
        "harkonnen": (10, 2),
    }
    elites = {name: (f["elites"]["id"], f["elites"]["count"]) for name, f in FACTIONS.items() if "elites" in f}
    assert elites == {"emperor": ("sardaukar", 5), "fremen": ("fedaykin", 3)}
