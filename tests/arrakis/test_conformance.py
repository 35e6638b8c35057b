"""War for Arrakis passes the suite of laws that every game passes, in all its editions."""

from typing import Any

import pytest

from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.testing.conformance import fingerprint, play

EDITIONS: list[dict[str, Any]] = [{}, {"faq": False}, {"edition": "v1_1"}, {"edition": "preview_2022"}]


@pytest.mark.parametrize("options", EDITIONS, ids=lambda options: "-".join(map(str, options.values())) or "exclusive")
@pytest.mark.parametrize("seed", range(2))
def test_it_conforms(options: dict[str, Any], seed: int) -> None:
    match = play(ARRAKIS, 2, {"round_limit": 3, **options}, seed=seed, every=12)
    assert match.result is not None
    assert match.result[0] in ARRAKIS.results


def test_equal_inputs_give_equal_bytes() -> None:
    assert fingerprint(ARRAKIS, 2, seed=3, inputs=150) == fingerprint(ARRAKIS, 2, seed=3, inputs=150)


@pytest.mark.long
@pytest.mark.parametrize("options", EDITIONS, ids=lambda options: "-".join(map(str, options.values())) or "exclusive")
def test_it_conforms_at_length(options: dict[str, Any]) -> None:
    for seed in range(100, 110):
        play(ARRAKIS, 2, {"round_limit": 12, **options}, seed=seed, every=20)
