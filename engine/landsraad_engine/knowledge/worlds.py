"""World sampling (determinization): draw a full state that a seat cannot distinguish from the true one.

The only input is the seat's view: the places that it sees and the public stack. Hidden pieces are drawn from the census
of the box less the visible ones; hidden marks and purses are guessed by the game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from random import Random
from typing import Any

import msgspec

from landsraad_engine.errors import LawBroken, NoWorld
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.domains import below
from landsraad_engine.kernel.execution import ON_REQUEST, ask_again, plain, standing_orders
from landsraad_engine.kernel.frames import Frame, Interlude
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.reserved_places import answer_key, orders_key
from landsraad_engine.kernel.setting import Setting
from landsraad_engine.kernel.snapshots import frames_of, untangle
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import HIDDEN, PIECES, UNSEEN, Content, Layout, Sight

from .information import KnownTable, at_entry, seat_bit

#: The position of a hidden piece: (place, index).
Slot = tuple[str, int]

#: Zones of answers in progress and standing orders, which belong to the kernel: the game does not guess them.
_KERNEL_ZONES = frozenset({"sealed", "quiet", "orders"})


#: Attempts before sampling gives up. Nearly every first attempt succeeds.
TRIES = 100


def sample_world(setting: Setting, view: KnownTable, rng: Random) -> State:
    """Draw a world that is consistent with a view.

    Rejection sampling: the open question may depend on hidden facts, so a guess that does not lead to the view's public
    step is discarded and drawn anew. That keeps the distribution over the consistent worlds.

    Clients do not know the chance key of the match; that of ``setting`` may be any.

    Raises:
        NoWorld: No attempt was consistent with the view.

    """
    for _ in range(TRIES):
        g = _visible_state(setting, view)
        _deal_pieces(g, view, rng)
        _guess_values(g, view, rng)
        _guess_answers(g, view, rng)
        if _is_consistent(g, view, rng):
            g.events.clear()
            return g
    raise NoWorld(f"none of {TRIES} sampled worlds is at the public step {view.at[0][-1:]}")


def _is_consistent(g: State, view: KnownTable, rng: Random) -> bool:
    """Put the open question; return True if it gives the view's public step and asks the view's seat as it says."""
    ask_again(g)
    if g.ask is not None and g.ask.window == ON_REQUEST and not g.waiting:
        _guess_request(g, g.ask, view, rng)
        ask_again(g)
    asked = g.ask is not None and view.seat in g.waiting
    return not g.dirty and at_entry(g) == view.at and asked is (view.ask is not None)


def _guess_request(g: State, ask: Ask, view: KnownTable, rng: Random) -> None:
    """Give one other seat standing orders that request plays.

    A window on request is open, and this seat has not requested it, so another seat must have.
    """
    others = [seat for seat in ask.seats if seat != view.seat and orders_key(seat) not in g.table]
    if others:
        requests = [order for order in standing_orders(g.setting.game) if order.startswith(f"{ON_REQUEST}:")]
        g.table[orders_key(others[below(rng, len(others))])] = tuple(sorted(requests))


def _visible_state(setting: Setting, view: KnownTable) -> State:
    """Return a state with the stack of a view and the places that it shows completely."""
    frames: list[Frame] = [msgspec.convert(dict(items), frames_of(setting.game)) for items in view.at[0]]
    table = {key: value for key, value in view.places.items() if not _is_hidden(value)}
    return setting.game.state(setting, table, [untangle(frame) for frame in frames])


def _is_hidden(value: Any) -> bool:
    """Return True if a value is hidden, or some of its faces are."""
    return bool(value == HIDDEN or (type(value) is tuple and HIDDEN in value))


# --------------------------------------------------------------------------------------------------------------- pieces


def _deal_pieces(g: State, view: KnownTable, rng: Random) -> None:
    """Deal the unseen pieces of each back to the places that show this back."""
    pools = {back: list(faces) for back, faces in g.setting.game.census(g).items()}
    slots: dict[str, list[Slot]] = {}
    dealt: dict[str, list[str]] = {}
    for key in sorted(view.places):
        zone = g.setting.places[key].zone
        if zone.content not in PIECES or not zone.back:
            continue
        shown = view.places[key]
        for index, face in enumerate(shown):
            if face == HIDDEN:
                slots.setdefault(zone.back, []).append((key, index))
                dealt[key] = list(shown)
            elif face in pools.get(zone.back, ()):
                pools[zone.back].remove(face)
            else:
                raise LawBroken(f"{face} in {key} is not in the census of {zone.back}")
    for back, hidden in slots.items():
        for (key, index), face in zip(hidden, _assign_faces(g, hidden, pools[back], rng), strict=True):
            dealt[key][index] = face
    for key in sorted(view.places):
        if g.setting.places[key].zone.content in PIECES:
            _write_place(g, key, view, dealt.get(key))


def _write_place(g: State, key: str, view: KnownTable, faces: list[str] | None) -> None:
    """Write the dealt pieces of a place, with the seen-masks of the faces that the seat, or every seat, knows."""
    hand = g.setting.places[key].zone.content is Content.HAND
    if faces is not None:
        g.table[key] = tuple(sorted(faces) if hand else faces)
    bits = {view.places[key]: seat_bit(g, view.seat)}
    if key in view.shown:
        bits[view.shown[key]] = g.setting.everybody
    masks = [0] * len(g.table[key])
    for known, bit in bits.items():
        for index, mask in enumerate(_known_masks(g.table[key], known, bit & ~g.eyes[key], hand)):
            masks[index] |= mask
    if any(masks):
        g.table["*" + key] = tuple(masks)


def _known_masks(faces: tuple[str, ...], known: tuple[str, ...], bits: int, hand: bool) -> list[int]:
    """Return ``bits`` for each piece whose face is known, else 0; among equal faces of a hand the first are known."""
    if not hand:
        return [0 if face == HIDDEN else bits for face in known]
    left = list(known)
    masks = []
    for face in faces:
        masks.append(bits if face in left else 0)
        if face in left:
            left.remove(face)
    return masks


def _assign_faces(g: State, slots: list[Slot], pool: list[str], rng: Random) -> list[str]:
    """Draw a face for each slot, uniformly over the assignments that ``Game.fits`` allows."""
    game = g.setting.game
    rng.shuffle(pool)
    if len(pool) < len(slots):
        raise LawBroken(f"{len(slots)} hidden pieces, but only {len(pool)} in the box")
    if type(game).fits is Game.fits:
        return pool[: len(slots)]

    @cache
    def fits(index: int, face: str) -> bool:  # indices beyond the slots stand for pieces that lie nowhere
        return index >= len(slots) or game.fits(g, slots[index][0], face)

    faces = _match_faces(len(slots), pool, fits)
    # A random walk of exchanges: it is symmetric, so it approaches the uniform distribution over all assignments.
    for _ in range(8 * len(faces)):
        one, other = below(rng, len(faces)), below(rng, len(faces))
        if fits(one, faces[other]) and fits(other, faces[one]):
            faces[one], faces[other] = faces[other], faces[one]
    return faces[: len(slots)]


def _match_faces(slots: int, pool: list[str], fits: Callable[[int, str], bool]) -> list[str]:
    """Order the pool so that each slot has a face that fits (bipartite matching with augmenting paths)."""
    holder: list[int | None] = [None] * len(pool)

    def find(slot: int, tried: set[int]) -> bool:
        for index, face in enumerate(pool):
            if index in tried or not fits(slot, face):
                continue
            tried.add(index)
            current = holder[index]
            if current is None or find(current, tried):
                holder[index] = slot
                return True
        return False

    for slot in range(slots):
        if not find(slot, set()):
            raise LawBroken("no unseen piece fits a hidden place")
    free = iter(range(slots, len(pool)))
    order = [next(free) if slot is None else slot for slot in holder]
    return [pool[order.index(slot)] for slot in range(len(pool))]


# ---------------------------------------------------------------------------------------------------- marks and purses


@lru_cache(maxsize=256)
def _guessable(layout: Layout) -> tuple[str, ...]:
    """Return the keys of the marks and purses that are hidden from some seat."""
    return tuple(
        key
        for key, place in sorted(layout.places.items())
        if place.zone.content in (Content.MARK, Content.PURSE)
        and place.zone.sight is not Sight.OPEN
        and place.zone.name not in _KERNEL_ZONES
    )


def _guess_values(g: State, view: KnownTable, rng: Random) -> None:
    """Guess the marks and purses that the seat does not see, including those of which it does not see if they exist."""
    bit = seat_bit(g, view.seat)
    places = g.setting.places
    unknown = [
        key
        for key in _guessable(g.setting.layout)
        if not g.eyes[key] & bit and (places[key].zone.sight in UNSEEN or view.places.get(key) == HIDDEN)
    ]
    g.table.update(dict.fromkeys(unknown, HIDDEN))  # tells the game which ones are not guessed yet
    for key in unknown:
        value = g.setting.game.guess(g, key, rng)
        if value is None or value == g.setting.layout.empty(key):
            del g.table[key]
        else:
            g.table[key] = value


def _guess_answers(g: State, view: KnownTable, rng: Random) -> None:
    """Guess the sealed answers already given: for each seat an answer that is legal in this world."""
    depths = [at for at, frame in enumerate(g.stack) if type(frame) is Interlude]
    for level, depth in enumerate((*depths, len(g.stack))):
        given = {seat: answer_key(Sight.SEALED, seat, level) for seat in range(g.setting.seats)}
        given = {seat: key for seat, key in given.items() if view.places.get(key) == HIDDEN}
        if not given:
            continue
        asking = g.copy()
        del asking.stack[depth:]
        ask_again(asking)
        for seat, key in given.items():
            options = asking.ask.options.get(seat) if asking.ask else None
            # Without options, a play in progress has changed the question below, so its answers are void: any will do.
            g.table[key] = (HIDDEN,) if options is None else plain(options.sample(rng))
