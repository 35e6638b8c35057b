"""Rulebooks as data: every normative statement of a game, by the id that code, tests and refusals cite.

The statements of a game are in a TOML file of its package; `coverage` checks that each has code and a test. A package
registers a rulebook by an entry point of the group `landsraad.rulebooks`: the game's id, and the location of its
`Rulebook`.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, cast

import msgspec

from landsraad_engine.errors import BadContent
from landsraad_engine.registry import Registry

Kind: TypeAlias = Literal["flow", "limit", "exception", "definition", "ruling", "example"]

_REGISTRY: Final = Registry(
    "landsraad.rulebooks",
    {game: f"landsraad_engine.rules:{game.upper()}" for game in ("arrakis", "dune", "teaching")},
)
_ID: Final = re.compile(r"([A-Z]+)-[0-9A-Z]+\.[0-9]+")


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rulebook of one game: the prefix of its ids, and the location of its statements and code."""

    game: str
    #: what its ids begin with: "DUNE" in DUNE-3.12
    prefix: str
    #: the import package whose modules cite it
    package: str
    #: the TOML file of its statements, as a path within that package
    document: str
    #: the editions that a statement can be limited to
    editions: tuple[str, ...] = ()

    def read(self) -> str:
        """Return the text of the file of statements."""
        return resources.files(self.package).joinpath(self.document).read_text(encoding="utf-8")


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
    editions: tuple[str, ...] = ()  # editions in which it holds; empty for all
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


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    statement: list[Statement]


def parse(document: str, book: Rulebook) -> Mapping[str, Statement]:
    """Parse a rulebook file into its statements by id, in the order of the file.

    Raises:
        BadContent: The file is malformed, an id is not of this game or appears twice, or an edition does not exist.
    """
    game = book.game
    try:
        rulebook = msgspec.convert(tomllib.loads(document), _Document)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as problem:
        raise BadContent(f"rulebook of {game}: {problem}") from problem
    found: dict[str, Statement] = {}
    for statement in rulebook.statement:
        shape = _ID.fullmatch(statement.id)
        if shape is None or shape[1] != book.prefix:
            raise BadContent(f"rulebook of {game}: {statement.id!r} is not an id of this game")
        if statement.id in found:
            raise BadContent(f"rulebook of {game}: {statement.id} appears twice")
        for edition in statement.editions:
            if edition not in book.editions:
                raise BadContent(f"rulebook of {game}: {statement.id} names the unknown edition {edition!r}")
        found[statement.id] = statement
    return MappingProxyType(found)


def known() -> tuple[str, ...]:
    """Return the ids of all games that have a rulebook here, sorted."""
    return tuple(_REGISTRY.targets())


def has(game: str) -> bool:
    """Tell if a game has a rulebook here."""
    return game in _REGISTRY


@cache
def book(game: str) -> Rulebook:
    """Return the rulebook of a game; KeyError if there is none."""
    return cast("Rulebook", _REGISTRY.load(game))


@cache
def statements(game: str) -> Mapping[str, Statement]:
    """Return all statements of a game, by id and in the book's order."""
    return parse(book(game).read(), book(game))


def statement(rule: str) -> Statement:
    """Return the statement with this id.

    Raises:
        UnknownRule: no rulebook has it.
    """
    prefix = rule.partition("-")[0]
    for games in (_REGISTRY.own, known()):  # ours first: looking for installed rulebooks is slow
        for game in games:
            if book(game).prefix == prefix and rule in statements(game):
                return statements(game)[rule]
    raise UnknownRule(f"no rulebook has a statement {rule!r}")


def text(rule: str) -> str:
    """Return what a statement says, for prompts, refusals, log lines and tooltips."""
    return statement(rule).text
