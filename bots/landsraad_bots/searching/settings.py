"""The options in a searcher's name: `searcher@0.3s`, `searcher@1s,k=8`, `searcher@worlds=32`."""

from __future__ import annotations

from typing import Final

import msgspec

from landsraad.errors import BadBotOptions

#: The most seconds and worlds of a decision, and the most candidates.
_MOST_SECONDS: Final = 600.0
_MOST_WORLDS: Final = 100_000
_MOST_CANDIDATES: Final = 32
_MOST_ERRORS: Final = 10.0
#: A playout takes about so long.
_PLAYOUT_SECONDS: Final = 0.01


class SearchSettings(msgspec.Struct, frozen=True):
    """The effort and caution of a searcher."""

    #: CPU seconds for each decision; 0 if `worlds` counts
    seconds: float = 0.3
    #: worlds for each decision, which makes the bot deterministic for its seed; 0 if `seconds` count
    worlds: int = 0
    #: the most candidates
    k: int = 6
    #: the standard errors by which another act must be better than the policy's
    z: float = 1.0
    #: 1 if sealed questions are played as matrix games, 0 if they are searched like others
    matrix: int = 0

    @property
    def cpu_seconds(self) -> float:
        """An estimate of the CPU seconds of a searched decision."""
        return self.seconds or self.worlds * self.k * _PLAYOUT_SECONDS


def parse_settings(text: str) -> SearchSettings:
    """Return the settings that a name's options give.

    Raises:
        BadBotOptions: An option is not known, comes twice or has an impossible value.
    """
    found: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.strip().partition("=")
        if not equals:
            name, value = "seconds", name.removesuffix("s") if name.endswith("s") else ""
        if name in found or (name in ("seconds", "worlds") and {"seconds", "worlds"} & found.keys()):
            raise BadBotOptions(f"searcher: {part!r} says again what another option says")
        found[name] = _number(name, value, part)
    if "worlds" in found:
        found["seconds"] = 0.0
    return SearchSettings(
        seconds=found.get("seconds", 0.3),
        worlds=int(found.get("worlds", 0)),
        k=int(found.get("k", 6)),
        z=found.get("z", 1.0),
        matrix=int(found.get("matrix", 0)),
    )


def _number(name: str, value: str, part: str) -> float:
    """Return the value of an option."""
    limits = {
        "seconds": (0.001, _MOST_SECONDS),
        "worlds": (2, _MOST_WORLDS),
        "k": (2, _MOST_CANDIDATES),
        "z": (0, _MOST_ERRORS),
        "matrix": (0, 1),
    }
    if name not in limits:
        raise BadBotOptions(
            f"searcher has no option {part!r}; give seconds such as 0.3s, or worlds=32, "
            "and k=6, z=1.0 or matrix=1, with commas"
        )
    try:
        number = float(value) if name in ("seconds", "z") else float(int(value))
    except ValueError:
        raise BadBotOptions(f"searcher: {part!r} is no number that fits") from None
    least, most = limits[name]
    if not least <= number <= most:
        raise BadBotOptions(f"searcher: {name} goes from {least:g} to {most:g}, not {value}")
    return number
