"""The choice after a search: another act replaces the policy's only on evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from landsraad_bots.searching.halving import Samples

#: The least lead, as a share of the match, for which the policy's act is replaced.
LEAST_LEAD: Final = 0.005
#: The least worlds that count as evidence.
LEAST_WORLDS: Final = 4


def choose(samples: Sequence[Samples], z: float) -> int:
    """Return the index of the chosen candidate; the policy's is 0.

    Args:
        samples: The values of each candidate by world.
        z: The standard errors by which the mean lead over the policy's act must exceed 0.
    """
    policy = samples[0]
    best, highest = 0, 0.0
    for index, each in enumerate(samples[1:], 1):
        if len(each.values) < LEAST_WORLDS:
            continue
        lead, error = each.lead_over(policy)
        if lead > LEAST_LEAD and lead > z * error and lead - error > highest:
            best, highest = index, lead - error
    return best
