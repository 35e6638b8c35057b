"""The rulebook as data, the marks of tests, and the coverage of statements by code and tests."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from landsraad_cli.app import app
from landsraad_engine import testing
from landsraad_engine.checks import coverage, rulebook
from landsraad_engine.errors import BadContent

# Under another name, so that the coverage report does not count the calls in these tests.
mark = testing.covers


def entry(rule: str, kind: str = "flow", more: str = "") -> str:
    return f"""
        [[statement]]
        id = "{rule}"
        section = "1: Storm | Round"
        heading = "The Storm"
        text = "What {rule} says."
        kind = "{kind}"
        {more}
    """


BOOK = "".join(
    (
        entry("DUNE-1.1"),
        entry("DUNE-1.2", "definition"),
        entry("DUNE-1.3", "definition", 'test_only = "the whole table shows it"'),
        entry("DUNE-1.4", "ruling", 'reason = "the book is silent"'),
        entry("DUNE-X.1", "example"),
    )
)

CODE = '''
"""DUNE-1.4"""

NOTE = f"see DUNE-1.4 {0}"  # "DUNE-1.4"


class Storm:
    "DUNE-1.4"

    @step("DUNE-1.1")
    def moves(frame, game):
        return Refused(rule="DUNE-1.2")
'''

TESTS = """
RULES = ["DUNE-1.4"]


@covers("DUNE-1.1", "DUNE-1.2")
def test_storm():
    testing.covers("DUNE-1.3")
    assert "DUNE-1.4"


