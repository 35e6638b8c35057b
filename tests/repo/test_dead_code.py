"""No function, method or class is there for tests alone; see tools/dead_code.py."""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

import dead_code

TABLES = {"bases", "decorators", "folders", "names"}


@pytest.fixture(scope="module")
def sources(root: Path) -> dict[str, str]:
    return dead_code.read_sources(root)


@pytest.fixture(scope="module")
def allowed() -> dict[str, Any]:
    return tomllib.loads(dead_code.ALLOWED.read_text(encoding="utf-8"))


def test_everything_is_used(root: Path) -> None:
    found = dead_code.dead_code_of(root)
    assert not found, "\n".join(found)


def test_every_exception_has_a_reason(allowed: Mapping[str, Any]) -> None:
    assert allowed.keys() == TABLES
    assert [entry for table in allowed.values() for entry in table if not entry.get("reason")] == []


def test_every_exception_is_needed(sources: Mapping[str, str], allowed: Mapping[str, Any]) -> None:
    names, decorators = set(), set()
    for node in definitions(sources):
        names.add(node.name)
        decorators |= {f"@{ast.unparse(decorator)}" for decorator in node.decorator_list}
    for table, known in (("names", names), ("decorators", decorators)):
        patterns = dead_code.patterns(allowed, table)
        assert [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in known)] == []


def definitions(sources: Mapping[str, str]) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """Everything that can be decorated."""
    for text in sources.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield node


SOURCE = """
class Loop(Protocol):
    def data_received(self, data): ...
    def forgotten(self): ...

@step("DUNE-1.1")
def storm(f, g): ...

class Lost: ...

def hear_all(): ...

def target(): ...

def used(): return Loop()

print(used())
"""


def test_unused_code_is_found() -> None:
    unused = ["data_received", "forgotten", "storm", "Lost", "hear_all", "target"]
    assert names(dead_code.dead_code({"sdk/landsraad/a.py": SOURCE}, {})) == unused


def test_exporting_is_no_use() -> None:
    source = '"""Module."""\n\n__all__ = [\n    "lost",\n]\n\ndef lost(): ...\n'
    assert dead_code.dead_code({"sdk/landsraad/a.py": source}, {}) == ["sdk/landsraad/a.py:7: unused function 'lost'"]


def test_each_kind_of_exception_holds() -> None:
    exceptions = {
        "bases": [{"patterns": ["asyncio:Protocol"]}],
        "decorators": [{"patterns": ["@step*"]}],
        "names": [{"patterns": ["hear_*"]}],
        "folders": [{"patterns": ["testing"]}],
    }
    sources = {"sdk/landsraad/a.py": SOURCE, "sdk/landsraad/testing/b.py": "def helper(): ..."}
    assert names(dead_code.dead_code(sources, exceptions, ["target"])) == ["forgotten", "Lost"]


def names(found: list[str]) -> list[str]:
    """The names in the messages."""
    return [message.rpartition(" ")[2].strip("'") for message in found]


def test_names_are_read_where_vulture_does_not_look() -> None:
    assert [*dead_code.names_in_strings({"a.py": "HOMES = {'dune': 'game.dune:DUNE', 'b': 'no: name'}"})] == ["DUNE"]
    project = '[project]\nscripts = {a = "b:main"}\n[project.entry-points."landsraad.bots"]\nc = "d.e:greedy"'
    assert [*dead_code.names_in_project(project)] == ["main", "greedy"]
    assert [*dead_code.names_of_services(["service Play {\n  rpc GetDecision(A) returns (B);\n}"])] == [
        "_GetDecision",
        "get_decision",
    ]
