"""Match messages: the protocol's view of a match. They hold no secret of the game."""

from __future__ import annotations

import msgspec
from google.protobuf.timestamp_pb2 import Timestamp

from landsraad.v1 import common_pb2, matches_pb2, play_pb2
from landsraad.wire.catalog import options_message
from landsraad_engine.kernel.chance import commitment
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_clocks import time_left
from landsraad_server.matches.records import Fill, MatchResult, MatchStage, Presence


class Summary(msgspec.Struct, array_like=True):
    """An entry of the match index: the match's message, and the accounts that may see it if it is unlisted."""

    message: bytes
    creator: str
    accounts: list[str]


_decode = msgspec.msgpack.Decoder(Summary).decode


def summary(hosted: HostedMatch) -> bytes:
    """Encode a match for the index of the store or of the archive."""
    terms = hosted.terms
    accounts = [plan.account for plan in terms.seats]
    return msgspec.msgpack.encode(Summary(match_message(hosted).SerializeToString(), terms.creator, accounts))


def read_summary(blob: bytes) -> Summary:
    """Decode an entry of the match index."""
    return _decode(blob)


def match_message(hosted: HostedMatch) -> matches_pb2.Match:
    """Build the message that describes a match: its terms, its seats and its status."""
    terms, status = hosted.terms, hosted.status
    message = matches_pb2.Match(
        name=hosted.name,
        game=f"games/{terms.game}",
        options=options_message(terms.options),
        watch_delay_ms=terms.watch_delay_ms,
        title=terms.title,
        unlisted=terms.unlisted,
        illegal_acts_limit=terms.illegal_limit,
        state=state(status.stage),
        commitment=bytes.fromhex(commitment(terms.secret)),
        engine_build=terms.build,
        content_digest=terms.content,
        create_time=_time(terms.created),
    )
    for number, (plan, seat) in enumerate(zip(terms.seats, hosted.seats, strict=True)):
        message.seats.add(
            number=number,
            fill=plan.fill.value,
            invited=plan.invited if plan.fill is Fill.INVITED else "",
            house_bot=plan.invited if plan.fill is Fill.HOUSE else "",
            player=plan.player,
            presence=presence(seat.presence),
        )
    if terms.clock is not None:
        rules = terms.clock
        message.clock.CopyFrom(
            common_pb2.ClockRules(
                decision_ms=rules.decision_ms,
                bank_ms=rules.bank_ms,
                increment_ms=rules.increment_ms,
                disconnect_ms=rules.disconnect_ms,
                outcome=common_pb2.TimeoutOutcome.ValueType(rules.outcome),
            )
        )
    if status.started:
        message.start_time.CopyFrom(_time(status.started))
    if status.ended:
        message.end_time.CopyFrom(_time(status.ended))
    if status.result is not None:
        message.result.CopyFrom(result_message(status.result))
    return message


def result_message(result: MatchResult) -> common_pb2.MatchResult:
    """Build the message that tells how a match ended."""
    return common_pb2.MatchResult(
        kind=common_pb2.ResultKind.ValueType(result.kind),
        ending=result.ending,
        winners=result.winners,
        cause_seat=result.cause,
        reason=result.reason,
    )


def presence(known: Presence) -> matches_pb2.Presence.ValueType:
    """Return the protocol's value of a seat's presence."""
    return matches_pb2.Presence.ValueType(known)


def state(stage: MatchStage) -> common_pb2.MatchState.ValueType:
    """Return the protocol's value of a match's stage."""
    return common_pb2.MatchState.ValueType(stage)


def _time(ms: int) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(ms)
    return time


def clock_message(hosted: HostedMatch, seat: int, now: int) -> play_pb2.Clock:
    """Build the message that shows a seat its clock, and what happens when it runs out."""
    game = hosted.game
    ask = game.g.ask
    state = hosted.seats[seat]
    decision = hosted.decision(seat)
    message = play_pb2.Clock(decision_id=decision, outcome=common_pb2.TIMEOUT_OUTCOME_DEFAULT_ACT)
    rules = hosted.terms.clock
    if rules is not None:
        message.outcome = common_pb2.TimeoutOutcome.ValueType(rules.outcome)
        message.limited = rules.limited
        if rules.limited:
            free, bank = time_left(rules, state, now, hosted.waits_until(seat))
            message.decision_ms, message.bank_ms, message.increment_ms = free, bank, rules.increment_ms
            message.network_ms, message.thinking_ms = state.network_ms, state.thinking_ms
            # While a window or a sealed question is open, a running clock would show who has not answered yet.
            if ask is None or ask.mode != "all":
                for number, other in enumerate(hosted.seats):
                    if number != seat:
                        waits = hosted.waits_until(number)
                        running = other.asked_at > 0 and waits <= now
                        bank = time_left(rules, other, now, waits)[1]
                        message.others.add(seat=number, bank_ms=bank, running=running)
    if hosted.window_ends:  # The window closes by itself, with default acts for seats that have not answered.
        message.outcome, message.limited = common_pb2.TIMEOUT_OUTCOME_DEFAULT_ACT, True
        message.decision_ms = max(0, hosted.window_ends - now)
        message.increment_ms = 0
    if decision and ask is not None:
        message.default.CopyFrom(game.codec.act(ask.default_for(seat)))
    return message
