"""The named points at which factions, cards and variants change the rules of classic Dune.

Each member's comment says what the rule states, and which file calls it.
"""

from enum import Enum, IntEnum, auto


class Query(Enum):
    """A number or set that something may change: ``fn(g, value, *args) -> value``."""

    HAND_LIMIT = auto()  #: (faction) treachery cards one may hold, 4 (DUNE-3.3); bidding.py
    AUCTION_PAYEE = auto()  #: (buyer) who is paid for a card, the bank (DUNE-3.14); bidding.py
    SHIPMENT_PAYEE = auto()  #: (shipper) who is paid for a shipment, the bank; shipment.py
    MANOEUVRE_RANGE = auto()  #: (faction) territories per manoeuvre, 1 (DUNE-5.12); manoeuvre.py
    FREE_REVIVALS = auto()  #: (faction) tokens revived for nothing (DUNE-4.11); revival.py
    TOKEN_STRENGTH = auto()  #: (faction, opponent) strength of one elite token, 1; battle
    STARTING_TREACHERY = auto()  #: (faction) treachery cards at the start, 1 (DUNE-S.14); setup.py
    STORM_LOSSES = auto()  #: (faction, territory) how much of a territory's tokens the storm kills; storm.py


class Permit(Enum):
    """Something that may be allowed or barred: ``fn(g, *args) -> bool``."""

    STANDARD_SHIPMENT = auto()  #: (faction) may make a standard shipment (DUNE-5.3); shipment.py
    DEVOURED = auto()  #: (faction, territory) its tokens are eaten by a worm (DUNE-2.9); worms.py


class Timing(Enum):
    """A moment at which sources may act: ``fn(g, *args) -> Frame | None``."""

    STORM_CARD_LAID = auto()  #: the next storm card lies ready (DUNE-1.18); storm.py
    CARD_UP_FOR_BID = auto()  #: a treachery card comes up for sale, before any bid; bidding.py
    CARD_BOUGHT = auto()  #: (buyer) a card has been bought and paid; bidding.py
    MOVEMENT_BEGINS = auto()  #: the Movement Round begins, before anybody ships; movement.py
    SHIPPED_FROM_OFF_PLANET = auto()  #: (shipper, cell) tokens have landed from off-planet reserves; shipment.py
    BATTLE_WON = auto()  #: (winner, loser, territory) after losses have been taken; battle


class Instead(Enum):
    """One thing that something else may stand in for: ``fn(g, *args) -> Frame | None``."""

    KEEP_TRAITORS = auto()  #: (faction) choosing one of four traitor cards (DUNE-S.12); setup.py


class Order(IntEnum):
    """In which order sources act at the same moment."""

    FIRST = 0
    NORMAL = 50
    LAST = 100
