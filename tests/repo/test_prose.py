"""Prose that an experienced engineer expects to read: the measures of tools/prose.py, and the limits that hold."""

import ast
import json
import subprocess
from pathlib import Path

import pytest

import prose
from docstrings import Function, docstrings, gaps, has_sections, is_documentable, opens_with_clause, speaks_of_people
from our_modules import FOLDERS, SourceModule, parse_module, read_modules
from sdk_surface import SEATS, public_callables, undocumented

#: Rooms of the engine with a voice of our own. The games speak as their rulebooks do, which they paraphrase.
KERNEL_ROOMS = {"kernel", "knowledge", "play", "checks", "testing"}

DOCUMENTED = '''"""Take a seat.

Args:
    match: The name of the match,
        or its address.
    *orders: Standing orders.

Returns:
    The seat.

Raises:
    MatchOver: There is nothing to join.
"""'''
SIGNATURE = "def join(self, match: str, *orders: str) -> Seat:\n    {}\n    raise MatchOver(match)"


@pytest.fixture(scope="module")
def modules(root: Path) -> list[SourceModule]:
    return read_modules(root)


def function(source: str) -> Function:
    """The first function of a source."""
    node = ast.parse(source).body[0]
    assert isinstance(node, Function)
    return node


def has_own_voice(module: SourceModule) -> bool:
    """Leave out the games in the engine, which keep the voice of the rulebooks."""
    folders = module.path.parts[2:-1]
    return module.path.parts[0] != "engine" or not folders or folders[0] in KERNEL_ROOMS


def clauses(modules: list[SourceModule]) -> list[str]:
    """The docstrings that open with a subordinate clause."""
    return [one.place for module in modules for one in docstrings(module) if opens_with_clause(one)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_docstring_opens_with_a_clause(modules: list[SourceModule], folder: str) -> None:
    own = [module for module in modules if module.path.parts[0] == folder and has_own_voice(module)]
    assert own
    found = clauses(own)
    assert not found, "\n".join(found)


def test_what_the_sdk_exports_is_documented(modules: list[SourceModule]) -> None:
    callables = public_callables(modules)
    assert len(callables) > 20
    assert undocumented(callables) == {}


def test_the_seats_of_a_client_are_documented(modules: list[SourceModule]) -> None:
    seats = [one for one in public_callables(modules, also=SEATS) if one.owner and one.owner.name in SEATS]
    assert {one.owner.name for one in seats if one.owner} == SEATS
    assert undocumented(seats) == {}


@pytest.mark.parametrize(
    ("text", "clause", "people"),
    [
        ("What is wrong if an order means nothing.", True, False),
        ("Who is here, and nobody else.", True, True),
        ("Whoever comes first.", True, True),
        ("Whether it holds.", True, False),
        ("Where it stands.", True, False),
        ("How long it takes.", True, False),
        ("Nobody waits.", True, True),
        ("However it ends.", True, False),
        ("Return what is wrong.", False, False),
        ("Whole matches.", False, False),
        ("Howling winds.", False, False),
        ("Tell somebody.", False, True),
        ("Retry with backoff.", False, False),
    ],
)
def test_openings_and_people(text: str, clause: bool, people: bool) -> None:
    (docstring,) = docstrings(parse_module("tools/made_up.py", f'"""{text}"""\n'))
    assert opens_with_clause(docstring) is clause
    assert speaks_of_people(docstring) is people


def test_docstrings_are_found_at_every_depth_with_their_line() -> None:
    source = "'Module.'\n\nclass A:\n    'Class.'\n    async def f(self):\n        'Who.'\n        def g(): 'Inner.'\n"
    places = [one.place for one in docstrings(parse_module("sdk/landsraad/a.py", source))]
    assert sorted(places) == [
        "sdk/landsraad/a.py:1: Module.",
        "sdk/landsraad/a.py:3: Class.",
        "sdk/landsraad/a.py:5: Who.",
        "sdk/landsraad/a.py:7: Inner.",
    ]


@pytest.mark.parametrize(
    ("code", "documentable", "documented"),
    [
        ('def f(self) -> None:\n    "Do it."', False, False),
        ('def f(self) -> int:\n    "Count."', True, False),
        ('def f(n):\n    """Count.\n\n    Args:\n        n: A number.\n    """', True, True),
        ('def f():\n    """Fail.\n\n    Raises:\n        E: Always.\n    """\n    raise E', True, True),
        ('def f():\n    """Args: none worth a section."""\n    raise E', True, False),
        ('class A:\n    """Returns:\n\n    nothing."""', False, False),
    ],
)
def test_sections_are_counted_where_there_is_something_to_document(
    code: str, documentable: bool, documented: bool
) -> None:
    (docstring,) = docstrings(parse_module("tools/made_up.py", code))
    assert is_documentable(docstring) is documentable
    assert has_sections(docstring) is documented


@pytest.mark.parametrize(
    ("cut", "missing"),
    [
        ("", []),
        ("    match: The name of the match,\n", ["Args: match"]),
        ("    *orders: Standing orders.\n", ["Args: orders"]),
        ("Returns:\n    The seat.\n\n", ["Returns"]),
        ("    MatchOver: There is nothing to join.\n", ["Raises: MatchOver"]),
        (DOCUMENTED, ["docstring"]),
    ],
)
def test_gaps(cut: str, missing: list[str]) -> None:
    text = DOCUMENTED.replace(cut, "", 1) if cut else DOCUMENTED
    found = function(SIGNATURE.format("..."))
    assert gaps(found, text.strip('"')) == missing


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("def f() -> None: ...", []),
        ("def f() -> Self: ...", []),
        ("def f() -> Client: ...", []),
        ("def f() -> Iterator[int]: yield 1", ["Returns"]),
        ("def f():\n    try: g()\n    except E: raise", []),
        ("def f():\n    def inner(): raise E\n    g(inner)", []),
        ("def f(): raise NotImplementedError", []),
        ("def f(): raise errors.Lost from None", ["Raises: Lost"]),
        ("def f(): raise first(group)", ["Raises"]),
        ("def f(*, a=1, **b): ...", ["Args: a", "Args: b"]),
    ],
)
def test_what_a_signature_asks_for(code: str, missing: list[str]) -> None:
    assert gaps(function(code), "Do it.", own_type="Client") == missing


