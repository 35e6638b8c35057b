"""The evaluation of a position against the automaton of the solo mode, which attacks by Combat Power alone."""

from __future__ import annotations

from typing import Final

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.goals import prospects
from landsraad_bots.greedy.arrakis.odds import Force, duel
from landsraad_bots.greedy.arrakis.outlook import BEATEN, Outlook
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.arrakis.zones import SOLO

#: The weight of a threat by distance in flown areas, on a Sietch and on a legion in the open.
_TO_SIETCH: Final = (0.0, 0.8, 0.6, 0.4, 0.25, 0.1)
_TO_LEGION: Final = (0.0, 0.5, 0.1)
#: The share of the fear that is left as soon as an enemy exceeds the own power at all; the rest grows with the excess.
_EXCEEDED: Final = 0.5
#: The share of the fear of a legion that is not stronger yet.
_WEAKER: Final = 0.1


def power(force: Force) -> int:
    """Return the Combat Power of a force, with about two units for a token that lies face down."""
    return force.units + force.leaders


class AutomatonOutlook(Outlook):
    """The outlook of the automaton's opponents: impassable borders do not stop it, and it attacks only the weaker."""

    def _danger(self, area: str, force: Force) -> float:
        """Return the expected losses: little where the own Combat Power keeps the automaton from attacking."""
        rank, prize = self._settled.get(area, (0, 0.0))
        if not rank and not force.units:
            return 0.0
        weights = _TO_SIETCH if rank else _TO_LEGION
        own = power(force)
        fear = 0.0
        for place, enemy in self._enemies:
            away = self.board.distance_by_air(place, area)
            if away < len(weights):
                chance = duel(enemy, force, rank).chance * weights[away]
                fear = max(fear, chance * fear_share(power(enemy), own))
        return fear * (prize + force.toughness * worth.UNITS[self.side][0] * BEATEN)


def fear_share(enemy: int, own: int) -> float:
    """Return the share of a threat that counts: small without greater power, more the greater the excess."""
    if enemy <= own:
        return _WEAKER
    return _EXCEEDED + (1 - _EXCEEDED) * (enemy - own) / enemy


def _hand(view: ArrakisSeatView) -> int:
    assert view.seat is not None
    return len(view.hand(view.seat))


def hand_price(view: ArrakisSeatView, cards: int) -> float:
    """Return the price of giving up cards that a revealed prescience card asks for at the end of the round."""
    return _lost_by(view, _hand(view), _hand(view) - cards)


def hand_gain(view: ArrakisSeatView, cards: int) -> float:
    """Return the gain from drawing cards that a revealed prescience card asks for."""
    return _lost_by(view, _hand(view) + cards, _hand(view))


def _lost_by(view: ArrakisSeatView, more: int, fewer: int) -> float:
    """Return the worth of the prescience cards that a hand of the one size satisfies and one of the other does not."""
    if SOLO not in view.table:
        return 0.0
    return sum(
        prospect
        for row, prospect in prospects(view)
        if isinstance(row, rows.DiscardCardsRow) and fewer < row.count <= more
    )
