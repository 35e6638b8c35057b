"""Component facts of both games, as data files beside this module.

A file is read once, when the module that owns its types is imported; nothing is read while a match is played.
"""

import tomllib
from importlib import resources
from typing import NoReturn, TypeVar

import msgspec

T = TypeVar("T")


def load(name: str, into: type[T]) -> T:
    """Return the content file `name`, checked against and converted into the type `into`."""
    text = resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text, parse_float=_no_floats), into)


def _no_floats(figure: str) -> NoReturn:
    """Rules never touch a float, so that the same inputs give the same bytes on every machine."""
    raise ValueError(f"a component figure must be whole: {figure}")
