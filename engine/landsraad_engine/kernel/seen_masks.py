"""Seen-masks: the knowledge of seats about the faces of hidden pieces.

A seat that has seen a face keeps knowing it when it is hidden again. Next to a hidden place ``p`` the table may hold
``*p``, a tuple of *seen-masks* parallel to the pieces: a set bit means that the seat knows this face, although the
place does not show it.

In an unordered place equal faces cannot be told apart, so their masks form a *staircase*: the k-th mask holds the seats
that know of at least k pieces with this face.
"""

from __future__ import annotations

from collections.abc import Sequence


def masks_after_leaving(faces: Sequence[str], masks: Sequence[int], face: str, seen: int) -> list[int]:
    """Return the masks of an unordered place after a piece left it, seen by the seats in ``seen``.

    A seat that does not see which piece leaves can no longer be sure of any face here. A seat that sees it knows of one
    fewer with this face: the widest mask of its staircase goes.
    """
    first = faces.index(face)
    return [mask & seen for at, mask in enumerate(masks) if at != first]


def masks_after_joining(faces: tuple[str, ...], masks: list[int], face: str, bits: int) -> list[int]:
    """Return the masks of an unordered place after a piece joined it: add ``bits`` to the staircase of its face."""
    stairs = [m for f, m in zip(faces, masks, strict=True) if f == face]
    stairs.append(0)
    carry = bits
    for i, mask in enumerate(stairs):
        stairs[i] = mask | carry
        carry &= mask
    joined: list[int] = []
    done = False
    for f, m in zip(faces, masks, strict=True):
        if f < face:
            joined.append(m)
        elif f == face:
            continue
        else:
            if not done:
                joined += stairs
                done = True
            joined.append(m)
    if not done:
        joined += stairs
    return joined
