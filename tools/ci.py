"""The steps of continuous integration, one after another, each timed and bounded; see .ci/run.

    python tools/ci.py [--list] [--all] [--only NAME] [--minutes N]

The ordinary run fits into an hour on an idle machine, and is ended after 80 minutes. With --all it also takes the steps
that cost most for what they find: the whole of a matrix of which the ordinary run takes a part. At the end stands a
table of what each step took.

A step stands in the list as soon as its subject exists: a command that `landsraad` knows, a game the engine can play, a
folder with protocol files. From then on its failure is a failure.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bounded

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(".venv/bin")
ABOUT = (str(BIN / "landsraad"), "about", "--json")
#: Limits of the ordinary run, and of one with --all.
ALL_MINUTES = 80.0
MOST_MINUTES = 150.0
#: Tests of the service that depend on the transport most; the ordinary run takes them over the other transport, too.
_TRANSPORT_ROOMS = ("api", "security", "streams", "watching")


@dataclass(frozen=True, slots=True)
class CiStep:
    """One command that must succeed within so many minutes: four times what it takes, for a shared machine is at times
    three times as slow.
    """

    name: str
    minutes: float
    command: tuple[str, ...]
    #: not in the ordinary run: with --all, or when --only names it
    extra: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """The outcome of a step."""

    name: str
    held: bool
    seconds: float


def steps() -> Iterator[CiStep]:
    """Every step whose subject exists, quick ones first."""
    yield CiStep("fast tests", 20, ("make", "test"))
    yield from static_checks()
    yield from protocol_checks()
    yield CiStep("golden records", 12, (str(BIN / "python"), "tools/gen_golden.py", "--check"))
    yield CiStep("command line", 1, ABOUT)
    here = about()
    for game in here["games"]:
        yield from game_checks(game, here["commands"])
    if any("mark.long" in path.read_text() for path in (ROOT / "tests").rglob("test_*.py")):
        patient = ("-o", "faulthandler_timeout=600")  # some take more than a minute already where nothing else runs
        tests = (str(BIN / "pytest"), "-q", "-n", "2", *patient)
        # Those of the page need a browser: a step of their own.
        yield CiStep("long tests", 35, (*tests, "--ignore=tests/web", "-m", "long and not exhaustive"))
        yield CiStep("exhaustive tests", 60, (*tests, "-m", "exhaustive"), extra=True)
    yield from service_checks(here["commands"])
    yield CiStep("other Pythons", 25, (str(BIN / "python"), "tools/other_pythons.py"), extra=True)
    for what in ("lock", "engine", "http2", "sdk", "sdk-lowest"):
        yield CiStep(f"install {what}", 10, (str(BIN / "python"), "tools/check_install.py", what))


def static_checks() -> Iterator[CiStep]:
    """Checks that only read the sources."""
    yield CiStep("ruff check", 2, (str(BIN / "ruff"), "check", "."))
    yield CiStep("ruff format", 2, (str(BIN / "ruff"), "format", "--check", "."))
    yield CiStep("mypy strict", 8, (str(BIN / "mypy"),))
    yield CiStep("import contracts", 2, (str(BIN / "lint-imports"),))
    yield CiStep("reference pages", 2, (str(BIN / "python"), "tools/gen_reference.py", "--check"))
    yield CiStep("deployment", 10, (str(BIN / "python"), "tools/check_deploy.py"))


def protocol_checks() -> Iterator[CiStep]:
    """Style and compatibility of the protocol files, and whether everything made from them is up to date."""
    buf = str(BIN / "buf")
    yield CiStep("buf lint", 2, (buf, "lint", "proto"))
    yield CiStep("buf format", 2, (buf, "format", "--diff", "--exit-code", "proto"))
    yield CiStep("buf breaking", 2, (buf, "breaking", "proto", "--against", "proto/published.binpb"))
    yield CiStep("generated code", 8, (str(BIN / "python"), "tools/gen_proto.py", "--check"))


def service_checks(commands: list[str]) -> Iterator[CiStep]:
    """The optional transport, the examples of the protocol, whole matches in front of the user, the system's store."""
    over_http2 = ("env", "LANDSRAAD_TRANSPORT=http2", str(BIN / "pytest"), "-q", "-n", "2")
    yield CiStep("tests over http2", 8, (*over_http2, *(f"tests/server/{room}" for room in _TRANSPORT_ROOMS)))
    everything = ("tests/server", "tests/local", "tests/loadtest", "tests/leaks", "--ignore=tests/server/http2")
    yield CiStep("all tests over http2", 15, (*over_http2, *everything), extra=True)
    yield CiStep("examples", 6, (str(BIN / "python"), "tools/run_examples.py", "docs/protocol.md"))
    foreign = (str(BIN / "python"), "tools/foreign_clients.py", "--install")
    yield CiStep("foreign clients", 10, foreign)
    yield CiStep("foreign clients, full", 30, (*foreign, "--full"), extra=True)
    yield CiStep("page in a browser", 25, (str(BIN / "python"), "tools/page_in_browser.py"))
    if "demo" in commands:
        for game in ("dune", "arrakis"):
            yield CiStep(f"demo {game}", 6, ("make", "demo", f"GAME={game}", "ARGS=--fast"))
    yield CiStep("nghttp2 clients", 5, (str(BIN / "python"), "tools/debian_nghttp2.py"))
    latency = (str(BIN / "python"), "-m", "landsraad_testkit.attack_latency")
    yield CiStep("neighbour's latency", 25, latency, extra=True)
    yield CiStep("store on redis-server", 8, (str(BIN / "python"), "tools/debian_store.py"))


