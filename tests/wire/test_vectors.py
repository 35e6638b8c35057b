"""The test vectors for other languages: up to date, consistent with the engine, and sensitive to reader bugs."""

import json
import shutil
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from google.protobuf.json_format import ParseDict

import gen_vectors
from landsraad.v1 import act_pb2
from landsraad.vectors.v1 import vectors_pb2
from landsraad.wire.acts import ActCodec
from landsraad.wire.entries import read_entry, read_observation
from landsraad.wire.grammar import Offer, read_choice, read_offers
from landsraad.wire.tables import read_layout
from landsraad.wire.values import read_value
from landsraad_engine.errors import Refused
from landsraad_engine.kernel.domains import Alloc, OneOf, Order, Range, Subset
from landsraad_engine.kernel.domains import Path as Walk
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.teaching.game import TEACHING
from vector_cases import SQUARE, Single, single

VECTORS = Path(__file__).resolve().parents[2] / "proto" / "vectors"
GRAMMAR = json.loads((VECTORS / "grammar.json").read_text())
FOLD = json.loads((VECTORS / "fold.json").read_text())


def by_name(vectors: list[Any]) -> list[Any]:
    return [pytest.param(vector, id=vector["name"]) for vector in vectors]


def test_the_files_are_what_the_engine_says() -> None:
    stale = [path.name for path, text in gen_vectors.files().items() if path.read_text() != text]
    assert stale == [], "run `make proto`"


