"""The rulebooks as data: every normative statement of a game, by the id that code, tests and refusals cite.

The statements are in `rules/<game>.toml`. `coverage` checks that each has code and a test.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import msgspec

from landsraad_engine.errors import BadContent

Kind: TypeAlias = Literal["flow", "limit", "exception", "definition", "ruling", "example"]
Edition: TypeAlias = Literal["exclusive", "v1_1", "preview_2022"]

#: The prefix of each game's ids.
PREFIXES: Final[Mapping[str, str]] = MappingProxyType({"dune": "DUNE", "arrakis": "WFA", "teaching": "TEACH"})

_ID: Final = re.compile(r"([A-Z]+)-[0-9A-Z]+\.[0-9]+")


class UnknownRule(LookupError):
    """No rulebook has a statement with this id."""


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One statement of a rulebook, in our own words."""

    id: str
    section: str
    heading: str
    text: str
    kind: Kind
    also: tuple[str, ...] = ()  # other sections of the book that say the same
    editions: tuple[Edition, ...] = ()  # War for Arrakis: editions in which it holds; empty for all
    faq: bool | None = None  # narrows "exclusive" to games with (or without) the official corrections
    reason: str = ""  # reason of a ruling, or origin of an addition
    test_only: str = ""  # for a definition: the reason why no single place in the code can cite it

    def __post_init__(self) -> None:
        if self.kind == "ruling" and not self.reason:
            raise ValueError(f"{self.id}: a ruling needs a reason")
        if self.test_only and self.kind != "definition":
            raise ValueError(f"{self.id}: only a definition may go without code")

    @property
    def needs_code(self) -> bool:
        """True unless tests alone cover it: a worked example, or a definition that no single place implements."""
        return self.kind != "example" and not self.test_only


class _Rulebook(msgspec.Struct, forbid_unknown_fields=True):
    statement: list[Statement]


def parse(document: str, game: str) -> Mapping[str, Statement]:
    """Parse a rulebook file into its statements by id, in the order of the file."""
    try:
        rulebook = msgspec.convert(tomllib.loads(document), _Rulebook)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as problem:
        raise BadContent(f"rulebook of {game}: {problem}") from problem
    found: dict[str, Statement] = {}
    for statement in rulebook.statement:
        shape = _ID.fullmatch(statement.id)
        if shape is None or shape[1] != PREFIXES[game]:
            raise BadContent(f"rulebook of {game}: {statement.id!r} is not an id of this game")
        if statement.id in found:
            raise BadContent(f"rulebook of {game}: {statement.id} appears twice")
        found[statement.id] = statement
    return MappingProxyType(found)


@cache
def statements(game: str) -> Mapping[str, Statement]:
    """Return all statements of a game by id, in the order of the book (cached)."""
    file = resources.files("landsraad_engine.rules").joinpath(f"{game}.toml")
    return parse(file.read_text(encoding="utf-8"), game)


def statement(rule: str) -> Statement:
    """Return the statement with this id."""
    prefix = rule.partition("-")[0]
    for game, its_prefix in PREFIXES.items():
        if prefix == its_prefix and rule in statements(game):
            return statements(game)[rule]
    raise UnknownRule(f"no rulebook has a statement {rule!r}")


def text(rule: str) -> str:
    """Return the text of the statement with this id, for prompts, refusals, log lines and tooltips."""
    return statement(rule).text
