"""Find functions, methods and classes of ours that nothing but tests uses.

    python tools/dead_code.py

vulture looks for definitions whose name occurs nowhere else. It cannot see calls by a name that is put together, so
tools/dead_code.toml lists such code with reasons, and the names in entry points, registries and services are read.
Fields and variables are left out: frames, acts and the rows of content files are data, and read by name.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path, PurePosixPath
from typing import Any

from vulture import Vulture

from our_modules import FOLDERS, GENERATED, ROOT, read_modules
from sdk_surface import SEATS, exported, public_callables

ALLOWED = Path(__file__).with_name("dead_code.toml")
#: Scripts beside our packages that use them.
USERS = ("deploy", "proto")
KINDS = frozenset({"class", "function", "method", "property", "unreachable_code"})
#: vulture is 60 % sure of an unused function or class, and no surer: anything may be called by a computed name.
CONFIDENCE = 60
TARGET = re.compile(r"[\w.]+:(\w+)")
RPC = re.compile(r"^\s*rpc (\w+)", re.MULTILINE)
WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


def dead_code(sources: Mapping[str, str], allowed: Mapping[str, Any], used: Iterable[str] = ()) -> list[str]:
    """Return the unused definitions of some sources, given by path; `used` are further names in use."""
    finder = Vulture(
        ignore_names=patterns(allowed, "names"),
        ignore_decorators=patterns(allowed, "decorators"),
    )
    for path, text in sources.items():
        finder.scan(without_exports(text), path)
    names = sorted(name for name in {*used, *called_by_bases(allowed)} if name.isidentifier() and not iskeyword(name))
    finder.scan("\n".join(f"_.{name}" for name in names), "used_by_name.py")
    folders = {*patterns(allowed, "folders")}
    return [
        f"{item.filename}:{item.first_lineno}: unused {item.typ} {item.name!r}"
        for item in finder.get_unused_code(min_confidence=CONFIDENCE)
        if item.typ in KINDS and not folders & {*PurePosixPath(item.filename).parts}
    ]


def without_exports(text: str) -> str:
    """Blank out `__all__`, which vulture takes for a use of what it lists."""
    lines = text.split("\n")
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            last = node.end_lineno or node.lineno
            lines[node.lineno - 1 : last] = [""] * (last - node.lineno + 1)
    return "\n".join(lines)


def patterns(allowed: Mapping[str, Any], table: str) -> list[str]:
    """Return the patterns of all entries of a table."""
    return [pattern for entry in allowed.get(table, ()) for pattern in entry["patterns"]]


def called_by_bases(allowed: Mapping[str, Any]) -> Iterator[str]:
    """Return the methods that libraries call on the classes that they define."""
    for base in patterns(allowed, "bases"):
        module, _, name = base.partition(":")
        yield from dir(getattr(import_module(module), name))


def names_in_strings(sources: Mapping[str, str]) -> Iterator[str]:
    """Return the names in strings such as "module:name", by which registries load what they are asked for."""
    for text in sources.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and (hit := TARGET.fullmatch(node.value)):
                yield hit[1]


def names_in_project(text: str) -> Iterator[str]:
    """Return the names in the entry points of a project file."""
    project = tomllib.loads(text).get("project", {})
    groups = [project.get("scripts", {}), *project.get("entry-points", {}).values()]
    yield from (target.partition(":")[2] for group in groups for target in group.values())


def names_of_services(protocols: Iterable[str]) -> Iterator[str]:
    """Return the methods that serve the calls of protocol files, as the server and the SDK's stand-in spell them."""
    for text in protocols:
        for call in RPC.findall(text):
            yield f"_{call}"
            yield WORD_START.sub("_", call).lower()


def names_of_sdk(root: Path) -> Iterator[str]:
    """Return the names that programs of others use: those that the SDK exports, and their methods."""
    modules = read_modules(root)
    yield from (name for _, name in exported({module.name: module for module in modules}))
    yield from (one.function.name for one in public_callables(modules, also=SEATS))


def read_sources(root: Path, folders: Sequence[str] = (*FOLDERS, *USERS)) -> dict[str, str]:
    """Read our modules and those that use them, by path; neither tests nor generated code."""
    files = (file for folder in folders for file in sorted((root / folder).rglob("*.py")))
    texts = ((file.relative_to(root).as_posix(), file) for file in files)
    return {path: file.read_text(encoding="utf-8") for path, file in texts if not GENERATED.search(path)}


def dead_code_of(root: Path = ROOT) -> list[str]:
    """Return the unused definitions of the repository."""
    sources = read_sources(root)
    projects = [root / "pyproject.toml", *root.glob("*/pyproject.toml")]
    used = {
        *names_in_strings(sources),
        *(name for file in projects for name in names_in_project(file.read_text(encoding="utf-8"))),
        *names_of_sdk(root),
        *names_of_services(file.read_text(encoding="utf-8") for file in root.glob("proto/**/*.proto")),
    }
    return dead_code(sources, tomllib.loads(ALLOWED.read_text(encoding="utf-8")), used)


def main() -> int:
    """Print the unused definitions."""
    found = dead_code_of()
    print("\n".join(found) or "no unused code")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
