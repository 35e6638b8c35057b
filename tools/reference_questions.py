"""The questions of a game, read from the sources of its frames: which rule asks, and with which acts one may answer.

A question is an `Ask` that a step of a frame returns. The step, and the functions that it calls, name the rule
(`why=...`) and the acts (`Choice(Act, ...)`). The table of a game can therefore list a question that no match of a test
has reached. tests/repo/test_reference.py compares it with questions of real matches.
"""

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import FunctionType, ModuleType
from typing import Any

from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.frames import Frame, Step
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.kernel.plays import open_plays

RULE_ID = re.compile(r"[A-Z]+-[0-9A-Z]+\.[0-9]+")
#: Calls that make a question, with how it is answered.
ASKS: Mapping[str, str] = {
    "one": "one seat",
    "any_of": "partners, first answer",
    "any_with": "partners, first answer",
    "sealed": "sealed",
    "quiet": "window",
    "elective": "partners, first answer",
}


#: Acts that do nothing come last.
LEAVING_IT = frozenset({"Pass", "Done"})
#: Acts that a step only tries out, to learn whether something could be done; they do not answer its question.
TRIED_OUT: Mapping[tuple[str, str], frozenset[str]] = {
    ("ShipmentPhase", "choose"): frozenset({"Manoeuvre"}),
    ("MoveOrAttack", "choose"): frozenset({"MoveLegion", "Attack"}),
}
_PLAIN = (bool, int, str, "bool", "int", "str")


@dataclass(frozen=True, slots=True)
class Question:
    """One question: the step that puts it, the rules that it may name, how it is put, and the acts that answer it."""

    frame: str
    step: str
    rules: tuple[str, ...]
    mode: str
    acts: tuple[str, ...]
    #: the rule depends on the ability that is in use
    any_rule: bool = False
    #: editions whose own step this is; empty for the step of all others
    editions: tuple[str, ...] = ()


@dataclass(slots=True)
class _Found:
    """Rules, modes and acts found by a walk through the sources."""

    rules: list[str]
    modes: list[str]
    acts: list[str]
    open_rule: bool = False


def questions(game: Game) -> list[Question]:
    """Return every question of a game, in the order of its frames, then those of editions that replace steps."""
    found = [
        _question(game, frame, name, step)
        for frame in game.frames
        for name, step in frame.STEPS.items()
        if step.handler is not None
    ]
    frames = {frame.__name__: frame for frame in game.frames}
    replaced: dict[Step, tuple[str, str, list[str]]] = {}
    for edition, overlay in overlays(game):
        for (frame_name, name), step in overlay.items():
            if step.handler is not None:
                replaced.setdefault(step, (frame_name, name, []))[2].append(edition)
    for step, (frame_name, name, editions) in replaced.items():
        found.append(_question(game, frames[frame_name], name, step, tuple(dict.fromkeys(editions))))
    return found


def overlays(game: Game) -> Iterator[tuple[str, Mapping[tuple[str, str], Step]]]:
    """Yield the replaced steps of each combination of options that has any, with the first of these options."""
    for options in _all_options(game):
        overlay = game.overlay(options)
        if overlay:
            yield str(next(iter(options.values()))), overlay


def _all_options(game: Game) -> Iterator[Mapping[str, Any]]:
    """Yield every combination of the options that have a few values."""
    specs = [spec for spec in game.option_specs if spec.values or type(spec.default) is bool]
    for values in product(*(spec.values or (False, True) for spec in specs)):
        given = {spec.name: value for spec, value in zip(specs, values, strict=True) if value != spec.default}
        try:
            yield game.parse_options(given, game.default_seats)
        except BadOption:
            continue


def _package(game: Game) -> str:
    return type(game).__module__.rpartition(".")[0]


def _question(game: Game, frame: type[Frame], name: str, step: Step, editions: tuple[str, ...] = ()) -> Question:
    found = _Found([], [], [])
    _walk(step.fn, frame, game, found, set())
    rules = found.rules
    any_rule = False
    if found.open_rule:
        # The rule of an ability, or one that the step passes on.
        ability = vars(frame).get("ability", getattr(frame, "ability", None))
        if hasattr(ability, "rule"):
            rules = [ability.rule]
        elif ability is not None:
            rules, any_rule = [], True
        else:
            rules = [*rules, *RULE_ID.findall(_source(step.fn).partition("def ")[2])]
    handled = _annotated(step.handler) if step.handler is not None else ()
    acts = {*found.acts, *handled} - TRIED_OUT.get((frame.__name__, name), frozenset())
    order = {act.__name__: at for at, act in enumerate(game.acts)}
    modes = list(dict.fromkeys(found.modes))
    return Question(
        frame.__name__,
        name,
        tuple(dict.fromkeys(rules or ([] if any_rule else [step.rule]))),
        " or ".join(modes) or "one seat",
        tuple(sorted(acts & order.keys(), key=lambda act: (act in LEAVING_IT, order[act]))),
        any_rule,
        editions,
    )


