"""The named points at which leaders, cards, bans and editions change the rules of War for Arrakis.

Each member's comment says what the rule states, and which file calls it.
"""

from enum import Enum, auto


class Query(Enum):
    """A number or set that something may change: ``fn(g, value, *args) -> value``."""

    STACKING_LIMIT = auto()  #: (side) units in one area, 6 (WFA-S.28); words.py
    EFFECTS = auto()  #: (card) what a planning card does, part by part (WFA-A.3); cards/play.py
    DICE_OPEN = auto()  #: (seat) the results whose dice it may spend in its turn, all (WFA-A.2); action_resolution.py
    #: (seat) decks that a seat may draw from, those of its halves (WFA-G.22); muster.py
    DECKS_OPEN = auto()
    HAND_LIMIT = auto()  #: (seat) planning cards at the end of a round, 6 (WFA-R.12); round.py
    COMBAT_DICE = auto()  #: (side, battle) dice for units and settlement, before cards (WFA-B.10); battle/rounds.py
    DICE_LIMIT = auto()  #: (side, battle) combat dice at most, 6 (WFA-B.12); battle/rounds.py
    PRICE_TO_CONTINUE = auto()  #: (battle) hits for going on, 1 against a settlement (WFA-B.29); battle/battle.py
    #: (side) areas where no retreat ends: for Harkonnen wormsigns (WFA-B.36); battle/retreat.py, mahdi/battle.py
    SHUNNED = auto()
    SCOUTED = auto()  #: () what scouting may show: (Sietch, tokens) pairs, both together (WFA-F.6); free_actions.py
    TRAINING_AREAS = auto()  #: () areas whose tokens Guerrilla Training may turn up, all (WFA-F.4); free_actions.py
    HOUSE_VEHICLES = auto()  #: () vehicles of the House action, any two (WFA-A.21); muster.py
    WORMS_AT_MOST = auto()  #: () sandworms of one such phase, at most: the figures (WFA-H.12); desert_hazards.py
    #: (leader) the statement that describes a leader, which differs for some in 2022; leaders/entering.py
    LEADER_RULE = auto()
    #: () areas where it comes to the board, empty deserts (WFA-L.30); leaders/wild_maker.py, worms.py
    WILD_MAKER_AREAS = auto()
    #: (seat) choices of the action, leaders' special actions are added (WFA-A.30); desert_power.py
    DESERT_POWER = auto()
    BEAR_HITS = auto()  #: () named leaders of a legion who can be hit, all (WFA-N.37); battle/casualties.py
    LEADERS_EXCHANGED = auto()  #: (side) named leaders that may be taken off, all (WFA-R.9); round.py


class Permit(Enum):
    """Something that may be allowed or barred: ``fn(g, *args) -> bool``."""

    #: (side, area) the legion may move; movement.py, mahdi/card_carrying.py, mahdi/moves.py
    MOVE = auto()
    FLY_AGAIN = auto()  #: () a legion may use Troop-transport more than once in a turn (WFA-M.22); movement.py
    #: (side, area) the legion may attack; battle/attack.py, mahdi/attacks.py
    ATTACK = auto()
    ATTACK_WITH_PART = auto()  #: () an attacker may leave figures out of the battle (WFA-B.4); battle/attack.py
    #: (side, battle) may discard cards for dice (WFA-B.7); battle/rounds.py, mahdi/battle.py
    COMBAT_DISCARD = auto()
    #: (side, area) a legion may retreat; battle/retreat.py, mahdi/battle.py
    RETREAT = auto()
    SCOUT = auto()  #: () scouting is allowed (WFA-P.15); free_actions.py
    WORM_FROM_BOARD = auto()  #: () a worm comes from elsewhere though figures are off the board (WFA-H.9); worms.py
    WORM_ONTO_WORMSIGN = auto()  #: () a worm's move may end on a wormsign (WFA-M.45); desert_power.py
    WILD_MAKER_STANDS_IN = auto()  #: () the Wild Maker comes as any sandworm does (WFA-L.33); worms.py
    DISCARD = auto()  #: (card) a planning card may be discarded from a hand (WFA-C.16); words.py
    CLAIM = auto()  #: (card, phase) a card may be claimed in this phase, the one it names (WFA-Q.5); prescience.py
    UNCLAIMED_STAYS = auto()  #: (card) it stays on show, unclaimed, when the round ends (WFA-C.71); prescience.py
    WILD_MAKER_COMES = auto()  #: () it comes to the board when it enters play (WFA-L.30); leaders/wild_maker.py
    ARRAKEEN_DECIDES = auto()  #: () its fall has the objective checked at once (WFA-Q.22); objectives.py
    BACK_AT_ONCE = auto()  #: () who leaves the tank can be deployed in the same turn (WFA-T.10); regeneration.py
    #: (leader) a named leader may be deployed or placed (WFA-C.46); muster.py, reinforcements.py, ...
    BRING = auto()
    GAIN_TOKENS = auto()  #: (side) it may gain Bene Gesserit tokens (WFA-O.2); words.py
    WORMS_COME = auto()  #: () sandworms and wormsigns may be placed (WFA-O.6); worms.py, desert_power.py
    FREE_ACTION = auto()  #: (seat, kind) a free action of this kind is open now (WFA-F.3); free_actions.py


