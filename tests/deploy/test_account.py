"""An operator can make an account, and its token is good."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from landsraad_server.store import connect
from landsraad_server.store.embedded import EmbeddedServer


def run(deploy: Path, url: str | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "LANDSRAAD_REDIS"}
    if url is not None:
        environment["LANDSRAAD_REDIS"] = url
    command = [sys.executable, str(deploy / "account.py"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


async def owner(url: str, token: str) -> str | None:
    store = await connect(url)
    try:
        identity = await store.accounts.who(token)
        account = await store.accounts.get(identity) if identity else None
        return account.name if account else None
    finally:
        await store.close()


def test_the_token_speaks_for_the_account(deploy: Path, tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "data") as store:
        made = run(deploy, store.url, "alice")
        assert (made.returncode, made.stderr) == (0, "")
        [token] = made.stdout.splitlines()
        assert asyncio.run(owner(store.url, token)) == "alice"


def test_without_a_name_or_a_store_it_says_how_to_call_it(deploy: Path) -> None:
    for done in (run(deploy, "redis://127.0.0.1:1"), run(deploy, None, "alice")):
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("usage: ")
