"""The engine is pure: only the standard library and msgspec, no clock, network, process or foreign randomness."""

import ast
import sys
from collections.abc import Iterator, Mapping

import pytest

THIRD_PARTY = {"msgspec"}
# Modules that depend on time, machine or network. Callers may pass in random numbers as `Random(seed)`.
IMPURE = {
    "asyncio", "concurrent", "ctypes", "datetime", "http", "locale", "logging", "multiprocessing", "os", "platform",
    "secrets", "select", "signal", "socket", "ssl", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip


def imports(source: str) -> Iterator[str]:
    """Yield the top-level name of everything that a module imports, also within functions.

    Imports for type checkers are left out: they never run.
    """
    for node in _executed(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a syntax tree without the blocks that only type checkers read."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            for other in child.orelse:
                yield from _executed(other)
        else:
            yield from _executed(child)


def impurities(source: str) -> list[str]:
    """Return the forbidden imports of a module of the engine."""
    allowed = (sys.stdlib_module_names - IMPURE) | THIRD_PARTY | {"landsraad_engine"}
    return sorted(set(imports(source)) - allowed)


def test_the_engine_is_pure(texts: Mapping[str, str]) -> None:
    modules = {name: text for name, text in texts.items() if name.startswith("engine/") and name.endswith(".py")}
    assert len(modules) > 10
    assert {name: found for name, text in modules.items() if (found := impurities(text))} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import time", ["time"]),
        ("def late():\n    from redis.asyncio import Redis", ["redis"]),
        ("import landsraad.v1", ["landsraad"]),
        ("if TYPE_CHECKING:\n    import typing_extensions\nelse:\n    import os", ["os"]),
        ("import json, msgspec\nfrom . import table\nfrom landsraad_engine.dune import board", []),
    ],
)
def test_an_impure_import_is_found(source: str, found: list[str]) -> None:
    assert impurities(source) == found
