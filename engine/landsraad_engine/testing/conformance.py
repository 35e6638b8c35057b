"""Conformance suite: the laws that every game keeps, checked against a match after every step.

Each law is a plain function of a :class:`Trial` and raises :class:`Broken`. Pytest calls :func:`play` for a game, its
seats and options; a fuzzer calls :meth:`Trial.check` on its own matches. No law changes the match, and none lists more
than a few hundred acts, so a check takes a few milliseconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from random import Random
from typing import Any

import msgspec

from landsraad_engine.checks import rulebook
from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.kernel.snapshots import decode, encode, tuples
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.knowledge.information import KnownTable, encode_log, view_of
from landsraad_engine.knowledge.worlds import sample_world
from landsraad_engine.play.match import Match, replay, verify
from landsraad_engine.testing.fuzz.mutants import mutants
from landsraad_engine.testing.fuzz.random_play import random_input
from landsraad_engine.testing.kernel_laws import state_faults, watched

#: More acts than this are not listed; the law then holds for the first ones and for samples.
LISTED = 200
#: Samples, mutants and steps into a sampled world, at each check.
SAMPLES = 4
#: How often a random input is an out-of-turn play; standing orders, or an absence.
_PLAYS, _UNREST = 0.1, 0.02
#: A random match that takes more inputs than this does not end.
BOUND = 50_000


class Broken(AssertionError):
    """Raised when a law does not hold."""


class Trial:
    """A match under test, with the folds of its logs, which grow with them."""

    def __init__(self, match: Match, seed: int = 0) -> None:
        self.match = match
        self.rng = Random(seed)
        self.seats: tuple[int | None, ...] = (None, *range(match.seats))
        self._folds = {seat: Fold(match.g.setting.layout, seat) for seat in self.seats}
        self._read = dict.fromkeys(self.seats, 0)

    def check(self, laws: Sequence[Law] | None = None) -> None:
        """Check all laws, or some, against the match as it is now."""
        for law in LAWS if laws is None else laws:
            try:
                law(self)
            except Broken as broken:
                raise Broken(f"{law.__name__}: {broken} (at {self.match.g.path()})") from broken

    def folded(self, seat: int | None) -> KnownTable:
        """Return the fold of a seat's log up to now."""
        log = self.match.log(seat)
        self._folds[seat].add(log[self._read[seat] :])
        self._read[seat] = len(log)
        return self._folds[seat].view

    def questions(self) -> Iterator[tuple[int, Options, str]]:
        """Yield seat, options and rule of each open question, and of the out-of-turn plays of two random seats."""
        g = self.match.g
        if g.ask is None:
            return
        for seat in g.waiting:
            yield seat, g.ask.options[seat], g.ask.why
        for seat in self.rng.sample(range(self.match.seats), min(2, self.match.seats)):
            open_ = execution.plays(g, seat)
            if open_.choices:
                yield seat, open_, ""


Law = Callable[[Trial], None]


def require(held: bool, message: str) -> None:
    if not held:
        raise Broken(message)


# ------------------------------------------------------------------------------------------------------------ the laws


def invariants_hold(trial: Trial) -> None:
    """The invariants of the game hold, and the state keeps the laws of the kernel."""
    g = trial.match.g
    for problem in (*trial.match.game.problems(g), *state_faults(g)):
        raise Broken(problem)


def fold_is_view(trial: Trial) -> None:
    """The fold of a seat's log equals the seat's view of the table, and the public step is the same for all seats."""
    if trial.match.recorder is None:
        return
    steps = set()
    for seat in trial.seats:
        folded, view = trial.folded(seat), trial.match.view(seat)
        steps.add(msgspec.msgpack.encode(folded.at))
        for key in folded.places.keys() | view.places.keys():
            shown = (folded.places.get(key), view.places.get(key))
            require(shown[0] == shown[1], f"seat {seat} is told {key} = {shown[0]}, but sees {shown[1]}")
        require(folded == view, f"seat {seat} is told {folded.at}, {folded.ask}, but it is {view.at}, {view.ask}")
    require(len(steps) == 1, "the public step is not the same for all")


def windows_have_names(trial: Trial) -> None:
    """Every reaction window has a name for which a seat can give a standing order."""
    ask, game = trial.match.g.ask, trial.match.game
    named = ask is None or ask.window in ("", execution.ON_REQUEST, *execution.standing_orders(game))
    require(named, f"{game.id} does not name its window {ask and ask.window!r}")


