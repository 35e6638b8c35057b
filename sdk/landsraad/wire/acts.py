"""Acts on the wire: typed messages for the games of this project; names and values for every game."""

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
    """The acts of one game, both ways. An act that does not belong to the game is Refused as malformed."""

    def __init__(self, game: str, acts: Iterable[type[Act]]) -> None:
        self.game = game
        self.acts: Mapping[str, type[Act]] = {act.__name__: act for act in acts}
        typed = game in _ACT.fields_by_name and game != GENERIC
        self._generic = _Generic(self.acts)
        #: the form in which acts are written; clients may use the generic one as well
        self._forms: _Typed | _Generic = _Typed(game, self.acts) if typed else self._generic

    def write(self, plain: tuple[Any, ...]) -> bytes:
        """Write an act in its plain form: its name, then its fields."""
        return self._forms.write(plain)

    def read_plain(self, parsed: act_pb2.Act) -> tuple[Any, ...]:
        """Read an act that the service has sent, in its plain form."""
        act = self.read(parsed)
        return (type(act).__name__, *[getattr(act, name) for name in act.__struct_fields__])

    def read(self, parsed: act_pb2.Act) -> Act:
        """Read an act.

        Raises:
            Refused: The message is not an act of this game, with the reason "malformed".
        """
        game = parsed.WhichOneof("game")
        forms = self._generic if game == GENERIC else self._forms
        if game != forms.name:
            found = f"an act in {game!r}" if game else "no act"
            raise Refused("malformed", f"{found}: an act of {self.game} belongs in {forms.name!r} or {GENERIC!r}")
        name, given = forms.read(getattr(parsed, forms.name))
        kind = self.acts.get(name)
        if kind is None:
            raise Refused("malformed", f"{self.game} has no act {name!r}" if name else "no act")
        return convert_act(given, kind)


def convert_act(given: dict[str, Any], kind: type[Act]) -> Act:
    """Build an act from unchecked fields.

    Raises:
        Refused: A field has a value of the wrong type, with the reason "malformed".
    """
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as problem:
        field = re.search(r"\$\.(\w+)", str(problem))
        raise Refused("malformed", f"{kind.__name__}: {problem}", field=field[1] if field else "") from None


class _Typed:
    """A message for each act, in the package of the game."""

    def __init__(self, game: str, acts: Mapping[str, type[Act]]) -> None:
        self.name = game
        self._mark = tag(_ACT, game)
        wrapper = inner(_ACT, game)
        fields = {inner(wrapper, name).name: name for name in wrapper.fields_by_name}
        missing = [name for name in acts if name not in fields]
        if missing:
            raise UnsuitableAnnotation(f"{game} has acts without a message ({', '.join(missing)}): run `make proto`")
        self._variants = {name: Variant(wrapper, fields[name], kinds_of(act)) for name, act in acts.items()}
        # Defaults are left out on the wire: the engine fills them in.
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


#: A name and its value.
NAMED = Record(value_pb2.NamedValue.DESCRIPTOR, {"name": text, "value": value})


class _Generic:
    """The name of the act, and its fields by name."""

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
                fault = "appears twice" if field in given else f"is not a field of {name}"
                raise Refused("malformed", f"{field!r} {fault}", field=field)
            given[field] = said
        return name, given
