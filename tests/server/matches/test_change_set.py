"""Writes to a hosted match, and parts of it that were read before them."""

from __future__ import annotations

import pytest

from landsraad_engine.kernel.grammar import Act
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import MatchStage, SeatPlan, Terms, decode_record, encode


@pytest.fixture
def hosted(teaching: None) -> HostedMatch:
    """A match that is in the log, but has not begun."""
    made = HostedMatch(
        "m", Terms("teaching", [SeatPlan() for _ in range(2)], TEACHING.parse_options({}, 2), "", 1, b"s", "", "")
    )
    made.ours = True
    made.changes.everything()
    assert made.take_record(1) is not None
    return made


def test_where_nothing_was_written_there_is_no_record(hosted: HostedMatch) -> None:
    assert hosted.take_record(2) is None
    hosted.changes.refuse(0)
    assert hosted.take_record(2) is None, "a refusal waits for the next record"
    hosted.changes.status()
    record = hosted.take_record(3)
    assert record is not None
    assert (list(record.seats), record.seats[0].refused) == ([0], 1)


def test_what_was_read_or_recorded_stays_as_it_was(hosted: HostedMatch) -> None:
    hosted.changes.seat(1).seq = 1
    hosted.changes.plan(1).player = "first"
    record = hosted.take_record(2)
    assert record is not None
    stored, seen = encode(record, "teaching"), hosted.frozen_copy()
    parts = (hosted.terms, hosted.status, hosted.seats[1])
    hosted.changes.seat(1).seq = 2
    hosted.changes.plan(1).player = "second"
    hosted.begin(5)
    assert encode(record, "teaching") == stored
    assert (seen.seats[1].seq, seen.terms.seats[1].player, seen.stage) == (1, "first", MatchStage.OPEN)
    assert (parts[0].seats[1].player, parts[1].stage, parts[2].seq) == ("first", MatchStage.OPEN, 1)
    assert (hosted.seats[1].seq, hosted.terms.seats[1].player, hosted.stage) == (2, "second", MatchStage.LIVE)


def test_a_record_leads_another_process_to_the_same_match(hosted: HostedMatch) -> None:
    other = HostedMatch.from_image("m", hosted.image())
    hosted.begin(5)
    for now in range(6, 12):
        g = hosted.game.g
        assert g.ask is not None
        act: Act = g.ask.default_for(g.waiting[0])
        hosted.game.submit(g.waiting[0], act, hosted.decision(g.waiting[0]) or None)
        record = hosted.take_record(now)
        assert record is not None
        other.absorb(decode_record(encode(record, "teaching")))
        assert encode(other.image(), "teaching") == encode(hosted.image(), "teaching")