def questions_can_be_answered(trial: Trial) -> None:
    """Acts that are listed, counted, sampled or taken by default are legal, and survive the wire unchanged."""
    match = trial.match
    for seat, options, why in trial.questions():
        count = options.count(limit=LISTED + 1)
        require(count > 0, f"seat {seat} is asked and has no legal answer ({why})")
        listed = list(options.enumerate(LISTED + 1))
        require(len(listed) == count, f"{count} acts are counted, {len(listed)} listed ({why})")
        require(len(set(listed)) == len(listed), f"an act is listed twice ({why})")
        drawn = [options.sample(trial.rng) for _ in range(SAMPLES)] + [options.sample_kind(trial.rng)]
        if why:
            assert match.g.ask is not None
            drawn.append(match.g.ask.default_for(seat))
        for act in (*listed, *drawn):
            require(options.contains(act), f"{act} is offered and then refused ({options.fault(act)})")
        if count <= LISTED:
            for act in (*drawn, *mutants(options, trial.rng, SAMPLES)):
                require(options.contains(act) is (act in listed), f"{act} is listed or contained, but not both ({why})")
        for act in drawn:
            sent = msgspec.msgpack.decode(msgspec.msgpack.encode(execution.plain(act)))
            require(execution.from_plain(match.game, tuples(sent)) == act, f"{act} does not survive the wire")
        for rule in _rules(options, why):
            _statement(rule)


def _rules(options: Options, why: str) -> set[str]:
    """Return every rule that a question cites."""
    found = {why}
    for choice in options.choices:
        found |= {choice.why, *(d.why for d in choice.domains), *(c.why for c in choice.constraints)}
    return found - {""}


def _statement(rule: str) -> None:
    try:
        rulebook.statement(rule)
    except rulebook.UnknownRule as unknown:
        raise Broken(str(unknown)) from unknown


def wrong_acts_change_nothing(trial: Trial) -> None:
    """An illegal act is refused with a reason, a rule and legal acts nearby, and changes nothing."""
    match = trial.match
    questions = list(trial.questions())
    for seat, options, why in trial.rng.sample(questions, min(3, len(questions))):
        for act in mutants(options, trial.rng, SAMPLES):
            if _legal(match, seat, act):
                continue
            refusal = _refused(match, seat, act)
            if refusal.reason == "against_rules":
                require(refusal.rule != "", f"{act} is refused without a rule")
                _statement(refusal.rule)
                require(bool(refusal.nearest), f"no legal act is near {act}")
            for near in refusal.nearest:
                require(_legal(match, seat, near), f"{near} is said to be legal, and is not")
        if why:
            act = options.sample(trial.rng)
            stale = _refused(match, seat, act, match.decision(seat) + 1)
            require(stale.reason == "stale", f"a stale answer is refused as {stale.reason}")
            idle = next((s for s in range(match.seats) if s not in match.waiting), None)
            if idle is not None and not _legal(match, idle, act):
                _refused(match, idle, act)


def _legal(match: Match, seat: int, act: Act) -> bool:
    """Return whether a seat may give this answer, or make this play, now."""
    g = match.g
    asked = g.ask is not None and seat in g.waiting and g.ask.options[seat].contains(act)
    return asked or execution.plays(g, seat).contains(act)


def _refused(match: Match, seat: int, act: Act, decision: int | None = None) -> Refused:
    before = _everything(match)
    try:
        match.submit(seat, act, decision)
    except Refused as refusal:
        require(_everything(match) == before, f"{act} was refused, but changed something")
        return refusal
    raise Broken(f"{act} of seat {seat} is not legal and was accepted")


def _everything(match: Match) -> tuple[Any, ...]:
    g = match.g
    logs = match.recorder.logs if match.recorder else []
    passing = (len(g.events), frozenset(g.dirty), g.ask, g.waiting, len(match.journal))
    return (encode(g), *passing, *(len(log) for log in logs))  # logs only grow


def copies_and_images_play_on_alike(trial: Trial) -> None:
    """A copy and a loaded snapshot play on like the original, which stays as it is."""
    g = trial.match.g
    image = encode(g)
    loaded = decode(g.setting, image)
    require(encode(loaded) == image, "a snapshot is read as another state")
    require(_typed(loaded.table) == _typed(g.table), "a snapshot changes the type of a value")
    require(loaded.waiting == g.waiting, "a snapshot asks other seats")
    if g.ask is None:
        return
    assert loaded.ask is not None
    for seat in g.waiting:
        require(loaded.ask.plain(seat) == g.ask.plain(seat), "a snapshot puts another question")
    first, second = g.copy(), g.copy()
    first.memo.update(g.memo)  # values that were memoized before must still hold
    first.topics.update(g.topics)
    seat = trial.rng.choice(g.waiting)
    act = g.ask.options[seat].sample_kind(trial.rng)
    told = []
    for twin in (first, second, loaded):
        twin.events.clear()
        execution.answer(twin, seat, act)
        told.append(list(twin.events))
    require(encode(first) == encode(second) == encode(loaded), f"{act} leads to different states")
    require(told[0] == told[1] == told[2], f"{act} is told differently")
    require(encode(g) == image, "playing on a copy has changed the original")


