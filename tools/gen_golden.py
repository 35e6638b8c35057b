"""Golden records: digests of 312 whole matches, by which a change of the code that changes their behaviour is found.

    python tools/gen_golden.py [--check] [--only PREFIX] [--matches N] [--jobs N]

A record in tests/golden/records.json holds, for one match: the digests of every seat's log and the spectators' (as
MessagePack, and as the bytes a service sends), of the state image after every 50th input and at the end, of views on
the wire and of the certificate without its `engine` and `content`. These two are digests of files; `content` stands by
itself, so that an edited comment in a content file shows as that and nothing else.

The matches are those of `ROWS`: 160 of dune, with 2 to 6 seats and each of its variants; 137 of arrakis, with all
editions; 15 of the teaching game. In 51 all bots are greedy, in 63 some are; the others are random or of the house,
which cost a fifth as much: all 312 take about a minute on two cores.

Records are remade only when a change of behaviour is intended, and the difference is read before it is committed.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from landsraad.bots import make_bot

# Everything that is used of the project, in one place: modules move.
from landsraad.games import load
from landsraad.wire.certificates import certificate_message
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_observation
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import Bot, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.match_core import Input
from landsraad_engine.play.self_play import play_out
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.testing.fuzz.random_play import random_input
from landsraad_server.matches.records import SeatPlan, Terms
from landsraad_server.matches.running_match import RunningMatch

RECORDS = Path(__file__).resolve().parent.parent / "tests" / "golden" / "records.json"
#: A state image is taken after every so many inputs.
IMAGE_EVERY = 50
#: A match that takes more inputs than this does not end.
MOST_INPUTS = 20_000
#: After so many inputs all seats change mixed orders to "auto": random bots that are offered deals make them for ever.
ORDERS_CHANGE = 600
#: How often an interjecting bot makes an out-of-turn play that is open to it.
INTERJECTED = 0.05
#: Digests are shortened to so many digits: they are compared with one record each.
LONG, SHORT = 16, 8

Record = dict[str, Any]


# ---------------------------------------------------------------------------------------------------------- the matches


@dataclass(frozen=True, slots=True)
class Row:
    """Matches of one kind: ``bots`` go round the seats, numbers of seats and options go round the matches.

    ``orders``: "auto", "none" or "mixed" standing orders. ``inputs`` instead of bots: random inputs of any kind
    ("restless": plays, changed orders and absences as well; "held": windows that are closed by the clock; "epoch":
    another epoch begins after the first 50 inputs).
    """

    name: str
    game: str
    count: int
    seats: tuple[int, ...]
    options: tuple[Mapping[str, Any], ...]
    bots: tuple[str, ...] = ()
    orders: str = "auto"
    inputs: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """One match, with all that it takes to play it."""

    name: str
    game: str
    seats: int
    options: Mapping[str, Any]
    bots: tuple[str, ...]
    orders: str
    inputs: str


DUNE_SEATS = (6, 2, 5, 3, 4)
DUNE: tuple[Mapping[str, Any], ...] = (
    {},
    {"length": 10},
    {"factions": "chosen"},
    {"three_way_alliances": True},
    {"coexistence": "wbc"},
    {"direct_prescience_voice": True},
    {"shield_wall_stronghold": True},
    {"karama_reach": "gf9"},
    {
        "length": 10,
        "factions": "chosen",
        "three_way_alliances": True,
        "coexistence": "wbc",
        "direct_prescience_voice": True,
        "shield_wall_stronghold": True,
        "karama_reach": "gf9",
    },
)
ARRAKIS: tuple[Mapping[str, Any], ...] = (
    {},
    {"edition": "v1_1"},
    {"edition": "preview_2022"},
    {"faq": False},
    {"edition": "v1_1", "round_limit": 4},
)
MAHDI: tuple[Mapping[str, Any], ...] = tuple(
    {"mahdi": True, **options} for options in ({}, {"edition": "v1_1"}, {"faq": False})
)
TEACHING_OPTIONS: tuple[Mapping[str, Any], ...] = ({}, {"drought": True}, {"rounds": 8})
HELD = "fixed:1000"
ROWS = (
    Row("dune-greedy", "dune", 18, DUNE_SEATS, DUNE, ("greedy",)),
    Row("dune-greedy-asked", "dune", 5, DUNE_SEATS, DUNE[::-1], ("greedy",), "none"),
    Row("dune-mixed", "dune", 18, DUNE_SEATS, DUNE, ("greedy", "random")),
    Row("dune-random", "dune", 45, DUNE_SEATS, DUNE, ("random",)),
    Row("dune-asked", "dune", 9, DUNE_SEATS, DUNE, ("random",), "none"),
    Row("dune-orders", "dune", 15, DUNE_SEATS, DUNE, ("random",), "mixed"),
    Row("dune-interjecting", "dune", 15, DUNE_SEATS, DUNE, ("interjecting", "greedy", "interjecting"), "mixed"),
    Row("dune-restless", "dune", 25, DUNE_SEATS, DUNE, inputs="restless"),
    Row("dune-held", "dune", 8, DUNE_SEATS, DUNE, orders="mixed", inputs="held"),
    Row("dune-epoch", "dune", 2, DUNE_SEATS, DUNE, inputs="epoch"),
    Row("arrakis-greedy", "arrakis", 20, (2,), ARRAKIS, ("greedy",)),
    Row("arrakis-greedy-asked", "arrakis", 5, (2,), ARRAKIS, ("greedy",), "none"),
    Row("arrakis-mixed", "arrakis", 10, (2,), ARRAKIS, ("greedy", "random")),
    Row("arrakis-mixed-other", "arrakis", 10, (2,), ARRAKIS, ("random", "greedy")),
    Row("arrakis-house", "arrakis", 10, (2,), ARRAKIS, ("rule-of-thumb", "greedy")),
    Row("arrakis-house-other", "arrakis", 5, (2,), ARRAKIS, ("random", "rule-of-thumb")),
    Row("arrakis-random", "arrakis", 30, (2,), ARRAKIS, ("random",)),
    Row("arrakis-asked", "arrakis", 5, (2,), ARRAKIS, ("random",), "none"),
    Row("arrakis-orders", "arrakis", 5, (2,), ARRAKIS, ("random",), "mixed"),
    Row("arrakis-restless", "arrakis", 20, (2,), ARRAKIS, inputs="restless"),
    Row("arrakis-epoch", "arrakis", 5, (2,), ARRAKIS, inputs="epoch"),
    Row("arrakis-mahdi-greedy", "arrakis", 3, (1,), MAHDI, ("greedy",)),
    Row("arrakis-mahdi-house", "arrakis", 3, (2,), MAHDI, ("rule-of-thumb",)),
    Row("arrakis-mahdi-random", "arrakis", 6, (1, 2), MAHDI, ("random",), "none"),
    Row("teaching-random", "teaching", 5, (2, 3, 4), TEACHING_OPTIONS, ("random",), "mixed"),
    Row("teaching-restless", "teaching", 5, (2, 3, 4), TEACHING_OPTIONS, inputs="restless"),
    Row("teaching-held", "teaching", 5, (2, 3, 4), TEACHING_OPTIONS, orders="mixed", inputs="held"),
)


def plans() -> list[Plan]:
    """All matches, by name."""
    return sorted((plan for row in ROWS for plan in plans_of(row)), key=lambda plan: plan.name)


def plans_of(row: Row) -> Iterator[Plan]:
    """The matches of one row."""
    for number in range(row.count):
        seats = row.seats[number % len(row.seats)]
        options = dict(row.options[number % len(row.options)])
        if row.inputs == "held":
            options["window"] = HELD
        bots = tuple(row.bots[seat % len(row.bots)] for seat in range(seats)) if row.bots else ()
        yield Plan(f"{row.name}-{number:02}", row.game, seats, options, bots, row.orders, row.inputs)


# -------------------------------------------------------------------------------------------------------------- playing


class Interjecting(RandomBot):
    """A random player that now and then makes an out-of-turn play."""

    def interject(self, view: Any, plays: Options) -> Act | None:
        return plays.sample_kind(self.rng) if self.rng.random() < INTERJECTED else None


def seed_of(*words: object) -> bytes:
    """Bytes that follow from some words; the same on every machine."""
    return hashlib.sha256("|".join(map(str, words)).encode()).digest()


def rng_of(*words: object) -> Random:
    """Random numbers that follow from some words."""
    return Random(int.from_bytes(seed_of(*words)[:8], "big"))


def begun(plan: Plan) -> Match:
    """The match of a plan, before its first input."""
    game = TEACHING if plan.game == "teaching" else load(plan.game)
    return Match(
        game,
        plan.seats,
        plan.options,
        secret=seed_of(plan.name, "secret")[:16],
        name=plan.name,
        entropy=[seed_of(plan.name, "entropy", seat)[:4] for seat in range(plan.seats)],
        orders=orders_of(plan, execution.standing_orders(game)),
        timed=plan.inputs == "held",
    )


def orders_of(plan: Plan, known: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """The orders that stand before the first question."""
    seats = range(plan.seats)
    match plan.orders:
        case "auto":
            return dict.fromkeys(seats, ("auto",))
        case "mixed":
            rng = rng_of(plan.name, "orders")
            drawn = (tuple(order for order in known if rng.random() < 0.4) for _ in seats)
            return {seat: orders for seat, orders in zip(seats, drawn, strict=True) if orders}
        case _:
            return {}


def bot_of(plan: Plan, seat: int) -> Bot:
    """The player of a seat."""
    seed = int.from_bytes(seed_of(plan.name, "bot", seat)[:8], "big")
    kind = plan.bots[seat]
    return Interjecting(seed) if kind == "interjecting" else make_bot(kind, plan.game, seed)


def pauses(plan: Plan, match: Match) -> Iterator[Match]:
    """Play the match, pausing after every `IMAGE_EVERY` inputs and at its end."""
    bots = [bot_of(plan, seat) for seat in range(len(plan.bots))]
    rng = rng_of(plan.name, "inputs")
    played = 0
    while match.result is None:
        if bots:
            play_out(match, bots, most=IMAGE_EVERY)
        else:
            for _ in range(IMAGE_EVERY):
                take_any(plan, match, rng)
        played += IMAGE_EVERY
        if played > MOST_INPUTS:
            raise RuntimeError(f"{plan.name} does not end")
        yield match
        if plan.inputs == "epoch" and played == IMAGE_EVERY:
            match.raise_epoch(1)
        if plan.orders == "mixed" and played == ORDERS_CHANGE:
            for seat in range(plan.seats):
                match.set_orders(seat, ("auto",))


def take_any(plan: Plan, match: Match, rng: Random) -> None:
    """Take a random input, or close a window that is held open; nothing after the end."""
    if match.result is not None:
        return
    if execution.held(match.g) and (not match.waiting or rng.random() < 0.2):
        match.close_window()
        return
    restless = plan.inputs == "restless"
    match.take(random_input(match, rng, plays=0.05 if restless else 0.02, unrest=0.01 if restless else 0.0))


# -------------------------------------------------------------------------------------------------------------- records


def digest(data: bytes, digits: int = LONG) -> str:
    """The beginning of the data's SHA-256."""
    return hashlib.sha256(data).hexdigest()[:digits]


