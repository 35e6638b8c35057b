"""Cell map: the file that names all cells of a service, the same for every one of them.

    [c1]
    address = "c1.example.org:443"
    peer = "landsraad-c1:7447"

    [c2]
    address = "c2.example.org:443"
    peer = "landsraad-c2:7447"

`address` is told to clients; `peer` is where workers of other cells ask for lists (by default the same), and `ca` the
authority that has signed its certificate, if the cells use TLS. Matches whose ids name no cell belong to the first one.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from landsraad.errors import BadAddress
from landsraad.transport import check_address
from landsraad.wire.match_names import CELL
from landsraad_server.store.errors import SetupError

_CELL: Final = re.compile(CELL, re.ASCII)


class CellAddress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The addresses of one cell."""

    #: where clients reach it
    address: str
    #: where workers of other cells reach it; empty: at `address`
    peer: str = ""
    #: file of the authority to trust there; empty: those of the system
    ca: str = ""


class CellMap(NamedTuple):
    """All cells, in the order of the file, and the one that this process belongs to."""

    own: str
    cells: dict[str, CellAddress]

    @property
    def first(self) -> str:
        """Return the cell of the matches whose ids name none."""
        return next(iter(self.cells))

    @property
    def others(self) -> list[str]:
        """Return all cells but the own one."""
        return [cell for cell in self.cells if cell != self.own]


def read_cell_map(path: Path, own: str) -> CellMap:
    """Read the map from a file.

    Raises:
        SetupError: The file cannot be used, or does not name the own cell.
    """
    try:
        cells = msgspec.convert(tomllib.loads(path.read_text()), dict[str, CellAddress])
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise SetupError(f"{path} is not a map of cells: {error}") from None
    for name, cell in cells.items():
        if not _CELL.fullmatch(name):
            raise SetupError(f"{path}: {name!r} cannot be a cell; write a lower-case letter and up to 7 more or digits")
        for address in filter(None, (cell.address, cell.peer)):
            try:
                check_address(address)
            except BadAddress as error:
                raise SetupError(f"{path}: {name}: {error}") from None
        if not cell.address:
            raise SetupError(f"{path}: {name} has no address")
    addresses = [cell.address for cell in cells.values()]
    if len(set(addresses)) < len(addresses) and not all(cell.peer for cell in cells.values()):
        raise SetupError(f"{path}: cells behind one address need a `peer` each, at which their workers are reached")
    if own not in cells:
        raise SetupError(f"{path} has no cell {own!r}; it has: {', '.join(cells) or 'none'}")
    return CellMap(own, cells)
