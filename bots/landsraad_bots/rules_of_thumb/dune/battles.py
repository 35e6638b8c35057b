"""Battle plans: win what decides the match, win the rest cheaply, and lose cheaply what cannot be won.

A plan is rated against the plans that the opponent may have: what it can dial, which leaders it has, and the chances
of weapons and defenses from the cards that are known. What has been said in the battle narrows these down: an answer
under Prescience, an order by the Voice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.dune import contest
from landsraad_bots.rules_of_thumb.dune.cards import (
    NOTHING,
    POISON,
    PROJECTILE,
    SPECIAL,
    Arms,
    arms_of,
    keeping,
    kind_of,
)
from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.board import cells_of, terrain, territory_of
from landsraad_engine.dune.pieces import CATEGORY, CHEAP_HERO, HARKONNEN, LOYAL_TO, SHIELD, STRENGTH
from landsraad_engine.dune.words import BATTLE_OF, FOUGHT, TRAITORS, DuneSeatView
from landsraad_engine.kernel.grammar import Choice

#: The worth of a token in spice, and the part of it that an opponent's token is worth.
TOKEN: Final = 1.6
_OTHERS: Final = 0.35
#: Prizes: a stronghold, one that wins the match, and one that would win it for the opponent.
STRONGHOLD: Final = 14.0
WINS: Final = 90.0
STOPS: Final = 60.0
#: The chance that a leader is the opponent's traitor; the Harkonnen keep four.
_TRAITOR: Final = 0.03
_TRAITOR_OF_HARKONNEN: Final = 0.13
_KWISATZ_HADERACH: Final = 2
#: How often opponents dial all that they have, and nothing.
_ALL, _NONE = 0.45, 0.08


class Opposition(NamedTuple):
    """The expectation of the opponent: the chances that totals beat it, and its arms."""

    #: number -> chance that dial and leader together are less, or equal if the Aggressor is this player
    led: Sequence[float]
    #: the same for the dial alone, after its leader has been killed
    unled: Sequence[float]
    arms: Arms
    tokens: int
    #: the mean strength of its leader
    leader: float


class BattleOutlook:
    """The view of one battle by one side before the plans are committed."""

    def __init__(self, view: DuneSeatView, cells: Sequence[str], opponent: str, *, aggressor: bool) -> None:
        self.view = view
        self.me = side_of(view)
        self.opponent = opponent
        self.cells = tuple(cells)
        self.aggressor = aggressor
        counts = view.tokens_in(self.me, self.cells)
        self.tokens = contest.dial_strength(self.me, counts, opponent)
        self.worth = TOKEN * self.tokens
        self.prize = self._prize()
        self.opposition = self._opposition(heard_arms(view, self.me, opponent))

    def with_arms(self, arms: Arms) -> BattleOutlook:
        """Return the battle as it would be if the opponent had these arms."""
        other = object.__new__(BattleOutlook)
        other.__dict__.update(self.__dict__)
        other.opposition = self.opposition._replace(arms=arms)
        return other

    # --- rating plans

    def ratings(
        self, leader: str | None, weapon: str | None, defense: str | None, hero: bool = False, helped: bool = False
    ) -> list[float]:
        """Return the rating of each dial, from 0 up, with this leader and these cards."""
        strength = 0 if leader is None or hero else STRENGTH[leader]
        extra = _KWISATZ_HADERACH if helped else 0
        foe = self.opposition
        dies, falls, bang = self._casualties(weapon, defense)
        cards = sum(keeping(card, self.view.hand(self.me), self.me) for card in (weapon, defense) if card is not None)
        mourned = 0.0 if hero or leader is None else 1.0 + 0.8 * strength
        hero_price = 2.0 if hero else 0.0
        traitor = 0.0 if hero or helped or leader is None else self._traitor(leader)
        lost = -self.worth - cards - hero_price
        found = []
        top = len(foe.led) - 1
        for dial in range(self.tokens + 1):
            wins = 0.0
            for bonus, alive in ((strength + extra, 1 - dies), (0, dies)):
                total = min(dial + bonus, top)
                wins += alive * (falls * foe.unled[total] + (1 - falls) * foe.led[total])
            bounty = 0.5 * (falls * foe.leader + dies * strength)
            won = (
                self.prize
                + bounty
                + falls * foe.leader * 0.5
                + _OTHERS * TOKEN * foe.tokens
                - TOKEN * dial
                - hero_price
            )
            fought = wins * won + (1 - wins) * lost - dies * mourned + falls * foe.leader * 0.3
            rating = (1 - bang) * fought + bang * (lost - mourned + _OTHERS * TOKEN * foe.tokens)
            found.append((1 - traitor) * rating + traitor * (lost - mourned))
        return found

    def best(self) -> tuple[float, BattlePlan]:
        """Return the best plan that the own leaders and cards allow, with its rating; orders are left aside."""
        hand = tuple(dict.fromkeys(self.view.hand(self.me)))
        weapons = [card for card in hand if CATEGORY.get(card, "").startswith("weapon")]
        defenses = [card for card in hand if CATEGORY.get(card, "").startswith("defense")]
        leaders: list[str | None] = [*self.own_leaders()]
        hero = CHEAP_HERO in hand
        best = (float("-inf"), BattlePlan(0, None, None, None, False, False))
        for leader, called in [(leader, False) for leader in leaders] + ([(None, True)] if hero else []):
            for weapon in (None, *weapons):
                for defense in (None, *defenses):
                    for dial, rating in enumerate(self.ratings(leader, weapon, defense, called)):
                        if rating > best[0]:
                            best = (rating, BattlePlan(dial, leader, weapon, defense, called, False))
        return best

    def own_leaders(self) -> tuple[str, ...]:
        """Return the own leaders that can fight here."""
        fought = self.view.table.get(FOUGHT[self.me], ())
        living = [*self.view.leaders(self.me), *fought]
        return tuple(
            leader
            for leader in living
            if self.view.may_fight(leader) and self.view.table.get(BATTLE_OF[leader]) in (None, self.cells[0])
        )

    def _casualties(self, weapon: str | None, defense: str | None) -> tuple[float, float, float]:
        """Return the chances that the own leader dies, that the opponent's does, and that all explodes."""
        arms = self.opposition.arms
        protected = kind_of(defense) if CATEGORY.get(defense or "", "").startswith("defense") else NOTHING
        dies = sum(arms.weapon.get(kind, 0.0) for kind in (POISON, PROJECTILE) if kind != protected)
        dies += arms.weapon.get(SPECIAL, 0.0)
        mine = kind_of(weapon) if CATEGORY.get(weapon or "", "").startswith("weapon") else NOTHING
        falls = 0.0 if mine == NOTHING else 1.0 if mine == SPECIAL else 1 - arms.defense.get(mine, 0.0)
        shielded = 1.0 if defense == SHIELD else 0.0
        bang = max(shielded, arms.defense.get(PROJECTILE, 0.0)) if mine == SPECIAL else 0.0
        bang = max(bang, shielded * arms.weapon.get(SPECIAL, 0.0))
        return dies, falls, bang

    def _traitor(self, leader: str) -> float:
        """Return the chance that the opponent calls a leader a traitor: strong ones are kept more often."""
        view = self.view
        if leader in view.table.get(TRAITORS[self.me], ()):
            return 0.0
        base = _TRAITOR_OF_HARKONNEN if self.opponent == HARKONNEN else _TRAITOR
        if LOYAL_TO[leader] == self.opponent:
            base /= 2
        return base * (0.6 + 0.15 * float(STRENGTH[leader]))

    # --- the opponent and the prize

    def _prize(self) -> float:
        view, place = self.view, territory_of[self.cells[0]]
        spice: int = sum(min(view.table.get(f"blow/{cell}", 0), 2 * self.tokens) for cell in cells_of[place])
        if terrain[place] != "stronghold" and place not in contest.strongholds(view):
            return 1.0 + spice
        mine = contest.own_side(view)
        theirs = (self.opponent, *view.allies(self.opponent))
        prize = STRONGHOLD
        if contest.held(view, mine) + 1 >= contest.needed(view, mine):
            prize += WINS
        if contest.held(view, theirs) + 1 >= contest.needed(view, theirs):
            prize += STOPS
        return prize

    def _opposition(self, arms: Arms) -> Opposition:
        view, opponent = self.view, self.opponent
        counts = view.tokens_in(opponent, self.cells)
        tokens = contest.dial_strength(opponent, counts, self.me)
        part, value = heard(view, self.me, opponent)
        dials = _dials(tokens)
        leaders = self._foreign_leaders()
        if part == "plan":
            plan = BattlePlan(*value)
            helped = _KWISATZ_HADERACH if plan.kwisatz_haderach else 0
            strength = 0 if plan.cheap_hero else STRENGTH.get(plan.leader or "", 0)
            dials, leaders = _certainly(plan.dial, tokens), {strength + helped: 1.0}
        elif part == "dial":
            dials = _certainly(value, tokens)
        elif part == "leader":
            leaders = {STRENGTH.get(value, 0): 1.0}
        led = [0.0] * (max(leaders) + len(dials))
        for strength, likely in leaders.items():
            for dial, chance in enumerate(dials):
                led[dial + strength] += likely * chance
        size = max(len(led), self.tokens + 8) + 1
        mean = sum(strength * likely for strength, likely in leaders.items())
        return Opposition(self._below(led, size), self._below(dials, size), arms, tokens, mean)

    def _below(self, chances: Sequence[float], size: int) -> list[float]:
        """Return the chance of each total to win against these: by more, or by as much as the Aggressor."""
        most = [*accumulate(chances), *[1.0] * (size - len(chances))]
        if not self.aggressor:
            most = [0.0, *most[:-1]]
        return most

    def _foreign_leaders(self) -> Mapping[int, float]:
        """Return the opponent's leader by strength: the best one in most cases, the others equally."""
        view = self.view
        strengths = sorted(
            (
                STRENGTH.get(leader, contest.UNSEEN_LEADER)
                for leader in (*view.leaders(self.opponent), *view.table.get(FOUGHT[self.opponent], ()))
                if leader not in STRENGTH
                or (view.may_fight(leader) and view.table.get(BATTLE_OF[leader]) in (None, self.cells[0]))
            ),
            reverse=True,
        )
        if not strengths:
            return {0: 1.0}
        found: dict[int, float] = {}
        for rank, strength in enumerate(strengths):
            likely = 1.0 if len(strengths) == 1 else 0.7 if rank == 0 else 0.3 / (len(strengths) - 1)
            found[strength] = found.get(strength, 0.0) + likely
        return found


