"""The command line of an installation that has the SDK, but no server and no bots of ours."""

import pytest
from typer.testing import CliRunner

from landsraad.bots import BOTS
from landsraad_cli.app import app
from landsraad_cli.command_table import COMMANDS, GROUPS, SERVER_COMMANDS
from landsraad_cli.commands.bench import BENCHES
from landsraad_cli.local import leak_run, own_service

ADVICE = "Install the distribution landsraad-service."


@pytest.fixture(autouse=True)
def _no_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    for registry in (COMMANDS, BOTS):
        monkeypatch.setitem(vars(registry), "_installed", {})


@pytest.mark.parametrize(
    "words", [["demo"], ["doctor"], ["play"], ["play", "--against", "random"], ["play", "--against", "greedy"]]
)
def test_commands_that_start_a_service_say_what_is_missing(words: list[str]) -> None:
    result = CliRunner().invoke(app, words)
    said = f"landsraad {words[0]}: this command starts a service, but the server is not installed. {ADVICE}\n"
    assert (result.exit_code, result.output) == (1, said)


@pytest.mark.parametrize("name", SERVER_COMMANDS)
def test_commands_of_the_server_say_what_is_missing(name: str) -> None:
    result = CliRunner().invoke(app, [name])
    assert result.exit_code == 2
    assert f"`landsraad {name}` needs the server." in result.output
    assert ADVICE in " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize(("server", "parts"), [(True, "./loadtest"), (False, ". ./loadtest")])
@pytest.mark.parametrize("words", [["bench", "service", "--seconds", "1"], ["leaktest", "arrakis", "--wire"]])
def test_what_comes_with_the_load_tests_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, words: list[str], server: bool, parts: str
) -> None:
    for registry in (BENCHES, leak_run._BROUGHT):
        monkeypatch.setitem(vars(registry), "_installed", {})
    if server:
        monkeypatch.setitem(vars(COMMANDS), "_installed", dict.fromkeys(SERVER_COMMANDS, "nothing:nothing"))
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    said = " ".join(result.output.replace("│", " ").split())
    assert (
        f"Install the distribution landsraad-loadtest: `pip install {parts}` in a checkout of the repository." in said
    )


def test_no_other_command_of_the_help_is_missing() -> None:
    grouped = {name for names in GROUPS.values() for name in names}
    assert grouped - COMMANDS.targets().keys() == set(SERVER_COMMANDS)


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("", "it printed nothing"),
        ("one\ntwo\n\n", "two"),
        ("╭─ Error ─╮\n│ No such command 'serve'. │\n╰─────────╯\n", "No such command 'serve'."),
    ],
)
def test_the_reason_of_a_failed_start_is_no_frame(
    log: str, said: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("log") / "log"
    path.write_text(log)
    assert own_service._last_line(path) == said
