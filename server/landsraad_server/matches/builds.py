"""Engine builds: a match is played to its end by the build that began it.

A worker of another build has other rules or other component values. It can still serve the match's log, which needs no
rule. It cannot ask the game anything or advance it: only workers of the same build do that.
"""

from __future__ import annotations

from landsraad import games
from landsraad_engine.errors import BadOption
from landsraad_engine.play.build import engine_build
from landsraad_server.matches.records import Terms
from landsraad_server.refusals import Denied

#: Retry delay for clients: the next attempt may reach another worker.
_RETRY_MS = 1000


def is_ours(terms: Terms) -> bool:
    """Tell whether this process has exactly the rules and component values that a match is played by."""
    try:
        content = games.load(terms.game).content_digest(terms.options)
    except (KeyError, BadOption):  # This process has no such game, or no content file of that name.
        return False
    return terms.build == engine_build() and terms.content == content


def other_build() -> Denied:
    """Return the refusal for clients that want to play such a match on this worker."""
    return Denied("OTHER_BUILD", "the match is played by another build of the engine", retry_ms=_RETRY_MS)
