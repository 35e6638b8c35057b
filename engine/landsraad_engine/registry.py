"""Plugin registry: names such as games, commands and bots, each with the place of its code as an entry point has it."""

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points


class Registry:
    """Map names to "module:attribute" targets: a table of our own, and the entry points of one group.

    Any installed package adds to it by an entry point. Our own names cannot be taken over. Nothing is imported until
    it is asked for.
    """

    def __init__(self, group: str, own: Mapping[str, str]) -> None:
        self.group = group
        self.own = own

    def __contains__(self, name: str) -> bool:
        return name in self.own or name in self._installed

    def targets(self) -> dict[str, str]:
        """Return every name with its target, sorted by name."""
        return dict(sorted((self._installed | dict(self.own)).items()))

    @cached_property
    def _installed(self) -> dict[str, str]:
        """The targets from installed packages. Cached: reading the metadata of all packages outlasts many a match."""
        return {point.name: point.value for point in entry_points(group=self.group)}

    def load(self, name: str) -> object:
        """Import and return the target of a name.

        Raises:
            KeyError: no package registers this name.
        """
        target = self.own[name] if name in self.own else self._installed[name]
        module, _, attribute = target.partition(":")
        return getattr(import_module(module), attribute)
