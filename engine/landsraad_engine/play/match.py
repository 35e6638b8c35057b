"""A match: options, seats, submit, result, journal, certificate. What the service and local play both stand on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec

from landsraad_engine.errors import BadJournal, EngineError, LawBroken, Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.chance import commitment, match_key
from landsraad_engine.kernel.frames import FlowTable
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.reserved_places import absent_key
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.kernel.snapshots import decode, digest, encode, tuples
from landsraad_engine.kernel.state import State
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.knowledge.information import KnownTable, view_of
from landsraad_engine.knowledge.recorder import Recorder

from .build import engine_build


class Input(msgspec.Struct, frozen=True, gc=False):
    """One accepted input, as the journal keeps it: enough to play the match again."""

    seat: int
    #: "answer" | "play" | "orders" | "absent"; "opening": orders that stood before the first question; "window": True
    #: at the very beginning if windows are held open, False where one was closed; "epoch": see Match.raise_epoch
    kind: str
    act: tuple[Any, ...]


#: Stands first in the journal of a match whose windows are held open.
HELD = Input(0, "window", (True,))


class Match:
    """One match in progress.

    ``secret`` is the server's; its ``commitment`` may be published at once, the chance key follows from it, the match's
    name and what the seats added. ``watch`` puts something around the steps of its rules, from the very first on. If it
    is ``timed``, reaction windows stay open until :meth:`close_window`, for whoever keeps the time.
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
        watch: Callable[[FlowTable], FlowTable] | None = None,
        timed: bool = False,
    ) -> None:
        self.game = game
        self.name = name
        self.secret = secret
        self.entropy = tuple(entropy)
        self.options = game.parse_options(options or {}, seats)
        self.seats = seats
        setting = setting_for(game, self.options, seats, match_key(secret, name, self.entropy))
        flow = setting.flow if watch is None else watch(setting.flow)
        self.g: State = game.state(replace(setting, flow=flow, timed=timed))
        self.journal: list[Input] = [HELD] if timed else []
        self.recorder = Recorder(seats) if record else None
        for seat, given in sorted((orders or {}).items()):
            self._check_seat(seat)
            standing = self._orders(given)
            execution.set_orders(self.g, seat, standing)
            self.journal.append(Input(seat, "opening", standing))
        execution.begin(self.g)
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

    def step(self, seat: int) -> int:
        """The number of the entry that told a seat the public step: what an out-of-turn play can name as ``during``."""
        return self.recorder.step(seat) if self.recorder else 0

    def submit(self, seat: int, act: Act, decision: int | None = None, during: int | None = None) -> None:
        """Answer the open question, or make an out-of-turn play. Refused leaves the state unchanged to the byte.

        Who names the ``decision`` it answers, or the public step ``during`` which it plays, is refused if the match has
        moved on meanwhile.
        """
        act = self._taken_up(seat, act)
        if during is not None and during != self.step(seat):
            raise Refused("stale", "the match has moved on to another step", decision=self.decision(seat))
        if decision is not None and decision != self.decision(seat):
            raise Refused("stale", "this decision is no longer open", decision=self.decision(seat))
        if self.is_play(seat, act, during):
            execution.play(self.g, seat, act)
            self._accepted(seat, "play", act)
        else:
            execution.answer(self.g, seat, act)
            self._accepted(seat, "answer", act)

    def try_out(self, seat: int, act: Act) -> None:
        """Refused where `submit` would be. No step is run: how long that takes would tell what would come of it."""
        act = self._taken_up(seat, act)
        check = execution.check_play if self.is_play(seat, act) else execution.check_answer
        check(self.g, seat, act)

    def _taken_up(self, seat: int, act: Act) -> Act:
        """An act of this game, as it is checked against the rules; Refused if nobody can act any more."""
        self._check_seat(seat)
        act = self._well_formed(act)
        if self.result is not None:
            raise Refused("over", "the match has ended")
        return act

    def is_play(self, seat: int, act: Act, during: int | None = None) -> bool:
        """Whether it is an out-of-turn play, which it is meant for if it names a step; but what could answer, does."""
        g = self.g
        if g.ask is not None and seat in g.waiting and g.ask.options[seat].offers(type(act)):
            return False
        return during is not None or execution.plays(g, seat).offers(type(act))

    def answer(self, seat: int, act: Act) -> None:
        """Answer with an act made in this process: checked against the rules, not taken apart first."""
        execution.answer(self.g, seat, act)
        self._accepted(seat, "answer", act)

    def _well_formed(self, act: Any) -> Act:
        """The act with plain tuples and the types its fields declare; Refused if it is none of this game's."""
        if type(act) not in self.game.acts:
            raise Refused("malformed", f"{type(act).__name__} is not an act of {self.game.id}")
        try:
            built: Act = msgspec.convert(msgspec.to_builtins(act), type(act), strict=True)
        except (msgspec.ValidationError, TypeError) as error:
            raise Refused("malformed", str(error)) from None
        values = (getattr(built, name) for name in built.__struct_fields__)
        return type(built)(*[tuples(list(v)) if type(v) in (list, tuple) else v for v in values])

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.seats:
            raise Refused("not_asked", f"there is no seat {seat}")

    def _accepted(self, seat: int, kind: str, act: Act) -> None:
        self.journal.append(Input(seat, kind, execution.plain(act)))
        if self.recorder:
            if kind == "answer":
                self.recorder.answered(seat, act)
            else:
                self.recorder.played(seat, act)
        self._settle()

    def set_orders(self, seat: int, orders: Sequence[str]) -> None:
        """Set a seat's standing orders, which are among those of `kernel.standing_orders`."""
        self._check_seat(seat)
        standing = self._orders(orders)
        execution.set_orders(self.g, seat, standing)
        self.journal.append(Input(seat, "orders", standing))
        self._settle()

    def _orders(self, orders: Sequence[str]) -> tuple[str, ...]:
        """Standing orders as they are kept; Refused if one of them means nothing in this game."""
        if problem := execution.order_problem(self.game, orders):
            raise Refused("malformed", problem, field="orders")
        return tuple(sorted(set(orders)))

    def set_absent(self, seat: int, absent: bool = True) -> None:
        """A seat that resigned or stays away takes the default act of every question from now on, and makes no plays;
        its pieces stay.
        """
        self._check_seat(seat)
        self.g.set_mark(absent_key(seat), True if absent else None)
        self.journal.append(Input(seat, "absent", (absent,)))
        self._settle()

    def close_window(self) -> None:
        """The time of the open reaction window is up."""
        execution.close_window(self.g)
        self.journal.append(Input(0, "window", (False,)))
        self._settle()

    def raise_epoch(self, epoch: int) -> None:
        """The end of the match was lost, and it goes on from here with chance of another epoch.

        So dice that somebody may have seen are not rolled again.
        """
        self.g.table["epoch"] = epoch
        self.g.dirty.add("epoch")
        self.journal.append(Input(0, "epoch", (epoch,)))

    def take(self, given: Input) -> None:
        """Take an input as a journal keeps it."""
        match given.kind:
            case "epoch":
                self.raise_epoch(given.act[0])
            case "window":
                self.close_window()
            case "orders":
                self.set_orders(given.seat, given.act)
            case "absent":
                self.set_absent(given.seat, given.act[0])
            case _:
                self.submit(given.seat, execution.from_plain(self.game, given.act))

    def _settle(self) -> None:
        """Answer for absent seats, then take everybody's part of what has happened into the logs."""
        g = self.g
        while g.ask is not None:
            absent = [seat for seat in g.waiting if g.table.get(absent_key(seat))]
            if not absent:
                break
            execution.answer(g, absent[0], g.ask.default_for(absent[0]))
        if self.recorder:
            self.recorder.note(g)
        else:
            g.events.clear()
            g.dirty.clear()

    # ------------------------------------------------------------------------------------------------------- reading

    def view(self, seat: int | None) -> KnownTable:
        """What a seat (or a spectator) knows now."""
        return view_of(self.g, seat, 0 if seat is None else self.decision(seat))

    def log(self, seat: int | None) -> list[tuple[Any, ...]]:
        """A seat's information log; None for the spectators'."""
        if self.recorder is None:
            raise ValueError("this match is not recorded")
        return self.recorder.logs[-1 if seat is None else seat]

    def fold(self, seat: int | None) -> KnownTable:
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
        journal = [[i.seat, i.kind, i.act] for i in self.journal]
        return {
            "game": self.game.id,
            "engine": engine_build(),
            "content": self.game.content_digest(self.options),
            "name": self.name,
            "seats": self.seats,
            "options": dict(self.options),
            "commitment": commitment(self.secret),
            "secret": self.secret.hex(),
            "entropy": [part.hex() for part in self.entropy],
            "journal": journal,
            "journal_digest": hashlib.sha256(msgspec.msgpack.encode(journal)).hexdigest(),
            "final_digest": digest(self.g),
            "result": list(self.result) if self.result else None,
        }


