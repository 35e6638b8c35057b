"""The two-run test in several processes, and the planted leaks that it must catch."""

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
from landsraad.process_pool import process_map
from landsraad_cli.command_table import advise_loadtest
from landsraad_cli.local import checkout
from landsraad_engine.registry import Registry
from landsraad_engine.testing.fuzz.random_play import random_setting
from landsraad_engine.testing.leaks.leak_match import LeakReport, leak_match
from landsraad_engine.testing.leaks.two_runs import Leak

#: Positions taken from one random match.
_PER_MATCH = 15

#: Arguments: id of the game, positions, processes, seed, fixed options, and a callback for progress.
LeakTest: TypeAlias = Callable[[str, int, int, int, Mapping[str, str], Callable[[int], None]], LeakReport]
_BROUGHT = Registry("landsraad.leaktests", {})


def leak_portion(game_id: str, seed: int, number: int, positions: int, given: Mapping[str, str]) -> LeakReport:
    """Test positions of one random match with at least these options."""
    game = games.load(game_id)
    match_seed = derive_seed(seed, "leak", number)
    seats, options = random_setting(game, Random(match_seed), given)
    return leak_match(game, seats, options, match_seed, positions)


def leak_all(
    game_id: str, positions: int, jobs: int, seed: int, given: Mapping[str, str], advance: Callable[[int], None]
) -> LeakReport:
    """Test at least so many positions, in whole portions: so the sum does not depend on the number of processes."""
    total = LeakReport()
    number = 0
    with process_map(jobs) as each:
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


def load_brought_test(name: str) -> LeakTest:
    """Load the same test against real services, which another package brings, or exit with status 2."""
    try:
        return cast("LeakTest", _BROUGHT.load(name))
    except KeyError:
        raise typer.BadParameter(f"this test is not installed. {advise_loadtest()}", param_hint=f"--{name}") from None


def as_row(finding: Leak) -> dict[str, object]:
    """Return a leak as a row of the report."""
    true, changed = repr(finding.true)[:400], repr(finding.changed)[:400]
    return {"seat": finding.seat, "where": finding.where, "what": finding.what, "true": true, "changed": changed}


def planted(game_id: str) -> ModuleType | None:
    """Import the deliberate leaks of a game. They exist only in its project's tests."""
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
