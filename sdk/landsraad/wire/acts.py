"""Acts on the wire: typed for the games of this project, by names and values for all others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from landsraad.v1 import act_pb2, value_pb2
from landsraad_engine.errors import Refused
from landsraad_engine.kernel.grammar import Act

from .annotations import UnsuitableAnnotation, defaults_of, kinds_of
from .fields import framed, tag, text
from .records import Record, Variant, inner, many
from .values import value

_ACT = act_pb2.Act.DESCRIPTOR
GENERIC = "generic"


class ActCodec:
    """The acts of one game, both ways. What a client sends and is none of them is Refused as malformed."""

    def __init__(self, game: str, acts: Iterable[type[Act]]) -> None:
        self.game = game
        self.acts: Mapping[str, type[Act]] = {act.__name__: act for act in acts}
        typed = game in _ACT.fields_by_name and game != GENERIC
        self._forms: _Typed | _Generic = _Typed(game, self.acts) if typed else _Generic(self.acts)

    def write(self, plain: tuple[Any, ...]) -> bytes:
        """The bytes of an act in its plain form: its name, then its fields."""
        return self._forms.write(plain)

    def read_plain(self, parsed: act_pb2.Act) -> tuple[Any, ...]:
        """The plain form of an act that the service has sent."""
        act = self.read(parsed)
        return (type(act).__name__, *[getattr(act, name) for name in act.__struct_fields__])

    def read(self, parsed: act_pb2.Act) -> Act:
        """The act; Refused says what is wrong with it."""
        game = parsed.WhichOneof("game")
        if game != self._forms.name:
            found = f"an act in {game!r}" if game else "no act"
            raise Refused("malformed", f"{found}: an act of {self.game} stands in {self._forms.name!r}")
        name, given = self._forms.read(getattr(parsed, self._forms.name))
        kind = self.acts.get(name)
        if kind is None:
            raise Refused("malformed", f"{self.game} has no act {name!r}" if name else "no act")
        return made(given, kind)


def made(given: dict[str, Any], kind: type[Act]) -> Act:
    """An act of fields that anybody may have filled in; Refused says which one holds what it cannot hold."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as problem:
        field = re.search(r"\$\.(\w+)", str(problem))
        raise Refused("malformed", f"{kind.__name__}: {problem}", field=field[1] if field else "") from None


class _Typed:
    """A message for each act, in the game's own package."""

    def __init__(self, game: str, acts: Mapping[str, type[Act]]) -> None:
        self.name = game
        self._mark = tag(_ACT, game)
        wrapper = inner(_ACT, game)
        fields = {inner(wrapper, name).name: name for name in wrapper.fields_by_name}
        missing = [name for name in acts if name not in fields]
        if missing:
            raise UnsuitableAnnotation(f"{game} has acts without a message ({', '.join(missing)}): run `make proto`")
        self._variants = {name: Variant(wrapper, fields[name], kinds_of(act)) for name, act in acts.items()}
        # Left out on the wire: the engine knows what that stands for.
        self._defaults = {fields[name]: frozenset(defaults_of(act)) for name, act in acts.items()}
        self._names = {fields[name]: name for name in acts}

    def write(self, plain: tuple[Any, ...]) -> bytes:
        return framed(self._mark, self._variants[plain[0]].write(plain[1:]))

    def read(self, parsed: Any) -> tuple[str, dict[str, Any]]:
        called = parsed.WhichOneof("act")
        if called not in self._names:
            return called or "", {}
        name = self._names[called]
        record = self._variants[name].record
        defaults = self._defaults[called]
        read = zip(record.names, record.read(getattr(parsed, called)), strict=True)
        return name, {field: given for field, given in read if given is not None or field not in defaults}


#: A name with its value.
NAMED = Record(value_pb2.NamedValue.DESCRIPTOR, {"name": text, "value": value})


class _Generic:
    """The act's name, and its fields by name."""

    name = GENERIC

    def __init__(self, acts: Mapping[str, type[Act]]) -> None:
        self._fields = {name: act.__struct_fields__ for name, act in acts.items()}
        self._variant = Variant(_ACT, GENERIC, {"name": text, "fields": many(NAMED.write, NAMED.read)})

    def write(self, plain: tuple[Any, ...]) -> bytes:
        named = list(zip(self._fields[plain[0]], plain[1:], strict=True))
        return self._variant.write((plain[0], named))

    def read(self, parsed: Any) -> tuple[str, dict[str, Any]]:
        name, named = self._variant.record.read(parsed)
        given: dict[str, Any] = {}
        for field, said in named if name in self._fields else ():
            if field in given or field not in self._fields[name]:
                fault = "is there twice" if field in given else f"is no field of {name}"
                raise Refused("malformed", f"{field!r} {fault}", field=field)
            given[field] = said
        return name, given
