"""Doubt: after an unclean start of a store, each log may have lost its end without a worker that remembers it.

If all workers have ended with the store's machine, nobody can tell which logs are shorter than before. Players may have
seen what was lost, dice included, so each live match must go on in a new epoch. That is done for each match when it is
next loaded: until then its head is marked, so that nothing can be committed to it in the old epoch. Marking costs a
microsecond for each match, while raising all epochs at once would delay the start by minutes.
"""

from __future__ import annotations

from importlib.resources import files

#: Begins the nonce of a head in doubt; doubt.lua has the same constant.
DOUBTED = b"?"
SOURCE = files(__package__).joinpath("lua", "doubt.lua").read_bytes()


def is_doubted(head: bytes) -> bool:
    """Return whether a stored head is marked."""
    return b" " + DOUBTED in head
