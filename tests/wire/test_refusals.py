"""Refusals: round trips on the stream and as the status of a call."""

import re
from pathlib import Path
from random import Random

import pytest
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from landsraad.errors import error_from_refusal
from landsraad.v1.errors_pb2 import ErrorReason, RefusalDetail
from landsraad.wire.codec import codec_for
from landsraad.wire.refusals import CODES, DOMAIN, reason_of, refusal, refusal_of, refused, status
from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.play.match import Match
from landsraad_engine.testing.fuzz.mutants import mutants

ERRORS = (Path(__file__).resolve().parents[2] / "proto" / "landsraad" / "v1" / "errors.proto").read_text()


def test_every_reason_has_the_code_that_its_comment_states() -> None:
    stated = re.findall(r"// ([A-Z_]+): .*\n(?:  // .*\n)*  ERROR_REASON_(\w+) = \d+;", ERRORS)
    assert {reason: Code.Value(code) for code, reason in stated} == CODES
    known = {name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()}  # noqa: SIM118  no mapping
    assert known == {*CODES, "UNSPECIFIED"}


@pytest.mark.parametrize("reason", Refused.REASONS)
def test_what_the_engine_refuses_comes_back(begun: Match, reason: str) -> None:
    codec = codec_for(begun.game)
    assert begun.g.ask is not None
    near = tuple(begun.g.ask.options[begun.waiting[0]].enumerate(3))
    error = Refused(reason, "not like that", rule="R-1.2", field="to", nearest=near, decision=17)
    item = refused(error, codec, seq=5)
    assert (item.seq, item.code, reason_of(item)) == (5, CODES[reason.upper()], reason.upper())
    again = error_from_refusal(item, codec)
    for name in ("reason", "message", "rule", "field", "nearest", "decision"):
        assert getattr(again, name) == getattr(error, name)


def test_a_real_refusal_names_legal_acts(begun: Match) -> None:
    codec = codec_for(begun.game)
    assert begun.g.ask is not None
    seat = begun.waiting[0]
    options = begun.g.ask.options[seat]
    wrong = next(act for act in mutants(options, Random(3), 20) if not options.contains(act))
    with pytest.raises(Refused) as error:
        execution.answer(begun.g, seat, wrong)
    given = refused(error.value, codec)
    assert reason_of(given) == "AGAINST_RULES"
    assert all(map(options.contains, codec.read_acts(given.detail.nearest)))
    assert given.detail.nearest
    assert error_from_refusal(given, codec).nearest == error.value.nearest


def test_a_status_carries_all_of_a_refusal() -> None:
    detail = RefusalDetail(rule="R-1.2", field="to", decision_id=3)
    given = refusal("AGAINST_RULES", "no", violations=[("to", "is no cell")], detail=detail, retry_ms=1500)
    found = status(given)
    info, request, retry = ErrorInfo(), BadRequest(), RetryInfo()
    assert [packed.Unpack(into) for packed, into in zip(found.details, (info, request, retry), strict=False)] == [
        True
    ] * 3
    assert (found.code, info.reason, info.domain) == (Code.FAILED_PRECONDITION, "AGAINST_RULES", DOMAIN)
    assert [(v.field, v.description) for v in request.field_violations] == [("to", "is no cell")]
    assert retry.retry_delay.ToMilliseconds() == 1500
    assert refusal_of(Status.FromString(found.SerializeToString())) == given


def test_a_status_says_no_more_than_there_is() -> None:
    found = status(refusal("DRAINING", "soon"))
    assert len(found.details) == 1
    assert refusal_of(found) == refusal("DRAINING", "soon")


def test_a_status_of_somebody_else_is_not_ours() -> None:
    assert refusal_of(Status(code=14, message="connection refused")) is None
    foreign = status(refusal("OVER", "x"))
    info = ErrorInfo(reason="OVER", domain="elsewhere")
    foreign.details[0].Pack(info)
    assert refusal_of(foreign) is None


def test_a_reason_that_a_newer_service_knows_is_left_open() -> None:
    newer = status(refusal("OVER", "x"))
    newer.details[0].Pack(ErrorInfo(reason="TOO_SANDY", domain=DOMAIN))
    read = refusal_of(newer)
    assert read is not None
    assert (read.code, reason_of(read)) == (Code.FAILED_PRECONDITION, "UNSPECIFIED")
