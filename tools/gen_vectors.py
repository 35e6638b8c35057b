"""Generate the test vectors of the protocol from the engine: proto/vectors/grammar.json and fold.json.

    python tools/gen_vectors.py [--check]

The grammar vectors are made of small handwritten questions and of those of a match of Wells and Worms; the fold
vectors of the logs of that match and of one in which every verb occurs. A change of these files means that the engine's
output has changed: review it.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

import vector_cases
import vector_verbs
from landsraad.v1 import act_pb2, ask_pb2, log_pb2, value_pb2
from landsraad.v1.catalog_pb2 import Graph, GraphArea
from landsraad.v1.value_pb2 import NamedValue
from landsraad.vectors.v1 import vectors_pb2
from landsraad.wire.acts import ActCodec
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries, write_observation
from landsraad.wire.grammar import write_options
from landsraad.wire.tables import layout_message
from landsraad.wire.values import write_value
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.domains import GRAPHS, Subset
from landsraad_engine.kernel.grammar import Act, NextValues, Options
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.game import TEACHING

VECTORS = Path(__file__).resolve().parent.parent / "proto" / "vectors"
#: Limits for each vector: legal acts, illegal acts with a value of a wrong type, acts that are nearly legal.
MAX_LEGAL = 40
MAX_WRONG_TYPE = 12
MAX_NEARLY_LEGAL = 40
#: Acts of each vector that are composed, and the steps that are kept of them.
MAX_COMPOSED, MAX_STEPS = 8, 16
SEED = 5
#: Log entries of the random match between two observations.
OBSERVE_EVERY = 12
#: Values put into the fields of legal acts to make them illegal.
WRONG_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    4,
    99,
    "",
    "a",
    "zz",
    (),
    (0,),
    ("a",),
    ("b", "a"),
    ("q", "q"),
    (1, 1, 1),
)


def play_match() -> tuple[Match, list[Options]]:
    """Play a random match of Wells and Worms with out-of-turn plays; return it and the questions put in it."""
    match = Match(TEACHING, 3, {"rounds": 2}, secret=b"vectors", name="vectors")
    rng = Random(SEED)
    asked = []
    while (ask := match.g.ask) is not None:
        seat = match.waiting[0]
        options = ask.options[seat]
        asked.append(options)
        for other in range(match.seats):
            plays = execution.plays(match.g, other)
            if plays.choices and rng.random() < 0.1:
                match.submit(other, plays.sample(rng))
                break
        else:
            match.submit(seat, options.sample_kind(rng))
    return match, asked


def grammar(asked: Iterable[Options]) -> vectors_pb2.GrammarVectors:
    """Return the vectors of the handwritten questions, and of the largest of each kind put in the match."""
    cases = dict(vector_cases.CASES)
    largest: dict[str, Options] = {}
    for options in asked:
        name = f"Wells and Worms: {', '.join(sorted({choice.act.__name__ for choice in options.choices}))}"
        if name not in largest or options.count() > largest[name].count():
            largest[name] = options
    kinds = {kind for options in cases.values() for kind in (choice.act for choice in options.choices)}
    codec = ActCodec("", [*kinds, *TEACHING.acts])
    graph = GRAPHS[vector_cases.SQUARE]
    areas = [GraphArea(id=area, neighbours=near) for area, near in graph.items()]
    vectors = [
        grammar_vector(name, options, codec) for name, options in (cases | dict(sorted(largest.items()))).items()
    ]
    return vectors_pb2.GrammarVectors(graphs=[Graph(name=vector_cases.SQUARE, areas=areas)], vectors=vectors)


def grammar_vector(name: str, options: Options, codec: ActCodec) -> vectors_pb2.GrammarVector:
    """Return the vector of one question, with legal and illegal acts."""

    def generic(act: Act) -> act_pb2.GenericAct:
        return act_pb2.Act.FromString(codec.write(execution.plain(act))).generic

    legal = list(options.enumerate())
    return vectors_pb2.GrammarVector(
        name=name,
        options=ask_pb2.Options.FromString(write_options(options.plain())),
        count=len(legal),
        legal=map(generic, legal[:MAX_LEGAL]),
        illegal=map(generic, illegal(legal, options)),
        steps=steps(legal, options),
    )


def steps(legal: list[Act], options: Options) -> list[vectors_pb2.NextValues]:
    """Return what is offered when some of the legal acts are composed, and after a choice that leads to none."""
    rng = Random(SEED)
    found: dict[bytes, vectors_pb2.NextValues] = {}
    for act in rng.sample(legal, min(MAX_COMPOSED, len(legal))):
        for step in composed(act, options):
            found.setdefault(step.SerializeToString(deterministic=True), step)
    kept = list(found.values())
    rng.shuffle(kept)
    return [*kept[:MAX_STEPS], *dead_ends(options)]


def dead_ends(options: Options) -> Iterator[vectors_pb2.NextValues]:
    """Yield a step after a value that no act has: nothing can follow."""
    kind, names = next((choice.act, choice.names) for choice in options.choices)
    if len(names) > 1:
        step = options.next_values(kind, {names[0]: "zz"})
        assert step is not None
        yield step_vector(kind, {names[0]: "zz"}, step)


def composed(act: Act, options: Options) -> Iterator[vectors_pb2.NextValues]:
    """Compose an act, and yield each step. The elements of a subset come in another order than the sorted one."""
    kind = type(act)
    chosen: dict[str, Any] = {}
    partial: tuple[Any, ...] = ()
    domains = [choice.domain(name) for choice in options.choices if choice.act is kind for name in choice.names]
    while (step := options.next_values(kind, chosen, partial)) is not None:
        yield step_vector(kind, chosen, step)
        value = getattr(act, step.field)
        if not step.compound:
            chosen[step.field] = value
            continue
        if any(isinstance(domain, Subset) and domain.has(value) for domain in domains):
            value = (*value[1:], *value[:1])
        if len(partial) == len(value):
            chosen[step.field], partial = step.partial, ()
        else:
            partial = (*partial, value[len(partial)])


def step_vector(kind: type[Act], chosen: Mapping[str, Any], step: NextValues) -> vectors_pb2.NextValues:
    """Return the vector of one step."""
    return vectors_pb2.NextValues(
        act=kind.__name__,
        chosen=[NamedValue(name=name, value=as_value(value)) for name, value in chosen.items()],
        field=step.field,
        compound=step.compound,
        partial=map(as_value, step.partial),
        values=map(as_value, step.values.values()),
        finished=step.finished,
    )


def as_value(value: Any) -> value_pb2.Value:
    """Return a plain value as a message."""
    return value_pb2.Value.FromString(write_value(value))


def illegal(legal: list[Act], options: Options) -> list[Act]:
    """Return acts that a careless reader would accept: with a value of a wrong type, or nearly legal."""
    few = legal[:: max(1, len(legal) // 4)]
    wrong_type = dict(islice(made_illegal(few, options, lambda _: WRONG_VALUES), MAX_WRONG_TYPE))
    values = {value: None for act in legal for value in msgspec.structs.astuple(act)}
    known = [*GRAPHS[vector_cases.SQUARE], *values, *(item for value in values for item in items(value))]
    nearly = dict(made_illegal(legal, options, lambda value: near(value, known)))
    drawn = sorted(nearly.keys() - wrong_type.keys())
    Random(SEED).shuffle(drawn)
    return [*wrong_type.values(), *(nearly[name] for name in drawn[:MAX_NEARLY_LEGAL])]


def made_illegal(
    legal: list[Act], options: Options, others: Callable[[Any], Iterable[Any]]
) -> Iterator[tuple[str, Act]]:
    """Yield illegal acts that differ from a legal one in a single field, each with its repr."""
    for act in legal:
        for name in act.__struct_fields__:
            for other in others(getattr(act, name)):
                changed = msgspec.structs.replace(act, **{name: other})
                if not options.contains(changed):
                    yield repr(changed), changed


def items(value: Any) -> tuple[Any, ...]:
    """Return the items of a list value, and none of other values."""
    return value if isinstance(value, tuple) else ()


def near(value: Any, known: Iterable[Any]) -> Iterator[Any]:
    """Yield values close to a value.

    For a number its neighbours and an equal flag, for a flag its number, for a text the other known texts, for a list
    those with one item removed, replaced or added.
    """
    match value:
        case bool():
            yield int(value)
        case int():
            yield from (value - 1, value + 1)
            if value in (0, 1):
                yield bool(value)
        case str():
            yield from (text for text in known if isinstance(text, str))
        case tuple():
            yield value[::-1]
            for n, item in enumerate(value):
                yield (*value[:n], *value[n + 1 :])
                for other in near(item, known):
                    yield (*value[:n], other, *value[n + 1 :])
                    yield (*value, other)


def folds(match: Match) -> vectors_pb2.FoldVectors:
    """Return the vectors of a seat's and the spectators' logs: of the random match, and of one with every verb."""
    logs = (("Wells and Worms", match, OBSERVE_EVERY), ("every verb", vector_verbs.every_verb(), 1))
    return vectors_pb2.FoldVectors(
        vectors=[
            fold_vector(f"{name}: {'spectators' if seat is None else f'seat {seat}'}", logged, seat, every)
            for name, logged, every in logs
            for seat in (1, None)
        ]
    )


def fold_vector(name: str, match: Match, seat: int | None, every: int) -> vectors_pb2.FoldVector:
    """Return the vector of one log, with an observation after every ``every`` entries."""
    codec = codec_for(TEACHING)
    layout, log = match.g.setting.layout, match.log(seat)
    fold = Fold(layout, seat)
    observations = []
    for number, entry in enumerate(log, 1):
        fold.add([entry])
        if number % every == 0 or number == len(log):
            encoded = write_observation(fold.view, match="", number=number)
            observations.append(log_pb2.Observation.FromString(encoded))
    return vectors_pb2.FoldVector(
        name=name,
        layout=layout_message(layout),
        seat=seat,
        entries=log_pb2.Entries.FromString(write_entries(1, codec.numbered_entries(1, log))),
        observations=observations,
    )


def as_json(message: Message) -> str:
    """Return a message in protobuf's JSON form, one line for each vector."""
    parts = []
    for name, value in MessageToDict(message).items():
        rows = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in value)
        parts.append(f'"{name}": [\n{rows}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def files() -> dict[Path, str]:
    """Return the expected text of both files."""
    match, asked = play_match()
    return {VECTORS / "grammar.json": as_json(grammar(asked)), VECTORS / "fold.json": as_json(folds(match))}


def main() -> int:
    """Write the files, or with --check report the stale ones."""
    check = "--check" in sys.argv[1:]
    stale = [(path, text) for path, text in files().items() if not path.exists() or path.read_text() != text]
    for path, text in stale:
        if not check:
            path.write_text(text)
        print(f"{'stale: run `make proto`' if check else 'written'}: proto/vectors/{path.name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
