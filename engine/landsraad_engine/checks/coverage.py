"""Rule coverage: find the rulebook statements without code or tests by static analysis of the sources.

Code cites a statement by a string literal equal to its id, anywhere in the engine; a test by an argument of `covers`.
Docstrings and comments do not count as citations, because they do not implement a rule.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from landsraad_engine.checks import rulebook
from landsraad_engine.checks.rulebook import Statement

# Folders of the engine without rules code: the statements themselves and test helpers.
_NO_RULES_CODE: Final = frozenset({"rules", "testing"})


class Citation(NamedTuple):
    """A place in the sources that cites a statement."""

    rule: str
    path: str
    line: int
    within: str  # qualified name of the function or class; empty at module level


class Gap(NamedTuple):
    """A statement without code or without a test."""

    id: str
    reason: str


# Statement id -> its citations.
Citations = Mapping[str, tuple[Citation, ...]]


class Coverage(NamedTuple):
    """The coverage of one game. `tests` is None outside a checkout, where there are no tests to read."""

    game: str
    statements: Mapping[str, Statement]
    code: Citations
    tests: Citations | None

    @property
    def missing(self) -> list[Gap]:
        """The statements that lack code or a test."""
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
        """The citations of ids that are not in the rulebook."""
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
    """Return the first repository at or above one of the paths: a folder with both the engine and its tests."""
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
    """Measure the coverage of the rulebook in a package's folder by its code and by the tests in `tests`."""
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
    """Collect the citations in the Python files below a folder, ordered by path and line."""
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
    """Yield every node of a tree except docstrings, each with the function or class around it."""
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
