"""A game in a package of its own: installed by entry points, played by every command and by the service."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/examples/high-dune"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example project, and in `site` what installing it makes."""
    project = tmp_path_factory.mktemp("out-of-tree") / "high-dune"
    shutil.copytree(EXAMPLE, project)
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    subprocess.run([*pip, "--target", project / "site", project], check=True)
    return project


@pytest.fixture
def run(project: Path) -> Run:
    """Run a program with the game installed."""
    environment = os.environ | {"PYTHONPATH": str(project / "site"), "NO_COLOR": "1"}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, env=environment, cwd=project, check=False, capture_output=True, text=True, timeout=120
        )

    return run


def landsraad(run: Run, *words: str) -> dict[str, Any]:
    """The JSON of a command that must succeed."""
    done = run(str(Path(sys.executable).with_name("landsraad")), *words, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_its_own_tests_pass(run: Run) -> None:
    done = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "9 passed" in done.stdout


def test_its_rulebook_is_covered(run: Run) -> None:
    found = landsraad(run, "rules", "high_dune", "--check")
    assert (found["statements"], found["with_code"], found["with_test"], found["missing"]) == (3, 3, 3, [])


def test_a_statement_without_code_is_found(run: Run, project: Path) -> None:
    rules = project / "site/high_dune/rules.toml"
    before = rules.read_text()
    more = before.replace("HIGH-1.3", "HIGH-1.4").split("[[statement]]")[-1]
    try:
        rules.write_text(f"{before}\n[[statement]]{more}")
        done = run(str(Path(sys.executable).with_name("landsraad")), "rules", "high_dune", "--check", "--json")
        assert done.returncode == 1
        assert [gap["id"] for gap in json.loads(done.stdout.splitlines()[-1])["missing"]] == ["HIGH-1.4"]
    finally:
        rules.write_text(before)


def test_its_bot_beats_chance(run: Run) -> None:
    found = landsraad(run, "simulate", "high_dune", "--bots", "cautious,random", "--games", "200", "--jobs", "1")
    assert found["games"] == 200
    assert found["winners"]["0"] > found["winners"]["1"]


def test_it_keeps_its_secrets(run: Run) -> None:
    found = landsraad(run, "leaktest", "high_dune", "--positions", "400", "--jobs", "1")
    assert found["differences"] == []
    assert {"hand", "deck", "plans"} <= found["changed_by_kind"].keys()


def test_the_fuzzer_plays_it(run: Run) -> None:
    assert landsraad(run, "fuzz", "high_dune", "--minutes", "0.02", "--jobs", "1")["failures"] == []


def test_the_service_plays_it_and_the_terminal_draws_it(run: Run, project: Path) -> None:
    command = str(Path(sys.executable).with_name("landsraad"))
    shown = run(command, "demo", "high_dune", "--fast", "--bots", "cautious")
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "The match is over: higher" in shown.stdout
    (saved,) = (project / "demo-replays").iterdir()
    drawn = run(command, "replay", str(saved), "--seat", "1", "--at", "1")
    assert drawn.returncode == 0, drawn.stdout + drawn.stderr
    assert re.search(r"seat 0: \?.*\n.*seat 1: [1-9]", drawn.stdout)


def test_a_match_names_the_sources_it_is_played_by(run: Run, project: Path) -> None:
    """Another version of the package is another content, as another engine is another build."""
    digest = "from high_dune.game import HIGH_DUNE; print(HIGH_DUNE.content_digest({}))"
    before = run(sys.executable, "-P", "-c", digest).stdout
    assert re.fullmatch(r"[0-9a-f]{64}\n", before)
    module = project / "site/high_dune/game.py"
    source = module.read_text()
    try:
        module.write_text(source + "# another version\n")
        assert run(sys.executable, "-P", "-c", digest).stdout != before
    finally:
        module.write_text(source)
    assert run(sys.executable, "-P", "-c", digest).stdout == before
