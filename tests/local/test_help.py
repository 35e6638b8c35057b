"""`--help` of every command describes it, without losing any text."""

from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from landsraad_cli.app import app, unwrapped
from landsraad_cli.command_table import COMMANDS, GROUPS, load, ordered


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command and subcommand by its words."""
    for name in COMMANDS.targets():
        command: Any = get_command(load(name))
        for inner, one in getattr(command, "commands", {"": command}).items():
            yield f"{name} {inner}".strip(), one


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_everything_is_explained(name: str, command: Any) -> None:
    assert command.help, name
    for parameter in command.params:
        assert parameter.name == "help" or parameter.help, f"{name}: {parameter.name}"
        # Brackets are markup, which would not be printed.
        assert "[" not in (parameter.help or ""), f"{name}: {parameter.name}"
    assert "install_completion" not in [parameter.name for parameter in command.params], name


def test_the_first_page_says_where_to_begin() -> None:
    said = CliRunner().invoke(app, ["--help"]).output
    at = [said.index(group) for group in GROUPS]
    assert at == sorted(at)
    assert said.index("demo") < said.index("serve") < said.index("fuzz")
    assert set(ordered()) == set(COMMANDS.targets())
    assert "Others" not in ordered().values()


def test_help_flows_at_any_width() -> None:
    """Help text is reflowed: the line breaks of the docstring's source do not show."""
    assert unwrapped("One\n    two.\n\n    Three\n    four.\n    ") == "One two.\n\nThree four."
    said = CliRunner().invoke(app, ["play", "--help"], env={"COLUMNS": "60"}).output
    paragraph = said.partition("Without --server")[2].partition("╭")[0].strip().splitlines()
    assert all(len(line) > 40 for line in paragraph[:-1]), paragraph
