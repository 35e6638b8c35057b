"""The basic tools: make, the search for a Python, the timeout."""

import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import bounded
import ci
import other_pythons
from landsraad_cli.command_table import COMMANDS, load

SPOKEN = re.compile(r"^\s*(?:\$ )?(make|landsraad) ([a-z][\w-]*)", re.MULTILINE)


def make_targets(root: Path) -> set[str]:
    return set(re.findall(r"^([a-z]+):.*## ", (root / "Makefile").read_text(), re.MULTILINE))


def test_make_lists_every_target(root: Path) -> None:
    said = subprocess.run(["make"], cwd=root, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^ +make (\w+) ", said, re.MULTILINE)) == make_targets(root)
    phony = re.search(r"^\.PHONY: (.*)$", (root / "Makefile").read_text(), re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == make_targets(root)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_commands_in_the_documents_exist(root: Path, name: str) -> None:
    known = {"make": make_targets(root), "landsraad": set(COMMANDS.targets())}
    blocks = re.findall(r"^```\w*\n(.*?)^```", (root / name).read_text(), re.MULTILINE | re.DOTALL)
    used = [pair for block in blocks for pair in SPOKEN.findall(block)]
    assert used
    assert [f"{tool} {verb}" for tool, verb in used if verb not in known[tool]] == []


@pytest.mark.parametrize(
    "name", ["README.md", "docs/sdk.md", "deploy/README.md", "sdk/landsraad_cli/templates/new_bot/README.md"]
)
def test_what_the_documents_tell_to_type_is_understood(root: Path, name: str) -> None:
    """Every documented command line parses: its options exist, and have values where they need them."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", (root / name).read_text(), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    typed = [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("landsraad ")]
    assert typed
    for words in typed:
        understand(words)


def understand(words: list[str]) -> None:
    """Read a command line as the command itself would."""
    command: Any = get_command(load(words.pop(0)))
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    command.make_parser(command.context_class(command)).parse_args(words)


def test_an_option_that_does_not_exist_is_not_understood() -> None:
    understand(["bench", "service", "--json", "--seconds", "2"])
    for wrong in (["play", "--seatt", "1"], ["play", "--seat"], ["bench", "service", "--slow"]):
        with pytest.raises(Exception, match=r"(?i)option"):
            understand(wrong)


@pytest.mark.parametrize(
    ("release", "line"),
    [
        ("ID=debian\nVERSION_ID=12", "apt-get install -y python3 python3-venv"),
        ('ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"', "apt-get install -y python3.11 python3.11-venv"),
        ("ID=fedora", "dnf install -y python3"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"', "dnf install -y python3.12"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="speaks about Linux releases")
def test_without_a_python_the_line_that_installs_it_is_printed(
    root: Path, tmp_path: Path, release: str, line: str
) -> None:
    (tmp_path / "os-release").write_text(release)
    status, said = find_python(root, tmp_path)
    assert status == 1
    assert line in said
    assert not (tmp_path / "venv").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="speaks about Debian")
def test_a_python_without_venv_asks_for_its_package(root: Path, tmp_path: Path) -> None:
    (tmp_path / "os-release").write_text("ID=debian")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    wrapper = tmp_path / "bin" / f"python{version}"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\n[ "$1" = -m ] && exit 1\nexec {sys.executable} "$@"\n')
    wrapper.chmod(0o755)
    status, said = find_python(root, tmp_path)
    assert status == 1
    assert f"apt-get install -y python{version}-venv" in said


def test_a_python_that_works_is_used_and_kept(root: Path, tmp_path: Path) -> None:
    status, said = find_python(root, tmp_path, python=sys.executable)
    assert status == 0
    assert "made" in said
    assert find_python(root, tmp_path) == (0, "")


def find_python(root: Path, folder: Path, python: str = "") -> tuple[int, str]:
    """Run tools/venv.sh with no Python on PATH except those of a folder."""
    tools = folder / "bin"
    tools.mkdir(exist_ok=True)
    for name in ("uname", "sed", "tr", "rm", "sh"):
        link = tools / name
        if not link.exists():
            link.symlink_to(next(Path(part) / name for part in os.defpath.split(":") if (Path(part) / name).exists()))
    environment = {"PATH": str(tools), "PYTHON": python, "OS_RELEASE": str(folder / "os-release")}
    done = subprocess.run(
        [tools / "sh", root / "tools/venv.sh", folder / "venv"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_other_pythons_are_all_that_we_name_but_our_own() -> None:
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert sorted([own, *other_pythons.others()]) == ["3.11", "3.12", "3.13", "3.14"]
    assert other_pythons.interpreter("3.999") is None


def test_each_python_that_is_here_is_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Try a version that passes, one that fails, one with a pyenv shim only, and one without packages."""
    for name, script in {
        "python3.81": f'exec {sys.executable} "$@"',
        "python3.82": f'[ "$PYENV_VERSION" = 3.82 ] && exec {sys.executable} "$@"',
        "python3.83": "exit 127",
        "python3.84": f'exec {sys.executable} "$@"',
        "make": 'case "$*" in "setup VENV=.venv/python3.84 "*) exit 2;; setup*) echo set up;; '
        '"test VENV=.venv/python3.81 "*) echo passed;; *) exit 2;; esac',
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(other_pythons, "others", lambda: ["3.81", "3.82", "3.83", "3.84"])
    assert other_pythons.main() == 1
    assert capfd.readouterr().out.splitlines() == [
        "set up",
        "passed",
        "set up",
        "Python 3.83: not on this machine, skipped",
        "Python 3.84: its packages cannot be installed here, skipped",
        "failed with Python 3.82",
    ]
    monkeypatch.setattr(other_pythons, "others", lambda: ["3.81", "3.83", "3.84"])
    assert other_pythons.main() == 0


def test_a_command_in_time_keeps_its_status() -> None:
    assert bounded.run([sys.executable, "-c", "raise SystemExit(3)"], 60) == 3


def test_a_command_out_of_time_ends_with_its_children(tmp_path: Path) -> None:
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    child = f"exec 3>{pipe}; while :; do read -r line; done"
    command = ["sh", "-c", f"sh -c '{child}' </dev/zero & wait"]
    started = time.monotonic()
    assert bounded.run(command, 0.5) == bounded.TIMED_OUT
    assert time.monotonic() - started < 30
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""  # end of file: no process holds the other end any more
    os.close(reader)


def test_a_game_is_checked_by_the_commands_that_exist() -> None:
    assert [step.name for step in ci.game_checks("dune", ["about", "fuzz", "rules"])] == ["rules dune", "fuzz dune"]


def test_extra_steps_are_run_with_all_or_by_name(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        ci, "steps", lambda: [ci.CiStep("usual", 1, ("true",)), ci.CiStep("long", 1, ("true",), extra=True)]
    )
    for arguments, names in (([], ["usual"]), (["--all"], ["usual", "long"]), (["--only", "long"], ["long"])):
        monkeypatch.setattr(sys, "argv", ["ci.py", "--list", *arguments])
        assert ci.main() == 0
        assert [line.split()[0] for line in capfd.readouterr().out.splitlines()] == names


def test_the_other_steps_are_run_where_the_command_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ci, "ABOUT", (sys.executable, "-c", "raise SystemExit(1)"))
    names = {step.name for step in ci.steps()}
    assert {"fast tests", "command line", "deployment", "long tests", "install sdk"} <= names
    assert not any(name.startswith(("rules", "demo")) for name in names)


def test_a_failing_step_fails_the_whole(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    python = sys.executable
    monkeypatch.setattr(
        ci,
        "steps",
        lambda: [
            ci.CiStep("good", 1, (python, "-c", "")),
            ci.CiStep("bad", 1, (python, "-c", "raise SystemExit(1)")),
            ci.CiStep("slow", 0.001, (python, "-c", "import signal; signal.pause()")),
        ],
    )
    monkeypatch.setattr(sys, "argv", ["ci.py"])
    assert ci.main() == 1
    said = capfd.readouterr().out.splitlines()
    assert said[-3:] == ["FAILED  bad", "FAILED  slow", "1 passed, 2 failed"]
    assert {line.split()[2] for line in said[-8:-5]} == {"good", "bad", "slow"}
    seconds = [float(line.split()[0]) for line in said[-8:-4]]
    assert seconds[:3] == sorted(seconds[:3], reverse=True)
    assert seconds[3] == pytest.approx(sum(seconds[:3]), abs=0.3)
    monkeypatch.setattr(sys, "argv", ["ci.py", "--only", "good"])
    assert ci.main() == 0
    monkeypatch.setattr(sys, "argv", ["ci.py", "--only", "good", "--minutes", "0"])
    assert ci.main() == 1
