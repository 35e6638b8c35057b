"""Domains: the values that one field of an act may take. Data, because they cross the wire."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, permutations
from math import comb, factorial, prod
from random import Random
from typing import Any

import msgspec
from msgspec.structs import asdict

from landsraad_engine.errors import LawBroken

#: Beyond this, a float has not enough digits to pick one of so many fairly.
_FINE = 1 << 50


def below(rng: Random, n: int) -> int:
    """A number below ``n``, for bots and samplers (three times as fast as ``randrange``)."""
    return int(rng.random() * n) if n < _FINE else rng.randrange(n)


class Domain(msgspec.Struct, frozen=True, tag=True, tag_field="domain", kw_only=True, gc=False):
    """The values that one field may take, and the rule that says so."""

    why: str = ""

    def plain(self) -> dict[str, Any]:
        """The domain as plain data, under the name of its kind."""
        return {"domain": type(self).__name__, **asdict(self)}

    def has(self, value: Any) -> bool:
        raise NotImplementedError

    def count(self) -> int:
        raise NotImplementedError

    def values(self) -> Iterator[Any]:
        raise NotImplementedError

    def draw(self, rng: Random) -> Any:
        raise NotImplementedError

    def near(self, value: Any) -> Any:
        """The legal value closest to a wrong one (for refusals)."""
        return next(self.values(), None)


class OneOf(Domain, frozen=True):
    """One of the listed values."""

    items: tuple[Any, ...]

    def has(self, value: Any) -> bool:
        if type(value) is str:  # nothing but a str is equal to one
            return value in self.items
        return any(value == item and type(value) is type(item) for item in self.items)

    def count(self) -> int:
        return len(self.items)

    def values(self) -> Iterator[Any]:
        return iter(self.items)

    def draw(self, rng: Random) -> Any:
        return self.items[below(rng, len(self.items))]


class Range(Domain, frozen=True):
    """A whole number from ``low`` to ``high``, both included."""

    low: int
    high: int

    def has(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def count(self) -> int:
        return max(0, self.high - self.low + 1)

    def values(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def draw(self, rng: Random) -> int:
        return self.low + below(rng, self.high - self.low + 1)

    def near(self, value: Any) -> Any:
        return min(max(value, self.low), self.high) if type(value) is int else self.low


class Subset(Domain, frozen=True):
    """Some of the listed items, at least ``low`` and at most ``high`` of them; written as a sorted tuple.

    ``items`` is sorted and may hold the same item several times (two shields in a hand).
    """

    items: tuple[Any, ...]
    low: int
    high: int

    def has(self, value: Any) -> bool:
        if type(value) is not tuple or not self.low <= len(value) <= self.high:
            return False
        rest = list(self.items)
        for item in value:
            if item not in rest:
                return False
            rest.remove(item)
        return list(value) == sorted(value)

    def count(self) -> int:
        if not self.items:
            return int(self.low <= 0 <= self.high)
        kinds, tallies = _tally(self.items)
        if len(kinds) < len(self.items):
            return _count(tallies, self.low, self.high)
        return sum(comb(len(kinds), size) for size in range(max(self.low, 0), min(self.high, len(kinds)) + 1))

    def values(self) -> Iterator[tuple[Any, ...]]:
        kinds, tallies = _tally(self.items)
        for counts in _fill(tallies, self.low, self.high):
            yield _spread(kinds, counts)

    def draw(self, rng: Random) -> tuple[Any, ...]:
        kinds, tallies = _tally(self.items)
        if len(kinds) < len(self.items):
            return _spread(kinds, _draw(tallies, self.low, self.high, rng))
        pick = below(rng, self.count())
        for size in range(max(self.low, 0), min(self.high, len(kinds)) + 1):
            ways = comb(len(kinds), size)
            if pick < ways:
                return tuple(sorted(rng.sample(kinds, size)))
            pick -= ways
        raise LawBroken("empty subset domain")

    def near(self, value: Any) -> Any:
        kept: list[Any] = []
        rest = list(self.items)
        for item in value if isinstance(value, tuple | list) else ():
            if item in rest and len(kept) < self.high:
                rest.remove(item)
                kept.append(item)
        while len(kept) < self.low and rest:
            kept.append(rest.pop(0))
        return tuple(sorted(kept))


@lru_cache(maxsize=2048)
def _tally(items: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """The different items, and how often each occurs: choosing some of them is an allocation over the kinds."""
    kinds = tuple(sorted(set(items)))
    return kinds, tuple(items.count(kind) for kind in kinds)


def _spread(kinds: tuple[Any, ...], counts: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(kind for kind, n in zip(kinds, counts, strict=True) for _ in range(n))


class Alloc(Domain, frozen=True):
    """A number for each slot, at most its cap, with a total from ``low`` to ``high``; a tuple parallel to ``slots``."""

    slots: tuple[str, ...]
    caps: tuple[int, ...]
    low: int
    high: int

    def has(self, value: Any) -> bool:
        if type(value) is not tuple or len(value) != len(self.caps):
            return False
        for n, cap in zip(value, self.caps, strict=True):
            if type(n) is not int or not 0 <= n <= cap:
                return False
        return self.low <= sum(value) <= self.high

    def count(self) -> int:
        return _count(self.caps, self.low, self.high)

    def values(self) -> Iterator[tuple[int, ...]]:
        return _fill(self.caps, self.low, self.high)

    def draw(self, rng: Random) -> tuple[int, ...]:
        return _draw(self.caps, self.low, self.high, rng)

    def near(self, value: Any) -> Any:
        if type(value) is not tuple or len(value) != len(self.caps):
            return next(self.values(), None)
        kept = [min(max(n, 0), cap) if type(n) is int else 0 for n, cap in zip(value, self.caps, strict=True)]
        for at, cap in enumerate(self.caps):  # too few or too many in all: the first slots give or take
            total = sum(kept)
            kept[at] = min(max(kept[at] + max(self.low - total, 0) - max(total - self.high, 0), 0), cap)
        return tuple(kept)


@lru_cache(maxsize=4096)
def _ways(caps: tuple[int, ...], low: int, high: int) -> tuple[dict[int, int], ...]:
    """``ways[i][t]``: how many completions there are when the first ``i`` slots hold ``t`` together."""
    ways: list[dict[int, int]] = [{} for _ in range(len(caps) + 1)]
    top = sum(caps)
    ways[-1] = dict.fromkeys(range(max(low, 0), min(high, top) + 1), 1)
    for at in range(len(caps) - 1, -1, -1):
        for total in range(top + 1):
            n = sum(ways[at + 1].get(total + k, 0) for k in range(caps[at] + 1))
            if n:
                ways[at][total] = n
    return tuple(ways)


def _count(caps: tuple[int, ...], low: int, high: int) -> int:
    """How many allocations there are under these caps."""
    return _ways(caps, low, high)[0].get(0, 0)


def _fill(caps: tuple[int, ...], low: int, high: int, head: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every allocation that begins with ``head``, in order, without a dead end on the way."""
    at = len(head)
    if at == len(caps):
        if low <= sum(head) <= high:
            yield head
        return
    ways = _ways(caps, low, high)[at + 1]
    total = sum(head)
    for n in range(caps[at] + 1):
        if total + n in ways:
            yield from _fill(caps, low, high, (*head, n))


