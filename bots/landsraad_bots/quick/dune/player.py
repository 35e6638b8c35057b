"""The quick player of classic Dune: greedy's scores over at most a dozen proposals for each choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar, Final

from landsraad_bots.greedy.candidates import candidates
from landsraad_bots.greedy.dune.player import SCORES as GREEDY
from landsraad_bots.greedy.scorer import Proposal, Score, Scorer
from landsraad_bots.quick.dune import movement, plans
from landsraad_engine.dune import acts
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.grammar import Act, Choice, Options

#: Choices with at most so many combinations are tried completely, if no proposal speaks of them.
_MOST: Final = 12


def propose_bids(view: DuneSeatView, choice: Choice, rng: Random) -> Iterator[Act]:
    """Propose the lowest bid: a higher one costs more and buys the same."""
    yield acts.Bid(next(iter(choice.domain("amount").values())))


SCORES: Final[Mapping[type[Act], Score]] = {
    **GREEDY,
    acts.Ship: movement.ship,
    acts.ShipNative: movement.ship,
    acts.ShipPrivileged: movement.ship,
    acts.ShipAcross: movement.ship_across,
    acts.Manoeuvre: movement.march,
    acts.RideWorm: movement.ride,
    acts.BattlePlan: plans.battle_plan,
}

PROPOSALS: Final[Mapping[type[Act], Proposal]] = {
    acts.Bid: propose_bids,
    acts.Ship: movement.propose_shipments,
    acts.ShipNative: movement.propose_shipments,
    acts.ShipPrivileged: movement.propose_shipments,
    acts.ShipAcross: movement.propose_marches,
    acts.Manoeuvre: movement.propose_marches,
    acts.RideWorm: movement.propose_rides,
    acts.BattlePlan: plans.propose_plans,
}


class QuickDune(Scorer):
    """Classic Dune by greedy's evaluation of few proposals."""

    game: ClassVar[str] = "dune"
    scores: ClassVar[Mapping[type[Act], Score]] = SCORES
    proposals: ClassVar[Mapping[type[Act], Proposal]] = PROPOSALS

    def _candidates(self, view: DuneSeatView, options: Options) -> Iterator[tuple[Choice, Act]]:
        for choice in options.choices:
            propose = self.proposals.get(choice.act)
            if propose is None:
                yield from candidates(Options((choice,)), self.rng, most=_MOST)
            else:
                yield from ((choice, act) for act in propose(view, choice, self.rng))
