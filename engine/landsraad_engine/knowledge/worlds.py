"""World sampling (determinization): draw a full state that a seat cannot distinguish from the true one.

The only input is the seat's view: the places that it sees and the public stack. Hidden pieces are drawn from the census
of the box less the visible ones; hidden marks and purses are guessed by the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec

from landsraad_engine.errors import LawBroken, NoWorld
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.domains import below
from landsraad_engine.kernel.execution import ON_REQUEST, ask_again, plain, standing_orders
from landsraad_engine.kernel.frames import Interlude
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.reserved_places import answer_key, orders_key
from landsraad_engine.kernel.setting import Setting
from landsraad_engine.kernel.snapshots import decode_stack
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import HIDDEN, PIECES, UNSEEN, Content, Layout, Sight

from .information import KnownTable, at_entry, seat_bit

#: Zones of answers in progress and standing orders, which belong to the kernel: the game does not guess them.
_KERNEL_ZONES = frozenset({"sealed", "quiet", "orders"})


#: Draws a face for each hidden piece of one back, in order, from its unseen pieces, which it may shuffle.
_Draw: TypeAlias = Callable[[list[str], Random], list[str]]
#: Attempts before sampling gives up. Nearly every first attempt succeeds.
TRIES = 100


class WorldSampler:
    """Worlds that are consistent with one view, drawn again and again. What they have in common is made ready once.

    The view is read when the sampler is made, and not after. Clients do not know the chance key of the match; that of
    ``setting`` may be any.
    """

    def __init__(self, setting: Setting, view: KnownTable) -> None:
        self._seat = view.seat
        self._at = view.at
        self._asked = view.ask is not None
        self._answers = {key for key, value in view.places.items() if value == HIDDEN}
        self._base = g = _visible_state(setting, view)
        self._unknown = _unknown_values(g, view)
        self._deals = _deals(g, view)

    def sample(self, rng: Random) -> State:
        """Draw a world.

        Rejection sampling: the open question may depend on hidden facts, so a guess that does not lead to the view's
        public step is discarded and drawn anew. That keeps the distribution over the consistent worlds.

        Raises:
            NoWorld: No attempt was consistent with the view.

        """
        for _ in range(TRIES):
            g = self._base.copy()
            for deal in self._deals:
                deal.deal(g.table, rng)
            self._guess_values(g, rng)
            if self._answers:
                self._guess_answers(g, rng)
            if self._is_consistent(g, rng):
                g.events.clear()
                return g
        raise NoWorld(f"none of {TRIES} sampled worlds is at the public step {self._at[0][-1:]}")

    def _guess_values(self, g: State, rng: Random) -> None:
        """Guess the marks and purses that the seat does not see, or of which it does not see if they exist."""
        game, layout, table = g.setting.game, g.setting.layout, g.table
        table.update(dict.fromkeys(self._unknown, HIDDEN))  # tells the game which ones are not guessed yet
        for key in self._unknown:
            value = game.guess(g, key, rng)
            if value is None or value == layout.empty(key):
                del table[key]
            else:
                table[key] = value

    def _guess_answers(self, g: State, rng: Random) -> None:
        """Guess the sealed answers already given: for each seat an answer that is legal in this world."""
        depths = [at for at, frame in enumerate(g.stack) if type(frame) is Interlude]
        for level, depth in enumerate((*depths, len(g.stack))):
            given = {seat: answer_key(Sight.SEALED, seat, level) for seat in range(g.setting.seats)}
            given = {seat: key for seat, key in given.items() if key in self._answers}
            if not given:
                continue
            asking = g.copy()
            del asking.stack[depth:]
            ask_again(asking)
            for seat, key in given.items():
                options = asking.ask.options.get(seat) if asking.ask else None
                # Without options, a play in progress has changed the question below, so its answers are void: any will
                # do.
                g.table[key] = (HIDDEN,) if options is None else plain(options.sample(rng))

    def _is_consistent(self, g: State, rng: Random) -> bool:
        """Put the open question; return True if it gives the view's public step and asks the view's seat as it says."""
        ask_again(g)
        if g.ask is not None and g.ask.window == ON_REQUEST and not g.waiting:
            self._guess_request(g, g.ask, rng)
            ask_again(g)
        asked = g.ask is not None and self._seat in g.waiting
        return not g.dirty and at_entry(g) == self._at and asked is self._asked

    def _guess_request(self, g: State, ask: Ask, rng: Random) -> None:
        """Give one other seat standing orders that request plays.

        A window on request is open, and this seat has not requested it, so another seat must have.
        """
        others = [seat for seat in ask.seats if seat != self._seat and orders_key(seat) not in g.table]
        if others:
            requests = [order for order in standing_orders(g.setting.game) if order.startswith(f"{ON_REQUEST}:")]
            g.table[orders_key(others[below(rng, len(others))])] = tuple(sorted(requests))


def sample_world(setting: Setting, view: KnownTable, rng: Random) -> State:
    """Draw a world that is consistent with a view; see `WorldSampler`, which draws several at less cost each."""
    return WorldSampler(setting, view).sample(rng)


def _visible_state(setting: Setting, view: KnownTable) -> State:
    """Return a state with the stack of a view and the places that it shows completely."""
    # Decoding takes a twentieth of the time of `msgspec.convert`, which prepares the type of all frames each time.
    frames = decode_stack(setting.game, msgspec.msgpack.encode([dict(items) for items in view.at[0]]))
    # In an order that does not depend on whether the view was folded from a log or read from a table.
    table = {key: value for key, value in sorted(view.places.items()) if not _is_hidden(value)}
    return setting.game.state(setting, table, frames)


def _is_hidden(value: Any) -> bool:
    """Return True if a value is hidden, or some of its faces are."""
    return bool(value == HIDDEN or (type(value) is tuple and HIDDEN in value))


# --------------------------------------------------------------------------------------------------------------- pieces


class _Place(NamedTuple):
    """A place with hidden pieces, and what is known of it."""

    key: str
    #: its pieces as the seat sees them, those dealt to it still hidden
    shown: tuple[str, ...]
    hidden: tuple[int, ...]  #: the indices of these
    hand: bool
    #: what seats know of its faces, with their bits; only what does not follow from their seeing the place
    known: tuple[tuple[tuple[str, ...], int], ...]

    def write(self, table: dict[str, Any], faces: Sequence[str]) -> None:
        """Write its pieces with the faces that were dealt to it, and the masks of those that some seats know."""
        if len(faces) == len(self.shown):
            pieces = tuple(sorted(faces) if self.hand else faces)
        else:
            filled = list(self.shown)
            for index, face in zip(self.hidden, faces, strict=True):
                filled[index] = face
            pieces = tuple(sorted(filled) if self.hand else filled)
        table[self.key] = pieces
        if self.known:
            _write_masks(table, self.key, self.known, self.hand)


class _Deal:
    """The deal of the unseen pieces of one back to the places that show it."""

    def __init__(self, places: list[_Place], pool: list[str], draw: _Draw) -> None:
        self._places = places
        self._pool = pool
        self._draw = draw
        ends = list(accumulate(len(place.hidden) for place in places))
        self._slices = [slice(end - len(place.hidden), end) for end, place in zip(ends, places, strict=True)]

    def deal(self, table: dict[str, Any], rng: Random) -> None:
        """Deal, and write the places."""
        faces = self._draw(self._pool.copy(), rng)
        for place, part in zip(self._places, self._slices, strict=True):
            place.write(table, faces[part])


def _deals(g: State, view: KnownTable) -> list[_Deal]:
    """Write the places whose pieces are all known, and return the deals of the others."""
    pools = {back: list(faces) for back, faces in g.setting.game.census(g).items()}
    hidden: dict[str, list[_Place]] = {}
    for key in sorted(view.places):
        zone = g.setting.places[key].zone
        if zone.content not in PIECES:
            continue
        shown = view.places[key]
        hand = zone.content is Content.HAND
        unseen: list[int] = []
        for index, face in enumerate(shown if zone.back else ()):
            if face == HIDDEN:
                unseen.append(index)
            elif face in pools.get(zone.back, ()):
                pools[zone.back].remove(face)
            else:
                raise LawBroken(f"{face} in {key} is not in the census of {zone.back}")
        known = _known_by(g, key, view)
        if unseen:
            hidden.setdefault(zone.back, []).append(_Place(key, shown, tuple(unseen), hand, known))
        else:
            _write_masks(g.table, key, known, hand)
    return [_Deal(places, pools[back], _drawing(g, places, pools[back])) for back, places in hidden.items()]


def _known_by(g: State, key: str, view: KnownTable) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return which faces the seat, and every seat, knows of a place, if its eyes alone do not tell them."""
    bits = {view.places[key]: seat_bit(g, view.seat)}
    if key in view.shown:
        bits[view.shown[key]] = g.setting.everybody
    eyes = g.eyes[key]
    return tuple(
        (known, bit & ~eyes) for known, bit in bits.items() if bit & ~eyes and any(face != HIDDEN for face in known)
    )


