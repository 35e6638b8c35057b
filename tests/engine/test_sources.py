"""Static checks of rules code: it writes only by verbs, and depends on nothing but its inputs."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import landsraad_engine

ENGINE = Path(next(iter(landsraad_engine.__path__)))

#: The only modules that touch the table or the state themselves, and why.
WRITERS: Mapping[str, str] = {
    "kernel/verbs.py": "the verbs are what writes",
    "kernel/state.py": "the state is made and copied here",
    "kernel/execution.py": "runs the stack and the open question",
    "kernel/frames.py": "tries on a copy whether a question is still put",
    "kernel/overrides.py": "names the rule of what happens at a moment",
    "knowledge/worlds.py": "builds a sampled state from a view",
    "kernel/snapshots.py": "drops the events of a question that is put again",
    "play/match_core.py": "takes what has happened, and brings in what was played elsewhere",
}

#: Modules that do not play: what bots, samplers, reports and checks need.
NO_RULES = {
    "bot.py", "coverage.py", "crosschecks.py", "domains.py", "grammar.py", "invariants.py", "rulebook.py",
    "self_play.py", "world.py", "worlds.py",
}  # fmt: skip

#: Functions that go through a set or the table and do not care for its order, and why.
ORDERLESS: Mapping[tuple[str, str], str] = {
    ("arrakis/words.py", "survey"): "adds up flags",
    ("checks/conservation.py", "misplaced"): "counts",
    ("dune/shared_territories.py", "unsettled"): "counts",
    ("knowledge/information.py", "shown_faces"): "makes a mapping that is compared key by key",
    ("kernel/constraints.py", "of"): "a term's own table is a tuple of pairs",
}

#: Dictionaries and lists of the state that rules code may read and never change.
_STATE = {"table", "stack", "events", "dirty", "eyes", "sides", "hooks"}
_CHANGING = {
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update",
    "__delitem__", "__setitem__",
}  # fmt: skip

#: What an expression may do to a set without caring for its order.
_ORDERLESS = {"all", "any", "bool", "frozenset", "len", "max", "min", "set", "sorted", "sum"}
_ITERATING = {"dict", "enumerate", "iter", "list", "map", "next", "reversed", "tuple", "zip"}


def modules() -> dict[str, ast.Module]:
    """Return the engine's modules by their path, without those for tests."""
    files = [file for file in sorted(ENGINE.rglob("*.py")) if file.relative_to(ENGINE).parts[0] != "testing"]
    return {file.relative_to(ENGINE).as_posix(): ast.parse(file.read_bytes()) for file in files}


def rules_modules() -> dict[str, ast.Module]:
    """Return the modules that play: the games, and most of the kernel."""
    return {
        path: tree
        for path, tree in modules().items()
        if Path(path).name not in NO_RULES and not path.startswith(("content/", "rules/"))
    }


# ---- Writing past the verbs ----


def _state_part(node: ast.AST) -> bool:
    """Return True if an expression is a part of the state: ``g.table``, or ``table`` as its alias."""
    return (isinstance(node, ast.Attribute) and node.attr in _STATE) or (
        isinstance(node, ast.Name) and node.id == "table"
    )


def writes(tree: ast.AST) -> Iterator[str]:
    """Yield the lines that change a part of the state or set an attribute of it."""
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            for part in ast.walk(target):
                subscript = isinstance(part, ast.Subscript) and _state_part(part.value)
                attribute = (
                    isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "g"
                )
                if isinstance(getattr(part, "ctx", None), ast.Store | ast.Del) and (subscript or attribute):
                    yield f"{target.lineno}: {ast.unparse(part)} is written"
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _CHANGING
            and _state_part(node.func.value)
        ):
            yield f"{node.lineno}: {ast.unparse(node.func)} is called"


def test_only_verbs_and_the_kernel_write_to_the_state() -> None:
    found = {path: list(writes(tree)) for path, tree in modules().items() if path not in WRITERS}
    assert len(found) > 20
    assert {path: hits for path, hits in found.items() if hits} == {}


def test_every_exemption_is_needed() -> None:
    trees = modules()
    assert [path for path in WRITERS if not list(writes(trees[path]))] == []


@pytest.mark.parametrize(
    "source",
    [
        "g.table['spice'] = 3",
        "g.table['spice'] += 3",
        "del g.table['spice']",
        "table = g.table\ntable['spice'] = 3",
        "self.table.pop('spice', None)",
        "f.g.table.update(spice=3)",
        "table.setdefault('spice', 0)",
        "g.table['a'], x = 1, 2",
        "g.stack.append(Frame())",
        "g.events.clear()",
        "g.eyes['hand'] = 1",
        "g.rule = 'R-1'",
        "g.ask = None",
    ],
)
def test_a_write_past_the_verbs_is_found(source: str) -> None:
    assert len(list(writes(ast.parse(source)))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "x = g.table['spice']",
        "table = g.table",
        "f.round += 1",
        "options['a'] = 1",
        "x = table.get('spice', 0)",
        "g.set_mark('a', 1)",
    ],
)
def test_reading_is_no_writing(source: str) -> None:
    assert list(writes(ast.parse(source))) == []


