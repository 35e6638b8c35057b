"""The database of leagues, on SQLite in each run and on PostgreSQL in the long one."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, func, insert, inspect, select
from sqlalchemy.exc import IntegrityError

from landsraad_arena.rating.intervals import rate
from landsraad_arena.rating.model import fit, gather
from landsraad_arena.scheduling.fixtures import Entrant, TableRules
from landsraad_arena.scheduling.rounds import make_round
from landsraad_arena.storage import records
from landsraad_arena.storage.database import BadDatabase, Database
from landsraad_arena.storage.records import LeagueResult, SeatResult
from landsraad_arena.storage.tables import METADATA, audit, bots, entries, matches, rating_runs, ratings

RULES = TableRules(2, ("Atreides", "Harkonnen"), ("greedy",))
VERSIONS = ("a", "b", "c", "greedy")


def result(winner: int, digest: str, *, outcome: str = "decided", fault: int | None = None) -> LeagueResult:
    seats = tuple(SeatResult(float(n == winner), "timeouts" if n == fault else None) for n in range(2))
    return LeagueResult(outcome, "rules", "victory", digest, 1000, 2000, seats, turns=5, decisions=90)


def league_with_round(database: Database) -> tuple[int, int]:
    """Open a league of three versions and a panel with a round. Returns its id and the number of its fixtures."""

    def make(connection: Connection) -> tuple[int, int]:
        league = records.open_league(connection, "test", "name = 'test'", "build", "content", 1)
        ids = {}
        for name in VERSIONS:
            ids[name] = records.declare_version(connection, name, f"owner-{name}", "hosted", "d", "source", 2)
            records.enter_league(connection, league, ids[name], 1, 3)
        made = make_round([Entrant(name, name) for name in VERSIONS[:3]], RULES, 6, 1)
        records.add_fixtures(connection, league, 0, made, ids)
        return league, len(made)

    return database.write(make)


def check_league(database: Database) -> None:
    """A league from its first row to its standings."""
    league, places = league_with_round(database)
    assert database.read(lambda c: c.execute(select(func.count()).select_from(entries)).scalar()) == 4
    assert database.read(lambda c: records.closed_prefix(c, league)) == 0

    def take(place: int, given: LeagueResult) -> int:
        return database.write(lambda c: records.take_result(c, league, place, given))

    taken = {n: take(n, result(n % 2, f"digest{n}")) for n in range(places) if n != 2}
    # results beyond the gap wait: short matches come in first
    assert database.read(lambda c: records.closed_prefix(c, league)) == 2
    assert len(database.read(lambda c: records.rated_results(c, league, 2))) == 2
    take(2, result(0, "digest2", outcome="spoiled", fault=1))
    assert database.read(lambda c: records.closed_prefix(c, league)) == places

    found = database.read(lambda c: records.rated_results(c, league, places))
    assert [each.board for each in found] == [f"{league}/{place}" for place in range(places)]
    assert [each.offender for each in found[:4]] == [None, None, 1, None]
    assert {name for each in found for name in each.versions} == {"a#1", "b#1", "c#1", "greedy#1"}
    assert found[0].shares == (1.0, 0.0)

    # the same result twice is one; another one is refused
    assert take(0, result(0, "digest0")) == taken[0]
    with pytest.raises(records.WrongResult, match="closed by another"):
        take(0, result(1, "other"))
    assert database.read(lambda c: c.execute(select(func.count()).select_from(matches)).scalar()) == places

    before = records.digest_of(found)
    database.write(lambda c: records.exclude(c, taken[1], "our outage", "operator", 9))
    left = database.read(lambda c: records.rated_results(c, league, places))
    assert left == [found[0], *found[2:]]
    assert records.digest_of(left) != before
    assert "exclude match" in database.read(
        lambda c: c.execute(select(audit.c.what).order_by(audit.c.n.desc()).limit(1)).scalar_one()
    )

    rows = rate(fit(gather(left)), "greedy#1")
    run = database.write(lambda c: records.save_ratings(c, league, places, records.digest_of(left), "code", rows, 10))
    stored = database.read(
        lambda c: (
            c.execute(select(ratings.c.value).where(ratings.c.run == run, ratings.c.faction == "")).scalars().all()
        )
    )
    assert sorted(stored) == pytest.approx(sorted(row.rating.value for row in rows))
    assert database.read(lambda c: c.execute(select(rating_runs.c.data_digest)).scalar_one()) == records.digest_of(left)


def check_migrations(database: Database) -> None:
    """The migrations make exactly the tables, and take them away again."""

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    assert database.read(differences) == []
    database.migrate("base")
    assert set(database.read(lambda c: inspect(c).get_table_names())) <= {"alembic_version"}
    database.migrate("head")
    assert database.read(differences) == []


def check_refusals(database: Database) -> None:
    """A change that fails leaves nothing; constraints hold."""
    league, _ = league_with_round(database)

    def fail(connection: Connection) -> None:
        connection.execute(insert(bots).values(owner="x", name="lost"))
        raise LookupError

    with pytest.raises(LookupError):
        database.write(fail)
    names = database.read(lambda c: c.execute(select(bots.c.name)).scalars().all())
    assert "lost" not in names
    with pytest.raises(IntegrityError):
        database.write(lambda c: c.execute(insert(entries).values(league=99, version=99, at_once=1, since=1)))
    with pytest.raises(IntegrityError):
        database.write(lambda c: records.open_league(c, "test", "", "", "", 1))
    with pytest.raises(records.UnknownRecord, match="no fixture 99"):
        database.write(lambda c: records.take_result(c, league, 99, result(0, "x")))
    with pytest.raises(records.UnknownRecord, match="no match 99"):
        database.write(lambda c: records.exclude(c, 99, "", "", 1))
    with pytest.raises(records.WrongResult, match="one offender"):
        database.write(lambda c: records.take_result(c, league, 0, result(0, "x", outcome="spoiled")))
    with pytest.raises(records.WrongResult, match="belongs to owner-a"):
        database.write(lambda c: records.declare_version(c, "a", "thief", "hosted", "d", "s", 1))


def check_writers(url: str) -> None:
    """Writers of two processes' worth of databases, from many threads, lose nothing."""

    def register(database: Database, name: str) -> None:
        database.write(lambda c: c.execute(insert(bots).values(owner="x", name=name)))

    with Database(url) as one, Database(url) as other, ThreadPoolExecutor(4) as threads:
        names = [f"w{n}" for n in range(20)]
        changes = [threads.submit(register, (one, other)[n % 2], name) for n, name in enumerate(names)]
        for change in changes:
            change.result()
        found = one.read(lambda c: c.execute(select(bots.c.name).where(bots.c.owner == "x")).scalars().all())
    assert sorted(found) == sorted(names)