def replay(game: Game, certificate: Mapping[str, Any], upto: int | None = None, record: bool = True) -> Match:
    """Play a certificate's journal again, up to its n-th input; BadJournal if one of them cannot be given."""
    journal = certificate["journal"]
    try:
        match = Match(
            game,
            certificate["seats"],
            certificate["options"],
            secret=bytes.fromhex(certificate["secret"]),
            name=certificate["name"],
            entropy=[bytes.fromhex(part) for part in certificate["entropy"]],
            record=record,
            orders={seat: tuple(act) for seat, kind, act in journal if kind == "opening"},
            timed=[kind for _, kind, _ in journal[:1]] == [HELD.kind],
        )
    except Refused as refused:
        raise BadJournal(f"the orders before its first input: {refused}") from None
    begun = len(match.journal)
    for number, (seat, kind, act) in enumerate(journal[:upto], 1):
        if number <= begun and kind in ("opening", HELD.kind):
            continue  # it has begun with that
        given = Input(seat, kind, tuples(list(act)))
        try:
            _check_form(game, given)
            match.take(given)
        except Refused as refused:
            raise BadJournal(f"input {number}: {refused}") from None
    return match


def _check_form(game: Game, given: Input) -> None:
    """Refused if it is none that a journal of this game can hold; whether it can be given, the match says."""
    match given.kind, given.act:
        case ("epoch", (int(),)) | ("absent", (bool(),)) | ("window", (False,)) | ("orders", _):
            return
        case (("answer" | "play"), (str(), *_)):
            with suppress(LawBroken, TypeError):  # no such act, or not so many fields
                execution.from_plain(game, given.act)
                return
    raise Refused("malformed", f"{given.kind} {list(given.act)} is no input of {game.id}")


def verify(game: Game, certificate: Mapping[str, Any]) -> list[str]:
    """Play a finished match again and compare; the names of the parts that differ ("journal": it cannot be played)."""
    try:
        again = replay(game, certificate, record=False).certificate()
    except EngineError:
        return ["journal"]
    fields = ("content", "commitment", "journal", "journal_digest", "final_digest", "result")
    plain_given = msgspec.json.decode(msgspec.json.encode({f: certificate.get(f) for f in fields}))
    plain_again = msgspec.json.decode(msgspec.json.encode({f: again[f] for f in fields}))
    return [f for f in fields if plain_given[f] != plain_again[f]]
