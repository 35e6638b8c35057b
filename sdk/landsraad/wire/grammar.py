"""The grammar of answers on the wire: choices, domains and constraints.

Options are written from the plain form that logs keep (`Options.plain`), and read into the engine's own objects. So a
client lists, draws and checks legal acts with the same code as the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import astuple

from landsraad.v1 import ask_pb2
from landsraad_engine.kernel.constraints import Clause, Constraint, Distinct, Linear, Literal, Rows, Term
from landsraad_engine.kernel.domains import Alloc, Domain, OneOf, Order, Path, Range, Subset
from landsraad_engine.kernel.grammar import Act, Choice, Options

from .events import maybe_texts
from .fields import Field, Kind, flag, framed, maybe_number, number, numbers, tag, text, texts
from .memo import cached_object_writer, cached_reader, cached_writer
from .records import Record, UnreadableRecord, Variant, many, one, set_member
from .values import value, value_lists, values

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

Plain: TypeAlias = Mapping[str, Any]

#: The engine's value for "no bound"; the positive one does not fit an int32.
_UNBOUNDED = 1 << 31


def _bound(missing: int) -> Kind:
    """Make the field for a bound of a sum; no bound is left out."""

    def bind(message: Descriptor, name: str) -> Field:
        written = maybe_number(message, name)
        return Field(
            lambda bound: b"" if bound == missing else written.write(bound),
            lambda parsed: getattr(parsed, name) if parsed.HasField(name) else missing,
        )

    return bind


def _parts(kind: Any, message: Descriptor, **kinds: Kind) -> Kind:
    """Make the field for parts of a constraint: written from plain data, read as the engine's objects."""
    record = Record(message, kinds)
    names = record.names
    return many(lambda plain: record.write([plain[name] for name in names]), lambda parsed: kind(*record.read(parsed)))


class _Family:
    """Domains, or constraints: a rule and one of several descriptions, each a class of the engine."""

    def __init__(self, message: Descriptor, marker: str, /, **rows: tuple[type[Any], Mapping[str, Kind]]) -> None:
        self._marker = marker  # the key of the class's name in plain data
        self._rule = text(message, "rule")
        self._kinds = {name: kind for name, (kind, _) in rows.items()}
        self._variants = {name: Variant(message, name, kinds) for name, (_, kinds) in rows.items()}
        self._by_class = {kind.__name__: self._variants[name] for name, kind in self._kinds.items()}

    def write(self, plain: Plain) -> bytes:
        variant = self._by_class[plain[self._marker]]
        return self._rule.write(plain["why"]) + variant.write([plain[name] for name in variant.record.names])

    def write_object(self, given: Any) -> bytes:
        """The same of the engine's object, whose own fields come in the order of the rows."""
        *values, why = astuple(given)
        return self._rule.write(why) + self._by_class[type(given).__name__].write(values)

    def read(self, parsed: Any) -> Any:
        name = set_member(parsed, "kind")
        record = self._variants[name].record
        read = dict(zip(record.names, record.read(getattr(parsed, name)), strict=True))
        return self._kinds[name](**read, why=parsed.rule)


_DOMAINS = _Family(
    ask_pb2.Domain.DESCRIPTOR,
    "domain",
    one_of=(OneOf, {"items": values}),
    range=(Range, {"low": number, "high": number}),
    subset=(Subset, {"items": values, "low": number, "high": number}),
    alloc=(Alloc, {"slots": texts, "caps": numbers, "low": number, "high": number}),
    order=(Order, {"items": values}),
    path=(
        Path,
        {"graph": text, "start": text, "steps": number, "blocked": texts, "stops": texts, "ends": maybe_texts},
    ),
)
_LITERALS = _parts(Literal, ask_pb2.Literal.DESCRIPTOR, field=text, values=values, wanted=flag)
_TABLE_ROW = Record(ask_pb2.TermRow.DESCRIPTOR, {"value": value, "number": number})
_TABLE = many(_TABLE_ROW.write, _TABLE_ROW.read)
_TERMS = _parts(Term, ask_pb2.Term.DESCRIPTOR, field=text, weight=number, weights=numbers, table=_TABLE)
_CONSTRAINTS = _Family(
    ask_pb2.Constraint.DESCRIPTOR,
    "constraint",
    clause=(Clause, {"literals": _LITERALS}),
    linear=(Linear, {"terms": _TERMS, "low": _bound(-_UNBOUNDED), "high": _bound(_UNBOUNDED)}),
    distinct=(Distinct, {"names": texts}),
    rows=(Rows, {"names": texts, "rows": value_lists}),
)
# Different questions share most of their domains: the territories within reach, the cards in hand.
_DOMAIN = one(cached_writer(_DOMAINS.write), _DOMAINS.read)
_FIELD = Record(ask_pb2.FieldDomain.DESCRIPTOR, {"name": text, "domain": _DOMAIN})
_CHOICE = Record(
    ask_pb2.Choice.DESCRIPTOR,
    {
        "act": text,
        "rule": text,
        "fields": many(_FIELD.write, cached_reader(_FIELD.read)),
        "constraints": many(_CONSTRAINTS.write, cached_reader(_CONSTRAINTS.read)),
    },
)
_OPTIONS = Record(ask_pb2.Options.DESCRIPTOR, {"choices": many(_CHOICE.write, _CHOICE.read)})


