"""Random answers: from the bytes of a question to the bytes of a legal act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from landsraad.v1 import ask_pb2, value_pb2
from landsraad.wire.codec import Codec
from landsraad.wire.fields import framed, tag
from landsraad.wire.grammar import read_offers
from landsraad.wire.values import read_value
from landsraad_bench.item_peek import peek_class
from landsraad_engine.kernel.domains import Domain, below
from landsraad_engine.kernel.grammar import Act, Choice, Options

if TYPE_CHECKING:
    from landsraad_engine.kernel.constraints import Constraint

Answer: TypeAlias = Callable[[bytes], bytes]

_QUESTION = peek_class({ask_pb2.Question.DESCRIPTOR: {"options"}})
_OPTIONS = peek_class({ask_pb2.Options.DESCRIPTOR: {"choices"}})
_CHOICE = peek_class({ask_pb2.Choice.DESCRIPTOR: {"act", "fields", "constraints"}})
_FIELD = peek_class({
    ask_pb2.FieldDomain.DESCRIPTOR: {"name", "domain"},
    ask_pb2.Domain.DESCRIPTOR: {"one_of"},
    ask_pb2.OneOf.DESCRIPTOR: {"items"},
})  # fmt: skip
_CHOICES = tag(ask_pb2.Options.DESCRIPTOR, "choices")
_FIELDS, _CONSTRAINTS = (tag(ask_pb2.Choice.DESCRIPTOR, name) for name in ("fields", "constraints"))
#: Size of each cache. Within two seconds of play, seven in eight acts were seen before, three in four questions, half
#: of the choices in the others, and four in five fields and constraints of those that are new.
_KEPT = 8192
#: Questions with at most so many acts, three in four, are enumerated once, and one act is picked.
_FEW = 8


def random_answerer(codec: Codec, rng: Random) -> Answer:
    """Make a function that draws one of the legal acts of a question, all equally likely."""
    known = codec.acts.acts
    # No field of an act can be a flag as well as a number, so acts that compare equal are the same.
    written = lru_cache(_KEPT)(codec.act_bytes)

    @lru_cache(_KEPT)
    def choice(body: bytes) -> Choice:
        parsed = _CHOICE.FromString(body)
        fields: dict[str, Any] = dict(map(_field, parsed.fields))
        return Choice(known[parsed.act], *map(_constraint, parsed.constraints), **fields)

    @lru_cache(_KEPT)
    def parsed_options(body: bytes) -> _CachedOptions:
        return _CachedOptions(Options([choice(one) for one in _OPTIONS.FromString(body).choices]), written)

    # The same options are asked again under another number.
    return lambda question: parsed_options(_QUESTION.FromString(question).options).draw_act(rng)


@lru_cache(_KEPT)
def _field(body: bytes) -> tuple[str, Domain]:
    field = _FIELD.FromString(body)
    if field.domain.HasField("one_of"):
        return field.name, _OneOf(items=field.domain.one_of.items)
    [offer] = read_offers(_part(_FIELDS, body))
    return offer.domains[0]


@lru_cache(_KEPT)
def _constraint(body: bytes) -> Constraint:
    [offer] = read_offers(_part(_CONSTRAINTS, body))
    return offer.constraints[0]


def _part(name: bytes, body: bytes) -> ask_pb2.Options:
    """Parse options with one choice that has only this part."""
    return ask_pb2.Options.FromString(framed(_CHOICES, framed(name, body)))


@lru_cache(_KEPT)
def _value(body: bytes) -> Any:
    return read_value(value_pb2.Value.FromString(body))


class _OneOf(Domain, frozen=True):
    """The engine's `OneOf` with lazily parsed values: of dozens in the list only one is drawn."""

    items: Sequence[bytes]

    def has(self, value: Any) -> bool:
        if type(value) is str:  # only a str equals a str
            return value in self.values()
        return any(value == item and type(value) is type(item) for item in self.values())

    def count(self) -> int:
        return len(self.items)

    def values(self) -> Iterator[Any]:
        return map(_value, self.items)

    def draw(self, rng: Random) -> Any:
        return _value(self.items[below(rng, len(self.items))])


class _CachedOptions:
    """Parsed options, which may be asked many times."""

    __slots__ = ("_few", "_options", "_written")

    def __init__(self, options: Options, written: Callable[[Act], bytes]) -> None:
        self._options = options
        self._written = written
        #: all acts, if they are few enough
        self._few: list[bytes] = []
        if sum([choice.raw_count() for choice in options.choices]) <= _FEW:
            self._few = list(map(written, options.enumerate()))

    def draw_act(self, rng: Random) -> bytes:
        if few := self._few:
            return few[below(rng, len(few))]
        return self._written(self._options.sample(rng))
