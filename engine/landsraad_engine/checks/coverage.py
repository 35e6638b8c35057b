"""Which rulebook statements have code and tests: read from the sources, importing nothing.

Code cites a statement by a string literal that is its id, anywhere in the engine; a test by an argument of `covers`.
Docstrings and comments cite nothing, so that talking about a rule does not pass for keeping it.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from landsraad_engine.checks import rulebook
from landsraad_engine.checks.rulebook import Statement

# Folders of the engine that hold no rules code: the statements themselves, and the helpers of tests.
_NO_RULES_CODE: Final = frozenset({"rules", "testing"})


class Citation(NamedTuple):
    """One place that cites a statement."""

    rule: str
    path: str
    line: int
    within: str  # the function or class, dotted; empty at module level


class Gap(NamedTuple):
    """A statement that lacks something."""

    id: str
    reason: str


Citations = Mapping[str, tuple[Citation, ...]]


class Coverage(NamedTuple):
    """What was found for one game. Without the repository there are no tests to read, and `tests` is None."""

    game: str
    statements: Mapping[str, Statement]
    code: Citations
    tests: Citations | None

    @property
    def missing(self) -> list[Gap]:
        """The statements that lack code or a test, and which of the two."""
        gaps = []
        for rule, statement in self.statements.items():
            lacking = []
            if statement.needs_code and rule not in self.code:
                lacking.append("no code cites it")
            if self.tests is not None and rule not in self.tests:
                lacking.append("no test covers it")
            if lacking:
                gaps.append(Gap(rule, " and ".join(lacking)))
        return gaps

    @property
    def unknown(self) -> list[Citation]:
        """The citations of ids that the rulebook does not have."""
        return [
            citation
            for found in (self.code, self.tests or {})
            for rule, citations in found.items()
            if rule not in self.statements
            for citation in citations
        ]

    @property
    def complete(self) -> bool:
        return self.tests is not None and not self.missing and not self.unknown


def find_checkout(*starts: Path) -> Path | None:
    """The repository in or above which one of the places lies: the one with the engine and its tests side by side."""
    for start in starts:
        for folder in (start, *start.parents):
            package = folder / "engine" / "landsraad_engine"
            if (package / "checks" / "coverage.py").is_file() and (folder / "tests").is_dir():
                return folder
    return None


def find_project(package: Path) -> Path | None:
    """Return the project of an installed package: the folder above it that has a project file and tests."""
    for folder in package.parents:
        if (folder / "pyproject.toml").is_file() and (folder / "tests").is_dir():
            return folder
    return None


def measure(game: str, package: Path, tests: Path | None) -> Coverage:
    """Compare the rulebook in a package's folder with the code there and the tests in `tests`."""
    book = rulebook.book(game)
    document = (package / book.document).read_text(encoding="utf-8")
    ids = re.compile(rf"{book.prefix}-\S+")
    return Coverage(
        game=game,
        statements=rulebook.parse(document, book),
        code=_citations(package, ids, _cited_by_code, leave_out=_NO_RULES_CODE),
        tests=None if tests is None else _citations(tests, ids, _cited_by_test),
    )


def _citations(
    folder: Path,
    ids: re.Pattern[str],
    cited: Callable[[ast.AST], Iterator[str]],
    leave_out: frozenset[str] = frozenset(),
) -> Citations:
    """What the Python files below a folder cite, in the order of their paths and lines."""
    found: defaultdict[str, list[Citation]] = defaultdict(list)
    for file in sorted(folder.rglob("*.py")):
        if file.relative_to(folder).parts[0] in leave_out:
            continue
        path = file.relative_to(folder.parent).as_posix()
        for node, within in _walk(ast.parse(file.read_bytes(), path)):
            for rule in filter(ids.fullmatch, cited(node)):
                found[rule].append(Citation(rule, path, getattr(node, "lineno", 0), within))
    return {rule: tuple(citations) for rule, citations in found.items()}


def _walk(node: ast.AST, within: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Every node of a tree but the strings that stand for themselves, with the function or class it belongs to."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        within = f"{within}.{node.name}".lstrip(".")
    yield node, within
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield from _walk(child, within)


def _cited_by_code(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _cited_by_test(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and _name(node.func) == "covers":
        for argument in node.args:
            yield from _cited_by_code(argument)


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else ast.unparse(called)
