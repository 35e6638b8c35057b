"""Play at the terminal: a seat from the first question to the end of its match, across lost connections."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from landsraad.advice import AdvisingBot
from landsraad.errors import MatchOver, RefusedByService, Stale
from landsraad.models import Clock, Result, Ticket
from landsraad.seat import Seat
from landsraad.seat_log import SeatDecision
from landsraad_cli.terminal.person import ChangedOrders, OutOfTurn, Person, Quit, Resigned
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.errors import describe_refusal
from landsraad_engine.play.bot import Decision


@dataclass(frozen=True, slots=True)
class SavedSeat:
    """A seat in a file, so that a later process can come back to it. The credential is a secret, so only its owner can
    read it.
    """

    server: str
    match: str
    seat: int
    credential: str

    @classmethod
    def of(cls, server: str, ticket: Ticket) -> SavedSeat:
        """Make it from a ticket."""
        return cls(server, ticket.match, ticket.seat, ticket.credential)

    @property
    def ticket(self) -> Ticket:
        """The ticket of the seat."""
        return Ticket(self.match, self.seat, self.credential)

    def write(self, path: Path) -> None:
        """Write the file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(asdict(self), file)

    @classmethod
    def read(cls, path: Path) -> SavedSeat:
        """Read the file.

        Raises:
            OSError: There is no such file.
            ValueError: The file does not hold a seat.
        """
        found = json.loads(path.read_text())
        if not isinstance(found, Mapping) or set(found) != set(cls.__dataclass_fields__):
            raise ValueError(f"{path} does not hold a seat")
        return cls(**found)


def play(seat: Seat, person: Person, stage: Screen, advisor: AdvisingBot | None = None) -> Result | None:
    """Let a person play a seat until the match is over; return None if the person has left it.

    Args:
        seat: The seat.
        person: The person at the terminal.
        stage: The terminal.
        advisor: A bot that tells the person before each decision what it would consider.
    """
    resigned = False
    note = ""
    for update in seat.updates():
        if update.match.state == "open":
            continue
        entries = [one.entry for one in update.entries]
        person.passing.hear(entries, stage.show(entries, update.view, update.step), update.view)
        if update.decision is None or resigned:
            continue
        if advisor is not None and not person.passing.wanted:
            person.advise(advisor.consider(update.decision.view, question_of(update.decision)), update.decision.options)
        try:
            note = _answer(seat, update.decision, person, note)
        except Resigned:
            seat.resign()
            resigned = True
            stage.console.print("You have resigned. The others play on. Press Ctrl-C to leave.")
        except Quit:
            return None
    return seat.result


def question_of(decision: SeatDecision) -> Decision:
    """Return a decision as bots get it. It has no clock: a person takes longer than any search."""
    return Decision(decision.seat, decision.options, decision.why, decision.window, worlds=decision._worlds)


def _answer(seat: Seat, decision: SeatDecision, person: Person, note: str) -> str:
    """Let the person answer a decision, or play out of turn; return a note for the next decision."""
    while True:
        try:
            act = person.choose(
                decision.options, decision.why, seat.plays, " ".join(filter(None, (note, time_left(decision.clock))))
            )
            seat.answer(act, decision)
        except OutOfTurn as other:
            try:
                seat.play(other.act)
            except RefusedByService as refused:
                note = describe_refusal(refused)
                continue
        except ChangedOrders as wish:
            seat.orders(*wish.orders)
            return "Your standing orders are changed."
        except (Stale, MatchOver):
            return "The match has moved on, or your time was up. This is the question that is open now."
        except RefusedByService as refused:
            note = describe_refusal(refused)  # the decision is still open; the user knows which match this is
            continue
        return ""


def time_left(clock: Clock | None) -> str:
    """Return a sentence with the time for a decision; empty if there is no limit."""
    if clock is None or clock.decision is None:
        return ""
    bank = f", then {clock.bank:.0f} from your bank" if clock.bank else ""
    return f"You have {clock.decision:.0f} seconds{bank}."
