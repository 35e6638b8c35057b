"""Generate the typed acts of the protocol from the engine's: proto/landsraad/GAME/v1/acts.proto.

    python tools/gen_acts.py [--check | --renumber]

Each act becomes a message with the act's docstring as its comment. A field's comment is the one at the end of its line
in the engine, else its entry in tools/act_fields.toml. Field numbers never change: the script reads them from the
existing file, numbers new fields after the highest one, and reserves the numbers of removed fields.

--renumber closes all gaps and drops what is reserved. It breaks every client, so it is for the time before a protocol
is published, or for a new package.
"""

import inspect
import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from landsraad.wire import annotations, fields
from landsraad.wire.fields import Kind
from landsraad_engine.kernel.grammar import Act

ROOT = Path(__file__).resolve().parent.parent
GAMES = {"dune": "Classic Dune", "arrakis": "Dune: War for Arrakis"}
MEANINGS = tomllib.loads((ROOT / "tools" / "act_fields.toml").read_text())

#: Kind of field -> its declarations as (type, suffix of the name); a oneof has two.
DECLARED: Mapping[Kind, tuple[tuple[str, str], ...]] = {
    fields.text: (("string", ""),),
    fields.maybe_text: (("optional string", ""),),
    fields.number: (("int32", ""),),
    fields.maybe_number: (("optional int32", ""),),
    fields.flag: (("bool", ""),),
    fields.texts: (("repeated string", ""),),
    fields.numbers: (("repeated int32", ""),),
    fields.number_or_text: (("int32", "_number"), ("string", "_text")),
}
#: The comment of a field that is explained nowhere.
UNEXPLAINED = "See the message."

_MESSAGE = re.compile(r"^message (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^ +((?:optional |repeated )?[\w.]+) (\w+) = (\d+);", re.MULTILINE)
_RESERVED = re.compile(r"^ +reserved (.*);", re.MULTILINE)


@dataclass
class Numbering:
    """The field numbers of one message, present and past."""

    taken: dict[tuple[str, str], int] = field(default_factory=dict)  # (name, type) -> number
    removed: set[int] = field(default_factory=set)
    removed_names: set[str] = field(default_factory=set)
    used: set[tuple[str, str]] = field(default_factory=set)

    def number(self, name: str, declared: str) -> int:
        """Return the number of a field: its old one, or the next free one."""
        key = (name, declared)
        self.used.add(key)
        if key not in self.taken:
            self.taken[key] = max([0, *self.taken.values(), *self.removed]) + 1
        return self.taken[key]

    def reserved(self) -> Iterator[str]:
        """Yield the lines that reserve the numbers and names of removed fields."""
        unused = self.taken.keys() - self.used
        names = {name for name, _ in self.used}
        numbers = sorted(self.removed | {self.taken[key] for key in unused})
        removed = sorted((self.removed_names | {name for name, _ in unused}) - names)
        if numbers:
            yield f"  reserved {', '.join(map(str, numbers))};"
        if removed:
            quoted = ", ".join(f'"{name}"' for name in removed)
            yield f"  reserved {quoted};"


def numberings(text: str) -> dict[str, Numbering]:
    """Read the field numbers of every message in a file."""
    found = {}
    for message in _MESSAGE.finditer(text):
        kept = Numbering()
        for declared, name, number in _FIELD.findall(message[2]):
            kept.taken[name, declared] = int(number)
        for listed in _RESERVED.findall(message[2]):
            for item in listed.split(", "):
                if item.startswith('"'):
                    kept.removed_names.add(item.strip('"'))
                else:
                    kept.removed.add(int(item))
        found[message[1]] = kept
    return found


def acts_of(game: str) -> list[type[Act]]:
    """Return all acts of a game in the order of its module."""
    module = import_module(f"landsraad_engine.{game}.acts")
    return [
        kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Act) and kind is not Act
    ]


