"""Commands as bytes, replies as values, and redis-py's errors as our own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

import hiredis
from redis.asyncio.connection import DefaultParser
from redis.exceptions import AskError, MovedError, RedisError, ResponseError

from landsraad_server.store import errors

#: int, bytes, None, a list of these, or a StoreError standing where the server answered with an error.
Reply: TypeAlias = Any
#: Takes the one reply to one command, or the StoreError that came instead. Must not raise.
Done: TypeAlias = Callable[[Reply], None]

# Numbers are packed as well, which its types do not say. redis-py's asyncio client packs in Python, at four times the
# price.
_pack: Final = cast("Callable[[tuple[bytes | int, ...]], bytes]", hiredis.pack_command)


def noop(*_: object) -> None:
    """Do nothing, as the callback of a caller that waits for nothing."""


def pack(*command: bytes | int) -> bytes:
    """Return one command as it goes over the wire."""
    return _pack(command)


_MEANING: Final[dict[str, type[errors.StoreError]]] = {
    "NOSCRIPT": errors.ScriptMissing,
    "OOM": errors.StoreFull,
    "READONLY": errors.Demoted,
    "BUSY": errors.NotExecuted,
    "CLUSTERDOWN": errors.NotExecuted,
    "LOADING": errors.NotExecuted,
    "MASTERDOWN": errors.NotExecuted,
    "MISCONF": errors.NotExecuted,
    "NOREPLICAS": errors.NotExecuted,
    "TRYAGAIN": errors.NotExecuted,
    "UNBLOCKED": errors.NotReplicated,  # a WAIT cut short because the server was demoted under it
    "NOAUTH": errors.AccessDenied,
    "NOPERM": errors.AccessDenied,
    "WRONGPASS": errors.AccessDenied,
}
# redis-py knows the codes at the start of a message, and not all of them. Servers before 7 wrap what a script ran into
# in a message of their own: "ERR Error running script ...: -OOM ...".
_CODE: Final = re.compile(r"(?:^|[ :]-)(" + "|".join(_MEANING) + r")\b")


def is_reply(error: RedisError) -> bool:
    """Tell an error reply of the server from a failure of the connection, which redis-py both raises."""
    return isinstance(error, ResponseError) or error.status_code is not None


def as_error(reply: RedisError) -> errors.StoreError:
    """Return an error reply as one of our errors."""
    if isinstance(reply, AskError):
        return errors.Moved(reply.slot_id, reply.host, reply.port, once=not isinstance(reply, MovedError))
    message = f"{reply.status_code} {reply}" if reply.status_code else str(reply)
    found = _CODE.search(message)
    return _MEANING[found[1]](message) if found else errors.CommandFailed(message)


def read_error(message: str) -> errors.StoreError:
    """Return an error reply as one of our errors, by way of redis-py's."""
    return as_error(DefaultParser.parse_error(message))  # type: ignore[no-untyped-call]


def as_lines(info: bytes) -> dict[str, str]:
    """Return the answer of INFO as name and value."""
    lines = (line.partition(":") for line in info.decode(errors="replace").splitlines() if not line.startswith("#"))
    return {name: value for name, colon, value in lines if colon}
