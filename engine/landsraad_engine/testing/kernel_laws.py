"""Laws of the kernel that it has no time to check while it plays.

A step that returns a question has written nothing, neither to the table nor to its frame, because it runs again
whenever the question is put again. Frames and places hold plain values only, and there are no undeclared places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from landsraad_engine.errors import LawBroken
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import FlowTable
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import Content

_PLAIN = (str, int, bool, type(None))


def watched(flow: FlowTable) -> FlowTable:
    """Return the same steps, each checked against the laws of the kernel; the ``watch`` of a match."""
    return flow.wrapped(_watching)


def _watching(frame: str, step: str, fn: Callable[..., Any]) -> Callable[..., Any]:
    def run(f: Any, g: Any) -> Any:
        before, table, told = f.copy(), dict(g.table), len(g.events)
        outcome = fn(f, g)
        if isinstance(outcome, Ask) and (f != before or g.table != table or len(g.events) != told):
            raise LawBroken(f"{frame}.{step} has written before it asked")
        return outcome

    return run


def state_faults(g: State) -> Iterator[str]:
    """Yield the faults of a state: undeclared places, empty ones that are stored, values that are not plain."""
    layout = g.setting.layout
    for key, value in g.table.items():
        place = layout.places.get(key.removeprefix("*"))
        if place is None and not key.startswith("chance/") and key != "epoch":
            yield f"the place {key} is not declared"
        elif place is not None and value == layout.empty(key.removeprefix("*")):
            yield f"the empty place {key} is stored"
        if not _plain(value):
            yield f"{key} holds {value!r}, which is not plain"
        if key.startswith("*"):
            yield from _bad_masks(g, key.removeprefix("*"), value)
    for frame in g.stack:
        for name in frame.__struct_fields__:
            if not _plain(getattr(frame, name)):
                yield f"{type(frame).__name__}.{name} is {getattr(frame, name)!r}, which is not plain"


def _plain(value: Any) -> bool:
    return all(map(_plain, value)) if type(value) is tuple else type(value) in _PLAIN


def _bad_masks(g: State, key: str, masks: tuple[int, ...]) -> Iterator[str]:
    faces = g.table.get(key, ())
    if len(masks) != len(faces):
        yield f"{key} holds {len(faces)} pieces, but {len(masks)} masks"
    elif any(mask & g.eyes[key] or mask & ~g.setting.everybody for mask in masks):
        yield f"{key} has masks of those who see it anyway: {masks}"
    elif g.setting.places[key].zone.content is Content.HAND:
        for at in range(1, len(faces)):
            if faces[at] == faces[at - 1] and masks[at] & ~masks[at - 1]:
                yield f"the masks of {faces[at]} in {key} are no staircase: {masks}"
