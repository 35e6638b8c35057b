"""Match names: the ids of matches, and the cell that an id names.

A service of several cells gives its matches ids such as `c7-5f2a…`: what stands before the dash is the cell. The ids of
a service without cells have no dash.
"""

from __future__ import annotations

import re
from typing import Any, Final

#: Pattern of a cell's name.
CELL: Final = r"[a-z][a-z0-9]{0,7}"
#: Pattern of a match's id.
MATCH_ID: Final = rf"(?:{CELL}-)?[0-9A-Za-z]{{1,32}}"

_MATCH_ID: Final = re.compile(MATCH_ID, re.ASCII)


def is_match_id(text: str) -> bool:
    """Return whether a text has the form of a match's id."""
    return _MATCH_ID.fullmatch(text) is not None


def cell_of(match: str) -> str:
    """Return the cell of a match, by its id or its resource name; empty for a match without a cell."""
    return match.rpartition("/")[2].rpartition("-")[0]


def match_of(request: Any) -> str:
    """Return the id of the match that a request is about; empty if it is about none."""
    for field in ("match", "name"):
        name = getattr(request, field, "")
        if isinstance(name, str) and name.startswith(("matches/", "replays/")):
            return name.partition("/")[2]
    return ""
