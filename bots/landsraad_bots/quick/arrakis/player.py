"""The quick player of War for Arrakis: greedy's scores over few moves, with its goals kept between decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar, Final

from landsraad_bots.greedy.arrakis import movement
from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_bots.greedy.arrakis.player import PROPOSALS as GREEDY_PROPOSALS
from landsraad_bots.greedy.arrakis.player import GreedyArrakis
from landsraad_bots.greedy.candidates import candidates
from landsraad_bots.greedy.scorer import Proposal
from landsraad_bots.players import side_of
from landsraad_bots.quick.arrakis.outlook import GoalMap, QuickOutlook
from landsraad_engine.arrakis import acts
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.knowledge.views import Mark
from landsraad_engine.play.bot import Decision

#: Choices with at most so many combinations are tried completely, if no proposal speaks of them.
_MOST: Final = 24
#: Places that no cached evaluation reads.
_BESIDE_THE_BOARD: Final = frozenset({"dice", "bene_gesserit", "discard"})
#: The most moves that are proposed for a legion.
_MOVES: Final = 2


def propose_moves(view: ArrakisSeatView, choice: Choice, rng: Random) -> Iterator[Act]:
    """Propose the best moves of a legion, of those that are worth one."""
    outlook = Outlook.of(view)
    (source,) = choice.domain("source").values()
    zones = tuple(choice.domain("ornithopter").values())
    proposed = 0
    for march in movement.marches(outlook):
        if march.source != source:
            continue
        act = movement.move_act(outlook, march, zones)
        if choice.fault(act) is None:
            yield act
            proposed += 1
            if proposed == _MOVES:
                break


PROPOSALS: Final[Mapping[type[Act], Proposal]] = {**GREEDY_PROPOSALS, acts.MoveLegion: propose_moves}


class QuickArrakis(GreedyArrakis):
    """War for Arrakis by greedy's evaluation of few proposals."""

    game: ClassVar[str] = "arrakis"
    proposals: ClassVar[Mapping[type[Act], Proposal]] = PROPOSALS

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._goal_map = GoalMap()
        self._last: tuple[Mark, dict[Any, Any]] | None = None

    def scored(self, view: Any, ask: Decision) -> Iterator[tuple[float, Act]]:
        """Yield the proposals with their scores."""
        self._remember(view)
        yield from super().scored(view, ask)

    def _remember(self, view: ArrakisSeatView) -> None:
        """Take over what was worked out for the last decision, if nothing that it rests on has changed since."""
        if self._last is not None:
            mark, memo = self._last
            if all(key.partition("/")[0] in _BESIDE_THE_BOARD for key in view.changed_since(mark)):
                view.memo.update(memo)
        if not view.memo:
            Outlook.provide(view, side_of(view), lambda seen, side: QuickOutlook(seen, side, self._goal_map))
        self._last = view.mark(), view.memo

    def _candidates(self, view: ArrakisSeatView, options: Options) -> Iterator[tuple[Choice, Act]]:
        for choice in options.choices:
            propose = self.proposals.get(choice.act)
            if propose is None:
                yield from candidates(Options((choice,)), self.rng, most=_MOST)
            else:
                yield from ((choice, act) for act in propose(view, choice, self.rng))
