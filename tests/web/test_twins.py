"""The page's fold and grammar against the protocol's test vectors, and against logs and questions of random matches."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

import gen_vectors
from landsraad import games
from landsraad.v1 import act_pb2, ask_pb2, catalog_pb2, log_pb2
from landsraad.vectors.v1 import vectors_pb2
from landsraad.wire.acts import ActCodec
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries, write_observation
from landsraad.wire.grammar import write_options
from landsraad.wire.tables import layout_message
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.domains import GRAPHS
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.play.match import Match

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "proto" / "vectors"
STATIC = ROOT / "server" / "landsraad_web" / "static"
#: Inputs of one random match: enough to meet battles and cards.
INPUTS = 120
#: Questions with more acts are composed, not counted.
FEW = 300

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def node(grammar: Path, fold: Path, static: Path = STATIC) -> tuple[int, list[str]]:
    script = Path(__file__).with_name("twins.mjs")
    done = subprocess.run(["node", script, static, grammar, fold], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_the_vectors_of_the_protocol_hold() -> None:
    count = sum(len(json.loads((VECTORS / name).read_text())["vectors"]) for name in ("grammar.json", "fold.json"))
    assert node(VECTORS / "grammar.json", VECTORS / "fold.json") == (0, [f"{count} of {count} vectors hold"])


@pytest.mark.parametrize(
    ("module", "line", "instead"),
    [
        ("fold.js", "fold.store(it.source, [])", "fold.store(it.source, moved)"),
        ("fold.js", "known.some((piece) => piece !== UNKNOWN)", "false"),
        ("constraints.js", "=== literal.wanted", "=== true"),
        ("composition.js", "pending.every((c) => mayHold(c, this.state)) &&", "pending.length === 0 &&"),
    ],
)
def test_a_mistake_in_the_page_is_found(tmp_path: Path, module: str, line: str, instead: str) -> None:
    static = tmp_path / "static"
    shutil.copytree(STATIC, static)
    text = (static / module).read_text()
    assert line in text
    (static / module).write_text(text.replace(line, instead))
    status, said = node(VECTORS / "grammar.json", VECTORS / "fold.json", static)
    assert status == 1, said


def random_match(game: Game, seats: int, seed: int, inputs: int) -> tuple[Match, list[Options]]:
    """Play a random match with out-of-turn plays; return it and the questions put in it."""
    rng = Random(seed)
    match = Match(game, seats, secret=b"%d" % seed, name="twins")
    for seat in (None, 0):
        match.log(seat)
    asked: list[Options] = []
    while (ask := match.g.ask) is not None and len(asked) < inputs:
        seat = rng.choice(match.waiting)
        options = ask.options[seat]
        asked.append(options)
        plays = execution.plays(match.g, other := rng.randrange(seats))
        if plays.choices and rng.random() < 0.1:
            match.submit(other, plays.sample_kind(rng))
        else:
            match.submit(seat, options.sample_kind(rng))
    return match, asked


def generic(codec: ActCodec, act: Act) -> act_pb2.GenericAct:
    return act_pb2.Act.FromString(codec.write(execution.plain(act))).generic


def question_vector(name: str, options: Options, codec: ActCodec, rng: Random) -> vectors_pb2.GrammarVector:
    """Return a vector with a few acts of a question, and the steps of composing one of them."""
    legal = [options.sample_kind(rng) for _ in range(3)]
    wrong = list(dict(gen_vectors.made_illegal(legal[:1], options, lambda value: gen_vectors.near(value, ()))).values())
    few = options.count(limit=FEW + 1) <= FEW
    return vectors_pb2.GrammarVector(
        name=name,
        options=ask_pb2.Options.FromString(write_options(options.plain())),
        count=options.count() if few else 0,
        legal=[generic(codec, act) for act in legal],
        illegal=[generic(codec, act) for act in wrong[:6]],
        steps=list(gen_vectors.composed(legal[0], options)) if few else [],
    )


def log_vector(name: str, match: Match, seat: int | None) -> vectors_pb2.FoldVector:
    """Return a vector of a log with three observations."""
    codec, layout, log = codec_for(match.game), match.g.setting.layout, match.log(seat)
    fold = Fold(layout, seat)
    observations = []
    for number, entry in enumerate(log, 1):
        fold.add([entry])
        if number in (len(log) // 3, len(log) * 2 // 3, len(log)):
            encoded = write_observation(fold.view, match="", number=number)
            observations.append(log_pb2.Observation.FromString(encoded))
    return vectors_pb2.FoldVector(
        name=name,
        layout=layout_message(layout),
        seat=seat,
        entries=log_pb2.Entries.FromString(write_entries(1, codec.numbered_entries(1, log))),
        observations=observations,
    )


def vectors(game: Game, seeds: range, questions: int) -> Iterator[tuple[str, Any]]:
    rng = Random(seeds.start)
    codec = ActCodec("", game.acts)  # without the name of a game it writes generic acts
    for seed in seeds:
        seats = rng.choice([n for n in game.seats if n > 1])
        match, asked = random_match(game, seats, seed, INPUTS)
        for options in rng.sample(asked, min(questions, len(asked))):
            yield "grammar", question_vector(f"{game.id}, seed {seed}", options, codec, rng)
        for viewer in (None, 0):
            yield "fold", log_vector(f"{game.id}, seed {seed}, {viewer}", match, viewer)


def compare(game: Game, seeds: range, questions: int, folder: Path) -> tuple[int, list[str]]:
    found: dict[str, list[Any]] = {"grammar": [], "fold": []}
    for kind, vector in vectors(game, seeds, questions):
        written = MessageToDict(vector)
        if kind == "grammar" and not written.get("count"):
            written.pop("count", None)
        found[kind].append(written)
    graphs = [
        MessageToDict(
            catalog_pb2.Graph(name=name, areas=[catalog_pb2.GraphArea(id=a, neighbours=n) for a, n in graph.items()])
        )
        for name, graph in GRAPHS.items()
    ]
    (folder / "grammar.json").write_text(json.dumps({"graphs": graphs, "vectors": found["grammar"]}))
    (folder / "fold.json").write_text(json.dumps({"vectors": found["fold"]}))
    return node(folder / "grammar.json", folder / "fold.json")


@pytest.mark.parametrize("game", ["arrakis", "dune"])
def test_random_logs_and_questions(game: str, tmp_path: Path) -> None:
    status, said = compare(games.load(game), range(2), 8, tmp_path)
    assert status == 0, said


@pytest.mark.long
@pytest.mark.parametrize("game", ["arrakis", "dune"])
@pytest.mark.parametrize("hundred", [0, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in range(1, 5))])
def test_2000_random_logs_and_questions(game: str, hundred: int, tmp_path: Path) -> None:
    """500 matches of each game: 1,000 logs and 1,000 questions and more."""
    for begin in range(hundred * 100 + 10, hundred * 100 + 110, 20):
        status, said = compare(games.load(game), range(begin, begin + 20), 4, tmp_path)
        assert status == 0, said
