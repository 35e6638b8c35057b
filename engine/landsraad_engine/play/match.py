"""A match with its journal and its logs: options, seats, submit, result, certificate."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.kernel.snapshots import digest, tuples
from landsraad_engine.kernel.state import State
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.knowledge.information import KnownTable, view_of
from landsraad_engine.knowledge.recorder import Recorder

from .build import engine_build
from .match_core import HELD, Delta, Input, MatchCore, write_logs


class Match:
    """One match in progress: a `MatchCore`, the journal of its inputs, and a `Recorder` for the logs of its seats.

    Args:
        game: what is played.
        seats: how many play.
        options: the options of the match; those that are left out have their defaults.
        secret: the server's part of the chance key. Its ``commitment`` may be published at once; the key follows from
            it, the ``name`` of the match and the ``entropy`` that the seats add.
        name: the name of the match.
        entropy: what the seats add to its chance.
        record: whether logs are kept.
        orders: standing orders of the seats, which hold from the very beginning.
        watch: wraps the steps of the rules, from the very first on.
        timed: reaction windows stay open until :meth:`close_window`, which is called by whatever keeps the time.

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
        self.core = MatchCore(game.state(replace(setting, flow=flow, timed=timed)))
        self.journal: list[Input] = []
        self.recorder = Recorder(seats) if record else None
        self._keep(self.core.begin(orders or {}))

    # ---------------------------------------------------------------------------------------------------------- play

    @property
    def g(self) -> State:
        """The state of the match."""
        return self.core.state

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have something to answer."""
        return self.core.state.waiting

    @property
    def result(self) -> tuple[str, tuple[int, ...]] | None:
        """The kind of the end and the winners; None before the end."""
        return self.core.state.result

    def decision(self, seat: int) -> int:
        """Return the number of the question that a seat has open (its place in the seat's own log)."""
        return self.recorder.decision(seat) if self.recorder else 0

    def step(self, seat: int) -> int:
        """Return the number of the entry that told a seat the public step, which a play can name as ``during``."""
        return self.recorder.step(seat) if self.recorder else 0

    def submit(self, seat: int, act: Act, decision: int | None = None, during: int | None = None) -> Delta:
        """Answer the open question, or make an out-of-turn play.

        Args:
            seat: the seat that acts.
            act: an act of this game.
            decision: the number of the question that the act answers.
            during: the public step during which the play is made.

        Raises:
            Refused: the act is not legal, or the match has moved on from ``decision`` or ``during``. The state is
                unchanged to the byte.

        """
        act = self._checked(seat, act)
        if self.recorder:
            self.recorder.check_current(seat, decision, during)
        elif decision or during:
            raise Refused("stale", "a match without logs does not number its decisions")
        return self._keep(self.core.submit(seat, act, as_play=during is not None))

    def try_out(self, seat: int, act: Act) -> None:
        """Raise `Refused` where `submit` would. No step is run: the time it takes would tell what would come of it."""
        self.core.try_out(seat, self._checked(seat, act))

    def answer(self, seat: int, act: Act) -> Delta:
        """Answer with an act made in this process: checked against the rules, not taken apart first."""
        return self._keep(self.core.answer(seat, act))

    def set_orders(self, seat: int, orders: Sequence[str]) -> Delta:
        """Set a seat's standing orders, which are among those of `kernel.standing_orders`."""
        return self._keep(self.core.set_orders(seat, orders))

    def set_absent(self, seat: int, absent: bool = True) -> Delta:
        """Let a seat take the default act of every question from now on, and make no plays; its pieces stay."""
        return self._keep(self.core.set_absent(seat, absent))

    def close_window(self) -> Delta:
        """Close the open reaction window: its time is up."""
        return self._keep(self.core.close_window())

    def raise_epoch(self, epoch: int) -> Delta:
        """Go on with chance of another epoch, because the end of the match was lost."""
        return self._keep(self.core.raise_epoch(epoch))

    def take(self, given: Input) -> Delta:
        """Take an input as a journal keeps it."""
        if given.kind in ("answer", "play"):
            return self.submit(given.seat, execution.from_plain(self.game, given.act))
        return self._keep(self.core.apply(given))

    def _checked(self, seat: int, act: Act) -> Act:
        """Return an act of this game, as it is checked against the rules; Refused if no act is taken any more."""
        self.core.check_seat(seat)
        act = self.core.well_formed(act)
        self.core.check_open(seat)
        return act

    def _keep(self, delta: Delta) -> Delta:
        """Add to the journal and to the logs."""
        self.journal += delta.inputs
        if self.recorder:
            write_logs(self.recorder, self.core.state, delta)
        return delta

    # ------------------------------------------------------------------------------------------------------- reading

    def view(self, seat: int | None) -> KnownTable:
        """Return what a seat (or a spectator) knows now."""
        return view_of(self.g, seat, 0 if seat is None else self.decision(seat))

    def log(self, seat: int | None) -> list[tuple[Any, ...]]:
        """Return a seat's information log; None stands for the spectators."""
        if self.recorder is None:
            raise ValueError("this match is not recorded")
        return self.recorder.logs[-1 if seat is None else seat]

    def fold(self, seat: int | None) -> KnownTable:
        """Return the view as the fold of the seat's log."""
        return Fold(self.g.setting.layout, seat).add(self.log(seat)).view

    def snapshot(self) -> bytes:
        """Return the state as bytes."""
        return self.core.image()

    def restore(self, image: bytes) -> None:
        """Go on from a snapshot of this match (logs are not part of it)."""
        self.core.resume(image)

    def certificate(self) -> dict[str, Any]:
        """Return what lets a client check the finished match: inputs, revealed key material, digests."""
        return certificate_of(
            self.core.state, name=self.name, secret=self.secret, entropy=self.entropy, journal=self.journal
        )


# ------------------------------------------------------------------------------------------------------- certificates


def certificate_of(
    g: State, *, name: str, secret: bytes, entropy: Sequence[bytes], journal: Sequence[Input]
) -> dict[str, Any]:
    """Return the certificate of a match that has come to a state by the inputs of a journal."""
    setting = g.setting
    given = [[one.seat, one.kind, one.act] for one in journal]
    return {
        "game": setting.game.id,
        "engine": engine_build(),
        "content": setting.game.content_digest(setting.options),
        "name": name,
        "seats": setting.seats,
        "options": dict(setting.options),
        "commitment": commitment(secret),
        "secret": secret.hex(),
        "entropy": [part.hex() for part in entropy],
        "journal": given,
        "journal_digest": hashlib.sha256(msgspec.msgpack.encode(given)).hexdigest(),
        "final_digest": digest(g),
        "result": list(g.result) if g.result else None,
    }


def replay(game: Game, certificate: Mapping[str, Any], upto: int | None = None, record: bool = True) -> Match:
    """Play a certificate's journal again.

    Args:
        game: the game that was played.
        certificate: what `Match.certificate` has returned.
        upto: how many inputs of the journal are played; all of them by default.
        record: whether the match keeps logs.

    Raises:
        BadJournal: one of the inputs cannot be given.

    """
    for match, _ in replaying(game, certificate, upto, record):  # noqa: B007  the last one is wanted
        pass
    return match


def replaying(
    game: Game, certificate: Mapping[str, Any], upto: int | None = None, record: bool = True
) -> Iterator[tuple[Match, Input | None]]:
    """Play a certificate's journal again, input by input.

    Args:
        game: the game that was played.
        certificate: what `Match.certificate` has returned.
        upto: how many inputs of the journal are played; all of them by default.
        record: whether the match keeps logs.

    Yields:
        The match before each input, and the input; at the end the match and None. It is the same match every time.

    Raises:
        BadJournal: one of the inputs cannot be given.

    """
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
            continue  # the match has begun with that
        given = Input(seat, kind, tuples(list(act)))
        yield match, given
        try:
            _check_form(game, given)
            match.take(given)
        except Refused as refused:
            raise BadJournal(f"input {number}: {refused}") from None
    yield match, None


def _check_form(game: Game, given: Input) -> None:
    """Raise `Refused` if no journal of this game can hold it. Whether it is legal at its place, the match says."""
    match given.kind, given.act:
        case ("epoch", (int(),)) | ("absent", (bool(),)) | ("window", (False,)) | ("orders", _):
            return
        case (("answer" | "play"), (str(), *_)):
            with suppress(LawBroken, TypeError):  # no such act, or not so many fields
                execution.from_plain(game, given.act)
                return
    raise Refused("malformed", f"{given.kind} {list(given.act)} is no input of {game.id}")


def verify(game: Game, certificate: Mapping[str, Any]) -> list[str]:
    """Play a finished match again and return the names of the parts that differ ("journal": it cannot be played)."""
    try:
        again = replay(game, certificate, record=False).certificate()
    except EngineError:
        return ["journal"]
    fields = ("content", "commitment", "journal", "journal_digest", "final_digest", "result")
    plain_given = msgspec.json.decode(msgspec.json.encode({f: certificate.get(f) for f in fields}))
    plain_again = msgspec.json.decode(msgspec.json.encode({f: again[f] for f in fields}))
    return [f for f in fields if plain_given[f] != plain_again[f]]
