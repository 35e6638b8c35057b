"""The two-run leak test is scored: it must catch every leak that is planted, and find nothing where none is."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from landsraad_engine.dune.game import DUNE
from landsraad_engine.testing.leaks import leak_match


def _load() -> ModuleType:
    path = Path(__file__).with_name("planted.py")
    spec = importlib.util.spec_from_file_location("planted_leaks", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLANTED = _load()


def test_there_are_enough_of_them() -> None:
    assert len(PLANTED.PLANTS) >= 25


@pytest.mark.parametrize("name", sorted(PLANTED.PLANTS))
def test_a_planted_leak_is_caught(name: str) -> None:
    assert PLANTED.is_caught(PLANTED.PLANTS[name])


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_nothing_is_found_where_nothing_is_planted(seats: int) -> None:
    report = leak_match(DUNE, seats, DUNE.parse_options({}, seats), 77, 20)
    assert report.positions == 20
    assert report.findings == []
