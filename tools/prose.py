"""Measure the prose and the size of our own modules, folder by folder.

    python tools/prose.py [--depth N] [--json] [--since REV] [--compare REV]

With `--compare`, each figure stands beside that of another revision, read from git. `--since` adds the subjects of the
commits made since a revision. Percentages are shares of all docstrings, "documented" of those of functions that take
an argument, return something or raise.
"""

import argparse
import io
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from statistics import fmean
from typing import TypeAlias

from docstrings import Docstring, docstrings, has_sections, is_documentable, opens_with_clause, speaks_of_people
from our_modules import FOLDERS, ROOT, SourceModule, allowed_names, read_modules, shared_class_names
from sdk_surface import PACKAGE, public_callables, undocumented

Figure: TypeAlias = float
Row: TypeAlias = dict[str, Figure]

MOST_LINES, MANY_LINES = 600, 350
LONGEST_SUBJECT = 72


def percentage(part: int, whole: int) -> Figure:
    """Return a share in percent, 0 of nothing."""
    return round(100 * part / whole, 1) if whole else 0.0


def share_of(fits: Callable[[Docstring], bool], among: Callable[[Docstring], bool] = lambda _: True) -> "Measure":
    """Make a measure: the percentage of docstrings that fit, among all or among some of them."""

    def measure(modules: Sequence[SourceModule]) -> Figure:
        asked = [one for one in all_docstrings(modules) if among(one)]
        return percentage(sum(map(fits, asked)), len(asked))

    return measure


def longer_than(most: int) -> "Measure":
    """Make a measure: the number of modules with more lines."""
    return lambda modules: sum(module.lines > most for module in modules)


def all_docstrings(modules: Iterable[SourceModule]) -> list[Docstring]:
    """Return the docstrings of several modules."""
    return [docstring for module in modules for docstring in docstrings(module)]


Measure: TypeAlias = Callable[[Sequence[SourceModule]], Figure]
MEASURES: Mapping[str, Measure] = {
    "modules": len,
    "mean lines": lambda modules: round(fmean(module.lines for module in modules)),
    "largest": lambda modules: max(module.lines for module in modules),
    f">{MANY_LINES}": longer_than(MANY_LINES),
    f">{MOST_LINES}": longer_than(MOST_LINES),
    "docstrings": lambda modules: len(all_docstrings(modules)),
    "clauses %": share_of(opens_with_clause),
    "people %": share_of(speaks_of_people),
    "documented %": share_of(has_sections, is_documentable),
}


def measure_folders(modules: Sequence[SourceModule], depth: int = 1) -> dict[str, Row]:
    """Return all measures of each folder, and of everything under "all"."""
    folders: dict[str, list[SourceModule]] = {}
    for module in modules:
        folders.setdefault(folder_of(module.path, depth), []).append(module)
    groups = {**dict(sorted(folders.items())), "all": modules}
    return {name: {title: measure(group) for title, measure in MEASURES.items()} for name, group in groups.items()}


def folder_of(path: PurePosixPath, depth: int) -> str:
    """Return the first folders of a path."""
    return "/".join(path.parent.parts[:depth])


def measure_whole(modules: Sequence[SourceModule]) -> Row:
    """Return what can only be measured across folders: shared class names and the public surface of the SDK."""
    row: Row = {"class names in more than one module": len(shared_class_names(modules, allowed_names()))}
    if any(module.name == PACKAGE for module in modules):
        callables = public_callables(modules)
        documented = len(callables) - len(undocumented(callables))
        row["public callables of the SDK"] = len(callables)
        row["of them documented %"] = percentage(documented, len(callables))
    return row


def measure_subjects(subjects: Sequence[str]) -> Row:
    """Return the number and the length of commit subjects."""
    long = sum(len(subject) > LONGEST_SUBJECT for subject in subjects)
    mean = round(fmean(map(len, subjects)), 1) if subjects else 0.0
    return {
        "commits": len(subjects),
        "mean length of their subjects": mean,
        f"over {LONGEST_SUBJECT} characters %": percentage(long, len(subjects)),
    }


def subjects_since(revision: str, root: Path) -> list[str] | None:
    """Return the subjects of the commits after a revision; None without git or without that revision."""
    command = ["git", "log", "--no-merges", "--format=%s", f"{revision}..HEAD"]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.splitlines()


def read_revision(revision: str, root: Path) -> list[SourceModule]:
    """Parse the modules of another revision."""
    archive = subprocess.run(["git", "archive", revision], cwd=root, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory() as scratch:
        with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
            wanted = [member for member in packed if member.isfile() and member.name.endswith(".py")]
            packed.extractall(scratch, [one for one in wanted if one.name.partition("/")[0] in FOLDERS], filter="data")
        return read_modules(Path(scratch))


def written(now: Figure | None, before: Figure | None = None) -> str:
    """Write a figure, after that of the other revision if there is one."""
    return f"{before:g} > {written(now)}" if before is not None else "-" if now is None else f"{now:g}"


def table(folders: Mapping[str, Row], before: Mapping[str, Row]) -> str:
    """Align the folders of both revisions under the titles of the measures."""
    lines = [["", *MEASURES]]
    for folder in dict.fromkeys([*before, *folders]):
        now, then = folders.get(folder, {}), before.get(folder, {})
        lines.append([folder, *(written(now.get(title), then.get(title)) for title in MEASURES)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in lines
    )


def sentences(row: Row, before: Row) -> str:
    """Write one figure to a line."""
    return "\n".join(f"{title}: {written(figure, before.get(title))}" for title, figure in row.items())


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure the prose and the size of our own modules.")
    parser.add_argument("--depth", type=int, default=1, help="how many folders deep the rows go")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--since", metavar="REV", default="", help="measure the commit subjects after this revision")
    parser.add_argument("--compare", metavar="REV", default="", help="measure this revision, too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the measures."""
    asked = parse_arguments(arguments)
    modules = read_modules(ROOT)
    folders, whole = measure_folders(modules, asked.depth), measure_whole(modules)
    subjects = subjects_since(asked.since, ROOT) if asked.since else None
    if subjects is not None:
        whole |= measure_subjects(subjects)
    then = read_revision(asked.compare, ROOT) if asked.compare else []
    before = measure_folders(then, asked.depth) if then else {}
    whole_before = measure_whole(then) if then else {}
    if asked.json:
        earlier = {"before": {"folders": before, "whole": whole_before}} if then else {}
        print(json.dumps({"folders": folders, "whole": whole, **earlier}, indent=1))
    else:
        print(table(folders, before), sentences(whole, whole_before), sep="\n\n")


if __name__ == "__main__":
    main()