def _write_masks(table: dict[str, Any], key: str, known: Iterable[tuple[tuple[str, ...], int]], hand: bool) -> None:
    """Write the seen-masks of a place's faces."""
    masks = [0] * len(table[key])
    for faces, bits in known:
        for index, mask in enumerate(_known_masks(table[key], faces, bits, hand)):
            masks[index] |= mask
    if any(masks):
        table["*" + key] = tuple(masks)


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


# ---------------------------------------------------------------------------------------------------- dealing the faces


def _drawing(g: State, places: list[_Place], pool: list[str]) -> _Draw:
    """Return the function that draws a face from a copy of the pool for each hidden piece, as ``Game.fits`` allows.

    All assignments are equally likely. The pool may be sorted.
    """
    game = g.setting.game
    slots = [place.key for place in places for _ in place.hidden]
    if len(pool) < len(slots):
        raise LawBroken(f"{len(slots)} hidden pieces, but only {len(pool)} in the box")
    if type(game).fits is Game.fits:
        return partial(_draw_any, len(slots))
    faces = frozenset(pool)
    fitting = {place.key: frozenset([face for face in faces if game.fits(g, place.key, face)]) for place in places}
    narrow_first = sorted(set(fitting.values()), key=len)
    if narrow_first == [faces]:
        return partial(_draw_any, len(slots))
    if all(narrow <= wide for narrow, wide in pairwise(narrow_first)):
        return _draw_nested([fitting[key] for key in slots], narrow_first, pool)
    return partial(_draw_matched, [fitting[key] for key in slots])


