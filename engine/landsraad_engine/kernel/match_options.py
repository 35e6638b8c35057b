"""Options of a match: their specifications, and the one that every game has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from landsraad_engine.errors import BadOption

_NUMBER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a match: its allowed values (or a range of numbers, or a pattern of words) and its default."""

    name: str
    default: Any
    values: tuple[Any, ...] = ()
    low: int = 0
    high: int = 0
    pattern: str = ""
    meaning: str = ""
    #: the statement of the rulebook, or the ruling, that allows it
    rule: str = ""

    def parse(self, value: Any) -> Any:
        """The value in its own type, from a string or as it is; BadOption if it is not allowed."""
        if isinstance(value, str) and type(self.default) is bool:
            value = {"true": True, "false": False}.get(value.lower(), value)
        elif isinstance(value, str) and type(self.default) is int:
            value = int(value) if _NUMBER.fullmatch(value) else value
        if type(value) is not type(self.default):
            raise BadOption(self.name, f"{_kind(self.default)} is wanted, not {_kind(value)}")
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise BadOption(self.name, f"{value!r} is not of the form {self.pattern}")
        if self.values:
            if value not in self.values:
                allowed = ", ".join(map(str, self.values))
                raise BadOption(self.name, f"{value!r} is not one of {allowed}")
        elif type(self.default) is int and not self.low <= value <= self.high:
            raise BadOption(self.name, f"{value} is not from {self.low} to {self.high}")
        return value


def _kind(value: Any) -> str:
    """What a value is, as the protocol calls it: whoever is told may write in any language."""
    return {bool: "a flag", int: "a number", str: "a text", tuple: "a list"}.get(type(value), "something else")


#: How long reaction windows stay open: an option of every game, kept by whoever runs the match.
WINDOW_OPTION = OptionSpec(
    "window",
    "fast",
    pattern=r"fast|fixed:[0-9]{1,6}",
    meaning="how long reaction windows stay open: fast, or fixed:<ms>",
)


def window_ms(options: Mapping[str, Any]) -> int:
    """How long whoever runs the match keeps reaction windows open; 0: until all have answered."""
    return int(options.get("window", "fast").partition(":")[2] or 0)