def file_text(game: str, before: str) -> str:
    """Return the file of one game, with the numbers of the file before."""
    acts = acts_of(game)
    kept = numberings(before)
    wrapper = f"{game.capitalize()}Act"
    head = f"""\
// Acts of {GAMES[game]}: what a player sends. Which are legal, and with which values, the open question says.
//
// Made from landsraad_engine.{game}.acts by tools/gen_acts.py; do not edit.
syntax = "proto3";

package landsraad.{game}.v1;
"""
    parts = [head, "\n".join(_wrapper(wrapper, acts, kept.get(wrapper, Numbering())))]
    parts += ["\n".join(_message(act, kept.get(act.__name__, Numbering()), MEANINGS[game])) for act in acts]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _wrapper(name: str, acts: list[type[Act]], numbers: Numbering) -> Iterator[str]:
    yield "// One act."
    yield f"message {name} {{"
    rows: list[str] = []
    for act in acts:
        called = snake(act.__name__)
        rows += comment(inspect.getdoc(act) or "", "    ", summary=True)
        rows.append(f"    {act.__name__} {called} = {numbers.number(called, act.__name__)};")
    yield from numbers.reserved()
    yield "  // The act, by its type."
    yield "  oneof act {"
    yield from rows
    yield "  }"
    yield "}"


def _message(act: type[Act], numbers: Numbering, meanings: Mapping[str, Any]) -> Iterator[str]:
    yield from comment(inspect.getdoc(act) or "", "")
    rows = list(_fields(act, numbers, meanings))
    reserved = list(numbers.reserved())
    if not rows and not reserved:
        yield f"message {act.__name__} {{}}"
        return
    yield f"message {act.__name__} {{"
    yield from reserved
    yield from rows
    yield "}"


def _fields(act: type[Act], numbers: Numbering, meanings: Mapping[str, Any]) -> Iterator[str]:
    comments = line_comments(act)
    for name, kind in annotations.kinds_of(act).items():
        meaning = comments.get(name) or meanings.get(act.__name__, {}).get(name) or meanings.get(name, UNEXPLAINED)
        default = annotations.defaults_of(act).get(name)
        if default:
            meaning += f" Left out: {json.dumps(default)}."
        declared = DECLARED[kind]
        yield from comment(meaning, "  ")
        if len(declared) == 1:
            yield f"  {declared[0][0]} {name} = {numbers.number(name, declared[0][0])};"
            continue
        yield f"  oneof {name} {{"
        for what, suffix in declared:
            yield from comment(f"If it is a {suffix.removeprefix('_')}.", "    ")
            yield f"    {what} {name}{suffix} = {numbers.number(name + suffix, what)};"
        yield "  }"


def line_comments(act: type[Act]) -> dict[str, str]:
    """Return the comments at the ends of the lines of an act's fields, as sentences."""
    comments = {}
    for line in inspect.getsource(act).splitlines():
        if found := re.match(r"    (\w+): .*?  # (.*)", line):
            text = found[2].rstrip(".")
            comments[found[1]] = f"{text[0].upper()}{text[1:]}."
    return comments


def comment(text: str, indent: str, *, summary: bool = False) -> Iterable[str]:
    """Return a text (with ``summary`` its first paragraph) as wrapped comment lines with markdown quotes."""
    text = text.replace("``", "`")
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    if summary:
        paragraphs = [paragraphs[0]]
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += [""] if lines else []
        lines += textwrap.wrap(paragraph, 116 - len(indent))
    return [f"{indent}// {line}".rstrip() for line in lines]


def snake(name: str) -> str:
    """Convert a name from camel case: BidInfinity -> bid_infinity."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def main() -> int:
    """Write the files, or with --check report the stale ones."""
    stale = []
    for game in GAMES:
        path = ROOT / "proto" / "landsraad" / game / "v1" / "acts.proto"
        before = path.read_text() if path.exists() else ""
        after = file_text(game, "" if "--renumber" in sys.argv[1:] else before)
        if after == before:
            continue
        stale.append(str(path.relative_to(ROOT)))
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(after)
    for name in stale:
        print(f"{'stale: run `make proto`' if '--check' in sys.argv[1:] else 'written'}: {name}")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
