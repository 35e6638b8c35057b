"""A content file, read with the line of every key, so that an error can say where it is.

`tomllib` gives values without lines. The text that it has accepted is walked a second time here, by a scanner that
needs to know no more of TOML than where keys and values begin and end.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path as FilePath
from typing import Any, Final, TypeAlias

from landsraad_engine.errors import BadContent

KeyPath: TypeAlias = tuple[str | int, ...]

#: What `tomllib` says about the place of a syntax error; without it, the error is at the end of the file.
_AT_LINE: Final = re.compile(r"at line (\d+)")

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
    lines: dict[KeyPath, int]

    def line(self, path: KeyPath) -> int:
        """The line of a key, or of the nearest key around it that was written."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 1)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a content file."""

    source: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        key = f"{self.key}: " if self.key else ""
        return f"{self.source}:{self.line}: {key}{self.message}"


class ContentProblems(BadContent):
    """Everything that is wrong with the content files, in one go."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: (problem.source, problem.line)))
        super().__init__("\n".join(map(str, self.problems)))


def read(text: str, source: str) -> Document:
    """The document in `text`; `source` is the name that errors use for it.

    Figures with a point become decimals, so that no rule can meet a float; no field of ours allows them.
    """
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        line = _AT_LINE.search(str(error))
        where = int(line.group(1)) if line else text.count("\n") + 1
        raise ContentProblems([Problem(source, where, "", f"not valid TOML: {error}")]) from error
    return Document(source, data, _Scanner(text).lines)


def read_file(path: FilePath) -> Document:
    """The document in a file."""
    try:
        return read(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise ContentProblems([Problem(str(path), 1, "", "not a text in UTF-8")]) from error


def written(path: KeyPath) -> str:
    """A path as one would write it: `leader.alia.special[0].count`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


class _Scanner:
    """Walks text that is known to be valid TOML and notes the line of each key and of each entry of a list."""

    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._text = text
        self._at = 0
        self._line = 1
        self._entries: dict[KeyPath, int] = {}  # how many [[headers]] of one name there have been
        self._document()

    def _document(self) -> None:
        table: KeyPath = ()
        self._take(_BLANK)
        while self._at < len(self._text):
            if self._sees("[["):
                table = self._header("[[", "]]", new_entry=True)
            elif self._sees("["):
                table = self._header("[", "]", new_entry=False)
            else:
                self._pair(table)
            self._take(_BLANK)

    def _header(self, opening: str, closing: str, *, new_entry: bool) -> KeyPath:
        line = self._line
        self._skip(opening)
        keys = self._keys()
        self._skip(closing)
        path: KeyPath = ()
        for depth, key in enumerate(keys, start=1):
            path += (key,)
            if new_entry and depth == len(keys):
                self._entries[path] = self._entries.get(path, 0) + 1
            if path in self._entries:
                path += (self._entries[path] - 1,)
            self.lines.setdefault(path, line)
        return path

    def _pair(self, table: KeyPath) -> None:
        line = self._line
        path = table
        for key in self._keys():
            path += (key,)
            self.lines.setdefault(path, line)
        self._skip("=")
        self._value(path)

    def _value(self, path: KeyPath) -> None:
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
