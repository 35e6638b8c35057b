"""Treachery cards that do more than stand in a battle plan: one file for each."""