def _draw_any(count: int, left: list[str], rng: Random) -> list[str]:
    """Draw where each piece fits everywhere."""
    _shuffle_part(left, 0, count, len(left), rng)
    return left[:count]


def _shuffle_part(faces: list[str], first: int, last: int, end: int, rng: Random) -> None:
    """Shuffle the faces from ``first`` to ``end``, only as far as ``last``."""
    random = rng.random
    for index in range(first, last):
        other = index + int(random() * (end - index))
        faces[index], faces[other] = faces[other], faces[index]


def _draw_nested(slots: list[frozenset[str]], narrow_first: list[frozenset[str]], pool: list[str]) -> _Draw:
    """Return the drawing where what fits one piece fits each other one, too, or the other way round.

    The pieces with the fewest choices draw first. However they draw, the others have as many choices left, so each
    assignment is equally likely.
    """
    nowhere = len(narrow_first)
    ranks = {face: next((n for n, fits in enumerate(narrow_first) if face in fits), nowhere) for face in pool}
    pool.sort(key=ranks.__getitem__)
    # For each set of choices: the first and the last of the pieces that draw from it, and its end in the sorted pool.
    ends = list(accumulate(slots.count(fits) for fits in narrow_first))
    steps = [
        (first, last, sum(ranks[face] <= n for face in pool))
        for n, (first, last) in enumerate(zip([0, *ends], ends, strict=False))
    ]
    if any(last > end for _, last, end in steps):
        raise LawBroken("no unseen piece fits a hidden place")
    order = [slot for fits in narrow_first for slot, allowed in enumerate(slots) if allowed == fits]
    sorted_back = [order.index(slot) for slot in range(len(slots))]

    def draw(left: list[str], rng: Random) -> list[str]:
        for first, last, end in steps:
            _shuffle_part(left, first, last, end, rng)
        return [left[index] for index in sorted_back]

    return draw


def _draw_matched(slots: list[frozenset[str]], pool: list[str], rng: Random) -> list[str]:
    """Draw where what fits one piece overlaps with what fits another: match, then walk to the uniform distribution."""
    rng.shuffle(pool)
    faces = _match_faces(slots, pool)
    anywhere = frozenset(pool)
    fits = [*slots, *[anywhere] * (len(pool) - len(slots))]  # beyond the slots are pieces that lie nowhere
    # A random walk of exchanges: it is symmetric, so it approaches the uniform distribution over all assignments.
    for _ in range(8 * len(faces)):
        one, other = below(rng, len(faces)), below(rng, len(faces))
        if faces[other] in fits[one] and faces[one] in fits[other]:
            faces[one], faces[other] = faces[other], faces[one]
    return faces[: len(slots)]


def _match_faces(slots: list[frozenset[str]], pool: list[str]) -> list[str]:
    """Order the pool so that each slot has a face that fits: greedily, and then with augmenting paths."""
    holder: list[int | None] = [None] * len(pool)

    def find(slot: int, tried: set[int]) -> bool:
        for index, face in enumerate(pool):
            if holder[index] is None and face in slots[slot]:
                holder[index] = slot
                return True
        for index, face in enumerate(pool):
            current = holder[index]
            if current is None or index in tried or face not in slots[slot]:
                continue
            tried.add(index)
            if find(current, tried):
                holder[index] = slot
                return True
        return False

    for slot in sorted(range(len(slots)), key=lambda slot: len(slots[slot])):
        if not find(slot, set()):
            raise LawBroken("no unseen piece fits a hidden place")
    held = {slot: face for slot, face in zip(holder, pool, strict=True) if slot is not None}
    free = [face for slot, face in zip(holder, pool, strict=True) if slot is None]
    return [*(held[slot] for slot in range(len(slots))), *free]


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


def _unknown_values(g: State, view: KnownTable) -> list[str]:
    """Return the marks and purses that the seat does not see, or of which it does not see if they exist."""
    bit = seat_bit(g, view.seat)
    places = g.setting.places
    return [
        key
        for key in _guessable(g.setting.layout)
        if not g.eyes[key] & bit and (places[key].zone.sight in UNSEEN or view.places.get(key) == HIDDEN)
    ]
