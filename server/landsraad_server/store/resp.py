"""The wire format: commands to bytes, bytes to replies, error replies to our own errors. hiredis does the work."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

import hiredis

from landsraad_server.store import errors

#: int, bytes, None, a list of these, or a StoreError standing where the server answered with an error.
Reply: TypeAlias = Any
#: Takes the one reply to one command, or the StoreError that came instead. Must not raise.
Done: TypeAlias = Callable[[Reply], None]

# Numbers are packed as well, which its types do not say.
_pack: Final = cast("Callable[[tuple[bytes | int, ...]], bytes]", hiredis.pack_command)

#: What `Reader.gets` returns while no whole reply has arrived (None and False are replies).
NOTHING: Final = object()


def noop(*_: object) -> None:
    """The callback of whoever waits for nothing."""


def pack(*command: bytes | int) -> bytes:
    """One command as it goes over the wire."""
    return _pack(command)


def reader() -> hiredis.Reader:
    return hiredis.Reader(protocolError=errors.NoReply, replyError=as_error, notEnoughData=NOTHING)


_MEANING: Final[dict[str, type[errors.StoreError]]] = {
    "NOSCRIPT": errors.ScriptMissing,
    "MOVED": errors.Moved,
    "ASK": errors.Moved,
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
# Servers before 7 wrap what a script ran into in a message of their own: "ERR Error running script ...: -OOM ...".
_CODE: Final = re.compile(r"(?:^|[ :]-)(" + "|".join(_MEANING) + r")\b")


def as_error(message: str) -> errors.StoreError:
    """The error reply `message` as one of ours."""
    found = _CODE.search(message)
    return _MEANING[found[1]](message) if found else errors.CommandFailed(message)


def as_lines(info: bytes) -> dict[str, str]:
    """The answer of INFO as name and value."""
    lines = (line.partition(":") for line in info.decode(errors="replace").splitlines() if not line.startswith("#"))
    return {name: value for name, colon, value in lines if colon}
