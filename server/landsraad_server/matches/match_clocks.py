"""The clocks of a match: decisions, banks, absence; and how long a match may stand where it stands.

All times are milliseconds since 1970 by the worker's one source of time. They stand in the envelope, so any worker can
tell what has run out.

The clock of a seat of the house stands while its bot is awaited (`waits`: so long at most): that it takes a moment to
come is no fault of whoever has asked for it, and the terms of a match may be shorter than that moment.

In a reaction window nobody's bank is touched: a bank that shrinks, or is added to, would tell the others who was asked
and who had to think. And a window whose length the match has fixed ends by that alone.
"""

from __future__ import annotations

from landsraad_server.matches.records import ClockTerms, Presence, SeatState

#: How long a finished match stays in the store before it goes to the archive: streams and results are read meanwhile.
KEPT_MS = 60_000
#: How long a seat of the house may be without its bot before the house is told of it again: much longer than bots take
#: to come, or to come back.
BOTS_MS = 10_000
#: How long a match may wait for its players.
OPEN_MS = 24 * 3_600_000
#: More of an answer's time than this is not put down to the network, whatever its client says.
MOST_NETWORK_MS = 1_000


def start_clock(
    rules: ClockTerms, seat: SeatState, was: int, asked: int, now: int, *, answered: bool, window: bool, waits: int = 0
) -> None:
    """A seat's open question is another one now (0: none): stop its clock, or start it (`window`: for a window).

    Without an answer the clock runs on: a question is put in other words when what the seat could answer has changed,
    and that, a purse for example, is its own business.
    """
    if was and asked and not answered and seat.in_window == window:
        return
    if was and seat.asked_at:
        spent = max(0, now - max(seat.asked_at, waits))
        seat.network_ms = min(seat.network_ms, spent)
        seat.thinking_ms = spent - seat.network_ms
        if rules.bank_ms and not seat.in_window:
            seat.bank_ms = max(0, seat.bank_ms - max(0, seat.thinking_ms - rules.decision_ms))
            seat.bank_ms += rules.increment_ms if answered else 0
    seat.asked_at = now if asked else 0
    seat.in_window = bool(asked) and window


def runs_out(rules: ClockTerms, seat: SeatState, waits: int = 0) -> int:
    """When a seat's time for its open question is up; 0 if it is not asked, or has no limit."""
    if not seat.asked_at:
        return 0
    begun = max(seat.asked_at, waits)
    times = []
    if rules.limited:
        times.append(begun + rules.decision_ms + seat.bank_ms + seat.network_ms)
    if rules.disconnect_ms and seat.presence is Presence.AWAY:
        times.append(max(seat.away_at, begun) + rules.disconnect_ms)
    return min(times, default=0)


def left(rules: ClockTerms, seat: SeatState, now: int, waits: int = 0) -> tuple[int, int]:
    """What a seat has left for its open question, and in its bank."""
    spent = max(0, now - max(seat.asked_at, waits)) if seat.asked_at else 0
    return max(0, rules.decision_ms - spent), max(0, seat.bank_ms - max(0, spent - rules.decision_ms))
