"""Acts of whole matches, composed step by step: each legal act is reachable, and each step leads to a legal act."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import pytest

from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.dune.game import DUNE
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, NextValues, Options, Subset
from landsraad_engine.teaching.game import TEACHING

QuestionsOf: TypeAlias = Callable[[Game, int, str], list[Options]]
Chosen: TypeAlias = dict[str, Any]

GAMES = [
    pytest.param(TEACHING, (2, 3, 4), id="teaching"),
    pytest.param(DUNE, (2, 3, 4, 5, 6), id="dune"),
    pytest.param(ARRAKIS, (2,), id="arrakis"),
]


def retrace(options: Options, act: Act) -> list[tuple[Chosen, NextValues]]:
    """Compose a given act; return the steps."""
    chosen: Chosen = {}
    partial: tuple[Any, ...] = ()
    steps = []
    while (step := options.next_values(type(act), chosen, partial)) is not None:
        steps.append((dict(chosen), step))
        value = getattr(act, step.field)
        if not step.compound:
            assert step.values.has(value), f"{value} is not offered in {step}"
            chosen[step.field] = value
        elif len(partial) == len(value):
            assert step.finished, f"{step} cannot be {value}"
            assert step.partial == value
            chosen[step.field], partial = step.partial, ()
        else:
            element = value[len(partial)]
            assert step.values.has(element), f"{element} is not offered in {step}"
            partial = (*partial, element)
    assert type(act)(**chosen) == act
    return steps


def finish(options: Options, kind: type[Act], chosen: Chosen, partial: tuple[Any, ...], rng: Random) -> Act:
    """Complete an act by random values of those offered."""
    chosen = dict(chosen)
    while (step := options.next_values(kind, chosen, partial)) is not None:
        offered = list(step.values.values())
        assert offered or step.finished, f"{kind.__name__} {chosen} {partial} cannot be completed"
        if not step.compound:
            chosen[step.field] = rng.choice(offered)
        elif step.finished and (not offered or rng.random() < 0.3):
            chosen[step.field], partial = step.partial, ()
        else:
            partial = (*step.partial, rng.choice(offered))
    return kind(**chosen)


def check(options: Options, rng: Random) -> None:
    """Check the steps of a sampled act, and of one act of each type."""
    act = options.sample_kind(rng)
    steps = retrace(options, act)
    for chosen, step in rng.sample(steps, min(2, len(steps))):
        offered = list(step.values.values())
        for value in rng.sample(offered, min(3, len(offered))):
            if step.compound:
                done = finish(options, type(act), chosen, (*step.partial, value), rng)
            else:
                done = finish(options, type(act), {**chosen, step.field: value}, (), rng)
            assert options.contains(done), f"{done} was composed, but is illegal"
        if step.finished:
            done = finish(options, type(act), {**chosen, step.field: step.partial}, (), rng)
            assert options.contains(done), f"{done} was composed, but is illegal"
    if options.count(limit=401) <= 400:
        listed = [other for other in options.enumerate() if type(other) is type(act)]
        for chosen, step in steps:
            compare(options, type(act), listed, chosen, step)


def compare(options: Options, kind: type[Act], listed: list[Act], chosen: Chosen, step: NextValues) -> None:
    """Check that a step offers exactly the values, or elements, that occur in the list of all legal acts."""
    left = [act for act in listed if all(getattr(act, name) == value for name, value in chosen.items())]
    values = {getattr(act, step.field) for act in left}
    if step.compound:
        assert step.finished == (step.partial in values)
        domains = [choice.domain(step.field) for choice in options.choices if choice.act is kind]
        size = len(step.partial)
        if any(isinstance(domain, Subset) for domain in domains):
            rest = [
                Counter(value) - Counter(step.partial) for value in values if Counter(step.partial) <= Counter(value)
            ]
            values = {element for elements in rest for element in elements}
        else:
            values = {value[size] for value in values if len(value) > size and value[:size] == step.partial}
    assert set(step.values.values()) == values


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_questions_of_random_matches_are_composed(
    questions_of: QuestionsOf, game: Game, seats: tuple[int, ...]
) -> None:
    """Every twelfth question of twelve matches of each game."""
    rng = Random(5)
    for number in range(12):
        found = questions_of(game, seats[number % len(seats)], f"composed {number}")
        assert found
        for options in found[number::12]:
            check(options, rng)


@pytest.mark.long
@pytest.mark.parametrize("first", [0, 23, 46])
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_all_questions_of_many_random_matches_are_composed(
    questions_of: QuestionsOf, game: Game, seats: tuple[int, ...], first: int
) -> None:
    """All questions of more than 200 matches of the three games."""
    rng = Random(first)
    for number in range(first, first + 23):
        found = questions_of(game, seats[number % len(seats)], f"many {number}")
        assert found
        for options in found:
            check(options, rng)