# ---- Depending on more than the inputs ----


def _is_set(node: ast.AST, sets: set[str]) -> bool:
    """Return True if an expression is recognizably a set."""
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Name(id=name):
            return name in sets
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
            return _is_set(left, sets) or _is_set(right, sets)
    return False


def _is_table(node: ast.AST) -> bool:
    """Return True if an expression iterates over the table, whose order differs after a snapshot."""
    match node:
        case ast.Attribute(attr="table"):
            return True
        case ast.Call(func=ast.Attribute(attr="items" | "keys" | "values", value=ast.Attribute(attr="table"))):
            return True
    return False


def disordered(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the code that depends on the order of a set or of the table, with its function (empty: the module)."""
    scopes: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for scope in scopes or [tree]:
        sets = {
            target.id
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign) and _is_set(node.value, set())
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(scope):
            for expression in _iterated(node):
                if (_is_set(expression, sets) or _is_table(expression)) and not _harmless(scope, node):
                    name = scope.name if isinstance(scope, ast.FunctionDef) else ""
                    yield name, f"{expression.lineno}: the order of {ast.unparse(expression)}"


def _iterated(node: ast.AST) -> list[ast.expr]:
    """Return the expressions that an expression or statement iterates over in order."""
    match node:
        case ast.For(iter=iterable) | ast.comprehension(iter=iterable) | ast.Starred(value=iterable):
            return [iterable]
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _ITERATING:
            return arguments
        case ast.Call(func=ast.Attribute(attr="join"), args=arguments):
            return arguments
    return []


def inconstant(tree: ast.AST) -> Iterator[str]:
    """Yield the uses of floats, hashes and foreign random numbers."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=float() | complex()):
                yield f"{node.lineno}: a float"
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                yield f"{node.lineno}: a division that makes a float"
            case ast.Call(func=ast.Name(id="float" | "hash" | "id" | "Random" as name)):
                yield f"{node.lineno}: {name}()"
            case ast.Import(names=names) if any(alias.name in ("random", "math") for alias in names):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.ImportFrom(module="random", names=names) if [alias.name for alias in names] != ["Random"]:
                yield f"{node.lineno}: {ast.unparse(node)}"


def _harmless(scope: ast.AST, node: ast.AST) -> bool:
    """Return True if an iteration directly feeds a result without an order."""
    for outer in ast.walk(scope):
        if isinstance(outer, ast.SetComp) and node in outer.generators:
            return True
        if isinstance(outer, ast.Set) and node in outer.elts:
            return True
        if isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name) and outer.func.id in _ORDERLESS:
            for argument in outer.args:
                if isinstance(argument, ast.GeneratorExp | ast.ListComp) and node in argument.generators:
                    return True
    return False


def test_rules_depend_on_their_inputs_alone() -> None:
    found = {path: list(inconstant(tree)) for path, tree in rules_modules().items()}
    assert len(found) > 20
    assert {path: hits for path, hits in found.items() if hits} == {}


def test_rules_do_not_depend_on_the_order_of_a_set_or_of_the_table() -> None:
    found = {(path, name, hit) for path, tree in rules_modules().items() for name, hit in disordered(tree)}
    assert sorted(hit for hit in found if hit[:2] not in ORDERLESS) == []
    assert set(ORDERLESS) <= {hit[:2] for hit in found}, "an exemption that nothing needs"


@pytest.mark.parametrize(
    "source",
    [
        "half = 0.5",
        "half = spice / 2",
        "spice /= 2",
        "half = float(spice)",
        "key = hash(card)",
        "key = id(card)",
        "import random",
        "from random import shuffle",
        "rng = Random(3)",
        "for card in {'a', 'b'}: pass",
        "for card in set(hand): pass",
        "def f(hand):\n    cards = set(hand)\n    for card in cards: pass",
        "def f(hand):\n    cards = set(hand)\n    return tuple(cards)",
        "cards = [card for card in set(a) - set(b)]",
        "first = next(iter({card for card in hand}))",
        "words = ', '.join({'a', 'b'})",
        "cards = (*{1, 2}, 3)",
        "for key in g.table: pass",
        "keys = [key for key, value in g.table.items()]",
        "total = dict(g.table)",
    ],
)
def test_what_depends_on_more_is_found(source: str) -> None:
    tree = ast.parse(source)
    assert [*inconstant(tree), *disordered(tree)]


@pytest.mark.parametrize(
    "source",
    [
        "half = spice // 2",
        "for card in sorted(set(hand)): pass",
        "n = len({card for card in hand})",
        "found = card in {'a', 'b'}",
        "total = sum(g.table[key] for key in keys)",
        "poor = any(spice < 2 for spice in {1, 2})",
        "names = tuple(sorted({*now, name}))",
        "names = {card for card in set(hand)}",
        "for card in dict.fromkeys(hand): pass",
        "from random import Random",
    ],
)
def test_what_does_not_is_left_alone(source: str) -> None:
    tree = ast.parse(source)
    assert [*inconstant(tree), *disordered(tree)] == []
