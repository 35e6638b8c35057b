"""Meanings of the names that War for Arrakis shows to clients, for the reference pages (tools/gen_reference.py)."""

from typing import Final

from landsraad_engine.arrakis.sides import SIDES
from landsraad_engine.arrakis.zones import AIR_ZONES, AREAS, DECKS, FIGURE

#: Names in place keys -> their values.
KEY_PARTS: Final = {
    "side": SIDES,
    "area": AREAS,
    "zone": AIR_ZONES,
    "area or zone": (*AREAS, *AIR_ZONES),
    "deck": DECKS,
    "leader": tuple(FIGURE),
}

#: Letters in the ids of statements -> title of the section, in the order of the rulebook's file.
SECTIONS: Final = {
    "S": "Setup and components",
    "R": "The round",
    "V": "Vehicle placement",
    "D": "Action dice and Bene Gesserit",
    "A": "Actions",
    "F": "Free actions",
    "M": "Movement",
    "B": "Battle",
    "L": "Leaders",
    "T": "The regeneration tank",
    "H": "Desert hazards, sandworms, Atomics",
    "P": "Spice harvesting and bans",
    "Q": "Prescience and victory",
    "C": "Planning cards",
    "X": "Worked examples",
    "U": "Rulings",
    "O": "Old Man of the Desert",
    "N": "Possible Futures",
    "G": "Three and four players",
    "Y": "Mahdi, the solo mode",
}

