"""Meanings of the names that classic Dune shows to clients, for the reference pages (tools/gen_reference.py)."""

from typing import Final

from landsraad_engine.dune.board import CELLS
from landsraad_engine.dune.pieces import FACTIONS, LOYAL_TO

#: Names in place keys -> their values.
KEY_PARTS: Final = {"faction": tuple(FACTIONS), "cell": tuple(CELLS), "leader": tuple(LOYAL_TO)}

#: Letters in the ids of statements -> title of the section; empty, for the statements name their section themselves.
SECTIONS: Final[dict[str, str]] = {}

#: First part of a place key -> what lies there.
PLACES: Final = {
    "treachery_deck": "The treachery deck.",
    "treachery_discard": "Treachery cards that have been played, open to all.",
    "auction_row": "The cards of the auction; index 0 is the next to be sold.",
    "infamy": "Family Atomics, face up for good once it has been played.",
    "hand": "The treachery cards of a faction.",
    "opportunity": "Cards taken with Opportunistic, set aside until as many have been given back.",
    "spice_deck": "The spice deck.",
    "spice_discard": "The two discard piles of the spice deck.",
    "worms_aside": "Shai-Hulud cards of turn one, set aside until they are shuffled back.",
    "storm_deck": "The storm cards that do not lie by the marker.",
    "storm_next": "The storm card for the next storm.",
    "storm_shown": "The storm card that has just been turned up.",
    "traitor_deck": "The traitor deck.",
    "dealt": "Traitor cards that have been dealt, before the choice.",
    "traitors": "The traitor cards that a faction keeps.",
    "leaders": "Living leaders behind the screen. Known to all until one is taken from it unseen.",
    "leader_tanks": "Dead leaders of a faction.",
    "fought": "Leaders that have fought: they stay in their territory until the Collection Round ends.",
    "captured": "Leaders of this faction that the Harkonnen hold; both see them.",
    "just_captured": "A leader just drawn by the Harkonnen, not yet killed or kept; both see it.",
    "at": "Tokens of a faction in a cell.",
    "reserves": "Tokens of a faction in reserve.",
    "tanks": "Dead tokens of a faction.",
    "spice": "Spice behind a faction's screen.",
    "bribes": "Spice received as bribes, before the screen until the Control Round.",
    "bank": "The spice bank: minus what has left it.",
    "blow": "Spice on the board, at the blow symbol of a territory.",
    "turn": "The game turn, from 1.",
    "storm": "The sector of the storm.",
    "storm_move": "How many sectors the storm is about to move.",
    "atomics": "Set once the Shield Wall has been destroyed.",
    "worms": "How many worms have come up so far, for the Shield Wall option.",
    "worm_at": "The territory of the worm that is being carried out; none if it appears nowhere.",
    "dot": "The player dot of a faction, from 0.",
    "ally": "The allies of a faction, sorted.",
    "agreed_primary": "The member that an alliance has settled on as Primary.",
    "bonus": "The factions that hold a bonus in this turn; a faction stands there once for each marker.",
    "moved": "The factions that have had their movement turn; none outside the Movement Round.",
    "declaration": 'The fate of the shipment or manoeuvre just declared: "void" or "stopped".',
    "refused": "Parts of territories, by first cell, that an ally does not open to the faction now moving.",
    "coexistence": "Coexistence under the option `wbc`, for each part of a territory, by its first cell.",
    "primary": "The ally whose tokens count in a territory, or a part of one, by its first cell.",
    "battle_of": "First cell of the territory in which a leader has fought in this turn.",
    "died": "The turn in which a leader was last killed.",
    "face_up": "Dead leaders of a faction that can be bought back.",
    "kh/losses": "Atreides tokens lost in battle, which bring the Kwisatz Haderach.",
    "kh/state": "`alive` or `dead` once the Kwisatz Haderach has come.",
    "kh/used": "The latest battle of the Kwisatz Haderach: turn, place, with whom.",
    "prediction": "The prediction: a faction and a turn.",
    "cancelled": "Abilities that a Karama has cancelled, for now.",
    "truths": "Answers under truthtrance that bind.",
    "deals": "Public deals that bind.",
    "offers": "Offers of deals that are open.",
    "offer_number": "The number of the latest offer.",
    "infinity": "The faction that has called infinity out of turn.",
    "robbed": "Factions that lost cards to Opportunistic while a card is up for sale.",
    "battle": "The battle being fought: aggressor, defender, territory.",
    "battle/voice": "What the Voice has ordered.",
    "battle/question": "What Prescience has asked.",
    "battle/seen": "Whole plans that are shown: pairs of viewer and target.",
    "battle/karamas": "Who has played a Karama in this battle, in order.",
    "battle/answered": "Sides that have answered, each with the number of Karamas played by then.",
    "battle/excused": "Whether the Voice yields to an answer given before; the Harkonnen see it.",
    "battle/leaderless": "Who fights without a leader by agreement.",
    "battle/offered": "Sides that have offered to fight without leaders.",
    "foreseen": "What the second faction has answered to the first, under Prescience or See Future; both see it.",
    "plan": "An open battle plan, until the battle is over.",
    "shield_wall_stronghold": "Set while the Shield Wall counts as a stronghold, by the option of that name.",
}

#: Ending -> how the match came to it.
ENDINGS: Final = {
    "conquest": "A faction or an alliance holds the strongholds that it needs.",
    "prediction": "The Bene Gesserit have predicted the conqueror and the turn.",
    "liets_plan": "The last turn is over, and the Fremen have met the conditions of Liet's Plan.",
    "spice_must_flow": "The last turn is over without another winner: the Guild wins.",
    "stalemate": "The last turn is over without any winner.",
}

#: Kind of reaction window -> its moment.
WINDOWS: Final = {
    "karama": "An ability has been used that a Karama may cancel.",
    "charity": "Factions without spice may claim charity.",
    "traitor": "Plans are open, and a traitor may be called.",
    "movement_turn": "A movement turn is about to end; cards may still be played.",
    "control_shipping": "The Guild may stop a shipment with a Karama.",
    "thumper": "The Fremen may call a worm with a Karama.",
    "family_atomics": "Family Atomics may be played before the storm moves.",
    "weather_control": "Weather Control may be played on the storm card.",
}

#: Kind of out-of-turn play -> what it does.
PLAYS: Final = {
    "deals": "Offer a deal.",
    "offers": "Accept an offer.",
    "withdrawal": "Take an offer back, or decline one.",
    "gifts": "Give spice to an ally.",
    "truthtrance": "Play Truthtrance.",
    "leaderless": "Offer to fight without leaders.",
    "combat_medics": "Revive with a Karama, as the Emperor.",
    "opportunistic": "Take cards with a Karama, as the Harkonnen.",
    "ghola": "Play the Tleilaxu Ghola.",
    "infinity": "Bid infinity.",
}
