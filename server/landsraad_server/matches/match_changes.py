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


def join(hosted: HostedMatch, now: int, wanted: int | None, plan: SeatPlan) -> int:
    """Take a seat; the same request of the same account finds the seat that it has got, and gets another credential."""
    seats = hosted.terms.seats
    for number, held in enumerate(seats):
        if plan.request and (held.account, held.request) == (plan.account, plan.request):
            _check_not_over(hosted)
            replace_credential(hosted, now, number, plan.key)
            return number
    _check_not_over(hosted)
    if hosted.stage is not MatchStage.OPEN:
        raise Denied("WRONG_STATE", "the match has begun")
    _check_build(hosted)
    check_known(hosted, plan.orders, "standing_orders")
    number = _free(hosted, wanted, plan.account)
    plan.fill, plan.invited = seats[number].fill, seats[number].invited
    hosted.plan(number, plan)
    hosted.seat(number).presence = Presence.AWAY
    hosted.seat(number).away_at = now
    if all(other.taken for other in hosted.terms.seats):
        begin(hosted, now)
    return number


def _free(hosted: HostedMatch, wanted: int | None, account: str) -> int:
    seats = hosted.terms.seats
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


def leave(hosted: HostedMatch, _now: int, number: int, proof: SeatProof) -> None:
    """Give a seat back."""
    proof.check(hosted, number)
    _check_not_over(hosted)
    if hosted.stage is not MatchStage.OPEN:
        raise Denied("WRONG_STATE", "the match has begun: a seat can resign, but not leave")
    held = hosted.terms.seats[number]
    if held.account:
        hosted.plan(number, SeatPlan(held.fill, held.invited))
        replace_credential(hosted, 0, number)
        hosted.seat(number).presence = Presence.NOBODY


def start(hosted: HostedMatch, now: int, account: str, *, house: bool) -> None:
    """Begin; whatever seat is free goes to the house, if there is one."""
    if hosted.terms.creator != account:
        raise Denied("NOT_YOURS", "only who has made the match may begin it")
    _check_not_over(hosted)
    if hosted.stage is not MatchStage.OPEN:
        raise Denied("WRONG_STATE", "the match has begun")
    _check_build(hosted)
    free = [number for number, plan in enumerate(hosted.terms.seats) if not plan.taken]
    if free and not house:
        raise Denied("WRONG_STATE", "not all seats are taken, and this service has no bots of the house")
    for number in free:
        give_to_house(hosted, now, number)
    begin(hosted, now)


def give_to_house(hosted: HostedMatch, now: int, number: int) -> None:
    """A bot of the house has the seat from now on."""
    old = hosted.terms.seats[number]
    bot = old.invited if old.fill is Fill.HOUSE else ""
    hosted.plan(number, SeatPlan(Fill.HOUSE, bot, "", HOUSE, old.entropy, old.orders))
    replace_credential(hosted, now, number)


def replace_credential(hosted: HostedMatch, now: int, number: int, key: bytes = b"") -> None:
    """The seat's credential ends: nobody plays it until somebody comes with the next one, whose digest is `key`."""
    hosted.change_terms().seats[number].key = key
    state = hosted.seat(number)
    if state.presence is not Presence.RESIGNED:
        state.presence = Presence.AWAY
    state.stream, state.away_at = REVOKED, now


def begin(hosted: HostedMatch, now: int) -> None:
    """The first question is put."""
    rules = hosted.terms.clock
    if rules is not None:
        for number in range(len(hosted.seats)):
            hosted.seat(number).bank_ms = rules.bank_ms
    hosted.begin(now)


def resign(hosted: HostedMatch, now: int, number: int, proof: SeatProof) -> None:
    """Give a seat up for good."""
    proof.check(hosted, number)
    _check_not_over(hosted)
    if hosted.stage is not MatchStage.LIVE:
        raise Denied("WRONG_STATE", "the match has not begun: a seat can leave, but not resign")
    _check_build(hosted)
    if hosted.seats[number].presence is not Presence.RESIGNED:
        retire_seat(hosted, now, number, Ending.RESIGNATION)


def retire_seat(hosted: HostedMatch, now: int, number: int, kind: Ending) -> None:
    """A seat takes default acts from now on; where but one is left that does not, that one has won."""
    hosted.seat(number).presence = Presence.RESIGNED
    playing = tuple(other for other, seat in enumerate(hosted.seats) if seat.presence is not Presence.RESIGNED)
    if len(playing) < 2:
        hosted.end(MatchResult(kind, winners=playing, cause=number), now)
    else:
        hosted.game.set_absent(number)


def vacate(hosted: HostedMatch, now: int, worker: str) -> bool:
    """A worker has died: whoever played by it is away. Whether that leaves a seat to the bots of the house."""
    if hosted.over:
        return False
    vacant = [number for number, seat in enumerate(hosted.seats) if seat.stream.startswith(f"{worker}.")]
    for number in vacant:
        mark_away(hosted, number, now)
    return hosted.stage is MatchStage.LIVE and any(map(hosted.wants_bot, vacant))


def mark_away(hosted: HostedMatch, number: int, now: int) -> None:
    """Nobody is connected for a seat."""
    state = hosted.seat(number)
    state.stream, state.away_at = "", now
    if state.presence is not Presence.RESIGNED:
        state.presence = Presence.AWAY


def revoke_seat(hosted: HostedMatch, now: int, number: int) -> None:
    """End the credential of whoever has joined a seat."""
    hosted.check_seat(number)
    _check_not_over(hosted)
    if not hosted.terms.seats[number].account:
        raise Denied("WRONG_STATE", "nobody has joined this seat")
    replace_credential(hosted, now, number)


def revoke_account(hosted: HostedMatch, now: int, account: str) -> list[int]:
    """End the credentials of all seats that an account has here."""
    if hosted.over:
        return []
    seats = [number for number, plan in enumerate(hosted.terms.seats) if plan.account == account]
    for number in seats:
        replace_credential(hosted, now, number)
    return seats


def assign_bots(hosted: HostedMatch, _now: int, keys: dict[int, bytes]) -> list[int]:
    """Which of these seats bots of the house have to play: from now on they can, by credentials of which these are the
    digests.
    """
    if hosted.stage is not MatchStage.LIVE:
        return []
    wanted = [number for number in keys if hosted.wants_bot(number)]
    for number in wanted:
        hosted.change_terms().seats[number].key = keys[number]
    return wanted


def abort(hosted: HostedMatch, now: int, account: str, reason: str) -> None:
    """End it for everybody, as long as nobody else has a seat."""
    if hosted.terms.creator != account:
        raise Denied("NOT_YOURS", "only who has made the match may abort it")
    others = [plan for plan in hosted.terms.seats if plan.account not in ("", account)]
    if others and not hosted.over:
        raise Denied("NOT_YOURS", "somebody else has a seat: the match is not yours alone any more")
    end_early(hosted, now, Ending.ABORTED, reason)


def end_early(hosted: HostedMatch, now: int, kind: Ending, reason: str) -> None:
    """It counts for nobody."""
    _check_not_over(hosted)
    hosted.end(MatchResult(kind, reason=reason), now)


def _check_build(hosted: HostedMatch) -> None:
    """Before anything is written that may need the game's rules."""
    if not hosted.ours:
        raise other_build()


def _check_not_over(hosted: HostedMatch) -> None:
    if hosted.over:
        raise Refused("over", "the match has ended")
