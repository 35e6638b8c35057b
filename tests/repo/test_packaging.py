"""The project files agree with each other and with the lock files."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import landsraad
import landsraad_engine
from landsraad import __version__, games
from landsraad_cli.command_table import COMMANDS, load
from landsraad_engine.play.bot import Bot

LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-deploy.lock")


def project(root: Path, folder: str) -> dict[str, Any]:
    return tomllib.loads((root / folder / "pyproject.toml").read_text())


def pins(root: Path, name: str) -> dict[str, set[str]]:
    """Return the versions of each package in a lock file: several if they differ by platform."""
    found: dict[str, set[str]] = {}
    for package, version in re.findall(r"^([a-z0-9-]+)==(\S+)", (root / name).read_text(), re.MULTILINE):
        found.setdefault(package, set()).add(version)
    return found


def by_name(requirements: list[Any]) -> dict[str, Requirement]:
    """Return requirements by their normalized names."""
    parsed = [Requirement(item) for item in requirements if isinstance(item, str)]
    return {item.name.lower().replace("_", "-"): item for item in parsed}


def test_versions_agree(root: Path) -> None:
    engine = project(root, "engine")["project"]
    sdk = project(root, "sdk")
    assert engine["version"] == landsraad_engine.__version__ == __version__
    assert f"landsraad-engine=={__version__}" in sdk["project"]["dependencies"]
    assert (root / "sdk" / sdk["tool"]["hatch"]["version"]["path"]).samefile(root / "sdk/landsraad/_version.py")
    assert re.search(rf"^## {re.escape(__version__)}\b", (root / "CHANGELOG.md").read_text(), re.MULTILINE)


def test_the_root_project_asks_for_what_its_parts_ask_for(root: Path) -> None:
    whole = by_name(project(root, ".")["project"]["dependencies"])
    sdk = project(root, "sdk")["project"]
    parts = by_name([*project(root, "engine")["project"]["dependencies"], *sdk["dependencies"]])
    parts |= by_name(sdk["optional-dependencies"]["cli"])
    del parts["landsraad-engine"]  # its code is part of the root project
    assert {name: str(item.specifier) for name, item in parts.items()} == {
        name: str(whole[name].specifier) for name in parts if name in whole
    }


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_hashes_and_nothing_names_an_index(root: Path, name: str) -> None:
    blocks = re.split(r"^(?=[a-z0-9])", (root / name).read_text(), flags=re.MULTILINE)
    assert len(blocks) > 20
    assert [block for block in blocks[1:] if "--hash=sha256:" not in block] == []
    assert not re.search(r"://|^\s*-(-index|-extra|-find|i |f )", (root / name).read_text(), re.MULTILINE)


def test_the_locks_satisfy_the_projects(root: Path) -> None:
    whole = project(root, ".")
    wanted = by_name([*whole["project"]["dependencies"], *whole["dependency-groups"]["build"]])
    locked = pins(root, "requirements.lock")
    for name, item in wanted.items():
        assert all(item.specifier.contains(version) for version in locked[name]), item
    assert set(whole["build-system"]["requires"]) <= set(whole["dependency-groups"]["build"])


def test_the_developers_lock_contains_the_other(root: Path) -> None:
    run, develop, _ = (pins(root, name) for name in LOCKS)
    assert run.items() <= develop.items()


def test_the_lock_of_the_deployments_checkers_holds_them(root: Path) -> None:
    locked = pins(root, LOCKS[-1])
    for name, item in by_name(project(root, ".")["dependency-groups"]["deploy"]).items():
        assert all(item.specifier.contains(version) for version in locked[name]), item


def test_every_command_can_be_loaded() -> None:
    assert [name for name in COMMANDS.targets() if not load(name).registered_commands] == []


def test_every_game_can_be_loaded_and_knows_its_name() -> None:
    assert [games.load(name).id for name in games.known()] == games.known()


def test_registered_commands_are_installed(root: Path) -> None:
    registered = project(root, ".")["project"]["entry-points"]["landsraad.commands"]
    assert not registered.keys() & COMMANDS.own.keys()
    assert registered.items() <= COMMANDS.targets().items()


def test_license_travels_with_each_project(root: Path) -> None:
    for folder in ("engine", "sdk"):
        for name in ("LICENSE", "NOTICE"):
            assert (root / folder / name).read_bytes() == (root / name).read_bytes()


def test_the_sdk_offers_the_engines_bot() -> None:
    assert landsraad.Bot is Bot
    assert set(landsraad.__all__) <= set(dir(landsraad))
    assert not hasattr(landsraad, "Mentat")
