"""One name for one thing: class names are unique, and the words of the glossary stand in the code."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from our_modules import SourceModule, allowed_names, names_on_record, parse_module, read_modules, shared_class_names

GLOSSARY = "docs/glossary.md"
#: A row of a table; the row of dashes below the titles is none.
ROW = re.compile(r"^\|(?!\s*:?-)(.*)\|\s*$", re.MULTILINE)


class Term(NamedTuple):
    """A word of the glossary, and the modules in which it is at home."""

    word: str
    modules: tuple[str, ...]


@pytest.fixture(scope="module")
def modules(root: Path) -> list[SourceModule]:
    return read_modules(root)


def terms(page: str) -> list[Term]:
    """Read the tables of a glossary: the word in the first column, its modules in the one headed "module"."""
    found: list[Term] = []
    column = 0
    for row in ROW.findall(page):
        cells = [cell.strip() for cell in row.split("|")]
        titles = [cell.lower().removesuffix("s") for cell in cells]
        if "module" in titles:
            column = titles.index("module")
        elif column:
            found.append(Term(cells[0].strip("`* "), tuple(re.findall(r"[\w./]+", cells[column]))))
    return found


def files_of(module: str, paths: Sequence[str]) -> list[str]:
    """Return the files of a module or package, given by its dotted name or by its path."""
    stem = (module if "/" in module else module.replace(".", "/")).removesuffix(".py").rstrip("/")
    ending = re.compile(rf"(^|/){re.escape(stem)}(\.py|/.*\.py)$")
    return [path for path in paths if path.endswith(".py") and ending.search(path)]


def occurs(word: str, text: str) -> bool:
    """Look for a word, written as in a sentence, as a name or in capitals; its plural counts."""
    parts = map(re.escape, re.split(r"[\s_-]+", word))
    return re.search(r"(?<![a-z])" + r"[\s_-]*".join(parts), text, re.IGNORECASE) is not None


def wrong_terms(page: str, texts: Mapping[str, str]) -> Iterator[str]:
    """Return the words of a glossary whose modules do not exist, or do not use them."""
    paths = [path for path in texts if not path.startswith("tests/")]
    for term in terms(page):
        missing = [module for module in term.modules if not files_of(module, paths)]
        files = {path for module in term.modules for path in files_of(module, paths)}
        if missing or not term.modules:
            yield f"{term.word}: no module {', '.join(missing)}".rstrip()
        elif not any(occurs(term.word, texts[path]) for path in files):
            yield f"{term.word}: not in {', '.join(term.modules)}"


def test_no_two_classes_share_a_name(modules: list[SourceModule]) -> None:
    assert shared_class_names(modules, allowed_names()) == {}


def test_every_name_that_may_be_shared_is(modules: list[SourceModule]) -> None:
    assert allowed_names().keys() - shared_class_names(modules).keys() == set()
    assert all(allowed_names().values())


def test_the_games_names_are_on_record(modules: list[SourceModule]) -> None:
    """The derivation from the sources finds what the games register, wherever the modules are."""
    from landsraad import games

    on_record = {name for _, name in names_on_record(modules)}
    for game in map(games.load, games.known()):
        assert {kind.__name__ for kind in (*game.frames, *game.acts)} <= on_record


def test_the_words_of_the_glossary_are_used(root: Path, texts: Mapping[str, str]) -> None:
    page = (root / GLOSSARY).read_text(encoding="utf-8")
    assert len(terms(page)) >= 30
    assert list(wrong_terms(page, texts)) == []


#: A kernel and two games, which have a frame of the same name.
SOURCES = {
    "engine/landsraad_engine/kernel/frames.py": "class Frame: ...",
    "engine/landsraad_engine/kernel/__init__.py": "from .frames import Frame",
    "engine/landsraad_engine/dune/a.py": """
from ..kernel import Frame
class Fight(Frame): ...
class _Own: ...
""",
    "engine/landsraad_engine/arrakis/b.py": """
from landsraad_engine.kernel import frames as kernel_frames
class Base(kernel_frames.Frame): ...
class Fight(Base): ...
class _Own: ...
""",
}


def made_up(**bots: str) -> list[SourceModule]:
    """Parse the kernel and the games, and modules of bots by name."""
    sources = SOURCES | {f"bots/landsraad_bots/{name}.py": text for name, text in bots.items()}
    return [parse_module(path, text) for path, text in sources.items()]


def test_names_on_record_are_derived_at_any_distance() -> None:
    assert names_on_record(made_up()) == {
        ("landsraad_engine.kernel.frames", "Frame"),
        ("landsraad_engine.dune.a", "Fight"),
        ("landsraad_engine.arrakis.b", "Base"),
        ("landsraad_engine.arrakis.b", "Fight"),
    }


@pytest.mark.parametrize(
    ("source", "shared"),
    [
        ("class Figure: ...", {}),
        ("class Fight: ...", {"Fight": ["landsraad_engine.dune.a", "landsraad_engine.arrakis.b", "landsraad_bots.c"]}),
        ("class Frame: ...", {"Frame": ["landsraad_engine.kernel.frames", "landsraad_bots.c"]}),
    ],
)
def test_a_shared_name_is_found(source: str, shared: dict[str, list[str]]) -> None:
    found = made_up(c=source)
    assert shared_class_names(found) == shared
    assert shared_class_names(found, allowed=shared) == {}


def test_wrong_words_of_a_glossary_are_found() -> None:
    page = """# Words

| word | meaning | module |
|---|---|---|
| `log gap` | Entries not received yet. | `landsraad.logs` |
| lease | A claim with an end. | server/landsraad_server/store/leases.py |
| seat | A place at the table. | `landsraad_server.store` |
| worm | Big. | `landsraad.logs` |
| storm | Bigger. | `landsraad.weather` |
| sand | Everywhere. | |
"""
    texts = {
        "sdk/landsraad/logs.py": "class LogGap: ...",
        "server/landsraad_server/store/leases.py": "LEASE_SECONDS = 3",
        "server/landsraad_server/store/held.py": "def seats(): ...",
        "tests/landsraad/weather.py": "storm = 1",
    }
    assert list(wrong_terms(page, texts)) == [
        "worm: not in landsraad.logs",
        "storm: no module landsraad.weather",
        "sand: no module",
    ]
