"""Sampling worlds: a full state that a seat cannot tell from the true one.

Built only from what the seat's view holds: the places it sees and the public stack. Pieces that the view does not show
are drawn from the census of the box less what it shows; hidden marks and purses are guessed by the game.
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

#: A position in a place that shows a back: (place, index).
Slot = tuple[str, int]

#: Answers under way and standing orders are the kernel's; a game does not guess them.
_KERNELS = frozenset({"sealed", "quiet", "orders"})


#: Guesses after which no world is looked for any more. Nearly every first one is right.
TRIES = 100


def sample_world(setting: Setting, view: KnownTable, rng: Random) -> State:
    """One world that gives this view. ``setting`` may be a stranger's: its chance key need not be the match's.

    What is guessed may turn out not to lead to the public step (the open question rests on what is hidden): then it is
    guessed anew, so that each world comes as often as it should among those that do.
    """
    for _ in range(TRIES):
        g = _visible(setting, view)
        _deal(g, view, rng)
        _guess(g, view, rng)
        _answers(g, view, rng)
        if _stands(g, view, rng):
            g.events.clear()
            return g
    raise NoWorld(f"none of {TRIES} worlds stands at {view.at[0][-1:]}")


def _stands(g: State, view: KnownTable, rng: Random) -> bool:
    """Put the open question; whether this world stands at the view's public step, and its seat is asked or not."""
    ask_again(g)
    if g.ask is not None and g.ask.window == ON_REQUEST and not g.waiting:
        _wished(g, g.ask, view, rng)
        ask_again(g)
    asked = g.ask is not None and view.seat in g.waiting
    return not g.dirty and at_entry(g) == view.at and asked is (view.ask is not None)


def _wished(g: State, ask: Ask, view: KnownTable, rng: Random) -> None:
    """Plays are being offered, and this seat has not asked for that: somebody else has, by standing orders."""
    others = [seat for seat in ask.seats if seat != view.seat and orders_key(seat) not in g.table]
    if others:
        wishes = [order for order in standing_orders(g.setting.game) if order.startswith(f"{ON_REQUEST}:")]
        g.table[orders_key(others[below(rng, len(others))])] = tuple(sorted(wishes))


def _visible(setting: Setting, view: KnownTable) -> State:
    """A state with everything that the view shows, and its stack."""
    frames: list[Frame] = [msgspec.convert(dict(items), frames_of(setting.game)) for items in view.at[0]]
    table = {key: value for key, value in view.places.items() if not _obscured(value)}
    return setting.game.state(setting, table, [untangle(frame) for frame in frames])


def _obscured(value: Any) -> bool:
    return bool(value == HIDDEN or (type(value) is tuple and HIDDEN in value))


# --------------------------------------------------------------------------------------------------------------- pieces


def _deal(g: State, view: KnownTable, rng: Random) -> None:
    """Put the unseen pieces of each back into the places that show its back."""
    pools = {back: list(faces) for back, faces in g.setting.game.census(g).items()}
    slots: dict[str, list[Slot]] = {}
    dealt: dict[str, list[str]] = {}
    for key in sorted(view.places):
        zone = g.setting.places[key].zone
        if zone.content not in PIECES or not zone.back:
            continue
        shown = view.places[key]
        for at, face in enumerate(shown):
            if face == HIDDEN:
                slots.setdefault(zone.back, []).append((key, at))
                dealt[key] = list(shown)
            elif face in pools.get(zone.back, ()):
                pools[zone.back].remove(face)
            else:
                raise LawBroken(f"{face} in {key} is not in the census of {zone.back}")
    for back, hidden in slots.items():
        for (key, at), face in zip(hidden, _assigned(g, hidden, pools[back], rng), strict=True):
            dealt[key][at] = face
    for key in sorted(view.places):
        if g.setting.places[key].zone.content in PIECES:
            _lay(g, key, view, dealt.get(key))


