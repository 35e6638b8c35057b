"""Dune: War for Arrakis: the board and its components as data, and the rules that play with them."""
