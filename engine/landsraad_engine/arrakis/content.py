"""The content of a match: printed facts, our stand-ins, the edition's overlay and an operator's file, put together.

`load()` gives all component values of an edition; `load(path)` lets an operator's file override any of them and
recombine the operations of `operations.vocabulary`. What it gives is checked, cannot change, and has a digest that
is part of the match. `offer(path)` lets matches be played with such a file: their option `content` names it.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import inspect

from landsraad_engine.arrakis import components as box
from landsraad_engine.arrakis.crosschecks import crosscheck
from landsraad_engine.arrakis.terms import EDITIONS, EditionId, SubFaction
from landsraad_engine.content import checking
from landsraad_engine.content.documents import ContentProblems, Document, Problem, read, read_file, written
from landsraad_engine.content.layers import Certainty, Layer, LayerStack, TableSpec, stack
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.frames import rule


class Provenance(msgspec.Struct, frozen=True):
    """A component value with its source and certainty."""

    key: str
    value: Any
    certainty: Certainty
    source: str
    line: int


@rule("WFA-U.3", "WFA-U.10")
class BoxContent(box.Components, frozen=True, kw_only=True, eq=False):
    """All component values of one edition. Two contents are the same if their digests are."""

    edition: EditionId
    digest: str
    values: tuple[Provenance, ...]

    def deck(self, name: SubFaction, future: int = 0) -> tuple[str, ...]:
        """The planning cards of a deck, one entry per copy; a Possible Future's cards take the place of others."""
        mine = [card for card in self.planning_card.values() if card.deck == name]
        swapped_in = {card.number: card for card in mine if future and card.future == future}
        cards = [swapped_in.get(card.number, card) for card in mine if not card.future]
        return tuple(card.id for card in sorted(cards, key=lambda card: card.number) for _ in range(card.copies))

    @rule("WFA-L.25")
    def named(self, leader: str) -> tuple[str, ...]:
        """The leaders that a card means by this id or persona: "paul" is Paul Atreides or Paul-Muad'Dib."""
        return _named(self, leader)


@cache
def _named(content: BoxContent, leader: str) -> tuple[str, ...]:
    return tuple(each.id for each in content.leader.values() if leader in (each.id, each.persona))


def load(path: Path | None = None, *, edition: EditionId = "exclusive") -> BoxContent:
    """The content of an edition, an operator's file on top if there is one."""
    if edition not in EDITIONS:
        raise LookupError(f"no edition {edition!r}; there is {', '.join(EDITIONS)}")
    if path is None:
        return _own(edition)
    return compose(edition, read_file(path))


#: What a match plays with unless its option `content` names an operator's file.
OWN: Final = "own"
_NAME: Final = re.compile(r"[a-z0-9_-]{1,40}")
_offered: Final[dict[str, Document]] = {}


def offer(path: Path) -> str:
    """Let matches play with an operator's file, and say by which name: that of the file, without its ending.

    It must fit every edition. A name stands for one text for as long as the process lives, since layouts and boards
    are worked out once; another process that offers another text under it is found out by the digest.
    """
    name = path.stem
    document = read_file(path)
    if not _NAME.fullmatch(name) or name == OWN:
        what = "the name of a content file is made of small letters, digits, _ and -, and is not own"
        raise ContentProblems([Problem(str(path), 1, "", what)])
    known = _offered.get(name)
    if known is not None and known.data != document.data:
        raise ContentProblems([Problem(str(path), 1, "", f"another file is offered as {name} already")])
    for edition in EDITIONS:
        compose(edition, document)
    _offered.setdefault(name, document)
    return name


def offered() -> tuple[str, ...]:
    """The contents that a match can be played with here."""
    return (OWN, *_offered)


@cache
def played(edition: EditionId, name: str) -> BoxContent:
    """The content of matches whose option `content` is this name; BadOption if no such file is offered here."""
    if name == OWN:
        return _own(edition)
    if name not in _offered:
        raise BadOption("content", f"no content file {name!r} is offered here; there is {', '.join(offered())}")
    return compose(edition, _offered[name])


def compose(edition: EditionId, operator: Document | None = None) -> BoxContent:
    """Put the layers together; raise `ContentProblems` with everything that is wrong with the last one."""
    layers = [Layer(_own_file(name)) for name in _LAYERS[edition]]
    if operator:
        layers.append(Layer(operator, own=False))
    laid = stack(TABLES, layers)
    checking.check(laid, _names(laid))
    _stop_if_wrong(laid)
    parts = msgspec.convert(laid.plain(), box.Components)
    for complaint in crosscheck(parts):
        laid.complain(complaint.places, complaint.message)
    _stop_if_wrong(laid)
    tables: dict[str, Any] = {name: getattr(parts, name) for name in TABLES}
    return BoxContent(**tables, edition=edition, digest=_digest(parts), values=_values(laid))


# ---- The tables of the files are the fields of Components ----


def _tables() -> Mapping[str, TableSpec]:
    described = inspect.type_info(box.Components)
    assert isinstance(described, inspect.StructType)
    tables = {}
    for field in described.fields:
        keyed = isinstance(field.type, inspect.DictType)
        row = field.type.value_type if isinstance(field.type, inspect.DictType) else field.type
        assert isinstance(row, inspect.StructType)
        tables[field.name] = TableSpec(row.cls, keyed=keyed, open=field.name in box.OPEN_TABLES)
    return tables


TABLES: Final = _tables()

_PRINTED: Final = ("arrakis_board", "arrakis_components", "arrakis_reconstructed")
_LAYERS: Final[Mapping[EditionId, tuple[str, ...]]] = {
    "exclusive": _PRINTED,
    "v1_1": (*_PRINTED, "arrakis_v1_1"),
    "preview_2022": (*_PRINTED, "arrakis_preview_2022"),
}


@cache
def _own(edition: EditionId) -> BoxContent:
    return compose(edition)


@cache
def _own_file(name: str) -> Document:
    source = f"{name}.toml"
    text = resources.files("landsraad_engine.content").joinpath(source).read_text(encoding="utf-8")
    return read(text, source)


def _names(laid: LayerStack) -> checking.KnownIds:
    """Per kind of reference, what there is to refer to."""
    personas = (row.fields["persona"].value for row in laid.rows["leader"].values() if "persona" in row.fields)
    leaders = (*laid.rows["leader"], *dict.fromkeys(name for name in personas if isinstance(name, str)))
    kinds = {name: tuple(laid.rows[name]) for name in ("area", "sector", "air_zone", "planning_card")}
    return kinds | {"leader": leaders, "leader or none": ("", *leaders)}


def _stop_if_wrong(laid: LayerStack) -> None:
    if laid.problems:
        raise ContentProblems(laid.problems)


def _digest(parts: box.Components) -> str:
    """Over what the game plays with, in the order it does: two files that say the same have the same digest."""
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _values(laid: LayerStack) -> tuple[Provenance, ...]:
    return tuple(
        Provenance(written(key), value.value, value.certainty, value.document.source, value.line)
        for key, value in laid.values()
    )