def _annotated(handler: Callable[..., Any]) -> Iterator[str]:
    """Yield the names in a handler's annotations: `act: Continue | Cease`."""
    for annotation in inspect.get_annotations(handler).values():
        yield from re.findall(r"\w+", str(annotation))


def _walk(fn: Any, frame: type[Frame], game: Game, found: _Found, seen: set[Any]) -> None:
    """Collect what a function and those that it calls say about a question."""
    fn = inspect.unwrap(getattr(fn, "__func__", fn))
    if not isinstance(fn, FunctionType) or fn in seen or not fn.__module__.startswith(_package(game)):
        return
    seen.add(fn)
    if fn.__annotations__.get("return") in _PLAIN:
        return  # it checks something: the choices that it makes are not those of the question
    space = fn.__globals__
    for node in ast.walk(_tree(fn)):
        if isinstance(node, ast.Call):
            _call(node, space, frame, game, found, seen)
        elif isinstance(node, ast.Name | ast.Attribute):
            _constant(_resolve(node, space, frame), found)


def _call(
    node: ast.Call, space: Mapping[str, Any], frame: type[Frame], game: Game, found: _Found, seen: set[Any]
) -> None:
    called = _resolve(node.func, space, frame)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    asks = name in ASKS and ("Ask." in ast.unparse(node.func) or name == "elective")
    if asks:
        found.modes.append(ASKS[name])
        why = next((keyword.value for keyword in node.keywords if keyword.arg == "why"), None)
        if isinstance(why, ast.Constant):
            found.rules.append(str(why.value))
        elif isinstance(why, ast.IfExp):
            found.rules += RULE_ID.findall(ast.unparse(why))
        else:
            found.open_rule = True
    if called is not isinstance:
        given = [_resolve(argument, space, frame) for argument in node.args]
        found.acts += [kind.__name__ for kind in given if isinstance(kind, type) and issubclass(kind, Act)]
    if called is open_plays:
        found.acts += [play.act.__name__ for play in game.out_of_turn if play.kind]
    if name == "query" and node.args:
        for hook in _hooks(game).get(ast.unparse(node.args[0]).rpartition(".")[2], ()):
            _walk(hook, frame, game, found, seen)
    elif callable(called):
        _walk(called, frame, game, found, seen)


@lru_cache(maxsize=8)
def _hooks(game: Game) -> Mapping[str, tuple[Any, ...]]:
    """Return the functions that modify the answer to each query, from the sources of all options."""
    found: dict[str, dict[Any, None]] = {}
    for options in _all_options(game):
        for source in game.sources(options):
            for table, name, _, fn in source.entries:
                if table == "modifies":
                    found.setdefault(name.name, {})[fn] = None
    return {name: tuple(fns) for name, fns in found.items()}


def _constant(value: Any, found: _Found) -> None:
    """Collect the acts of choices that are made once."""
    if isinstance(value, Choice):
        found.acts.append(value.act.__name__)
    elif isinstance(value, Options):
        found.acts += [choice.act.__name__ for choice in value.choices]


def _resolve(node: ast.expr, space: Mapping[str, Any], frame: type[Frame]) -> Any:
    """Return the value of a name, an attribute of a module, or a method of the frame; None for anything else."""
    if isinstance(node, ast.Name):
        return space.get(node.id, vars(builtins).get(node.id))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == "f":
            found = inspect.getattr_static(frame, node.attr, None)
            return found.fget if isinstance(found, property) else found
        owner = space.get(node.value.id)
        if isinstance(owner, ModuleType):
            return getattr(owner, node.attr, None)
    return None


def _source(fn: Any) -> str:
    return inspect.getsource(fn)


@lru_cache(maxsize=4096)
def _tree(fn: FunctionType) -> ast.AST:
    return ast.parse(textwrap.dedent(_source(fn)))
