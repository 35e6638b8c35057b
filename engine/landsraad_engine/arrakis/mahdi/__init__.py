"""Mahdi, the solo mode: the game plays the Harkonnen against one player, or two partners, who lead the Atreides.

What stands where
=================
automaton                    its pseudo-seat, and the questions that the humans answer in its name
numbers, zones               the numbers of the mode, and its places
priorities, distances, who   ordered criteria; flown distances; the legions that an action is for
combat_power                 the comparison of legions
garrisons                    deployment tokens that its legions leave in settlements
targets                      the Tactical cards: Harvesting Sector, Target Sietch, the target of a turn
reinforcements_deck          the cards that it discards for combat dice
vehicle_placement            phase 1, and vehicles that actions place
attacks, moves, military     Leadership and Strategy
placing, swapping            units that come to the board, and units that are exchanged
special_actions, turn        its leaders' special actions; its turn
battle, hits                 its battles; how it takes hits
hazards, spice, round_ends   phases 3 and 4, and the beginning and the end of a round
overlay                      the steps of the usual rules that all this replaces
cards, mentat, card_*        planning cards as it plays them
"""
