"""Planting: write a position of the engine's test to the store, as another worker would have left it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from landsraad_engine.kernel.execution import held
from landsraad_engine.kernel.zones import Sight
from landsraad_engine.play.build import engine_build
from landsraad_engine.play.match import Match
from landsraad_engine.play.match_core import MatchCore
from landsraad_server.matches import match_messages
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import (
    ClockTerms,
    LogCounters,
    MatchRecord,
    MatchStage,
    MatchStatus,
    Overtime,
    Presence,
    SeatPlan,
    SeatState,
    Terms,
    encode,
)
from landsraad_server.matches.running_match import RunningMatch
from landsraad_server.store import GENESIS, IndexState, Listing, Store

#: Long enough that no clock runs out during the test.
RULES = ClockTerms(3_600_000, 7_200_000, 5_000, 0, Overtime.DEFAULT_ACT)


@dataclass(frozen=True, slots=True)
class Difference:
    """Differences in what the service itself knows of the other seats, in the changed world.

    Their logs are longer, they have sent more inputs, were refused more often, gave other orders before the match began
    and took another time to think. None of these numbers may reach the tested seat.
    """

    entries: int = 0
    inputs: int = 0
    refused: int = 0
    orders: tuple[str, ...] = ()
    thinking_ms: int = 0


async def plant(
    store: Store, name: str, run: Match, seat: int, now: int, differing: Difference, keys: Sequence[bytes]
) -> HostedMatch:
    """Write the position of a run to the store as a match of this name, and return it as hosted."""
    terms = _terms(run, seat, now, differing, keys)
    live = RunningMatch(name, terms)
    live.core = MatchCore(run.g)
    log_counters, entries = _log_entries(run, live, seat, differing)
    if held(run.g):
        log_counters.window_at = now
    record = MatchRecord(
        at=now,
        inputs=[],
        changes=dict(run.g.table),
        stack=live.core.stack(),
        entries=entries,
        log_counters=log_counters,
        seats={number: _state(run, number, seat, log_counters, now, differing) for number in range(run.seats)},
        status=MatchStatus(MatchStage.LIVE, started=now),
        terms=terms,
    )
    hosted = HostedMatch.from_records(name, [(GENESIS, record)])
    assert hosted is not None
    draft = store.log.draft(
        name,
        GENESIS,
        encode(record, terms.game),
        due=hosted.due(),
        listing=Listing(now, IndexState.LIVE, match_messages.summary(hosted)),
    )
    await store.committed(draft)
    return hosted


def _terms(run: Match, seat: int, now: int, differing: Difference, keys: Sequence[bytes]) -> Terms:
    return Terms(
        game=run.game.id,
        seats=[
            SeatPlan(account=f"account {number}", orders=() if number == seat else differing.orders, key=key)
            for number, key in enumerate(keys)
        ],
        options=run.options,
        creator="somebody",
        created=now,
        secret=run.secret,
        build=engine_build(),
        content=run.game.content_digest(run.options),
        clock=RULES,
    )


def _log_entries(
    run: Match, live: RunningMatch, seat: int, differing: Difference
) -> tuple[LogCounters, list[tuple[int, bytes]]]:
    """Return the counters of all logs, and their entries; those of other seats begin with meaningless ones."""
    counts, steps, asked, told = [], [], [], []
    write = live.codec.entry
    for log in (*range(run.seats), None):
        shift = differing.entries if log not in (seat, None) else 0
        entries = [("closed",)] * shift + run.log(log)
        place = run.seats if log is None else log
        told += [(1 << place, write(entry, number)) for number, entry in enumerate(entries, 1)]
        counts.append(len(entries))
        steps.append(_last_step(entries))
        if log is not None:
            asked.append(run.decision(log) + shift if run.decision(log) else 0)
    return LogCounters(counts, steps, asked), told


def _last_step(entries: list[tuple[Any, ...]]) -> int:
    return next((number for number in range(len(entries), 0, -1) if entries[number - 1][0] == "at"), 0)


def _state(run: Match, number: int, seat: int, log_counters: LogCounters, now: int, differing: Difference) -> SeatState:
    ask = run.g.ask
    state = SeatState(seq=10, entry=1, last=1, presence=Presence.AWAY, bank_ms=RULES.bank_ms)
    if log_counters.question_entries[number]:
        state.asked_at = now
        state.in_window = ask is not None and ask.sight is Sight.QUIET
    if number != seat:
        state.seq += differing.inputs
        state.refused, state.thinking_ms = differing.refused, differing.thinking_ms
    return state


def with_key_of(hosted: HostedMatch, run: Match) -> None:
    """Give the match the random key of the run, which in the other world does not follow from the terms."""
    assert hosted.running is not None
    g = hosted.running.g
    g.setting = replace(g.setting, key=run.g.setting.key)