def test_a_league_on_sqlite(sqlite_url: str) -> None:
    with Database(sqlite_url) as database:
        check_league(database)


def test_refusals_on_sqlite(sqlite_url: str) -> None:
    with Database(sqlite_url) as database:
        check_refusals(database)


def test_migrations_on_sqlite(sqlite_url: str) -> None:
    with Database(sqlite_url) as database:
        check_migrations(database)


def test_two_writers_on_sqlite(sqlite_url: str) -> None:
    check_writers(sqlite_url)


def test_sqlite_is_strict_and_safe(sqlite_url: str, tmp_path: Path) -> None:
    with Database(sqlite_url) as database:
        pragmas = ("foreign_keys", "journal_mode", "synchronous")
        found = database.read(lambda c: [c.exec_driver_sql(f"PRAGMA {pragma}").scalar() for pragma in pragmas])
    assert found == [1, "wal", 2]
    with sqlite3.connect(tmp_path / "arena.db") as connection:
        strict = dict(connection.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table'"))
    connection.close()
    assert all(strict[name] for name in METADATA.tables)


def test_what_is_stored_is_there_again(sqlite_url: str) -> None:
    with Database(sqlite_url) as database:
        league, _ = league_with_round(database)
        database.write(lambda c: records.take_result(c, league, 0, result(0, "digest")))
    with Database(sqlite_url) as database:
        assert database.read(lambda c: records.closed_prefix(c, league)) == 1


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "no address of a database"),
        ("mysql://x/y", "mysql is none of"),
        ("sqlite://", "name a file"),
        ("sqlite:///:memory:", "name a file"),
    ],
)
def test_other_databases_are_refused(url: str, words: str) -> None:
    with pytest.raises(BadDatabase, match=words):
        Database(url)


@pytest.mark.long
@pytest.mark.parametrize("check", [check_league, check_refusals, check_migrations])
def test_postgresql(postgres_url: str, check: object) -> None:
    assert callable(check)
    with Database(postgres_url) as database:
        database.migrate("base")
        database.migrate("head")
        check(database)


@pytest.mark.long
def test_two_writers_on_postgresql(postgres_url: str) -> None:
    check_writers(postgres_url)
