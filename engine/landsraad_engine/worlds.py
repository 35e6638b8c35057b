"""Sampling worlds: a full state that a seat cannot tell from the true one.

Built only from what the seat's view holds: the places it sees and the public stack. Pieces that the view does not show
are drawn from the census of the box less what it shows; hidden marks and purses are guessed by the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Union

import msgspec

from .errors import LawBroken
from .exceptions import Moment
from .game import Setting
from .information import View
from .kernel import plain, refresh
from .snapshots import tuples
from .table import State
from .zones import HIDDEN, UNSEEN, Content, Sight


def sample_world(setting: Setting, view: View, rng: Random) -> State:
    """One world that gives this view. ``setting`` may be a stranger's: its chance key is not the match's."""
    g = _visible(setting, view)
    _deal(g, view.places, rng)
    _guess(g, view, rng)
    refresh(g)
    _answers(g, view, rng)
    g.events.clear()
    g.dirty.clear()
    return g


def _visible(setting: Setting, view: View) -> State:
    """A state with everything that the view shows, and its stack."""
    frames: Any = Union[tuple([*setting.game.frames, Moment])]  # noqa: UP007 - built at run time
    stack = [msgspec.convert(dict(items), frames) for items in view.at[0]]
    for frame in stack:
        for name in frame.__struct_fields__:
            value = getattr(frame, name)
            if type(value) is list:
                setattr(frame, name, tuples(value))
    table = {key: value for key, value in view.places.items() if not _obscured(value)}
    return setting.game.state(setting, table, stack)


def _obscured(value: Any) -> bool:
    return bool(value == HIDDEN or (type(value) is tuple and HIDDEN in value))


def _deal(g: State, seen: Mapping[str, Any], rng: Random) -> None:
    """Put the unseen pieces of each back into the places that show its back."""
    places = g.setting.places
    pools: dict[str, list[str]] = {back: list(faces) for back, faces in g.setting.game.census(g).items()}
    slots: dict[str, list[tuple[str, int]]] = {}
    partial: dict[str, list[str]] = {}
    for key in sorted(seen):
        zone = places[key].zone
        if zone.content not in (Content.PILE, Content.HAND) or not zone.back:
            continue
        partial[key] = list(seen[key])
        for at, face in enumerate(seen[key]):
            if face == HIDDEN:
                slots.setdefault(zone.back, []).append((key, at))
            else:
                try:
                    pools[zone.back].remove(face)
                except ValueError:
                    raise LawBroken(f"{face} in {key} is not in the census of {zone.back}") from None
    for back in sorted(slots):
        _fill(g, partial, slots[back], pools[back], rng)
    for key, faces in partial.items():
        shown = seen[key]
        if HIDDEN not in shown:
            continue
        if places[key].zone.content is Content.PILE:
            g.table[key] = tuple(faces)
        else:
            g.table[key] = tuple(sorted(faces))


def _fill(
    g: State, partial: dict[str, list[str]], slots: list[tuple[str, int]], pool: list[str], rng: Random
) -> None:
    """A random assignment of the pool to the slots under the game's ``fits`` (the scarcest slots first)."""
    fits = g.setting.game.fits
    pool = list(pool)
    rng.shuffle(pool)
    order = list(slots)
    rng.shuffle(order)
    order.sort(key=lambda slot: sum(fits(g, slot[0], face) for face in pool))
    for key, at in order:
        for i, face in enumerate(pool):
            if fits(g, key, face):
                partial[key][at] = pool.pop(i)
                break
        else:
            raise LawBroken(f"no unseen piece fits {key}")


def _guess(g: State, view: View, rng: Random) -> None:
    """Values for hidden marks that are there, and for purses that nobody else sees."""
    bit = 0 if view.seat is None else 1 << view.seat
    game = g.setting.game
    for key in sorted(g.setting.places):
        zone = g.setting.places[key].zone
        if zone.name in ("sealed", "quiet", "orders") or zone.sight in (Sight.OPEN,) or g.eyes[key] & bit:
            continue
        if zone.sight in UNSEEN or view.places.get(key) == HIDDEN:
            value = game.guess(g, key, rng)
            if value is not None and value != 0:
                g.table[key] = value
    # What the seat itself knows of hidden places is known in the sampled world too.
    for key, value in view.places.items():
        zone = g.setting.places[key].zone
        if type(value) is tuple and HIDDEN in value and zone.content in (Content.PILE, Content.HAND) and bit:
            _remember(g, key, value, bit)


def _remember(g: State, key: str, shown: tuple[str, ...], bit: int) -> None:
    faces = g.table[key]
    masks = [0] * len(faces)
    if g.setting.places[key].zone.content is Content.PILE:
        masks = [bit if face != HIDDEN else 0 for face in shown]
    else:
        known = [face for face in shown if face != HIDDEN]
        for i, face in enumerate(faces):
            if face in known:
                known.remove(face)
                masks[i] = bit
    if any(masks):
        g.table["*" + key] = tuple(masks)


def _answers(g: State, view: View, rng: Random) -> None:
    """Sealed answers that are in but not seen: something that seat could have answered in this world."""
    if g.ask is None:
        return
    for seat in g.ask.seats:
        key = f"sealed/{seat}"
        if view.places.get(key) == HIDDEN and key not in g.table:
            g.table[key] = plain(g.ask.options[seat].sample(rng))
            g.waiting = tuple(s for s in g.waiting if s != seat)
