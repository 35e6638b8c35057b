"""What tests of the engine, ours and those of others, share."""

from collections.abc import Callable
from typing import Any, TypeVar

from landsraad_engine.checks import rulebook

Tested = TypeVar("Tested", bound=Callable[..., Any])


def covers(*rules: str) -> Callable[[Tested], Tested]:
    """Say which rulebook statements a test (or a class of tests) shows to hold.

    The ids must be literals: `landsraad rules` reads them from the source. A wrong one fails at collection.
    """
    for rule in rules:
        rulebook.statement(rule)

    def attach(test: Tested) -> Tested:
        test.covers = (*rules, *getattr(test, "covers", ()))  # type: ignore[attr-defined]
        return test

    return attach
