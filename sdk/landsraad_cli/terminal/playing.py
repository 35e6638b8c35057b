"""A person plays a seat to the end of its match, through whatever happens to the connection."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from landsraad.client import Seat
from landsraad.errors import MatchOver, RefusedByService, Stale
from landsraad.models import Clock, Result, Ticket
from landsraad.seat_log import SeatDecision
from landsraad_cli.terminal.person import Left, OutOfTurn, Person, Resigned
from landsraad_cli.terminal.stage import Screen


@dataclass(frozen=True, slots=True)
class Saved:
    """What it takes to come back to a seat, kept in a file for its owner alone: the credential is a secret."""

    server: str
    match: str
    seat: int
    credential: str

    @classmethod
    def of(cls, server: str, ticket: Ticket) -> Saved:
        """The seat of a ticket."""
        return cls(server, ticket.match, ticket.seat, ticket.credential)

    @property
    def ticket(self) -> Ticket:
        """The seat's ticket."""
        return Ticket(self.match, self.seat, self.credential)

    def write(self, path: Path) -> None:
        """Keep it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(asdict(self), file)

    @classmethod
    def read(cls, path: Path) -> Saved:
        """Find it again; OSError or ValueError if there is none."""
        found = json.loads(path.read_text())
        if not isinstance(found, Mapping) or set(found) != set(cls.__dataclass_fields__):
            raise ValueError(f"{path} does not hold a seat")
        return cls(**found)


def play(seat: Seat, person: Person, stage: Screen) -> Result | None:
    """Play until the match is over, or the person has left it (None)."""
    resigned = False
    note = ""
    for update in seat.updates():
        if update.match.state == "open":
            continue
        stage.show([told.entry for told in update.told], update.view, update.step)
        if update.turn is None or resigned:
            continue
        try:
            note = _answer(seat, update.turn, person, note)
        except Resigned:
            seat.resign()
            resigned = True
            stage.console.print("You have given your seat up. The others play on; Ctrl-C leaves.")
        except Left:
            return None
    return seat.result


def _answer(seat: Seat, turn: SeatDecision, person: Person, note: str) -> str:
    """Let the person answer a question, or play out of turn; what there is to say about it at the next question."""
    while True:
        try:
            act = person.choose(
                turn.options, turn.why, seat.plays, " ".join(filter(None, (note, time_left(turn.clock))))
            )
            seat.answer(act, turn)
        except OutOfTurn as other:
            try:
                seat.play(other.act)
            except RefusedByService as refused:
                note = str(refused)
                continue
        except (Stale, MatchOver):
            return "Somebody was faster, or your time was up: this is what is asked now."
        except RefusedByService as refused:
            note = str(refused)  # the question is still open
            continue
        return ""


def time_left(clock: Clock | None) -> str:
    """How long the person may think; empty where there is no limit."""
    if clock is None or clock.decision is None:
        return ""
    bank = f", then {clock.bank:.0f} from your bank" if clock.bank else ""
    return f"You have {clock.decision:.0f} seconds{bank}."
