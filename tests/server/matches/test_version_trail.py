"""The version trail finds what two histories share."""

from __future__ import annotations

from landsraad_server.matches.records import LogCounters, MatchRecord
from landsraad_server.matches.version_trail import VersionTrail
from landsraad_server.store import Head


def history(length: int, common: int = 0) -> list[tuple[Head, MatchRecord]]:
    """Return a log of which each version adds an entry; after `common` versions it is another history."""
    names = [b"%s%d" % (b"a" if version <= common else b"b", version) for version in range(1, length + 1)]
    heads = [Head(version, 1, name, 0) for version, name in enumerate(names, 1)]
    counters = [LogCounters([head.version, 0], [0, 0], [0]) for head in heads]
    return [
        (head, MatchRecord(0, [], {}, b"", [], count, {}, None, None))
        for head, count in zip(heads, counters, strict=True)
    ]


def test_the_last_common_version_is_found() -> None:
    trail = VersionTrail()
    for head, _ in history(100, common=100):
        trail.add(head)
    assert trail.standing(history(100, common=100), 2) == [100, 0]
    assert trail.standing(history(90, common=90), 2) == [90, 0]
    assert trail.standing(history(120, common=70), 2) == [70, 0]
    assert trail.standing(history(120, common=0), 2) == [0, 0]


def test_of_what_is_long_past_the_waypoint_before_is_found() -> None:
    trail = VersionTrail()
    for head, _ in history(200, common=200):
        trail.add(head)
    assert trail.standing(history(300, common=100), 2) == [96, 0]
    assert trail.standing(history(40, common=40), 2) == [32, 0]


def test_a_trail_that_starts_at_a_snapshot_knows_its_waypoints() -> None:
    trail = VersionTrail()
    trail.add(Head(7, 1, b"other", 0))
    trail.restart(head for head, _ in history(70, common=70) if head.version in (32, 64) or head.version > 66)
    assert trail.standing(history(80, common=68), 2) == [68, 0]
    assert trail.standing(history(80, common=50), 2) == [32, 0]
