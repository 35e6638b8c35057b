"""The prose of docstrings: how they open, whom they speak of, and what they document of a signature.

Sections are those of the Google style: `Args:`, `Returns:` (or `Yields:`) and `Raises:`.
"""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from our_modules import SourceModule

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Owner: TypeAlias = ast.Module | ast.ClassDef | Function

#: A subordinate clause that stands alone, instead of an imperative or a noun phrase.
CLAUSE = re.compile(r"(What(ever)?|Who(ever|m|se)?|Whether|Where(ver)?|How(ever)?|Somebody|Nobody)\b")
PEOPLE = re.compile(r"\b(who|whoever|somebody|nobody)\b", re.IGNORECASE)
SECTION = re.compile(r"^(Args|Returns|Yields|Raises):[ \t]*\n((?:[ \t]+\S.*(?:\n|$)|[ \t]*\n)*)", re.MULTILINE)
ENTRY = re.compile(r"^[ \t]+\*{0,2}([\w.]+)(?: \([^)]*\))?:", re.MULTILINE)


class Docstring(NamedTuple):
    """One docstring, with the module, class or function that it belongs to."""

    module: SourceModule
    owner: Owner
    text: str

    @property
    def place(self) -> str:
        """The file, the line and the opening, for messages."""
        line = 1 if isinstance(self.owner, ast.Module) else self.owner.lineno
        return f"{self.module.path}:{line}: {self.text.partition(chr(10))[0][:60]}"


def docstrings(module: SourceModule) -> Iterator[Docstring]:
    """Return all docstrings of a module, those of nested functions included."""
    for node in ast.walk(module.tree):
        if isinstance(node, Owner) and (text := ast.get_docstring(node)):
            yield Docstring(module, node, text)


def opens_with_clause(docstring: Docstring) -> bool:
    """Check for an opening such as "What ..." or "Whoever ..."."""
    return CLAUSE.match(docstring.text) is not None


def speaks_of_people(docstring: Docstring) -> bool:
    """Check for who, whoever, somebody and nobody."""
    return PEOPLE.search(docstring.text) is not None


def is_documentable(docstring: Docstring) -> bool:
    """Check that there is something for a section to document."""
    owner = docstring.owner
    return isinstance(owner, Function) and bool(parameters(owner) or result_of(owner) or has_raise(owner))


def has_sections(docstring: Docstring) -> bool:
    """Check that an argument, a result or an exception is documented."""
    return bool(sections(docstring.text))


def sections(text: str) -> dict[str, str]:
    """Return the sections that are not empty, by heading; `Yields:` counts as `Returns:`."""
    found = {heading.replace("Yields", "Returns"): body for heading, body in SECTION.findall(text)}
    return {heading: body for heading, body in found.items() if body.strip()}


def parameters(function: Function) -> list[str]:
    """Return the names of the parameters, without `self` and `cls`."""
    given = function.args
    variable = [one for one in (given.vararg, given.kwarg) if one is not None]
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, *variable)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def result_of(function: Function) -> str:
    """Return the annotation of the result, empty for none and for None."""
    annotation = "" if function.returns is None else ast.unparse(function.returns).strip("'\"")
    return "" if annotation in ("None", "NoReturn", "Never") else annotation


def has_raise(function: Function) -> bool:
    """Check that the body raises an exception of its own."""
    return any(True for _ in raised(function))


def raised(function: Function) -> Iterator[str]:
    """Return the class of each exception that the body raises, empty if it is computed.

    Re-raising what passes through is not counted, nor is NotImplementedError, which marks a method to override.
    """
    for node in _own_nodes(function):
        if isinstance(node, ast.Raise) and node.exc is not None:
            error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = error.attr if isinstance(error, ast.Attribute) else getattr(error, "id", "")
            if name != "NotImplementedError":
                yield name if name[:1].isupper() else ""


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """Walk the body without the functions and classes defined inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def gaps(function: Function, text: str, own_type: str = "") -> list[str]:
    """Return the parts of a signature that a docstring leaves out.

    A method that returns its `own_type` is made for chaining and needs no `Returns:`.
    """
    if not text:
        return ["docstring"]
    found = sections(text)
    named = ENTRY.findall(found.get("Args", ""))
    missing = [f"Args: {name}" for name in parameters(function) if name not in named]
    if result_of(function) not in ("", "Self", own_type) and "Returns" not in found:
        missing.append("Returns")
    told = re.findall(r"\w+", found.get("Raises", ""))
    errors = {name for name in raised(function) if not (name in told if name else told)}
    return missing + [f"Raises: {name}".removesuffix(": ") for name in sorted(errors)]
