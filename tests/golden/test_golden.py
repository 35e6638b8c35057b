"""Golden records: a few of the matches give the same bytes as before. CI plays all: tools/gen_golden.py --check."""

from __future__ import annotations

import pytest

import gen_golden

KEPT = gen_golden.kept()
PLANS = {plan.name: plan for plan in gen_golden.plans()}
FEW = (
    "arrakis-greedy-00",
    "arrakis-mixed-01",
    "arrakis-house-02",
    "arrakis-restless-03",
    "arrakis-epoch-04",
    "dune-greedy-01",
    "dune-random-05",
    "dune-orders-02",
    "dune-mixed-03",
    "dune-restless-04",
    "dune-held-00",
    "teaching-restless-01",
)


@pytest.mark.parametrize("name", FEW)
def test_a_match_comes_out_as_recorded(name: str) -> None:
    assert gen_golden.differences(KEPT[name], gen_golden.record(PLANS[name])) == []


def test_every_match_has_a_record_and_every_record_a_match() -> None:
    assert len(PLANS) == 312
    assert KEPT.keys() == PLANS.keys()
    assert gen_golden.written(KEPT.values()) == gen_golden.RECORDS.read_text()


def test_the_few_cover_both_games_all_editions_and_numbers_of_seats() -> None:
    few = [PLANS[name] for name in FEW]
    editions = {plan.options.get("edition", "exclusive") for plan in few if plan.game == "arrakis"}
    assert editions == {"exclusive", "v1_1", "preview_2022"}
    assert {plan.seats for plan in few if plan.game == "dune"} == {2, 3, 4, 5, 6}
    assert {plan.game for plan in few} == {"arrakis", "dune", "teaching"}


def test_a_difference_is_named() -> None:
    kept = KEPT["dune-greedy-01"]
    assert gen_golden.differences(kept, kept) == []
    logs = [*kept["logs"][:-1], "0" * 16]
    assert gen_golden.differences(kept, kept | {"logs": logs, "content": ""}) == ["content", f"logs[{len(logs) - 1}]"]
