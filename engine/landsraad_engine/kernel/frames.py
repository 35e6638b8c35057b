"""Frames: the procedures of a rulebook as a stack of small records with named steps (coroutines that can be saved).

A frame's fields are public facts; a secret belongs into a place. Its steps run in the order of their definition, and
each implements and cites a numbered rule. A step returns

* ``None``: continue with the next step;
* an ``Ask``: stop until it is answered, and pass the answer to the step's ``answer`` function;
* a ``Frame``: call it, then continue with the next step;
* ``goto("name")``: continue with the named step; ``Call(frame, "name")``: call a frame, then continue there;
* ``END``: leave the frame.

A step that returns an Ask must not write to the table: it runs again whenever the question is put again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeAlias, TypeVar

import msgspec

from landsraad_engine.errors import LawBroken

from .asks import Ask

Fn = TypeVar("Fn", bound=Callable[..., Any])


class Goto(msgspec.Struct, frozen=True, gc=False):
    """Continue with the named step of this frame."""

    step: str


class Call(msgspec.Struct, frozen=True, gc=False):
    """Call a frame, then continue with the named step of this one."""

    frame: Any
    then: str


class _End:
    def __repr__(self) -> str:
        return "END"


END = _End()

#: What a step returns, as the list above has it.
Flow: TypeAlias = "Ask | Frame | Goto | Call | _End | None"


_GOTOS: dict[str, Goto] = {}


def goto(step: str) -> Goto:
    """Return the jump to a named step, from a cache."""
    return _GOTOS.get(step) or _GOTOS.setdefault(step, Goto(step))


class Step:
    """A named step of a frame: its function, the rules it cites, and the handler of the answer to its question."""

    __slots__ = ("fn", "handler", "name", "rule", "rules")

    def __init__(self, fn: Callable[..., Flow], rules: tuple[str, ...]) -> None:
        self.fn = fn
        self.rules = rules
        self.rule = rules[0] if rules else ""
        self.name = fn.__name__
        self.handler: Callable[..., Flow] | None = None

    def answer(self, fn: Callable[..., Flow]) -> Callable[..., Flow]:
        """Register the handler of the answer (decorator).

        Its signature is ``(f, g, seat, act)``, or ``(f, g, answers)`` for an ask to several seats.
        """
        self.handler = fn
        return fn


def step(*rules: str) -> Callable[[Callable[..., Flow]], Step]:
    """Make a method of a frame its next step, citing the rules that it implements (decorator)."""

    def mark(fn: Callable[..., Flow]) -> Step:
        return Step(fn, rules)

    return mark


def rule(*rules: str) -> Callable[[Fn], Fn]:
    """Cite the rules that a plain function implements (decorator)."""

    def mark(fn: Fn) -> Fn:
        fn.rules = rules  # type: ignore[attr-defined]
        return fn

    return mark


class Frame(msgspec.Struct, tag=True, tag_field="frame", kw_only=True, gc=False):
    """A procedure of the rulebook in progress; ``pc`` is the name of its next step."""

    pc: str = ""

    STEPS: ClassVar[dict[str, Step]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        found = {name: value for name, value in vars(cls).items() if isinstance(value, Step)}
        cls.STEPS = {**cls.STEPS, **found}

    #: A shallow copy suffices, because fields hold immutable values.
    copy = msgspec.Struct.__copy__  # type: ignore[attr-defined]


class Chain(Frame):
    """Two frames in sequence. The kernel pushes both; a chain itself never lies on the stack."""

    first: Any
    second: Any


class Interlude(Frame):
    """Marks an out-of-turn play in progress: it lies between the play's frame and the interrupted one."""

    seat: int
    play: str

    @step()
    def over(f, g: Any) -> Flow:
        """Void the answers already given to the question below by seats that it no longer asks."""
        # Run the step below on a copy: a step that asks writes nothing, but this one may no longer ask.
        twin = g.copy()
        twin.stack.pop()
        below = twin.stack[-1]
        outcome = g.setting.flow.info[type(below)][1][below.pc][0](below, twin)
        asks = isinstance(outcome, Ask) and outcome.mode == "all"
        g.void_answers(g.level - 1, dict.fromkeys(outcome.seats, outcome.sight) if asks else {})
        return None


class FlowTable:
    """The steps of all frames of a match, with the replacements of its edition applied.

    ``overlay`` maps ``(frame name, step name)`` to the :class:`Step` that replaces it.
    """

    __slots__ = ("frames", "info")

    def __init__(self, frames: Iterable[type[Frame]], overlay: dict[tuple[str, str], Step] | None = None) -> None:
        self.frames: tuple[type[Frame], ...] = (*frames, Interlude)
        #: frame class -> (first step, {step: (fn, rule, handler, next step)})
        self.info: dict[type[Frame], tuple[str, dict[str, tuple[Any, str, Any, str]]]] = {}
        names = [cls.__name__ for cls in self.frames]
        if len(set(names)) != len(names):
            raise LawBroken("two frames with one name")
        overlay = dict(overlay or {})
        for cls in self.frames:
            steps = dict(cls.STEPS)
            for name in steps:
                if (cls.__name__, name) in overlay:
                    steps[name] = overlay.pop((cls.__name__, name))
            order = list(steps)
            if not order:
                raise LawBroken(f"{cls.__name__} has no steps")
            table = {}
            for at, name in enumerate(order):
                s = steps[name]
                after = order[at + 1] if at + 1 < len(order) else ""
                table[name] = (s.fn, s.rule, s.handler, after)
            self.info[cls] = (order[0], table)
        if overlay:
            raise LawBroken(f"an overlay replaces steps that do not exist: {sorted(overlay)}")

    def wrapped(self, wrap: Callable[[str, str, Callable[..., Flow]], Callable[..., Flow]]) -> FlowTable:
        """Return a table in which ``wrap(frame name, step name, function)`` replaces the function of each step."""
        twin = FlowTable(())
        twin.frames = self.frames
        for cls, (first, steps) in self.info.items():
            twin.info[cls] = (
                first,
                {name: (wrap(cls.__name__, name, fn), *rest) for name, (fn, *rest) in steps.items()},
            )
        return twin


__all__ = ["END", "Ask", "Call", "Flow", "FlowTable", "Frame", "Goto", "Interlude", "Step", "goto", "rule", "step"]