def packed(value: Any) -> bytes:
    """Plain data as canonical MessagePack."""
    return msgspec.msgpack.encode(value, order="deterministic")


def record(plan: Plan) -> Record:
    """Play the match of a plan and write down what came of it."""
    match = begun(plan)
    seats: tuple[int | None, ...] = (*range(plan.seats), None)
    images: list[str] = []
    views = hashlib.sha256()
    for pause in pauses(plan, match):
        images.append(digest(pause.snapshot(), SHORT))
        for seat in (len(images) % plan.seats, None):
            views.update(write_observation(pause.view(seat), match=plan.name, number=len(pause.log(seat))))
    certificate = match.certificate() | {"engine": ""}
    content = certificate.pop("content")
    told = certificate_message(certificate | {"content": ""}, codec_for(match.game))
    return {
        "name": plan.name,
        "game": plan.game,
        "seats": plan.seats,
        "options": dict(plan.options),
        "bots": list(plan.bots),
        "orders": plan.orders,
        "played": plan.inputs or "bots",
        "inputs": len(match.journal),
        "result": list(match.result or ()),
        "logs": [digest(packed(match.log(seat))) for seat in seats],
        "images": images,
        "certificate": digest(packed(certificate)),
        "content": content[:SHORT],
        "wire_logs": [digest(log) for log in wire_logs(plan, match)],
        "wire_views": views.hexdigest()[:LONG],
        "wire_certificate": digest(told.SerializeToString(deterministic=True)),
    }


