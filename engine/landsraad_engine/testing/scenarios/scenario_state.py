"""The state of a scenario: its next dice, picks and shuffles can be fixed, and its steps can leave notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from landsraad_engine.kernel.frames import Frame
from landsraad_engine.kernel.setting import Setting
from landsraad_engine.kernel.state import State


class ScenarioState(State):
    """The part that `scenario_state` adds to the state of a game.

    Chance that is not fixed comes from the scenario's seed.
    """

    __slots__ = ("notes", "numbers", "orders")

    #: label of a chance stream ("die/…", "pick/…") -> the next numbers
    numbers: dict[str, list[int]]
    #: pile -> the cards that lie on top after its next shuffle, the first to be drawn first
    orders: dict[str, tuple[str, ...]]
    #: the notes that watched steps have left
    notes: list[Any]

    def __init__(self, setting: Setting, table: dict[str, Any] | None = None, stack: list[Frame] | None = None) -> None:
        super().__init__(setting, table, stack)
        self.numbers = {}
        self.orders = {}
        self.notes = []

    def copy(self) -> Self:
        """Return an independent copy, fixed chance and notes included."""
        twin = super().copy()
        assert isinstance(twin, type(self))
        twin.numbers = {label: list(numbers) for label, numbers in self.numbers.items()}
        twin.orders = dict(self.orders)
        twin.notes = list(self.notes)
        return twin

    def _draws(self, label: str, bounds: tuple[int, ...]) -> list[int]:
        queue = self.numbers.get(label)
        if not queue:
            return super()._draws(label, bounds)
        assert len(queue) >= len(bounds), f"{label}: {len(bounds)} numbers are drawn, {len(queue)} are fixed"
        drawn, rest = queue[: len(bounds)], queue[len(bounds) :]
        for number, bound in zip(drawn, bounds, strict=True):
            assert 0 <= number < bound, f"{label}: {number} is fixed, but numbers are drawn below {bound}"
        if rest:
            self.numbers[label] = rest
        else:
            del self.numbers[label]
        return drawn

    def _order(self, label: str, size: int) -> list[int]:
        pile = label.removeprefix("deck/")
        wanted = self.orders.pop(pile, None)
        if wanted is None:
            return super()._order(label, size)
        below, top = split(self.table[pile], wanted)
        return [*below, *reversed(top)]


def split(pile: Sequence[str], wanted: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return the positions in a pile of the cards that are not wanted, and of those that are, in their order."""
    free = list(range(len(pile)))
    found = []
    for face in wanted:
        at = next((index for index in free if pile[index] == face), None)
        assert at is not None, f"there is no {face} (any more) in the pile: {pile}"
        free.remove(at)
        found.append(at)
    return free, found


_classes: dict[type[State], type[ScenarioState]] = {}


def scenario_state(state: type[State]) -> type[ScenarioState]:
    """Return the class of states for scenarios of a game whose states are of this class."""
    if state not in _classes:
        _classes[state] = type(state.__name__, (ScenarioState, state), {"__slots__": ()})
    return _classes[state]
