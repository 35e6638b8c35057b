"""Match clocks: decision time, time banks, disconnect limits, and how long a match may stay open or finished.

All times are milliseconds since 1970 by the worker's one source of time. They are stored in the match's records, so any
worker can tell which clock has run out.

The clock of a house bot's seat does not run before `waits`, the latest time until which the match waits for the bot. A
bot takes a moment to connect; that moment may be longer than the match's time limits, and it is not the seat's fault.

A clock stands while the store is away, for nobody can act then. It also begins later if its question is told late.

A reaction window changes no time bank: a bank that shrinks or grows would reveal to other players which seats were
asked and had to think. A window of fixed length ends by its length alone.
"""

from __future__ import annotations

from landsraad_server.matches.records import ClockTerms, Presence, SeatState
from landsraad_server.store.pulse import Pause

#: Time for which a finished match stays in the store before it is archived, so that clients can read its end.
KEPT_MS = 60_000
#: Time after which a house bot is requested again for a seat that has none: much longer than a bot takes to connect.
BOTS_MS = 10_000
#: Time for which an open match waits for its players.
OPEN_MS = 24 * 3_600_000
#: Upper limit of the time of one answer that is put down to the network, since clients could claim any.
MOST_NETWORK_MS = 1_000


def start_clock(
    rules: ClockTerms, seat: SeatState, was: int, asked: int, now: int, *, answered: bool, window: bool, waits: int = 0
) -> None:
    """Stop the clock of the seat's previous question, and start that of its next one.

    If a question replaces another without an answer, the clock runs on: the question was only put anew because its
    options have changed, for example with the seat's purse.

    Args:
        rules: The clock terms of the match.
        seat: The seat, which is changed.
        was: The number of the previous question; 0 for none.
        asked: The number of the next question; 0 for none.
        now: The time.
        answered: Whether the seat has answered the previous question.
        window: Whether the next question belongs to a reaction window.
        waits: Time until which the match waits for a house bot on this seat; 0 if it does not.
    """
    if was and asked and not answered and seat.in_window == window:
        return
    if was and seat.asked_at:
        spent = seat.spent_ms + max(0, now - max(seat.asked_at, waits))
        seat.network_ms = min(seat.network_ms, spent)
        seat.thinking_ms = spent - seat.network_ms
        if rules.bank_ms and not seat.in_window:
            seat.bank_ms = max(0, seat.bank_ms - max(0, seat.thinking_ms - rules.decision_ms))
            seat.bank_ms += rules.increment_ms if answered else 0
    seat.asked_at, seat.spent_ms = now if asked else 0, 0
    seat.in_window = bool(asked) and window


def stand(seat: SeatState, pause: Pause, waits: int = 0) -> None:
    """Let the clock of an open question stand during a pause. Doing so twice changes nothing more."""
    seat.spent_ms += max(0, pause.begin - max(seat.asked_at, waits))
    seat.asked_at = pause.end


def runs_out(rules: ClockTerms, seat: SeatState, waits: int = 0) -> int:
    """Return the time at which a seat's clock runs out; 0 if it has no open question or no limit."""
    if not seat.asked_at:
        return 0
    begun = max(seat.asked_at, waits)
    times = []
    if rules.limited:
        times.append(begun + rules.decision_ms + seat.bank_ms + seat.network_ms - seat.spent_ms)
    if rules.disconnect_ms and seat.presence is Presence.AWAY:
        times.append(max(seat.away_at, begun) + rules.disconnect_ms)
    return min(times, default=0)


def time_left(rules: ClockTerms, seat: SeatState, now: int, waits: int = 0) -> tuple[int, int]:
    """Return the decision time and the time bank that a seat has left."""
    spent = seat.spent_ms + max(0, now - max(seat.asked_at, waits)) if seat.asked_at else 0
    return max(0, rules.decision_ms - spent), max(0, seat.bank_ms - max(0, spent - rules.decision_ms))
