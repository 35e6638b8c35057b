"""Registries of commands, games and bots by name. Nothing is imported before it is used."""

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points


class Registry:
    """Names, each with a "module:attribute": a table of our own, and the entry points of one group.

    Any installed package can add entry points. They cannot replace names of our own.
    """

    def __init__(self, group: str, own: Mapping[str, str]) -> None:
        self.group = group
        self.own = own

    def targets(self) -> dict[str, str]:
        """Return every name with its target, sorted by name."""
        return dict(sorted((self._brought | dict(self.own)).items()))

    @cached_property
    def _brought(self) -> dict[str, str]:
        """The entry points of other packages. Finding them means reading about a hundred files, so it is done once."""
        return {point.name: point.value for point in entry_points(group=self.group)}

    def load(self, name: str) -> object:
        """Import the target of a name.

        Raises:
            KeyError: There is no such name.
        """
        module, _, attribute = self.targets()[name].partition(":")
        return getattr(import_module(module), attribute)
