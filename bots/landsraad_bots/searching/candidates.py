"""The acts that a search tries: the best of a policy's, few of a kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any, Final

from landsraad_engine.kernel.grammar import Act

#: The most candidates of one type that go for the same target.
_TWINS: Final = 2
#: The fields that name a target.
_TARGETS: Final = ("to", "target", "area", "place", "action", "card", "leader", "effect", "faction", "partners")


def candidates(scored: Iterable[tuple[float, Act]], policy: Act, most: int) -> list[Act]:
    """Return the acts to try: the policy's first, then the best others by score, at most so many.

    At most two of a type may go for the same target, so that others come in. The act that does nothing is always among
    them if it is legal.
    """
    ranked = sorted(scored, key=lambda pair: -pair[0])  # stable, so that ties keep the policy's order
    chosen = [policy]
    twins = Counter([_kind(policy)])
    idle = next((act for _, act in ranked if not act.__struct_fields__ and act != policy), None)
    if idle is not None:
        chosen.append(idle)
    for _, act in ranked:
        if len(chosen) >= most:
            break
        kind = _kind(act)
        if act not in chosen and twins[kind] < _TWINS:
            twins[kind] += 1
            chosen.append(act)
    return chosen


def _kind(act: Act) -> Hashable:
    """Return the type and target of an act; acts of one kind are near-twins."""
    fields: Any = act
    return (type(act).__name__, *[repr(getattr(fields, name)) for name in _TARGETS if name in act.__struct_fields__])
