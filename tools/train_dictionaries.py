"""Train a dictionary with which the store's records of a game are compressed.

    python tools/train_dictionaries.py dune --number 2 [--replace]

It plays seeded matches between bots, and trains on their records. The file in the server's `matches/dictionaries` is
named after its number, which every record carries. A number that a release has written with is never trained again:
stored matches need it. Until then, --replace trains it anew.

`record_format.py` says which dictionary each game writes. A new number is first released in the folder alone, so that
all workers of a fleet can read it, and written from the release after that.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import zstandard

from landsraad import games
from landsraad.bots import rng
from landsraad_server.matches import record_format
from landsraad_testkit.recorded_match import recorded_match

FOLDER = Path(record_format.__file__).parent / "dictionaries"
#: Bytes of a dictionary. Twice as many save another twentieth, and push more of the engine out of the caches.
SIZE = 65_536
#: Records to learn from: enough matches that those of a single one do not stand out.
MATCHES, RECORDS = 24, 9_000
#: The players of the matches in turn: what bots write is more varied than what random play writes, and shorter.
PLAYERS = (("random",), ("greedy", "random"), ("greedy",))
#: Parameters of the training, given so that zstd does not search for them, which takes minutes and gains a hundredth.
SEGMENT, WORD = 1_000, 8


def main() -> int:
    """Train, and say by how much the records shrink that were not learned from."""
    parser = argparse.ArgumentParser(description="Train a dictionary for the records of a game.")
    parser.add_argument("game")
    parser.add_argument("--number", type=int, required=True, help="its number, from 2 to 127")
    parser.add_argument("--replace", action="store_true", help="train a dictionary anew that no release has used")
    given = parser.parse_args()
    path = FOLDER / f"{given.number}.zdict"
    if not record_format.COMPRESSED < given.number < 0x80:
        parser.error("--number: from 2 to 127")
    if path.exists() and not given.replace:
        parser.error(f"{path.name} exists: take the next number, or --replace it if no release has used it")
    learned = [body for seed in range(MATCHES) for body in bodies(given.game, seed)]
    sample: list[bytes | bytearray | memoryview[int]] = []
    sample += rng(0, given.game, "records").sample(learned, min(RECORDS, len(learned)))
    trained = zstandard.train_dictionary(SIZE, sample, k=SEGMENT, d=WORD, dict_id=given.number)
    FOLDER.mkdir(exist_ok=True)
    path.write_bytes(trained.as_bytes())
    compress = zstandard.ZstdCompressor(record_format.LEVEL, dict_data=trained, write_dict_id=False).compress
    for seed in range(MATCHES, MATCHES + len(PLAYERS)):
        other = list(bodies(given.game, seed))
        plain, small = sum(map(len, other)), sum(len(compress(body)) for body in other)
        print(f"{' and '.join(players_of(seed))}: {len(other)} records, {plain:,} bytes, compressed {small:,}")
    return 0


def bodies(game: str, seed: int) -> Iterator[bytes]:
    """Yield the encoded records of a match, and every 32nd state: snapshots are written with the same dictionary."""
    seats = games.load(game).seats
    # The largest table writes the most records, so every second match has it.
    table = max(seats) if seed % 2 else seats[seed // 2 % len(seats)]
    orders = ("auto",) if seed % 4 else ()
    for number, (hosted, record) in enumerate(recorded_match(game, table, seed, bots=players_of(seed), orders=orders)):
        yield msgspec.msgpack.encode(record)
        if number % 32 == 0:
            yield msgspec.msgpack.encode(hosted.image())


def players_of(seed: int) -> tuple[str, ...]:
    """Return the bots of a match."""
    return PLAYERS[seed % len(PLAYERS)]


if __name__ == "__main__":
    sys.exit(main())
