"""All tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0001"
down_revision = None

LONG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DOUBLE: TypeEngine[float] = sa.Double().with_variant(sa.REAL(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "audit",
        sa.Column("n", LONG, autoincrement=True, nullable=False),
        sa.Column("at", LONG, nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("n", name=op.f("pk_audit")),
        sqlite_strict=True,
    )
    op.create_table(
        "bots",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("name", name=op.f("uq_bots_name")),
        sqlite_strict=True,
    )
    op.create_table(
        "leagues",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("spec_toml", sa.Text(), nullable=False),
        sa.Column("engine_build", sa.Text(), nullable=False),
        sa.Column("content_digest", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened_at", LONG, nullable=False),
        sa.CheckConstraint("state IN ('open', 'paused', 'closed')", name=op.f("ck_leagues_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leagues")),
        sa.UniqueConstraint("name", name=op.f("uq_leagues_name")),
        sqlite_strict=True,
    )
    op.create_table(
        "fixtures",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("league", LONG, autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("lineup", sa.Text(), nullable=False),
        sa.Column("place_in_schedule", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.CheckConstraint("state IN ('waiting', 'playing', 'closed')", name=op.f("ck_fixtures_state")),
        sa.ForeignKeyConstraint(["league"], ["leagues.id"], name=op.f("fk_fixtures_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fixtures")),
        sa.UniqueConstraint("league", "place_in_schedule", name=op.f("uq_fixtures_league_place_in_schedule")),
        sqlite_strict=True,
    )
    op.create_table(
        "rating_runs",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("league", LONG, autoincrement=False, nullable=False),
        sa.Column("upto_place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("data_digest", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("made_at", LONG, nullable=False),
        sa.ForeignKeyConstraint(["league"], ["leagues.id"], name=op.f("fk_rating_runs_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_runs")),
        sqlite_strict=True,
    )
    op.create_table(
        "versions",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("bot", LONG, autoincrement=False, nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("declared_at", LONG, nullable=False),
        sa.Column("retired_at", LONG, nullable=True),
        sa.CheckConstraint("kind IN ('remote', 'hosted')", name=op.f("ck_versions_kind")),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name=op.f("fk_versions_bot")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot", "n", name=op.f("uq_versions_bot_n")),
        sqlite_strict=True,
    )
    op.create_table(
        "entries",
        sa.Column("league", LONG, autoincrement=False, nullable=False),
        sa.Column("version", LONG, autoincrement=False, nullable=False),
        sa.Column("at_once", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("since", LONG, nullable=False),
        sa.Column("until", LONG, nullable=True),
        sa.ForeignKeyConstraint(["league"], ["leagues.id"], name=op.f("fk_entries_league")),
        sa.ForeignKeyConstraint(["version"], ["versions.id"], name=op.f("fk_entries_version")),
        sa.PrimaryKeyConstraint("league", "version", name=op.f("pk_entries")),
        sqlite_strict=True,
    )
    op.create_table(
        "matches",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("fixture", LONG, autoincrement=False, nullable=False),
        sa.Column("attempt", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("started_at", LONG, nullable=False),
        sa.Column("ended_at", LONG, nullable=False),
        sa.Column("ending", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("turns", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("decisions", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("certificate_digest", sa.Text(), nullable=False),
        sa.Column("archive", sa.Text(), nullable=True),
        sa.Column("verified_by", sa.Text(), nullable=True),
        sa.Column("verified_at", LONG, nullable=True),
        sa.CheckConstraint("outcome IN ('decided', 'spoiled', 'void')", name=op.f("ck_matches_outcome")),
        sa.ForeignKeyConstraint(["fixture"], ["fixtures.id"], name=op.f("fk_matches_fixture")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("fixture", "attempt", name=op.f("uq_matches_fixture_attempt")),
        sqlite_strict=True,
    )
    op.create_table(
        "ratings",
        sa.Column("run", LONG, autoincrement=False, nullable=False),
        sa.Column("version", LONG, autoincrement=False, nullable=False),
        sa.Column("faction", sa.Text(), nullable=False),
        sa.Column("value", DOUBLE, nullable=False),
        sa.Column("se", DOUBLE, nullable=False),
        sa.Column("low", DOUBLE, nullable=False),
        sa.Column("high", DOUBLE, nullable=False),
        sa.Column("rank_low", sa.Integer(), autoincrement=False, nullable=True),
        sa.Column("rank_high", sa.Integer(), autoincrement=False, nullable=True),
        sa.Column("games", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["run"], ["rating_runs.id"], name=op.f("fk_ratings_run")),
        sa.ForeignKeyConstraint(["version"], ["versions.id"], name=op.f("fk_ratings_version")),
        sa.PrimaryKeyConstraint("run", "version", "faction", name=op.f("pk_ratings")),
        sqlite_strict=True,
    )
    op.create_table(
        "appeals",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("match", LONG, autoincrement=False, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("claim", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=True),
        sa.Column("decided_at", LONG, nullable=True),
        sa.CheckConstraint("state IN ('open', 'upheld', 'denied')", name=op.f("ck_appeals_state")),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name=op.f("fk_appeals_match")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appeals")),
        sqlite_strict=True,
    )
    op.create_table(
        "seats",
        sa.Column("match", LONG, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", LONG, autoincrement=False, nullable=False),
        sa.Column("faction", sa.Text(), nullable=False),
        sa.Column("share", DOUBLE, nullable=False),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.Column("thinking_p50_ms", DOUBLE, nullable=True),
        sa.Column("thinking_p99_ms", DOUBLE, nullable=True),
        sa.Column("network_p50_ms", DOUBLE, nullable=True),
        sa.Column("timeouts", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("refusals", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name=op.f("fk_seats_match")),
        sa.ForeignKeyConstraint(["version"], ["versions.id"], name=op.f("fk_seats_version")),
        sa.PrimaryKeyConstraint("match", "seat", name=op.f("pk_seats")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_seats_version"), "seats", ["version"], unique=False)
    op.create_table(
        "exclusions",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("match", LONG, autoincrement=False, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", LONG, nullable=False),
        sa.Column("appeal", LONG, autoincrement=False, nullable=True),
        sa.ForeignKeyConstraint(["appeal"], ["appeals.id"], name=op.f("fk_exclusions_appeal")),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name=op.f("fk_exclusions_match")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exclusions")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_exclusions_match"), "exclusions", ["match"], unique=False)


def downgrade() -> None:
    """Drop them."""
    op.drop_index(op.f("ix_exclusions_match"), table_name="exclusions")
    op.drop_table("exclusions")
    op.drop_index(op.f("ix_seats_version"), table_name="seats")
    op.drop_table("seats")
    op.drop_table("appeals")
    op.drop_table("ratings")
    op.drop_table("matches")
    op.drop_table("entries")
    op.drop_table("versions")
    op.drop_table("rating_runs")
    op.drop_table("fixtures")
    op.drop_table("leagues")
    op.drop_table("bots")
    op.drop_table("audit")
