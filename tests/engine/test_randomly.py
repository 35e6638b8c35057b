"""Random settings: options are drawn unless they are given."""

from random import Random

import pytest

from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.errors import BadOption
from landsraad_engine.testing.fuzz.random_play import random_setting

SEEDS = range(40)


def test_every_edition_is_drawn_and_never_a_combination_that_is_refused() -> None:
    drawn = [random_setting(ARRAKIS, Random(seed))[1] for seed in SEEDS]
    assert {options["edition"] for options in drawn} == {"exclusive", "v1_1", "preview_2022"}
    assert all("faq" in options for options in drawn if options["edition"] == "exclusive")


def test_options_that_are_given_stay_while_others_are_drawn() -> None:
    drawn = [random_setting(ARRAKIS, Random(seed), {"edition": "v1_1"})[1] for seed in SEEDS]
    assert {options["edition"] for options in drawn} == {"v1_1"}
    assert len({options["round_limit"] for options in drawn}) > 2


def test_a_given_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadOption, match="colour"):
        random_setting(ARRAKIS, Random(1), {"colour": "blue"})


def test_modules_are_drawn_in_every_combination() -> None:
    drawn = [random_setting(ARRAKIS, Random(seed), {"edition": "exclusive"})[1] for seed in range(600)]
    futures = ARRAKIS.values_of(next(spec for spec in ARRAKIS.option_specs if spec.name == "futures"))
    assert {options.get("futures", "") for options in drawn} == set(futures)
    assert {options.get("old_man", False) for options in drawn} == {True, False}
