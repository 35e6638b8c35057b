"""`landsraad rules GAME`: the rulebook as data, and the check that every statement has code and a test."""

from collections.abc import Iterable, Iterator
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from landsraad_cli.local import checkout
from landsraad_cli.output import JsonFlag, finish, require_known, rows
from landsraad_engine.checks import coverage, rulebook
from landsraad_engine.checks.coverage import Citation, Coverage
from landsraad_engine.checks.rulebook import Statement


def rules(
    game: Annotated[str, typer.Argument(help=f"One of: {', '.join(rulebook.known())}.")],
    check: Annotated[
        bool, typer.Option("--check", help="Fail if a statement has no code or no test, or a cited id does not exist.")
    ] = False,
    json: JsonFlag = False,
    page: Annotated[Path | None, typer.Option(help="Write a Markdown page of statements, code and tests.")] = None,
) -> None:
    """Browse the statements of a rulebook, or check that each of them has code and a test."""
    found = _measured(require_known("game", game, rulebook.known()))
    if found.tests is None and (check or page):
        raise typer.BadParameter(
            "the installed engine has no tests. Run this command in the repository.",
            param_hint="--check" if check else "--page",
        )
    if page is not None:
        page.write_text("\n".join(_page(found)), encoding="utf-8")
    if not json:
        (_list_problems if check else _list_statements)(found)
    result = _figures(found) | (_problems(found) if json else {})
    finish(result, as_json=json, title=f"Rulebook of {game}", held=found.complete or not check)


def _measured(game: str) -> Coverage:
    """Measure the coverage of a game.

    A game of our own is read in the repository that you stand in, else in the one that the engine is installed from. A
    game of another package is read in that package's project. Without their tests, the bare package is read.
    """
    package = Path(str(resources.files(rulebook.book(game).package)))
    tests = checkout.tests(game)
    if package.name == "landsraad_engine" and tests is not None:
        package = tests.parent / "engine" / package.name
    return coverage.measure(game, package, tests)


def _figures(found: Coverage) -> dict[str, object]:
    return {
        "game": found.game,
        "statements": len(found.statements),
        "with_code": _how_many(found, found.code),
        "with_test": "unavailable" if found.tests is None else _how_many(found, found.tests),
        "test_only": sum(not statement.needs_code for statement in found.statements.values()),
    }


def _problems(found: Coverage) -> dict[str, object]:
    return {
        "missing": [gap._asdict() for gap in found.missing],
        "unknown": [citation._asdict() for citation in found.unknown],
    }


def _how_many(found: Coverage, cited: Iterable[str]) -> int:
    return len(found.statements.keys() & set(cited))


def _list_statements(found: Coverage) -> None:
    for section, statements in _by_section(found):
        rows(((statement.id, statement.kind, statement.text) for statement in statements), title=f"\n{section}")


def _list_problems(found: Coverage) -> None:
    if found.missing:
        rows(found.missing, title="Missing")
    if found.unknown:
        rows(((cited.rule, f"{cited.path}:{cited.line}") for cited in found.unknown), title="Cited, but unknown")


def _by_section(found: Coverage) -> Iterator[tuple[str, Iterator[Statement]]]:
    return groupby(found.statements.values(), key=lambda statement: statement.section)


# ---- The page for the documentation ----


def _page(found: Coverage) -> Iterator[str]:
    """Write a table for each section: statements, code and tests."""
    yield f"# Rulebook of `{found.game}`: statement, code, tests"
    yield ""
    yield f"Written by `landsraad rules {found.game} --page FILE`; do not edit."
    for section, statements in _by_section(found):
        yield f"\n## {section}\n"
        yield "| id | kind | statement | code | tests |"
        yield "|---|---|---|---|---|"
        for statement in statements:
            code = _places(found.code.get(statement.id, ()))
            tests = _places((found.tests or {}).get(statement.id, ()))
            yield f"| {statement.id} | {statement.kind} | {_said(statement)} | {code} | {tests} |"
    yield ""


def _said(statement: Statement) -> str:
    reason = statement.reason or statement.test_only
    return (statement.text + (f" *{reason}*" if reason else "")).replace("|", "\\|")


def _places(citations: Iterable[Citation]) -> str:
    """List citations without line numbers, so that the page changes only if the citations do."""
    return "<br>".join(dict.fromkeys(f"`{citation.path}` {citation.within}".rstrip() for citation in citations))
