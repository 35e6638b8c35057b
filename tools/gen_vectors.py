"""Write the test vectors of the protocol from the engine: proto/vectors/grammar.json and fold.json.

    python tools/gen_vectors.py [--check]

Grammar: small questions of our own, and those of a match of Wells and Worms. Fold: logs of that match, and of one in
which every verb occurs. They change when the engine says something else, and that is for a person to see.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

import vector_cases
import vector_verbs
from landsraad.v1 import act_pb2, ask_pb2, log_pb2
from landsraad.v1.catalog_pb2 import Graph, GraphArea
from landsraad.vectors.v1 import vectors_pb2
from landsraad.wire.acts import ActCodec
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries, write_observation
from landsraad.wire.grammar import write_options
from landsraad.wire.tables import layout_message
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.domains import GRAPHS
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.game import TEACHING

VECTORS = Path(__file__).resolve().parent.parent / "proto" / "vectors"
MOST_LISTED = 40
#: So many illegal acts with a value of another kind, and so many that nearly are legal.
MOST_STRANGE = 12
MOST_NEAR = 40
SEED = 5
#: In a match that was played a view is stated after every so many entries.
OBSERVED = 12
#: What is put into fields of legal acts to make illegal ones.
WRONG: tuple[Any, ...] = (
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


def played() -> tuple[Match, list[Options]]:
    """A match of Wells and Worms, played at random with out-of-turn plays; and the questions that were put in it."""
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
    """Our own questions, and the largest of each kind of those that were put."""
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
    """One question, with acts that it contains and acts that it does not."""

    def generic(act: Act) -> act_pb2.GenericAct:
        return act_pb2.Act.FromString(codec.write(execution.plain(act))).generic

    legal = list(options.enumerate())
    return vectors_pb2.GrammarVector(
        name=name,
        options=ask_pb2.Options.FromString(write_options(options.plain())),
        count=len(legal),
        legal=map(generic, legal[:MOST_LISTED]),
        illegal=map(generic, illegal(legal, options)),
    )


def illegal(legal: list[Act], options: Options) -> list[Act]:
    """Acts that a careless reading would take: some with a value of another kind, and some that nearly are legal."""
    few = legal[:: max(1, len(legal) // 4)]
    strange = dict(islice(spoilt(few, options, lambda _: WRONG), MOST_STRANGE))
    values = {value: None for act in legal for value in msgspec.structs.astuple(act)}
    things = [*GRAPHS[vector_cases.SQUARE], *values, *(item for value in values for item in items(value))]
    close = dict(spoilt(legal, options, lambda value: near(value, things)))
    drawn = sorted(close.keys() - strange.keys())
    Random(SEED).shuffle(drawn)
    return [*strange.values(), *(close[name] for name in drawn[:MOST_NEAR])]


def spoilt(legal: list[Act], options: Options, others: Callable[[Any], Iterable[Any]]) -> Iterator[tuple[str, Act]]:
    """Legal acts with another value in one field, as far as that makes them illegal, by how they are written."""
    for act in legal:
        for name in act.__struct_fields__:
            for other in others(getattr(act, name)):
                spoilt = msgspec.structs.replace(act, **{name: other})
                if not options.contains(spoilt):
                    yield repr(spoilt), spoilt


def items(value: Any) -> tuple[Any, ...]:
    """What a list holds."""
    return value if isinstance(value, tuple) else ()


def near(value: Any, things: Iterable[Any]) -> Iterator[Any]:
    """Values beside one: the next numbers; another text; a flag for its number; a list with one item more, less, or
    another.
    """
    match value:
        case bool():
            yield int(value)
        case int():
            yield from (value - 1, value + 1)
            if value in (0, 1):
                yield bool(value)
        case str():
            yield from (thing for thing in things if isinstance(thing, str))
        case tuple():
            yield value[::-1]
            for n, item in enumerate(value):
                yield (*value[:n], *value[n + 1 :])
                for other in near(item, things):
                    yield (*value[:n], other, *value[n + 1 :])
                    yield (*value, other)


def folds(match: Match) -> vectors_pb2.FoldVectors:
    """The logs of a seat and of the spectators, in a match and with every verb."""
    logs = (("Wells and Worms", match, OBSERVED), ("every verb", vector_verbs.every_verb(), 1))
    return vectors_pb2.FoldVectors(
        vectors=[
            fold_vector(f"{what}: {'spectators' if seat is None else f'seat {seat}'}", told, seat, every)
            for what, told, every in logs
            for seat in (1, None)
        ]
    )


def fold_vector(name: str, match: Match, seat: int | None, every: int) -> vectors_pb2.FoldVector:
    """One log, with what is known after every so many entries of it."""
    codec = codec_for(TEACHING)
    layout, log = match.g.setting.layout, match.log(seat)
    fold = Fold(layout, seat)
    observations = []
    for number, entry in enumerate(log, 1):
        fold.add([entry])
        if number % every == 0 or number == len(log):
            image = write_observation(fold.view, match="", number=number)
            observations.append(log_pb2.Observation.FromString(image))
    return vectors_pb2.FoldVector(
        name=name,
        layout=layout_message(layout),
        seat=seat,
        entries=log_pb2.Entries.FromString(write_entries(1, list(map(codec.entry, log)))),
        observations=observations,
    )


def written(message: Message) -> str:
    """A message in protobuf's JSON form, one line for each vector."""
    parts = []
    for name, value in MessageToDict(message).items():
        rows = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in value)
        parts.append(f'"{name}": [\n{rows}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def files() -> dict[Path, str]:
    """Both files, as they should be."""
    match, asked = played()
    return {VECTORS / "grammar.json": written(grammar(asked)), VECTORS / "fold.json": written(folds(match))}


def main() -> int:
    """Write the files, or with --check say which are not up to date."""
    check = "--check" in sys.argv[1:]
    stale = [(path, text) for path, text in files().items() if not path.exists() or path.read_text() != text]
    for path, text in stale:
        if not check:
            path.write_text(text)
        print(f"{'stale: run `make proto`' if check else 'written'}: proto/vectors/{path.name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
