"""Every act of the game: what a player may send."""

from landsraad_engine.kernel.grammar import Act


class Pass(Act, frozen=True):
    """Do nothing where something could be done."""


class NameOmen(Act, frozen=True):
    """Write down which band will have the most points."""

    band: str


class Bid(Act, frozen=True):
    """Write down what the find on offer is worth."""

    water: int


class SpringSnare(Act, frozen=True):
    """Play a Snare against the buyer."""


class Escape(Act, frozen=True):
    """Pay the thief instead of losing a find (Dusk)."""


class Train(Act, frozen=True):
    """Turn a rider into an elder (Basalt)."""


class Stay(Act, frozen=True):
    """Stay at home and draw water."""


class Travel(Act, frozen=True):
    """Send travellers from the camp to a well, with what they drink and whatever helps them."""

    well: str
    travellers: tuple[int, ...]  # riders, elders
    water: int
    dowsers: tuple[str, ...]
    boast: bool  # show a Spice on the way


class Thump(Act, frozen=True):
    """Play a Thumper out of turn: the worm comes to a band's camp."""

    target: str


class GiveWater(Act, frozen=True):
    """Pour out water for the worm."""


class Feed(Act, frozen=True):
    """Let the worm have somebody of the camp."""

    unit: str
