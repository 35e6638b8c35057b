"""Settings of cells: what contradicts itself is refused at the start, with the reason."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from landsraad_cli.app import app
from landsraad_server.cells.cell_map import read_cell_map
from landsraad_server.cells.membership import join_cell
from landsraad_server.config import Config
from landsraad_server.store import EmbeddedServer, connect
from landsraad_server.store.errors import SetupError
from landsraad_testkit import serving

if TYPE_CHECKING:
    from tests.server.cells.conftest import Service

MAP = """
[c1]
address = "c1.example.org:443"
peer = "landsraad-c1:7447"

[c2]
address = "c2.example.org:443"
"""


@pytest.fixture
def cells(tmp_path: Path) -> Path:
    (tmp_path / "cells.toml").write_text(MAP)
    return tmp_path / "cells.toml"


def refused(**settings: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        Config(**settings)
    return str(caught.value.errors()[0]["msg"])


@pytest.mark.asyncio
async def test_a_service_without_cells_needs_no_setting(server: EmbeddedServer) -> None:
    store = await connect(server.url)
    assert await join_cell(Config(), store) is None
    await store.close()


def test_the_map_names_all_cells_and_the_own_one(cells: Path) -> None:
    config = Config(cell="c2", cells=cells, accounts="redis://accounts")
    assert Config(**config.model_dump(mode="json")) == config, "as workers get it"
    found = read_cell_map(cells, "c2")
    assert (found.own, found.first, found.others) == ("c2", "c1", ["c1"])
    assert found.cells["c1"].peer == "landsraad-c1:7447"


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ({"cell"}, "missing: --cell"),
        ({"cells"}, "missing: --cells"),
        ({"accounts"}, "missing: --accounts"),
        ({"cell", "accounts"}, "missing: --cell, --accounts"),
    ],
)
def test_the_three_settings_go_together(cells: Path, missing: set[str], told: str) -> None:
    given = {"cell": "c1", "cells": cells, "accounts": "redis://accounts"}
    assert told in refused(**{name: value for name, value in given.items() if name not in missing})


def test_accounts_of_all_cells_are_not_in_the_store_of_one(cells: Path) -> None:
    assert "one of their own" in refused(cell="c1", cells=cells, accounts="redis://one", redis="redis://one")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no cell 'c1'; it has: none"),
        ('[c2]\naddress = "there:1"', "has no cell 'c1'; it has: c2"),
        ("[c1", "is not a map of cells"),
        ("c1 = 7", "is not a map of cells"),
        ("[c1]", "is not a map of cells"),
        ('[c1]\naddress = ""', "c1 has no address"),
        ('[c1]\naddress = "there:1"\nport = 3', "is not a map of cells"),
        ('[c1]\naddress = "there:99999"', "is not an address"),
        ('[C1]\naddress = "there:1"', "'C1' cannot be a cell"),
        ('[c-1]\naddress = "there:1"', "'c-1' cannot be a cell"),
        ('[c1]\naddress = "all:443"\npeer = "one:1"\n[c2]\naddress = "all:443"', "need a `peer` each"),
    ],
)
def test_a_bad_map_is_refused(cells: Path, text: str, told: str) -> None:
    cells.write_text(text)
    with pytest.raises(SetupError, match=re.escape(told)):
        read_cell_map(cells, "c1")


def test_a_missing_map_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="cannot be read"):
        read_cell_map(tmp_path / "none", "c1")
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(SetupError, match="not a map"):
        read_cell_map(tmp_path / "bytes", "c1")


def test_a_service_with_a_bad_map_does_not_start(server: EmbeddedServer, tmp_path: Path) -> None:
    (tmp_path / "cells.toml").write_text(MAP)
    told = ("--cell", "c3", "--cells", str(tmp_path / "cells.toml"), "--accounts", server.url)
    log = tmp_path / "log"
    with pytest.raises(RuntimeError, match="exit status is 1"), serving(tmp_path / "data", *told, log=log):
        pass
    assert "has no cell 'c3'; it has: c1, c2" in log.read_text()


def test_the_command_says_what_is_wrong_in_one_line(cells: Path) -> None:
    result = CliRunner().invoke(app, ["serve", "--cell", "c1", "--cells", str(cells)])
    assert result.exit_code == 2
    assert "missing: --accounts" in " ".join(result.output.replace("│", " ").split())


@pytest.mark.asyncio
async def test_a_store_belongs_to_one_cell(service_of_cells: Service) -> None:
    """Two cells on one store would hide each other's matches."""

    async def join(store: str, cell: str, accounts: str = "accounts") -> None:
        urls = {name: running.url for name, running in service_of_cells.stores.items()}
        settings: dict[str, Any] = {"cell": cell, "cells": service_of_cells.map_file, "accounts": urls[accounts]}
        opened = await connect(urls[store])
        try:
            membership = await join_cell(Config(**settings) if cell else Config(), opened)
            if membership is not None:
                await membership.close()
        finally:
            await opened.close()

    for _ in range(2):
        await join("c1", "c1")
    for store, cell, accounts, told in (
        ("c1", "c2", "accounts", "is the store of cell c1, and cannot be used as the store of cell c2"),
        ("c1", "", "accounts", "is the store of cell c1, and cannot be used as a store of a service without cells"),
        ("c2", "c2", "c1", "is the store of cell c1, and cannot be used as the store of accounts"),
        ("accounts", "c2", "c2", "is the store of accounts, and cannot be used as the store of cell c2"),
    ):
        with pytest.raises(SetupError, match=told):
            await join(store, cell, accounts)
