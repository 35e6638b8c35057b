"""Logs of real matches on the wire: round trips, and bytes equal to those of the protobuf library."""

import inspect
import re
from random import Random
from typing import Any

import pytest

from landsraad.v1 import log_pb2, play_pb2
from landsraad.wire import frames
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import read_observation, write_entries, write_entry, write_observation
from landsraad.wire.events import VERBS
from landsraad.wire.records import UnreadableRecord
from landsraad_engine.kernel import verbs
from landsraad_engine.kernel.frames import Frame, step
from landsraad_engine.kernel.game import Game
from landsraad_engine.knowledge.fold import Fold, ResumedFold
from landsraad_engine.knowledge.information import at_entry, plain_frame, public_step
from landsraad_engine.play.match import Match


def parsed(match: Match, viewer: int | None) -> tuple[bytes, log_pb2.Entries]:
    codec = codec_for(match.game)
    raw = write_entries(1, codec.numbered_entries(1, match.log(viewer)))
    return raw, log_pb2.Entries.FromString(raw)


def test_a_log_comes_back(match: Match, viewer: int | None) -> None:
    codec = codec_for(match.game)
    _, entries = parsed(match, viewer)
    assert entries.first == 1
    assert codec.read_entries(entries) == match.log(viewer)


def test_the_bytes_are_those_of_the_library(match: Match, viewer: int | None) -> None:
    raw, entries = parsed(match, viewer)
    assert entries.SerializeToString(deterministic=True) == raw


def test_what_stands_open_is_written_as_its_plain_form_would_be(game: Game) -> None:
    """Steps and questions are encoded from the engine's objects; logs of a replay hold them as plain data."""
    codec, rng = codec_for(game), Random(3)
    match = Match(game, game.default_seats, secret=b"open")
    for _ in range(120):
        ask = match.g.ask
        if ask is None:
            break
        assert codec.step(*public_step(match.g)) == codec.entry(("at", *at_entry(match.g)), 1)
        for seat in match.waiting:
            question = codec.number_question(codec.question(ask, seat), 300)
            assert question == codec.entry(("ask", *ask.plain(seat)), 300)
        seat = rng.choice(match.waiting)
        match.submit(seat, ask.options[seat].sample_kind(rng))


class Procedure(Frame):
    """A frame whose fields are not in alphabetical order."""

    what: Any = None
    amount: int = 0

    @step()
    def go(f, g: Any) -> None:
        """A step that does nothing."""


#: Facts of which some are equal without being the same.
FACTS = [None, 0, False, 1, True, "", "worm", -5, (), (1,), (True,), ("a", (0, None)), ((), (False,))]


def test_every_fact_of_a_procedure_is_written_as_in_its_plain_form(game: Game) -> None:
    codec = codec_for(game)
    frames = [Procedure(pc="go", what=what, amount=amount) for what in FACTS for amount in (0, 7)]
    plain = [("at", (plain_frame(frame),), "R", (0, 5)) for frame in frames]
    assert [codec.step([frame], "R", (0, 5)) for frame in frames] == codec.numbered_entries(1, plain)
    together = ("at", tuple(map(plain_frame, frames)), "", ())
    assert codec.step(frames, "", ()) == codec.entry(together, 1)
    assert codec.step([], "", ()) == codec.entry(("at", (), "", ()), 1)


def test_a_procedure_that_has_changed_is_written_anew(game: Game) -> None:
    """The engine goes on changing the same frame, so the codec must not cache it by identity."""
    codec, frame = codec_for(game), Procedure(pc="go")
    for what in ("a", "b"):
        frame.what = what
        assert codec.step([frame], "", ()) == codec.entry(("at", (plain_frame(frame),), "", ()), 1)


def test_what_several_were_told_is_written_once_and_joined_into_all_logs(match: Match) -> None:
    codec = codec_for(match.game)
    seats = (*range(match.seats), None)
    logs = [match.log(seat) for seat in seats]
    written = {id(entry): codec.entry(entry, number) for log in logs for number, entry in enumerate(log, 1)}
    assert len(written) < sum(len(match.log(seat)) for seat in seats)
    for seat in seats:
        raw = write_entries(1, [written[id(entry)] for entry in match.log(seat)])
        assert raw == parsed(match, seat)[0]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_a_fold_goes_on_from_an_observation(match: Match, viewer: int | None, share: float) -> None:
    layout, log = match.g.setting.layout, match.log(viewer)
    cut = int(len(log) * share)
    begun = Fold(layout, viewer).add(log[:cut])
    raw = write_observation(begun.view, match="matches/m1", number=cut, epoch=2, last_seq=9, during=4)
    observation = log_pb2.Observation.FromString(raw)
    assert observation.SerializeToString(deterministic=True) == raw
    assert (observation.match, observation.number, observation.epoch) == ("matches/m1", cut, 2)
    assert (observation.last_seq, observation.during) == (9, 4)
    view = read_observation(observation)
    assert view == begun.view
    assert ResumedFold(layout, view, cut).add(log[cut:]).view == match.fold(viewer) == match.view(viewer)


