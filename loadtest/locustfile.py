"""Locust user: creates matches, takes all their seats and plays them at random by plain calls.

An interceptor reports every call of the SDK's stubs under the name of its method. Only sync stubs are used, as grpc.aio
does not run under gevent. `python loadtest/run.py locust` starts it; LOADTEST_GAME, LOADTEST_SEATS, LOADTEST_TOKEN and
LOADTEST_CELL set the game, the number of seats, the account and the cell.
"""

# ruff: noqa: E402, I001  locust patches the standard library for gevent, and grpc has to know before it is used
from locust import User, task
from locust.env import Environment

import grpc.experimental.gevent as grpc_gevent

grpc_gevent.init_gevent()

import os
import secrets
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import Any

import grpc

from landsraad import games
from landsraad.transport import MATCH_KEY
from landsraad.v1 import (
    common_pb2,
    matches_pb2,
    matches_service_pb2,
    matches_service_pb2_grpc,
    play_service_pb2,
    play_service_pb2_grpc,
)
from landsraad.wire.codec import codec_for
from landsraad_engine.kernel.execution import AUTO

GAME = os.environ.get("LOADTEST_GAME", "dune")
SEATS = int(os.environ.get("LOADTEST_SEATS", "6"))
TOKEN = os.environ.get("LOADTEST_TOKEN", "")
#: Of a service of several cells, the one to test.
CELL = os.environ.get("LOADTEST_CELL", "")
#: Deadline of a call; longer than any should take.
_SECONDS = 10.0


class Reporting(grpc.UnaryUnaryClientInterceptor):
    """Interceptor that reports each call to locust: name, duration and outcome."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def intercept_unary_unary(self, continuation: Callable[..., Any], details: Any, request: Any) -> Any:
        began = time.perf_counter()
        call = continuation(details, request)
        error = call.exception()  # waits for the answer
        self._environment.events.request.fire(  # type: ignore[no-untyped-call]
            request_type="grpc",
            name=details.method.rpartition(".")[2],
            response_time=(time.perf_counter() - began) * 1000,
            response_length=0 if error else call.result().ByteSize(),
            exception=error,
        )
        return call


class LocustSeat:
    """A seat of the user's match."""

    def __init__(self, number: int, credential: str) -> None:
        self.number = number
        self.metadata = _bearer(credential)
        self.seq = 0
        self.rng = Random(credential)


class Player(User):
    """One user: plays all seats of one match after another; a task is one act."""

    def on_start(self) -> None:
        # A connection of its own, as real players have: a shared one would put all users on one worker.
        assert self.host is not None, "--host"
        channel = grpc.insecure_channel(self.host, options=[("grpc.use_local_subchannel_pool", 1)])
        reported = grpc.intercept_channel(channel, Reporting(self.environment))
        self._channel = channel
        self._matches = matches_service_pb2_grpc.MatchesStub(reported)
        self._play = play_service_pb2_grpc.PlayStub(reported)
        self._codec = codec_for(games.load(GAME))
        self._new_match()

    def on_stop(self) -> None:
        self._channel.close()
        # Freed here, because gRPC complains if they are freed at exit, after gevent.
        del self._channel, self._matches, self._play

    @task
    def act(self) -> None:
        """Query the next seat's decision, and answer it if there is one."""
        seat = next(self._turns)
        look = play_service_pb2.GetDecisionRequest(match=self._match, seat=seat.number)
        found = self._play.GetDecision(look, metadata=seat.metadata, timeout=_SECONDS)
        if found.state == common_pb2.MATCH_STATE_OVER:
            self._new_match()
        elif found.decision_id:
            act = self._codec.read_options(found.question.options).sample(seat.rng)
            seat.seq += 1
            submit = play_service_pb2.SubmitRequest(
                match=self._match,
                seat=seat.number,
                seq=seat.seq,
                decision_id=found.decision_id,
                act=self._codec.act(act),
            )
            self._play.Submit(submit, metadata=seat.metadata, timeout=_SECONDS)

    def _new_match(self) -> None:
        # Without accounts, each match has a guest of its own: limits are for accounts.
        account = _bearer(TOKEN or f"landsraad_guest_{secrets.token_hex(16)}")
        wanted = matches_pb2.Match(game=f"games/{GAME}", seats=[matches_pb2.Seat()] * SEATS, unlisted=True)
        create = matches_service_pb2.CreateMatchRequest(match=wanted, request_id=secrets.token_hex(8))
        self._match = self._matches.CreateMatch(create, metadata=account, timeout=_SECONDS).name
        seats = []
        for number in range(SEATS):
            join = matches_service_pb2.JoinMatchRequest(name=self._match, seat=number, standing_orders=[AUTO])
            joined = self._matches.JoinMatch(join, metadata=account, timeout=_SECONDS)
            seats.append(LocustSeat(number, joined.credential))
        self._turns: Iterator[LocustSeat] = cycle(seats)


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    bearer = (("authorization", f"Bearer {token}"),) if token else ()
    return (*bearer, (MATCH_KEY, f"{CELL}-")) if CELL else bearer
