"""All that the solo mode adds to the game: its places, frames, hooks and steps."""

from collections.abc import Iterable
from typing import Any, Final

from landsraad_engine.arrakis.leaders import corrino_ally
from landsraad_engine.arrakis.mahdi import (
    attacks,
    battle,
    bene_gesserit,
    card_manifest,
    garrisons,
    military,
    moves,
    placing,
    round_ends,
    special_actions,
    swapping,
    turn,
    vehicle_placement,
)
from landsraad_engine.arrakis.mahdi.overlay import Steps, solo_steps
from landsraad_engine.arrakis.mahdi.zones import solo_zones
from landsraad_engine.kernel.frames import Frame, Step, rule
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.zones import Zone

_MODULES: Final[tuple[Any, ...]] = (
    turn,
    special_actions,
    military,
    attacks,
    moves,
    garrisons,
    placing,
    swapping,
    vehicle_placement,
    card_manifest,
)

FRAMES: Final[tuple[type[Frame], ...]] = tuple(frame for module in _MODULES for frame in module.FRAMES)
_SOURCES: Final = (round_ends.source, battle.source, bene_gesserit.source, *card_manifest.SOURCES)


def zones() -> tuple[Zone, ...]:
    """Return the places that only this mode has."""
    return (*solo_zones(), *card_manifest.zones())


@rule("WFA-Y.1", "WFA-Y.43")
def sources(usual: Iterable[Source]) -> tuple[Source, ...]:
    """Return the usual hooks, also those of a side that no seat plays, and the mode's own."""
    return (*(_always(source) for source in usual if source is not corrino_ally.source), *_SOURCES)


def _always(source: Source) -> Source:
    """Return a source that is active whoever plays."""
    twin = Source(source.name)
    twin.entries = source.entries
    return twin


def steps(edition: Steps) -> dict[tuple[str, str], Step]:
    """Return the steps of an edition as they are in this mode."""
    return solo_steps(edition, card_manifest.INSTEAD)
