"""Play whole matches with clients in other languages, which know nothing of the project but its protocol files.

    python tools/foreign_clients.py [--full] [--install] [--client NAME ...] [--transport NAME ...]

The clients lie in tests/foreign: one in Go on grpc-go, built from Debian's packages, and two in JavaScript, on
@grpc/grpc-js and on @connectrpc/connect-node. Each draws random legal acts from the grammar of its questions, and fails
at the first refusal that is its own fault. A client whose tools are missing is skipped by name; with --install they are
installed, and one that cannot be is a failure.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
CLIENTS = ROOT / "tests" / "foreign"
#: The Go client's tools and libraries in Debian.
GO_PACKAGES = (
    "golang-go",
    "golang-github-golang-protobuf-1-5-dev",
    "golang-google-grpc-dev",
    "golang-google-protobuf-dev",
    "protoc-gen-go",
    "protoc-gen-go-grpc",
)
#: Go's libraries as Debian installs them.
DEBIAN_GOPATH = "/usr/share/gocode"
#: Games and seats of the ordinary run, and of --full.
SHORT = (("dune", 2), ("arrakis", 2))
FULL = (("dune", 2), ("dune", 4), ("dune", 6), ("arrakis", 2))
MATCHES_IN_FULL = 3
SECONDS_TO_INSTALL = 600
SECONDS_TO_BUILD = 600
SECONDS_PER_RUN = 600


class ToolsMissing(Exception):
    """The tools for a client are not installed."""


@dataclass(frozen=True, slots=True)
class Built:
    """A client that is ready to run: its command, to which the arguments are added, and its environment."""

    command: tuple[str, ...]
    environment: dict[str, str]


def run_quietly(command: list[str], *, seconds: float, cwd: Path | None = None, **environment: str) -> None:
    """Run a command and show its output only if it fails."""
    env = os.environ | environment
    done = subprocess.run(command, cwd=cwd, env=env, check=False, capture_output=True, text=True, timeout=seconds)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise subprocess.CalledProcessError(done.returncode, command)


def generate_messages(folder: Path, out: Path, plugins: dict[str, list[str]]) -> None:
    """Generate a client's messages: buf parses the files, for Debian's protoc is older than some of their options."""
    rows = [{"local": plugin, "out": str(out), "opt": options} for plugin, options in plugins.items()]
    template = json.dumps({"version": "v2", "plugins": rows, "inputs": [{"directory": str(PROTO)}]})
    buf = str(Path(sys.executable).with_name("buf"))
    run_quietly([buf, "generate", "--template", template], seconds=SECONDS_TO_BUILD, cwd=folder)


def has_go() -> bool:
    """Return true if everything that the Go client is built from is there."""
    commands = ("go", "protoc-gen-go", "protoc-gen-go-grpc")
    libraries = Path(DEBIAN_GOPATH, "src")
    # Messages of today's generator need version 1.5 of the older interface, which is made from the newer one.
    used = ("google.golang.org/grpc", "google.golang.org/protobuf", "github.com/golang/protobuf/internal/gengogrpc")
    return all(map(shutil.which, commands)) and all((libraries / name).is_dir() for name in used)


def require_go(*, install: bool) -> None:
    """Raise ToolsMissing unless the Go client can be built."""
    if not has_go() and install:
        run_quietly(["apt-get", "update", "-qq"], seconds=SECONDS_TO_INSTALL)
        install_command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *GO_PACKAGES]
        run_quietly(install_command, seconds=SECONDS_TO_INSTALL, DEBIAN_FRONTEND="noninteractive")
    if not has_go():
        raise ToolsMissing("go, protoc-gen-go and Debian's golang-google-grpc-dev")


def build_go(folder: Path, *, install: bool) -> Built:
    """Generate the messages and build the Go client."""
    require_go(install=install)
    source = folder / "src"
    source.mkdir()
    files = (path.relative_to(PROTO) for path in sorted(PROTO.rglob("v1/*.proto")))
    packages = [f"M{file}={file.parent}" for file in files]
    generate_messages(folder, source, {"protoc-gen-go": packages, "protoc-gen-go-grpc": packages})
    shutil.copytree(CLIENTS / "go", source / "client")
    program = folder / "client"
    gopath = f"{folder}:{DEBIAN_GOPATH}"
    build = ["go", "build", "-o", str(program), "client"]
    run_quietly(build, seconds=SECONDS_TO_BUILD, cwd=folder, GOPATH=gopath, GO111MODULE="off", GOFLAGS="-p=2")
    return Built((str(program),), {})


def install_node(folder: Path, *, install: bool) -> None:
    """Install the libraries of the JavaScript clients beside a copy of their sources."""
    if not install or shutil.which("npm") is None or shutil.which("node") is None:
        raise ToolsMissing("node and npm, which fetches libraries: allow it by --install")
    shutil.copytree(CLIENTS / "node", folder, dirs_exist_ok=True)
    run_quietly(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], seconds=SECONDS_TO_INSTALL, cwd=folder)


def build_grpc_js(folder: Path, *, install: bool) -> Built:
    """Install the client over @grpc/grpc-js."""
    install_node(folder, install=install)
    return Built(("node", str(folder / "grpc_js.mjs")), {"LANDSRAAD_PROTO": str(PROTO)})


def build_connect_node(folder: Path, *, install: bool) -> Built:
    """Install the client over @connectrpc/connect-node and generate its messages."""
    install_node(folder, install=install)
    generated = folder / "generated"
    generate_messages(
        folder, generated, {str(folder / "node_modules/.bin/protoc-gen-es"): ["target=js", "import_extension=js"]}
    )
    return Built(("node", str(folder / "connect_node.mjs")), {"LANDSRAAD_GENERATED": str(generated)})


BUILDERS: dict[str, Callable[..., Built]] = {
    "grpc-go": build_go,
    "grpc-js": build_grpc_js,
    "connect-node": build_connect_node,
}


@contextmanager
def running_service(transport: str | None) -> Iterator[str]:
    """Run a service of its own and yield its address."""
    chosen = () if transport is None else ("--transport", transport)
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "landsraad_cli", "serve", "--port", "0", "--workers", "2", "--json"]
        command += ["--no-house", "--data", data, "--log-level", "warning", *chosen]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
            assert service.stdout is not None
            try:
                yield str(json.loads(service.stdout.readline())["address"])
            finally:
                service.terminate()


def play(client: Built, server: str, game: str, seats: int, matches: int) -> list[str]:
    """Play matches with a client and return the faults that were found."""
    command = [*client.command, server, game, str(seats), str(matches), "1"]
    env = os.environ | client.environment
    try:
        done = subprocess.run(command, env=env, check=False, capture_output=True, text=True, timeout=SECONDS_PER_RUN)
    except subprocess.TimeoutExpired:
        return [f"the client did not end within {SECONDS_PER_RUN} s"]
    if done.returncode:
        return [f"the client ended with status {done.returncode}: {done.stderr.strip()[-2000:]}"]
    played = [json.loads(line) for line in done.stdout.splitlines()]
    faults = [] if len(played) == matches else [f"{len(played)} of {matches} matches were played"]
    for one in played:
        print(f"    {one['acts']:5} acts, {one['late']} late, {one['ending']}, won by {one['winners']}", flush=True)
        wanted = {"state": "MATCH_STATE_OVER", "kind": "RESULT_KIND_PLAYED", "replayed": 1}
        faults += [f"{name} is {one[name]}" for name, value in wanted.items() if one[name] != value]
    return faults


def main() -> int:
    """Build the clients, play, and count what held."""
    parser = argparse.ArgumentParser(description="Play whole matches with clients in other languages.")
    parser.add_argument("--full", action="store_true", help="more matches, more seats")
    parser.add_argument("--install", action="store_true", help="install what the clients are built from")
    parser.add_argument("--client", action="append", choices=BUILDERS, help="only this one (may be repeated)")
    parser.add_argument("--transport", action="append", help="of the service (may be repeated; default: the service's)")
    asked = parser.parse_args()
    setups, matches = (FULL, MATCHES_IN_FULL) if asked.full else (SHORT, 1)
    faults: list[str] = []
    held = skipped = 0
    with tempfile.TemporaryDirectory() as work:
        clients: dict[str, Built] = {}
        for name in asked.client or BUILDERS:
            folder = Path(work, name)
            folder.mkdir()
            try:
                clients[name] = BUILDERS[name](folder, install=asked.install)
            except ToolsMissing as missing:
                print(f"skipped: {name}, for want of {missing}")
                skipped += 1
        for transport in asked.transport or [None]:
            with running_service(transport) as server:
                for name, client in clients.items():
                    for game, seats in setups:
                        what = f"{name}, {game} with {seats} seats, transport {transport or 'of the service'}"
                        print(what, flush=True)
                        found = play(client, server, game, seats, matches)
                        faults += [f"{what}: {fault}" for fault in found]
                        held += not found
    for fault in faults:
        print(f"FAILED  {fault}")
    print(f"{held} held, {len(faults)} faults, {skipped} clients skipped")
    return 1 if faults or (asked.install and skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
