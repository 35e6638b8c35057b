"""The conformance suite passes for the teaching game, and each of its laws can fail."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import landsraad_engine
from landsraad_engine.dune.game import DUNE
from landsraad_engine.errors import EngineError
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, Step, goto, step
from landsraad_engine.kernel.grammar import Act, Choice, Range
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.teaching import market
from landsraad_engine.teaching.acts import Bid, Pass
from landsraad_engine.teaching.game import TEACHING, Teaching
from landsraad_engine.teaching.rounds import Round
from landsraad_engine.teaching.words import HAND, OMEN, TeachingState
from landsraad_engine.teaching.zones import SPICE
from landsraad_engine.testing.conformance import Broken, fingerprint, play


@pytest.mark.parametrize("drought", [False, True])
@pytest.mark.parametrize("seats", TEACHING.seats)
@pytest.mark.parametrize("seed", range(4))
def test_the_teaching_game_conforms(seats: int, drought: bool, seed: int) -> None:
    match = play(TEACHING, seats, {"rounds": 1 + 2 * seed, "drought": drought}, seed=seed)
    assert match.result is not None
    assert match.result[0] in TEACHING.results


@pytest.mark.long
def test_the_teaching_game_conforms_at_length() -> None:
    for seed in range(100, 200):
        play(TEACHING, 2 + seed % 3, {"rounds": 8, "drought": seed % 2 == 0}, seed=seed)


def test_equal_inputs_give_equal_bytes_in_every_process() -> None:
    program = (
        "from landsraad_engine.teaching.game import TEACHING\n"
        "from landsraad_engine.testing.conformance import fingerprint\n"
        "print(fingerprint(TEACHING, 4, {'rounds': 8}, seed=5))"
    )
    engine = Path(next(iter(landsraad_engine.__path__))).parent
    found = {fingerprint(TEACHING, 4, {"rounds": 8}, seed=5)}
    for hash_seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(engine)}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        found.add(done.stdout.strip())
    assert len(found) == 1


# ---- Planted faults: each law must notice when it is broken ----


class Faulty(Teaching):
    """The teaching game with one step replaced."""

    def __init__(self, frame: str = "", name: str = "", fault: Step | None = None) -> None:
        self.fault = {(frame, name): fault} if fault else {}

    def overlay(self, options: Mapping[str, Any]) -> dict[tuple[str, str], Step]:
        return self.fault


def caught(game: Teaching, complaint: str) -> None:
    def play_some() -> None:
        for seed in range(8):
            play(game, 4, {"rounds": 8}, seed=seed)

    with pytest.raises((Broken, EngineError), match=complaint):
        play_some()


@step("TEACH-3.1")
def says_something_first(f: market.Snares, g: TeachingState) -> Flow:
    g.emit("announce", ("careful!",))
    return market.Snares.STEPS["window"].fn(f, g)


@step("TEACH-3.1")
def counts_in_its_frame_first(f: market.Snares, g: TeachingState) -> Flow:
    f.thief += "."
    return market.Snares.STEPS["window"].fn(f, g)


@pytest.mark.parametrize("fault", [says_something_first, counts_in_its_frame_first])
def test_a_step_that_writes_before_it_asks(fault: Step) -> None:
    fault.handler = market.Snares.STEPS["window"].handler
    caught(Faulty("Snares", "window", fault), r"Snares\.window has written before it asked")


def test_a_place_that_is_not_plain_data() -> None:
    @step("TEACH-0.3")
    def dawn(f: Round, g: TeachingState) -> Flow:
        g.set_mark("round", g.round + 1)
        g.set_mark("worm", [g.order()[0]])
        return None

    caught(Faulty("Round", "dawn", dawn), "is not plain")


def test_a_place_that_is_not_declared() -> None:
    @step("TEACH-0.3")
    def dawn(f: Round, g: TeachingState) -> Flow:
        g.set_mark("round", g.round + 1)
        g.table["dawn"] = True
        return None

    caught(Faulty("Round", "dawn", dawn), "'?dawn'? is not declared|dawn")


def test_a_find_that_is_lost() -> None:
    @step("TEACH-0.3")
    def dawn(f: Round, g: TeachingState) -> Flow:
        g.set_mark("round", g.round + 1)
        g.table.pop("deck", None)
        return None

    caught(Faulty("Round", "dawn", dawn), "finds are missing")


def test_knowledge_that_no_event_has_told() -> None:
    @step("TEACH-0.3")
    def dawn(f: Round, g: TeachingState) -> Flow:
        g.set_mark("round", g.round + 1)
        if "deck" in g.table:
            g.table["*deck"] = (1,) * len(g.table["deck"])
        return None

    caught(Faulty("Round", "dawn", dawn), "fold_is_view: seat 0 is told deck")


def test_a_frame_that_turns_in_circles() -> None:
    @step("TEACH-0.3")
    def dawn(f: Round, g: TeachingState) -> Flow:
        return goto("dawn")

    caught(Faulty("Round", "dawn", dawn), r"more than 1000 steps without a question in .*'Round', 'dawn'")


def test_a_rule_that_does_not_exist() -> None:
    @step("TEACH-6.2")
    def train(f: Frame, g: TeachingState) -> Flow:
        return Ask.one(g.seat("basalt"), Choice(Pass), why="TEACH-0.99")

    @train.answer
    def trained(f: Frame, g: TeachingState, seat: int, act: Act) -> Flow: ...

    caught(Faulty("Training", "train", train), "TEACH-0.99")


def test_a_question_without_an_answer() -> None:
    @step("TEACH-2.2")
    def bids(f: market.Market, g: TeachingState) -> Flow:
        return Ask.one(0, Choice(Bid, water=Range(1, 0)), why="TEACH-2.2")

    bids.handler = market.Market.STEPS["bids"].handler
    caught(Faulty("Market", "bids", bids), "without a legal answer|no legal answer")


def test_chance_from_elsewhere() -> None:
    @step("TEACH-4.4")
    def sand(f: Frame, g: TeachingState) -> Flow:
        g.emit("announce", ("sand", Random().random()))
        return None

    caught(Faulty("Journey", "sand", sand), "told differently|when replayed")


class WritesWhileExplaining(Teaching):
    def explain(self, g: Any, seat: int, act: Act) -> tuple[str, str] | None:
        g.emit("announce", ("somebody tried something",))
        return None


class ForgetsTheOmens(Teaching):
    def guess(self, g: Any, key: str, rng: Random) -> Any:
        return None if key in OMEN.values() else super().guess(g, key, rng)


class GuessesAnyWater(Teaching):
    def guess(self, g: Any, key: str, rng: Random) -> Any:
        return super().guess(g, key, rng) if key in OMEN.values() else 3


class ForgetsACard(Teaching):
    def census(self, g: Any) -> Mapping[str, Sequence[str]]:
        census = dict(super().census(g))
        census["find"] = census["find"][1:]
        return census


class LooksIntoItsOwnHandOnly(Teaching):
    """Out-of-turn plays that depend on the hand of another seat."""

    def plays(self, g: Any, seat: int) -> Sequence[Choice]:
        other = g.side((seat + 1) % 4)
        return super().plays(g, seat) if SPICE in g.table.get(HAND[other], ()) else ()


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (WritesWhileExplaining(), "was refused, but changed something"),
        (ForgetsTheOmens(), "in a sampled world"),
        (GuessesAnyWater(), "water is lost or made"),
        (ForgetsACard(), "census|in the box"),
        (LooksIntoItsOwnHandOnly(), "has other plays"),
    ],
)
def test_a_game_that_breaks_its_word(game: Teaching, complaint: str) -> None:
    caught(game, complaint)


def too_many(domain: Range, *_: Any) -> int:
    return domain.high + 1


def one_too_few(domain: Range) -> int:
    return domain.high


def one_more(domain: Range, value: Any) -> bool:
    return type(value) is int and domain.low <= value <= domain.high + 1


def nothing(*_: Any) -> None: ...


def itself(frame: Frame) -> Frame:
    return frame


@pytest.mark.parametrize(
    ("owner", "name", "fault", "complaint"),
    [
        (Range, "draw", too_many, "is offered and then refused|may not be"),
        (Range, "count", one_too_few, "are counted"),
        (Range, "has", one_more, "but not both"),
        (Range, "near", too_many, "is said to be legal"),
        (Fold, "_exchange", nothing, "fold_is_view"),
        (Fold, "_transfer", nothing, "fold_is_view"),
        (Fold, "_look", nothing, "fold_is_view"),
        (Frame, "copy", itself, "playing on a copy|different states|snapshot"),
    ],
)
def test_a_kernel_that_breaks_its_word(
    owner: type, name: str, fault: Any, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, fault)
    caught(TEACHING, complaint)


# ---- The real games ----


@pytest.mark.parametrize(("seats", "seed"), [(2, 0), (3, 6), (4, 7)])
def test_classic_dune_conforms(seats: int, seed: int) -> None:
    assert play(DUNE, seats, seed=seed, every=50).result is not None


@pytest.mark.long
def test_classic_dune_conforms_at_length() -> None:
    for seed in range(100, 110):
        play(DUNE, 2 + seed % 5, seed=seed, every=10)