def check(folder: Path, readers: Path = VECTORS) -> tuple[int, list[str]]:
    """Run the reference readers with plain Python: no environment, no packages."""
    done = subprocess.run(
        [sys.executable, "-E", "-S", readers / "check.py", folder], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_readers_that_use_nothing_of_ours_find_the_same() -> None:
    vectors = len(GRAMMAR["vectors"]) + len(FOLD["vectors"])
    assert check(VECTORS) == (0, [f"{vectors} of {vectors} vectors hold"])


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_reader_in_javascript_finds_the_same(tmp_path: Path) -> None:
    def run(folder: Path) -> tuple[int, str, list[str]]:
        done = subprocess.run(
            ["node", VECTORS / "check.mjs", folder], capture_output=True, text=True, check=False, timeout=60
        )
        return done.returncode, done.stderr, done.stdout.splitlines()

    vectors = len(GRAMMAR["vectors"])
    assert run(VECTORS) == (0, "", [f"{vectors} of {vectors} vectors hold"])
    grammar = deepcopy(GRAMMAR)
    grammar["vectors"][1]["steps"][0]["values"].pop()
    grammar["vectors"][3]["illegal"].append(grammar["vectors"][3]["legal"][0])
    (tmp_path / "grammar.json").write_text(json.dumps(grammar))
    status, errors, said = run(tmp_path)
    assert (status, errors, len(said)) == (1, "", 3)
    assert "can follow, not" in said[0]
    assert said[1:] == [
        f"a subset: found: {json.dumps(grammar['vectors'][3]['legal'][0], separators=(',', ':'))}",
        f"{vectors - 2} of {vectors} vectors hold",
    ]


@pytest.mark.parametrize(
    ("right", "careless"),
    [
        ('if choice["act"] != step["act"]:', "if False:"),
        ("if any(act[name] != value for name, value in chosen.items()):", "if False:"),
        ('ordered="subset" not in domain', "ordered=True"),
        ('ordered="subset" not in domain', "ordered=False"),
        ("finished = finished or not rest", "finished = not rest"),
        ("finished = finished or not rest", "finished = True"),
        ('(rest if "subset" in domain else rest[:1])', "rest"),
        ('(rest if "subset" in domain else rest[:1])', "rest[:1]"),
        ("        rest.remove(element)\n", ""),
        (
            'for act in acts({"choices": [choice]}, graphs)',
            'for act in acts({"choices": [choice | {"constraints": []}]}, graphs)',
        ),
    ],
)
def test_a_careless_composition_is_found_out(right: str, careless: str, tmp_path: Path) -> None:
    assert (VECTORS / "read_grammar.py").read_text().count(right) == 1
    for source in VECTORS.glob("*.py"):
        (tmp_path / source.name).write_text(source.read_text().replace(right, careless))
    done = subprocess.run(
        [sys.executable, "-E", "-S", tmp_path / "check.py", VECTORS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1


def test_a_vector_that_does_not_hold_is_found(tmp_path: Path) -> None:
    grammar, fold = deepcopy(GRAMMAR), deepcopy(FOLD)
    grammar["vectors"][1]["options"]["choices"][0]["fields"][0]["domain"]["range"]["high"] += 1
    entries = fold["vectors"][0]["entries"]["entries"]
    del entries[next(n for n, entry in enumerate(entries) if "transfer" in entry.get("event", {}))]
    for name, vectors in (("grammar.json", grammar), ("fold.json", fold)):
        (tmp_path / name).write_text(json.dumps(vectors))
    status, said = check(tmp_path)
    assert status == 1
    assert "a range: 7 acts, not 6" in said
    assert any(line.startswith("Wells and Worms: seat 1: after entry") for line in said)


@pytest.mark.parametrize(
    ("right", "careless"),
    [
        ('if "slot" in it:', 'if it.get("slot"):'),
        ('pieces[it["index"]] = faces[0]', 'pieces[it["index"] or -1] = faces[0]'),
        ('pieces[it["index"]] = face\n', 'pieces[it["index"] or -1] = face\n'),
        ('it.get("to", len(there))', 'it.get("to") or len(there)'),
        ("elif face not in pieces:", "elif UNKNOWN in pieces:"),
        ('elif self.content(it["source"]) == "CONTENT_HAND":', "elif False:"),
        ("empty = value == {}", "empty = not any(value.values())"),
        ("empty = not any(value)", "empty = not value"),
        ("view.shown.get(place, [UNKNOWN] * len(value))", "[UNKNOWN] * len(value)"),
        ('view.mine.add(view.places.get(f"side/{seat}", {}).get("text"))', "pass"),
    ],
)
def test_a_careless_fold_is_found_out(right: str, careless: str, tmp_path: Path) -> None:
    for source in VECTORS.glob("*.py"):
        (tmp_path / source.name).write_text(source.read_text().replace(right, careless))
    assert right in (VECTORS / "read_fold.py").read_text()
    status, said = check(VECTORS, tmp_path)
    assert status == 1
    assert any(line.startswith("every verb: ") for line in said)


@pytest.mark.parametrize("vector", by_name(GRAMMAR["vectors"]))
def test_the_engine_reads_the_grammar_back(vector: Any) -> None:
    parsed = ParseDict(vector, vectors_pb2.GrammarVector())
    acts = {offer.act: act_like(offer) for offer in read_offers(parsed.options)}
    codec = ActCodec("", acts.values())
    options = Options([read_choice(choice, acts) for choice in parsed.options.choices])
    assert options.count() == parsed.count
    listed = [codec.read(act_pb2.Act(generic=act)) for act in parsed.legal]
    assert listed == list(options.enumerate(len(listed)))
    for act in parsed.illegal:
        assert not options.contains(codec.read(act_pb2.Act(generic=act)))
    for step in parsed.steps:
        chosen = {it.name: read_value(it.value) for it in step.chosen}
        found = options.next_values(acts[step.act], chosen, list(map(read_value, step.partial)))
        assert found is not None
        assert (found.field, found.compound, found.finished) == (step.field, step.compound, step.finished)
        assert list(found.values.values()) == list(map(read_value, step.values))


#: What a reading would say that forgets one thing, by the vector that is there to find it out.
CARELESS = [
    ("a range", single(Range(-2, 4))),
    ("a range", single(Range(-3, 3))),
    ("a subset", single(Subset(("a", "b", "c", "d"), 0, 2))),
    ("a subset", single(Subset(("a", "b", "c", "d"), 1, 3))),
    ("a subset with doubles", single(Subset(("a", "a", "b", "b", "b", "c", "c"), 2, 4))),
    ("a subset of numbers, sorted by size", single(Order((2, 10)), Order((9, 10)), Order((2, 9, 10)))),
    ("a subset of texts, sorted by code point", single(Order(("Z", "ab")), Order(("Z", "a_z", "ab")))),
    ("an allocation", single(Alloc(("x", "y", "z"), (2, 1, 3), 1, 3))),
    ("an allocation", single(Alloc(("x", "y", "z"), (2, 0, 3), 0, 3))),
    ("an allocation", single(Alloc(("x", "y", "z"), (2, 0, 3), 1, 5))),
    ("an allocation", single(Alloc(("x", "y"), (2, 3), 1, 3))),
    ("an order of things that are partly equal", single(Order(("a", "b", "b")))),
    ("a walk", single(Walk(SQUARE, "a", 3))),
    ("a walk", single(Walk(SQUARE, "b", 2))),
    ("a walk", single(Order(("a", "d")), Order(("a", "b", "a")))),
    ("a walk", single(OneOf((("a",),)))),
    (
        "a walk with areas that are blocked, stop it, or end it",
        single(Walk(SQUARE, "a", 4, (), ("d",), ("b", "d", "e"))),
    ),
    (
        "a walk with areas that are blocked, stop it, or end it",
        single(Walk(SQUARE, "a", 4, ("c",), (), ("b", "d", "e"))),
    ),
    ("a walk that may end nowhere, beside one that may", single(Walk(SQUARE, "e", 2))),
]


@pytest.mark.parametrize(("name", "careless"), CARELESS)
def test_a_careless_reading_takes_an_act_that_the_vector_says_is_illegal(name: str, careless: Options) -> None:
    vector = ParseDict(next(it for it in GRAMMAR["vectors"] if it["name"] == name), vectors_pb2.GrammarVector())
    codec = ActCodec("", [Single])
    assert any(careless.contains(codec.read(act_pb2.Act(generic=act))) for act in vector.illegal)


@pytest.mark.parametrize("vector", by_name(FOLD["vectors"]))
def test_the_engine_folds_what_it_reads_back(vector: Any) -> None:
    parsed = ParseDict(vector, vectors_pb2.FoldVector())
    acts = ActCodec(TEACHING.id, TEACHING.acts)
    seat = parsed.seat if parsed.HasField("seat") else None
    fold = Fold(read_layout(parsed.layout), seat)
    observed = {observation.number: observation for observation in parsed.observations}
    for number, entry in enumerate(parsed.entries.entries, 1):
        fold.add([read_entry(entry, acts)])
        if number in observed:
            assert fold.view == read_observation(observed[number])


def act_like(offer: Offer) -> type[Act]:
    """Return an act type with the fields of a choice."""
    fields = [name for name, _ in offer.domains]
    made = msgspec.defstruct(offer.act, fields, bases=(Act,), frozen=True, tag=True, tag_field="act")
    assert issubclass(made, Act)
    return made


def test_an_act_of_no_known_name_is_refused() -> None:
    with pytest.raises(Refused, match="no act"):
        ActCodec("", ()).read(act_pb2.Act(generic=act_pb2.GenericAct(name="Fly")))
