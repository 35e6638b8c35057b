"""Dune: War for Arrakis: the board and its components as data, and the rules that play with them.

Where what stands
=================
terms, components, content, crosschecks, operations.vocabulary, board   what is in the box (no rules)
sides, zones, words, acts, elective, hooks, disclosures, seating, chronicle   what all rules stand on

game, setup, turn, round     the match, its beginning, a round and its end
vehicles                     phase 1; placing vehicles, losing harvesters
actions, basic_actions       phase 2: action turns; what a die may be spent for
dice, free_actions           rolling, excess dice, Bene Gesserit tokens; plays out of turn
muster, reinforcements       the actions Deployment, Mentat, House; figures that cards and leaders bring
movement, arrival, legions   moving legions; what happens where one ends; stacking, leaders left alone, tokens turned up
battle/                      attack, battle (the whole of one), rounds, roll, casualties, retreat
settlements, tracks          what falls, and the markers that advance
regeneration                 the tank
worms, desert, desert_power  sandworms that appear or attack; phase 3; the Desert Power action
harvesting, bans, atomics    phase 4; the Imperium Bans; Family Atomics
prescience, objectives       claims, unclaimed cards; victory
operations/                  what requirements, rewards and special actions are made of
cards/, hands                planning cards by deck; what is drawn, given up, put back
leaders/                     named leaders entering, acting, leaving
editions/                    what each edition has otherwise; the rest is what v1.1 and corrected Exclusive share
unseen, invariants           what may lie where a seat cannot see; what must hold in every position
explanations                 why an act is refused

What others build on
====================
* Whoever decides is given as seats: a frame has `seat` (the acting player) or `seats`; never "the seat of a side".
* `MoveLegions`, `AttackWith` take `led`, `holding`, `unit`, `sources`, `targets`: cards and leaders call them.
  `AttackWith(effects=("name",))` marks the battle, and hooks with a `battle` argument look at `battle.effects`.
* After anything that adds or removes figures: `Settle`, `SettleAll`. Casualties: `Casualties`. Retreat: `RetreatFrom`.
  To the tank: `ToTank`. Markers: `AdvanceMarker`, `GainSupremacy`. Harvester lost: `RemoveHarvester`.
* A step of a track is announced by `Timing.SUPREMACY_STEP` and `Timing.PRESCIENCE_STEP`: leaders, tokens, victory.
* A card's effect that lasts is an entry of the mark "effects", taken off by whoever laid it.
"""
