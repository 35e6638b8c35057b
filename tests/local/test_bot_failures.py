"""Failures of bots: match, seat, question and a replay in which the decision can be put to the bot again."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from landsraad import run
from landsraad.bot_failures import reference_of
from landsraad.errors import IllegalAct
from landsraad.replay_files import load_replay
from landsraad.testing import LocalService
from landsraad_cli.app import app
from landsraad_engine.play.bot import Bot, RandomBot

#: Each fails in its own way at its twentieth decision; the random draw in the message tells the stream.
BOTS = """
from landsraad import Bot
from landsraad_engine.teaching.acts import NameOmen

class Odd(Exception):
    def __init__(self, one, two):
        super().__init__(one + two)

class Mine(Bot):
    game = "arrakis"
    decisions = 0

    def decide(self, view, ask):
        self.decisions += 1
        return self.fail() if self.decisions == 20 else ask.sample(self.rng)

    def fail(self):
        raise Odd("drawn ", str(self.rng.random()))

class Illegal(Mine):
    def fail(self):
        return NameOmen(str(self.rng.random()))

class Mended(Mine):
    def decide(self, view, ask):
        return ask.sample(self.rng)

class Changed(Mine):
    def decide(self, view, ask):
        return next(ask.options.enumerate())
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "failing_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def invoke(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})
    return done.exit_code, done.output


def told(*words: object) -> dict[str, Any]:
    _, said = invoke(*words, "--json")
    found: dict[str, Any] = json.loads(said.strip().splitlines()[-1])
    return found


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("bot", "says"), [("Mine", r"Odd: drawn 0\.\d+"), ("Illegal", r"NameOmen")], ids=["exception", "illegal"]
)
def test_simulate_tells_the_place_and_the_command_repeats_it(jobs: int, bot: str, says: str) -> None:
    """In other processes, too, though pickle cannot read this exception back."""
    name = f"failing_bots.py:{bot}"
    words = ["simulate", "arrakis", "--bots", f"random,{name}", "--games", "2", "--jobs", str(jobs)]
    command = [sys.executable, "-m", "landsraad_cli", *words]
    played = subprocess.run(command, check=False, capture_output=True, text=True)
    assert played.returncode == 1
    assert re.search(rf"in simulate-1-[01], seat 1, asked by WFA-\S+: .*{says}", played.stderr), played.stderr
    assert ("failing_bots.py" in played.stderr.partition("The match is saved")[0].partition("\n")[2]) == (bot == "Mine")
    again = re.search(r"landsraad (replay .* --at \d+)\n", played.stderr)
    assert again is not None
    status, said = invoke(*again[1].split())
    assert status == 1
    for drawn in re.findall(r"0\.\d{6,}", played.stderr):
        assert drawn in said, "another random number: the stream is not that of the match"
    assert "with the seed of the match, after 19 earlier decisions" in said
    assert "otherwise now" not in said


@pytest.fixture
def failed() -> str:
    invoke("simulate", "arrakis", "--bots", "random,failing_bots.py:Mine", "--games", 1)
    return "landsraad-failures/arrakis-1-0.json.gz"


def test_a_mended_bot_answers_and_a_changed_one_says_so(failed: str) -> None:
    position = load_replay(Path(failed))["failures"][0]["at"]
    mended = told("replay", failed, "--bot", "failing_bots.py:Mended")
    assert (mended["at"], mended["earlier_decisions"], mended["error"]) == (position, 19, "")
    assert mended["answered_otherwise"] == []
    assert mended["answer"]
    changed = told("replay", failed, "--bot", "failing_bots.py:Changed", "--at", position)
    assert changed["answered_otherwise"]
    fresh = told("replay", failed, "--bot", "failing_bots.py:Mended", "--fresh")
    assert (fresh["earlier_decisions"], fresh["error"]) == (0, "")
    assert fresh["answer"] != mended["answer"]


def test_an_earlier_decision_gets_the_answer_of_the_match(failed: str) -> None:
    seen = 0
    for position in range(10, 41):
        shown = told("replay", failed, "--at", position, "--seat", 1)["decision"]
        if shown is None:
            continue
        seen += 1
        assert shown["legal"] >= len(shown["acts"]) > 0
        if shown["legal"] == 1:
            continue  # the bot is not asked
        again = told("replay", failed, "--at", position, "--seat", 1, "--bot", "failing_bots.py:Mine")
        assert again["answer"] == shown["chosen"]
    assert seen


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--bot", "failing_bots.py:Yours"), "has no class 'Yours'"),
        (("--bot", "random", "--at", "1", "--seat", "1"), "and not seat 1"),
        (("--bot", "random", "--at", "100000"), "this match has inputs 0 to"),
    ],
)
def test_a_question_that_cannot_be_put_is_a_clear_error(failed: str, words: tuple[str, ...], problem: str) -> None:
    status, said = invoke("replay", failed, *words)
    assert status == 2
    assert problem in said


def test_a_saved_match_names_its_bots(tmp_path: Path) -> None:
    invoke("simulate", "arrakis", "--games", 1, "--option", "round_limit=1", "--save", tmp_path / "saved")
    (file,) = (tmp_path / "saved").iterdir()
    assert [one["bot"] for one in load_replay(file)["bots"]] == ["random", "random"]
    status, said = invoke("replay", file, "--bot", "random")
    assert status == 2
    assert "--at N" in said


class Failing(RandomBot):
    """A bot that fails at its tenth decision."""

    game = "arrakis"
    decisions = 0

    def decide(self, view: Any, ask: Any) -> Any:
        self.decisions += 1
        if self.decisions == 10:
            raise ValueError(f"drawn {self.rng.random()}")
        return super().decide(view, ask)


class Illegal(Failing):
    """A bot that chooses an illegal act at its tenth decision."""

    def decide(self, view: Any, ask: Any) -> Any:
        try:
            return super().decide(view, ask)
        except ValueError:
            kind = type(next(ask.options.enumerate()))
            return kind(*["nothing" for _ in kind.__struct_fields__])


@pytest.mark.parametrize(("bot", "error"), [(Failing, ValueError), (Illegal, IllegalAct)])
def test_run_adds_the_place_and_a_replay_that_repeats_it(bot: type[Bot], error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        run(bot, seats=2, opponents="random", transport=LocalService().transport(), quiet=True, seed=3)
    (note,) = caught.value.__notes__
    found = re.fullmatch(
        r"The bot has failed in matches/\w+, seat 0, asked by WFA-\S+\. The match is saved\. "
        r"To put the decision again: landsraad (replay (landsraad-failures/\w+\.json\.gz) --bot (\S+) .* --at \d+)",
        note,
    )
    assert found is not None, note
    body = load_replay(Path(found[2]))
    assert found[3] == reference_of(bot)
    assert body["failures"][0]["kind"] == ("exception" if error is ValueError else "illegal act")
    assert body["failures"][0]["why"] in note
    again = told(*found[1].split())
    assert (again["same_seed"], again["earlier_decisions"], again["answered_otherwise"]) == (True, 9, [])
    assert again["error"]
    if error is ValueError:
        assert str(caught.value) in again["error"]


def test_run_saves_nothing_if_told_so(folder: Path) -> None:
    with pytest.raises(ValueError, match="drawn") as caught:
        run(Failing, seats=2, transport=LocalService().transport(), quiet=True, failures=None)
    assert re.fullmatch(r"The bot has failed in matches/\w+, seat 0, asked by WFA-\S+\.", caught.value.__notes__[0])
    assert not (folder / "landsraad-failures").exists()
