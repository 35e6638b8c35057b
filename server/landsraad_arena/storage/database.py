"""The database: SQLite or PostgreSQL, migrated at start, with one thread that writes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Self, TypeVar

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from landsraad_engine.errors import EngineError

_Found = TypeVar("_Found")
_BUSY_SECONDS: Final = 5
#: Key of the advisory lock under which PostgreSQL is migrated.
_MIGRATION_LOCK: Final = 0x6C616E6473


class BadDatabase(EngineError):
    """An address that names no database that leagues can use."""


class Database:
    """A database of leagues.

    Reads run in the caller's thread. Writes run one after the other in a thread of their own, each in a transaction.

    Args:
        url: `sqlite:///FILE`, or `postgresql+psycopg://…`.

    Raises:
        BadDatabase: The address is another one, or its driver is not installed.

    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="arena-writer")
        try:
            self.migrate("head")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish the writes that have begun, and close all connections."""
        self._writer.shutdown()
        self.engine.dispose()

    def read(self, query: Callable[[Connection], _Found]) -> _Found:
        """Return what a query finds."""
        with self.engine.begin() as connection:
            return query(connection)

    def write(self, change: Callable[[Connection], _Found]) -> _Found:
        """Make a change in a transaction, after those that came before. Returns its result once it is committed."""
        return self._writer.submit(self._write, change).result()

    def _write(self, change: Callable[[Connection], _Found]) -> _Found:
        with self.engine.connect().execution_options(landsraad_write=True) as connection, connection.begin():
            return change(connection)

    def migrate(self, revision: str) -> None:
        """Migrate to a revision, up or down, under a lock that all processes share."""
        self.write(lambda connection: _migrate(connection, revision))


def _migrate(connection: Connection, revision: str) -> None:
    """Run Alembic in the transaction of a connection."""
    if connection.dialect.name == "postgresql":  # SQLite's BEGIN IMMEDIATE is such a lock
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
    config = Config()
    config.set_main_option("script_location", "landsraad_arena:storage/migrations")
    config.attributes["connection"] = connection
    if revision == "base":
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)


def _engine(url: str) -> Engine:
    """Return the engine of an address."""
    try:
        parsed = make_url(url)
        if parsed.drivername not in {"sqlite", "postgresql+psycopg"}:
            raise BadDatabase(f"{parsed.drivername} is none of sqlite, postgresql+psycopg")
        if parsed.drivername != "sqlite":
            return create_engine(parsed)
    except ArgumentError as error:
        raise BadDatabase(f"this is no address of a database: {error}") from None
    except ModuleNotFoundError as error:
        raise BadDatabase(f"{error.name} is not installed: install the extra `postgres`") from None
    if not parsed.database or parsed.database == ":memory:":
        raise BadDatabase("name a file: sqlite:///FILE")
    engine = create_engine(parsed, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Set what SQLite sets for each connection. The driver begins no transaction by itself: we do."""
    connection.isolation_level = None
    for pragma in ("foreign_keys = ON", "journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction; one that will write takes the lock at once, so that it cannot fail half-way."""
    writes = connection.get_execution_options().get("landsraad_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
