"""Does a content file say only what the types of its rows allow? If not: on which line, and what would be allowed.

msgspec could convert the rows and complain by itself, but it stops at the first error, cannot name the line, and does
not tell the author what to write instead. So the same type descriptions are walked here.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import inspect

from landsraad_engine.content.documents import KeyPath
from landsraad_engine.content.layers import LayeredRow, LayerStack

#: A longer list of names would bury the error.
_LONG_LIST: Final = 40
_NOTHING: Final = '""'

FieldComplaint: TypeAlias = tuple[KeyPath, str]
KnownIds: TypeAlias = Mapping[str, Collection[str]]


def named(kind: str) -> Any:
    """The type of a field that holds the id of a row of that kind: `Annotated[str, named("leader")]`."""
    return msgspec.Meta(extra={"names": kind})


def check(stack: LayerStack, names: KnownIds) -> None:
    """Add to `stack.problems` every value that its type does not allow, and every field that is missing.

    `names` gives, for each kind of reference, the ids that exist.
    """
    for name, table in stack.tables.items():
        described = inspect.type_info(table.row)
        assert isinstance(described, inspect.StructType)
        fields = {field.encode_name: field for field in described.fields if field.encode_name != "id"}
        if not table.keyed and not stack.rows[name]:
            raise LookupError(f"no file has the table [{name}]")
        for row in stack.rows[name].values():
            _check_row(stack, row, fields, names)


def _check_row(stack: LayerStack, row: LayeredRow, fields: Mapping[str, inspect.Field], names: KnownIds) -> None:
    for key, value in row.fields.items():
        if key not in fields:
            stack.problem(value.document, value.path, f"no such field; there is {', '.join(fields)}")
            continue
        for path, complaint in _complaints(value.value, fields[key].type, names):
            stack.problem(value.document, value.path + path, complaint)
    missing = [key for key, field in fields.items() if field.required and key not in row.fields]
    if missing:
        stack.problem(row.document, row.path, f"lacks {', '.join(missing)}")


# ---- One value against one type ----


def _complaints(value: Any, type_: inspect.Type, names: KnownIds) -> Iterator[FieldComplaint]:
    match type_:
        case inspect.Metadata(extra=extra) if extra and "names" in extra:
            known = names[extra["names"]]
            if not _is_text(value) or value not in known:
                yield (), f"{_shown(value)} is not {_a(extra['names'])}; {_listed(value, known)}"
        case inspect.VarTupleType(item, least, most):
            if not isinstance(value, list) or not (least or 0) <= len(value) <= (most or len(value)):
                yield (), _must_be(value, type_)
            else:
                for entry, part in enumerate(value):
                    yield from (((entry, *path), text) for path, text in _complaints(part, item, names))
        case inspect.StructType():
            yield from _struct_complaints(value, type_, names)
        case inspect.UnionType(types):
            yield from _union_complaints(value, types, names)
        case _ if not _SIMPLE[type(type_)](value, type_):
            yield (), _must_be(value, type_)


def _struct_complaints(value: Any, type_: inspect.StructType, names: KnownIds) -> Iterator[FieldComplaint]:
    if not isinstance(value, dict):
        yield (), _must_be(value, type_)
        return
    fields = {field.encode_name: field for field in type_.fields}
    for key, part in value.items():
        if key == type_.tag_field:
            continue
        if key not in fields:
            yield (key,), f"no such argument; there is {', '.join(fields) or 'none'}"
        else:
            yield from (((key, *path), text) for path, text in _complaints(part, fields[key].type, names))
    missing = [key for key, field in fields.items() if field.required and key not in value]
    if missing:
        yield (), f"lacks {', '.join(missing)}"


def _union_complaints(value: Any, types: tuple[inspect.Type, ...], names: KnownIds) -> Iterator[FieldComplaint]:
    """A union of our files is one of several tagged tables: `{ op = "draw_cards", count = 2 }`."""
    tagged = {str(type_.tag): type_ for type_ in types if isinstance(type_, inspect.StructType)}
    tag_field = next(iter(tagged.values())).tag_field or ""
    if not isinstance(value, dict) or tag_field not in value:
        yield (), f"must be a table with {tag_field} = one of {', '.join(tagged)}"
    elif not _is_text(value[tag_field]) or value[tag_field] not in tagged:
        yield (tag_field,), f"{_shown(value[tag_field])} is not allowed here; one of {', '.join(tagged)}"
    else:
        yield from _struct_complaints(value, tagged[value[tag_field]], names)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_figure(value: Any, type_: inspect.IntType) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and (type_.ge is None or value >= type_.ge) and (type_.le is None or value <= type_.le)


_SIMPLE: Final[Mapping[type, Callable[[Any, Any], bool]]] = {
    inspect.IntType: _is_figure,
    inspect.BoolType: lambda value, _: isinstance(value, bool),
    inspect.StrType: lambda value, _: _is_text(value),
    inspect.LiteralType: lambda value, type_: _is_text(value) and value in type_.values,
}


# ---- Saying what is allowed ----


def _must_be(value: Any, type_: inspect.Type) -> str:
    return f"{_shown(value)} is not allowed; {allowed(type_)}"


def _listed(value: Any, known: Collection[str]) -> str:
    """All there is to refer to; of a long list, what is nearest to the value."""
    if len(known) <= _LONG_LIST:
        return f"there is {', '.join(name or _NOTHING for name in known)}"
    near = get_close_matches(str(value), known, n=5, cutoff=0.3)
    return f"there are {len(known)}" + (f", the nearest {', '.join(near)}" if near else "")


def allowed(type_: inspect.Type) -> str:
    """Return what a value of this type may be, in words."""
    match type_:
        case inspect.Metadata(extra=extra) if extra and "names" in extra:
            return f"the id of {_a(extra['names'])}"
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values):
            return f"one of {', '.join(str(value) or _NOTHING for value in values)}"
        case inspect.VarTupleType(item, least, most):
            size = f"{least or 0} to {most} entries, " if most else "at least one entry, " if least else ""
            return f"a list of {size}each {allowed(item)}"
        case inspect.StructType(fields=fields):
            return f"a table of {', '.join(field.encode_name for field in fields)}"
        case inspect.UnionType(types):
            return " or ".join(allowed(each) for each in types)
        case _:
            return "text"


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _shown(value: Any) -> str:
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
