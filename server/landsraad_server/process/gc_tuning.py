"""GC settings for a long-lived, latency-sensitive worker."""

from __future__ import annotations

import gc
from typing import Final

#: Generation 0 is collected often, because that is quick: with a threshold of 50,000 a worker stood still for 20 ms
#: each second, which was the 99th percentile of its latency. Streams and matches live long, so generation 2 is almost
#: never collected.
_THRESHOLDS: Final = (2_000, 10, 1_000)


def tune() -> None:
    """Exempt all present objects from collection and set the thresholds; call it once startup is done."""
    gc.set_threshold(*_THRESHOLDS)
    gc.collect()
    gc.freeze()
