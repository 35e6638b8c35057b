"""Python's garbage collector, as a process wants it that keeps thousands of matches and answers at once."""

from __future__ import annotations

import gc
from typing import Final

#: The young are looked at often, for then it is quick: with 50,000 of them a worker stood still for 20 ms each second,
#: which was the 99th percentile of its answers. Thousands of streams and matches live long, so the old hardly ever.
_THRESHOLDS: Final = (2_000, 10, 1_000)


def settle() -> None:
    """Leave out what is there now, for it stays, and look at the rest as is best for a worker."""
    gc.set_threshold(*_THRESHOLDS)
    gc.collect()
    gc.freeze()
