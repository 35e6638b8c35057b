"""The two-run leak test: change what a seat must not know, play the same inputs, compare every byte it receives.

A position is taken from a random match. Of the worlds that give the seat the same view, one is sampled, and some
secrets that no view shows (standing orders, the chance key) are changed as well. Then both worlds are played on with
the same inputs. The seat's question, its out-of-turn plays, its refusals and its log entries, their number and order,
must be equal until the first entry by which the rules themselves show a face or value that was changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import msgspec

from landsraad_engine import kernel
from landsraad_engine.errors import LawBroken, Refused
from landsraad_engine.game import Game
from landsraad_engine.grammar import Act, Options
from landsraad_engine.information import Entry, Recorder, at_entry, places_seen, view_of
from landsraad_engine.match import Match
from landsraad_engine.selfplay import standing
from landsraad_engine.table import State
from landsraad_engine.testing.mutants import mutants
from landsraad_engine.worlds import sample_world
from landsraad_engine.zones import Content

#: How many inputs both worlds are played on for.
AHEAD = 12

#: Verbs that may show a hidden face or value by the rules: the argument positions (after verb and rule) that do.
SHOWING: Mapping[str, tuple[int, ...]] = {
    "move": (4,),  # (source, slot, target, to, face)
    "reveal": (2,),  # (place, slot, face)
    "look": (3,),  # (place, slot, seats, faces)
    "gather": (2,),  # (source, target, faces)
    "open": (1,),  # (place, value)
    "declare": (2,),  # (seat, fact, value): listed disclosures only
    "roll": tuple(range(1, 12)),  # (label, numbers…): differs only with another chance key
    "transfer": (),
}


@dataclass(slots=True)
class Finding:
    """One difference that no rule explains."""

    seat: int
    where: tuple[Any, ...]
    what: str
    true: Any
    changed: Any
    kinds: tuple[str, ...]


@dataclass(slots=True)
class Report:
    """What the test has seen so far."""

    positions: int = 0
    changed: int = 0
    changed_by_kind: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def add(self, other: Report) -> None:
        self.positions += other.positions
        self.changed += other.changed
        self.changed_by_kind.update(other.changed_by_kind)
        self.findings += other.findings


def hidden_kinds(g: State, other: State, seat: int) -> tuple[str, ...]:
    """By kind of secret (the zone's name), what differs between two worlds and is hidden from the seat."""
    kinds = set()
    bit = 1 << seat
    for key in g.table.keys() | other.table.keys():
        if key.startswith(("*", "chance/")) or g.table.get(key) == other.table.get(key):
            continue
        if key == "epoch":
            kinds.add("chance")
            continue
        if g.eyes[key] & bit and g.setting.places[key].zone.content is not Content.PILE:
            raise LawBroken(f"the sampled world differs in {key}, which seat {seat} sees")
        kinds.add(kind_of(g.setting.places[key].zone.name))
    return tuple(sorted(kinds))


def kind_of(zone: str) -> str:
    """The kind of secret that a zone holds: the first word of its name."""
    return {"sealed": "plan", "orders": "standing_orders"}.get(zone, zone)


class TwoRuns:
    """One position in two worlds."""

    def __init__(self, g: State, seat: int, rng: Random) -> None:
        self.seat = seat
        self.rng = rng
        self.true = g.copy()
        self.changed = sample_world(g.setting, view_of(g, seat), rng)
        self._keep_engine_keys()
        self._change_orders()
        self.kinds = hidden_kinds(self.true, self.changed, seat)
        self.logs = (Recorder(g.setting.seats), Recorder(g.setting.seats))
        for recorder, world in zip(self.logs, self.worlds, strict=True):
            world.events.clear()
            recorder.note(world)

    @property
    def worlds(self) -> tuple[State, State]:
        return (self.true, self.changed)

    def _keep_engine_keys(self) -> None:
        """Counters of the chance streams go on from the same place."""
        for key, value in self.true.table.items():
            if key.startswith("chance/") or key == "epoch":
                self.changed.table[key] = value

    def _change_orders(self) -> None:
        """Standing orders of the others differ at random; the own ones are the seat's knowledge.

        Not while a window is open: it would close in one world only, and the worlds would stand at different questions.
        """
        window = self.true.ask is not None and bool(self.true.ask.window)
        for other in range(self.true.setting.seats):
            key = f"orders/{other}"
            given = self.true.table.get(key)
            if other != self.seat and not window and self.rng.random() < 0.5:
                given = None if given else (kernel.AUTO,)
            if given is None:
                self.changed.table.pop(key, None)
            else:
                self.changed.table[key] = given

    def rekey(self) -> None:
        """Give the changed world another chance key: nothing told so far may depend on it."""
        self.changed.setting = replace(self.changed.setting, key=self.rng.randbytes(32))
        self.kinds = tuple(sorted({*self.kinds, "chance"}))

    # --- comparing

    def compare(self) -> Finding | None:
        """Everything that the seat can ask for at this position."""
        true, changed = (self._told(world) for world in self.worlds)
        for what, value in true.items():
            if value != changed[what]:
                return self._finding(what, value, changed[what])
        return None

    def _told(self, g: State) -> dict[str, Any]:
        seat = self.seat
        asked = g.ask is not None and seat in g.waiting
        told: dict[str, Any] = {
            "view": msgspec.msgpack.encode(sorted(places_seen(g, seat).items())),
            "step": at_entry(g) if g.ask is None or not g.ask.window else at_entry(g)[1:],
            "question": g.ask.plain(seat) if asked and g.ask is not None else None,
            "plays": kernel.plays(g, seat).plain(),
        }
        if asked and g.ask is not None:
            told["refusals"] = self._refusals(g, g.ask.options[seat])
        return told

    def _refusals(self, g: State, options: Options) -> list[Any]:
        """What is said to acts that are not legal."""
        rng = Random(7)
        said = []
        for act in mutants(options, rng, 4):
            try:
                kernel.answer(g.copy(), self.seat, act)
            except Refused as refusal:
                near = [kernel.plain(a) for a in refusal.nearest]
                said.append((refusal.reason, refusal.message, refusal.rule, refusal.field, near))
        return said

    def _finding(self, what: str, true: Any, changed: Any) -> Finding:
        return Finding(self.seat, self.true.path(), what, true, changed, self.kinds)

    # --- playing on

    def play_on(self, steps: int = AHEAD) -> Finding | None:
        """Play both worlds on with the same inputs; the first difference that no rule explains."""
        for _ in range(steps):
            if self.true.ask is None or self.changed.ask is None or not self._one_input():
                return None
            verdict = self._compare_logs()
            if verdict is not None:
                return verdict if isinstance(verdict, Finding) else None
            found = self.compare() if self._level() else None
            if found is not None:
                return found
        return None

    def _level(self) -> bool:
        """Whether both worlds stand at the same public step; a window may be open in one only, unseen by all."""
        return at_entry(self.true) == at_entry(self.changed)

    def _one_input(self) -> bool:
        """One input that is legal in both worlds, given to both; False if there is none to be found."""
        if not self._level():
            return self._catch_up()
        true, changed = self.true.ask, self.changed.ask
        assert true is not None
        assert changed is not None
        if not self.true.waiting:
            return self._catch_up()
        seat = self.true.waiting[int(self.rng.random() * len(self.true.waiting))]
        if seat not in self.changed.waiting:  # passed there by standing order, seen by nobody
            kernel.answer(self.true, seat, true.default_for(seat))
            return True
        for _ in range(20):
            act = true.options[seat].sample_kind(self.rng)
            if changed.options[seat].contains(act):
                return self._give(seat, act, act)
            if seat == self.seat:
                return False  # its own options differ: compare() has reported that already
        if true.mode == "all":  # what others answer in secret may differ
            return self._give(seat, true.default_for(seat), changed.default_for(seat))
        return False

    def _give(self, seat: int, act: Act, changed: Act) -> bool:
        """Give both worlds their input; False if the changed world could not have come about (an earlier public act,
        such as a bid, rested on what was changed).
        """
        for recorder in self.logs:
            recorder.answered(seat, act)
        kernel.answer(self.true, seat, act)
        return self._changed_takes(seat, changed)

    def _changed_takes(self, seat: int, act: Act) -> bool:
        """Whether the changed world takes an input (see :meth:`_give`)."""
        try:
            kernel.answer(self.changed, seat, act)
        except LawBroken:
            return False
        return True

    def _catch_up(self) -> bool:
        """Close a window that is open in one world only, by defaults that nobody sees."""
        lengths = [len(recorder.logs[self.seat]) for recorder in self.logs]
        world = self.true if lengths[0] <= lengths[1] else self.changed
        ask = world.ask
        seat = next((seat for seat in world.waiting if seat != self.seat), None)
        if ask is None or not ask.window or seat is None:
            return False
        if world is self.changed:
            return self._changed_takes(seat, ask.default_for(seat))
        kernel.answer(world, seat, ask.default_for(seat))
        return True

    def _compare_logs(self) -> Finding | bool | None:
        """None: equal so far. True: differs, by a rule. A finding otherwise."""
        for recorder, world in zip(self.logs, self.worlds, strict=True):
            recorder.note(world)
        mine = [recorder.logs[self.seat] for recorder in self.logs]
        for true, changed in zip(*mine, strict=False):
            if true != changed:
                return True if shown_by_rule(true, changed) else self._finding("log", true, changed)
        if len(mine[0]) != len(mine[1]) and self._level():
            longer = max(mine, key=len)
            return self._finding("log length", len(mine[0]), (len(mine[1]), longer[min(map(len, mine))]))
        return None


def shown_by_rule(true: Entry, changed: Entry) -> bool:
    """Whether two log entries differ only where the rules show a face or value."""
    if any(entry[:2] == ("event", "declare") for entry in (true, changed)):
        return True  # a listed disclosure: from here on the worlds are publicly different
    if true[0] not in ("event", "aside") or true[:3] != changed[:3] or len(true) != len(changed):
        return False
    allowed = SHOWING.get(true[1], ())
    return all(a == b or at in allowed for at, (a, b) in enumerate(zip(true[3:], changed[3:], strict=True)))


def leak_match(game: Game, seats: int, options: Mapping[str, Any], seed: int, positions: int, every: int = 7) -> Report:
    """Play one random match and test positions of it."""
    rng = Random(seed)
    report = Report()
    orders = standing(seats) if rng.random() < 0.5 else {}
    match = Match(game, seats, options, secret=rng.randbytes(8), name=f"leak-{seed}", record=False, orders=orders)
    g = match.g
    n = 0
    while g.ask is not None and report.positions < positions:
        n += 1
        if n % every == 0:
            seat = rng.randrange(seats)
            runs = TwoRuns(g, seat, rng)
            report.positions += 1
            if rng.random() < 0.1:
                runs.rekey()
            if runs.kinds:
                report.changed += 1
                report.changed_by_kind.update(runs.kinds)
            found = runs.compare() or (None if "chance" in runs.kinds else runs.play_on())
            if found is not None:
                report.findings.append(found)
        _random_input(match, rng)
    return report


def _random_input(match: Match, rng: Random) -> None:
    g = match.g
    assert g.ask is not None
    if rng.random() < 0.02:
        seat = rng.randrange(match.seats)
        open_ = kernel.plays(g, seat)
        if open_.choices:
            match.submit(seat, open_.sample_kind(rng))
            return
    seat = g.waiting[int(rng.random() * len(g.waiting))]
    match.answer(seat, g.ask.options[seat].sample_kind(rng))
