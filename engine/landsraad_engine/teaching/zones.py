"""Every place of the game, what lies in it and who may see it; the pieces of the box."""

from collections.abc import Mapping
from typing import Final

from landsraad_engine.kernel.zones import Content, Sight, Zone

BANDS: Final = ("amber", "basalt", "coral", "dusk")

SPICE: Final = "spice"
DOWSER: Final = "dowser"
SNARE: Final = "snare"
THUMPER: Final = "thumper"
#: The finds of the box, all with the same back.
FINDS: Final = (SPICE,) * 5 + (DOWSER,) * 3 + (SNARE,) * 3 + (THUMPER,) * 3

FIND_BACK: Final = "find"
LOT_BACK: Final = "lot"
UNITS: Final = ("riders", "elders")
DEEP: Final = "deep"
WELLS: Final = ("near", "far", DEEP)


def _each(name: str) -> Mapping[str, tuple[str, ...]]:
    return {f"{name}/{band}": (band,) for band in BANDS}


def _nobody(*keys: str) -> Mapping[str, tuple[str, ...]]:
    return dict.fromkeys(keys, ())


ZONES: Final = (
    # Which band a seat plays is drawn by lot; the lots that are left stay face down.
    Zone("lots", Content.PILE, Sight.BACKS, _nobody("lots"), LOT_BACK),
    Zone("drawn", Content.PILE, Sight.OPEN, _nobody("drawn"), LOT_BACK),
    Zone("deck", Content.PILE, Sight.BACKS, _nobody("deck", "offer"), FIND_BACK),
    Zone("discard", Content.PILE, Sight.OPEN, _nobody("discard"), FIND_BACK),
    Zone("hand", Content.HAND, Sight.OWNER, _each("hand"), FIND_BACK),
    Zone("water", Content.PURSE, Sight.SCREEN, _each("water")),
    Zone("spring", Content.PURSE, Sight.OPEN, _nobody("spring"), unlimited=True),
    Zone("camp", Content.STACK, Sight.OPEN, _nobody(*_each("camp")), units=UNITS),
    Zone("well", Content.STACK, Sight.OPEN, _nobody(*(f"{well}/{b}" for well in WELLS for b in BANDS)), units=UNITS),
    Zone("sand", Content.STACK, Sight.OPEN, _nobody(*_each("sand")), units=UNITS),
    Zone("omen", Content.MARK, Sight.SEALED, _each("omen")),
    Zone("points", Content.MARK, Sight.OPEN, _nobody(*_each("points"))),
    # The round, the seat that comes first in it, and the band at whose camp the worm lies.
    Zone("table", Content.MARK, Sight.OPEN, _nobody("round", "first", "worm")),
)
