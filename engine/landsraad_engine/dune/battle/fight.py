"""The battle being fought: who, where, and what is publicly settled about it.

What has been said in a battle lies in open marks, the answers of players under Prescience in sealed ones, so that the
procedures that put the questions and the grammar of plans need not know each other.
"""

from typing import Any, Final, NamedTuple

from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.board import territory_of
from landsraad_engine.dune.hooks import Query
from landsraad_engine.dune.pieces import CATEGORY, CHEAP_HERO, FACTIONS, LOYAL_TO
from landsraad_engine.dune.words import CAPTURED, FOUGHT, LEADERS_AT, Counts, DuneState
from landsraad_engine.errors import LawBroken
from landsraad_engine.kernel.frames import Frame, rule

VOICE: Final = "battle/voice"  #: (speaker, target, must, kind)
QUESTION: Final = "battle/question"  #: (asker, target, part)
SEEN: Final = "battle/seen"  #: ((viewer, target), ...): whole plans that are shown
KARAMAS: Final = "battle/karamas"  #: who has played a Karama in this battle, in order
ANSWERED: Final = "battle/answered"  #: ((side, how many Karamas had been played when it answered last), ...)
LEADERLESS: Final = "battle/leaderless"  #: sides that fight without a leader by agreement
OFFERED: Final = "battle/offered"  #: sides that have offered such an agreement
EXCUSED: Final = "battle/excused"  #: the Voice yields to what its target has answered; nobody else knows
#: All of these are over with the battle.
SETTLED: Final = (VOICE, QUESTION, SEEN, KARAMAS, ANSWERED, LEADERLESS, OFFERED, EXCUSED)
PLAN: Final = {f: f"plan/{f}" for f in FACTIONS}  #: the fields of a revealed plan

WHOLE_PLAN: Final = "plan"  #: the part that See Future shows


class Fight(NamedTuple):
    """Two sides in one territory, or in a part of one that the storm cuts off."""

    cells: tuple[str, ...]
    aggressor: str
    defender: str

    @property
    def place(self) -> str:
        """The first cell, which stands for the part."""
        return self.cells[0]

    @property
    def territory(self) -> str:
        return territory_of[self.cells[0]]

    @property
    def sides(self) -> tuple[str, str]:
        return (self.aggressor, self.defender)

    def opponent(self, side: str) -> str:
        return self.defender if side == self.aggressor else self.aggressor


class InBattle(Frame):
    """A procedure of one battle."""

    cells: tuple[str, ...]
    aggressor: str
    defender: str

    @property
    def fight(self) -> Fight:
        return Fight(self.cells, self.aggressor, self.defender)

    @property
    def resolved(self) -> bool:
        """True when only what a victory brings is left: cards played are discarded or in the hand again."""
        return False


def _innermost(g: DuneState) -> InBattle | None:
    """The procedure of the present battle that goes on now; others of the same battle may lie below it."""
    return next((frame for frame in reversed(g.stack) if isinstance(frame, InBattle)), None)


def battle_now(g: DuneState) -> Fight | None:
    """The battle being fought, if there is one."""
    frame = _innermost(g)
    return None if frame is None else frame.fight


def present_battle(g: DuneState) -> Fight:
    """The battle being fought, where there must be one."""
    fight = battle_now(g)
    if fight is None:
        raise LawBroken("no battle is being fought")
    return fight


def planning(g: DuneState, side: str) -> Fight | None:
    """The battle for which a side still has to show its plan, if there is one."""
    fight = battle_now(g)
    return fight if fight is not None and side in fight.sides and PLAN[side] not in g.table else None


def foreseen_key(viewer: str, target: str) -> str:
    """The place of what a player has answered: (part, value), or the whole plan."""
    return f"foreseen/{viewer}/{target}"


def answer_of(g: DuneState, side: str) -> tuple[str, Any] | None:
    """The answer that binds a side: (WHOLE_PLAN, its plan) under See Future, else (part, value), else nothing."""
    seen = next((viewer for viewer, target in g.table.get(SEEN, ()) if target == side), None)
    if seen is None:
        question = g.table.get(QUESTION)
        seen = question[0] if question is not None and question[1] == side else None
    if seen is None:
        return None
    answer: tuple[str, Any] | None = g.table.get(foreseen_key(seen, side))
    return answer


def cards_in(plan: BattlePlan) -> tuple[str, ...]:
    """All treachery cards of a plan."""
    hero = CHEAP_HERO if plan.cheap_hero else None
    return tuple(card for card in (plan.weapon, plan.defense, hero) if card is not None)


@rule("DUNE-6.20", "DUNE-6.28", "DUNE-6.32")
def free_cards(g: DuneState, side: str) -> tuple[int, ...]:
    """Return the places in a hand of cards that do not lie open in a plan: those are the battle's for so long."""
    battle = _innermost(g)
    in_use = PLAN[side] in g.table and not (battle is not None and battle.resolved)
    open_ = list(cards_in(revealed(g, side))) if in_use else []
    free = []
    for at, card in enumerate(g.hand(side)):
        if card in open_:
            open_.remove(card)  # the first of equal cards is the one that all have seen
        else:
            free.append(at)
    return tuple(free)


@rule("DUNE-T.23", "DUNE-K.22")
def answered_cards(g: DuneState, side: str) -> tuple[str, ...]:
    """The cards that a side has answered to have in its plan: they do not leave the hand by its own doing."""
    answer = answer_of(g, side)
    if answer is None:
        return ()
    part, value = answer
    if part != WHOLE_PLAN:
        return (value,) if value in CATEGORY else ()
    return cards_in(BattlePlan(*value))


@rule("DUNE-6.11")
def elite_strength(g: DuneState, side: str, opponent: str) -> int:
    """Return what one elite token is worth in this battle."""
    strength: int = g.query(Query.TOKEN_STRENGTH, 1, side, opponent)
    return strength


@rule("DUNE-6.10", "DUNE-6.11")
def tokens_worth(g: DuneState, fight: Fight, side: str) -> int:
    """Return what all tokens of a side in the territory are worth."""
    tokens, elites, _ = g.tokens_in(side, fight.cells)
    return tokens + elites * elite_strength(g, side, fight.opponent(side))


def fighting(counts: Counts) -> Counts:
    """The part of some tokens that takes part in battles."""
    return (counts[0], counts[1], 0)


@rule("DUNE-A.1", "DUNE-A.2", "DUNE-V.8", "DUNE-V.9")
def user_and_target(g: DuneState, owner: str, fight: Fight) -> tuple[str, str] | None:
    """Return the user of this faction's ability against a player's plan, itself or an ally, and that player."""
    for side in fight.sides:
        if side == owner:
            return owner, fight.opponent(side)
        if g.allied(owner, side):
            return (side if g.options["direct_prescience_voice"] else owner), fight.opponent(side)
    return None


def revealed(g: DuneState, side: str) -> BattlePlan:
    """The plan that a side has laid open."""
    return BattlePlan(*g.table[PLAN[side]])


@rule("DUNE-T.30", "DUNE-T.33", "DUNE-R.101")
def leader_in_battle(plan: BattlePlan) -> str | None:
    """The leader who takes part: none beside a Cheap Hero, for then the leader has gone home."""
    return None if plan.cheap_hero else plan.leader


def whereabouts(g: DuneState, side: str, leader: str) -> str:
    """The place from which a side plays a leader: behind the screen, in the territory, or from among captives."""
    owner = LOYAL_TO[leader]
    places = (FOUGHT[owner], LEADERS_AT[owner] if owner == side else CAPTURED[owner])
    return next(place for place in places if leader in g.table.get(place, ()))
