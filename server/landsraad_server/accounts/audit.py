"""The audit log: what operators have done or tried, one JSON line each, on the disk before it is answered.

Of strangers, who have not shown the credential, only some stand in it: each line is a write that is waited for, and
anybody who reaches the port could have as many as he likes. How many others there were is said in a line of its own.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from landsraad.wire.refusals import CODES


class AuditLine(msgspec.Struct, omit_defaults=True):
    """One call."""

    time: int
    operator: str
    address: str
    call: str
    resource: str = ""
    reason: str = ""
    code: int = 0


#: Lines of strangers: so many at once, and in the long run one in so many ms.
MOST_STRANGERS, STRANGER_MS = 60, 10_000
#: What is said of the others, and as which call.
_LEFT_OUT, _ANY = "{} more calls without the credential, which are not listed", "Admin"

_decode = msgspec.json.Decoder(AuditLine).decode


class AuditLog:
    """A file that only grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        #: ms that lines of strangers have not used up, when that was worked out, and how many calls were left out since
        self._allowance = MOST_STRANGERS * STRANGER_MS
        self._latest = 0
        self._left_out = 0

    def add(self, line: AuditLine) -> None:
        """Write a line, through to the disk; that of a stranger, who is no operator, is perhaps only counted."""
        if not line.operator and not self._allowed(line.time):
            self._left_out += 1
            return
        self._say_left_out(line.time)
        self._write(line)

    def _allowed(self, time: int) -> bool:
        """Whether a stranger's line is to stand there."""
        passed = max(0, time - self._latest)
        self._allowance = min(MOST_STRANGERS * STRANGER_MS, self._allowance + passed)
        self._latest = time
        if self._allowance < STRANGER_MS:
            return False
        self._allowance -= STRANGER_MS
        return True

    def _say_left_out(self, time: int) -> None:
        if self._left_out:
            left_out, self._left_out = self._left_out, 0
            reason = _LEFT_OUT.format(left_out)
            self._write(AuditLine(time, "", "", _ANY, reason=reason, code=CODES["NO_CREDENTIAL"]))

    def _write(self, line: AuditLine) -> None:
        os.write(self._file, msgspec.json.encode(line) + b"\n")
        os.fsync(self._file)

    def newest(self, size: int, before: int, match: str) -> tuple[list[AuditLine], int]:
        """Lines, newest first, from before a line number on (0: the end); and where the next page begins (0: nowhere).
        LookupError if there never was such a line.

        A line that a crash has cut off is passed over.
        """
        self._say_left_out(self._latest)
        lines = self._path.read_bytes().split(b"\n")[:-1]
        found: list[AuditLine] = []
        at = before or len(lines)
        if at > len(lines):
            raise LookupError(at)
        while at > 0 and len(found) < size:
            at -= 1
            try:
                line = _decode(lines[at])
            except msgspec.DecodeError:
                continue
            if not match or line.resource == match:
                found.append(line)
        return found, at

    def close(self) -> None:
        self._say_left_out(self._latest)
        os.close(self._file)
