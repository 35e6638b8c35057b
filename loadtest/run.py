"""Load test driver: put load on a service and write a report.
    python loadtest/run.py open-loop [--rate 1000]      latency at a fixed rate, over Play.Connect
    python loadtest/run.py locust [--users 20]          plain calls of concurrent users, reported by locust

Without --server it starts a service with a store of its own, and stops it afterwards. Reports go to out/loadtest. The
exit status is 0 if no call failed, was refused or remained unanswered; 130 if the run was interrupted.
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
from landsraad_bench.measurements import Workload
from landsraad_server.process import event_loop
from landsraad_server.store import Durability
from landsraad_server.transports.registry import DEFAULT

HERE = Path(__file__).resolve().parent
#: Seconds beyond the measured time after which a run is aborted: for setting up matches, last answers and the report.
_AROUND_SECONDS = 120.0


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Put load on a service, and write a report.")
    parser.add_argument("kind", choices=["open-loop", "locust"])
    parser.add_argument("--server", metavar="HOST:PORT", help="service to test (default: start one)")
    parser.add_argument("--token", default="", help="API token, if the service needs one")
    parser.add_argument("--cell", default="", help="of a service of several cells, the one to test")
    parser.add_argument("--transport", default=DEFAULT, help="transport of a service that is started here")
    parser.add_argument("--game", default="dune")
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rate", type=float, default=1000.0, help="open-loop: actions per second")
    parser.add_argument("--matches", type=int, default=48, help="open-loop: concurrent matches")
    parser.add_argument("--clients", type=int, default=8, help="open-loop: streams, each with its own connection")
    parser.add_argument("--users", type=int, default=20, help="locust: concurrent users, each with a match of its own")
    parser.add_argument("--report", type=Path, default=Path("out/loadtest"), help="folder for the reports")
    return parser.parse_args(given)


@contextmanager
def service(options: argparse.Namespace) -> Iterator[str]:
    """Yield the address of the service to test; start one if none is given."""
    if options.server:
        yield options.server
        return
    with serving(Durability.EVERYSEC, workers=os.cpu_count() or 1, transport=options.transport) as started:
        yield started.address


def open_loop(options: argparse.Namespace, server: str) -> bool:
    """Run the open-loop driver and write `open-loop.json`; return whether nothing failed."""
    workload = Workload(options.game, options.seats, options.matches, options.clients)
    run = driver.drive(server, options.token, workload, options.rate, options.seconds, cell=options.cell)
    limited = asyncio.wait_for(run, options.seconds + _AROUND_SECONDS)
    try:
        report = event_loop.run(limited)
    except grpc.aio.AioRpcError as refused:
        print(f"{refused.code().name}: {refused.details()}", file=sys.stderr)
        return False
    report = {"transport": "" if options.server else options.transport, **report}  # of a service elsewhere: unknown
    text = json.dumps(report, indent=2)
    (options.report / "open-loop.json").write_text(text + "\n")
    print(text)
    return not report["refused"] and not report["unanswered"]


def locust(options: argparse.Namespace, server: str) -> bool:
    """Run locust headless, which writes `locust.html` and `locust_*.csv`; return whether nothing failed."""
    names = {
        "LOADTEST_GAME": options.game,
        "LOADTEST_SEATS": str(options.seats),
        "LOADTEST_TOKEN": options.token,
        "LOADTEST_CELL": options.cell,
    }
    command = [
        *(sys.executable, "-m", "locust", "--headless", "--only-summary", "--locustfile", str(HERE / "locustfile.py")),
        *("--host", server, "--users", str(options.users), "--spawn-rate", str(options.users)),
        *("--run-time", f"{options.seconds:.0f}s", "--stop-timeout", "10"),
        *("--html", str(options.report / "locust.html"), "--csv", str(options.report / "locust")),
    ]
    done = subprocess.run(command, env=os.environ | names, check=False, timeout=options.seconds + _AROUND_SECONDS)
    return done.returncode == 0


def main() -> int:
    """Run the requested kind of load test."""
    options = arguments()
    # SIGTERM ends the run like Ctrl-C, which also stops the service
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options.report.mkdir(parents=True, exist_ok=True)
    try:
        with service(options) as server:
            held = open_loop(options, server) if options.kind == "open-loop" else locust(options, server)
    except KeyboardInterrupt:
        return 130
    print(f"reports in {options.report}: {'no failures' if held else 'there were failures'}", file=sys.stderr)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
