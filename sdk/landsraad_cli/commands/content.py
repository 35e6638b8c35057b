"""`landsraad content`: the components of a game, their provenance, and the check of content files."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from landsraad_cli.local_match_options import GameArgument, OptionOption, load_game, parse_match_options
from landsraad_cli.output import JsonFlag, finish, require_known, rows

if TYPE_CHECKING:
    from landsraad_engine.arrakis.operations.vocabulary import Documented
    from landsraad_engine.arrakis.terms import EditionId
    from landsraad_engine.content.documents import Problem
    from landsraad_engine.kernel.game import Game


def content(
    game: GameArgument,
    option: OptionOption = None,
    provenance: Annotated[bool, typer.Option("--provenance", help="List every value that is not certain.")] = False,
    operations: Annotated[
        bool, typer.Option("--operations", help="List the operations of card texts (arrakis).")
    ] = False,
    check: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", exists=True, dir_okay=False, help="Check that this content file fits every edition."
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Show the component values of a game and where they come from, or check a content file of your own."""
    found = load_game(game)
    if check is not None or operations:
        require_known("game with content files", game, ("arrakis",))
    if check is not None:
        _check(check, as_json=json)
    if operations:
        _operations(as_json=json)
    _values(found, parse_match_options(found, option, found.default_seats), listed=provenance, as_json=json)


def _values(game: "Game", options: dict[str, Any], *, listed: bool, as_json: bool) -> NoReturn:
    from landsraad_engine.content.layers import CERTAINTIES

    values = list(game.components(options))
    uncertain = [value for value in values if value.certainty != "certain"]
    result: dict[str, Any] = {
        "game": game.id,
        "options": options,
        "digest": game.content_digest(options),
        "values": len(values),
        "not_certain": len(uncertain),
        "by_certainty": {level: sum(value.certainty == level for value in values) for level in CERTAINTIES},
    }
    if listed and as_json:
        result["provenance"] = [value._asdict() for value in uncertain]
    elif listed:
        for value in uncertain:
            typer.echo(f"{value.certainty:13}  {value.key} = {value.value!r}  ({value.source})")
    finish(result, as_json=as_json, title=f"Content of {game.id}")


def _operations(*, as_json: bool) -> NoReturn:
    from landsraad_engine.arrakis.operations.vocabulary import documented

    table = list(documented())
    if as_json:
        finish({"operations": [asdict(operation) for operation in table]}, as_json=True)
    rows(
        ((operation.name, ", ".join(operation.kinds), _arguments(operation), operation.meaning) for operation in table),
        head=("operation", "for", "arguments", "meaning"),
    )
    finish({"operations": len(table)}, as_json=False)


def _arguments(operation: "Documented") -> str:
    return "\n".join(
        f"{argument.name}: {argument.allowed}" + (f" (else {argument.default})" if argument.default else "")
        for argument in operation.arguments
    )


def _check(path: Path, *, as_json: bool) -> NoReturn:
    """Check a file against every edition: the option of the match decides which one it modifies."""
    from landsraad_engine.arrakis import content as arrakis
    from landsraad_engine.arrakis.terms import EDITIONS
    from landsraad_engine.content.documents import ContentProblems

    digests: dict[EditionId, str] = {}
    # One entry for each place, with the editions in which it is wrong.
    problems: dict[tuple[str, int, str], tuple[Problem, list[EditionId]]] = {}
    for edition in EDITIONS:
        try:
            digests[edition] = arrakis.load(path, edition=edition).digest
        except ContentProblems as error:
            for problem in error.problems:
                place = problem.source, problem.line, problem.key
                problems.setdefault(place, (problem, []))[1].append(edition)
    result: dict[str, Any] = {"game": "arrakis", "file": str(path), "digests": digests, "problems": len(problems)}
    if as_json:
        result["problems"] = [{**asdict(problem), "editions": editions} for problem, editions in problems.values()]
    for problem, _ in () if as_json else problems.values():
        typer.echo(str(problem))
    finish(result, as_json=as_json, title="Content file", held=not problems)