def _dials(tokens: int) -> list[float]:
    """Return the chance of each dial: often all, sometimes nothing, else any, with higher ones more likely."""
    if not tokens:
        return [1.0]
    weights = [1.0 + dial for dial in range(tokens + 1)]
    rest = (1 - _ALL - _NONE) / sum(weights)
    dials = [rest * weight for weight in weights]
    dials[0] += _NONE
    dials[-1] += _ALL
    return dials


def _certainly(dial: int, tokens: int) -> list[float]:
    return [float(each == min(dial, tokens)) for each in range(tokens + 1)]


def heard(view: DuneSeatView, me: str, opponent: str) -> tuple[str, Any]:
    """Return the part of the opponent's plan that is known under Prescience, and what it is; "" for none."""
    for viewer in (me, *view.allies(me)):
        answer = view.table.get(f"foreseen/{viewer}/{opponent}")
        if isinstance(answer, tuple) and len(answer) == 2:
            return answer
    return "", None


def heard_arms(view: DuneSeatView, me: str, opponent: str) -> Arms:
    """Return the opponent's chances of weapons and defenses after what has been said in this battle."""
    arms = arms_of(view, opponent)
    voice = view.table.get("battle/voice")
    if voice is not None and voice[1] == opponent:
        arms = ordered(arms, voice[2], voice[3])
    part, value = heard(view, me, opponent)
    if part == "plan":
        arms = Arms({kind_of(value[2]): 1.0}, {kind_of(value[3]): 1.0})
    elif part == "weapon":
        arms = arms._replace(weapon={kind_of(value): 1.0})
    elif part == "defense":
        arms = arms._replace(defense={kind_of(value): 1.0})
    return arms


