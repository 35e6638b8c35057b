"""The folder of a comparison, from which it goes on after an interruption: its plan, and a line for each set."""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path
from typing import IO, Any

import msgspec

from landsraad import games
from landsraad.bots import bot_class
from landsraad_engine.errors import EngineError
from landsraad_engine.play.build import engine_build

from .playing import PlayedSet
from .schedule import ComparisonPlan

FORMAT = "landsraad comparison 1"


class OtherComparison(EngineError):
    """The folder holds another comparison, or something else."""


class Records:
    """The sets that a folder holds, and the file to which new ones are added.

    Args:
        folder: The folder; it is made if there is none.
        plan: The comparison.

    Raises:
        OtherComparison: The folder holds the sets of another plan, or of other rules or bots.
    """

    def __init__(self, folder: Path, plan: ComparisonPlan) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.faults = folder / "faults"
        self.played: dict[int, PlayedSet] = {}
        head, body = folder / "comparison.json", folder / "sets.jsonl"
        identity = identity_of(plan)
        if head.exists():
            self._check(head, identity)
            self._read(body)
        else:
            head.write_bytes(msgspec.json.format(msgspec.json.encode(identity)) + b"\n")
        self._file: IO[bytes] = body.open("ab")

    def add(self, played: PlayedSet) -> None:
        """Write a set, at once and as a whole."""
        self._file.write(msgspec.json.encode(played) + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _check(self, head: Path, identity: dict[str, Any]) -> None:
        """Compare the folder's identity with that of the plan."""
        try:
            found = msgspec.json.decode(head.read_bytes(), type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise OtherComparison(f"{head} is not the head of a comparison: {error}") from None
        here = msgspec.json.decode(msgspec.json.encode(identity))
        other = sorted(name for name in {*found, *here} if found.get(name) != here.get(name))
        if other:
            raise OtherComparison(f"{head} belongs to another comparison; different: {', '.join(other)}")

    def _read(self, body: Path) -> None:
        """Read the sets. A last line without its end was cut off by an interruption and is dropped."""
        if not body.exists():
            return
        lines = body.read_bytes().split(b"\n")
        whole, rest = lines[:-1], lines[-1]
        for number, line in enumerate(whole, 1):
            try:
                played = msgspec.json.decode(line, type=PlayedSet)
            except msgspec.DecodeError as error:
                raise OtherComparison(f"{body}, line {number}: {error}") from None
            self.played[played.number] = played
        if rest:
            with body.open("r+b") as file:
                file.truncate(body.stat().st_size - len(rest))


def identity_of(plan: ComparisonPlan) -> dict[str, Any]:
    """Return what makes the sets of a folder comparable: plan, rules, content and the sources of the bots."""
    found = games.load(plan.game)
    return {
        "format": FORMAT,
        "game": plan.game,
        "seats": plan.seats,
        "options": dict(plan.options),
        "bots": {"a": plan.a, "b": plan.b, "panel": plan.panel},
        "seed": plan.seed,
        "time_limit": plan.time_limit,
        "engine": engine_build(),
        "content": found.content_digest(dict(plan.options)),
        "sources": {name: _source_digest(name, plan.game) for name in sorted({plan.a, plan.b, *plan.panel})},
    }


def _source_digest(bot: str, game: str) -> str:
    """Return a digest of the file in which a bot's class stands."""
    source = inspect.getsourcefile(bot_class(bot, game))
    return hashlib.sha256(Path(source).read_bytes()).hexdigest()[:16] if source else ""
