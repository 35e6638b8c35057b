"""The grammar of battle plans: what a side may dial and play, and what binds it.

What binds, strongest first (DUNE-R.32): the rules, the Voice, the answer given under Prescience or See Future,
Truthtrance answers; but a Voice that its target can obey only since a swap of its own comes last (DUNE-R.122). Answers
are given under the Truthtrance answers that stand at that moment, so the two cannot clash unless the Truthtrance came
later. What can no longer be kept does not restrict the plan.

A plan that breaks the rules is refused. Values stand in the order in which the book would repair it (DUNE-6.34 to
DUNE-6.37): the weakest leader first, no card before any card. So the first plan of the grammar, which is the default of
a seat that does not answer, and the plan that a refusal proposes instead, are the book's repairs. Surplus cards cannot
be sent at all: a plan has one place for each.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.battle.fight import (
    EXCUSED,
    LEADERLESS,
    VOICE,
    WHOLE_PLAN,
    Fight,
    answer_of,
    tokens_worth,
)
from landsraad_engine.dune.battle.voice import KINDS
from landsraad_engine.dune.hooks import Query
from landsraad_engine.dune.pieces import CHEAP_HERO, DEFENSES, STRENGTH, WEAPONS, WORTHLESS
from landsraad_engine.dune.promises import PlanTerm, cards_of, plan_bindings
from landsraad_engine.dune.words import BATTLE_OF, FOUGHT, DuneState
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.grammar import (
    Choice,
    Clause,
    Constraint,
    Distinct,
    Domain,
    Linear,
    Literal,
    OneOf,
    Range,
    Term,
    requires,
)

#: The parts of a plan that Prescience can ask about (DUNE-ATR.4).
PARTS: Final = ("dial", "leader", "weapon", "defense")

_WEAPON_PLACE: Final = frozenset((*WEAPONS, *WORTHLESS))
_DEFENSE_PLACE: Final = frozenset((*DEFENSES, *WORTHLESS))
_EITHER: Final = (False, True)

Escort = tuple[str, ...]
Order = tuple[bool, str]


# ----------------------------------------------------------------------------------------------------- the rules' plans


@rule("DUNE-6.12", "DUNE-6.13", "DUNE-6.50")
def playable_leaders(g: DuneState, side: str, place: str, *joining: str) -> tuple[str, ...]:
    """The leaders that a side can play in a battle there, the weakest first; those joining are about to be its own."""
    living = (*g.leaders(side), *g.table.get(FOUGHT[side], ()), *joining)
    own = tuple(leader for leader in living if fit_to_fight(g, leader, place))
    found: tuple[str, ...] = g.query(Query.LEADERS_TO_PLAY, own, side, place)
    return tuple(sorted(found, key=lambda leader: (STRENGTH[leader], leader)))


@rule("DUNE-6.13", "DUNE-6.50", "DUNE-1.19")
def fit_to_fight(g: DuneState, leader: str, place: str) -> bool:
    """Return whether a leader has fought nowhere else this turn and did not die in it."""
    return g.may_fight(leader) and g.table.get(BATTLE_OF[leader]) in (None, place)


def plans(g: DuneState, fight: Fight, side: str, *joining: str, unled: bool = False) -> Choice:
    """The plans that the rules and the Voice leave to a side: with these leaders, too, or without any by agreement."""
    agreed = unled or side in g.table.get(LEADERLESS, ())
    return _grammar(
        tokens_worth(g, fight, side),
        () if agreed else playable_leaders(g, side, fight.place, *joining),
        g.hand(side),
        agreed,
        () if agreed else g.query(Query.ACCOMPANIED, (), side, fight.place),
        None if EXCUSED in g.table else order_to(g, side),
    )


@lru_cache(maxsize=4096)
@rule(
    *("DUNE-6.9", "DUNE-6.10", "DUNE-6.12", "DUNE-6.15", "DUNE-6.16", "DUNE-6.17", "DUNE-R.33"),
    *("DUNE-6.34", "DUNE-6.35", "DUNE-6.36", "DUNE-6.37", "DUNE-R.35"),
)
def _grammar(
    worth: int, leaders: tuple[str, ...], hand: tuple[str, ...], agreed: bool, escort: Escort, order: Order | None
) -> Choice:
    """The grammar of plans; equal situations share one."""
    hero = CHEAP_HERO in hand and not agreed
    led = bool(leaders) or hero
    cards = tuple(dict.fromkeys(hand)) if led else ()
    weapons = (None, *(card for card in cards if card in _WEAPON_PLACE))
    defenses = (None, *(card for card in cards if card in _DEFENSE_PLACE))
    return Choice(
        BattlePlan,
        *_leading(bool(leaders), hero),
        *_escorting(leaders, hero, escort),
        *_two_cards(weapons, defenses),
        *_obeying(order, cards, bool(leaders)),
        dial=Range(0, worth, why="DUNE-6.10"),
        leader=OneOf(leaders if leaders and not hero else (*leaders, None), why="DUNE-6.12"),
        weapon=OneOf(weapons, why="DUNE-6.16"),
        defense=OneOf(defenses, why="DUNE-6.16"),
        cheap_hero=OneOf(_EITHER if hero else (False,), why="DUNE-T.30"),
        kwisatz_haderach=OneOf(_EITHER if escort and led else (False,), why="DUNE-ATR.13"),
    )


@rule("DUNE-6.12", "DUNE-6.16", "DUNE-T.30", "DUNE-T.31", "DUNE-T.32")
def _leading(leaders: bool, hero: bool) -> Iterable[Constraint]:
    """A leader must be played if there is one, or a Cheap Hero instead; cards need one of them."""
    if not hero:
        return
    if leaders:
        yield requires("leader", (None,), "cheap_hero", (True,), why="DUNE-6.12")
        return
    for place in ("weapon", "defense"):
        yield requires("cheap_hero", (False,), place, (None,), why="DUNE-6.16")


@rule("DUNE-ATR.12", "DUNE-ATR.13", "DUNE-R.73")
def _escorting(leaders: tuple[str, ...], hero: bool, escort: Escort) -> Iterable[Constraint]:
    """The Kwisatz Haderach never goes alone, and a second time only with whom he has gone already."""
    with_hero = hero and CHEAP_HERO in escort
    if not escort or (leaders and set(leaders) <= set(escort) and with_hero is hero):
        return
    company = [Literal("leader", escort)]
    if with_hero:
        company.append(Literal("cheap_hero", (True,)))
    yield Clause((Literal("kwisatz_haderach", (False,)), *company), why="DUNE-ATR.12")
    if hero and not with_hero:
        yield requires("kwisatz_haderach", (True,), "cheap_hero", (False,), why="DUNE-R.73")


@rule("DUNE-T.46")
def _two_cards(weapons: tuple[str | None, ...], defenses: tuple[str | None, ...]) -> Iterable[Constraint]:
    """Two worthless cards may be played, the same one twice may not."""
    if any(card is not None and card in defenses for card in weapons):
        yield Distinct(("weapon", "defense"), why="DUNE-T.46")


@rule("DUNE-BG.23", "DUNE-BG.27", "DUNE-BG.28", "DUNE-T.31", "DUNE-R.106")
def _obeying(order: Order | None, cards: tuple[str, ...], leaders: bool) -> Iterable[Constraint]:
    """The Voice: a card of this kind in one of its places, or in none of them. Who cannot obey is free."""
    if order is None:
        return
    must, kind = order
    places, meant = KINDS[kind]
    if not must:
        for place in places:
            yield Clause((Literal(place, meant, wanted=False),), why="DUNE-BG.23")
    elif any(card in meant for card in cards):
        # Nobody is obliged to play a Cheap Hero, not even in order to obey.
        excuse = () if leaders else (Literal("cheap_hero", (False,)),)
        yield Clause((*(Literal(place, meant) for place in places), *excuse), why="DUNE-BG.23")


def order_to(g: DuneState, side: str) -> Order | None:
    """Return what the Voice has ordered a side: whether it must play a kind of card or must not, and the kind."""
    voice = g.table.get(VOICE)
    return (voice[2], voice[3]) if voice is not None and voice[1] == side else None


@rule("DUNE-BG.27")
def lacks_the_card(g: DuneState, side: str) -> bool:
    """Return whether a side has been ordered to play a card that its hand does not hold."""
    order = order_to(g, side)
    return order is not None and order[0] and not any(card in KINDS[order[1]][1] for card in g.hand(side))


@rule("DUNE-BG.27")
def obeys(plan: BattlePlan, kind: str, must: bool) -> bool:
    """Return whether a plan does what the Voice ordered."""
    places, cards = KINDS[kind]
    return must is any(getattr(plan, place) in cards for place in places)


# ------------------------------------------------------------------------------------------------- what else binds them


def open_plans(g: DuneState, fight: Fight, side: str) -> Choice:
    """The plans still open to a player under Prescience who answers: an earlier answer no longer counts."""
    choice = _keeping_truths(plans(g, fight, side), plan_bindings(g, side))[0]
    return _heeding(g, fight, side, choice)


@rule("DUNE-R.32", "DUNE-R.110")
def final_plans(g: DuneState, fight: Fight, side: str) -> Choice:
    """The plans that a side may commit."""
    choice = _keeping_truths(_as_answered(g, plans(g, fight, side), side), plan_bindings(g, side))[0]
    return _heeding(g, fight, side, choice)


@rule("DUNE-R.122", "DUNE-K.22")
def _heeding(g: DuneState, fight: Fight, side: str, choice: Choice) -> Choice:
    """Of the plans that keep all answers those that obey a Voice which yields to them, if there are any."""
    order = order_to(g, side)
    if EXCUSED not in g.table or order is None:
        return choice
    leaders = bool(playable_leaders(g, side, fight.place))
    bound = _with_domains(choice, {}, (*choice.constraints, *_obeying(order, g.hand(side), leaders)))
    return bound if bound.possible() else choice


@rule("DUNE-T.22", "DUNE-6.47", "DUNE-R.18")
def verdicts(g: DuneState, fight: Fight, side: str) -> tuple[tuple[PlanTerm, bool], ...]:
    """For each Truthtrance answer about the plan of a side, whether it can be kept."""
    terms = plan_bindings(g, side)
    if not terms:
        return ()
    return _keeping_truths(_as_answered(g, plans(g, fight, side), side), terms)[1]


@rule("DUNE-T.23")
def keeps_word(g: DuneState, fight: Fight, side: str, leader: str) -> bool:
    """Return whether a side that this leader joins can keep all it has answered about its plan and can keep now.

    Who has a leader has to play one: with it go the plans of a side that has said that it has none.
    """
    now, then = plans(g, fight, side), plans(g, fight, side, leader)
    answer = answer_of(g, side)
    if answer is not None and agreeing(now, *answer).possible() and not agreeing(then, *answer).possible():
        return False
    terms = plan_bindings(g, side)
    could, can = (_keeping_truths(_as_answered(g, choice, side), terms)[1] for choice in (now, then))
    return all(kept or not before for (_, before), (_, kept) in zip(could, can, strict=True))


@rule("DUNE-R.125", "DUNE-T.19")
def free_of_leaders(g: DuneState, fight: Fight, side: str) -> bool:
    """Return whether a side could fight without a leader and keep what it has told of its plan and can keep now."""
    terms = plan_bindings(g, side)
    could, can = (_keeping_truths(plans(g, fight, side, unled=unled), terms)[1] for unled in (False, True))
    return all(kept or not before for (_, before), (_, kept) in zip(could, can, strict=True))


def _keeping_truths(choice: Choice, terms: tuple[PlanTerm, ...]) -> tuple[Choice, tuple[tuple[PlanTerm, bool], ...]]:
    kept = []
    for term in terms:
        bound = _bound(choice, term)
        can = bound.possible()
        if can:
            choice = bound
        kept.append((term, can))
    return choice, tuple(kept)


def could_keep(choice: Choice, term: PlanTerm) -> bool:
    """Return whether some plan of a grammar keeps a Truthtrance answer."""
    return _bound(choice, term).possible()


def _bound(choice: Choice, term: PlanTerm) -> Choice:
    return _with_domains(choice, {}, (*choice.constraints, *_demands(term)))


def _demands(term: PlanTerm) -> tuple[Constraint, ...]:
    """A Truthtrance answer as conditions on the plan."""
    why = "DUNE-T.22"
    if term.part == "dial":
        dial = (Term("dial"),)
        return (Linear(dial, low=term.value, why=why) if term.wanted else Linear(dial, high=term.value - 1, why=why),)
    if term.part == "card" and term.value != CHEAP_HERO:
        places = tuple(Literal(place, (term.value,), wanted=term.wanted) for place in ("weapon", "defense"))
        return (Clause(places, why=why),) if term.wanted else tuple(Clause((place,), why=why) for place in places)
    if term.part in ("weapon", "defense"):
        literal = Literal(term.part, cards_of(term.part, term.value), wanted=term.wanted)
    elif term.part == "leader" and term.value != CHEAP_HERO:
        literal = Literal("leader", (term.value,), wanted=term.wanted)
    else:
        field = CHEAP_HERO if term.part in ("leader", "card") else term.part
        literal = Literal(field, (True,), wanted=term.wanted)
    return (Clause((literal,), why=why),)


# ------------------------------------------------------------------------------------------ Prescience and See Future


@lru_cache(maxsize=1024)  # equal situations share one grammar
def answers(choice: Choice, part: str) -> tuple[Any, ...]:
    """Return what can be answered to a question about one part: what some plan has there."""
    if part != "leader":
        candidates = tuple(choice.domain(part).values())
    else:
        leaders = (leader for leader in choice.domain("leader").values() if leader is not None)
        candidates = (*leaders, CHEAP_HERO, None)
    return tuple(value for value in candidates if agreeing(choice, part, value).possible())


@rule("DUNE-R.102")
def part_of(plan: BattlePlan, part: str) -> Any:
    """Return what a plan has in one part; the leader, if both are played, before the Cheap Hero."""
    if part == "leader" and plan.leader is None and plan.cheap_hero:
        return CHEAP_HERO
    return getattr(plan, part)


@rule("DUNE-ATR.9", "DUNE-R.32")
def agreeing(choice: Choice, part: str, value: Any) -> Choice:
    """The plans of a grammar that agree with an answer."""
    if part == WHOLE_PLAN:
        fields = dict(zip(choice.names, value, strict=True))
    elif part == "leader" and value in (CHEAP_HERO, None):
        fields = {"leader": None, "cheap_hero": value is not None}
    else:
        fields = {part: value}
    return _with_domains(choice, fields, choice.constraints)


def _as_answered(g: DuneState, choice: Choice, side: str) -> Choice:
    answer = answer_of(g, side)
    if answer is not None:
        kept = agreeing(choice, *answer)
        if kept.possible():
            return kept
    return choice


def _with_domains(choice: Choice, fields: dict[str, Any], constraints: Iterable[Constraint]) -> Choice:
    """The same grammar with some fields fixed and other constraints."""
    domains: dict[str, Domain] = dict(zip(choice.names, choice.domains, strict=True))
    for name, value in fields.items():
        domains[name] = OneOf((value,) if domains[name].has(value) else (), why="DUNE-R.32")
    return Choice(choice.act, *constraints, why=choice.why, **domains)
