"""Deciding by priorities: what comes first is done, whatever else there would be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, TypeAlias

from landsraad_bots.greedy.candidates import candidates
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.play.bot import Bot, Decision

#: How urgent an act is: the first number decides, the others only between equals. None: not to be done.
Urgency: TypeAlias = tuple[float, ...] | None
#: (view, act) -> how urgent it is.
Rule: TypeAlias = Callable[[Any, Any], Urgency]
#: (view, choice) -> the acts of it that a rule of thumb thinks of, where there are many.
Thought: TypeAlias = Callable[[Any, Choice], Iterator[Act]]


class ByPriority(Bot):
    """A bot with one rule for each type of act. Ties are broken at random, and so is what no rule speaks of."""

    rules: ClassVar[Mapping[type[Act], Rule]] = {}
    thoughts: ClassVar[Mapping[type[Act], Thought]] = {}

    def decide(self, view: Any, ask: Decision) -> Act:
        best: list[Act] = []
        most: tuple[float, ...] = ()
        for act in self._thought_of(view, ask.options):
            rule = self.rules.get(type(act))
            urgency = (0.0,) if rule is None else rule(view, act)
            if urgency is None or urgency < most:
                continue
            if urgency > most:
                best, most = [], urgency
            best.append(act)
        return self.rng.choice(best) if best else ask.sample(self.rng)

    def _thought_of(self, view: Any, options: Options) -> Iterator[Act]:
        for choice in options.choices:
            think = self.thoughts.get(choice.act)
            if think is None:
                yield from (act for _, act in candidates(Options((choice,)), self.rng, most=120))
            else:
                yield from (act for act in think(view, choice) if choice.fault(act) is None)


def always(*urgency: float) -> Rule:
    """Equally urgent whatever the position."""
    return lambda view, act: urgency


def never(view: Any, act: Any) -> Urgency:
    """Not to be done if anything else can be."""
    return None
