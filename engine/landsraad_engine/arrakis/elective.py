"""Effects are never compulsory: what may be done may be left."""

from collections.abc import Sequence

from landsraad_engine.arrakis.acts import Done
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.grammar import Choice

_LEFT = Choice(Done)


@rule("WFA-A.12")
def elective(seats: Sequence[int], *choices: Choice, why: str) -> Ask:
    """Ask one of these seats which of several things it does, if any."""
    return Ask.any_of(seats, *choices, _LEFT, why=why, default=Done())
