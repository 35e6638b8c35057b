"""Bots by the place of their code: in a file, in a module, in several processes, and wrong in every way."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from landsraad.bots import bot_class
from landsraad.errors import BotNotImported, NotABot, UnknownBot
from landsraad_cli.app import app

GOOD = """
from dataclasses import dataclass
from landsraad import Bot
from helper_of_mine import chosen

@dataclass
class Memory:
    decisions: int = 0

class Failure(Exception):
    def __init__(self, one, two):
        super().__init__(one)

class Mine(Bot):
    game = "arrakis"

    def __init__(self, seed=0):
        super().__init__(seed)
        self.memory = Memory()

    def decide(self, view, ask):
        self.memory.decisions += 1
        return chosen(self, ask)

class Broken(Mine):
    def decide(self, view, ask):
        raise Failure("one", "two")

class Empty(Bot):
    pass

class Other:
    pass

number = 7
"""
HELPER = "def chosen(bot, ask):\n    return ask.sample(bot.rng)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory with a file, and nothing of it left in this process afterwards."""
    (tmp_path / "mine.py").write_text(GOOD)
    (tmp_path / "helper_of_mine.py").write_text(HELPER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_a_class_of_a_file_and_of_a_module_is_found_once(folder: Path) -> None:
    from_file = bot_class("mine.py:Mine", "arrakis")
    assert from_file is bot_class(str(folder / "mine.py:Mine"), "arrakis")
    assert bot_class("mine:Mine", "arrakis").__module__ == "mine"
    assert sys.modules[from_file.__module__].__dict__["Mine"] is from_file


def test_a_file_in_a_package_is_a_module_of_it(folder: Path) -> None:
    package = folder / "projects" / "my_package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "strategy.py").write_text(GOOD.replace("from helper_of_mine", "from .choices"))
    (package / "choices.py").write_text(HELPER)
    assert bot_class("projects/my_package/strategy.py:Mine", "arrakis").__module__ == "my_package.strategy"


@pytest.mark.parametrize(
    ("name", "kind", "told"),
    [
        ("genius", UnknownBot, r"no bot 'genius' is installed here; .*random.* file.py:Class"),
        ("missing.py:Mine", UnknownBot, r"there is no file missing.py"),
        ("missing:Mine", UnknownBot, r"there is no module 'missing'"),
        ("missing.part:Mine", UnknownBot, r"there is no module 'missing.part'"),
        ("mine.py", UnknownBot, r"names no class; .* such as mine.py:Mine"),
        ("mine.py:", UnknownBot, r"names no class; .* such as mine.py:Mine"),
        ("mine.py:Yours", UnknownBot, r"mine.py has no class 'Yours'; its bots are: Mine, Broken, Empty"),
        ("mine.py:Other", NotABot, r"another class, no subclass of landsraad.Bot"),
        ("mine.py:number", NotABot, r"of the type int"),
        ("mine.py:Empty", NotABot, r"it has no method `decide`"),
        ("rules_of_thumb:Mine:", UnknownBot, r"names no class"),
    ],
)
def test_a_wrong_name_is_a_clear_error(folder: Path, name: str, kind: type[UnknownBot], told: str) -> None:
    with pytest.raises(UnknownBot, match=told) as caught:
        bot_class(name, "arrakis")
    assert type(caught.value) is kind


def test_a_bot_of_another_game_is_refused(folder: Path) -> None:
    with pytest.raises(UnknownBot, match=r"mine\.py:Mine plays arrakis, not dune"):
        bot_class("mine.py:Mine", "dune")


@pytest.mark.parametrize(
    ("source", "last"),
    [
        ("def load():\n    return 1 / 0\n\nload()\n", "ZeroDivisionError: division by zero"),
        ("import missing_of_mine\n", "ModuleNotFoundError: No module named 'missing_of_mine'"),
        ("class Mine(\n", "SyntaxError"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
    ],
)
@pytest.mark.parametrize("name", ["wrong_of_mine.py:Mine", "wrong_of_mine:Mine"])
def test_an_error_of_an_import_shows_the_traceback_of_the_file_alone(
    folder: Path, source: str, last: str, name: str
) -> None:
    (folder / "wrong_of_mine.py").write_text(source)
    with pytest.raises(BotNotImported) as caught:
        bot_class(name, "arrakis")
    told = str(caught.value)
    assert last in told.splitlines()[-1]
    assert "wrong_of_mine.py" in told
    assert "importlib" not in told
    assert "bot_references" not in told
    status = CliRunner().invoke(app, ["simulate", "arrakis", "--bots", name, "--games", "1"])
    assert status.exit_code == 2
    assert last in status.output.splitlines()[-1]


def test_a_file_that_is_mended_is_imported_again(folder: Path) -> None:
    """A name that failed must not stay behind as half a module."""
    (folder / "mended_of_mine.py").write_text("1 / 0\n")
    with pytest.raises(BotNotImported):
        bot_class("mended_of_mine.py:Mine", "arrakis")
    (folder / "mended_of_mine.py").write_text(GOOD + "\n# longer than before\n")
    assert bot_class("mended_of_mine.py:Mine", "arrakis").__name__ == "Mine"


@pytest.mark.parametrize("bot", ["mine.py:Mine", "mine:Mine"])
def test_simulate_plays_it_alike_in_any_number_of_processes(folder: Path, bot: str) -> None:
    results = []
    for jobs in ("1", "2"):
        words = ["arrakis", "--bots", f"{bot},random", "--games", "2", "-o", "round_limit=1", "--jobs", jobs, "--json"]
        played = subprocess.run(
            [sys.executable, "-m", "landsraad_cli", "simulate", *words], check=False, capture_output=True, text=True
        )
        assert played.returncode == 0, played.stdout + played.stderr
        told = json.loads(played.stdout.splitlines()[-1])
        results.append((told["decisions"], told["winners"], told["turns"]))
    assert results[0] == results[1]
