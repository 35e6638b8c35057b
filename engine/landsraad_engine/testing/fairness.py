"""A test of fairness that needs no table: chi-square against equal chances."""

from collections import Counter
from collections.abc import Sequence
from typing import Any


def looks_uniform(counts: Counter[Any], values: Sequence[Any]) -> bool:
    """Whether such counts come from equal chances, but for one case in about a million.

    Chi-square over k cells has the mean k - 1 and the variance 2(k - 1); five deviations and more are far out.
    """
    assert set(counts) <= set(values), "something else was drawn"
    expected = counts.total() / len(values)
    statistic = sum((counts[value] - expected) ** 2 / expected for value in values)
    free = len(values) - 1
    return bool(statistic <= free + 5 * (2 * free) ** 0.5 + 5)