def wire_logs(plan: Plan, match: Match) -> list[bytes]:
    """The logs of all seats and the spectators as bytes of the wire, as a service would send them.

    They are written twice: by the codec, from the engine's logs, and by the server's own recorder, for which the match
    is played again from its journal (the server has no teaching game). Both must be equal.
    """
    codec = codec_for(match.game)
    seats: tuple[int | None, ...] = (*range(plan.seats), None)
    logs = [b"".join(codec.numbered_entries(1, match.log(seat))) for seat in seats]
    if plan.game != "teaching" and served_logs(plan, match) != logs:
        raise RuntimeError(f"{plan.name}: the server's recorder and the codec write different bytes")
    return logs


def served_logs(plan: Plan, match: Match) -> list[bytes]:
    """The same logs, as the server's recorder writes them."""
    live = RunningMatch(
        plan.name,
        Terms(
            game=plan.game,
            seats=[SeatPlan(entropy=entropy) for entropy in match.entropy],
            options=match.options,
            creator="",
            created=0,
            secret=match.secret,
            build="",
            content="",
        ),
    )
    opening = {given.seat: tuple(given.act) for given in match.journal if given.kind == "opening"}
    live.begin(opening)
    begun = len(opening) + match.g.setting.timed  # a match with held windows has one input more
    for given in match.journal[begun:]:
        give(live, given)
    logs = [bytearray() for _ in range(plan.seats + 1)]
    for members, entry in live.recorder.take():
        for number in range(plan.seats + 1):
            if members >> number & 1:
                logs[number] += entry
    return [bytes(log) for log in logs]


