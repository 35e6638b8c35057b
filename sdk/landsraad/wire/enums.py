"""Names of enum values, also of those that only a newer service knows."""

from __future__ import annotations

from typing import Any


def enum_name(enum: Any, number: int, prefix: str) -> str:
    """Return the name of an enum's value without its prefix; "UNKNOWN_9" for a number 9 without a name."""
    known = enum.DESCRIPTOR.values_by_number.get(number)
    return f"UNKNOWN_{number}" if known is None else str(known.name).removeprefix(prefix)
