"""What can be made to go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Faults:
    """What goes wrong with the next streams and inputs; by default nothing."""

    #: for each stream to come, after how many frames it breaks
    cut_after: Iterator[int] = field(default_factory=lambda: iter(()))
    #: how many of the next calls and streams fail before they reach the service
    unreachable: int = 0
    #: how many of the next inputs are taken although their answer is lost, together with the stream
    lost_answers: int = 0
    #: how many of the next inputs are refused because the store cannot be reached
    store_lost: int = 0
    #: streams say nothing any more, but stay open
    silent: bool = False

    def take(self, name: str) -> bool:
        """Whether this fault happens now; it is one fewer then."""
        left: int = getattr(self, name)
        if left:
            setattr(self, name, left - 1)
        return left > 0
