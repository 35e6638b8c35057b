"""Conservation of pieces: every piece of the box lies in exactly one place of the table."""

from collections import Counter
from collections.abc import Iterator

from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import PIECES


def misplaced(g: State) -> Iterator[str]:
    """Yield a problem for each back whose pieces on the table differ from the game's census."""
    found: dict[str, Counter[str]] = {}
    for key, value in g.table.items():
        place = g.setting.places.get(key)
        if place is not None and place.zone.content in PIECES:
            found.setdefault(place.zone.back, Counter()).update(value)
    for back, pieces in g.setting.game.census(g).items():
        there = found.pop(back, Counter())
        if there != Counter(pieces):
            yield f"{back}: {dict(Counter(pieces) - there)} missing, {dict(there - Counter(pieces))} too many"
    for back, there in found.items():
        if there:
            yield f"{dict(there)} with the back {back!r} are not in the census"
