"""Run a load test against a service and write a report.

    python loadtest/run.py open-loop [--rate 1000]      latency at a fixed rate, over Play.Connect
    python loadtest/run.py locust [--users 20]          unary calls of concurrent users, measured by locust

Without --server the script starts a temporary service with its own store. Reports go to out/loadtest. The exit status
is 0 if no act failed, was refused or went unanswered, and 130 after an interrupt.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc

import open_loop as driver
from landsraad_bench.bench_service import serving
from landsraad_bench.measurements import Crowd
from landsraad_server.process import event_loop
from landsraad_server.store import Durability

HERE = Path(__file__).resolve().parent
#: Seconds beyond the run for set-up, the last answers and the report; then the run times out.
_EXTRA_SECONDS = 120.0


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Run a load test against a service and write a report.")
    parser.add_argument("kind", choices=["open-loop", "locust"])
    parser.add_argument("--server", metavar="HOST:PORT", help="default: start a temporary service")
    parser.add_argument("--token", default="", help="account token, for services that need one")
    parser.add_argument("--game", default="dune")
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rate", type=float, default=1000.0, help="open-loop: actions per second")
    parser.add_argument("--matches", type=int, default=48, help="open-loop: matches at the same time")
    parser.add_argument("--clients", type=int, default=8, help="open-loop: streams, each with its own connection")
    parser.add_argument("--users", type=int, default=20, help="locust: users, each with a match of its own")
    parser.add_argument("--report", type=Path, default=Path("out/loadtest"), help="folder for the reports")
    return parser.parse_args(given)


@contextmanager
def service(options: argparse.Namespace) -> Iterator[str]:
    """Yield the address of the service under test, started if none is given."""
    if options.server:
        yield options.server
        return
    with serving(Durability.EVERYSEC, workers=os.cpu_count() or 1) as started:
        yield started.address


def open_loop(options: argparse.Namespace, server: str) -> bool:
    """Run the open loop and write `open-loop.json`; return True if all acts were acknowledged."""
    crowd = Crowd(options.game, options.seats, options.matches, options.clients)
    limited = asyncio.wait_for(
        driver.drive(server, options.token, crowd, options.rate, options.seconds), options.seconds + _EXTRA_SECONDS
    )
    try:
        report = event_loop.run(limited)
    except grpc.aio.AioRpcError as error:
        print(f"{error.code().name}: {error.details()}", file=sys.stderr)
        return False
    text = json.dumps(report, indent=2)
    (options.report / "open-loop.json").write_text(text + "\n")
    print(text)
    return not report["refused"] and not report["unanswered"]


def locust(options: argparse.Namespace, server: str) -> bool:
    """Run locust headless, which writes `locust.html` and `locust_*.csv`; return True if no call failed."""
    names = {"LOADTEST_GAME": options.game, "LOADTEST_SEATS": str(options.seats), "LOADTEST_TOKEN": options.token}
    command = [
        *(sys.executable, "-m", "locust", "--headless", "--only-summary", "--locustfile", str(HERE / "locustfile.py")),
        *("--host", server, "--users", str(options.users), "--spawn-rate", str(options.users)),
        *("--run-time", f"{options.seconds:.0f}s", "--stop-timeout", "10"),
        *("--html", str(options.report / "locust.html"), "--csv", str(options.report / "locust")),
    ]
    done = subprocess.run(command, env=os.environ | names, check=False, timeout=options.seconds + _EXTRA_SECONDS)
    return done.returncode == 0


def main() -> int:
    """Run the chosen load test."""
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # like Ctrl-C, so that the service is stopped too
    options.report.mkdir(parents=True, exist_ok=True)
    try:
        with service(options) as server:
            held = open_loop(options, server) if options.kind == "open-loop" else locust(options, server)
    except KeyboardInterrupt:
        return 130
    print(f"reports in {options.report}: {'passed' if held else 'failed'}", file=sys.stderr)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
