"""The engine is pure: standard library and msgspec, no clock, network or process, and no chance but its own."""

import ast
import sys
from collections.abc import Iterator, Mapping

import pytest

THIRD_PARTY = {"msgspec"}
# What depends on the moment, the machine or the network. `random` may be handed in by the caller, as `Random(seed)`.
IMPURE = {
    "asyncio", "concurrent", "ctypes", "datetime", "http", "locale", "logging", "multiprocessing", "os", "platform",
    "secrets", "select", "signal", "socket", "ssl", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip


def imports(source: str) -> Iterator[str]:
    """The top-level name of everything that a module imports, early or late."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def impurities(source: str) -> list[str]:
    """What a module of the engine imports though it should not."""
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
        ("import json, msgspec\nfrom . import table\nfrom landsraad_engine.dune import board", []),
    ],
)
def test_an_impure_import_is_found(source: str, found: list[str]) -> None:
    assert impurities(source) == found
