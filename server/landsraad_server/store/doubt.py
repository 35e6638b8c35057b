"""Doubt: after an unclean start of a store, each log may have lost its end without a worker that remembers it.

If all workers have ended with the store's machine, nobody can tell which logs are shorter than before. Players may have
seen what was lost, dice included, so each live match must go on in a new epoch. That is done for each match when it is
next loaded: until then its head is marked, so that nothing can be committed to it in the old epoch. Marking costs a
microsecond for each match, while raising all epochs at once would delay the start by minutes.

The embedded store is told by its owner that its start was unclean. A server of an operator's own does not tell how it
ended. So the store records which process it was that workers have written to, and another one is in doubt.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import files

import structlog

from landsraad_server.store import keys
from landsraad_server.store.resp import Reply

#: Begins the nonce of a head in doubt; doubt.lua has the same constant.
DOUBTED = b"?"
SOURCE = files(__package__).joinpath("lua", "doubt.lua").read_bytes()


_log = structlog.get_logger()


def is_doubted(head: bytes) -> bool:
    """Return whether a stored head is marked."""
    return b" " + DOUBTED in head


async def check_run(run: str, call: Callable[..., Awaitable[Reply]]) -> None:
    """Put all logs in doubt if the server is another process than the one that workers have written to.

    Args:
        run: The id of the server's process.
        call: Runs a command on the server.
    """
    matches = await call(b"EVAL", SOURCE, 1, keys.RUN, run.encode())
    if matches > 0:
        _log.error("store_in_doubt", matches=matches)