def ordered(arms: Arms, must: bool, named: str) -> Arms:
    """Return arms after an order by the Voice. Who is ordered to play a card may not have it."""
    if named in ("worthless", "lasgun"):
        kind, place = SPECIAL, "weapon"
        if named == "worthless":
            return arms
    else:
        kind, _, place = named.partition("_")
    chances = dict(getattr(arms, place))
    if not must:
        chances[NOTHING] = chances.get(NOTHING, 0.0) + chances.pop(kind, 0.0)
    elif chances.get(kind):
        chances = {kind: 1.0}
    return arms._replace(**{place: chances})


def present_battle(view: DuneSeatView) -> BattleOutlook | None:
    """Return the battle in progress if the own faction fights in it."""
    if "battle seen" not in view.memo:
        view.memo["battle seen"] = _present_battle(view)
    found: BattleOutlook | None = view.memo["battle seen"]
    return found


def _present_battle(view: DuneSeatView) -> BattleOutlook | None:
    me = side_of(view)
    for frame in reversed(view.frames):
        if frame["frame"] == "Battle" and me in (frame["aggressor"], frame["defender"]):
            attacks = frame["aggressor"] == me
            opponent = frame["defender"] if attacks else frame["aggressor"]
            return BattleOutlook(view, frame["cells"], opponent, aggressor=attacks)
    return None


def propose_plan(view: DuneSeatView, choice: Choice) -> Iterator[BattlePlan]:
    """Propose the legal plan with the highest rating."""
    battle = present_battle(view)
    if battle is None:
        return
    domains = {name: tuple(choice.domain(name).values()) for name in choice.names}
    rated: list[tuple[float, int, BattlePlan]] = []
    dials = domains["dial"]
    for leader in domains["leader"]:
        for hero in domains["cheap_hero"]:
            if hero and leader is not None:
                continue
            for helped in domains["kwisatz_haderach"]:
                for weapon in domains["weapon"]:
                    for defense in domains["defense"]:
                        found = battle.ratings(leader, weapon, defense, hero, helped)
                        for dial in dials:
                            rating = found[min(dial, len(found) - 1)]
                            plan = BattlePlan(dial, leader, weapon, defense, hero, helped)
                            rated.append((rating, len(rated), plan))
    rated.sort(key=lambda each: (-each[0], each[1]))
    yield next((plan for _, _, plan in rated if choice.fault(plan) is None), rated[0][2])
