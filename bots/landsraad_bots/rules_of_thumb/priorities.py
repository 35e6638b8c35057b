"""The base class of rule-of-thumb bots: choose the most urgent candidate act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, TypeAlias

from landsraad_bots.greedy.candidates import candidates
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.play.bot import Bot, Decision

#: The urgency of an act: the first number decides, the others break ties. None: avoid the act.
Urgency: TypeAlias = tuple[float, ...] | None
#: (view, act) -> urgency.
Rule: TypeAlias = Callable[[Any, Any], Urgency]
#: (view, choice) -> candidates, for choices with many legal acts.
Proposal: TypeAlias = Callable[[Any, Choice], Iterator[Act]]


class ByPriority(Bot):
    """A bot with a rule for each act type, which breaks ties at random and treats acts without a rule as equal."""

    rules: ClassVar[Mapping[type[Act], Rule]] = {}
    proposals: ClassVar[Mapping[type[Act], Proposal]] = {}

    def decide(self, view: Any, ask: Decision) -> Act:
        best: list[Act] = []
        most: tuple[float, ...] = ()
        for act in self._candidates(view, ask.options):
            rule = self.rules.get(type(act))
            urgency = (0.0,) if rule is None else rule(view, act)
            if urgency is None or urgency < most:
                continue
            if urgency > most:
                best, most = [], urgency
            best.append(act)
        return self.rng.choice(best) if best else ask.sample(self.rng)

    def _candidates(self, view: Any, options: Options) -> Iterator[Act]:
        for choice in options.choices:
            propose = self.proposals.get(choice.act)
            if propose is None:
                yield from (act for _, act in candidates(Options((choice,)), self.rng, most=120))
            else:
                yield from (act for act in propose(view, choice) if choice.fault(act) is None)


def always(*urgency: float) -> Rule:
    """Return a rule with a constant urgency."""
    return lambda view, act: urgency


def never(view: Any, act: Any) -> Urgency:
    """Avoid an act if there is any other."""
    return None
