"""Matches in the terminal: names in colour, sentences for what happens, a drawn board, and a person who chooses.

Games are drawn by what everybody who follows a match has: the view of a seat or of the spectators, and its log. `dune`
and `arrakis` have a picture of their own; any other game is told and shown by its places.
"""
