"""Truthtrance: a closed set of typed yes-or-no questions.

Of what is so the engine knows the truth and answers itself. Of what is to come the target answers, and the answer binds
it (promises.py); it may say only what agrees with its earlier answers and with what it can do, as far as it can tell.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from landsraad_engine.dune.acts import AnswerTruth, PlayTruthtrance
from landsraad_engine.dune.alliances import largest
from landsraad_engine.dune.announcements import TruthtranceAsked
from landsraad_engine.dune.battle.fight import PLAN, battle_now, present_battle
from landsraad_engine.dune.battle.plan import could_keep, final_plans
from landsraad_engine.dune.bidding import auction_under_way
from landsraad_engine.dune.board import TERRITORIES
from landsraad_engine.dune.hooks import Permit, Query
from landsraad_engine.dune.karama import karamas, owes_karama
from landsraad_engine.dune.movement import MovementTurn
from landsraad_engine.dune.pieces import (
    CATEGORY,
    CHEAP_HERO,
    DEFENSES,
    EMPEROR,
    GHOLA,
    HARKONNEN,
    LEADERS,
    LOYAL_TO,
    TRUTHTRANCE,
    WEAPONS,
    WORTHLESS,
)
from landsraad_engine.dune.promises import (
    BATTLE,
    CARD,
    DEFENSE_KINDS,
    NEXUS,
    PLAN_PARTS,
    STORM_DIAL,
    TOKENS,
    TRAITOR_CALL,
    TRUTHS,
    WEAPON_KINDS,
    PlanTerm,
    Promise,
    add,
    promises,
)
from landsraad_engine.dune.spending import committed
from landsraad_engine.dune.storm import HIGHEST_DIAL, still_to_dial
from landsraad_engine.dune.whole_game import has_revived, movement_is_over
from landsraad_engine.dune.words import TRAITORS, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Range
from landsraad_engine.kernel.plays import Play

#: The most that a question about spice, a bid or a dial can name.
MOST: Final = 99

CARDS: Final = tuple(CATEGORY)
#: The cards that can be in a battle plan.
PLAN_CARDS: Final = (*WEAPONS, *DEFENSES, *WORTHLESS, CHEAP_HERO)
#: Kinds of treachery card that a question can name, "weapon" and "defense" for any of them.
CARD_KINDS: Final = ("weapon", "defense", *dict.fromkeys(CATEGORY.values()))


# -------------------------------------------------------------------------------------- questions about what is so


def _holds(g: DuneState, target: str, value: str) -> bool:
    return any(value in (card, CATEGORY[card], CATEGORY[card].split("_")[0]) for card in g.hand(target))


def _traitor(g: DuneState, target: str, value: str) -> bool:
    return value in g.table.get(TRAITORS[target], ())


def _predicted_faction(g: DuneState, target: str, value: str) -> bool:
    return bool(g.table["prediction"][0] == value)


def _predicted_turn(g: DuneState, target: str, value: int) -> bool:
    return bool(g.table["prediction"][1] == value)


def _spice(g: DuneState, target: str, value: int) -> bool:
    return g.spice(target) >= value


#: question -> the truth about it
FACTS: Final[dict[str, Callable[[DuneState, str, Any], bool]]] = {
    "holds": _holds,
    "traitor": _traitor,
    "predicted faction": _predicted_faction,
    "predicted turn": _predicted_turn,
    "spice": _spice,
}


# --------------------------------------------------------------------------------------------------- what can be asked


@rule("DUNE-R.14", "DUNE-R.15", "DUNE-R.16", "DUNE-R.17", "DUNE-T.14")
def choices(g: DuneState, faction: str) -> list[Choice]:
    """Every question that the holder of a Truthtrance can ask now; all of them follow from public facts."""
    if TRUTHTRANCE not in g.hand(faction):
        return []
    others = tuple(other for other in g.dot_order() if other != faction)
    playing = g.factions()
    loyal = tuple(leader for other in playing for leader in LEADERS[other])
    found = [
        _question(others, "holds", OneOf(CARDS + CARD_KINDS)),
        _question(others, "traitor", OneOf(loyal)),
        _question(others, "spice", Range(1, MOST)),
        _question(others, "karama", OneOf((None,))),
        *(_question((other,), "revive", OneOf((*_who_returns(g, other), TOKENS))) for other in others),
    ]
    dialling = tuple(other for other in dict.fromkeys(still_to_dial(g)) if other != faction)
    if dialling:
        found.append(_question(dialling, STORM_DIAL, Range(1, HIGHEST_DIAL)))
    if largest(g) > 1:
        found += [_question((other,), "ally", OneOf(_without(playing, other))) for other in others]
    if "prediction" in g.table:
        seer = tuple(other for other in others if other in g.setting.places["prediction"].owners)
        if seer:
            found.append(_question(seer, "predicted faction", OneOf(playing)))
            found.append(_question(seer, "predicted turn", Range(1, g.options["length"])))
    if not movement_is_over(g):
        found.append(_question(others, "enter", OneOf(TERRITORIES)))
    if auction_under_way(g) is not None:
        found.append(_question(others, "bid", Range(0, MOST)))
    battle = battle_now(g)
    if battle is not None and PLAN[battle.aggressor] not in g.table:
        for side in _without(battle.sides, faction):
            found += _about_plan(g, side)
        judges = {caller: None for side in battle.sides for caller in _callers(g, side)}
        found.append(_question(_without(judges, faction), TRAITOR_CALL, OneOf((None,))))
    return found


def _question(targets: tuple[str, ...], question: str, value: OneOf | Range) -> Choice:
    return Choice(PlayTruthtrance, target=OneOf(targets), question=OneOf((question,)), value=value, why="DUNE-R.14")


def _without(factions: Iterable[str], one: str) -> tuple[str, ...]:
    return tuple(faction for faction in factions if faction != one)


def _who_returns(g: DuneState, faction: str) -> tuple[str, ...]:
    """Those of a faction who can be brought back like leaders."""
    leaders: tuple[str, ...] = LEADERS[faction]
    return tuple(dict.fromkeys((*leaders, *g.query(Query.DEAD_LEADERS, (), faction))))


def _callers(g: DuneState, side: str) -> tuple[str, ...]:
    """The factions that may call a traitor for a side."""
    callers: tuple[str, ...] = g.query(Query.TRAITOR_CALLERS, (side,), side)
    return callers


@rule("DUNE-R.16")
def _about_plan(g: DuneState, side: str) -> list[Choice]:
    """Questions about the plan of one side in the present battle."""
    captives = tuple(leader for leader in LOYAL_TO if LOYAL_TO[leader] != side and g.in_play(LOYAL_TO[leader]))
    leaders = (*LEADERS[side], CHEAP_HERO, *captives)
    return [
        _question((side,), "dial", Range(1, MOST)),
        _question((side,), "leader", OneOf(leaders)),
        _question((side,), "weapon", OneOf(WEAPON_KINDS)),
        _question((side,), "defense", OneOf(DEFENSE_KINDS)),
        _question((side,), "card", OneOf(PLAN_CARDS)),
        _question((side,), "kwisatz_haderach", OneOf((None,))),
    ]


class Truthtrance(Frame):
    """One question and its answer; nothing comes between them."""

    asker: str
    target: str
    question: str
    value: str | int | None

    @step("DUNE-T.13", "DUNE-T.14")
    def play(f, g: DuneState) -> Flow:
        g.announce(TruthtranceAsked(f.asker, f.target, f.question, f.value))
        g.discard(f.asker, TRUTHTRANCE)
        return None

    @step("DUNE-T.15", "DUNE-R.15")
    def fact(f, g: DuneState) -> Flow:
        truth = FACTS.get(f.question)
        if truth is None:
            return None
        f.tell(g, truth(g, f.target, f.value))
        return END

    @step("DUNE-T.16", "DUNE-T.17", "DUNE-R.16", "DUNE-R.17")
    def promise(f, g: DuneState) -> Flow:
        answers = honest_answers(g, f.bond(g, True))
        return Ask.one(
            g.seat_of(f.target),
            Choice(AnswerTruth, yes=OneOf(answers, why="DUNE-T.15")),
            why="DUNE-T.16",
            default=AnswerTruth(answers[0]),
            closed=True,
        )

    @promise.answer
    def promised(f, g: DuneState, seat: int, act: AnswerTruth) -> Flow:
        f.tell(g, act.yes)
        add(g, TRUTHS, f.bond(g, act.yes))
        g.reopen()
        return END

    def tell(f, g: DuneState, yes: bool) -> None:
        g.declare("DUNE-T.15", g.seat_of(f.target), f.question, (f.value, yes))

    def bond(f, g: DuneState, yes: bool) -> Promise:
        """Return what the target binds itself to with this answer."""
        scope: str | int = BATTLE
        if f.question not in (*PLAN_PARTS, TRAITOR_CALL):
            scope = {"bid": CARD, "ally": NEXUS}.get(f.question, g.turn)
        return Promise(f.target, f.asker, f.question, f.value, yes, scope)


def begin(faction: str, act: PlayTruthtrance) -> Truthtrance:
    return Truthtrance(asker=faction, target=act.target, question=act.question, value=act.value)


# --------------------------------------------------------------------------------------------- what can be answered


@rule("DUNE-T.15", "DUNE-T.19")
def honest_answers(g: DuneState, asked: Promise) -> tuple[bool, ...]:
    """The answers that agree with earlier ones and with what the target can do; both, if neither does."""
    keepable = _plan_allows if asked.kind in PLAN_PARTS else _acts_allow
    found = tuple(yes for yes in (False, True) if keepable(g, asked._replace(yes=yes)))
    return found or (False, True)


@rule("DUNE-T.22", "DUNE-R.32")
def _plan_allows(g: DuneState, promise: Promise) -> bool:
    """Return whether a plan is left under the Voice and all earlier answers that keeps this one, too."""
    fight = present_battle(g)
    plans = final_plans(g, fight, promise.by)
    return could_keep(plans, PlanTerm(promise.kind, promise.value, promise.yes, promise))


@rule("DUNE-T.18", "DUNE-T.19")
def _acts_allow(g: DuneState, promise: Promise) -> bool:
    """Return whether no earlier answer says otherwise, and a bid, or moving at all, is in reach.

    Of other acts nobody can tell beforehand.
    """
    for earlier in promises(g, promise.by, promise.kind):
        yes, no = (promise, earlier) if promise.yes else (earlier, promise)
        if promise.yes is earlier.yes or not earlier.valid:
            continue
        if yes.value >= no.value if promise.kind in ("bid", STORM_DIAL) else yes.value == no.value:
            return False
    if promise.kind == "bid" and promise.yes:
        return g.spice(promise.by) > promise.value or bool(karamas(g, promise.by))
    if promise.kind == "karama":
        return bool(karamas(g, promise.by)) if promise.yes else not _counts_on_karama(g, promise.by)
    able = {"enter": may_still_enter, "revive": _may_still_revive, TRAITOR_CALL: _might_call}.get(promise.kind)
    return able is None or not promise.yes or able(g, promise.by)


@rule("DUNE-T.23")
def _counts_on_karama(g: DuneState, faction: str) -> bool:
    """Return whether a bid that a faction has promised, or that stands, can be paid with a Karama only."""
    return owes_karama(g, faction) or committed(g, faction) > g.spice(faction)


@rule("DUNE-T.15")
def _may_still_revive(g: DuneState, faction: str) -> bool:
    """Return whether a faction may bring somebody back later in this turn: in its turn, or with a card."""
    with_karama = faction == EMPEROR and bool(karamas(g, faction))
    return not has_revived(g, faction) or GHOLA in g.hand(faction) or with_karama


@rule("DUNE-T.15", "DUNE-A.7", "DUNE-HAR.11")
def _might_call(g: DuneState, faction: str) -> bool:
    """Return whether a leader who may lead against a faction, or its ally, could be in its pay."""
    fight = present_battle(g)
    against = [fight.opponent(side) for side in fight.sides if faction in _callers(g, side)]
    # With the Harkonnen captives of anybody may be in battle, the faction's own leaders too.
    loyal = {LOYAL_TO[leader] for leader in g.table.get(TRAITORS[faction], ())}
    return any(opponent == HARKONNEN or opponent in loyal for opponent in against)


@rule("DUNE-T.15", "DUNE-5.1")
def may_still_enter(g: DuneState, faction: str) -> bool:
    """Return whether a faction may come into some territory later in this turn: not once its movement turn is over."""
    if faction not in g.table.get("moved", ()) or g.allowed(Permit.ARRIVE_LATE, faction):
        return True
    return any(isinstance(frame, MovementTurn) and frame.faction == faction for frame in g.stack)


PLAYS = (Play(PlayTruthtrance, choices, begin, "truthtrance"),)

FRAMES = (Truthtrance,)
