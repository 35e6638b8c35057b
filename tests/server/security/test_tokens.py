"""`landsraad token`: issue, list and revoke; the service accepts a token until it is revoked."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from landsraad_cli.command_table import COMMANDS
from landsraad_server.accounts.token_command import app
from landsraad_server.store import EmbeddedServer, connect


def run(*arguments: str | Path, **environment: str) -> Result:
    """Run the command in a clean environment."""
    nothing = {"LANDSRAAD_REDIS": None, "LANDSRAAD_DATA": None}
    return CliRunner().invoke(app, [*map(str, arguments)], env={**nothing, **environment}, prog_name="token")


def told(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout.splitlines()[-1])


def who(url: str, token: str) -> str | None:
    async def ask() -> str | None:
        store = await connect(url)
        try:
            return await store.accounts.identify(token)
        finally:
            await store.close()

    return asyncio.run(ask())


def test_issue_list_revoke(server: EmbeddedServer, raw: Any) -> None:
    made = told(run("issue", "alice", "--label", "her bot", "--json", "--redis", server.url))
    assert who(server.url, made["token"]) == made["account"]
    [plain] = run("issue", "bob", LANDSRAAD_REDIS=server.url).stdout.splitlines()
    assert plain.startswith("landsraad_token_")

    listed = told(run("list", "--json", "--redis", server.url))["tokens"]
    assert sorted((token["name"], token["label"]) for token in listed) == [
        ("alice", "her bot"),
        ("bob", "issued by the operator"),
    ]
    table = run("list", "--redis", server.url).stdout
    assert "her bot" in table
    assert made["token"] not in table

    [hers] = [token["token"] for token in listed if token["name"] == "alice"]
    assert told(run("revoke", hers, "--json", "--redis", server.url))["account"] == made["account"]
    assert who(server.url, made["token"]) is None
    assert who(server.url, plain) is not None
    again = run("revoke", hers, "--redis", server.url)
    assert (again.exit_code, again.stdout) == (1, "")
    assert "landsraad token list" in again.stderr


def test_one_more_token_for_the_same_account(server: EmbeddedServer, raw: Any) -> None:
    first = told(run("issue", "alice", "--json", "--redis", server.url))
    second = told(run("issue", "alice", "--account", first["account"], "--json", "--redis", server.url))
    assert first["account"] == second["account"]
    assert first["token"] != second["token"]
    assert run("issue", "bob", "--account", first["account"], "--redis", server.url).exit_code == 1


@pytest.mark.parametrize("arguments", [["issue", ""], ["issue", "x" * 41], ["issue", "a\nb"], ["revoke"]])
def test_what_makes_no_sense(arguments: list[str], server: EmbeddedServer, raw: Any) -> None:
    result = run(*arguments, "--redis", server.url)
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_data_directory_whose_service_does_not_run(tmp_path: Path) -> None:
    tmp_path.joinpath("data").mkdir()
    token = told(run("issue", "alice", "--json", "--data", tmp_path / "data"))["token"]
    with EmbeddedServer(tmp_path / "data" / "store") as later:
        assert who(later.url, token) is not None
        # works while the service runs as well
        [known] = told(run("list", "--json", "--data", tmp_path / "data"))["tokens"]
        assert known["name"] == "alice"
    [line] = map(json.loads, (tmp_path / "data" / "audit.jsonl").read_text().splitlines())
    assert (line["operator"], line["call"], line["resource"]) == ("command line", "token issue", known["account"])


def test_no_service_at_all(tmp_path: Path) -> None:
    result = run("list", "--data", tmp_path / "none")
    assert result.exit_code == 1
    assert "--data" in result.stderr
    assert not (tmp_path / "none").exists()


def test_it_is_a_command_of_the_project() -> None:
    assert COMMANDS.targets()["token"] == "landsraad_server.accounts.token_command:app"
