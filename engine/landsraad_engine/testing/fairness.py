"""Chi-square test against equal chances, without tables."""

from collections import Counter
from collections.abc import Sequence
from typing import Any


def looks_uniform(counts: Counter[Any], values: Sequence[Any]) -> bool:
    """Return whether these counts fit equal chances; a fair draw fails about once in a million.

    Chi-square over k cells has the mean k - 1 and the variance 2(k - 1); five deviations are taken as too far out.
    """
    assert set(counts) <= set(values), "something else was drawn"
    expected = counts.total() / len(values)
    statistic = sum((counts[value] - expected) ** 2 / expected for value in values)
    free = len(values) - 1
    return bool(statistic <= free + 5 * (2 * free) ** 0.5 + 5)