def _draw(caps: tuple[int, ...], low: int, high: int, rng: Random) -> tuple[int, ...]:
    """One allocation, each with the same chance: every slot is drawn by the number of completions it leaves."""
    ways = _ways(caps, low, high)
    if not ways[0]:
        raise LawBroken("empty allocation domain")
    total = 0
    value = []
    for at in range(len(caps)):
        pick = below(rng, ways[at][total])
        n = 0
        while pick >= (here := ways[at + 1].get(total + n, 0)):
            pick -= here
            n += 1
        value.append(n)
        total += n
    return tuple(value)


class Order(Domain, frozen=True):
    """All listed items, in an order of the player's choice."""

    items: tuple[Any, ...]

    def has(self, value: Any) -> bool:
        if type(value) is not tuple or len(value) != len(self.items):
            return False
        rest = list(self.items)
        for item in value:
            if item not in rest:
                return False
            rest.remove(item)
        return True

    def count(self) -> int:
        return factorial(len(self.items)) // prod(map(factorial, _tally(self.items)[1]))

    def values(self) -> Iterator[tuple[Any, ...]]:
        if len(set(self.items)) == len(self.items):
            return permutations(self.items)
        return iter(dict.fromkeys(permutations(self.items)))

    def draw(self, rng: Random) -> tuple[Any, ...]:
        return tuple(rng.sample(self.items, len(self.items)))


#: name -> {area: neighbours}; boards register their graphs here, the catalog publishes them to clients.
GRAPHS: dict[str, dict[str, tuple[str, ...]]] = {}


class Path(Domain, frozen=True):
    """A walk on a named graph: a tuple of areas that begins with ``start``, of 1 to ``steps`` moves.

    ``blocked`` areas may not be entered at all; in an area of ``stops`` the walk must end; if ``ends`` is given, it may
    end nowhere else. No area is entered twice.
    """

    graph: str
    start: str
    steps: int
    blocked: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    ends: tuple[str, ...] | None = None

    def has(self, value: Any) -> bool:
        if type(value) is not tuple or not 2 <= len(value) <= self.steps + 1 or value[0] != self.start:
            return False
        graph = GRAPHS[self.graph]
        if not all(type(area) is str and area in graph for area in value) or len(set(value)) != len(value):
            return False
        for here, there in pairwise(value):
            if there not in graph[here] or there in self.blocked:
                return False
        return not any(area in self.stops for area in value[1:-1]) and (self.ends is None or value[-1] in self.ends)

    def count(self) -> int:
        return len(self._all())

    def values(self) -> Iterator[tuple[str, ...]]:
        return iter(self._all())

    def draw(self, rng: Random) -> tuple[str, ...]:
        every = self._all()
        return every[below(rng, len(every))]

    def _all(self) -> tuple[tuple[str, ...], ...]:
        return _walks(self.graph, self.start, self.steps, self.blocked, self.stops, self.ends)


@lru_cache(maxsize=2048)
def _walks(
    name: str, start: str, steps: int, blocked: tuple[str, ...], stops: tuple[str, ...], ends: tuple[str, ...] | None
) -> tuple[tuple[str, ...], ...]:
    graph = GRAPHS[name]
    found: list[tuple[str, ...]] = []
    open_: list[tuple[str, ...]] = [(start,)]
    for _ in range(steps):
        longer = []
        for walk in open_:
            if len(walk) > 1 and walk[-1] in stops:
                continue
            longer += [(*walk, a) for a in graph[walk[-1]] if a not in blocked and a not in walk]
        found += [walk for walk in longer if ends is None or walk[-1] in ends]
        open_ = longer
    return tuple(found)
