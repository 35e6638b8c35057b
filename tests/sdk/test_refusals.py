"""Refusals arrive as exceptions that say all that the service has said."""

import pickle
from typing import Any

import pytest

from landsraad import errors
from landsraad.async_client import AsyncClient
from landsraad.models import ClockRules, Ticket
from landsraad.testing import LocalService
from landsraad.testing.players import seated
from landsraad.v1.errors_pb2 import ErrorReason
from landsraad.wire.refusals import CODES, refusal
from landsraad_engine.dune.acts import Bid, PlaceForces, Ship
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.teaching import acts

pytestmark = pytest.mark.asyncio


async def test_an_illegal_act_brings_rule_field_and_legal_ones(client: AsyncClient) -> None:
    seats = await seated(client, 3, "teaching")
    decision = await seats[0].next_decision()
    assert decision is not None
    with pytest.raises(errors.IllegalAct) as caught:
        await seats[0].answer(acts.NameOmen("nobody"))
    refused = caught.value
    assert (refused.reason, refused.rule, refused.field) == ("against_rules", "TEACH-1.5", "band")
    assert refused.fields == {"band": refused.message}
    assert refused.nearest
    assert all(decision.options.contains(act) for act in refused.nearest)
    assert refused.rule in str(refused)
    assert repr(refused.nearest[0]) in str(refused)
    assert (refused.match, refused.seat, refused.why) == (seats[0].ticket.match, 0, decision.why)
    assert f"in {refused.match}, seat 0, asked by {decision.why}" in str(refused)
    again = pickle.loads(pickle.dumps(refused))  # noqa: S301  its own bytes
    assert (type(again), vars(again), str(again)) == (type(refused), vars(refused), str(refused))
    # The question is still open, and its answer is taken.
    assert await seats[0].next_decision() is decision
    await seats[0].answer(refused.nearest[0])


async def test_explain_says_the_same_and_changes_nothing(client: AsyncClient) -> None:
    seats = await seated(client, 3, "teaching")
    decision = await seats[0].next_decision()
    assert decision is not None
    said = await seats[0].explain(acts.NameOmen("nobody"))
    assert said is not None
    with pytest.raises(errors.IllegalAct) as caught:
        await seats[0].answer(acts.NameOmen("nobody"))
    assert (str(said), said.fields) == (str(caught.value), caught.value.fields)
    assert await seats[0].explain(said.nearest[0]) is None


async def test_an_answer_to_what_is_asked_no_longer_is_stale(client: AsyncClient) -> None:
    seats = await seated(client, 3, "teaching")
    decision = await seats[0].next_decision()
    assert decision is not None
    act = next(decision.options.enumerate())
    await seats[0].answer(act, decision)
    with pytest.raises(errors.Stale):
        await seats[0].answer(act, decision)


async def test_an_act_of_another_game_does_not_leave_the_client(client: AsyncClient) -> None:
    seats = await seated(client, 3, "teaching")
    assert await seats[0].next_decision() is not None
    with pytest.raises(errors.IllegalAct, match="Ship is not an act of teaching"):
        await seats[0].answer(Ship(1, 0, "arrakeen:9", None))


@pytest.mark.parametrize(
    ("act", "field"),
    [
        (Bid("7"), "amount"),  # type: ignore[arg-type]
        (Ship(1, 0, None, None), "to"),  # type: ignore[arg-type]
        (PlaceForces((1, "x"), ()), "tokens"),  # type: ignore[arg-type]
        (Bid(1 << 40), ""),
        (Bid(object()), ""),  # type: ignore[arg-type]
    ],
)
async def test_an_act_with_a_field_of_the_wrong_kind_does_not_leave_the_client(
    client: AsyncClient, act: Act, field: str
) -> None:
    seats = await seated(client, 2, "dune")
    with pytest.raises(errors.IllegalAct, match=type(act).__name__) as caught:
        await seats[0].answer(act)
    assert (caught.value.reason, caught.value.field) == ("malformed", field)


async def test_a_list_in_an_act_is_as_good_as_a_tuple(client: AsyncClient) -> None:
    seats = await seated(client, 2, "dune")
    tuples, lists = [await seats[0].explain(PlaceForces(each, each)) for each in ((1, 0), [1, 0])]  # type: ignore[arg-type]
    assert str(tuples) == str(lists)


async def test_one_word_is_not_one_for_each_seat(client: AsyncClient, service: LocalService) -> None:
    with pytest.raises(TypeError, match="not 'open'"):
        await client.create_match("dune", "open")
    assert not service.matches


@pytest.mark.parametrize(
    ("rules", "wrong"),
    [({"decision": -1}, "decision"), ({"bank": float("nan")}, "bank"), ({"outcome": "nothing"}, "outcome")],
)
async def test_clock_rules_that_are_none(client: AsyncClient, rules: Any, wrong: str) -> None:
    with pytest.raises(ValueError, match=f"the clock's {wrong} is"):
        await client.create_match("dune", 2, clock=ClockRules(**rules))


async def test_options_that_the_game_does_not_have(client: AsyncClient) -> None:
    with pytest.raises(errors.BadRequest) as caught:
        await client.create_match("dune", 6, {"length": 11})
    assert list(caught.value.fields) == ["match.options.length"]


@pytest.mark.parametrize(
    ("ask", "kind"),
    [
        (lambda client, match: client.match("matches/none"), errors.NotFound),
        (lambda client, match: client.create_match("chess", 2), errors.NotFound),
        (lambda client, match: client.join(match, 0), errors.WrongState),
        (lambda client, match: client.certificate(match), errors.WrongState),
        (lambda client, match: client.seat(Ticket(match, 0, "wrong")).next_decision(), errors.NotAllowed),
        (lambda client, match: client.seat(Ticket(match, 7, "wrong")).next_decision(), errors.NotFound),
    ],
)
async def test_reasons_become_classes(client: AsyncClient, ask: object, kind: type[Exception]) -> None:
    match = await client.create_match("teaching", 3)
    await client.join(match.name, 0)
    with pytest.raises(kind):
        await ask(client, match.name)  # type: ignore[operator]


async def test_an_aborted_match_has_a_result_and_takes_nothing_more(client: AsyncClient, service: LocalService) -> None:
    seats = await seated(client, 3, "teaching")
    decision = await seats[0].next_decision()
    assert decision is not None
    over = await client.abort(seats[0].ticket.match, "enough")
    assert (over.state, over.result is not None and over.result.kind) == ("over", "aborted")
    assert str(over.result) == "aborted: nobody (enough)"
    while await seats[0].next_decision() is not None:
        """The news is on its way."""
    with pytest.raises(errors.MatchOver):
        await client.abort(seats[0].ticket.match)


async def test_every_reason_of_the_protocol_has_a_class() -> None:
    names = [name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()]  # noqa: SIM118 - no mapping
    for name in names:
        if name != "UNSPECIFIED":
            assert type(errors.error_from_refusal(refusal(name, "because"))) is not errors.RefusedByService, name
    assert set(CODES) == set(names) - {"UNSPECIFIED"}
