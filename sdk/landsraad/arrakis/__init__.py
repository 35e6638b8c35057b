"""Dune: War for Arrakis for clients."""