def _typed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _typed(part) for key, part in value.items()}
    return tuple(map(_typed, value)) if type(value) is tuple else (type(value), value)


def worlds_cannot_be_told_apart(trial: Trial) -> None:
    """A sampled world gives its seat the same view, question and plays, and follows from the view alone."""
    g, rng = trial.match.g, trial.rng
    seat = rng.choice(trial.seats)
    view = view_of(g, seat)
    worlds = [sample_world(g.setting, view, Random(rng.random())) for _ in range(2)]
    for world in worlds:
        seen = view_of(world, seat)
        for key in seen.places.keys() | view.places.keys():
            told = (view.places.get(key), seen.places.get(key))
            require(told[0] == told[1], f"seat {seat} sees {key} = {told[0]}, in a sampled world {told[1]}")
        require(seen == view, f"seat {seat} is asked {view.at}, {view.ask}, in a sampled world {seen.at}, {seen.ask}")
        if seat is not None:
            require(
                execution.plays(world, seat).plain() == execution.plays(g, seat).plain(),
                "a sampled world has other plays",
            )
        for problem in (*trial.match.game.problems(world), *state_faults(world)):
            raise Broken(f"in a sampled world {problem}")
    seed = rng.random()
    again = [encode(sample_world(g.setting, view_of(world, seat), Random(seed))) for world in worlds]
    require(again[0] == again[1], f"what is sampled for seat {seat} depends on more than its view")
    for _ in range(SAMPLES):
        if worlds[0].ask is None:
            break
        other = rng.choice(worlds[0].waiting)
        execution.answer(worlds[0], other, worlds[0].ask.options[other].sample_kind(rng))


LAWS: tuple[Law, ...] = (
    invariants_hold,
    fold_is_view,
    windows_have_names,
    questions_can_be_answered,
    wrong_acts_change_nothing,
    copies_and_images_play_on_alike,
    worlds_cannot_be_told_apart,
)


# ---------------------------------------------------------------------------------------------------- a random match


def play(
    game: Game,
    seats: int,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    every: int = 1,
    laws: Sequence[Law] | None = None,
) -> Match:
    """Play one random match, out-of-turn plays, standing orders and absences included, and check the laws.

    Args:
        game: the game.
        seats: the number of seats.
        options: options of the match.
        seed: where the match and its inputs come from.
        every: the laws are checked after about one input in so many, and always at the end of the match.
        laws: the laws to be checked; all by default.

    Raises:
        Broken: a law does not hold.

    """
    rng = Random(seed)
    orders = {seat: (execution.AUTO,) for seat in range(seats) if rng.random() < 0.3}
    match = Match(
        game,
        seats,
        options,
        secret=rng.randbytes(8),
        name=f"conformance {seed}",
        entropy=[b"sand"],
        orders=orders,
        watch=watched,
    )
    trial = Trial(match, seed)
    while match.result is None:
        require(len(match.journal) < BOUND, f"the match does not end: {match.g.path()}")
        if rng.random() * every < 1:
            trial.check(laws)
        match.take(random_input(match, rng, plays=_PLAYS, unrest=_UNREST))
    trial.check(laws)
    replays_alike(match)
    return match


def replays_alike(match: Match) -> None:
    """A match's certificate plays to the same end, with the same logs, also when it has been written as JSON."""
    game = match.game
    certificate = msgspec.json.decode(msgspec.json.encode(match.certificate()))
    require(verify(game, certificate) == [], f"the certificate does not hold: {verify(game, certificate)}")
    again = replay(game, certificate)
    for seat in (None, *range(match.seats)):
        pairs = enumerate(zip_longest(match.log(seat), again.log(seat)))
        first = next((n for n, (told, retold) in pairs if told != retold), None)
        require(first is None, f"the log of seat {seat} is another one when replayed, from entry {first} on")


def fingerprint(
    game: Game, seats: int, options: Mapping[str, Any] | None = None, *, seed: int = 0, inputs: int = 400
) -> str:
    """Return a digest of all that a random match tells: equal in every process, on every machine and Python."""
    rng = Random(seed)
    match = Match(game, seats, options, secret=b"%d" % seed, name="fingerprint")
    for _ in range(inputs):
        if match.result is not None:
            break
        match.take(random_input(match, rng, plays=_PLAYS, unrest=_UNREST))
    digest = hashlib.sha256(encode(match.g))
    for seat in (None, *range(seats)):
        digest.update(encode_log(match.log(seat)))
    for _, options_, _ in islice(Trial(match).questions(), 4):
        digest.update(msgspec.msgpack.encode([execution.plain(act) for act in options_.enumerate(LISTED)]))
    return digest.hexdigest()
