"""The types that fields of acts can have, and their form on the wire."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from landsraad_engine.kernel.grammar import Act

from . import fields
from .fields import Kind


class UnsuitableAnnotation(TypeError):
    """An act, or a field of one, has no form on the wire."""


def defaults_of(act: type[Act]) -> dict[str, Any]:
    """Return the defaults of the fields that have one."""
    names, defaults = act.__struct_fields__, act.__struct_defaults__
    return dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))


def kinds_of(act: type[Act]) -> dict[str, Kind]:
    """Return the kind of each field of an act, in their order."""
    hints = get_type_hints(act)
    defaults = defaults_of(act)
    kinds = {}
    for name in act.__struct_fields__:
        annotation = hints[name]
        if defaults.get(name):
            annotation |= None  # only an optional field tells "left out" from 0 and ""
        kind = kind_of(annotation)
        if kind is None:
            raise UnsuitableAnnotation(f"{act.__name__}.{name} is {hints[name]}, for which the wire has no field")
        kinds[name] = kind
    return kinds


def kind_of(annotation: Any) -> Kind | None:
    """Return the kind of field for a type; None if there is none."""
    if get_origin(annotation) is tuple:
        # tuple[int, ...] or tuple[int, int, int]: the engine checks the length.
        listed = {frozenset({int}): fields.numbers, frozenset({str}): fields.texts}
        return listed.get(frozenset(get_args(annotation)) - {Ellipsis})
    if get_origin(annotation) in (Union, UnionType):
        either = {
            frozenset({int, NoneType}): fields.maybe_number,
            frozenset({str, NoneType}): fields.maybe_text,
            frozenset({int, str, NoneType}): fields.number_or_text,
        }
        return either.get(frozenset(get_args(annotation)))
    return {int: fields.number, str: fields.text, bool: fields.flag}.get(annotation)