#: First part of a place key -> what lies there.
PLACES: Final = {
    "legion": "Figures of a side in an area.",
    "supply": "Figures of a side off the board.",
    "tokens": "Deployment tokens, face down in an area.",
    "sietch": "The Sietch token of an area: its rank, from 1 to 3.",
    "settlement": "The rank of the Harkonnen settlement in an area.",
    "station": "The Ecological Testing Station of an area.",
    "wormsign": "The wormsign of an area.",
    "worms": "Sandworms off the board.",
    "worm": "Sandworms in an area.",
    "worms_held": "Sandworms that lie before the Atreides while the Old Man of the Desert is on the board.",
    "old_man": "Where the Old Man of the Desert is: a sector, `reserve`, or `resting` until the next round.",
    "vehicles": "Vehicles off the board.",
    "vehicle": "The harvester of an area, or the ornithopter or carryall of an air zone.",
    "atomics": "The Family Atomics token that was set off.",
    "apart": "Figures set apart while an action lasts: they have moved by it, or take no part in an attack.",
    "apart_tokens": "Deployment tokens set apart in the same way.",
    "apart_for": "For figures set apart: side, area they came from, area they go to.",
    "sietch_tokens": "Sietch tokens before they are laid.",
    "sietches_fallen": "Sietches that were destroyed.",
    "starting_tokens": "The Atreides' starting tokens before they are laid.",
    "bag": "Deployment tokens that can be drawn.",
    "drawn_token": "A token drawn for deployment, until its owner has said where it goes.",
    "tokens_revealed": "Deployment tokens that were revealed.",
    "tokens_lost": "Deployment tokens that left the board without having been revealed.",
    "harkonnen_black": "The first set of Harkonnen starting tokens, during setup.",
    "harkonnen_silver": "The second set of Harkonnen starting tokens, during setup.",
    "harkonnen_black_shown": "Tokens of the first set that were exchanged for figures.",
    "harkonnen_silver_shown": "Tokens of the second set that were exchanged for figures.",
    "stations": "Station tokens before they are laid.",
    "stations_taken": "Stations that were taken.",
    "wormsigns": "Wormsigns off the board.",
    "wormsigns_shown": "Wormsigns that were turned up in this phase.",
    "deck": "A deck of planning cards.",
    "discard": "The discards of a deck.",
    "out": "Planning cards that have left the game by their own text.",
    "laid": "Planning cards that lie on revealed prescience cards; `attached` says on which.",
    "hand": "The part of a seat's hand that comes from one deck.",
    "searched": "The cards of a deck while a seat looks through them.",
    "prescience_deck": "The prescience deck.",
    "prescience_row": "Revealed prescience cards that can be claimed.",
    "prescience_claimed": "Prescience cards that were claimed.",
    "prescience_out": "Prescience cards that have left the game.",
    "objective_deck": "The Secret Objectives, during setup.",
    "objectives_away": "Secret Objectives that were put away unseen.",
    "objectives": "The Secret Objective of the Atreides.",
    "dice": "Action dice on a box of a dashboard, and the pools `pool`, `locked`, `set_aside` and `used`.",
    "bene_gesserit": "Bene Gesserit tokens of a side, in the reserve, or gone.",
    "figure": "Where a named leader is: an area, `apart/…`, a tank slot, `aside`, `leaving`, `gone`, `contested`.",
    "card": "Which side of a leader's card shows: `ready` or `spent`.",
    "cones": "Cone of Silence tokens that a shared faction has left.",
    "cone": "Set while the partners of a faction may talk in private.",
    "passed": "A Fremen card that House Atreides has drawn and is about to hand to its partner.",
    "futures": "The Possible Futures of the match, by their numbers.",
    "loyalty": "The half of a faction that leads a leader whose loyalty has passed to the other side.",
    "powers": "The halves of a faction that a seat leads, where a faction is shared.",
    "edition": "The edition of the rules.",
    "content": "The operator's content file, if the match has one.",
    "round": "The round, from 1.",
    "supremacy": "Supremacy points of the Harkonnen.",
    "marker": "The step of a prescience marker.",
    "imperium": "The step of an Imperium marker, 5 at the top.",
    "ban": "Set while a ban is in force.",
    "spice": "Spice from harvesters that is being spent.",
    "reserve": "Spice that was saved for later.",
    "planet": "All other spice: minus what has left it.",
    "tally": "How often something has happened: in this turn, in this round, in the match.",
    "won": "Battles that the Atreides won: their role, and the kinds of unit they beat.",
    "ridden": "The longest worm ride of this turn, in areas with a wormsign or a sandworm.",
    "flown": "Areas where legions that flew in this turn have landed.",
    "unmet": "Steps of the three markers at checks that the objective did not pass.",
    "claims": "Prescience cards claimed in this round.",
    "attached": "What is attached to revealed cards: pairs of card and attachment.",
    "here": "The area in which the next part of a card's text happens.",
    "effects": "Lasting effects of played cards.",
    # The solo mode only.
    "garrison": "Harkonnen deployment tokens, face down in an area, by set.",
    "tactical_deck": "The Tactical cards.",
    "tactical_harvesting": "The Tactical card whose Sector is the Harvesting Sector of the round.",
    "tactical_target": "The Tactical card whose Sietch is the Target of the round; the other one if this is empty.",
    "tactical_discard": "Tactical cards that were discarded in this round.",
    "reinforcements": "The decks that the cards of the Reinforcements deck come from, top last.",
    "reinforcements_house_harkonnen": "House Harkonnen's cards in the Reinforcements deck.",
    "reinforcements_corrino_ally": "The Corrino Ally's cards in the Reinforcements deck.",
    "played": "The automaton's planning cards while they are carried out.",
    "beside": "A card Hawat's Scheming that waits for the second one.",
    "last_discarded": "The deck of the Harkonnen planning card that was discarded last.",
    "spent_results": "The results that the automaton's spent dice show.",
    "named_result": "A result that was named for the automaton's next turn.",
    "turn_target": "The Sietch that stands in for the Target Sietch in this turn.",
    "turn_flight": "Set once the automaton has used an ornithopter in this turn.",
    "last_move": "What moved last in this turn: area, units, named leaders, tokens.",
    "moved_sietches": "Where Sietches of Tactical cards are that have been moved: pairs of card and area.",
}

#: Ending -> how the match came to it.
ENDINGS: Final = {
    "supremacy": "The Supremacy marker has reached the end of its track: the Harkonnen win.",
    "prescience": "All three prescience markers have reached the targets of the objective: the Atreides win.",
    "round_limit": "The last round is over: nobody wins.",
}

#: Kind of reaction window -> its moment.
WINDOWS: Final = {
    "free_actions": "A moment around an action at which a seat may make free actions.",
}

#: Kind of out-of-turn play -> what it does; no standing order offers those of this game.
PLAYS: Final[dict[str, str]] = {}
