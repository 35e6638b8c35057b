"""The two-run test in processes, and the planted leaks that it must catch."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from itertools import repeat
from random import Random
from types import ModuleType
from typing import TypeAlias, cast

import typer

from landsraad import games
from landsraad.bots import derive_seed
from landsraad.process_pool import mapping
from landsraad_cli.local import checkout
from landsraad_engine.registry import Registry
from landsraad_engine.testing.fuzz.random_play import random_setting
from landsraad_engine.testing.leaks.leak_match import LeakReport, leak_match
from landsraad_engine.testing.leaks.two_runs import Leak

#: Positions taken from one random match.
_PER_MATCH = 15

#: Id of the game, positions, processes, seed, options that are fixed, and what is told how many positions are done.
LeakTest: TypeAlias = Callable[[str, int, int, int, Mapping[str, str], Callable[[int], None]], LeakReport]
_BROUGHT = Registry("landsraad.leaktests", {})


def leak_portion(game_id: str, seed: int, number: int, positions: int, given: Mapping[str, str]) -> LeakReport:
    """Test positions of one random match with these options at least."""
    game = games.load(game_id)
    match_seed = derive_seed(seed, "leak", number)
    seats, options = random_setting(game, Random(match_seed), given)
    return leak_match(game, seats, options, match_seed, positions)


def leak_all(
    game_id: str, positions: int, jobs: int, seed: int, given: Mapping[str, str], advance: Callable[[int], None]
) -> LeakReport:
    """Test at least so many positions: whole portions, so that the sum does not depend on the number of processes."""
    total = LeakReport()
    number = 0
    with mapping(jobs) as each:
        while total.positions < positions:
            numbers = range(number, number + 4 * jobs)
            number = numbers.stop
            want = min(_PER_MATCH, positions)
            args = (repeat(game_id), repeat(seed), numbers, repeat(want), repeat(given))
            for report in each(leak_portion, *args):
                if total.positions >= positions:
                    break
                total.add(report)
                advance(report.positions)
    return total


def over_the_wire() -> LeakTest:
    """The same test against real services, which another package brings."""
    try:
        return cast("LeakTest", _BROUGHT.load("wire"))
    except KeyError:
        raise typer.BadParameter("--wire needs the service: install landsraad-service") from None


def said(finding: Leak) -> dict[str, object]:
    true, changed = repr(finding.true)[:400], repr(finding.changed)[:400]
    return {"seat": finding.seat, "where": finding.where, "what": finding.what, "true": true, "changed": changed}


def planted(game_id: str) -> ModuleType | None:
    """The deliberate leaks of a game, which live in the repository's tests only."""
    tests = checkout.tests(game_id)
    path = None if tests is None else tests / "leaks" / f"planted_{game_id}.py"
    if path is None or not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"landsraad_planted_{game_id}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
