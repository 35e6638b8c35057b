"""The state of a match: one flat table of places, and the stack of frames."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from landsraad_engine.errors import LawBroken

from .asks import Ask
from .events import Event
from .frames import Chain, Frame, Interlude
from .overrides import Hooks, Moment
from .reserved_places import answer_key
from .setting import Setting, derive_senses
from .verbs import Verbs
from .zones import Sight


class State(Verbs):
    """Everything a match is made of. Games subclass it with the rulebook's words and no attributes of their own.

    ``table`` maps place keys to immutable values; ``stack`` holds the frames in progress. The rest is derived
    (``sides``, ``eyes``, ``hooks``, ``ask``) or passing (``events``, ``dirty``: what happened since they were taken).
    """

    __slots__ = (
        *("ask", "dirty", "events", "eyes", "hooks", "memo"),
        *("rule", "setting", "sides", "stack", "table", "topics", "waiting"),
    )

    def __init__(self, setting: Setting, table: dict[str, Any] | None = None, stack: list[Frame] | None = None) -> None:
        self.setting = setting
        self.table = {} if table is None else table
        self.stack = [] if stack is None else stack
        self.events: list[Event] = []
        self.dirty: set[str] = set()
        self.rule = ""
        #: what has been worked out from pieces, stacks and open marks; the verbs that write those forget it
        self.memo: dict[Any, Any] = {}
        #: the same for what rests on the zones of one topic and on nothing else
        self.topics: defaultdict[str, dict[Any, Any]] = defaultdict(dict)
        self.ask: Ask | None = None
        #: seats whose answer is still missing (implicit answers by standing order are not waited for)
        self.waiting: tuple[int, ...] = ()
        self.sides: dict[str, int]
        self.eyes: dict[str, int]
        self.hooks: Hooks
        self.sides, self.eyes, self.hooks = derive_senses(setting, self.table)

    def copy(self) -> State:
        """An independent copy; cheap enough that tree search needs nothing else."""
        twin = self.__class__.__new__(self.__class__)
        twin.setting = self.setting
        twin.table = self.table.copy()
        twin.stack = [frame.copy() for frame in self.stack]
        twin.events = []
        twin.dirty = set()
        twin.rule = self.rule
        twin.memo = {}
        twin.topics = defaultdict(dict)
        twin.ask = self.ask
        twin.waiting = self.waiting
        twin.sides = self.sides
        twin.eyes = self.eyes
        twin.hooks = self.hooks
        return twin

    def forget(self) -> None:
        """Forget all that has been worked out: the table has been written by something other than the verbs."""
        self.memo.clear()
        self.topics.clear()

    # ---------------------------------------------------------------------------------------------- sides and seats

    @property
    def options(self) -> Any:
        return self.setting.options

    def assign(self, seat: int, side: str | None, rule: str = "") -> None:
        """Give a seat a side to play; from now on it sees what belongs to that side.

        Nothing hidden may lie there yet: what a seat has seen must follow from what it has been told.
        """
        key = f"side/{seat}"
        sides, eyes, hooks = derive_senses(self.setting, {**self.table, key: side})
        if any(eyes.get(place) != self.eyes.get(place) for place in self.table):
            raise LawBroken(f"{side} has hidden places that are not empty")
        self.set_mark(key, side, rule)
        self.sides, self.eyes, self.hooks = sides, eyes, hooks

    def side(self, seat: int) -> str:
        """The side that a seat plays."""
        side: str = self.table[f"side/{seat}"]
        return side

    def seats_of(self, side: str) -> tuple[int, ...]:
        """The seats that play a side, lowest first."""
        mask = self.sides.get(side, 0)
        return tuple(seat for seat in range(self.setting.seats) if mask >> seat & 1)

    def seat(self, side: str) -> int:
        """The seat of a side that one seat plays."""
        return self.sides[side].bit_length() - 1

    # ------------------------------------------------------------------------------------------------------- the end

    def finish(self, kind: str, winners: tuple[int, ...] = (), rule: str = "") -> None:
        """End the match; nothing runs afterwards."""
        self.set_mark("result", (kind, winners), rule)
        self.stack.clear()

    @property
    def result(self) -> tuple[str, tuple[int, ...]] | None:
        return self.table.get("result")

    # ----------------------------------------------------------------------------------------- answers under way

    @property
    def level(self) -> int:
        """How many out-of-turn plays are in progress."""
        return tuple(map(type, self.stack)).count(Interlude)

    def reopen(self, rule: str = "") -> None:
        """In an out-of-turn play: everybody who has answered a question that it interrupts must do so anew.

        For plays that may make a sealed answer illegal: if only those went back, that would tell what they were.
        """
        for level in range(self.level):
            self.void_answers(level, {}, rule)

    def void_answers(self, level: int, asked: Mapping[int, Sight | None], rule: str = "") -> None:
        """Take answers back, except those of seats that are still asked in the same manner."""
        for seat in range(self.setting.seats):
            for sight in (Sight.SEALED, Sight.QUIET):
                if asked.get(seat) is not sight:
                    self.set_mark(answer_key(sight, seat, level), None, rule)

    # ---------------------------------------------------------------------------------------------- exception tables

    def query(self, name: Enum, value: Any, *args: Any) -> Any:
        """A number or set as the rule states it, after everything that changes it."""
        for fn in self.hooks.modifies.get(name._name_, ()):
            value = fn(self, value, *args)
        return value

    def allowed(self, name: Enum, *args: Any, default: bool = False) -> bool:
        """Whether something may be done: a bar wins over a permission, a permission over the default."""
        for fn in self.hooks.forbids.get(name._name_, ()):
            if fn(self, *args):
                return False
        return default or any(fn(self, *args) for fn in self.hooks.permits.get(name._name_, ()))

    def at(self, name: Enum, *args: Any) -> Frame | None:
        """What happens at a named moment: sources act in their order; None once all have and none wants a frame.

        The first that does is called, and a :class:`Moment` goes on with the others after it.
        """
        hooks = self.hooks.at.get(name._name_)
        if hooks is None:
            return None
        for index, (fn, self.rule) in enumerate(hooks, 1):
            frame: Frame | None = fn(self, *args)
            if frame is not None:
                return frame if index == len(hooks) else Chain(frame, Moment(name._name_, args, index))
        return None

    def instead(self, name: Enum, *args: Any) -> Any:
        """What stands in for something, or None."""
        for fn in self.hooks.instead_of.get(name._name_, ()):
            frame = fn(self, *args)
            if frame is not None:
                return frame
        return None

    # -------------------------------------------------------------------------------------------------------- reading

    def get(self, key: str) -> Any:
        """What lies in a place, empty places included."""
        value = self.table.get(key)
        return self.setting.layout.empty(key) if value is None else value

    def path(self) -> tuple[tuple[str, str], ...]:
        """The public step: the frames in progress and where they are."""
        return tuple((type(frame).__name__, frame.pc) for frame in self.stack)

    def knows(self, seat: int, key: str) -> Iterator[str]:
        """The faces in a place that a seat sees or knows."""
        bit = 1 << seat
        faces = self.table.get(key, ())
        if self.eyes[key] & bit:
            yield from faces
            return
        for face, mask in zip(faces, self.table.get("*" + key, ()), strict=False):
            if mask & bit:
                yield face
