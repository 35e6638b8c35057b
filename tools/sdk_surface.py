"""The public callables of the SDK, and the parts of their signatures that are not documented.

Public are the functions and classes that `landsraad.__all__` names. Programs also use classes that they never import,
for a client returns them (its seats); those can be asked for by name.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from docstrings import Function, gaps
from our_modules import ClassKey, SourceModule

PACKAGE = "landsraad"
#: Classes that programs get from a client, and never construct.
SEATS = frozenset({"AsyncSeat", "Seat"})


@dataclass(frozen=True, slots=True)
class PublicCallable:
    """A function, method or constructor that programs of others call."""

    place: str
    module: SourceModule
    function: Function
    owner: ast.ClassDef | None = None

    @property
    def gaps(self) -> list[str]:
        """The parts of the signature that neither its docstring nor, for a constructor, its class documents."""
        text = ast.get_docstring(self.function) or ""
        if self.function.name == "__init__" and self.owner is not None:
            text = f"{ast.get_docstring(self.owner) or ''}\n\n{text}".strip()
        return gaps(self.function, text, self.owner.name if self.owner else "")


def public_callables(modules: Sequence[SourceModule], also: AbstractSet[str] = frozenset()) -> list[PublicCallable]:
    """Return the exported functions, the public methods of exported classes, and their constructors.

    Classes of the SDK named in `also` follow without constructors, which only the SDK calls.
    """
    by_name = {module.name: module for module in modules}
    found = [one for key in exported(by_name) for one in _callables(by_name, key)]
    within = [module for module in modules if module.name.startswith(f"{PACKAGE}.")]
    keys = [(module.name, name) for module in within for name in module.classes if name in also]
    methods = (one for key in keys for one in _callables(by_name, key))
    return found + [one for one in methods if one.function.name != "__init__"]


def undocumented(callables: Iterable[PublicCallable]) -> dict[str, list[str]]:
    """Return the gaps of each callable that has any."""
    return {one.place: one.gaps for one in callables if one.gaps}


def exported(by_name: Mapping[str, SourceModule]) -> list[ClassKey]:
    """Return what the package exports, each with the module that defines it."""
    package = by_name[PACKAGE]
    values = [
        node.value
        for node in package.tree.body
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]
    ]
    names: list[str] = ast.literal_eval(values[0])
    return [home(by_name, package.imports[name]) for name in names if name in package.imports]


def home(by_name: Mapping[str, SourceModule], key: ClassKey) -> ClassKey:
    """Follow a name through the modules that import it to the one that defines it."""
    while key[0] in by_name and key[1] in (imports := by_name[key[0]].imports):
        key = imports[key[1]]
    return key


def _callables(by_name: Mapping[str, SourceModule], key: ClassKey) -> Iterator[PublicCallable]:
    """Return an exported function, or the constructor and the public methods of an exported class."""
    module = by_name.get(key[0])
    if module is None:
        return
    place = ".".join(key)
    for node in module.tree.body:
        if isinstance(node, Function) and node.name == key[1]:
            yield PublicCallable(place, module, node)
    owner = module.classes.get(key[1])
    for node in owner.body if owner else ():
        if isinstance(node, Function) and _is_public_method(node):
            yield PublicCallable(f"{place}.{node.name}", module, node, owner)


def _is_public_method(node: Function) -> bool:
    """Check the name, and leave out properties: they are read, not called."""
    decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    is_property = bool(decorators & {"property", "cached_property", "setter"})
    return not is_property and (node.name == "__init__" or not node.name.startswith("_"))
