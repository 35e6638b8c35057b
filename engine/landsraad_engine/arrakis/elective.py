"""Effects are never compulsory: what may be done may be left."""

from collections.abc import Sequence

from landsraad_engine.arrakis.acts import Done
from landsraad_engine.asks import Ask
from landsraad_engine.frames import rule
from landsraad_engine.grammar import Choice

_LEFT = Choice(Done)


@rule("WFA-A.12")
def elective(seats: Sequence[int], *choices: Choice, why: str) -> Ask:
    """Ask one of these seats which of several things it does, if any."""
    return Ask.any_of(seats, *choices, _LEFT, why=why, default=Done())
