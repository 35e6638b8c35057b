"""Databases of leagues: a file of SQLite, and a server of PostgreSQL in a folder of its own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'arena.db'}"


def postgres_binary(name: str) -> str | None:
    """Find a program of PostgreSQL, on the path or where Debian puts those of a server."""
    folders = [str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    return shutil.which(name, path=os.pathsep.join([*folders, os.environ.get("PATH", "")]))


@pytest.fixture(scope="module")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a server that listens on a socket in its folder only."""
    initdb, pg_ctl = postgres_binary("initdb"), postgres_binary("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("PostgreSQL is not installed")
    pytest.importorskip("psycopg")
    folder = Path("/tmp") / f"landsraad-postgres-{os.getpid()}"  # noqa: S108  (paths of sockets are short)
    folder.mkdir(mode=0o700)
    # PostgreSQL refuses to run as root
    user = "postgres" if os.getuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data = folder / "data"

    def run(*arguments: str) -> None:
        subprocess.run(arguments, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL, timeout=120)

    try:
        run(initdb, "-D", str(data), "-U", "arena", "-A", "trust", "--no-sync", "--encoding=UTF8", "--locale=C")
        run(pg_ctl, "-D", str(data), "-w", "-l", str(folder / "log"), "-o", f"-k {folder} -h ''", "start")
        try:
            yield f"postgresql+psycopg://arena@/postgres?host={folder}"
        finally:
            run(pg_ctl, "-D", str(data), "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)
