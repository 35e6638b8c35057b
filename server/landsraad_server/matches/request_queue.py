"""Request queue: the requests that wait for one match, bounded separately for changes and for reads."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from landsraad_server.matches.requests import MatchRequest

#: Changes that may wait for one match. Beyond that the worker refuses more: backpressure.
MOST_CHANGES = 256
#: Reads that may wait for one match: whole crowds come to a final at once. A read that waits holds less than 40 KB
#: with its call, as the stream does that follows, so this is 160 MB at most.
MOST_READS = 4096
#: Requests that run in one batch, so that a crowd at one match does not hold up all others.
BATCH = 256


class RequestQueue:
    """The waiting requests of one match in the order in which they came."""

    __slots__ = ("_reads", "_requests")

    def __init__(self) -> None:
        self._requests: deque[MatchRequest] = deque()
        self._reads = 0

    def __len__(self) -> int:
        return len(self._requests)

    def __iter__(self) -> Iterator[MatchRequest]:
        return iter(self._requests)

    def has_room(self, request: MatchRequest) -> bool:
        """Tell whether a request may wait, too."""
        if request.observes:
            return self._reads < MOST_READS
        return len(self._requests) - self._reads < MOST_CHANGES

    def add(self, request: MatchRequest) -> None:
        """Queue a request behind all others."""
        self._requests.append(request)
        self._reads += request.observes

    def put_back(self, requests: Iterable[MatchRequest]) -> None:
        """Queue requests that have to run again, in their order and before all others."""
        returned = tuple(requests)
        self._requests.extendleft(reversed(returned))
        self._reads += sum(request.observes for request in returned)

    def take(self, most: int = BATCH) -> list[MatchRequest]:
        """Remove the first requests, and return them."""
        taken = [self._requests.popleft() for _ in range(min(most, len(self._requests)))]
        self._reads -= sum(request.observes for request in taken)
        return taken

    def take_all(self) -> list[MatchRequest]:
        """Remove all requests, and return them."""
        return self.take(len(self._requests))
