"""Knowledge of one seat about the faces in a place, for asserts."""

from __future__ import annotations

from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import HIDDEN


def faces_known_to(g: State, seat: int, key: str) -> list[str]:
    """Return the faces in a place that a seat sees or knows, in their order."""
    return [face for face in g.known_faces(key, 1 << seat) if face != HIDDEN]
