"""Two-run test of one position: change what a seat must not know, play the same inputs, compare all that it is told.

Both runs go on from the seat's log as it is now. One is the match itself; the other stands in a world that was sampled
for the seat, with other standing orders and sometimes another chance key, which no view shows either. The seat's log,
the spectators', the numbers of entries and questions, its view, question, out-of-turn plays and every refusal must be
equal, until the first entry by which the rules themselves show a face or value that was changed.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import msgspec

from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.reserved_places import MAX_NESTED_PLAYS, answer_key
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import Sight
from landsraad_engine.knowledge.information import Entry, at_entry, places_seen, shown_faces, view_of
from landsraad_engine.knowledge.worlds import sample_world
from landsraad_engine.play.match import Match
from landsraad_engine.play.match_core import MatchCore
from landsraad_engine.testing.fuzz.mutants import mutants
from landsraad_engine.testing.leaks.secrets import CHANCE, kind_at, may_look, may_see, reveals, writes

#: How many inputs both worlds are played on for.
AHEAD = 12
#: How often an input is an out-of-turn play.
PLAYS = 0.15
#: Acts that are tried in vain at one position, of each of the kinds of :meth:`TwoRuns.probes`.
PROBES = 3


@dataclass(slots=True)
class Leak:
    """One difference that no rule explains, or one secret that was told."""

    seat: int
    where: tuple[Any, ...]
    what: str
    true: Any
    changed: Any
    kinds: tuple[str, ...]


def twin(match: Match, g: State) -> Match:
    """Return a match that goes on from this one in a state of its own."""
    other = copy.copy(match)
    other.core = MatchCore(g)
    other.journal = []
    assert match.recorder is not None
    other.recorder = match.recorder.copy()
    return other


class TwoRuns:
    """One position of a recorded match in two worlds."""

    def __init__(
        self, match: Match, seat: int, rng: Random, *, rekeyed: bool = False, overheard: Sequence[Act] = ()
    ) -> None:
        self.seat = seat
        self.rng = rng
        self.rekeyed = rekeyed
        self.overheard = overheard
        self.done: Counter[str] = Counter()
        g = match.g
        world = sample_world(g.setting, view_of(g, seat), rng)
        for key, value in g.table.items():  # the chance streams go on from the same place
            if key.startswith("chance/") or key == "epoch":
                world.table[key] = value
        if rekeyed:
            world.setting = replace(world.setting, key=rng.randbytes(32))
        self.runs = (twin(match, g.copy()), twin(match, world))
        self._keep_decks()
        self._change_orders()
        self._repeat_quiet_answers()
        self.kinds = (*self._hidden_kinds(), *((CHANCE,) if rekeyed else ()))
        self._logged = [(len(run.log(seat)), len(run.log(None))) for run in self.runs]

    # --------------------------------------------------------------------------------------------- the changed world

    def _keep_decks(self) -> None:
        """Keep half of the decks of which no seat holds a card in their order.

        Otherwise the next card turned up would end the comparison of most positions.
        """
        true, changed = (run.g for run in self.runs)
        places = true.setting.places
        held = {""} | {place.zone.back for place in places.values() if place.owners}
        decks = sorted({place.zone.back for place in places.values()} - held)
        kept = [back for back in decks if self.rng.random() < 0.5]
        for key, place in places.items():
            if place.zone.back in kept and key in true.table:
                changed.table[key] = true.table[key]

    def _change_orders(self) -> None:
        """Change the standing orders of the other seats at random; a seat knows its own.

        While a window is open the others have none: seats that have not answered in the changed world are waited for,
        so no order can answer for them.
        """
        true, changed = (run.g.table for run in self.runs)
        ask = self.runs[0].g.ask
        window = ask is not None and ask.window
        for other in range(self.runs[0].seats):
            key = f"orders/{other}"
            orders = true.get(key)
            if other != self.seat and (window or self.rng.random() < 0.5):
                orders = None if orders or window else (execution.AUTO,)
            if orders is None:
                changed.pop(key, None)
            else:
                changed[key] = orders

    def _repeat_quiet_answers(self) -> None:
        """Repeat the answers of others in a window that is still open, mostly and where they are legal."""
        true, changed = (run.g for run in self.runs)
        for other in range(true.setting.seats):
            for level in range(MAX_NESTED_PLAYS + 1):
                given = true.table.get(answer_key(Sight.QUIET, other, level))
                if given is None or other == self.seat or self.rng.random() < 0.3:
                    continue
                if level < true.level:
                    changed.table[answer_key(Sight.QUIET, other, level)] = given
                elif other in changed.waiting and changed.ask is not None:
                    act = execution.from_plain(true.setting.game, given)
                    if changed.ask.options[other].contains(act) and len(changed.waiting) > 1:
                        execution.answer(changed, other, act)
        changed.events.clear()

    def _hidden_kinds(self) -> tuple[str, ...]:
        """Return the kinds of secret that differ between the worlds."""
        true, changed = (run.g for run in self.runs)
        keys = {key for key in true.table.keys() | changed.table.keys() if key in true.setting.places}
        differ = {kind_at(true, key) for key in keys if true.table.get(key) != changed.table.get(key)}
        return tuple(sorted(kind for kind in differ if kind is not None))

    # --------------------------------------------------------------------------------------------------- comparing

    def compare(self, probing: bool = True) -> Leak | None:
        """Compare all that the seat can ask for at this position; return the first difference."""
        true, changed = (self._told(run) for run in self.runs)
        for what, value in true.items():
            if value != changed[what]:
                return self._finding(what, value, changed[what])
        for act in self.probes() if probing else ():
            self.done["refusals"] += 1
            said = [self._refusal(run, act) for run in self.runs]
            if said[0] != said[1]:
                return self._finding(f"refusal of {act}", *said)
        return None

    def _told(self, run: Match) -> dict[str, Any]:
        """Return what the seat is told at any time, as plain data."""
        g, seat = run.g, self.seat
        asked = g.ask if g.ask is not None and seat in g.waiting else None
        return {
            "view": _sorted(places_seen(g, seat)),
            "view of spectators": _sorted(places_seen(g, None)),
            "common knowledge": _sorted(shown_faces(g)),
            "step": at_entry(g),
            "number of the step": run.step(seat),
            "number of the question": run.decision(seat),
            "question": asked and asked.plain(seat),
            "default": asked and execution.plain(asked.default_for(seat)),
            "plays": execution.plays(g, seat).plain(),
            "talks": tuple(g.setting.game.talks(g, seat)),
        }

    def probes(self) -> Iterator[Act]:
        """Yield acts to be refused: nearly legal answers and plays, and acts of other seats."""
        g = self.runs[0].g
        if g.ask is not None and self.seat in g.waiting:
            yield from mutants(g.ask.options[self.seat], self.rng, PROBES)
        open_ = execution.plays(g, self.seat)
        if open_.choices:
            yield from mutants(open_, self.rng, PROBES)
        if self.overheard:
            yield from (self.rng.choice(self.overheard) for _ in range(PROBES))

    def _refusal(self, run: Match, act: Act) -> Any:
        """Return the refusal of an act; a legal one is sent too late, so that it is refused, too."""
        g = run.g
        if g.ask is not None and self.seat in g.waiting and g.ask.options[self.seat].contains(act):
            return self._said(run, act, decision=run.decision(self.seat) + 1)
        if execution.plays(g, self.seat).contains(act):
            return self._said(run, act, during=run.step(self.seat) + 1)
        return self._said(run, act)

    def _said(self, run: Match, act: Act, **moment: int) -> Any:
        try:
            run.submit(self.seat, act, **moment)
        except Refused as refusal:
            nearest = tuple(map(execution.plain, refusal.nearest))
            return (refusal.reason, refusal.message, refusal.rule, refusal.field, nearest, refusal.decision)
        raise AssertionError(f"{act} was not refused to seat {self.seat}")

    def _finding(self, what: str, true: Any, changed: Any) -> Leak:
        return Leak(self.seat, self.runs[0].g.path(), what, true, changed, self.kinds)

    # -------------------------------------------------------------------------------------------------- playing on

    def play_on(self, inputs: int = AHEAD) -> Leak | None:
        """Play both worlds on with the same inputs; return the first difference that no rule explains."""
        return next(filter(None, self.steps(inputs)), None)

    def steps(self, inputs: int = AHEAD) -> Iterator[Leak | None]:
        """Play on like `play_on`, and yield after each input, for callers that pass them on from the journals."""
        for _ in range(inputs):
            if any(run.g.ask is None for run in self.runs) or not self._one_input():
                return
            self.done["inputs"] += 1
            verdict = self._compare_logs()
            if verdict is not None:
                if isinstance(verdict, Leak):
                    yield verdict
                return
            yield self.compare(self.rng.random() < 0.3) if self.level else None

    @property
    def level(self) -> bool:
        """True while both worlds stand at the same public step; one may have a window open, which no log shows."""
        return at_entry(self.runs[0].g) == at_entry(self.runs[1].g)

    def _one_input(self) -> bool:
        """Give one input to both worlds; return False if there is none, or if opened answers were different."""
        true, changed = (run.g for run in self.runs)
        held = execution.held(true) and execution.held(changed)
        if not self.level or not true.waiting or not changed.waiting:
            return self._close_windows() if held and self.level else self._catch_up()
        if self.rng.random() < PLAYS and self._one_play():
            return True
        assert true.ask is not None
        assert changed.ask is not None
        seat = self.rng.choice(true.waiting)
        if seat not in changed.waiting:  # passed there by standing order, which no log shows
            return self._give(self.runs[0], seat, true.ask.default_for(seat))
        acts = self._common_act(seat, true.ask, changed.ask)
        if acts is None:
            return False
        closes = not held and self._closes(seat)
        same = not closes or self._answers(0, {seat: acts[0]}) == self._answers(1, {seat: acts[1]})
        for run, act in zip(self.runs, acts, strict=True):
            self._give(run, seat, act)
        return same

    def _common_act(self, seat: int, true: Ask, changed: Ask) -> tuple[Act, Act] | None:
        """Return an act that a seat can answer in both worlds, or one for each.

        What it writes down in secret may differ; so may a sealed answer where no act is legal in both.
        """
        for _ in range(20):
            act = true.options[seat].sample_kind(self.rng)
            if seat != self.seat and true.mode != "all" and writes(self.runs[0].game, act):
                other = changed.options[seat].sample_kind(self.rng)
                if type(other) is type(act):
                    return act, other
            elif changed.options[seat].contains(act):
                return act, act
        return (true.default_for(seat), changed.default_for(seat)) if true.mode == "all" else None

    def _one_play(self) -> bool:
        """Make an out-of-turn play that a seat can make in both worlds; return whether there was one."""
        seat = self.rng.randrange(self.runs[0].seats)
        open_ = [execution.plays(run.g, seat) for run in self.runs]
        if not open_[0].choices:
            return False
        act = open_[0].sample_kind(self.rng)
        if not open_[1].contains(act):
            return False
        for run in self.runs:
            run.submit(seat, act, during=run.step(seat))
        self.done["plays"] += 1
        return True

    def _give(self, run: Match, seat: int, act: Act) -> bool:
        """Answer in one world."""
        run.submit(seat, act, decision=run.decision(seat))
        return True

    def _closes(self, seat: int) -> bool:
        """Return whether the answer of this seat is the last one in either world."""
        return any(run.waiting == (seat,) for run in self.runs)

    def _close_windows(self) -> bool:
        """Close the open window in both worlds; return False if its secret answers were different."""
        same = self._answers(0, {}) == self._answers(1, {})
        for run in self.runs:
            run.close_window()
        return same

    def _answers(self, at: int, last: Mapping[int, Act]) -> dict[int, tuple[Any, ...]]:
        """Return all answers to a question for several seats in one world, with these as the last ones."""
        g = self.runs[at].g
        assert g.ask is not None
        if g.ask.mode != "all":
            return {}
        given = {other: g.table.get(answer_key(g.ask.sight, other, g.level)) for other in g.ask.seats}
        given.update({seat: execution.plain(act) for seat, act in last.items()})
        return {other: said or execution.plain(g.ask.default_for(other)) for other, said in given.items()}

    def _catch_up(self) -> bool:
        """Close a window that is open in one world only, by defaults that no seat sees."""
        run = min(self.runs, key=lambda run: len(run.log(None)))
        ask = run.g.ask
        other = next((other for other in run.waiting if other != self.seat), None)
        if ask is None or not ask.window or other is None:
            return False
        return self._give(run, other, ask.default_for(other))

    def _compare_logs(self) -> Leak | bool | None:
        """Compare the logs: None if they are equal so far, True if a rule explains the difference, else the finding."""
        for whose, seat in enumerate((self.seat, None)):
            mine = [run.log(seat)[start[whose] :] for run, start in zip(self.runs, self._logged, strict=True)]
            name = "log" if seat is not None else "log of spectators"
            for true, changed in zip(*mine, strict=False):
                if true != changed:
                    return self._is_shown(seat, true, changed) or self._finding(name, true, changed)
            if len(mine[0]) != len(mine[1]) and self.level:
                shared = min(map(len, mine))
                return self._finding(f"length of the {name}", mine[0][shared:], mine[1][shared:])
        steps = [at_entry(run.g) for run in self.runs]
        if steps[0] != steps[1] and not self._at_a_window():
            return self._finding("step", *steps)
        return None

    def _at_a_window(self) -> bool:
        """Return whether a window is open in one of the worlds: only then their steps may differ for a while."""
        return any(run.g.ask is not None and run.g.ask.window for run in self.runs)

    def _is_shown(self, seat: int | None, true: Entry, changed: Entry) -> bool:
        """Return whether two entries differ only where the rules show this seat a face or a value."""
        g = self.runs[0].g
        disclosures = g.setting.game.disclosures
        if any(entry[:2] == ("event", "declare") and entry[2] in disclosures for entry in (true, changed)):
            return True  # a listed disclosure: from here on the worlds are publicly different
        if true[0] not in ("event", "aside") or true[:3] != changed[:3] or len(true) != len(changed):
            return False
        bit = 1 << (g.setting.seats if seat is None else seat)
        differ = {at for at, (a, b) in enumerate(zip(true[3:], changed[3:], strict=True)) if a != b}
        match true[1], *true[3:]:
            case "move", source, _, target, _, _:
                return differ <= {4} and bool((may_see(g, source) | may_see(g, target)) & bit)
            case "gather", source, target, _:
                return differ <= {2} and bool((may_see(g, source) | may_see(g, target)) & bit)
            case "look", key, _, seats, _:
                return differ <= {3} and bool((may_see(g, key) | may_look(g, true[2], seats)) & bit)
            case "set", key, _:
                return differ <= {1} and may_see(g, key) != g.setting.everybody and bool(may_see(g, key) & bit)
            case "reveal", key, _, _:
                return differ <= {2} and reveals(g.setting.game, true[2], key)
            case "open", _, _:
                return differ <= {1}
            case "roll", *_:
                return self.rekeyed
        return False


def _sorted(places: dict[str, Any]) -> bytes:
    return msgspec.msgpack.encode(sorted(places.items()))
