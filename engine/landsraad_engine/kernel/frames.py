"""Frames: the rules as a stack of small records with named steps.

A frame's fields are public facts (a secret lies in a place). Its steps run in the order they are written; each is one
numbered rule, named and cited. A step returns

* ``None``: go on with the next step;
* an ``Ask``: stop until it is answered; the answer goes to the step's ``answer`` function;
* a ``Frame``: call it, then go on with the next step;
* ``goto("name")``: go on with the named step; ``Call(frame, "name")``: call, then go on there;
* ``END``: leave the frame.

A step that returns an Ask has written nothing: it is run again whenever the question is put again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeAlias, TypeVar

import msgspec

from landsraad_engine.errors import LawBroken

from .asks import Ask

Fn = TypeVar("Fn", bound=Callable[..., Any])


class Goto(msgspec.Struct, frozen=True, gc=False):
    """Go on with the named step of this frame."""

    step: str


class Call(msgspec.Struct, frozen=True, gc=False):
    """Call a frame and go on with the named step after it."""

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
    """The jump to a named step (made once for each name)."""
    return _GOTOS.get(step) or _GOTOS.setdefault(step, Goto(step))


class Step:
    """One named step: its function, the rules it implements, and what takes the answer to its question."""

    __slots__ = ("fn", "handler", "name", "rule", "rules")

    def __init__(self, fn: Callable[..., Flow], rules: tuple[str, ...]) -> None:
        self.fn = fn
        self.rules = rules
        self.rule = rules[0] if rules else ""
        self.name = fn.__name__
        self.handler: Callable[..., Flow] | None = None

    def answer(self, fn: Callable[..., Flow]) -> Callable[..., Flow]:
        """Register what takes the answer: ``(f, g, seat, act)``, or ``(f, g, answers)`` for an ask to several seats."""
        self.handler = fn
        return fn


def step(*rules: str) -> Callable[[Callable[..., Flow]], Step]:
    """Mark a function of a frame as its next step and cite the rules it implements."""

    def mark(fn: Callable[..., Flow]) -> Step:
        return Step(fn, rules)

    return mark


def rule(*rules: str) -> Callable[[Fn], Fn]:
    """Cite the rules that a plain function implements."""

    def mark(fn: Fn) -> Fn:
        fn.rules = rules  # type: ignore[attr-defined]
        return fn

    return mark


class Frame(msgspec.Struct, tag=True, tag_field="frame", kw_only=True, gc=False):
    """A procedure of the rulebook in progress. ``pc`` is the name of its next step."""

    pc: str = ""

    STEPS: ClassVar[dict[str, Step]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        found = {name: value for name, value in vars(cls).items() if isinstance(value, Step)}
        cls.STEPS = {**cls.STEPS, **found}

    #: a copy that shares nothing mutable (fields are plain immutable values)
    copy = msgspec.Struct.__copy__  # type: ignore[attr-defined]


class Chain(Frame):
    """One frame, then another: pushed as the two that it names, never on the stack itself."""

    first: Any
    second: Any


class Interlude(Frame):
    """An out-of-turn play in progress: above it the play's own frame, below it the question that it interrupts."""

    seat: int
    play: str

    @step()
    def over(f, g: Any) -> Flow:
        """Answers already given to the question below are void if it is not put to their seats any more."""
        twin = g.copy()  # trying out whether it is: an asking step writes nothing, but this one may ask no longer
        twin.stack.pop()
        below = twin.stack[-1]
        outcome = g.setting.flow.info[type(below)][1][below.pc][0](below, twin)
        asks = isinstance(outcome, Ask) and outcome.mode == "all"
        g.void_answers(g.level - 1, dict.fromkeys(outcome.seats, outcome.sight) if asks else {})
        return None


class FlowTable:
    """The steps of a match's frames by name, with the edition's replacements applied.

    ``overlay`` maps ``(frame name, step name)`` to a replacing :class:`Step`.
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
        """The same steps with something around the function of each: ``wrap(frame, step, function)``."""
        twin = FlowTable(())
        twin.frames = self.frames
        for cls, (first, steps) in self.info.items():
            twin.info[cls] = (
                first,
                {name: (wrap(cls.__name__, name, fn), *rest) for name, (fn, *rest) in steps.items()},
            )
        return twin


__all__ = ["END", "Ask", "Call", "Flow", "FlowTable", "Frame", "Goto", "Interlude", "Step", "goto", "rule", "step"]
