"""Matches in the terminal: coloured names, sentences for events, a drawn board, and menus for playing.

A picture needs only the view and the log of a seat or of the spectators. `dune` and `arrakis` have pictures of their
own; any other game is shown place by place.
"""
