"""Content files as text: every key on its line, layers on top of each other, the command that checks them."""

import json
import re
import tomllib
from pathlib import Path as FilePath
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from landsraad_cli.app import app
from landsraad_engine.arrakis import content
from landsraad_engine.content import checking
from landsraad_engine.content.documents import ContentProblems, KeyPath, read, written
from landsraad_engine.content.layers import Layer, LayerStack, TableSpec, stack

TRICKY = '''# a comment = 1
top = "a # no comment" # a comment

[table]  # header
"quoted key" = 1
dotted.key = { inner = [1, 2], "other key" = 'it"s' }
text = """
not = "a key"
[not.a.table]
"""
literal = \'\'\'
again = 3\'\'\'
list = [
  # first
  { a = 1 },

  { a = 2, b = [
    3,
    4, # last
  ] },
]
when = 2026-11-18T10:00:00Z
[table.sub]
x = -1
[[many]]
x = 1
[[many]]
x = 2
[many.below]
y = 3
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2),
        (("table",), 4),
        (("table", "quoted key"), 5),
        (("table", "dotted", "key", "inner", 1), 6),
        (("table", "dotted", "key", "other key"), 6),
        (("table", "text"), 7),
        (("table", "literal"), 11),
        (("table", "list"), 13),
        (("table", "list", 0), 15),
        (("table", "list", 1, "a"), 17),
        (("table", "list", 1, "b", 0), 18),
        (("table", "list", 1, "b", 1), 19),
        (("table", "when"), 22),
        (("table", "sub", "x"), 24),
        (("many", 0, "x"), 26),
        (("many", 1, "x"), 28),
        (("many", 1, "below", "y"), 30),
        (("table", "list", 1, "nowhere", "deep"), 17),
        (("nowhere",), 1),
    ],
)
def test_every_key_has_its_line(path: KeyPath, line: int) -> None:
    assert read(TRICKY, "tricky").line(path) == line


def paths(value: Any, path: KeyPath = ()) -> list[KeyPath]:
    """Every path in a value that leads to something."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(*path, key) for key, _ in inside] + [each for key, part in inside for each in paths(part, (*path, key))]


@pytest.mark.parametrize("name", ["board", "components", "reconstructed", "preview_2022"])
def test_no_key_of_our_files_is_without_a_line(name: str) -> None:
    file = FilePath(content.__file__).parents[1] / "content" / f"arrakis_{name}.toml"
    document = read(file.read_text(encoding="utf-8"), name)
    assert paths(document.data)
    assert [path for path in paths(document.data) if path not in document.lines] == []


scalars = st.one_of(st.integers(-5, 5), st.booleans(), st.text("a\"'#=[]{}\\\n, ", max_size=8))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("ab .#'", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list):
        return "[\n" + "".join(f"  {toml(part)}, # ]\n" for part in value) + "]"
    return json.dumps(value)


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from("abcd"), values, min_size=1))
def test_any_document_can_be_walked(data: dict[str, Any]) -> None:
    text = "".join(f"{key} = {toml(value)}\n" for key, value in data.items())
    document = read(text, "any")
    assert document.data == tomllib.loads(text) == data
    lines = text.splitlines()
    for path in paths(data):
        if path[0] in data and len(path) == 1:
            assert lines[document.lines[path] - 1].startswith(f"{path[0]} = ")
        else:
            assert path in document.lines


def test_a_syntax_error_names_its_line() -> None:
    for text, line in (("a = 1\nb = ]", 2), ("a = 1\nb = [\n1,\n", 4), ("a = 1\n\na = 2\n", 3)):
        with pytest.raises(ContentProblems) as raised:
            read(text, "bad.toml")
        assert str(raised.value).startswith(f"bad.toml:{line}: not valid TOML: ")


def test_paths_are_written_as_one_would() -> None:
    assert written(("leader", "alia", "special", 0, "count")) == "leader.alia.special[0].count"
    assert written(()) == ""


# ---- Layers ----


class Fruit(msgspec.Struct):
    """A row to try layers with."""

    id: str
    weight: Annotated[int, msgspec.Meta(ge=1, le=9)]
    colours: tuple[str, ...] = ()


class Basket(msgspec.Struct):
    """A table that is one row."""

    size: Annotated[int, msgspec.Meta(ge=1, le=9)]


TABLES = {"fruit": TableSpec(Fruit), "basket": TableSpec(Basket, keyed=False), "extra": TableSpec(Fruit, open=True)}
BASE = """provenance = "likely"
[basket]
size = 3
[fruit]
provenance = "certain"
provenance_of = { colours = "inferred" }
apple = { weight = 2, colours = ["red", "green"] }
plum = { weight = 1, colours = ["blue"], provenance = "reconstructed" }
[fruit.pear]
weight = 3
colours = ["yellow"]
provenance_of = { weight = "likely" }
[extra]
"""


def lay(*texts: str) -> LayerStack:
    layers = [Layer(read(text, f"file{number}"), own=number < 2) for number, text in enumerate(texts)]
    return stack(TABLES, layers)


def test_what_is_said_nearest_to_a_value_says_how_sure_it_is() -> None:
    laid = lay(BASE)
    assert laid.problems == []
    assert {written(key): value.certainty for key, value in laid.values()} == {
        "fruit.apple.weight": "certain",
        "fruit.apple.colours": "inferred",
        "fruit.plum.weight": "reconstructed",
        "fruit.plum.colours": "reconstructed",
        "fruit.pear.weight": "likely",
        "fruit.pear.colours": "inferred",
        "basket.size": "likely",
    }


def test_later_layers_replace_single_fields_whole() -> None:
    laid = lay(
        BASE,
        'provenance = "certain"\n[fruit.apple]\ncolours = ["brown"]\n[fruit]\nremove = ["plum"]\nfig = { weight = 1 }',
    )
    assert laid.problems == []
    assert laid.plain() == {
        "fruit": {
            "apple": {"id": "apple", "weight": 2, "colours": ["brown"]},
            "pear": {"id": "pear", "weight": 3, "colours": ["yellow"]},
            "fig": {"id": "fig", "weight": 1},
        },
        "basket": {"size": 3},
        "extra": {},
    }
    origins = {written(key): (value.document.source, value.line) for key, value in laid.values()}
    assert origins["fruit.apple.weight"] == ("file0", 7)
    assert origins["fruit.apple.colours"] == ("file1", 3)


def test_a_strangers_file_adds_rows_to_open_tables_only() -> None:
    said = 'provenance = "likely"\n[extra.nut]\nweight = 1\n[fruit.fig]\nweight = 1\n[fruit]\nremove = ["apple"]'
    laid = lay(BASE, 'provenance = "likely"', said)
    assert set(laid.plain()["extra"]) == {"nut"}
    assert [(problem.line, problem.key) for problem in laid.problems] == [(4, "fruit.fig"), (7, "fruit.remove")]


def test_a_complaint_about_several_values_stands_where_the_last_file_wrote_one() -> None:
    laid = lay(BASE, 'provenance = "likely"\n\n[basket]\nsize = 1')
    laid.complain([("fruit", "apple", "weight"), ("basket", "", "size")], "does not fit")
    laid.complain([("fruit", "apple", "weight"), ("fruit", "pear", "")], "too heavy")
    laid.complain([("fruit", "", "")], "too many")
    assert [(problem.source, problem.line, problem.key) for problem in laid.problems] == [
        ("file1", 4, "basket.size"),
        ("file0", 7, "fruit.apple.weight"),
        ("file0", 4, "fruit"),
    ]


def test_types_are_checked_and_what_is_missing_is_named() -> None:
    laid = lay(BASE, 'provenance = "likely"\n[fruit.fig]\ncolours = [1]\n[basket]\nsize = 0')
    checking.check(laid, {})
    assert [(problem.line, problem.key, problem.message) for problem in laid.problems] == [
        (3, "fruit.fig.colours[0]", "1 is not allowed; text"),
        (2, "fruit.fig", "lacks weight"),
        (5, "basket.size", "0 is not allowed; a whole number from 1 to 9"),
    ]


# ---- landsraad content ----


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["content", "arrakis", *arguments])
    return result.exit_code, result.output


def last_line(output: str) -> Any:
    return json.loads(output.splitlines()[-1])


def test_the_command_lists_what_is_not_certain() -> None:
    status, output = run("--provenance", "--json")
    said = last_line(output)
    ours = content.load()
    assert status == 0
    assert said["digest"] == ours.digest
    not_certain = [value for value in ours.values if value.certainty != "certain"]
    assert said["not_certain"] == len(said["provenance"]) >= len(not_certain)  # lists of rows in their parts
    assert sum(said["by_certainty"].values()) == said["values"]
    (box,) = [value for value in said["provenance"] if value["key"] == "leader.stilgar.box"]
    assert (box["value"], box["certainty"]) == ("deployment", "reconstructed")
    assert re.fullmatch(r"arrakis_reconstructed\.toml:\d+", box["source"])
    status, output = run("--provenance", "-o", "edition=preview_2022")
    assert status == 0
    assert "reconstructed  perils.wild_maker_dice." in output


def test_the_command_checks_a_file(tmp_path: FilePath) -> None:
    good = tmp_path / "good.toml"
    good.write_text('provenance = "likely"\n[leader.alia]\nbox = "mentat"\n', encoding="utf-8")
    status, output = run("--check", str(good), "--json")
    assert (status, last_line(output)["problems"]) == (0, [])
    assert last_line(output)["digests"]["exclusive"] == content.load(good).digest
    bad = tmp_path / "bad.toml"
    bad.write_text('provenance = "likely"\n[leader.alia]\nbox = "mental"\n', encoding="utf-8")
    status, output = run("--check", str(bad))
    assert status == 1
    assert f"{bad}:3: leader.alia.box: 'mental' is not allowed; one of" in output
    status, output = run("--check", str(bad), "--json")
    (problem,) = last_line(output)["problems"]
    assert (status, problem["line"], problem["editions"]) == (1, 3, ["exclusive", "v1_1", "preview_2022"])


def test_the_command_lists_the_operations() -> None:
    status, output = run("--operations", "--json")
    names = [operation["name"] for operation in last_line(output)["operations"]]
    assert status == 0
    assert {"units_in_areas", "advance_marker", "move_legions"} <= set(names)
    assert "Draw so many planning cards" in run("--operations")[1]


@pytest.mark.parametrize("arguments", [("-o", "edition=v9"), ("--check", "no_such_file.toml")])
def test_the_command_refuses_what_does_not_exist(arguments: tuple[str, ...]) -> None:
    assert run(*arguments)[0] == 2