def test_the_public_surface_is_what_the_package_exports() -> None:
    sources = {
        "sdk/landsraad/__init__.py": "if T:\n    from landsraad.a import A, run\n    from .b import B\n"
        "__all__ = ['A', 'B', '__version__', 'run']",
        "sdk/landsraad/a.py": "class A:\n    'A client.'\n    def __init__(self): ...\n    def _own(self): ...\n"
        "    def seat(self): ...\n    @property\n    def name(self): ...\ndef run(): ...\ndef other(): ...",
        "sdk/landsraad/b.py": "from landsraad.c import B",
        "sdk/landsraad/c.py": "class B:\n    def __iter__(self): ...\n    async def act(self, n):\n        'Act.'\n"
        "class Seat:\n    def __init__(self, n): ...\n    def answer(self): 'Answer.'",
    }
    made_up = [parse_module(path, text) for path, text in sources.items()]
    callables = public_callables(made_up)
    places = ["landsraad.a.A.__init__", "landsraad.a.A.seat", "landsraad.c.B.act", "landsraad.a.run"]
    assert [one.place for one in callables] == places
    assert [one.place for one in public_callables(made_up, also={"Seat"})] == [*places, "landsraad.c.Seat.answer"]
    assert undocumented(callables) == {
        "landsraad.a.A.seat": ["docstring"],
        "landsraad.c.B.act": ["Args: n"],
        "landsraad.a.run": ["docstring"],
    }


def test_folders_are_measured_apart_and_together() -> None:
    made_up = [
        parse_module("sdk/landsraad/a.py", '"""What it is."""\n' + "pass\n" * 699),
        parse_module("sdk/landsraad/cli/b.py", '"""Commands for somebody."""\n' + "pass\n" * 399),
        parse_module("tools/c.py", 'def f(n):\n    """Count.\n\n    Args:\n        n: It.\n    """\n'),
    ]
    folders = prose.measure_folders(made_up)
    assert list(folders) == ["sdk", "tools", "all"]
    assert folders["sdk"] == {
        "modules": 2,
        "mean lines": 550,
        "largest": 700,
        ">350": 2,
        ">600": 1,
        "docstrings": 2,
        "clauses %": 50.0,
        "people %": 50.0,
        "documented %": 0.0,
    }
    assert folders["tools"]["documented %"] == 100.0
    assert folders["all"]["clauses %"] == 33.3
    assert list(prose.measure_folders(made_up, depth=3)) == ["sdk/landsraad", "sdk/landsraad/cli", "tools", "all"]


def test_subjects_are_measured() -> None:
    assert prose.measure_subjects(["x" * 40, "x" * 72, "x" * 80]) == {
        "commits": 3,
        "mean length of their subjects": 64.0,
        "over 72 characters %": 33.3,
    }
    assert prose.measure_subjects([])["commits"] == 0


def test_without_git_there_are_no_subjects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert prose.subjects_since("HEAD~1", tmp_path) is None
    monkeypatch.setenv("PATH", "")
    assert prose.subjects_since("HEAD~1", tmp_path) is None


def test_two_revisions_stand_beside_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_revisions(tmp_path, '"""What counts."""\n', '"""Counters."""\n')
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    prose.main(["--compare", "HEAD~1", "--since", "HEAD~1"])
    said = capsys.readouterr().out
    assert "100 > 0" in said
    assert "\ncommits: 1\n" in said
    prose.main(["--json", "--compare", "HEAD~1"])
    told = json.loads(capsys.readouterr().out)
    assert told["folders"]["tools"]["clauses %"] == 0
    assert told["before"]["folders"]["tools"]["clauses %"] == 100


def write_revisions(folder: Path, *texts: str) -> None:
    """Make a repository with one module, committed once for each text."""
    (folder / "tools").mkdir()
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run([*git, "init", "--quiet"], cwd=folder, check=True)
    for number, text in enumerate(texts):
        (folder / "tools/counting.py").write_text(text)
        subprocess.run([*git, "add", "."], cwd=folder, check=True)
        subprocess.run([*git, "commit", "--quiet", "--message", f"Revision {number}"], cwd=folder, check=True)
