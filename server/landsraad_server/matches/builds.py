"""Whose rules a match is played by: those of the process that began it, to its end.

Another build's worker has other rules, or other component values. It tells such a match, which needs no rule, but it
does not ask the game anything, nor advances it: some worker of the right build does, for as long as there is one.
"""

from __future__ import annotations

from landsraad import games
from landsraad_engine.errors import BadOption
from landsraad_engine.play.build import engine_build
from landsraad_server.matches.records import Terms
from landsraad_server.refusals import Denied

#: When to try again, which may bring another worker.
_LATER_MS = 1000


def is_ours(terms: Terms) -> bool:
    """Whether a match is played by the very rules and component values of this process."""
    try:
        content = games.load(terms.game).content_digest(terms.options)
    except (KeyError, BadOption):  # no such game here, or no content file of that name
        return False
    return terms.build == engine_build() and terms.content == content


def other_build() -> Denied:
    """What whoever wants to play it here is told."""
    return Denied("OTHER_BUILD", "the match is played by another build of the engine", retry_ms=_LATER_MS)
