"""A newer service: reasons, states and kinds that this version of the SDK does not know."""

import asyncio
from random import Random
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from landsraad import AsyncClient, errors
from landsraad.errors import error_from_refusal, is_retryable
from landsraad.models import read_match
from landsraad.testing import LocalService
from landsraad.testing.players import play_all, seated
from landsraad.v1 import common_pb2, errors_pb2, matches_pb2, play_pb2
from landsraad.wire.refusals import CODES, refusal, refusal_of

UNKNOWN: Any = 99
BY_CODE = {
    Code.INVALID_ARGUMENT: errors.BadRequest,
    Code.NOT_FOUND: errors.NotFound,
    Code.PERMISSION_DENIED: errors.NotAllowed,
    Code.UNAUTHENTICATED: errors.NotAllowed,
    Code.FAILED_PRECONDITION: errors.WrongState,
    Code.ABORTED: errors.Stale,
    Code.RESOURCE_EXHAUSTED: errors.LimitReached,
    Code.UNAVAILABLE: errors.Unavailable,
    Code.INTERNAL: errors.ServiceFailed,
}


def test_each_code_of_a_known_reason_has_a_class() -> None:
    assert set(CODES.values()) == set(BY_CODE)


@pytest.mark.parametrize("code", BY_CODE)
def test_an_unknown_reason_goes_by_its_code(code: int) -> None:
    error = error_from_refusal(errors_pb2.Refusal(reason=UNKNOWN, code=code, message="new", retry_ms=250))
    assert type(error) is BY_CODE[code]
    assert (error.reason, error.message) == ("unknown_99", "new")
    assert is_retryable(error) is (code in (Code.UNAVAILABLE, Code.RESOURCE_EXHAUSTED))
    detail = Packed()
    detail.Pack(ErrorInfo(reason="BRAND_NEW", domain="landsraad"))
    read = refusal_of(Status(code=code, message="new", details=[detail]))
    assert read is not None
    assert type(error_from_refusal(read)) is BY_CODE[code]


def test_a_code_of_no_reason_is_still_a_refusal() -> None:
    assert type(error_from_refusal(errors_pb2.Refusal(reason=UNKNOWN, code=77))) is errors.RefusedByService
    full = error_from_refusal(errors_pb2.Refusal(reason=UNKNOWN, code=Code.RESOURCE_EXHAUSTED))
    assert not is_retryable(full), "nothing says that waiting helps"
    assert not is_retryable(error_from_refusal(refusal("QUOTA", "no more", retry_ms=250)))


def test_unknown_states_are_words() -> None:
    seat = matches_pb2.Seat(fill=UNKNOWN, presence=UNKNOWN)
    result = common_pb2.MatchResult(kind=UNKNOWN)
    found = read_match(matches_pb2.Match(game="games/dune", state=UNKNOWN, seats=[seat], result=result))
    assert (found.state, found.seats[0].fill, found.seats[0].presence) == ("unknown_99",) * 3
    assert found.result is not None
    assert found.result.kind == "unknown_99"


@pytest.mark.asyncio
async def test_a_subscription_that_ends_for_an_unknown_reason_begins_again(
    client: AsyncClient, service: LocalService
) -> None:
    seats = await seated(client, 2, "teaching")
    hosted = service.matches[seats[0].ticket.match]
    assert hosted.match is not None
    rng = Random(0)
    for _ in range(3):
        decision = await seats[hosted.match.waiting[0]].next_decision()
        assert decision is not None
        await seats[decision.seat].answer(decision.sample(rng), decision)
    for subscription in list(hosted.subscriptions):
        hosted.unsubscribe(subscription, UNKNOWN)
    assert hosted.subscriptions == []
    await play_all(seats)
    assert [seat.view.table for seat in seats] == [hosted.match.view(seat).places for seat in range(2)]


@pytest.mark.asyncio
async def test_an_unknown_reason_of_a_snapshot_or_an_unknown_item_is_no_obstacle(
    client: AsyncClient, service: LocalService
) -> None:
    seats = await seated(client, 2, "teaching")
    hosted = service.matches[seats[0].ticket.match]
    updates = [asyncio.ensure_future(anext(seat.updates())) for seat in seats]
    await asyncio.gather(*updates)
    for subscription in hosted.subscriptions:
        assert subscription.seat is not None
        snapshot = play_pb2.Snapshot(observation=hosted.observation(subscription.seat), reason=UNKNOWN)
        item = play_pb2.ServerItem(subscription=subscription.number, snapshot=snapshot)
        newer = play_pb2.ServerItem(subscription=subscription.number)
        frame = play_pb2.Frame(items=[item, newer])
        subscription.send(frame.SerializeToString())
    await play_all(seats)
