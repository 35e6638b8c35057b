"""Commands against a real service with house bots."""

import asyncio
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from landsraad import Client, errors
from landsraad_bots import rules_of_thumb
from landsraad_cli.app import app
from landsraad_cli.local.own_service import NotServing, own_service
from landsraad_testkit import ServeProcess, serving

#: A match of two seats that ends within moments.
SHORT = {"round_limit": 1}


@pytest.fixture(scope="module")
def housed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """A service with house bots."""
    with serving(tmp_path_factory.mktemp("housed") / "data", "--house", workers=1) as running:
        yield running


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary directory in which `landsraad play` stores its seat, in place of the user's home."""
    kept = tmp_path / "home" / "seat.json"
    monkeypatch.setattr("landsraad_cli.commands.play._SEAT", kept)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(kept.parent))
    return kept


def invoke(*arguments: object, typed: str = "") -> tuple[int, str]:
    wide = {"COLUMNS": "200"}  # prevents line breaks in messages with long paths
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=typed, env=wide)
    return result.exit_code, result.output


def last_line(said: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said.strip().splitlines()[-1])
    return found


def test_whoami_shows_the_account_by_which_others_invite(
    tmp_path_factory: pytest.TempPathFactory, housed: ServeProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LANDSRAAD_TOKEN", raising=False)
    code, said = invoke("whoami", "--server", housed.address, "--json")
    guest = last_line(said)
    assert (code, guest["guest"], guest["name"], guest["roles"]) == (0, True, "", ["player"])
    code, said = invoke("whoami", "--server", housed.address, "--token", guest["token"], "--json")
    again = last_line(said)
    assert (code, again["account"], "token" in again) == (0, guest["account"], False)
    with Client(housed.address) as client:
        assert client.create_match("dune", ["open", guest["account"]]).seats[1].invited == guest["account"]
    data = tmp_path_factory.mktemp("accounts") / "data"
    with serving(data, "--auth", "token", workers=1) as closed:
        code, said = invoke("token", "issue", "ada", "--data", data)
        assert code == 0
        token = said.strip()
        code, said = invoke("whoami", "--server", closed.address, "--token", token)
        assert (code, "ada" in said) == (0, True)
        with Client(closed.address, token=token) as client:
            assert client.account in said
            assert client.create_match("dune", ["open", "ada"]).seats[1].invited == client.account
        code, said = invoke("whoami", "--server", closed.address)
        assert (code, "no guests" in said) == (1, True)


def test_bots_of_the_house_take_the_seats_that_name_them(housed: ServeProcess) -> None:
    with Client(housed.address) as client:
        match = client.create_match("arrakis", ["house:random", "house:greedy"], SHORT)
        last = [update.match for update in client.watch(match.name)][-1]
        assert last.result is not None
        assert last.result.kind == "played"
        open_seats = client.create_match("arrakis", ["open", "open"], SHORT)
        with client.join(open_seats.name) as seat:
            client.start(open_seats.name)
            for decision in seat:
                seat.answer(next(decision.options.enumerate()), decision)
            assert seat.result is not None


def pid_of_the_bots(service: ServeProcess) -> int:
    """Return the process id of the house bots."""
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text().split()
    (bots,) = [
        int(pid) for pid in children if b"landsraad_bots.house_runner" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    return bots


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks for a process in /proc")
def test_bots_that_are_killed_come_back_to_their_seats(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--house", workers=1) as service, Client(service.address) as client:
        matches = [client.create_match("dune", ["house"] * 4, {"length": 10}).name for _ in range(3)]
        killed = 0
        for update in client.watch(matches[0]):
            if not killed and update.view.turn:  # kill at once: a match may end in its first turn
                killed = pid_of_the_bots(service)
                os.kill(killed, signal.SIGKILL)
        assert killed
        results = [[update.match.result for update in client.watch(match)][-1] for match in matches]
        assert all(result is not None and result.kind == "played" for result in results)
        assert pid_of_the_bots(service) != killed


def test_a_bot_that_nobody_knows_is_refused_before_the_match_waits_for_it(housed: ServeProcess) -> None:
    with Client(housed.address) as client, pytest.raises(errors.BadRequest, match="there is: greedy") as caught:
        client.create_match("arrakis", ["open", "house:mahdi of old"])
    assert list(caught.value.fields) == ["match.seats[1].house_bot"]


def test_watch_tells_a_match_from_its_beginning_to_its_end(housed: ServeProcess) -> None:
    with Client(housed.address) as client:
        match = client.create_match("arrakis", ["house", "house"], SHORT).name
    status, said = invoke("watch", match, "--server", housed.address, "--json")
    assert status == 0
    *entries, result = map(json.loads, said.splitlines())
    assert [entry["number"] for entry in entries] == list(range(1, len(entries) + 1))
    assert (result["match"], result["kind"]) == (match, "played")
    status, said = invoke("watch", match.removeprefix("matches/"), "--server", housed.address)
    assert status == 0
    assert "═══ Round 1 ═══" in said
    assert "The match is over: round limit" in said
    assert "by rule  WFA-U.5: " in said


def test_watch_says_when_there_is_nothing_to_watch(housed: ServeProcess) -> None:
    status, said = invoke("watch", "matches/0000000000000000", "--server", housed.address)
    assert status == 1
    assert "no_such_match" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--port", 65_536, "less than or equal to 65535"),
        ("--admin-port", -1, "greater than or equal to 0"),
        ("--metrics-port", 99_999, "less than or equal to 65535"),
        ("--workers", -1, "greater than or equal to 0"),
        ("--durability", "eternal", "'everysec', 'always' or 'replicated'"),
    ],
)
def test_serve_names_the_option_that_is_wrong(option: str, value: object, why: str) -> None:
    """The system would truncate a port that is too large, and the service would listen on another one."""
    status, said = invoke("serve", option, value)
    assert status == 2
    assert f"{option}: Input should be " in said
    assert why in said


def test_doctor_finds_a_healthy_service_healthy(housed: ServeProcess) -> None:
    status, said = invoke("doctor", "--server", housed.address, "--json")
    found = last_line(said)
    assert (status, found["failed"]) == (0, []), found["findings"]
    assert [finding["check"] for finding in found["findings"]] == [
        *("reach", "health", "version", "catalog", "match", "resume", "exactly once", "refusals"),
        *("latency", "clock", "replay", "house"),
    ]


def test_doctor_says_what_is_wrong_and_what_to_do() -> None:
    status, said = invoke("doctor", "--server", "localhost:1", "--timeout", 0.2, "--json")
    found = last_line(said)
    assert (status, found["failed"]) == (1, ["reach"])
    assert "address" in found["findings"][0]["advice"]


def test_doctor_asks_for_a_token_where_one_is_wanted(housed: ServeProcess) -> None:
    status, said = invoke("doctor", "--server", housed.address, "--token", "none of theirs", "--json")
    found = last_line(said)
    assert (status, found["failed"]) == (1, ["match"])
    assert "--token" in found["findings"][-1]["advice"]


def test_doctor_tells_another_version_and_goes_on(housed: ServeProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("landsraad_cli.local.service_check.__version__", "99.0")
    status, said = invoke("doctor", "--server", housed.address)
    assert status == 1
    lines = [line.split(maxsplit=2) for line in said.splitlines() if line.startswith(("ok", "FAILED"))]
    assert [line[1] for line in lines if line[0] == "FAILED"] == ["version"]
    assert "you have 99.0" in said
    assert "Install the SDK in the version of the service." in said
    assert lines[-1][:2] == ["ok", "house"]


def play(housed: ServeProcess, *more: str) -> list[str]:
    options = ["--server", housed.address, "--option", "round_limit=1", "--against", "random"]
    return ["play", "arrakis", *options, *more]


def test_a_person_plays_a_whole_match(housed: ServeProcess) -> None:
    status, said = invoke(*play(housed), typed="h\nb\nr\n" + "any\n" * 2000)
    assert status == 0, said[-2000:]
    assert "You are Harkonnen." in said
    assert "you have won" in said
    assert re.search(r"by rule +WFA-U\.5: ", said)


BOTS = """
from landsraad import Bot

class Mine(Bot):
    def decide(self, view, ask):
        return ask.sample(self.rng)

class Broken(Mine):
    def decide(self, view, ask):
        raise ValueError("no idea")
"""


@pytest.mark.parametrize(
    ("bot", "told"), [("Mine", ""), ("Broken", "The bot in seat 1 has failed and resigns:\nTraceback")]
)
def test_a_person_plays_against_a_bot_from_a_file(tmp_path: Path, bot: str, told: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(BOTS)
    words = ("play", "arrakis", "--option", "round_limit=1", "--against", f"{file}:{bot}")
    status, said = invoke(*words, typed="any\n" * 2000)
    assert status == 0, said[-2000:]
    assert "you have won" in said
    assert told in said
    assert ("ValueError: no idea" in said) == bool(told)
    assert "bot_runner.py" not in said
    assert invoke(*words, "--server", "localhost:1")[0] == 2


def test_a_person_sits_down_in_somebody_elses_match(housed: ServeProcess, home: Path) -> None:
    with Client(housed.address) as client:
        match = client.create_match("arrakis", ["house:random", "open"], SHORT).name
    where = ["--server", housed.address, "--match", match, "--seat", "1"]
    status, said = invoke("play", "arrakis", *where, typed="any\n" * 2000)
    assert status == 0, said[-2000:]
    assert f"{match}: you have seat 1." in said
    assert not home.exists()


def test_a_person_leaves_and_comes_back(housed: ServeProcess, home: Path) -> None:
    status, said = invoke(*play(housed, "--seat", "1"), typed="any\nq\n")
    assert status == 0
    assert "--resume" in said
    assert home.exists()
    status, said = invoke("play", "--resume", typed="any\n" * 2000)
    assert status == 0, said[-2000:]
    assert "You are Atreides." in said
    assert "you have won" in said
    status, said = invoke("play", "--resume")
    assert status == 2
    assert "no seat to come back to" in said


def test_a_person_who_leaves_by_ctrl_c_is_told_how_to_come_back(
    housed: ServeProcess, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("landsraad_cli.terminal.person.Person.__init__.__defaults__", (interrupted, ()))
    status, said = invoke(*play(housed))
    assert status == 130
    assert "You have left the match. Come back with `landsraad play --resume`." in said
    assert home.exists()


def test_a_bot_that_does_not_play_the_game_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(rules_of_thumb.PLAYERS, "dune")
    for command in (["play", "--against"], ["demo", "--bots"], ["simulate", "dune", "--bots"]):
        status, said = invoke(*command, "rule-of-thumb")
        assert status == 2
        assert "does not play dune" in said


def test_a_person_plays_at_a_real_terminal(housed: ServeProcess) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "landsraad_cli", *play(housed)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        said, answered = b"", 0
        while select.select([ours], [], [], 30)[0]:
            try:
                said += os.read(ours, 1 << 16)
            except OSError:  # the other end has been closed
                break
            # Search the whole output: a prompt may arrive in two parts.
            asked = said.count(b"h for help> ") + said.count(b"value> ")
            os.write(ours, b"any\n" * (asked - answered))
            answered = asked
        assert process.wait(10) == 0
    os.close(ours)
    assert b"\x1b[" in said, "a terminal gets colours"
    assert b"you have won" in said


def new_bot(folder: Path, game: str) -> Path:
    status, said = invoke("new-bot", "my-bot", "--game", game, "--in", folder, "--json")
    assert status == 0, said
    assert last_line(said)["files"] == [
        "README.md",
        "my_bot/__init__.py",
        "my_bot/__main__.py",
        "my_bot/bot.py",
        "my_bot/look_ahead.py",
        "my_bot/py.typed",
        "pyproject.toml",
        "tests/test_bot.py",
    ]
    return folder / "my-bot"


@pytest.mark.parametrize("game", ["arrakis", pytest.param("dune", marks=pytest.mark.long)])
def test_a_new_bot_plays_as_it_stands(housed: ServeProcess, tmp_path: Path, game: str) -> None:
    project = new_bot(tmp_path, game)
    made = [file for file in project.rglob("*") if file.is_file()]
    placeholders = ("NAME", "GAME", "PACKAGE", "DISTRIBUTION")
    assert [file for file in made for token in placeholders if token in file.read_text()] == []
    done = subprocess.run(
        [sys.executable, "-m", "my_bot", "--server", housed.address],
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] in ("0 of 1 won", "1 of 1 won")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--against", "house:nobody"), "there is: greedy"),
        (("--token", "nobody's"), "token is not valid"),
        (("--server", "localhost:99999"), "write host:port"),
        ((), "write host:port"),  # as the environment has it
    ],
)
def test_a_new_bot_that_asks_for_what_there_is_not_says_so_in_a_line(
    wrong: tuple[str, ...], said: str, housed: ServeProcess, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "my_bot", *(("--server", housed.address) if wrong else ()), *wrong],
        cwd=new_bot(tmp_path, "arrakis"),
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "LANDSRAAD_SERVER": "localhost:99999",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


#: Run the bot with SIGINT enabled, which the test runner may ignore.
BOT = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("my_bot", run_name="__main__")
"""


def test_a_new_bot_that_is_interrupted_ends_quietly(housed: ServeProcess, tmp_path: Path) -> None:
    playing = subprocess.Popen(
        [sys.executable, "-c", BOT, "--server", housed.address, "--matches", "1000"],
        cwd=new_bot(tmp_path, "arrakis"),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with playing:
        try:
            assert playing.stdout is not None
            assert "1/1000" in playing.stdout.readline()
            playing.send_signal(signal.SIGINT)
            _, said = playing.communicate(timeout=60)
        finally:
            playing.kill()
    assert (playing.returncode, said) == (130, "")


@pytest.mark.long
def test_a_new_bot_passes_its_own_test(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=new_bot(tmp_path, "dune"),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
        timeout=60,
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("My Bot", "lower-case letters"),
        ("taken", "exists already"),
        ("greedy", "a bot 'greedy' is installed"),
        ("class", "a word of Python"),
        ("json", "a Python module 'json'"),
        ("landsraad-engine", "a Python module 'landsraad_engine'"),
    ],
)
def test_a_project_is_not_made_over_another(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "taken").mkdir()
    status, said = invoke("new-bot", name, "--in", tmp_path)
    assert status == 2
    assert why in said
    assert [*tmp_path.rglob("*")] == [tmp_path / "taken"]


@pytest.mark.long
@pytest.mark.parametrize(("game", "option"), [("dune", "length=10"), ("arrakis", "round_limit=2")])
def test_the_demo_plays_a_match_and_leaves_nothing_behind(tmp_path: Path, game: str, option: str) -> None:
    command = [sys.executable, "-m", "landsraad_cli", "demo", game, "--fast", "--option", option, "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    found = last_line(done.stdout)
    assert found["differences"] == []
    assert found["by_rule"].partition("-")[0] in ("DUNE", "WFA")
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.gz")] == [found["replay"]]
    assert invoke("replay", tmp_path / found["replay"], "--check")[0] == 0


def test_a_demo_whose_output_is_cut_off_ends_without_a_traceback(tmp_path: Path) -> None:
    """As in `landsraad demo | head -2`."""
    command = [sys.executable, "-m", "landsraad_cli", "demo", "arrakis", "--fast", "--option", "round_limit=2"]
    with subprocess.Popen(
        [*command, "--save", tmp_path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("Starting a service")
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_a_demo_whose_service_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANDSRAAD_REDIS", "nonsense://store")
    status, said = invoke("demo", "--fast", "--save", tmp_path)
    assert status == 1
    assert "landsraad demo: the service did not start" in said
    assert "Traceback" not in said


@pytest.mark.asyncio
async def test_a_service_that_cannot_start_says_why() -> None:
    with pytest.raises(NotServing, match="has to begin with redis"):
        async with own_service("--redis", "nonsense://store"):
            """It does not come so far."""


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_service_of_ones_own_does_not_outlive_who_has_started_it(tmp_path: Path) -> None:
    code = (
        "import asyncio, os, signal\n"
        "from landsraad_cli.local.own_service import own_service\n"
        "async def main():\n"
        "    async with own_service('--workers', '1') as address:\n"
        "        print(address, flush=True)\n"
        "        input()\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code), stdin=pipe, stdout=pipe, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert process.stdout is not None
    assert process.stdin is not None
    host, _, port = (await process.stdout.readline()).decode().strip().rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    async with asyncio.timeout(30):
        process.stdin.write(b"now\n")
        await process.wait()
        while await reader.read(1000):
            """Until the service has closed it."""
    writer.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(host, int(port))
