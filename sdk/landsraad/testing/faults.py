"""Faults to inject into a service in the process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Faults:
    """The faults of the next streams and inputs; by default none.

    Args:
        cut_after: For each stream to come, the number of frames after which it breaks.
        unreachable: The number of calls and streams that fail before they reach the service.
        lost_answers: The number of inputs that are accepted although their answer is lost, together with the stream.
        store_lost: The number of inputs that are refused because the store is away.
        silent: Send nothing on streams, but keep them open.
    """

    cut_after: Iterator[int] = field(default_factory=lambda: iter(()))
    unreachable: int = 0
    lost_answers: int = 0
    store_lost: int = 0
    silent: bool = False

    def take(self, name: str) -> bool:
        """Use up one fault of this kind; False if there is none left."""
        left: int = getattr(self, name)
        if left:
            setattr(self, name, left - 1)
        return left > 0
