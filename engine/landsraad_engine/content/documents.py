"""A content file, read with the line of every key, so that an error can say where it is.

`tomllib` gives values without lines. The text that it has accepted is walked a second time here, by a scanner that needs
to know no more of TOML than where keys and values begin and end.
"""

import re
import tomllib
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeAlias

from landsraad_engine.errors import BadContent

Path: TypeAlias = tuple[str | int, ...]

_STRINGS: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\])*"|\'[^\']*\'',
    re.DOTALL,
)
_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE: Final = re.compile(r"[^,\]}#\r\n]+")


@dataclass(frozen=True, slots=True)
class Document:
    """One file: its values, and the line on which each key or list entry stands."""

    source: str
    data: dict[str, Any]
    lines: dict[Path, int]

    def line(self, path: Path) -> int:
        """The line of a key, or of the nearest key around it that was written."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 1)


def read(text: str, source: str) -> Document:
    """The document in `text`; `source` is the name that errors use for it."""
    try:
        data = tomllib.loads(text, parse_float=_no_floats)
    except ValueError as error:
        raise BadContent(f"{source}: not a TOML file of whole figures: {error}") from error
    return Document(source, data, _Scanner(text).lines)


def written(path: Path) -> str:
    """A path as one would write it: `leader.alia.special[0].count`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def _no_floats(figure: str) -> NoReturn:
    """Rules never touch a float, so that the same inputs give the same bytes on every machine."""
    raise ValueError(f"{figure} is not a whole number")


class _Scanner:
    """Walks text that is known to be valid TOML and notes the line of each key and of each entry of a list."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._text = text
        self._at = 0
        self._line = 1
        self._entries: dict[Path, int] = {}  # how many [[headers]] of one name there have been
        self._document()

    def _document(self) -> None:
        table: Path = ()
        self._take(_BLANK)
        while self._at < len(self._text):
            if self._sees("[["):
                table = self._header("[[", "]]", new_entry=True)
            elif self._sees("["):
                table = self._header("[", "]", new_entry=False)
            else:
                self._pair(table)
            self._take(_BLANK)

    def _header(self, opening: str, closing: str, *, new_entry: bool) -> Path:
        line = self._line
        self._skip(opening)
        keys = self._keys()
        self._skip(closing)
        path: Path = ()
        for depth, key in enumerate(keys, start=1):
            path += (key,)
            if new_entry and depth == len(keys):
                self._entries[path] = self._entries.get(path, 0) + 1
            if path in self._entries:
                path += (self._entries[path] - 1,)
            self.lines.setdefault(path, line)
        return path

    def _pair(self, table: Path) -> None:
        line = self._line
        path = table
        for key in self._keys():
            path += (key,)
            self.lines.setdefault(path, line)
        self._skip("=")
        self._value(path)

    def _value(self, path: Path) -> None:
        if self._sees("["):
            self._skip("[")
            entry = 0
            while not self._sees("]"):
                self.lines[(*path, entry)] = self._line
                self._value((*path, entry))
                entry += 1
                self._comma()
            self._skip("]")
        elif self._sees("{"):
            self._skip("{")
            while not self._sees("}"):
                self._pair(path)
                self._comma()
            self._skip("}")
        else:
            self._take(_STRINGS if self._sees('"') or self._sees("'") else _BARE_VALUE)

    def _keys(self) -> list[str]:
        keys = []
        while True:
            if self._sees('"') or self._sees("'"):
                keys.append(str(tomllib.loads(f"key = {self._take(_STRINGS)}")["key"]))
            else:
                keys.append(self._take(_BARE_KEY))
            self._take(_BLANK)
            if not self._sees("."):
                return keys
            self._skip(".")

    def _comma(self) -> None:
        self._take(_BLANK)
        if self._sees(","):
            self._skip(",")

    def _sees(self, mark: str) -> bool:
        return self._text.startswith(mark, self._at)

    def _skip(self, mark: str) -> None:
        """Over a mark and the blanks after it; after a header or a value those may contain line ends, which is fine."""
        self._at += len(mark)
        self._take(_BLANK)

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        taken = found.group() if found else ""
        self._at += len(taken)
        self._line += taken.count("\n")
        return taken
