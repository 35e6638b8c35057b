"""Our own Python modules as syntax trees, for the tools that measure and check the sources.

Everything here reads files and imports nothing of ours, so that other revisions can be measured, too.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TypeAlias

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("engine", "sdk", "server", "bots", "tools", "loadtest")
GENERATED = re.compile(r"_pb2(_grpc)?\.py$|/v1/")
#: Classes of the engine whose subclasses are named on record, in logs, snapshots and certificates.
NAMES_ON_RECORD = frozenset({"Act", "Frame"})
ALLOWED_NAMES = Path(__file__).with_name("shared_names.toml")

#: A class by the dotted name of its module and its own name.
ClassKey: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class SourceModule:
    """One module: its path from the top of the repository, its length and its syntax tree."""

    path: PurePosixPath
    lines: int
    tree: ast.Module

    @property
    def name(self) -> str:
        """The dotted name under which other modules import it."""
        parts = self.path.with_suffix("").parts[1:]
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def package(self) -> str:
        """The dotted name that relative imports start from."""
        return self.name if self.path.stem == "__init__" else self.name.rpartition(".")[0]

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes at the top of the module."""
        return {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}

    @cached_property
    def imports(self) -> dict[str, ClassKey]:
        """Imported names, with the module that each comes from and its name there."""
        found: dict[str, ClassKey] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                origin = self._origin(node)
                found |= {alias.asname or alias.name: (origin, alias.name) for alias in node.names}
        return found

    def _origin(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.package.split(".")
        base = package[: len(package) - node.level + 1]
        return ".".join([*base, node.module] if node.module else base)


def parse_module(path: str, text: str) -> SourceModule:
    """Parse the text of a module."""
    return SourceModule(PurePosixPath(path), text.count("\n"), ast.parse(text))


def read_modules(root: Path, folders: Iterable[str] = FOLDERS) -> list[SourceModule]:
    """Parse all modules of some top folders, generated code left out."""
    files = (file for folder in folders for file in sorted((root / folder).rglob("*.py")))
    paths = ((file.relative_to(root).as_posix(), file) for file in files)
    return [parse_module(path, file.read_text(encoding="utf-8")) for path, file in paths if not GENERATED.search(path)]


def names_on_record(modules: Sequence[SourceModule]) -> set[ClassKey]:
    """Return the classes that derive, at whatever distance, from the engine's frames and acts."""
    classes = {(module.name, name): (module, node) for module in modules for name, node in module.classes.items()}
    found = {key for key in classes if key[1] in NAMES_ON_RECORD and key[0].startswith("landsraad_engine")}
    while more := {
        key
        for key, (module, node) in classes.items()
        if key not in found and any(_is_one_of(base, found) for base in bases(module, node))
    }:
        found |= more
    return found


def _is_one_of(base: ClassKey, found: AbstractSet[ClassKey]) -> bool:
    """Check a base class, which a package may export from one of its modules."""
    origin, name = base
    return base in found or any(known == name and module.startswith(f"{origin}.") for module, known in found)


def bases(module: SourceModule, node: ast.ClassDef) -> Iterator[ClassKey]:
    """Return the base classes that are named plainly, or as an attribute of an imported module."""
    for base in node.bases:
        if isinstance(base, ast.Name):
            yield module.imports.get(base.id, (module.name, base.id))
        elif isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name):
            yield ".".join(module.imports.get(base.value.id, (base.value.id,))), base.attr


def shared_class_names(modules: Sequence[SourceModule], allowed: Iterable[str] = ()) -> dict[str, list[str]]:
    """Return public class names used more than once, with the modules.

    Names on record may be shared among themselves, for they cannot be changed; no other class may share one of them.
    """
    on_record = names_on_record(modules)
    homes: dict[str, list[str]] = {}
    for module in modules:
        for name in module.classes:
            if not name.startswith("_"):
                homes.setdefault(name, []).append(module.name)
    return {
        name: found
        for name, found in sorted(homes.items())
        if len(found) > 1 and name not in set(allowed) and any((home, name) not in on_record for home in found)
    }


def allowed_names(file: Path = ALLOWED_NAMES) -> Mapping[str, str]:
    """Return the class names that may occur more than once, each with its reason."""
    return dict(tomllib.loads(file.read_text(encoding="utf-8"))["names"])
