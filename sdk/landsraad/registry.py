"""Things known by name that live elsewhere: subcommands, games. Nothing is imported until it is asked for."""

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points


class Registry:
    """Names with a "module:attribute" each: a table of our own, and the entry points of one group.

    Any installed package adds to it by an entry point; our own names cannot be taken over.
    """

    def __init__(self, group: str, own: Mapping[str, str]) -> None:
        self.group = group
        self.own = own

    def targets(self) -> dict[str, str]:
        """Every name with its target, sorted by name."""
        return dict(sorted((self._brought | dict(self.own)).items()))

    @cached_property
    def _brought(self) -> dict[str, str]:
        """What packages bring. To find out takes the reading of a hundred files: longer than many a match."""
        return {point.name: point.value for point in entry_points(group=self.group)}

    def load(self, name: str) -> object:
        """Import what the name stands for; KeyError if there is no such name."""
        module, _, attribute = self.targets()[name].partition(":")
        return getattr(import_module(module), attribute)
