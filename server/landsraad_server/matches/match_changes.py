"""What can be done to a match from outside the game: fill its seats, begin it, end it early.

Each function is the `run` of a request: it writes to the position, or says why not, and may run again on another
worker's position if that one was faster.
"""

from __future__ import annotations

from landsraad_engine.errors import Refused
from landsraad_server.matches.builds import other_build
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import REVOKED, Ending, Fill, MatchResult, MatchStage, Presence, SeatPlan
from landsraad_server.matches.requests import check_known
from landsraad_server.refusals import Denied

#: Name of the account that plays seats for the house.
HOUSE = "house"


def join(position: HostedMatch, now: int, wanted: int | None, plan: SeatPlan) -> int:
    """Take a seat; the same request of the same account finds the seat that it has got, and gets another credential."""
    seats = position.terms.seats
    for number, held in enumerate(seats):
        if plan.request and (held.account, held.request) == (plan.account, plan.request):
            _check_not_over(position)
            send_away(position, now, number, plan.key)
            return number
    _check_not_over(position)
    if position.stage is not MatchStage.OPEN:
        raise Denied("WRONG_STATE", "the match has begun")
    _check_build(position)
    check_known(position, plan.orders, "standing_orders")
    number = _free(position, wanted, plan.account)
    plan.fill, plan.invited = seats[number].fill, seats[number].invited
    position.plan(number, plan)
    position.seat(number).presence = Presence.AWAY
    position.seat(number).away_at = now
    if all(other.taken for other in position.terms.seats):
        begin(position, now)
    return number


def _free(position: HostedMatch, wanted: int | None, account: str) -> int:
    seats = position.terms.seats
    if wanted is not None and not 0 <= wanted < len(seats):
        raise Denied("NO_SUCH_SEAT", f"the match has the seats 0 to {len(seats) - 1}")
    fitting = [
        number
        for number, plan in enumerate(seats)
        if not plan.taken and (plan.fill is not Fill.INVITED or plan.invited == account)
    ]
    # One's own invitation comes before a seat that is open to all.
    fitting.sort(key=lambda number: seats[number].fill is not Fill.INVITED)
    if wanted is None:
        if not fitting:
            raise Denied("SEAT_TAKEN", "no seat is free for this account")
        return fitting[0]
    if wanted not in fitting:
        kept = seats[wanted].fill is Fill.INVITED and not seats[wanted].taken
        raise Denied("NOT_YOURS" if kept else "SEAT_TAKEN", f"seat {wanted} is not free for this account")
    return wanted


def leave(position: HostedMatch, _now: int, number: int, claim: SeatProof) -> None:
    """Give a seat back."""
    claim.check(position, number)
    _check_not_over(position)
    if position.stage is not MatchStage.OPEN:
        raise Denied("WRONG_STATE", "the match has begun: a seat can resign, but not leave")
    held = position.terms.seats[number]
    if held.account:
        position.plan(number, SeatPlan(held.fill, held.invited))
        send_away(position, 0, number)
        position.seat(number).presence = Presence.NOBODY


def start(position: HostedMatch, now: int, account: str, *, house: bool) -> None:
    """Begin; whatever seat is free goes to the house, if there is one."""
    if position.terms.creator != account:
        raise Denied("NOT_YOURS", "only who has made the match may begin it")
    _check_not_over(position)
    if position.stage is not MatchStage.OPEN:
        raise Denied("WRONG_STATE", "the match has begun")
    _check_build(position)
    free = [number for number, plan in enumerate(position.terms.seats) if not plan.taken]
    if free and not house:
        raise Denied("WRONG_STATE", "not all seats are taken, and this service has no bots of the house")
    for number in free:
        to_house(position, now, number)
    begin(position, now)


def to_house(position: HostedMatch, now: int, number: int) -> None:
    """A bot of the house has the seat from now on."""
    old = position.terms.seats[number]
    bot = old.invited if old.fill is Fill.HOUSE else ""
    position.plan(number, SeatPlan(Fill.HOUSE, bot, "", HOUSE, old.entropy, old.orders))
    send_away(position, now, number)


