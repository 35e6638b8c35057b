"""A battle from its start to its outcome; what a round does stands in rounds.py."""

from landsraad_engine.arrakis.acts import Advance, Cease, Continue, Retreat, Stand, Stay
from landsraad_engine.arrakis.arrival import Arrival
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.retreat import RetreatFrom, retreats
from landsraad_engine.arrakis.battle.rounds import BattleRound, InBattle, face_to_face
from landsraad_engine.arrakis.chronicle import won
from landsraad_engine.arrakis.hooks import Query
from landsraad_engine.arrakis.legions import Settle, TurnUpTokens, come_back, relocate
from landsraad_engine.arrakis.settlements import DestroySettlement
from landsraad_engine.arrakis.sides import ATREIDES, FIGURES, NOBODY, Figures
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, goto, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice, Linear, Subset, Term


def advancing(f: InBattle, g: ArrakisState, seat: int, act: Advance | Stay) -> Flow:
    """Move the victors in, or end the battle where they are."""
    if isinstance(act, Stay):
        return END
    relocate(g, f.sides(g)[0], f.source, f.target, Legion(act.units, act.leaders))
    return None


class Battle(InBattle):
    """The legion in ``source`` attacks ``target``; it stays where it is while the battle lasts."""

    #: what the two sides brought: attacker, defender
    brought: tuple[Figures, Figures] = (NOBODY, NOBODY)

    @step("WFA-B.5")
    def turn_up_sietch(f, g: ArrakisState) -> Flow:
        if f.sides(g)[1] == ATREIDES:
            g.turn_up_sietch(f.target)
        return None

    @step("WFA-B.6", "WFA-S.22", "WFA-S.23")
    def turn_up_tokens(f, g: ArrakisState) -> Flow:
        return TurnUpTokens(area=f.area(g, ATREIDES))

    @step("WFA-B.48", "WFA-B.39")
    def undefended(f, g: ArrakisState) -> Flow:
        """A settlement without a legion falls without a roll; tokens for which no figure is left are no attackers."""
        attacker, defender = f.sides(g)
        f.brought = (g.figures(attacker, f.source), g.figures(defender, f.target))
        return None if face_to_face(f, g) else goto("destroyed")

    @step("WFA-B.2")
    def battle_round(f, g: ArrakisState) -> Flow:
        f.number += 1
        return BattleRound(
            seat=f.seat,
            source=f.source,
            target=f.target,
            surprise=f.surprise,
            effects=f.effects,
            number=f.number,
        )

    @step("WFA-B.39", "WFA-B.40", "WFA-B.41")
    def destroyed(f, g: ArrakisState) -> Flow:
        attacker, defender = f.sides(g)
        stands, holds = g.size(attacker, f.source), g.size(defender, f.target)
        if stands and holds:
            return None
        if stands:
            return goto("victory")
        return goto("defended") if holds else END

    @step("WFA-B.28", "WFA-B.31", "WFA-H.56")
    def go_on(f, g: ArrakisState) -> Flow:
        if not face_to_face(f, g):
            return goto("destroyed")
        return Ask.any_of((f.seat,), Choice(Continue), Choice(Cease), why="WFA-B.28", default=Cease())

    @go_on.answer
    def going_on(f, g: ArrakisState, seat: int, act: Continue | Cease) -> Flow:
        return goto("price") if isinstance(act, Continue) else goto("defended")

    @step("WFA-B.29", "WFA-B.30")
    def price(f, g: ArrakisState) -> Flow:
        attacker, defender = f.sides(g)
        hits = g.query(Query.PRICE_TO_CONTINUE, 1 if g.rank(defender, f.target) else 0, f)
        return Casualties(side=attacker, area=f.source, hits=hits, seats=(f.seat,))

    @step("WFA-B.33")
    def spent(f, g: ArrakisState) -> Flow:
        return None if g.size(f.sides(g)[0], f.source) else goto("defended")

    @step("WFA-B.32", "WFA-B.34", "WFA-H.56")
    def stand(f, g: ArrakisState) -> Flow:
        if not face_to_face(f, g):
            return goto("destroyed")
        defender = f.sides(g)[1]
        if not retreats(g, defender, f.target):
            return goto("battle_round")
        return Ask.any_of(g.seats_of(defender), Choice(Stand), Choice(Retreat), why="WFA-B.32", default=Stand())

    @stand.answer
    def standing(f, g: ArrakisState, seat: int, act: Stand | Retreat) -> Flow:
        if isinstance(act, Stand):
            return goto("battle_round")
        return RetreatFrom(side=f.sides(g)[1], area=f.target, seats=(f.seat,))

    @step("WFA-B.35", "WFA-B.39")
    def retreated(f, g: ArrakisState) -> Flow:
        return goto("battle_round" if face_to_face(f, g) else "victory")

    @step("WFA-B.41")
    def defended(f, g: ArrakisState) -> Flow:
        _note(f, g, winner=1)
        return END

    @step("WFA-B.40")
    def victory(f, g: ArrakisState) -> Flow:
        _note(f, g, winner=0)
        return None

    @step("WFA-B.43")
    def advance(f, g: ArrakisState) -> Flow:
        if not may_advance(f, g):
            return END
        whole = advance_with(g.legion(f.sides(g)[0], f.source))
        return Ask.any_of((f.seat,), whole, Choice(Stay), why="WFA-B.43", default=Stay())

    advance.answer(advancing)

    @step("WFA-S.27", "WFA-B.55")
    def left_behind(f, g: ArrakisState) -> Flow:
        """Those who took no part are back before a settlement falls: the Atomics that it may set off count on it."""
        side = f.sides(g)[0]
        come_back(g, side, f.source)
        return Settle(side=side, area=f.source)

    @step("WFA-B.46", "WFA-B.47", "WFA-B.54")
    def settlement(f, g: ArrakisState) -> Flow:
        return DestroySettlement(side=f.sides(g)[1], area=f.target)

    @step("WFA-M.27", "WFA-M.53", "WFA-M.35", "WFA-M.38")
    def arrive(f, g: ArrakisState) -> Flow:
        return Arrival(side=f.sides(g)[0], area=f.target)


@rule("WFA-H.58")
def may_advance(f: InBattle, g: ArrakisState) -> bool:
    """Return whether the victors are there, and the area is open to them: the Atomics may have moved a legion."""
    attacker, defender = f.sides(g)
    survey = g.survey()
    in_the_way = (survey.legions(defender) | survey.worms) & g.board.bit[f.target]
    return bool(g.size(attacker, f.source) and not in_the_way)


@rule("WFA-B.42", "WFA-B.43", "WFA-B.44", "WFA-B.45")
def advance_with(legion: Legion, *, part: bool = False) -> Choice:
    """Advancing with all of a legion, or with any part of it that has a unit."""
    total = sum(legion.units)
    named = tuple(sorted(legion.named))
    unit = Linear((Term("units", weights=(1, 1, 1, 0)),), low=1, why="WFA-M.2")
    return Choice(
        Advance,
        unit,
        units=Alloc(slots=FIGURES, caps=legion.units, low=0 if part else total, high=total),
        leaders=Subset(named, 0 if part else len(named), len(named)),
    )


def _note(f: Battle, g: ArrakisState, winner: int) -> None:
    if f.sides(g)[winner] == ATREIDES:
        won(g, ("attacker", "defender")[winner], f.brought[1 - winner])


FRAMES = (Battle,)
