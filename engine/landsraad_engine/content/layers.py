"""Component values in layers: later files change what earlier ones say, and every value remembers where it comes from.

The printed facts, our stand-ins for what is not public, the overlay of an edition and an operator's own file are all
the same kind of file:

```toml
provenance = "likely"                 # how sure this file is of its values, unless a row says otherwise

[leader.alia]                         # a row of a collection; a later layer changes single fields of it
box = "house"
special = [{ op = "desert_power" }]
provenance_of = { box = "certain" }   # ... or a single field says otherwise

[prescience_card]
remove = ["razzia"]                   # rows that this layer takes out
```

`provenance` and `provenance_of` of a collection hold for all rows of it in the file. A field is replaced whole, lists
and inline tables included. What no file says has the default of its type, which always means "none of it".
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

from landsraad_engine.content.documents import Document, KeyPath, Problem, written

Certainty: TypeAlias = Literal["certain", "likely", "inferred", "reconstructed"]
CERTAINTIES: Final[tuple[Certainty, ...]] = get_args(Certainty)

#: Table, row id ("" where the table is a single row) and field ("" for the row as a whole) of a value.
ValueKey: TypeAlias = tuple[str, str, str]

#: Keys that speak about values instead of being some.
_ABOUT_VALUES: Final = frozenset({"provenance", "provenance_of"})
_ID: Final = re.compile(r"[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class TableSpec:
    """One top-level table of the files: a single row, or a collection of rows by id, all of one type."""

    row: type[msgspec.Struct]
    keyed: bool = True
    #: May an operator's file add rows and take rows out? (Not where the rules know every row by name.)
    open: bool = False


@dataclass(frozen=True, slots=True)
class Layer:
    """A file together with what it may do: only our own files may add or remove rows of every collection."""

    document: Document
    own: bool = True


@dataclass(frozen=True, slots=True)
class LayeredValue:
    """The value of a field with its certainty and the file that says it."""

    value: Any
    certainty: Certainty
    document: Document
    path: KeyPath

    @property
    def line(self) -> int:
        return self.document.line(self.path)


@dataclass(slots=True)
class LayeredRow:
    """The fields of one row, each from the last layer that names it."""

    document: Document
    path: KeyPath
    fields: dict[str, LayeredValue] = field(default_factory=dict)


@dataclass(slots=True)
class LayerStack:
    """All layers put together: table name -> row id ("" where the table is a single row) -> row."""

    tables: Mapping[str, TableSpec]
    rows: dict[str, dict[str, LayeredRow]] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)
    last: dict[str, Document] = field(default_factory=dict)  # the last file that says something on a table
    problems: list[Problem] = field(default_factory=list)

    def problem(self, document: Document, path: KeyPath, message: str) -> None:
        self.problems.append(Problem(document.source, document.line(path), written(path), message))

    def values(self) -> Iterator[tuple[KeyPath, LayeredValue]]:
        """Every value with its key, in the order of the tables and files."""
        for name, rows in self.rows.items():
            for id_, row in rows.items():
                for key, value in row.fields.items():
                    yield (name, id_, key) if id_ else (name, key), value

    def plain(self) -> dict[str, Any]:
        """The values alone, nested as in the files, each row of a collection with its id."""
        bare: dict[str, Any] = {}
        for name, table in self.tables.items():
            rows = {
                id_: {key: value.value for key, value in row.fields.items()} for id_, row in self.rows[name].items()
            }
            bare[name] = {id_: {"id": id_, **row} for id_, row in rows.items()} if table.keyed else rows[""]
        return bare

    def complain(self, places: Iterable[ValueKey], message: str) -> None:
        """Report what these places together have wrong, at the one that the last file wrote."""
        written_at = [at for place in places for at in self._written(*place)]
        document, path = max(written_at, key=lambda at: self.documents.index(at[0]))
        self.problem(document, path, message)

    def _written(self, table: str, id_: str, key: str) -> Iterator[tuple[Document, KeyPath]]:
        """Find where a value was written; if no file says it, or no key is given, its row, or else the table."""
        row = self.rows[table].get(id_)
        if row is None:
            yield self.last[table], (table,)
        elif key in row.fields:
            yield row.fields[key].document, row.fields[key].path
        else:
            yield from ((value.document, row.path) for value in row.fields.values())


def stack(tables: Mapping[str, TableSpec], layers: Iterable[Layer]) -> LayerStack:
    """Lay the files on top of each other. What does not fit is reported in `problems`, not raised."""
    result = LayerStack(tables, {name: {} for name in tables})
    for layer in layers:
        result.documents.append(layer.document)
        _Laying(result, layer).lay()
    return result


@dataclass(frozen=True, slots=True)
class _Sureness:
    """The certainty of a file, a collection or a row, and of the fields that differ from it."""

    otherwise: Certainty
    apart: Mapping[str, Certainty]

    def of(self, key: str) -> Certainty:
        return self.apart.get(key, self.otherwise)


class _Laying:
    """Puts one layer on top of a stack."""

    def __init__(self, stack: LayerStack, layer: Layer) -> None:
        self._stack = stack
        self._layer = layer
        self._document = layer.document

    def lay(self) -> None:
        data = self._document.data
        if "provenance" not in data:
            self._problem((), f"the file must say provenance = one of {', '.join(CERTAINTIES)}")
        sureness = self._sureness(data, (), _Sureness("reconstructed", {}))
        for name, content in data.items():
            table = self._stack.tables.get(name)
            if name in _ABOUT_VALUES:
                continue
            if table is None:
                self._problem((name,), f"no such table; there is {', '.join(self._stack.tables)}")
            elif self._is_table(content, (name,)):
                self._stack.last[name] = self._document
                if table.keyed:
                    self._collection(name, table, content, sureness)
                else:
                    self._row(self._stack.rows[name], "", content, (name,), sureness)

    def _collection(self, name: str, table: TableSpec, content: dict[str, Any], outer: _Sureness) -> None:
        rows = self._stack.rows[name]
        sureness = self._sureness(content, (name,), outer)
        may_add = self._layer.own or table.open
        for id_, row in content.items():
            path = (name, id_)
            if id_ == "remove":
                self._remove(rows, row, path, allowed=may_add)
            elif id_ in _ABOUT_VALUES:
                continue
            elif id_ not in rows and not may_add:
                self._problem(path, f"no such row; there is {', '.join(rows)}")
            elif not _ID.fullmatch(id_):
                self._problem(path, "a row's name is made of small letters, digits and _")
            elif self._is_table(row, path):
                self._row(rows, id_, row, path, sureness)

    def _remove(self, rows: dict[str, LayeredRow], ids: Any, path: KeyPath, *, allowed: bool) -> None:
        if not allowed:
            self._problem(path, "rows of this table can be changed, but not removed")
        elif not isinstance(ids, list):
            self._problem(path, "must be a list of row names")
        else:
            for entry, id_ in enumerate(ids):
                if isinstance(id_, str) and id_ in rows:
                    del rows[id_]
                else:
                    self._problem((*path, entry), f"no such row {id_!r}; there is {', '.join(rows)}")

    def _row(
        self, rows: dict[str, LayeredRow], id_: str, content: dict[str, Any], path: KeyPath, outer: _Sureness
    ) -> None:
        row = rows.setdefault(id_, LayeredRow(self._document, path))
        sureness = self._sureness(content, path, outer)
        for key, value in content.items():
            if key not in _ABOUT_VALUES:
                row.fields[key] = LayeredValue(value, sureness.of(key), self._document, (*path, key))

    def _sureness(self, content: dict[str, Any], path: KeyPath, outer: _Sureness) -> _Sureness:
        """Return the certainty said nearest to a value: by its row, then the collection, then the file."""
        said = content.get("provenance", outer.otherwise)
        apart = content.get("provenance_of", {})
        if not isinstance(apart, dict):
            self._problem((*path, "provenance_of"), "must be a table: field = certainty")
            apart = {}
        for key, level in ({"provenance": said} | apart).items():
            if level not in CERTAINTIES:
                at = ("provenance_of", key) if key in apart else (key,)
                self._problem((*path, *at), f"{level!r} is not allowed; one of {', '.join(CERTAINTIES)}")
                return outer
        return _Sureness(said, apart if "provenance" in content else {**outer.apart, **apart})

    def _is_table(self, content: Any, path: KeyPath) -> bool:
        if not isinstance(content, dict):
            self._problem(path, "must be a table")
        return isinstance(content, dict)

    def _problem(self, path: KeyPath, message: str) -> None:
        self._stack.problem(self._document, path, message)
