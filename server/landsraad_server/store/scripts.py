"""Lua scripts, called by digest (EVALSHA), with EVAL as a fallback if the server does not have the script."""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from importlib.resources import files

from landsraad_server.store.errors import ScriptMissing, StoreUnavailable
from landsraad_server.store.pipeline import Link, settle
from landsraad_server.store.resp import Done, Reply, pack


class Script:
    """One script. Its first key decides on which node it runs."""

    def __init__(self, name: str) -> None:
        self.source = files(__package__).joinpath("lua", f"{name}.lua").read_bytes()
        self._digest = hashlib.sha1(self.source, usedforsecurity=False).hexdigest().encode()

    def send(self, link: Link, keys: tuple[bytes, ...], arguments: tuple[bytes | int, ...], done: Done) -> None:
        """Run the script; `done` gets its result."""

        def arrived(reply: Reply) -> None:
            if type(reply) is ScriptMissing:
                self._send_source(link, keys, arguments, done)
            else:
                done(reply)

        link.send(keys[0], pack(b"EVALSHA", self._digest, len(keys), *keys, *arguments), arrived)

    def call(self, link: Link, keys: tuple[bytes, ...], *arguments: bytes | int) -> asyncio.Future[Reply]:
        """Run the script and return a future of its result."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(link, keys, arguments, partial(settle, future))
        return future

    def _send_source(self, link: Link, keys: tuple[bytes, ...], arguments: tuple[bytes | int, ...], done: Done) -> None:
        # Not a duplicate: the server said that nothing ran. EVAL also puts the script into its cache.
        try:
            link.send(keys[0], pack(b"EVAL", self.source, len(keys), *keys, *arguments), done)
        except StoreUnavailable as error:
            done(error)


COMMIT = Script("commit")
SNAPSHOT = Script("snapshot")
ARM = Script("arm")
LEASE = Script("lease")
POLL = Script("poll")
SETTLE = Script("settle")
LIST = Script("list")
TAKE = Script("take_tokens")
COUNT = Script("count")
CONFIRM = Script("confirm")
BEAT = Script("beat")
ROSTER = Script("roster")
WITHDRAW = Script("withdraw")
CLAIM = Script("claim")
MEND = Script("mend")
PULSE = Script("pulse")
SAY = Script("say")
MUTE = Script("mute")


async def load(link: Link) -> None:
    """Load all scripts into all servers, so that first calls need no fallback."""
    scripts = (
        COMMIT,
        SNAPSHOT,
        ARM,
        LEASE,
        POLL,
        SETTLE,
        LIST,
        TAKE,
        COUNT,
        CONFIRM,
        BEAT,
        ROSTER,
        WITHDRAW,
        CLAIM,
        MEND,
        PULSE,
        SAY,
        MUTE,
    )
    await asyncio.gather(
        *(node.call(b"", b"SCRIPT", b"LOAD", script.source, read=True) for node in link.nodes() for script in scripts)
    )