class Offer(NamedTuple):
    """A choice as it was read, with its act by name."""

    act: str
    why: str
    domains: tuple[tuple[str, Domain], ...]
    constraints: tuple[Constraint, ...]

    def plain(self) -> tuple[Any, ...]:
        """Return the same form as `Choice.plain`."""
        domains = tuple((name, msgspec.to_builtins(domain)) for name, domain in self.domains)
        return (self.act, self.why, domains, tuple(map(msgspec.to_builtins, self.constraints)))

    def choice(self, acts: Mapping[str, type[Act]]) -> Choice:
        """Return the engine's choice.

        Raises:
            UnreadableRecord: The game here has no such act.
        """
        if self.act not in acts:
            raise UnreadableRecord(f"no act {self.act!r} is known here")
        return Choice(acts[self.act], *self.constraints, why=self.why, **dict(self.domains))


@cached_writer
def write_options(plain: tuple[Any, ...]) -> bytes:
    """Write the bytes of options in their plain form."""
    return _OPTIONS.write((plain,))


# Choices are written straight from the engine's objects, without the plain form. The cache is keyed by an image of each
# choice; in a new choice most domains are not new.
_ACT, _WHY = text(ask_pb2.Choice.DESCRIPTOR, "act"), text(ask_pb2.Choice.DESCRIPTOR, "rule")
_NAME = text(ask_pb2.FieldDomain.DESCRIPTOR, "name")
_DOMAIN_MARK = tag(ask_pb2.FieldDomain.DESCRIPTOR, "domain")
_FIELD_MARK, _CONSTRAINT_MARK = tag(ask_pb2.Choice.DESCRIPTOR, "fields"), tag(ask_pb2.Choice.DESCRIPTOR, "constraints")
_CHOICE_MARK = tag(ask_pb2.Options.DESCRIPTOR, "choices")
_domain = cached_writer(lambda domain: framed(_DOMAIN_MARK, _DOMAINS.write_object(domain)))
_constraint = cached_writer(lambda bound: framed(_CONSTRAINT_MARK, _CONSTRAINTS.write(msgspec.to_builtins(bound))))


def _write_choice(choice: Choice) -> bytes:
    fields = [
        framed(_FIELD_MARK, _NAME.write(name) + _domain(domain))
        for name, domain in zip(choice.names, choice.domains, strict=True)
    ]
    bounds = map(_constraint, choice.constraints)
    body = b"".join([_ACT.write(choice.act.__name__), _WHY.write(choice.why), *fields, *bounds])
    return framed(_CHOICE_MARK, body)


_offered = cached_object_writer(
    _write_choice, lambda choice: (choice.act.__name__, choice.why, choice.names, choice.domains, choice.constraints)
)


def write_offered(options: Options) -> bytes:
    """Write the bytes of options directly: the same as from their plain form, which is not needed."""
    return b"".join([_offered(choice) for choice in options.choices])


@cached_reader
def read_offers(parsed: ask_pb2.Options) -> tuple[Offer, ...]:
    """Read the choices that are offered."""
    (choices,) = _OPTIONS.read(parsed)
    return tuple([Offer(*choice) for choice in choices])


def read_choice(parsed: ask_pb2.Choice, acts: Mapping[str, type[Act]]) -> Choice:
    """Read one of the choices of options, with the classes of the acts by their names."""
    return Offer(*_CHOICE.read(parsed)).choice(acts)


@cached_reader
def _read_plain(parsed: ask_pb2.Options) -> tuple[Any, ...]:
    return tuple([offer.plain() for offer in read_offers(parsed)])


#: Options as a field, in their plain form.
options = one(write_options, _read_plain)
