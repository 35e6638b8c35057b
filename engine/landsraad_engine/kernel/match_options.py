"""Options of a match: their specification, and those that every game has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from landsraad_engine.errors import BadOption

_NUMBER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a match: its default, and its allowed values, range of numbers or pattern of text."""

    name: str
    default: Any
    values: tuple[Any, ...] = ()
    low: int = 0
    high: int = 0
    pattern: str = ""
    meaning: str = ""
    #: the id of the statement or ruling that allows it
    rule: str = ""
    #: left out of a match's options while it has its default, so that records of before it stay as they are
    implied: bool = False

    def parse(self, value: Any) -> Any:
        """Return a value in the option's type; strings are converted. Raise BadOption if it is not allowed."""
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
    """Return the name of a value's type for error messages: Python's names mean nothing to clients."""
    return {bool: "a flag", int: "a number", str: "a text", tuple: "a list"}.get(type(value), "something else")


#: The option of every game that sets how long reaction windows stay open. The host of the match enforces it.
WINDOW_OPTION = OptionSpec(
    "window",
    "fast",
    pattern=r"fast|fixed:[0-9]{1,6}",
    meaning="how long reaction windows stay open: fast, or fixed:<ms>",
)


def window_ms(options: Mapping[str, Any]) -> int:
    """Return how long the host keeps reaction windows open, in milliseconds; 0 means until all have answered."""
    return int(options.get("window", "fast").partition(":")[2] or 0)


#: The values of `TALK_OPTION`.
NO_TALK, TABLE_TALK, TALK_BY_RULES = "off", "table", "rules"
#: The option of every game that sets who may talk with whom. The rules of the game ignore it: the host enforces it.
TALK_OPTION = OptionSpec(
    "talk",
    TALK_BY_RULES,
    (NO_TALK, TABLE_TALK, TALK_BY_RULES),
    meaning="who may talk: nobody, all at the table, or in private as well where the rulebook allows it",
    implied=True,
)


def talk_of(options: Mapping[str, Any]) -> str:
    """Return the value of the talk option of a match."""
    return str(options.get(TALK_OPTION.name, TALK_OPTION.default))
