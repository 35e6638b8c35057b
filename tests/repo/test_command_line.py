"""The root of the command line: lazy imports, help, and tolerance of broken plugins."""

import json
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from landsraad import __version__
from landsraad_cli.app import app
from landsraad_cli.command_table import COMMANDS
from landsraad_cli.commands.about import about
from landsraad_cli.output import finish, progress, require_known, show
from landsraad_engine import registry
from landsraad_engine.registry import Registry

HEAVY = {
    "grpc",
    "google.protobuf",
    "redis",
    "structlog",
    "pydantic",
    "landsraad_engine.kernel.execution",
    "landsraad_engine.dune",
}


def invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.output


def test_version_and_help() -> None:
    assert invoke("--version") == (0, f"landsraad {__version__}\n")
    status, said = invoke("--help")
    assert status == 0
    assert all(name in said for name in COMMANDS.targets())


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\nfrom landsraad_cli import main\nsys.argv = ['landsraad', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "landsraad_cli.app" in done.stderr.split()
    assert not HEAVY & set(done.stderr.split())


def test_unknown_command_ends_with_two() -> None:
    status, said = invoke("sietch")
    assert status == 2
    assert "sietch" in said


def test_about_says_what_is_here_as_json_on_the_last_line() -> None:
    status, said = invoke("about", "--json")
    told = json.loads(said.splitlines()[-1])
    assert status == 0
    assert told["landsraad"] == __version__
    assert "about" in told["commands"]
    assert "landsraad_engine" in told["parts"]


def test_a_package_adds_a_command_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "worm"
        value = "landsraad_cli.commands.about:about"

    def entry_points(group: str) -> list[type[Point]]:
        return [Point] if group == COMMANDS.group else []

    monkeypatch.setattr(registry, "entry_points", entry_points)
    monkeypatch.setattr(COMMANDS, "_installed", Registry(COMMANDS.group, {})._installed)
    assert invoke("worm", "--json")[0] == 0
    assert "worm" in invoke("--help")[1]


def test_what_packages_bring_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def entry_points(group: str) -> list[object]:
        read.append(group)
        return []

    monkeypatch.setattr(registry, "entry_points", entry_points)
    names = Registry("some.group", {"own": "landsraad_cli.commands.about:about"})
    assert names.targets() == names.targets() == dict(names.own)
    assert names.load("own") is about
    assert read == ["some.group"]


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    assert require_known("game", "dune", ["arrakis", "dune"]) == "dune"
    with pytest.raises(
        typer.BadParameter, match=r"unknown game 'dnue'\. Did you mean 'dune'\? Known are: arrakis, dune\."
    ):
        require_known("game", "dnue", ["dune", "arrakis"])


@pytest.mark.parametrize("held", [True, False])
def test_the_status_says_whether_everything_held(held: bool, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as left:
        finish({"matches": 3}, as_json=True, held=held)
    assert left.value.exit_code == (0 if held else 1)
    assert json.loads(capsys.readouterr().out) == {"matches": 3}


def test_a_result_is_readable_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show({"decisions_per_second": 12345.678, "results": {"conquest": 2}, "missing": []}, title="[x]")
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()] == [
        "[x]",
        "decisions per second 12,345.68",
        "results conquest 2",
        "missing none",
    ]


def test_progress_is_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("matches", 2) as advance:
        advance()
        advance(note="the last one")
    assert capsys.readouterr() == ("", "")


def test_a_command_that_takes_minutes_tells_its_steps_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("bench", 2, always=True) as advance:
        advance(0, note="1 of 2: the echo")
        advance()
        advance(note="2 of 2: the commit")
    assert capsys.readouterr() == ("", "bench: 1 of 2: the echo\nbench: 2 of 2: the commit\n")
