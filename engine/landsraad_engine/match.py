"""A match: options, seats, submit, result, journal, certificate. What the service and local play both stand on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from . import kernel
from .chance import commitment, match_key
from .errors import Refused
from .game import Game, setting_for
from .grammar import Act
from .information import Fold, Recorder, View, view_of
from .snapshots import decode, digest, encode, tuples
from .table import State


@dataclass(frozen=True, slots=True)
class Input:
    """One accepted input, as the journal keeps it: enough to play the match again."""

    seat: int
    kind: str  # "answer" | "play" | "orders" | "absent"
    act: tuple[Any, ...]


class Match:
    """One match in progress.

    ``secret`` is the server's; its ``commitment`` may be published at once, the chance key follows from it, the match's
    name and what the seats added.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, Any] | None = None,
        *,
        secret: bytes = b"landsraad",
        name: str = "match",
        entropy: Sequence[bytes] = (),
        record: bool = True,
        orders: Mapping[int, tuple[str, ...]] | None = None,
    ) -> None:
        self.game = game
        self.name = name
        self.secret = secret
        self.entropy = tuple(entropy)
        self.options = game.parse_options(options or {}, seats)
        self.seats = seats
        setting = setting_for(game, self.options, seats, match_key(secret, name, entropy))
        self.g: State = game.state(setting)
        self.journal: list[Input] = []
        self.recorder = Recorder(seats) if record else None
        for seat, standing in sorted((orders or {}).items()):
            self.g.set_mark(f"orders/{seat}", tuple(sorted(standing)) or None)
            self.journal.append(Input(seat, "orders", tuple(sorted(standing))))
        kernel.begin(self.g)
        self._settle()

    # ---------------------------------------------------------------------------------------------------------- play

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have something to answer."""
        return self.g.waiting

    @property
    def result(self) -> tuple[str, tuple[int, ...]] | None:
        return self.g.result

    def decision(self, seat: int) -> int:
        """The number of the question that a seat has open (its place in the seat's own log)."""
        return self.recorder.decision(seat) if self.recorder else 0

    def submit(self, seat: int, act: Act, decision: int | None = None) -> None:
        """Answer the open question, or make an out-of-turn play. Refused leaves the state unchanged to the byte."""
        act = self._well_formed(act)
        if not 0 <= seat < self.seats:
            raise Refused("not_asked", f"there is no seat {seat}")
        if self.result is not None:
            raise Refused("over", "the match has ended")
        if decision is not None and decision != self.decision(seat):
            raise Refused("stale", "this decision is no longer open", decision=self.decision(seat))
        g = self.g
        asked = g.ask is not None and seat in g.waiting
        answers = asked and any(c.act is type(act) for c in g.ask.options[seat].choices)  # type: ignore[union-attr]
        if not answers and any(c.act is type(act) for c in kernel.plays(g, seat).choices):
            kernel.play(g, seat, act)
            self._accepted(seat, "play", act)
        else:
            kernel.answer(g, seat, act)
            self._accepted(seat, "answer", act)

    def answer(self, seat: int, act: Act) -> None:
        """Answer with an act made in this process: checked against the rules, not taken apart first."""
        kernel.answer(self.g, seat, act)
        self._accepted(seat, "answer", act)

    def _well_formed(self, act: Any) -> Act:
        """The act with plain tuples and the types its fields declare; Refused if it is none of this game's."""
        if type(act) not in self.game.acts:
            raise Refused("malformed", f"{type(act).__name__} is not an act of {self.game.id}")
        try:
            built: Act = msgspec.convert(msgspec.to_builtins(act), type(act), strict=True)
        except (msgspec.ValidationError, TypeError) as error:
            raise Refused("malformed", str(error)) from None
        values = [tuples(list(v)) if type(v) in (list, tuple) else v for v in map(built.__getattribute__, built.__struct_fields__)]
        return type(built)(*values)

    def _accepted(self, seat: int, kind: str, act: Act) -> None:
        self.journal.append(Input(seat, kind, kernel.plain(act)))
        if self.recorder:
            if kind == "answer":
                self.recorder.answered(seat, act)
            else:
                self.recorder.played(seat, act)
        self._settle()

    def set_orders(self, seat: int, orders: Sequence[str]) -> None:
        """Set a seat's standing orders: window kinds to pass on, or "auto" (not to be asked when only passing is left)."""
        standing = tuple(sorted(set(orders)))
        self.journal.append(Input(seat, "orders", standing))
        kernel.set_orders(self.g, seat, standing)
        self._settle()

    def set_absent(self, seat: int, absent: bool = True) -> None:
        """A seat that resigned or stays away takes the default act of every question from now on; its pieces stay."""
        self.journal.append(Input(seat, "absent", (absent,)))
        self.g.set_mark(f"absent/{seat}", True if absent else None)
        self._settle()

    def _settle(self) -> None:
        """Answer for absent seats, then take everybody's part of what has happened into the logs."""
        g = self.g
        while g.ask is not None:
            absent = [seat for seat in g.waiting if g.table.get(f"absent/{seat}")]
            if not absent:
                break
            kernel.answer(g, absent[0], g.ask.default_for(absent[0]))
        if self.recorder:
            self.recorder.note(g)
        else:
            g.events.clear()
            g.dirty.clear()

    # ------------------------------------------------------------------------------------------------------- reading

    def view(self, seat: int | None) -> View:
        """What a seat (or a spectator) knows now."""
        return view_of(self.g, seat, 0 if seat is None else self.decision(seat))

    def log(self, seat: int | None) -> list[tuple[Any, ...]]:
        """A seat's information log; None for the spectators'."""
        if self.recorder is None:
            raise ValueError("this match is not recorded")
        return self.recorder.logs[-1 if seat is None else seat]

    def fold(self, seat: int | None) -> View:
        """The view as the fold of the seat's log."""
        return Fold(self.g.setting.layout, seat).add(self.log(seat)).view

    def snapshot(self) -> bytes:
        return encode(self.g)

    def restore(self, image: bytes) -> None:
        """Go on from a snapshot of this match (logs are not part of it)."""
        self.g = decode(self.g.setting, image)

    # --------------------------------------------------------------------------------------------------- certificate

    def certificate(self) -> dict[str, Any]:
        """What lets anybody check a finished match: inputs, revealed key material, digests."""
        return {
            "game": self.game.id,
            "name": self.name,
            "seats": self.seats,
            "options": dict(self.options),
            "commitment": commitment(self.secret),
            "secret": self.secret.hex(),
            "entropy": [part.hex() for part in self.entropy],
            "journal": [[i.seat, i.kind, i.act] for i in self.journal],
            "journal_digest": hashlib.sha256(msgspec.msgpack.encode([[i.seat, i.kind, i.act] for i in self.journal])).hexdigest(),
            "final_digest": digest(self.g),
            "result": list(self.result) if self.result else None,
        }


def replay(game: Game, certificate: Mapping[str, Any], upto: int | None = None, record: bool = True) -> Match:
    """Play a certificate's journal again, up to its n-th input."""
    match = Match(
        game,
        certificate["seats"],
        certificate["options"],
        secret=bytes.fromhex(certificate["secret"]),
        name=certificate["name"],
        entropy=[bytes.fromhex(part) for part in certificate["entropy"]],
        record=record,
        orders={seat: tuple(act) for seat, kind, act in _opening_orders(certificate["journal"])},
    )
    inputs = list(certificate["journal"])[len(match.journal) :]
    for seat, kind, act in inputs[: None if upto is None else max(0, upto - len(match.journal))]:
        value = tuples(list(act))
        if kind == "orders":
            match.set_orders(seat, value)
        elif kind == "absent":
            match.set_absent(seat, value[0])
        else:
            match.submit(seat, kernel.from_plain(game, value))
    return match


def _opening_orders(journal: Sequence[Any]) -> list[Any]:
    """The standing orders that stood before the first question (they come first in the journal)."""
    opening: list[Any] = []
    for seat, kind, act in journal:
        if kind != "orders" or seat in [entry[0] for entry in opening]:
            break
        opening.append((seat, kind, act))
    return opening


def verify(game: Game, certificate: Mapping[str, Any]) -> list[str]:
    """Play a finished match again and compare; the differences found."""
    again = replay(game, certificate, record=False).certificate()
    fields = ("commitment", "journal_digest", "final_digest", "result")
    plain_given = msgspec.json.decode(msgspec.json.encode({f: certificate.get(f) for f in fields}))
    plain_again = msgspec.json.decode(msgspec.json.encode({f: again[f] for f in fields}))
    return [f for f in fields if plain_given[f] != plain_again[f]]
