"""One file for each faction: everything that makes it different, attached to the named points of hooks.py."""