def game_checks(game: str, commands: list[str]) -> Iterator[CiStep]:
    """Rules coverage, random play, fuzzing and the leak test of one game, as far as the commands exist."""
    per_game = {
        "rules": (6, (game, "--check")),
        "simulate": (10, (game, "--games", "100", "--bots", "random", "--jobs", "2", "--seed", "1")),
        "fuzz": (6, (game, "--minutes", "2")),
        "leaktest": (15, (game, "--positions", "1000")),
    }
    for name, (minutes, arguments) in per_game.items():
        if name in commands:
            yield CiStep(f"{name} {game}", minutes, (str(BIN / "landsraad"), name, *arguments, "--json"))
    if "serve" in commands and "leaktest" in commands:
        for way, positions in (("wire", 40), ("web", 20)):
            real = (str(BIN / "landsraad"), "leaktest", game, f"--{way}", "--positions", str(positions), "--json")
            yield CiStep(f"{way} leaktest {game}", 10, real)


def about() -> dict[str, list[str]]:
    """The games and commands of this installation, by its own word; none if it cannot say (its own step fails)."""
    said = subprocess.run(ABOUT, cwd=ROOT, check=False, capture_output=True, text=True)
    return dict(json.loads(said.stdout.splitlines()[-1])) if said.returncode == 0 else {"games": [], "commands": []}


def run(step: CiStep, deadline: float) -> Ran:
    """Run one step within its own limit and what is left of the whole."""
    seconds = min(step.minutes * 60, deadline - time.monotonic())
    print(f"\n== {step.name}: {' '.join(step.command)}", flush=True)
    if seconds <= 0:
        print("   no time left", flush=True)
        return Ran(step.name, held=False, seconds=0.0)
    started = time.monotonic()
    status = bounded.run(step.command, seconds)
    how = {0: "ok", bounded.TIMED_OUT: f"ended after {seconds:.0f} s"}.get(status, f"status {status}")
    took = time.monotonic() - started
    print(f"-- {step.name}: {how}, {took:.1f} s", flush=True)
    return Ran(step.name, held=status == 0, seconds=took)


def table(ran: list[Ran]) -> str:
    """Return the duration of each step as a table, slowest first, with the total."""
    rows = [(one.seconds, one.name) for one in sorted(ran, key=lambda one: -one.seconds)]
    return "\n".join(f"{seconds:8.1f} s  {name}" for seconds, name in (*rows, (sum(s for s, _ in rows), "total")))


def main() -> int:
    """Run what was asked for, then say what failed; the last line counts."""
    parser = argparse.ArgumentParser(description="Run the steps of continuous integration.")
    parser.add_argument("--list", action="store_true", help="print the steps and leave")
    parser.add_argument("--all", action="store_true", help="take the longest steps, too")
    parser.add_argument("--only", metavar="NAME", help="run the steps whose name starts with this")
    parser.add_argument("--minutes", type=float, help="limit for everything together")
    asked = parser.parse_args()
    named = [step for step in steps() if step.name.startswith(asked.only or "")]
    chosen = [step for step in named if asked.all or asked.only or not step.extra]
    if asked.list:
        print("\n".join(f"{step.name:24}{' '.join(step.command)}" for step in chosen))
        return 0
    usual = MOST_MINUTES if asked.all else ALL_MINUTES
    deadline = time.monotonic() + (usual if asked.minutes is None else asked.minutes) * 60
    ran = [run(step, deadline) for step in chosen]
    failed = [one.name for one in ran if not one.held]
    print(f"\n{table(ran)}\n")
    for name in failed:
        print(f"FAILED  {name}")
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
