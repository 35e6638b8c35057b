"""Which Possible Futures go together, and the option of a match that chooses them."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from landsraad_engine.arrakis.components import Modules
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.match_options import OptionSpec

OPTION: Final = OptionSpec(
    "futures",
    "",
    pattern=r"[0-9]{0,7}",
    meaning='exclusive only: the Possible Futures, by their numbers in ascending order ("1", "57"); none if empty',
    rule="WFA-N.3",
)


@rule("WFA-N.3")
def sets(modules: Modules) -> Sequence[str]:
    """All sets of Futures that can be played, "" among them."""
    alone = [number for number in modules.futures if number not in modules.futures_that_combine]
    added = [
        chosen
        for size in range(len(modules.futures_that_combine) + 1)
        for chosen in combinations(modules.futures_that_combine, size)
    ]
    return [written(first + others) for first in ((), *((number,) for number in alone)) for others in added]


def written(numbers: Sequence[int]) -> str:
    """A set of Futures as the option writes it."""
    return "".join(map(str, numbers))


@rule("WFA-N.1", "WFA-N.3")
def check(given: str, modules: Modules) -> None:
    """Raise BadOption, with the reason, for Futures that cannot be played together."""
    if not given:
        return
    if not modules.futures:
        raise BadOption("futures", "only the exclusive edition has Possible Futures")
    numbers = [int(digit) for digit in given]
    for number in numbers:
        if number not in modules.futures:
            raise BadOption("futures", f"there is no Possible Future {number}; there are {_listed(modules.futures)}")
    if len(set(numbers)) < len(numbers):
        raise BadOption("futures", f"{given!r} names a Possible Future twice")
    if numbers != sorted(numbers):
        raise BadOption("futures", f"write them in ascending order: {written(sorted(numbers))!r}, not {given!r}")
    alone = [number for number in numbers if number not in modules.futures_that_combine]
    if len(alone) > 1:
        raise BadOption(
            "futures", f"{_listed(alone)} cannot be combined; only {_listed(modules.futures_that_combine)} can"
        )


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
