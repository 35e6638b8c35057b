"""Citations of the rulebook: tests name the statements that they show to hold."""

from collections.abc import Callable
from typing import Any, TypeVar

from landsraad_engine.checks import rulebook

Tested = TypeVar("Tested", bound=Callable[..., Any])


def covers(*rules: str) -> Callable[[Tested], Tested]:
    """Name the rulebook statements that a test, or a class of tests, shows to hold.

    The ids must be literals, because `landsraad rules` reads them from the source.

    Raises:
        UnknownRule: an id is not in the rulebook; the test fails at collection.

    """
    for rule in rules:
        rulebook.statement(rule)

    def attach(test: Tested) -> Tested:
        test.covers = (*rules, *getattr(test, "covers", ()))  # type: ignore[attr-defined]
        return test

    return attach
