"""Sessions of visitors: a cookie holds the id of a session, and the token of the account stays in this process.

Sessions are kept in a file, so that a restart of the page signs nobody out. The file holds tokens: only the user who
runs the service can read it.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from landsraad_web.errors import PageError
from landsraad_web.settings import PageLimits

_DAY: Final = 86_400
_HOUR: Final = 3_600
#: A session's end is moved on when it is used, but not written at every request.
_RENEW_AFTER: Final = _HOUR
#: Seconds in which another device can take up a link.
LINK_SECONDS: Final = 600
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS instance (name TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sessions (
    id BLOB PRIMARY KEY, token TEXT NOT NULL, account TEXT NOT NULL, name TEXT NOT NULL, guest INTEGER NOT NULL,
    address TEXT NOT NULL, made INTEGER NOT NULL, ends INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS by_address ON sessions (address, made);
CREATE INDEX IF NOT EXISTS by_end ON sessions (ends);
CREATE TABLE IF NOT EXISTS links (id BLOB PRIMARY KEY, session BLOB NOT NULL, ends INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS seats (
    account TEXT NOT NULL, match TEXT NOT NULL, seat INTEGER NOT NULL, taken INTEGER NOT NULL,
    PRIMARY KEY (account, match, seat)
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class VisitorSession:
    """A visitor who is signed in."""

    key: bytes
    token: str
    account: str
    name: str
    guest: bool


class SessionStore:
    """All sessions of one page.

    Args:
        file: The file; ":memory:" for none.
        limits: How many there may be.
        now: The time in seconds.
    """

    def __init__(self, file: str, limits: PageLimits, now: Callable[[], float] = time.time) -> None:
        self._limits = limits
        self._now = now
        if file != ":memory:":
            path = Path(file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(0o600)
            path.chmod(0o600)
        self._file = sqlite3.connect(file, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.executescript(_TABLES)
        found = self._file.execute("SELECT name FROM instance").fetchone()
        if found is None:
            found = (secrets.token_hex(4),)
            self._file.execute("INSERT INTO instance VALUES (?)", found)
        #: names this page's cookie apart from those of other services on the same host, whose ports it does not tell
        self.instance: str = found[0]

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def create(self, token: str, account: str, name: str, address: str, *, guest: bool) -> str:
        """Begin a session.

        Returns:
            Its id, for the cookie.

        Raises:
            PageError: There are too many.
        """
        now = int(self._now())
        self._file.execute("DELETE FROM sessions WHERE ends <= ?", (now,))
        (recent,) = self._file.execute(
            "SELECT count(*) FROM sessions WHERE address = ? AND made > ?", (address, now - _HOUR)
        ).fetchone()
        (total,) = self._file.execute("SELECT count(*) FROM sessions").fetchone()
        if recent >= self._limits.sessions_per_address or total >= self._limits.sessions:
            raise PageError(429, "too_many_sessions", "too many sessions were begun; try again later", retry_after=60)
        given = secrets.token_urlsafe(32)
        row = (_digest(given), token, account, name, int(guest), address, now, now + self._seconds)
        self._file.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return given

    def find(self, given: str) -> VisitorSession | None:
        """Return the session of a cookie; None if there is none, or if it has ended."""
        key = _digest(given)
        row = self._file.execute(
            "SELECT token, account, name, guest, ends FROM sessions WHERE id = ?", (key,)
        ).fetchone()
        now = int(self._now())
        if row is None or row[4] <= now:
            return None
        if row[4] < now + self._seconds - _RENEW_AFTER:
            self._file.execute("UPDATE sessions SET ends = ? WHERE id = ?", (now + self._seconds, key))
        return VisitorSession(key, row[0], row[1], row[2], bool(row[3]))

    def rename(self, session: VisitorSession, name: str) -> None:
        """Change the name that a visitor plays under."""
        self._file.execute("UPDATE sessions SET name = ? WHERE id = ?", (name, session.key))

    def end(self, session: VisitorSession) -> None:
        """End a session."""
        self._file.execute("DELETE FROM sessions WHERE id = ?", (session.key,))
        self._file.execute("DELETE FROM links WHERE session = ?", (session.key,))

    def link(self, session: VisitorSession) -> str:
        """Return a code by which another device gets a session of the same account, once."""
        now = int(self._now())
        self._file.execute("DELETE FROM links WHERE ends <= ? OR session = ?", (now, session.key))
        code = secrets.token_urlsafe(24)
        self._file.execute("INSERT INTO links VALUES (?, ?, ?)", (_digest(code), session.key, now + LINK_SECONDS))
        return code

    def take_link(self, code: str) -> VisitorSession:
        """Return the session that a code was made in.

        Raises:
            PageError: The code is wrong, was used before, or has expired.
        """
        row = self._file.execute("DELETE FROM links WHERE id = ? RETURNING session, ends", (_digest(code),)).fetchone()
        if row is not None and row[1] > self._now():
            found = self._file.execute(
                "SELECT token, account, name, guest FROM sessions WHERE id = ?", (row[0],)
            ).fetchone()
            if found is not None:
                return VisitorSession(row[0], found[0], found[1], found[2], bool(found[3]))
        raise PageError(403, "bad_code", "this link was used before, or has expired; make another one")

    def add_seat(self, account: str, match: str, seat: int) -> None:
        """Note that an account has taken a seat."""
        row = (account, match, seat, int(self._now()))
        self._file.execute("INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?)", row)

    def drop_seat(self, account: str, match: str, seat: int) -> None:
        """Note that an account has given a seat back."""
        self._file.execute("DELETE FROM seats WHERE account = ? AND match = ? AND seat = ?", (account, match, seat))

    def seats(self, account: str, match: str) -> list[int]:
        """Return the seats that an account has taken in a match."""
        rows = self._file.execute(
            "SELECT seat FROM seats WHERE account = ? AND match = ? ORDER BY seat", (account, match)
        )
        return [seat for (seat,) in rows]

    @property
    def _seconds(self) -> int:
        return self._limits.session_days * _DAY


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
