"""The components of classic Dune for the catalog: every value of its content files, and how sure we are of it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from landsraad_engine import content
from landsraad_engine.content.layers import Certainty
from landsraad_engine.content.parts import Component, parts
from landsraad_engine.dune.board import PROVENANCE

#: By beginnings of keys, the more special one first: the kind of fact in the board file's table of certainties.
_KINDS: Final[Mapping[str, str]] = {
    "special.ornithopter_range": "ornithopter_range",
    "special": "special",
    "storm": "storm",
    "border": "borders",
    "territory": "territories",
}


def components() -> Iterator[Component]:
    """Every value of the board, the decks, the leaders and the starting positions."""
    for name in ("dune_board", "dune_decks"):
        for table, rows in content.load(name, dict[str, Any]).items():
            if table != "provenance":
                for key, row in _rows(table, rows):
                    for value in parts(key, row, "certain", f"{name}.toml"):
                        yield value._replace(certainty=_certainty(value.key)) if name == "dune_board" else value


def _rows(table: str, rows: Any) -> Iterator[tuple[str, Any]]:
    """Rows by their id where they have one: `territory.arrakeen`, not its place in the file."""
    if isinstance(rows, list) and all("id" in row for row in rows):
        yield from ((f"{table}.{row['id']}", {key: row[key] for key in row if key != "id"}) for row in rows)
    else:
        yield table, rows


def _certainty(key: str) -> Certainty:
    return PROVENANCE[next(kind for start, kind in _KINDS.items() if key.startswith(start))]
