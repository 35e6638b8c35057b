"""Every invariant of a position is shown to be missed when it does not hold."""

from collections.abc import Callable
from typing import Any

import pytest

from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.invariants import problems
from landsraad_engine.testing import covers, position
from landsraad_engine.testing.conformance import play


def moved(table: dict[str, Any], source: str, target: str) -> None:
    """Put the last piece of a place into another, as no verb would."""
    piece = table[source][-1]
    table[source] = table[source][:-1]
    table[target] = tuple(sorted((*table.get(target, ()), piece)))


def crowd(table: dict[str, Any]) -> None:
    for faction in ("atreides", "emperor", "harkonnen"):
        tokens, elites, _ = table[f"reserves/{faction}"]
        table[f"reserves/{faction}"] = (tokens - 1, elites, 0)
        table[f"at/{faction}/habbanya_sietch:16"] = (1, 0, 0)


def hoard(table: dict[str, Any]) -> None:
    for _ in range(5):
        moved(table, "treachery_deck", "hand/guild")


def coexist(table: dict[str, Any]) -> None:
    table["at/harkonnen/carthag:10"] = (0, 0, 10)


BREAKS: dict[str, Callable[[dict[str, Any]], object]] = {
    "a token too many": lambda t: t.update({"tanks/guild": (1, 0, 0)}),
    "an elite too many": lambda t: t.update({"reserves/guild": (14, 1, 0)}),
    "fewer tokens than none": lambda t: t.update({"tanks/guild": (-1, 1, 0)}),
    "tokens that coexist and cannot": coexist,
    "a card lost": lambda t: t.update({"treachery_deck": t["treachery_deck"][1:]}),
    "a card twice": lambda t: t.update({"spice_discard/1": ("red_chasm",)}),
    "a leader in two places": lambda t: t.update({"leader_tanks/guild": ("staban_tuek",)}),
    "a card on the wrong pile": lambda t: moved(t, "treachery_deck", "spice_deck"),
    "spice from nowhere": lambda t: t.update({"spice/guild": t["spice/guild"] + 1}),
    "a purse below zero": lambda t: t.update({"spice/guild": -3, "spice/fremen": t["spice/fremen"] + 8}),
    "a hand too full": hoard,
    "three in a stronghold": crowd,
    "a sixteenth turn": lambda t: t.update({"turn": 16}),
    "a storm off the map": lambda t: t.update({"storm": 19}),
    "two on one dot": lambda t: t.update({"dot/guild": t["dot/fremen"]}),
    "atomics without the card": lambda t: t.update({"atomics": True}),
    "the wall a stronghold too soon": lambda t: t.update({"shield_wall_stronghold": True}),
    "an alliance of one side": lambda t: t.update({"ally/guild": ("fremen",)}),
    "an alliance of three": lambda t: t.update(
        {"ally/guild": ("emperor", "fremen"), "ally/fremen": ("emperor", "guild"), "ally/emperor": ("fremen", "guild")}
    ),
    "a Primary agreed on who is no ally": lambda t: t.update({"agreed_primary/guild": "fremen"}),
    "a Primary without a token": lambda t: t.update({"primary/carthag:10": "guild", "moved": ()}),
}


@pytest.mark.parametrize("broken", BREAKS)
@covers("DUNE-0.9", "DUNE-3.3", "DUNE-2A.5", "DUNE-5.22")
def test_a_broken_invariant_is_noticed(broken: str) -> None:
    g = position(DUNE, hands={}).g
    BREAKS[broken](g.table)
    g.forget()
    assert problems(g), broken


def test_alliances_of_three_are_no_problem_where_the_match_allows_them() -> None:
    g = position(DUNE, three_way_alliances=True).g
    BREAKS["an alliance of three"](g.table)
    assert problems(g) == []


MATCHES = [
    (2, {"factions": "chosen"}),
    (3, {"coexistence": "wbc", "karama_reach": "gf9"}),
    (5, {"three_way_alliances": True, "shield_wall_stronghold": True}),
    (6, {"direct_prescience_voice": True}),
]


@pytest.mark.parametrize(("seats", "options"), MATCHES)
def test_the_laws_of_the_engine_hold_in_random_matches(seats: int, options: dict[str, Any]) -> None:
    assert play(DUNE, seats, {"length": 10, **options}, seed=seats, every=250).result is not None


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("seats", "options"), [*MATCHES, (4, {})])
def test_the_laws_hold_at_every_other_step(seats: int, options: dict[str, Any], seed: int) -> None:
    assert play(DUNE, seats, options, seed=100 + seed, every=10).result is not None
