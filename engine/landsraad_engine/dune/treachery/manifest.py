"""The treachery cards with rules of their own. A new card adds its module here, and nowhere else.

A module has what it needs of ``FRAMES``, ``source`` (overrides), ``WINDOW`` (a reaction window of its own), ``PLAYS``
(out-of-turn plays) and ``EXPLANATIONS``.
"""

from types import ModuleType
from typing import Final

from . import family_atomics, ghola, hajr, lasgun, weather_control

CARDS: Final[tuple[ModuleType, ...]] = (
    family_atomics,
    ghola,
    hajr,
    lasgun,
    weather_control,
)