@covers("DUNE-X.1", "WFA-1.1")
class TestExample: ...
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a repository with a small rulebook, in which DUNE-1.4 has neither code nor a test."""
    for name, content in {
        "engine/landsraad_engine/checks/coverage.py": "",
        "engine/landsraad_engine/rules/dune.toml": BOOK,
        "engine/landsraad_engine/rules/table.py": 'OLD = "DUNE-1.4"',
        "engine/landsraad_engine/testing/helper.py": 'OLD = "DUNE-1.4"',
        "engine/landsraad_engine/dune/storm.py": CODE,
        "tests/dune/test_storm.py": TESTS,
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    return tmp_path


#: Our rulebook of classic Dune, as files of these tests are read.
DUNE_BOOK = rulebook.book("dune")


def measured(checkout: Path) -> coverage.Coverage:
    return coverage.measure("dune", checkout / "engine" / "landsraad_engine", checkout / "tests")


def complete(checkout: Path) -> None:
    (checkout / "engine/landsraad_engine/dune/ruling.py").write_text('@rule("DUNE-1.4")\ndef parts(): ...\n')
    (checkout / "tests/test_ruling.py").write_text('@covers("DUNE-1.4")\ndef test_ruling(): ...\n')


# ---- Statements ----


@pytest.mark.parametrize("game", rulebook.known())
def test_the_shipped_rulebooks_are_sound(game: str) -> None:
    statements = rulebook.statements(game)
    assert statements
    for rule, statement in statements.items():
        assert rulebook.statement(rule) is statement
        assert rulebook.text(rule) == statement.text.strip() != ""


def test_statements_come_in_the_order_of_the_book() -> None:
    assert list(rulebook.parse(BOOK, DUNE_BOOK)) == ["DUNE-1.1", "DUNE-1.2", "DUNE-1.3", "DUNE-1.4", "DUNE-X.1"]


@pytest.mark.parametrize(
    ("book", "complaint"),
    [
        (entry("DUNE-1.1") * 2, "appears twice"),
        (entry("WFA-1.1"), "not an id of this game"),
        (entry("DUNE-1"), "not an id of this game"),
        (entry("DUNE-1.1", "rumour"), "rumour"),
        (entry("DUNE-1.1", "ruling"), "a ruling needs a reason"),
        (entry("DUNE-1.1", "flow", 'test_only = "it is too hard"'), "only a definition"),
        (entry("DUNE-1.1", "flow", 'note = "?"'), "unknown field `note`"),
        ("[[statement]", "line 1"),
    ],
)
def test_a_wrong_rulebook_is_refused(book: str, complaint: str) -> None:
    with pytest.raises(BadContent, match=complaint):
        rulebook.parse(book, DUNE_BOOK)


@pytest.mark.parametrize("rule", ["DUNE-0.0", "WFA-0.0", "CHESS-1.1", "DUNE", ""])
def test_an_unknown_id_is_refused(rule: str) -> None:
    with pytest.raises(rulebook.UnknownRule, match=repr(rule)):
        rulebook.statement(rule)


# ---- Marking tests ----


def test_covers_attaches_ids_and_leaves_the_test_alone() -> None:
    first, second = list(rulebook.statements("dune"))[:2]

    def test() -> None: ...

    assert mark(first)(mark(second)(test)) is test
    assert vars(test)["covers"] == (first, second)


def test_covers_knows_the_rulebooks() -> None:
    with pytest.raises(rulebook.UnknownRule):
        mark("DUNE-0.0")


# ---- Coverage ----


def test_code_cites_by_literals_and_not_in_passing(checkout: Path) -> None:
    code = measured(checkout).code
    assert code == {
        "DUNE-1.1": (coverage.Citation("DUNE-1.1", "landsraad_engine/dune/storm.py", 10, "Storm.moves"),),
        "DUNE-1.2": (coverage.Citation("DUNE-1.2", "landsraad_engine/dune/storm.py", 12, "Storm.moves"),),
    }


def test_tests_cite_only_inside_covers(checkout: Path) -> None:
    tests = measured(checkout).tests
    assert tests is not None
    assert {rule: [cited.within for cited in citations] for rule, citations in tests.items()} == {
        "DUNE-1.1": ["test_storm"],
        "DUNE-1.2": ["test_storm"],
        "DUNE-1.3": ["test_storm"],
        "DUNE-X.1": ["TestExample"],
    }


def test_examples_and_marked_definitions_need_only_a_test(checkout: Path) -> None:
    found = measured(checkout)
    assert found.missing == [coverage.Gap("DUNE-1.4", "no code cites it and no test covers it")]
    assert not found.complete
    complete(checkout)
    assert measured(checkout).complete


def test_a_statement_may_lack_one_of_the_two(checkout: Path) -> None:
    complete(checkout)
    (checkout / "tests/dune/test_storm.py").unlink()
    gaps = dict(measured(checkout).missing)
    assert gaps == dict.fromkeys(["DUNE-1.1", "DUNE-1.2", "DUNE-1.3", "DUNE-X.1"], "no test covers it")
    (checkout / "engine/landsraad_engine/dune/ruling.py").unlink()
    assert dict(measured(checkout).missing)["DUNE-1.4"] == "no code cites it"


@pytest.mark.parametrize("where", ["engine/landsraad_engine/dune/new.py", "tests/test_new.py"])
@pytest.mark.parametrize("rule", ["DUNE-9.9", "DUNE-1,1"])
def test_an_id_that_does_not_exist_is_reported(checkout: Path, where: str, rule: str) -> None:
    complete(checkout)
    (checkout / where).write_text(f"@covers({rule!r})\ndef test(): ...\n")
    found = measured(checkout)
    assert [(cited.rule, cited.within) for cited in found.unknown] == [(rule, "test")]
    assert not found.missing
    assert not found.complete


def test_the_repository_is_found_from_inside(checkout: Path) -> None:
    assert coverage.find_checkout(checkout / "tests" / "dune") == checkout
    assert coverage.find_checkout(Path(checkout.anchor), checkout) == checkout
    assert coverage.find_checkout(Path(checkout.anchor)) is None


# ---- The command ----


def test_check_fails_until_everything_is_covered(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    result = CliRunner().invoke(app, ["rules", "dune", "--check", "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout.splitlines()[-1]) == {
        "game": "dune",
        "statements": 5,
        "with_code": 2,
        "with_test": 4,
        "test_only": 2,
        "missing": [{"id": "DUNE-1.4", "reason": "no code cites it and no test covers it"}],
        "unknown": [],
    }
    assert "DUNE-1.4" in CliRunner().invoke(app, ["rules", "dune", "--check"]).stdout
    complete(checkout)
    assert CliRunner().invoke(app, ["rules", "dune", "--check"]).exit_code == 0


def test_browsing_shows_the_statements_and_never_fails(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout / "tests")
    result = CliRunner().invoke(app, ["rules", "dune"])
    assert result.exit_code == 0
    assert "What DUNE-1.4 says." in result.stdout


def test_page_shows_statement_code_and_tests(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    assert CliRunner().invoke(app, ["rules", "dune", "--page", "rules.md"]).exit_code == 0
    page = (checkout / "rules.md").read_text(encoding="utf-8").splitlines()
    assert page.count("## 1: Storm | Round") == 1
    assert (
        "| DUNE-1.2 | definition | What DUNE-1.2 says. | `landsraad_engine/dune/storm.py` Storm.moves "
        "| `tests/dune/test_storm.py` test_storm |"
    ) in page
    assert "| DUNE-1.4 | ruling | What DUNE-1.4 says. *the book is silent* |  |  |" in page


def test_without_the_repository_tests_are_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "find_checkout", lambda *_: None)
    result = CliRunner().invoke(app, ["rules", "dune", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["with_test"] == "unavailable"
    refused = CliRunner().invoke(app, ["rules", "dune", "--check"])
    assert refused.exit_code == 2
    assert "repository" in refused.stderr
