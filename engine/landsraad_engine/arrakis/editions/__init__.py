"""Differences between the editions.

The rules elsewhere are those that v1.1 and the corrected Exclusive Edition share; each module here holds only what its
edition has otherwise.
"""

from collections.abc import Mapping
from typing import NamedTuple

from landsraad_engine.kernel.frames import Step
from landsraad_engine.kernel.overrides import Source


class EditionRules(NamedTuple):
    """An edition as an overlay: what it changes under the hooks, and the steps that it replaces by others."""

    sources: tuple[Source, ...]
    steps: Mapping[tuple[str, str], Step] = {}
