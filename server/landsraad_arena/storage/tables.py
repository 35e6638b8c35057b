"""Tables of the database. A change here needs a migration beside it, which a test compares."""

from __future__ import annotations

from sqlalchemy import (
    REAL,
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)
#: SQLite's strict tables know five types, of which these are two. Times are milliseconds since 1970.
_LONG = BigInteger().with_variant(Integer(), "sqlite")
_DOUBLE: TypeEngine[float] = Double().with_variant(REAL(), "sqlite")


def _id() -> Column[int]:
    return Column("id", _LONG, primary_key=True, autoincrement=True)


def _to(name: str, table: str, *, key: bool = False, nullable: bool = False) -> Column[int]:
    """Return a column that refers to the id of another table."""
    return Column(name, _LONG, ForeignKey(f"{table}.id"), primary_key=key, nullable=nullable, autoincrement=False)


def _text(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, Text, nullable=nullable)


def _time(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, _LONG, nullable=nullable)


def _count(name: str, *, nullable: bool = False, key: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=nullable, primary_key=key, autoincrement=False)


def _real(name: str, *, nullable: bool = False) -> Column[float]:
    return Column(name, _DOUBLE, nullable=nullable)


def _one_of(column: str, *values: str) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(map(repr, values))})", name=column)


bots = Table("bots", METADATA, _id(), _text("owner"), _text("name"), UniqueConstraint("name"), sqlite_strict=True)
versions = Table(
    "versions",
    METADATA,
    _id(),
    _to("bot", "bots"),
    _count("n"),
    _text("kind"),
    _text("digest"),
    _text("source"),
    _time("declared_at"),
    _time("retired_at", nullable=True),
    UniqueConstraint("bot", "n"),
    _one_of("kind", "remote", "hosted"),
    sqlite_strict=True,
)
leagues = Table(
    "leagues",
    METADATA,
    _id(),
    _text("name"),
    _text("spec_toml"),
    _text("engine_build"),
    _text("content_digest"),
    _text("state"),
    _time("opened_at"),
    UniqueConstraint("name"),
    _one_of("state", "open", "paused", "closed"),
    sqlite_strict=True,
)
entries = Table(
    "entries",
    METADATA,
    _to("league", "leagues", key=True),
    _to("version", "versions", key=True),
    _count("at_once"),
    _time("since"),
    _time("until", nullable=True),
    sqlite_strict=True,
)
fixtures = Table(
    "fixtures",
    METADATA,
    _id(),
    _to("league", "leagues"),
    _count("round"),
    _text("lineup"),
    _count("place_in_schedule"),
    _text("board"),
    _text("state"),
    _text("why"),
    UniqueConstraint("league", "place_in_schedule"),
    _one_of("state", "waiting", "playing", "closed"),
    sqlite_strict=True,
)
matches = Table(
    "matches",
    METADATA,
    _id(),
    _to("fixture", "fixtures"),
    _count("attempt"),
    _time("started_at"),
    _time("ended_at"),
    _text("ending"),
    _text("outcome"),
    _text("cause"),
    _count("turns"),
    _count("decisions"),
    _text("certificate_digest"),
    _text("archive", nullable=True),
    _text("verified_by", nullable=True),
    _time("verified_at", nullable=True),
    UniqueConstraint("fixture", "attempt"),
    _one_of("outcome", "decided", "spoiled", "void"),
    sqlite_strict=True,
)
seats = Table(
    "seats",
    METADATA,
    _to("match", "matches", key=True),
    _count("seat", key=True),
    _to("version", "versions"),
    _text("faction"),
    _real("share"),
    _text("fault", nullable=True),
    _real("thinking_p50_ms", nullable=True),
    _real("thinking_p99_ms", nullable=True),
    _real("network_p50_ms", nullable=True),
    _count("timeouts"),
    _count("refusals"),
    Index(None, "version"),
    sqlite_strict=True,
)
appeals = Table(
    "appeals",
    METADATA,
    _id(),
    _to("match", "matches"),
    _text("by"),
    _text("claim"),
    _text("words"),
    _text("state"),
    _text("decision", nullable=True),
    _time("decided_at", nullable=True),
    _one_of("state", "open", "upheld", "denied"),
    sqlite_strict=True,
)
exclusions = Table(
    "exclusions",
    METADATA,
    _id(),
    _to("match", "matches"),
    _text("reason"),
    _text("by"),
    _time("at"),
    _to("appeal", "appeals", nullable=True),
    Index(None, "match"),
    sqlite_strict=True,
)
rating_runs = Table(
    "rating_runs",
    METADATA,
    _id(),
    _to("league", "leagues"),
    _count("upto_place"),
    _text("data_digest"),
    _text("code"),
    _time("made_at"),
    sqlite_strict=True,
)
ratings = Table(
    "ratings",
    METADATA,
    _to("run", "rating_runs", key=True),
    _to("version", "versions", key=True),
    Column("faction", Text, primary_key=True),  # empty: all factions
    _real("value"),
    _real("se"),
    _real("low"),
    _real("high"),
    _count("rank_low", nullable=True),
    _count("rank_high", nullable=True),
    _count("games"),
    sqlite_strict=True,
)
audit = Table(
    "audit",
    METADATA,
    Column("n", _LONG, primary_key=True, autoincrement=True),
    _time("at"),
    _text("who"),
    _text("what"),
    sqlite_strict=True,
)
