"""Checks on the rules: conservation and rulebook coverage."""
