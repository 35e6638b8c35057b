"""Public names of a package, imported on first use: `landsraad --help` loads neither an engine nor gRPC."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from importlib import import_module


def lazy_exports(
    namespace: MutableMapping[str, object], homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package that imports its public names on first use.

    Args:
        namespace: The globals of the package, with `__name__` and `__all__`. Names that were imported are kept there.
        homes: Public name -> "module:attribute", "module:" for the module itself.

    Returns:
        The two functions.
    """

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        home, _, attribute = homes[name].partition(":")
        module = import_module(home)
        value = namespace[name] = getattr(module, attribute) if attribute else module
        return value

    def names() -> list[str]:
        return sorted({*homes, *namespace})

    return get, names