def _lay(g: State, key: str, view: KnownTable, faces: list[str] | None) -> None:
    """Write a place with the pieces dealt to it; what the seat, or everybody, knows there is known there again."""
    hand = g.setting.places[key].zone.content is Content.HAND
    if faces is not None:
        g.table[key] = tuple(sorted(faces) if hand else faces)
    bits = {view.places[key]: seat_bit(g, view.seat)}
    if key in view.shown:
        bits[view.shown[key]] = g.setting.everybody
    masks = [0] * len(g.table[key])
    for known, bit in bits.items():
        for at, mask in enumerate(_knowing(g.table[key], known, bit & ~g.eyes[key], hand)):
            masks[at] |= mask
    if any(masks):
        g.table["*" + key] = tuple(masks)


def _knowing(faces: tuple[str, ...], known: tuple[str, ...], bits: int, hand: bool) -> list[int]:
    """The bits for each piece whose face is known; of equal faces in a hand the first ones are."""
    if not hand:
        return [0 if face == HIDDEN else bits for face in known]
    left = list(known)
    masks = []
    for face in faces:
        masks.append(bits if face in left else 0)
        if face in left:
            left.remove(face)
    return masks


def _assigned(g: State, slots: list[Slot], pool: list[str], rng: Random) -> list[str]:
    """A face for each slot, at random among all assignments that fit."""
    game = g.setting.game
    rng.shuffle(pool)
    if len(pool) < len(slots):
        raise LawBroken(f"{len(slots)} hidden pieces, but only {len(pool)} in the box")
    if type(game).fits is Game.fits:
        return pool[: len(slots)]

    @cache
    def fits(at: int, face: str) -> bool:  # what is left over lies nowhere and always fits
        return at >= len(slots) or game.fits(g, slots[at][0], face)

    faces = _matched(len(slots), pool, fits)
    # From any one assignment random exchanges lead to all; each is as likely as its reverse, so none is favoured.
    for _ in range(8 * len(faces)):
        one, other = below(rng, len(faces)), below(rng, len(faces))
        if fits(one, faces[other]) and fits(other, faces[one]):
            faces[one], faces[other] = faces[other], faces[one]
    return faces[: len(slots)]


def _matched(slots: int, pool: list[str], fits: Callable[[int, str], bool]) -> list[str]:
    """The pool in an order in which each of the first slots has a face that fits (augmenting paths)."""
    holder: list[int | None] = [None] * len(pool)

    def find(slot: int, tried: set[int]) -> bool:
        for at, face in enumerate(pool):
            if at in tried or not fits(slot, face):
                continue
            tried.add(at)
            now = holder[at]
            if now is None or find(now, tried):
                holder[at] = slot
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
    """Marks and purses that some seat does not see."""
    return tuple(
        key
        for key, place in sorted(layout.places.items())
        if place.zone.content in (Content.MARK, Content.PURSE)
        and place.zone.sight is not Sight.OPEN
        and place.zone.name not in _KERNELS
    )


def _guess(g: State, view: KnownTable, rng: Random) -> None:
    """Values for hidden marks that are there, and for what may be there without the seat's knowing."""
    bit = seat_bit(g, view.seat)
    places = g.setting.places
    unknown = [
        key
        for key in _guessable(g.setting.layout)
        if not g.eyes[key] & bit and (places[key].zone.sight in UNSEEN or view.places.get(key) == HIDDEN)
    ]
    g.table.update(dict.fromkeys(unknown, HIDDEN))  # the game sees which ones are still to come
    for key in unknown:
        value = g.setting.game.guess(g, key, rng)
        if value is None or value == g.setting.layout.empty(key):
            del g.table[key]
        else:
            g.table[key] = value


def _answers(g: State, view: KnownTable, rng: Random) -> None:
    """Sealed answers that are in but not seen: something that the seat could have answered in this world."""
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
            # A play in progress may have changed the question below; its answers are void then, whatever they say.
            g.table[key] = (HIDDEN,) if options is None else plain(options.sample(rng))
