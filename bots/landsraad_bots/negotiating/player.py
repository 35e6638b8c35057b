"""The negotiating player: alliances and deals are candidates like other acts.

An agreement is worth what the search expects with it, less what it expects without it, in the same worlds. It is made
above a margin that grows with each word that the partner has broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from landsraad.errors import OtherRules
from landsraad_bots.greedy.scorer import Scorer
from landsraad_bots.negotiating.offers import offers
from landsraad_bots.negotiating.trust import Trust
from landsraad_bots.players import side_of
from landsraad_bots.searching.games import GAMES
from landsraad_bots.searching.halving import Samples
from landsraad_bots.searching.player import Searcher, outcome
from landsraad_bots.searching.rolling import roll
from landsraad_bots.searching.values import PositionValue, value_for
from landsraad_bots.searching.worlds import WorldPool
from landsraad_engine.dune.acts import AcceptDeal, BreakAlliance, Consent, Pass, ProposeAlliance, ProposeDeal
from landsraad_engine.errors import NoWorld, Refused
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import Decision
from landsraad_engine.play.world import World

#: The questions about alliances: to propose and to join one, and to leave.
_ALLIANCES: Final = frozenset({"DUNE-R.28", "DUNE-2A.12"})
#: The own questions, of which the first in each turn is the occasion to offer a deal.
_OCCASIONS: Final = frozenset({"DUNE-4.1", "DUNE-5.2"})
#: The worlds in which a deal is weighed.
WORLDS: Final = 6


class _Weighed(NamedTuple):
    """A deal with the mean gain of both sides."""

    act: Act
    partner: str
    own: float
    theirs: float


class Negotiator(Searcher):
    """A searcher that values alliances and deals."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._trust = Trust()
        self._wish: Act | None = None
        self._offered_in = 0
        self._answered: set[int] = set()

    def decide(self, view: Any, ask: Decision) -> Act:
        """Return the searcher's act, and weigh the deals that are on the table or could be offered."""
        self._trust.observe(view)
        act = super().decide(view, ask)
        if ask.why not in _ALLIANCES:
            self._wish = self._weigh_deals(view, ask, act)
        return act

    def interject(self, view: Any, plays: Options) -> Act | None:
        """Make the deal that was weighed at the last decision."""
        wish, self._wish = self._wish, None
        return wish if wish is not None and plays.contains(wish) else None

    # --- alliances

    def _kind(self, ask: Decision) -> str:
        return "Alliance" if ask.why in _ALLIANCES else super()._kind(ask)

    def candidates(self, view: Any, ask: Decision, policy: Scorer) -> list[Act]:
        """Return the acts to try; at questions about alliances, the one that changes nothing comes first."""
        found = super().candidates(view, ask, policy)
        if ask.why not in _ALLIANCES:
            return found
        neutral = next(act for act in (Pass(), Consent(yes=False)) if ask.options.contains(act))
        others = [act for act in (*found, Consent(yes=True)) if act != neutral and ask.options.contains(act)]
        return [neutral, *dict.fromkeys(others)]

    def _choice(self, view: Any, acts: Sequence[Act], samples: Sequence[Samples]) -> int:
        if not isinstance(acts[-1], (ProposeAlliance, Consent, BreakAlliance)):
            return super()._choice(view, acts, samples)
        best, highest = 0, 0.0
        for index, (act, each) in enumerate(zip(acts, samples, strict=True)):
            if index and len(each.values) > 1:
                gain, error = each.lead_over(samples[0])
                surplus = gain - max(self._trust.margin(_partners(view, act)), self.settings.z * error)
                if surplus > highest:
                    best, highest = index, surplus
        return best

    # --- deals

    def _weigh_deals(self, view: Any, ask: Decision, act: Act) -> Act | None:
        """Return an offer to accept or to make, if there is one that is worth it."""
        value = value_for(self.game, len(view.factions()))
        if value is None:
            return None
        open_ = [row for row in view.table.get("offers", ()) if row[2] == side_of(view)]
        new = [row for row in open_ if row[0] not in self._answered]
        self._answered.update(row[0] for row in new)
        occasion = ask.why in _OCCASIONS and view.turn > self._offered_in
        if not new and not occasion:
            return None
        pool = WorldPool(ask, Random(self.rng.getrandbits(64)))
        weigh = partial(self._weigh, view, ask, act, pool, value, [])
        try:
            found = [weigh(AcceptDeal(row[0]), row[1]) for row in new]
            if not found and occasion:
                self._offered_in = view.turn
                # A partner accepts what it gains by; what it loses by need not be offered.
                found = [each for deal in offers(view) if (each := weigh(deal, deal.partner)).theirs > 0]
        except (NoWorld, OtherRules):
            return None
        good = [each for each in found if each.own > self._trust.margin((each.partner,))]
        return max(good, key=lambda each: each.own).act if good else None

    def _weigh(
        self,
        view: Any,
        ask: Decision,
        act: Act,
        pool: WorldPool,
        value: PositionValue,
        free: list[World],
        deal: Act,
        partner: str,
    ) -> _Weighed:
        """Return the gains of a deal: both sides' values with it, less those without it, in the same worlds.

        ``free`` holds the worlds played on without a deal, which all deals share.
        """
        seat = next(seat for seat in range(pool[0][0].seats) if view.table.get(f"side/{seat}") == partner)
        gains: list[tuple[float, float]] = []
        for number in range(WORLDS):
            world, seed = pool[number]
            if number == len(free):
                free.append(self._played_on(world.copy(), view, ask, act, seed))
            bound = world.copy()
            if not _agreed(bound, deal, ask.seat, seat):
                gains.append((0.0, 0.0))
                continue
            try:
                self._played_on(bound, view, ask, act, seed)
            except Refused:  # the deal forbids the act that was to be made
                gains.append((-1.0, -1.0))
                continue
            own, theirs = (
                outcome(bound, each, value) - outcome(free[number], each, value) for each in (ask.seat, seat)
            )
            gains.append((own, theirs))
        return _Weighed(deal, partner, fmean(own for own, _ in gains), fmean(theirs for _, theirs in gains))

    def _played_on(self, world: World, view: Any, ask: Decision, act: Act, seed: int) -> World:
        """Play a world on with the own act. Raises `Refused` if a deal forbids it."""
        world.apply(act, ask.seat)
        roll(world, self._players(seed), GAMES[self.game].horizon(view))
        return world


def _agreed(world: World, deal: Act, seat: int, partner: int) -> bool:
    """Accept an offer in a world, or make one that the partner accepts; False if that side has not got the spice."""
    try:
        world.apply(deal, seat)
        if isinstance(deal, ProposeDeal):
            world.apply(AcceptDeal(world.view(seat).table["offers"][-1][0]), partner)
    except Refused:
        return False
    return True


def _partners(view: Any, act: Act) -> Iterable[str]:
    """Return the factions on whose word an answer about an alliance relies."""
    if isinstance(act, ProposeAlliance):
        return act.partners
    if isinstance(act, Consent):
        frame = view.frames[-1]
        return (frame["proposer"], *frame["partners"])
    return ()
