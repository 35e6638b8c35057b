"""The named points at which bands and cards change the rules, each with its rule and the file that calls it."""

from enum import Enum, auto


class Query(Enum):
    """A number that something may change: ``fn(g, value, *args) -> value``."""

    PRICE = auto()  #: (buyer) what the buyer pays for its bid, the bid itself (TEACH-2.5); market.py


class Permit(Enum):
    """Something that may be allowed or barred: ``fn(g, *args) -> bool``."""

    BID = auto()  #: (band) may bid, with fewer than four finds in hand (TEACH-2.3); market.py


class Timing(Enum):
    """A moment at which sources may act: ``fn(g, *args) -> Frame | None``."""

    DAWN = auto()  #: () a round begins (TEACH-0.2); rounds.py
    OFFER = auto()  #: () a find lies on offer, nobody has bid yet (TEACH-2.1); market.py


class Instead(Enum):
    """Something that something else may stand in for: ``fn(g, *args) -> Frame | None``."""

    THEFT = auto()  #: (thief, victim) the thief draws from the victim's hand (TEACH-3.2); market.py
