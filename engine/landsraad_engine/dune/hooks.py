"""The named points at which factions, cards and variants change the rules of classic Dune.

Each member's comment says what the rule states, and which file calls it.
"""

from enum import Enum, auto


class Query(Enum):
    """A number or set that something may change: ``fn(g, value, *args) -> value``."""

    HAND_LIMIT = auto()  #: (faction) treachery cards one may hold, 4 (DUNE-3.3); bidding.py
    AUCTION_PAYEE = auto()  #: (buyer) who is paid for a card, the bank (DUNE-3.14); bidding.py
    SHIPMENT_PAYEE = auto()  #: (shipper) who is paid for a shipment, the bank; shipment.py
    SHIPMENT_SHARE = auto()  #: (shipper) what part of a shipment's fee is due: 1 all, 2 one half; shipment.py
    SHIPMENTS = auto()  #: (faction) the choices of its shipment, specials are added (DUNE-5.4); shipment.py
    MANOEUVRE_RANGE = auto()  #: (faction) territories per manoeuvre, 1 (DUNE-5.12); manoeuvre.py
    #: (faction) parts, by first cells, that it crosses only if an ally there agrees, none (DUNE-R.118); manoeuvre.py
    GUARDED_PARTS = auto()
    MOVEMENT_ORDER = auto()  #: () factions in the order of their movement turns (DUNE-1.14); movement.py
    LAST_TURN = auto()  #: () who has won as the last turn ends, so far as is known (DUNE-8.15, DUNE-8.18); control.py
    VERDICT = auto()  #: () how somebody has won, and who (DUNE-8.12); control.py
    #: (faction) choices of cards played in one's own movement turn; shipment.py, manoeuvre.py, movement.py
    MOVEMENT_PLAYS = auto()
    #: (faction) how many elites may come back in a Revival Round, and the rule that says so; revival.py
    ELITE_REVIVALS = auto()
    #: (faction) who could come back from the Tanks in the place of a leader; revival.py, truthtrance.py
    DEAD_LEADERS = auto()
    TOKEN_STRENGTH = auto()  #: (faction, opponent) strength of one elite token, 1 (DUNE-6.11); battle/fight.py
    LEADERS_TO_PLAY = auto()  #: (faction, place) leaders it may play in a battle there, own ones; battle/plan.py
    ACCOMPANIED = auto()  #: (faction, place) () or whom the Kwisatz Haderach may go with (DUNE-ATR.13); battle/plan.py
    BATTLE_KARAMAS = auto()  #: (player, fight) (effect, target) pairs open before the plans; battle/battle_karamas.py
    #: (side) factions that may call a traitor for it, itself; battle/traitors.py, truthtrance.py
    TRAITOR_CALLERS = auto()
    BATTLE_STRENGTH = auto()  #: (faction, plan) dial and leader; asked if the leader lives; battle/resolution.py
    STARTING_TREACHERY = auto()  #: (faction) treachery cards at the start, 1 (DUNE-S.14); setup.py


class Permit(Enum):
    """Something that may be allowed or barred: ``fn(g, *args) -> bool``."""

    STANDARD_SHIPMENT = auto()  #: (faction) may make a standard shipment (DUNE-5.3); shipment.py
    SHIP_FROM_BOARD = auto()  #: (faction) may ship tokens that stand on the board (DUNE-GUI.12); shipment.py
    OFF_PLANET = auto()  #: (faction) its reserves are off the planet (DUNE-5.3); shipment.py
    JOIN_ALLY = auto()  #: (faction, ally, part) coexistence lets it enter where the ally stands (DUNE-5.9); entering.py
    CALL_TRAITOR = auto()  #: (faction) the leader in its revealed plan may be called a traitor; battle/traitors.py
    CHARITY_CLAIM = auto()  #: (faction) may claim charity, if its purse is empty (DUNE-3.1); bidding.py
    GIFT = auto()  #: (faction) may hand its allies spice at any time (DUNE-R.22); deals.py
    ARRIVE_LATE = auto()  #: (faction) tokens may come in after its own movement turn (DUNE-BG.4); truthtrance.py
    DEVOURED = auto()  #: (faction, territory) its tokens are eaten by a worm (DUNE-2.9); worms.py


