"""Audit log: one JSON line for each action of an operator, written to disk before the call is answered.

Calls without the credential are rate-limited in the log: each line is a synchronous write, and every client that
reaches the port could cause as many as it likes. A summary line counts the calls left out.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from landsraad.wire.refusals import CODES


class AuditLine(msgspec.Struct, omit_defaults=True):
    """One call to the admin port."""

    time: int
    operator: str
    address: str
    call: str
    resource: str = ""
    reason: str = ""
    code: int = 0


#: Calls without the credential: burst, and ms for each further one.
MOST_ANONYMOUS, ANONYMOUS_MS = 60, 10_000
#: Reason and call of the summary line.
_LEFT_OUT, _ANY = "{} more calls without the credential are not listed", "Admin"

_decode = msgspec.json.Decoder(AuditLine).decode


class AuditLog:
    """An append-only file of audit lines."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        #: token bucket in ms, when it was last filled, and the calls left out since the last line
        self._allowance = MOST_ANONYMOUS * ANONYMOUS_MS
        self._latest = 0
        self._left_out = 0

    def add(self, line: AuditLine) -> None:
        """Write a line and sync it to disk; a line without an operator may only be counted."""
        if not line.operator and not self._allowed(line.time):
            self._left_out += 1
            return
        self._write_left_out(line.time)
        self._write(line)

    def _allowed(self, time: int) -> bool:
        """Return whether the rate limit lets a line without an operator through."""
        passed = max(0, time - self._latest)
        self._allowance = min(MOST_ANONYMOUS * ANONYMOUS_MS, self._allowance + passed)
        self._latest = time
        if self._allowance < ANONYMOUS_MS:
            return False
        self._allowance -= ANONYMOUS_MS
        return True

    def _write_left_out(self, time: int) -> None:
        if self._left_out:
            left_out, self._left_out = self._left_out, 0
            reason = _LEFT_OUT.format(left_out)
            self._write(AuditLine(time, "", "", _ANY, reason=reason, code=CODES["NO_CREDENTIAL"]))

    def _write(self, line: AuditLine) -> None:
        os.write(self._file, msgspec.json.encode(line) + b"\n")
        os.fsync(self._file)

    def newest(self, size: int, before: int, match: str) -> tuple[list[AuditLine], int]:
        """Return a page of lines, newest first, and the number before which the next page begins.

        Lines that a crash has cut off are skipped.

        Args:
            size: The most lines to return.
            before: The line number before which the page ends; 0 for the end of the log.
            match: Only lines about this resource; empty for all.

        Returns:
            The lines, and the `before` of the next page; 0 if there is none.

        Raises:
            LookupError: `before` is beyond the end of the log.
        """
        self._write_left_out(self._latest)
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
        self._write_left_out(self._latest)
        os.close(self._file)
