"""What a card, leader or edition changes hangs on hooks: no module of a phase speaks of one of them."""

import ast
from collections.abc import Iterator
from importlib import resources

import pytest

from landsraad_engine.arrakis.content import load
from landsraad_engine.arrakis.terms import EDITIONS

#: Modules that are about leaders, cards or editions, or describe the box; the sandworm that has a leader's card; and
#: the options of seating, one of which has the name of a card.
ABOUT_THEM = {
    "cards",
    "leaders",
    "futures",
    "editions",
    "game.py",
    "seating.py",
    "terms.py",
    "components.py",
    "content.py",
    "operations/vocabulary.py",
    "mahdi/cards_corrino_ally.py",
    "mahdi/cards_house_harkonnen.py",
    "mahdi/cards_of_futures.py",
    "mahdi/numbers.py",
    "mahdi/special_actions.py",
}
WORM = "wild_maker"


def phases() -> Iterator[tuple[str, str]]:
    """The other modules, by name."""
    folder = resources.files("landsraad_engine.arrakis")
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.name in ABOUT_THEM or entry.name.startswith("__"):
            continue
        if entry.is_dir():
            yield from (
                (f"{entry.name}/{each.name}", each.read_text())
                for each in entry.iterdir()
                if each.name != "__pycache__" and f"{entry.name}/{each.name}" not in ABOUT_THEM
            )
        elif entry.name.endswith(".py"):
            yield entry.name, entry.read_text()


def names() -> set[str]:
    """Every id of a named leader, a planning card, a prescience card, an objective, an edition."""
    found: set[str] = set(EDITIONS)
    for edition in EDITIONS:
        content = load(edition=edition)
        found |= {leader.id for leader in content.leader.values() if not leader.generic}
        found |= {*content.planning_card, *content.prescience_card, *content.objective}
    return found - {WORM}


PHASES = dict(phases())


def test_the_phases_are_found() -> None:
    assert {"movement.py", "round.py", "battle/rounds.py", "regeneration.py"} <= PHASES.keys()


@pytest.mark.parametrize("module", PHASES)
def test_no_phase_speaks_of_a_leader_or_card(module: str) -> None:
    spoken = {node.value for node in ast.walk(ast.parse(PHASES[module])) if isinstance(node, ast.Constant)}
    assert not spoken & names()
