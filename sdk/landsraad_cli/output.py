"""What every command says, and how it ends.

For programs (`--json`): one JSON object, the last line of standard output. For people: a table. Progress goes to
standard error, and only to a terminal. The exit status is 0 if everything the command checks held, 1 if not, and 2 if
it was asked for something that does not exist.
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

# Without a terminal there is no width to keep to; wide enough that a log does not break a row.
_WIDTH_WITHOUT_TERMINAL = 140


def chosen(kind: str, name: str, known: Iterable[str]) -> str:
    """The name itself if it is known; otherwise end with status 2, naming what there is and what may be meant."""
    names = sorted(known)
    if name in names:
        return name
    near = get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    there_is = ", ".join(names) or "none"
    raise typer.BadParameter(f"unknown {kind} {name!r}.{hint} There is: {there_is}.")


def finish(result: Mapping[str, object], *, as_json: bool, title: str = "", held: bool = True) -> NoReturn:
    """Say the result and leave with 0 if everything held, else with 1."""
    if as_json:
        print(json.dumps(result, ensure_ascii=False), flush=True)
    else:
        show(result, title=title)
    raise typer.Exit(0 if held else 1)


def show(result: Mapping[str, object], *, title: str = "") -> None:
    """A result as a table of names and values."""
    rows([(name.replace("_", " "), _readable(value)) for name, value in result.items()], title=title)


def rows(lines: Iterable[Iterable[str]], *, head: Iterable[str] = (), title: str = "") -> None:
    """A plain table on standard output; cells are taken literally, never as markup."""
    from rich.table import Table
    from rich.text import Text

    columns = list(head)
    heading = Text(title) if title else None
    table = Table(*columns, title=heading, title_justify="left", show_header=bool(columns), box=None)
    for line in lines:
        table.add_row(*(Text(cell) for cell in line))
    console(to_stderr=False).print(table)


@contextmanager
def progress(label: str, total: float | None = None) -> Iterator["Advance"]:
    """A progress bar on standard error for as long as the block runs; silent where there is no terminal."""
    if not sys.stderr.isatty():
        yield Advance(lambda _step, _note: None)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(to_stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield Advance(lambda step, note: bar.update(task, advance=step, description=note or label))


@dataclass(frozen=True, slots=True)
class Advance:
    """Moves a progress bar on: `advance()`, `advance(10)`, `advance(note="shrinking")`."""

    _move: Callable[[float, str], None]

    def __call__(self, step: float = 1, note: str = "") -> None:
        self._move(step, note)


def console(*, to_stderr: bool) -> "Console":
    """Where people are spoken to; without a terminal it writes plain lines of a fixed width."""
    from rich.console import Console

    stream = sys.stderr if to_stderr else sys.stdout
    return Console(stderr=to_stderr, highlight=False, width=None if stream.isatty() else _WIDTH_WITHOUT_TERMINAL)


def _readable(value: object) -> str:
    """One cell: numbers with separators, mappings and lists in a line, anything else as it is."""
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