def test_a_question_comes_back_as_options_that_draw(match: Match) -> None:
    codec = codec_for(match.game)
    found = 0
    for seat in range(match.seats):
        for entry in parsed(match, seat)[1].entries:
            if entry.HasField("question"):
                options = codec.read_options(entry.question.options)
                act = next(options.enumerate())
                assert options.contains(act)
                assert codec.read_options(codec.options(options)).plain() == options.plain()
                found += 1
    assert found


def test_every_verb_has_a_message() -> None:
    emitted = set(re.findall(r'emit\(\s*"(\w+)"', inspect.getsource(verbs)))
    assert emitted == VERBS.keys()
    assert {field.name for field in log_pb2.Event.DESCRIPTOR.oneofs_by_name["verb"].fields} == emitted


#: Arguments that random play may not bring about: empty, hidden and large ones.
RARE: list[tuple[Any, ...]] = [
    ("event", "set", "", "worm", None),
    ("event", "set", "R", "worm", ()),
    ("aside", "set", "R", "worm", (1, True, None, "a", ((), (-5,)))),
    ("event", "transfer", "R", "a", "b", -(1 << 31)),
    ("event", "move", "R", "a", 0, "b", 0, ""),
    ("event", "look", "R", "a", None, 5, None),
    ("event", "look", "R", "a", None, 5, ("x", "y")),
    ("event", "look", "R", "a", 0, 5, "x"),
    ("event", "gather", "R", "a", "b", None),
    ("event", "gather", "R", "a", "b", ("x",)),
    ("event", "reveal", "R", "a", 0, "x"),
    ("event", "place", "R", "a", (0, 2, 300)),
    ("event", "place", "R", "a", ("x", "y")),
    ("event", "roll", "R", "dice"),
    ("event", "roll", "R", "dice", 0, 5),
    ("event", "whisper", "R", 3, "what"),
    ("event", "whisper", "R", 3, "what", None, 1),
    ("event", "announce", "R", "ä" * 9000, False),
    ("at", (), "", ()),
    ("at", ((("frame", "F"), ("pc", "go"), ("zone", None)), (("a", (1,)), ("frame", "F"), ("pc", ""))), "R", (0, 5)),
    ("ask", "R", "karama", (("Pass", "", (), ()),)),
    ("closed",),
]


@pytest.mark.parametrize("entry", RARE, ids=repr)
def test_rare_entries_come_back(game: Game, entry: tuple[Any, ...]) -> None:
    codec = codec_for(game)
    raw = write_entries(1 << 40, [codec.entry(entry, 1 << 40)])
    entries = log_pb2.Entries.FromString(raw)
    assert entries.SerializeToString(deterministic=True) == raw
    assert repr(codec.read_entries(entries)) == repr([entry])


@pytest.mark.parametrize(
    "entry",
    [
        ("rumour", "R"),
        ("event", "set", "R", "key", 1.5),
        ("event", "set", "R", "key", {"a": 1}),
        ("event", "transfer", "R", "a", "b", 1 << 31),
        ("event", "transfer", "R", "a", "b"),
    ],
    ids=repr,
)
def test_what_has_no_form_is_our_mistake(game: Game, entry: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, OverflowError, ValueError)):
        write_entry(entry, codec_for(game).acts)


@pytest.mark.parametrize("given", [log_pb2.Entry(), log_pb2.Entry(event=log_pb2.Event(rule="R"))], ids=["body", "verb"])
def test_what_a_newer_service_says_is_unreadable(game: Game, given: log_pb2.Entry) -> None:
    with pytest.raises(UnreadableRecord, match="this version"):
        codec_for(game).read_entries(log_pb2.Entries(entries=[given]))


def test_frames_may_be_joined(match: Match) -> None:
    raw, entries = parsed(match, 0)
    pong = play_pb2.Pong(token=7)
    joined = frames.item(3, "entries", raw) + frames.item(0, "pong", pong.SerializeToString())
    frame = play_pb2.Frame.FromString(joined)
    assert [item.WhichOneof("item") for item in frame.items] == ["entries", "pong"]
    assert frame.items[0].subscription == 3
    assert frame.items[0].entries == entries
    assert frame.items[1].pong == pong
    assert frame.SerializeToString(deterministic=True) == joined