def send_away(position: HostedMatch, now: int, number: int, key: bytes = b"") -> None:
    """The seat's credential ends: nobody plays it until somebody comes with the next one, whose digest is `key`."""
    position.change_terms().seats[number].key = key
    state = position.seat(number)
    if state.presence is not Presence.RESIGNED:
        state.presence = Presence.AWAY
    state.stream, state.away_at = REVOKED, now


def begin(position: HostedMatch, now: int) -> None:
    """The first question is put."""
    rules = position.terms.clock
    if rules is not None:
        for number in range(len(position.seats)):
            position.seat(number).bank_ms = rules.bank_ms
    position.begin(now)


def resign(position: HostedMatch, now: int, number: int, claim: SeatProof) -> None:
    """Give a seat up for good."""
    claim.check(position, number)
    _check_not_over(position)
    if position.stage is not MatchStage.LIVE:
        raise Denied("WRONG_STATE", "the match has not begun: a seat can leave, but not resign")
    _check_build(position)
    if position.seats[number].presence is not Presence.RESIGNED:
        give_up(position, now, number, Ending.RESIGNATION)


def give_up(position: HostedMatch, now: int, number: int, kind: Ending) -> None:
    """A seat takes default acts from now on; where but one is left that does not, that one has won."""
    position.seat(number).presence = Presence.RESIGNED
    playing = tuple(other for other, seat in enumerate(position.seats) if seat.presence is not Presence.RESIGNED)
    if len(playing) < 2:
        position.end(MatchResult(kind, winners=playing, cause=number), now)
    else:
        position.game.set_absent(number)


def vacate(position: HostedMatch, now: int, worker: str) -> bool:
    """A worker has died: whoever played by it is away. Whether that leaves a seat to the bots of the house."""
    if position.over:
        return False
    vacant = [number for number, seat in enumerate(position.seats) if seat.stream.startswith(f"{worker}.")]
    for number in vacant:
        clear(position, number, now)
    return position.stage is MatchStage.LIVE and any(map(position.wants_bot, vacant))


def clear(position: HostedMatch, number: int, now: int) -> None:
    """Nobody is connected for a seat."""
    state = position.seat(number)
    state.stream, state.away_at = "", now
    if state.presence is not Presence.RESIGNED:
        state.presence = Presence.AWAY


def put_out(position: HostedMatch, now: int, number: int) -> None:
    """End the credential of whoever has joined a seat."""
    position.check_seat(number)
    _check_not_over(position)
    if not position.terms.seats[number].account:
        raise Denied("WRONG_STATE", "nobody has joined this seat")
    send_away(position, now, number)


def put_out_of_all(position: HostedMatch, now: int, account: str) -> list[int]:
    """End the credentials of all seats that an account has here."""
    if position.over:
        return []
    seats = [number for number, plan in enumerate(position.terms.seats) if plan.account == account]
    for number in seats:
        send_away(position, now, number)
    return seats


def call_bots(position: HostedMatch, _now: int, keys: dict[int, bytes]) -> list[int]:
    """Which of these seats bots of the house have to play: from now on they can, by credentials of which these are the
    digests.
    """
    if position.stage is not MatchStage.LIVE:
        return []
    wanted = [number for number in keys if position.wants_bot(number)]
    for number in wanted:
        position.change_terms().seats[number].key = keys[number]
    return wanted


def abort(position: HostedMatch, now: int, account: str, reason: str) -> None:
    """End it for everybody, as long as nobody else has a seat."""
    if position.terms.creator != account:
        raise Denied("NOT_YOURS", "only who has made the match may abort it")
    others = [plan for plan in position.terms.seats if plan.account not in ("", account)]
    if others and not position.over:
        raise Denied("NOT_YOURS", "somebody else has a seat: the match is not yours alone any more")
    end_early(position, now, Ending.ABORTED, reason)


def end_early(position: HostedMatch, now: int, kind: Ending, reason: str) -> None:
    """It counts for nobody."""
    _check_not_over(position)
    position.end(MatchResult(kind, reason=reason), now)


def _check_build(position: HostedMatch) -> None:
    """Before anything is written that may need the game's rules."""
    if not position.ours:
        raise other_build()


def _check_not_over(position: HostedMatch) -> None:
    if position.over:
        raise Refused("over", "the match has ended")
