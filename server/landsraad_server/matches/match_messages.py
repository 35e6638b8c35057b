"""A match as the protocol shows it. Nothing in it is a secret of the game."""

from __future__ import annotations

import msgspec
from google.protobuf.timestamp_pb2 import Timestamp

from landsraad.v1 import common_pb2, matches_pb2, play_pb2
from landsraad.wire.catalog import options_message
from landsraad_engine.kernel.chance import commitment
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_clocks import left
from landsraad_server.matches.records import MatchResult, MatchStage, Presence


class Summary(msgspec.Struct, array_like=True):
    """What the match index keeps: the message, and who may see it."""

    message: bytes
    creator: str
    accounts: list[str]


_decode = msgspec.msgpack.Decoder(Summary).decode


def summary(position: HostedMatch) -> bytes:
    """For the match index, and the index of the archive."""
    terms = position.terms
    accounts = [plan.account for plan in terms.seats]
    return msgspec.msgpack.encode(Summary(match_message(position).SerializeToString(), terms.creator, accounts))


def read_summary(blob: bytes) -> Summary:
    return _decode(blob)


def match_message(position: HostedMatch) -> matches_pb2.Match:
    """What is agreed about a match, and where it stands."""
    terms, standing = position.terms, position.standing
    message = matches_pb2.Match(
        name=position.name,
        game=f"games/{terms.game}",
        options=options_message(terms.options),
        watch_delay_ms=terms.watch_delay_ms,
        title=terms.title,
        unlisted=terms.unlisted,
        illegal_acts_limit=terms.illegal_limit,
        state=state(standing.stage),
        commitment=bytes.fromhex(commitment(terms.secret)),
        engine_build=terms.build,
        content_digest=terms.content,
        create_time=_time(terms.created),
    )
    for number, (plan, seat) in enumerate(zip(terms.seats, position.seats, strict=True)):
        message.seats.add(
            number=number,
            fill=plan.fill.value,
            invited=plan.invited,
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
    if standing.started:
        message.start_time.CopyFrom(_time(standing.started))
    if standing.ended:
        message.end_time.CopyFrom(_time(standing.ended))
    if standing.result is not None:
        message.result.CopyFrom(result_message(standing.result))
    return message


def result_message(result: MatchResult) -> common_pb2.MatchResult:
    """How a match ended."""
    return common_pb2.MatchResult(
        kind=common_pb2.ResultKind.ValueType(result.kind),
        ending=result.ending,
        winners=result.winners,
        cause_seat=result.cause,
        reason=result.reason,
    )


def presence(known: Presence) -> matches_pb2.Presence.ValueType:
    """Whether whoever plays a seat is there."""
    return matches_pb2.Presence.ValueType(known)


def state(stage: MatchStage) -> common_pb2.MatchState.ValueType:
    """Where a match stands."""
    return common_pb2.MatchState.ValueType(stage)


def _time(ms: int) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(ms)
    return time


def clock_message(position: HostedMatch, seat: int, now: int) -> play_pb2.Clock:
    """A seat's clock, with what happens when the time is up."""
    game = position.game
    ask = game.g.ask
    state = position.seats[seat]
    decision = position.decision(seat)
    message = play_pb2.Clock(decision_id=decision, outcome=common_pb2.TIMEOUT_OUTCOME_DEFAULT_ACT)
    rules = position.terms.clock
    if rules is not None:
        message.outcome = common_pb2.TimeoutOutcome.ValueType(rules.outcome)
        message.limited = rules.limited
        if rules.limited:
            free, bank = left(rules, state, now, position.waits(seat))
            message.decision_ms, message.bank_ms, message.increment_ms = free, bank, rules.increment_ms
            message.network_ms, message.thinking_ms = state.network_ms, state.thinking_ms
            # While a window or a sealed question is open, a running clock would tell who has not answered yet.
            if ask is None or ask.mode != "all":
                for number, other in enumerate(position.seats):
                    if number != seat:
                        waits = position.waits(number)
                        running = other.asked_at > 0 and waits <= now
                        bank = left(rules, other, now, waits)[1]
                        message.others.add(seat=number, bank_ms=bank, running=running)
    if position.window_ends:  # it closes by itself, and takes the default of who has not answered
        message.outcome, message.limited = common_pb2.TIMEOUT_OUTCOME_DEFAULT_ACT, True
        message.decision_ms = max(0, position.window_ends - now)
        message.increment_ms = 0
    if decision and ask is not None:
        message.default.CopyFrom(game.codec.act(ask.default_for(seat)))
    return message
