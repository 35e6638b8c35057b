"""Output and exit status of all commands.

For programs (`--json`): one JSON object, the last line of standard output. For people: a table. Progress goes to
standard error, and only to a terminal, unless the command takes minutes. The exit status is 0 if all checks of the
command hold, 1 if one does not, and 2 if the arguments name something that does not exist.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object on the last line of standard output.")]

# Without a terminal there is no width to respect. This is wide enough that no row of a log is wrapped.
_WIDTH_WITHOUT_TERMINAL = 140


def require_known(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the name if it is known. Otherwise exit with status 2, and show the known names and the nearest one."""
    names = sorted(known)
    if name in names:
        return name
    near = get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    known_names = ", ".join(names) or "none"
    raise typer.BadParameter(f"unknown {kind} {name!r}.{hint} Known are: {known_names}.")


def finish(result: Mapping[str, object], *, as_json: bool, title: str = "", held: bool = True) -> NoReturn:
    """Print the result and exit, with status 0 if all checks hold, else with 1."""
    if as_json:
        print(json.dumps(result, ensure_ascii=False), flush=True)
    else:
        show(result, title=title)
    raise typer.Exit(0 if held else 1)


def show(result: Mapping[str, object], *, title: str = "") -> None:
    """Print a result as a table of names and values."""
    rows([(name.replace("_", " "), _readable(value)) for name, value in result.items()], title=title)


def rows(lines: Iterable[Iterable[str]], *, head: Iterable[str] = (), title: str = "") -> None:
    """Print a plain table. Cells are taken literally, never as markup."""
    from rich.table import Table
    from rich.text import Text

    columns = list(head)
    heading = Text(title) if title else None
    table = Table(*columns, title=heading, title_justify="left", show_header=bool(columns), box=None)
    for line in lines:
        table.add_row(*(Text(cell) for cell in line))
    console(to_stderr=False).print(table)


@contextmanager
def progress(label: str, total: float | None = None, *, always: bool = False) -> Iterator["ProgressCallback"]:
    """Show a progress bar on standard error during the block, but only on a terminal.

    With `always`, each note is a line where there is no terminal.
    """
    if not sys.stderr.isatty():
        yield ProgressCallback(
            lambda _step, note: typer.echo(f"{label}: {note}", err=True) if always and note else None
        )
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(to_stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield ProgressCallback(lambda step, note: bar.update(task, advance=step, description=note or label))


@dataclass(frozen=True, slots=True)
class ProgressCallback:
    """Advance a progress bar: `advance()`, `advance(10)`, `advance(note="shrinking")`."""

    _move: Callable[[float, str], None]

    def __call__(self, step: float = 1, note: str = "") -> None:
        self._move(step, note)


def console(*, to_stderr: bool) -> "Console":
    """Return a console for people. Without a terminal, it prints plain lines of a fixed width."""
    from landsraad_cli.pipe_console import PipeConsole

    stream = sys.stderr if to_stderr else sys.stdout
    return PipeConsole(stderr=to_stderr, highlight=False, width=None if stream.isatty() else _WIDTH_WITHOUT_TERMINAL)


def _readable(value: object) -> str:
    """Format a cell: numbers with separators, mappings and lists in one line, anything else as it is."""
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.2f}"
        case Mapping():
            return ", ".join(f"{name} {_readable(part)}" for name, part in value.items()) or "none"
        case list() | tuple():
            return ", ".join(_readable(part) for part in value) or "none"
        case _:
            return str(value)