class Timing(Enum):
    """A moment at which sources may act: ``fn(g, *args) -> Frame | None``."""

    ROUND_BEGINS = auto()  #: () before cards are drawn; round.py
    CARDS_DRAWN = auto()  #: () the cards of the round have been drawn (WFA-N.15); round.py
    HAZARDS_BEGIN = auto()  #: () before anything else in Desert Hazards (WFA-O.7); desert_hazards.py
    #: (side, area) a legion has been taken off, its named leaders not yet (WFA-N.49); never a frame; legions.py
    LEGION_FALLS = auto()
    #: (side, area) a legion is about to retreat (WFA-N.49); never a frame; battle/retreat.py, mahdi/battle.py
    RETREATS = auto()
    #: (side) before anything is chosen; action_resolution.py, mahdi/turn.py
    TURN_BEGINS = auto()
    #: (side) the action is over; action_resolution.py, mahdi/turn.py
    TURN_ENDS = auto()
    SUPREMACY_STEP = auto()  #: (step) the marker has reached it for the first time (WFA-Q.26); tracks.py
    #: (marker, step) reached for the first time (WFA-Q.26); tracks.py, editions/preview_2022/prescience.py
    PRESCIENCE_STEP = auto()
    LEADER_ENTERS = auto()  #: (leader) a named leader has entered play (WFA-L.2); leaders/entering.py
    LEADER_FALLS = auto()  #: (leader) a named leader has gone to the tank (WFA-T.2); regeneration.py
    LEADER_GONE = auto()  #: (leader) a named leader has left the game (WFA-L.26); leaders/entering.py
    PRESCIENCE_CLAIMED = auto()  #: (seat, card) what the card gives has been given (WFA-C.66); prescience.py
    PRESCIENCE_SWEPT = auto()  #: () revealed cards are about to be taken away at the end of a round; prescience.py
    SANDRODE = auto()  #: (seat, areas) a legion has ridden, and may have crossed these areas (WFA-M.28); movement.py
    RETREATED = auto()  #: (side, area) a legion has retreated there (WFA-B.37); battle/retreat.py
    VILLAGE_DESTROYED = auto()  #: (area) after the markers have advanced (WFA-B.50); settlements.py
    HARVESTER_REMOVED = auto()  #: (area) by whatever cause, harvesting apart (WFA-M.36); vehicles.py
    AIR_VEHICLES_LEAVE = auto()  #: () before they go off the board at the end of the round (WFA-R.5); round.py
    END_OF_ROUND = auto()  #: () after leaders have been exchanged (WFA-L.34); round.py


class Instead(Enum):
    """One thing that something else may stand in for: ``fn(g, *args) -> Frame | None``."""

    DESERT_POWER = auto()  #: (seat, act) carrying out what has been added to the action (WFA-A.30); desert_power.py
    ENTERED_WORMSIGN = auto()  #: (area) a legion on a sandworm that a token has brought (WFA-M.41); worms.py