class Timing(Enum):
    """A moment at which sources may act: ``fn(g, *args) -> Frame | None``."""

    FACTIONS_KNOWN = auto()  #: factions are settled, no piece is on the board yet (DUNE-BG.30); setup.py
    FORCES_PLACED = auto()  #: forces with a fixed place stand, the others follow (DUNE-S.16, DUNE-S.18); setup.py
    BEFORE_TRAITORS = auto()  #: the traitor deck is shuffled and nobody has cards of it (DUNE-HAR.13); setup.py
    STORM_CARD_SHOWN = auto()  #: the storm's move is known and has not been made (DUNE-1.18); storm.py
    STORM_CARD_LAID = auto()  #: the next storm card lies ready (DUNE-1.18); storm.py
    BETWEEN_SPICE_CARDS = auto()  #: before each spice card and after the last (DUNE-K.12); spice_blow.py
    FURTHER_WORM = auto()  #: a second or later worm on one pile, before its Nexus (DUNE-FRE.11); spice_blow.py
    WORM_ATTACKS = auto()  #: (territory) a worm appears and has not devoured yet (DUNE-2.9); worms.py
    WORM_LEAVES = auto()  #: (territory) a worm has devoured what it may (DUNE-FRE.4); worms.py
    STORM_MOVED = auto()  #: the storm stands elsewhere: what it parted stands together now (DUNE-1.19); storm.py
    ALLIANCE_FORMED = auto()  #: (*members) an alliance exists from now on (DUNE-2A.9); nexus.py
    #: (faction, cell, counts) tokens came by shipment, manoeuvre, ride or as advisors (DUNE-BG.12); entering.py, ...
    TOKENS_ARRIVED = auto()
    TOKENS_GONE = auto()  #: (*cells) tokens there died or left, others may be alone now (DUNE-BG.17); storm.py, ...
    ROUND_BEGINS = auto()  #: (name of the round) the next round of the turn begins (DUNE-0.31); whole_game.py
    BIDDING_BEGINS = auto()  #: the Bidding Round begins, before charity is claimed (DUNE-3.1); bidding.py
    #: (number of the card in this round, 1 first) a treachery card comes up for sale, before any bid; bidding.py
    CARD_UP_FOR_BID = auto()
    CARD_PAYMENT = auto()  #: (buyer) a card is about to be paid in spice (DUNE-3.14); bidding.py
    CARD_BOUGHT = auto()  #: (buyer) a card has been bought and paid; bidding.py
    BIDDING_ENDS = auto()  #: the auction is over (DUNE-3.17, DUNE-3.18); bidding.py
    MOVEMENT_BEGINS = auto()  #: the Movement Round begins, before anybody ships; movement.py
    BEFORE_MOVEMENT_TURN = auto()  #: (faction) is about to begin its movement turn (DUNE-GUI.4); movement.py
    ENTERING = auto()  #: (faction, cell) tokens are declared to go there or across (DUNE-BG.14); entering.py
    SHIPMENT_DECLARED = auto()  #: (shipper, kind) it may become void, to be declared anew (DUNE-K.35); shipment.py
    SHIPMENT_LEAVES = auto()  #: (shipper, kind, karama) it may be stopped, nothing is paid yet (DUNE-K.15); shipment.py
    MANOEUVRE_DECLARED = auto()  #: (faction, from cell, to cell) it may become void (DUNE-R.3); manoeuvre.py
    SHIPPING_ENDS = auto()  #: a faction's Shipment Phase is over; shipment.py
    MANOEUVRING_ENDS = auto()  #: a faction has made a manoeuvre, or passed; manoeuvre.py
    MOVEMENT_ENDS = auto()  #: the Movement Round is over; movement.py
    SHIPPED_FROM_OFF_PLANET = auto()  #: (shipper, cell) tokens have landed from off-planet reserves; shipment.py
    THE_VOICE = auto()  #: (cells, aggressor, defender) first step of a battle (DUNE-6.44); battle/battle.py
    PRESCIENCE = auto()  #: (cells, aggressor, defender) after the Voice (DUNE-ATR.5); battle/battle.py
    PLANS_OPEN = auto()  #: (cells, aggressor, defender) both plans have been revealed (DUNE-6.19); battle/battle.py
    EXPLOSION = auto()  #: (cells, aggressor, defender) everything there has died (DUNE-T.10); treachery/lasgun.py
    LEADERS_DIED = auto()  #: () leaders may have died in a battle (DUNE-HAR.9); battle/resolution.py
    #: (*(faction, number)) tokens killed in one battle (DUNE-ATR.10); battle/resolution.py, treachery/lasgun.py
    TOKENS_FELL = auto()
    BATTLE_WON = auto()  #: (winner, loser, place) after all losses have been taken; battle/resolution.py
    GAME_WON = auto()  #: (result kind) the game is over, and why is about to be seen (DUNE-8.12); control.py
    TURN_ENDS = auto()  #: nobody has won, the next game turn follows (DUNE-8.11); control.py


class Instead(Enum):
    """One thing that something else may stand in for: ``fn(g, *args) -> Frame | None``."""

    SHIPMENT = auto()  #: (shipper, act) carrying out a special shipment (DUNE-5.4); shipment.py
    #: (faction, act) carrying out a card played in the own movement turn; shipment.py, manoeuvre.py, movement.py
    MOVEMENT_PLAY = auto()
    RESOLUTION = auto()  #: (cells, aggressor, defender) comparing plans, if no traitor was called; battle/resolution.py
    STORM_LOSS = auto()  #: (faction, cells of one sector) losing all tokens there to the storm (DUNE-1.9); storm.py
