"""Measure the wire codecs: microseconds for each kind of message of a random match, as docs/protocol.md lists them.

    python tools/time_wire.py [GAME]

For reference, the same run measures the protobuf library on a small message.
"""

import sys
import timeit
from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from landsraad import games
from landsraad.v1 import act_pb2, log_pb2, play_pb2
from landsraad.wire import frames
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import read_observation, write_entries, write_observation
from landsraad_engine.play.match import Match

#: Acts played before measuring.
INPUTS = 600
#: The number of an entry in the middle of a match.
_NUMBER = 900


def micros(fn: Callable[[Any], object], things: Sequence[Any]) -> float:
    """Return the least time per item over several rounds. Caches stay warm from the first one."""
    rounds = timeit.repeat(lambda: [fn(thing) for thing in things], number=1, repeat=9)
    return min(rounds) / len(things) * 1e6


def play_match(name: str) -> Match:
    """Play the first acts of a random match."""
    game = games.load(name)
    match = Match(game, game.default_seats)
    rng = Random(1)
    for _ in range(INPUTS):
        if match.g.ask is None:
            break
        seat = match.waiting[0]
        match.submit(seat, match.g.ask.options[seat].sample(rng))
    return match


def main() -> None:
    """Print a row for each kind of entry, then for acts, views and frames."""
    match = play_match(sys.argv[1] if len(sys.argv) > 1 else "dune")
    codec = codec_for(match.game)
    kinds = defaultdict(list)
    for seat in range(match.seats):
        for entry in match.log(seat):
            kinds[{"at": "step", "ask": "question"}.get(entry[0], entry[0])].append(entry)
    print(f"{'what':24}{'bytes':>8}{'write':>8}{'read':>8}  (µs)")
    for kind, entries in kinds.items():
        written = codec.numbered_entries(_NUMBER, entries)
        parsed = [log_pb2.Entries.FromString(raw) for raw in written]
        write = micros(lambda entry: codec.entry(entry, _NUMBER), entries)
        row(f"entry: {kind}", written, write, micros(codec.read_entries, parsed))
    acts = [entry[1] for entry in kinds["answer"]]
    written = list(map(codec.acts.write, acts))
    messages = list(map(act_pb2.Act.FromString, written))
    row("act", written, micros(codec.acts.write, acts), micros(codec.read_act, messages))
    asked = codec.numbered_entries(1, kinds["question"])
    questions = [log_pb2.Entries.FromString(entry).entries[0].question for entry in asked]
    raw = [question.options.SerializeToString() for question in questions]
    row("options for sampling", raw, 0, micros(lambda question: codec.read_options(question.options), questions))
    view = match.view(0)
    image = write_observation(view, match="matches/m", number=1)
    observed = micros(lambda view: write_observation(view, match="matches/m", number=1), [view] * 20)
    row("observation", [image], observed, micros(read_observation, [log_pb2.Observation.FromString(image)] * 20))
    batch = codec.numbered_entries(_NUMBER, match.log(0)[-8:])
    item = frames.item(3, "entries", write_entries(900, batch))
    joined = micros(lambda batch: frames.item(3, "entries", write_entries(900, batch)), [batch] * 50)
    row("frame of 8 entries", [item], joined, 0)
    small = micros(lambda seq: play_pb2.Ack(seq=seq, entry=seq, last=seq).SerializeToString(), range(1, 500))
    row("reference: library, Ack", [play_pb2.Ack(seq=9, entry=9, last=9).SerializeToString()], small, 0)


def row(what: str, written: Sequence[bytes], write: float, read: float) -> None:
    """Print a row of the table."""
    size = sum(map(len, written)) / len(written)
    times = "".join(f"{time:8.1f}" if time else f"{'-':>8}" for time in (write, read))
    print(f"{what:24}{size:8.0f}{times}")


if __name__ == "__main__":
    main()
