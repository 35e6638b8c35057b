"""Events: one for every change of the table, with the part of it that each seat sees.

An event has public arguments and, for some seats, private ones. The verb that writes computes both from the sight rules
and seen-masks of the places that it touches; the rules code of a card never decides what a seat sees.
"""

from __future__ import annotations

from typing import Any

import msgspec

#: Not verbs: they carry the public step at which a reaction window opened (frames, rule, seats asked). The second is of
#: a window that closed at once, since no seat was left to wait for.
WINDOW_OPENED = "stood"
WINDOW_PASSED = "passed"


class Event(msgspec.Struct, frozen=True, gc=False):
    """One change of the table.

    All seats see the arguments ``public`` (None: they see no event at all), except those in the bit mask ``insiders``,
    which see ``private``.
    """

    verb: str
    rule: str
    public: tuple[Any, ...] | None
    insiders: int = 0
    private: tuple[Any, ...] = ()

    def seen_by(self, bit: int) -> tuple[Any, ...] | None:
        """Return the verb, rule and arguments that the seat with this bit sees, or None if it sees nothing."""
        arguments = self.private if self.insiders & bit else self.public
        return None if arguments is None else (self.verb, self.rule, *arguments)
