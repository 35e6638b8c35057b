"""The project of `landsraad new-bot`: it installs with pip, and its bot plays by name."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

#: The commands of an installation in the folder that is the first argument, .pth files included.
COMMAND = """
import site, sys
site.addsitedir(sys.argv.pop(1))
from landsraad_cli import main
main()
"""


def landsraad(
    *words: str | Path, site: Path | None = None, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command, with a folder of installed packages besides those of the tests."""
    start = (sys.executable, "-m", "landsraad_cli") if site is None else (sys.executable, "-c", COMMAND, site)
    environment = os.environ | {"NO_COLOR": "1"}
    command = [*start, *words]
    return subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True, timeout=120
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project, as the command makes it."""
    folder = tmp_path_factory.mktemp("new-bot")
    made = landsraad("new-bot", "my-bot", "--game", "arrakis", "--in", folder)
    assert made.returncode == 0, made.stderr
    return folder / "my-bot"


@pytest.mark.parametrize("how", [(), ("--editable",)], ids=["copied", "editable"])
def test_it_installs_and_plays_by_its_name(project: Path, tmp_path: Path, how: tuple[str, ...]) -> None:
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    subprocess.run([*pip, "--target", tmp_path, *how, project], check=True)
    words = ("arrakis", "--bots", "my-bot,my-bot-look-ahead", "--games", "1", "--option", "round_limit=1", "--json")
    played = landsraad("simulate", *words, site=tmp_path)
    assert played.returncode == 0, played.stdout + played.stderr
    assert json.loads(played.stdout.splitlines()[-1])["games"] == 1


def test_it_depends_on_what_brings_the_sdk_here(project: Path) -> None:
    """With its dependencies, and without any package index: what is installed here must be enough."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-index", "--dry-run")
    found = subprocess.run([*pip, "--editable", project], check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr


def test_its_own_tests_pass(project: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    tested = subprocess.run(command, cwd=project, check=False, capture_output=True, text=True, timeout=120)
    assert tested.returncode == 0, tested.stdout
    assert "2 passed" in tested.stdout


def test_its_bots_play_from_their_files_before_it_is_installed(project: Path) -> None:
    words = ("--bots", "my_bot/bot.py:Mine,my_bot/look_ahead.py:LookAhead", "--games", "2", "--jobs", "2")
    played = landsraad("simulate", "arrakis", *words, "--option", "round_limit=1", "--json", folder=project)
    assert played.returncode == 0, played.stdout + played.stderr
    assert json.loads(played.stdout.splitlines()[-1])["games"] == 2


def test_it_is_typed(project: Path) -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "my_bot", "tests"],
        cwd=project,
        check=False,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bot_with_an_illegal_act_is_told_its_place_in_any_number_of_processes(
    project: Path, tmp_path: Path, jobs: str
) -> None:
    broken, site = tmp_path / "my-bot", tmp_path / "site"
    shutil.copytree(project, broken)
    strategy = broken / "my_bot/bot.py"
    source = strategy.read_text().replace("return ask.options.sample_kind(self.rng)", "return NameOmen('nobody')")
    strategy.write_text(f"{source}\n\nfrom landsraad_engine.teaching.acts import NameOmen\n")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    subprocess.run([*pip, "--target", site, broken], check=True)
    words = ("arrakis", "--bots", "random,my-bot", "--games", "2", "--jobs", jobs)
    played = landsraad("simulate", *words, site=site, folder=tmp_path)
    assert played.returncode == 1
    assert re.fullmatch(
        r"landsraad simulate: the bot 'my-bot' has chosen an illegal act: against_rules \[WFA-\S+\] "
        r"in simulate-1-[01], seat 1, asked by WFA-\S+: .* Legal would be: .*\.\n"
        r"The match is saved\. To put the decision again: "
        r"landsraad replay landsraad-failures/arrakis-1-[01]\.json\.gz --bot my-bot --seat 1 --at \d+\n",
        played.stderr,
    ), played.stderr
