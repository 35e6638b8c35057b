"""Events: one for every change of the table, and what each seat sees of it.

An event has a public part and, for some seats, a private supplement. Both are worked out by the verb at the moment of
writing from the sight rules and the seen-masks of the places it touches, never by the rules code of a card.
"""

from __future__ import annotations

from typing import Any

import msgspec

#: Not a verb: the public step as it stood when a reaction window was put (frames, rule, seats asked).
WINDOW_OPENED = "stood"


class Event(msgspec.Struct, frozen=True, gc=False):
    """``public`` is what everybody sees (None: nothing); the seats in ``insiders`` see ``private`` instead."""

    verb: str
    rule: str
    public: tuple[Any, ...] | None
    insiders: int = 0
    private: tuple[Any, ...] = ()

    def seen_by(self, bit: int) -> tuple[Any, ...] | None:
        """The event as the seat with this bit sees it: verb, rule, arguments; or None."""
        arguments = self.private if self.insiders & bit else self.public
        return None if arguments is None else (self.verb, self.rule, *arguments)