def give(live: RunningMatch, given: Input) -> None:
    """Give a running match one input of a journal."""
    match given.kind:
        case "epoch":
            live.raise_epoch(given.act[0])
        case "window":
            live.close_window()
        case "orders":
            live.set_orders(given.seat, given.act)
        case "absent":
            live.set_absent(given.seat, given.act[0])
        case _:
            live.submit(given.seat, execution.from_plain(live.core.game, given.act))


def plain(value: Record) -> Record:
    """A record as it is read back from its file."""
    return dict(json.loads(json.dumps(value)))


def differences(kept: Record, played: Record) -> list[str]:
    """Return the differences between two records of a match: fields, and within a list the first place."""
    played = plain(played)
    found = []
    for field in sorted({*kept, *played}):
        before, now = kept.get(field), played.get(field)
        if before == now:
            continue
        where = ""
        if isinstance(before, list) and isinstance(now, list):
            pairs = zip(before, now, strict=False)
            where = f"[{next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(before), len(now)))}]"
        found.append(f"{field}{where}")
    return found


def written(records: Iterable[Record]) -> str:
    """The file of records: JSON, one line for each match."""
    rows = sorted(records, key=lambda row: str(row["name"]))
    return "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n"


def kept() -> dict[str, Record]:
    """The records in the file, by name."""
    return {row["name"]: row for row in json.loads(RECORDS.read_text())} if RECORDS.exists() else {}


# --------------------------------------------------------------------------------------------------------- command line


def chosen(only: str, most: int) -> list[Plan]:
    """The plans whose name starts with a prefix; if there are more than ``most``, some of them, evenly spread."""
    found = [plan for plan in plans() if plan.name.startswith(only)]
    count = min(most or len(found), len(found))
    return [found[number * len(found) // count] for number in range(count)]


def played(chosen: Sequence[Plan], jobs: int) -> Iterator[Record]:
    """The records of some plans, played in so many processes."""
    if jobs == 1:
        yield from map(record, chosen)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(record, chosen, chunksize=4)


def main() -> int:
    """Write the records, or with --check compare them; the last line counts."""
    parser = argparse.ArgumentParser(description="Write or check the golden records.")
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    parser.add_argument("--only", metavar="PREFIX", default="", help="matches whose name starts with this")
    parser.add_argument("--matches", type=int, default=0, metavar="N", help="no more than N of them, evenly spread")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes")
    asked = parser.parse_args()
    before = kept()
    some = chosen(asked.only, asked.matches)
    now = {row["name"]: row for row in played(some, asked.jobs)}
    changed = {name: differences(before[name], row) if name in before else ["new"] for name, row in now.items()}
    changed = {name: fields for name, fields in changed.items() if fields}
    names = {plan.name for plan in plans()}
    gone = sorted(before.keys() - names)
    for name, fields in changed.items():
        print(f"differs: {name}: {', '.join(fields)}")
    for name in gone:
        print(f"no such match: {name}")
    if not asked.check:
        RECORDS.write_text(written((row for name, row in (before | now).items() if name in names)))
    print(f"{len(now)} matches, {len(changed)} differ")
    return 1 if not now or (asked.check and (changed or gone)) else 0


if __name__ == "__main__":
    sys.exit(main())
