"""Recorded matches: seeded matches between bots, as the records that a worker writes of them; no store, no clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from landsraad import games
from landsraad.bots import derive_seed, make_bot
from landsraad.wire.codec import codec_for
from landsraad_engine.kernel.execution import AUTO
from landsraad_engine.play.bot import Decision
from landsraad_engine.play.build import engine_build
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import ClockTerms, MatchRecord, Overtime, Presence, SeatPlan, Terms
from landsraad_server.matches.requests import ActInput

#: The usual clock; its times stand in records.
CLOCK = ClockTerms(60_000, 600_000, 1_000, 120_000, Overtime.DEFAULT_ACT)
_BEGAN = 1_700_000_000_000
#: A match with more records does not end.
_MOST = 20_000


def recorded_match(
    game: str,
    seats: int,
    seed: int,
    *,
    bots: Sequence[str] = ("random",),
    options: Mapping[str, Any] | None = None,
    orders: tuple[str, ...] = (AUTO,),
) -> Iterator[tuple[HostedMatch, MatchRecord]]:
    """Play a match to its end, and yield it after each of its records.

    Args:
        game: The game.
        seats: The number of seats.
        seed: The seed of all chance.
        bots: The names of the bots, which go round the seats.
        options: The options of the match.
        orders: The standing orders of each seat.
    """
    hosted = HostedMatch(f"recorded{seed}", _terms(game, seats, seed, options or {}, orders))
    codec = codec_for(games.load(game))
    players = [make_bot(bots[seat % len(bots)], game, derive_seed(seed, "bot", seat) % 2**32) for seat in range(seats)]
    hosted.changes.everything()
    yield hosted, _taken(hosted, _BEGAN)
    for seat in range(seats):
        state = hosted.changes.seat(seat)
        state.presence, state.stream = Presence.HERE, _digits(seed, "stream", seat)
        yield hosted, _taken(hosted, _BEGAN + seat)
    now = _BEGAN + 1_000
    hosted.begin(now)
    yield hosted, _taken(hosted, now)
    views = [games.load(game).facade(hosted.game.g, seat) for seat in range(seats)]
    for number in range(_MOST):
        if hosted.over:
            return
        g = hosted.game.g
        assert g.ask is not None
        seat = g.waiting[0]
        ask = g.ask
        decision = Decision(seat, ask.options[seat], ask.why, ask.window)
        act = decision.options.only() or players[seat].decide(views[seat].renew(), decision)
        now += 400 + derive_seed(seed, "pace", number) % 8_000
        seq = hosted.seats[seat].seq + 1
        said = codec.act(act)
        ActInput(seat, seq, said, hosted.decision(seat), None, lambda *_: None, network_ms=30).run(hosted, now)
        yield hosted, _taken(hosted, now)
    raise RuntimeError(f"the match does not end: {game} with seed {seed}")


def _terms(game: str, seats: int, seed: int, options: Mapping[str, Any], orders: tuple[str, ...]) -> Terms:
    loaded = games.load(game)
    chosen = loaded.parse_options(options, seats)
    return Terms(
        game=game,
        seats=[
            SeatPlan(
                account=_digits(seed, "account", seat),
                player=f"player {seat}",
                entropy=bytes.fromhex(_digits(seed, "entropy", seat)),
                orders=orders,
                request=_digits(seed, "request", seat),
                key=bytes.fromhex(_digits(seed, "key", seat)),
            )
            for seat in range(seats)
        ],
        options=chosen,
        creator=_digits(seed, "account", 0),
        created=_BEGAN,
        secret=derive_seed(seed, "secret").to_bytes(32, "big"),
        build=engine_build(),
        content=loaded.content_digest(chosen),
        clock=CLOCK,
    )


def _taken(hosted: HostedMatch, now: int) -> MatchRecord:
    record = hosted.take_record(now)
    assert record is not None
    return record


def _digits(*words: object) -> str:
    return f"{derive_seed(0, *words):016x}"
