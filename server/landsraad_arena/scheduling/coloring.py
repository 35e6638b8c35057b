"""Equitable edge colouring of bipartite graphs: seats and factions by turns, exactly.

Versions and tables are the two sides of a graph, each seat taken is an edge, and a colour is a seat or a faction. De
Werra's theorem: with any number of colours the edges at each vertex can be coloured so that the counts of no two
colours differ by more than one. At a table with no more seats than colours, colours are then all different.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from random import Random


def color_equitably(edges: Sequence[tuple[Hashable, int]], colors: int, rng: Random) -> list[int]:
    """Return the colour of each edge, between a version and a table.

    A version is split into vertices of as many edges as there are colours, and one with the rest. What is left is
    König's theorem: alternating paths colour a bipartite graph with as many colours as its greatest degree.
    """
    order = rng.sample(range(len(edges)), len(edges))
    degree: Counter[Hashable] = Counter()
    ends: dict[int, tuple[Hashable, Hashable]] = {}
    for edge in order:
        version, table = edges[edge]
        ends[edge] = (("version", version, degree[version] // colors), ("table", table))
        degree[version] += 1
    taken: dict[Hashable, dict[int, int]] = {end: {} for pair in ends.values() for end in pair}
    found = [-1] * len(edges)
    names = list(range(colors))
    for edge in order:
        rng.shuffle(names)
        version_end, table_end = ends[edge]
        at_version = next(color for color in names if color not in taken[version_end])
        at_table = next(color for color in names if color not in taken[table_end])
        if at_version in taken[table_end]:
            _flip(taken, ends, found, table_end, at_version, at_table)
        found[edge] = at_version
        taken[version_end][at_version] = taken[table_end][at_version] = edge
    return found


def _flip(
    taken: dict[Hashable, dict[int, int]],
    ends: dict[int, tuple[Hashable, Hashable]],
    found: list[int],
    start: Hashable,
    first: int,
    second: int,
) -> None:
    """Swap two colours along the path from a vertex, so that the first is free there."""
    path, end, color = [], start, first
    while color in taken[end]:
        edge = taken[end][color]
        path.append(edge)
        one, other = ends[edge]
        end = other if end == one else one
        color = second if color == first else first
    for edge in path:
        for end in ends[edge]:
            del taken[end][found[edge]]
        found[edge] = second if found[edge] == first else first
    for edge in path:
        for end in ends[edge]:
            taken[end][found[edge]] = edge
