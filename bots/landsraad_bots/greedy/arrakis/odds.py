"""Battle odds from the expected hits of each round: fast, not exact."""

from __future__ import annotations

from functools import lru_cache
from math import erf, exp, pi, sqrt
from typing import Final, NamedTuple

#: The combat die: three hits, two shields and a special.
HIT: Final = 1 / 2
SHIELD: Final = 1 / 3
SPECIAL: Final = 1 / 6
#: The most dice that a side rolls.
MAX_DICE: Final = 6
#: The rounds after which the attacker is assumed to stop.
_ROUNDS: Final = 4
#: The average hits that a leader makes of a Special.
_PER_LEADER: Final = 1.3


class Force(NamedTuple):
    """The properties of a legion that decide a battle."""

    units: int = 0
    #: the hits that destroy it
    toughness: int = 0
    leaders: int = 0
    #: Sardaukar or Fedaykin, each of which cancels a shield
    specials: int = 0


class Duel(NamedTuple):
    """The expected outcome of a battle."""

    #: the chance that the attacker wins
    chance: float
    #: the share of the attacking legion that is lost
    lost: float
    #: the share of the defending legion that is lost
    killed: float


NO_FORCE: Final = Force()


@lru_cache(maxsize=1 << 16)
def duel(attack: Force, defence: Force, rank: int = 0, cards: int = 0) -> Duel:
    """Estimate a battle.

    ``rank`` is that of the defended settlement (0: in the open), ``cards`` the extra dice of the attacker in round 1.
    """
    if not attack.units:
        return Duel(0.0, 0.0, 0.0)
    if not defence.units:
        return Duel(1.0, 0.0, 0.0)
    ours, theirs = float(attack.toughness), float(defence.toughness)
    for number in range(_ROUNDS):
        # Leaders and Elites take the first hits, so units (and their dice) are lost only after these.
        dice = min(MAX_DICE, min(attack.units, ours) + (cards if number == 0 else 0))
        answer = min(MAX_DICE, min(defence.units, theirs) + rank)
        dealt = _through(dice, attack.leaders, answer, attack.specials)
        taken = _through(answer, defence.leaders, dice, defence.specials)
        theirs -= dealt
        ours -= taken
        if ours <= 0.5 or theirs <= 0.5:
            break
        ours -= 1.0 if rank else 0.0
    lost = 1 - max(0.0, ours) / attack.toughness
    killed = 1 - max(0.0, theirs) / defence.toughness
    return Duel(1 / (1 + exp(-5.5 * (killed - lost - 0.15))), min(1.0, lost), min(1.0, killed))


def _through(dice: float, leaders: int, against: float, specials: int) -> float:
    """Return the expected hits after shields, with hits minus shields approximated as normally distributed."""
    hits = dice * HIT + min(leaders, dice * SPECIAL) * _PER_LEADER
    shields = max(0.0, against * SHIELD - specials)
    mean = hits - shields
    spread = sqrt(0.25 * dice + 0.22 * against) or 1.0
    x = mean / spread
    return mean * (1 + erf(x / sqrt(2))) / 2 + spread * exp(-x * x / 2) / sqrt(2 * pi)
