"""GC settings for processes that play many matches: a service's worker, and matches between bots."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: For a worker, which lives long and must not pause. Generation 0 is collected often, because that is quick: with a
#: threshold of 50,000 a worker stood still for 20 ms each second, which was the 99th percentile of its latency. Streams
#: and matches live long, so generation 2 is almost never collected.
LATENCY: Final = (2_000, 10, 1_000)
#: For self-play, where a pause disturbs no one and finished matches have to be freed.
THROUGHPUT: Final = (50_000, 10, 100)


def tune(thresholds: tuple[int, int, int] = LATENCY) -> None:
    """Exempt all present objects from collection and set the thresholds; call it once startup is done."""
    gc.set_threshold(*thresholds)
    gc.collect()
    gc.freeze()


@contextmanager
def tuned(thresholds: tuple[int, int, int] = THROUGHPUT) -> Iterator[None]:
    """Tune the collector for the block, and restore its settings after it."""
    before = gc.get_threshold()
    tune(thresholds)
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
