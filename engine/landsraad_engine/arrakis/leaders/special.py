"""Special actions of named leaders: rows over the operations, carried out in order."""

from functools import cache
from typing import Final

from landsraad_engine.arrakis.acts import Done, HandOver, TakeAction, UseSpecial
from landsraad_engine.arrakis.announcements import LeaderActs
from landsraad_engine.arrakis.basic_actions import actions_for, results_of, start
from landsraad_engine.arrakis.content import BoxContent
from landsraad_engine.arrakis.leaders.entering import described
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.operations.effects import effect
from landsraad_engine.arrakis.partners import handed_over, partner
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, RESULTS
from landsraad_engine.arrakis.terms import SubFaction
from landsraad_engine.arrakis.words import ArrakisState, named_leaders
from landsraad_engine.arrakis.zones import CARD, SPENT
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf

# ---- Whose special action is open ----


@cache
@rule("WFA-G.5", "WFA-G.41")
def _with_special(
    content: BoxContent, side: str, die: str, powers: tuple[str, ...], turned: tuple[tuple[str, SubFaction], ...]
) -> tuple[str, ...]:
    """The leaders of these powers whose cards lie on the boxes that a die reaches; two may share a box."""
    mine = [content.leader[leader] for leader, _ in named_leaders(content, turned)[side]]
    halves = dict(turned)
    reached = results_of(side, die)
    return tuple(each.id for each in mine if each.box in reached and halves.get(each.id, each.side) in powers)


@rule("WFA-A.30", "WFA-A.20", "WFA-N.4", "WFA-N.51")
def leaders_for(g: ArrakisState, seat: int, die: str) -> tuple[str, ...]:
    """The leaders whose special action a die can be spent for."""
    leaders = _with_special(g.content, g.side(seat), die, g.powers(seat), g.turned())
    return tuple([leader for leader in leaders if is_open(g, leader)])


@rule("WFA-A.31", "WFA-A.32", "WFA-A.35")
def is_open(g: ArrakisState, leader: str) -> bool:
    """Return whether a special action is open: not in progress, and a part needs no figure or has it on the board."""
    if not g.has_special(leader) or any(isinstance(f, SpecialAction) and f.leader == leader for f in g.stack):
        return False
    return g.on_board(leader) or not all(_holding(row) for row in g.leader(leader).special)


def _holding(row: rows.Special) -> bool:
    return isinstance(row, rows.MoveLegionsRow | rows.AttackWithRow | rows.PlaceUnitsRow) and bool(row.holding)


# ---- Carrying it out ----


class SpecialAction(Frame):
    """The special action of a leader."""

    seat: int
    leader: str
    row: int = 0

    @step("WFA-A.30")
    def begin(f, g: ArrakisState) -> Flow:
        g.announce(LeaderActs(f.leader), rule=described(g, f.leader))
        return None

    @step("WFA-A.13", "WFA-A.12")
    def next_row(f, g: ArrakisState) -> Flow:
        special = g.leader(f.leader).special
        if f.row == len(special):
            return goto("spend")
        row = special[f.row]
        f.row += 1
        if isinstance(row, rows.UseAnyResultRow):
            return UseAnyResult(seat=f.seat)
        return effect(row, g, f.seat)

    @step("WFA-A.13")
    def on(f, g: ArrakisState) -> Flow:
        return goto("next_row")

    @step("WFA-A.31")
    def spend(f, g: ArrakisState) -> Flow:
        """The card is spent, or that of whoever has taken the leader's place meanwhile."""
        g.set_mark("here", None)
        bearer = g.bearer(f.leader)
        if CARD[bearer] in g.table:
            g.set_mark(CARD[bearer], SPENT)
        return None


class UsedByPartner(Frame):
    """A House die of House Atreides is used as a result of the Fremen Ally, who acts: by an action, or by a leader."""

    seat: int
    result: str

    @step("WFA-G.40", "WFA-G.83", "WFA-G.84")
    def choose(f, g: ArrakisState) -> Flow:
        choices = [actions_for(g.side(f.seat), f.result)]
        if leaders := leaders_for(g, f.seat, f.result):
            choices.append(Choice(UseSpecial, die=OneOf((f.result,)), leader=OneOf(leaders)))
        return Ask.any_of((f.seat,), *choices, why="WFA-G.83")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: TakeAction | UseSpecial) -> Flow:
        if isinstance(act, UseSpecial):
            return SpecialAction(seat=f.seat, leader=act.leader)
        return start(act.action, f.seat)


#: The results that together open every action: House alone does it for the Atreides.
EACH_RESULT: Final = {HARKONNEN: RESULTS, ATREIDES: ("house",)}


class UseAnyResult(Frame):
    """The die that was spent is used as any result: for an action, or for another leader's special action."""

    seat: int

    @step("WFA-L.17", "WFA-A.12", "WFA-G.84")
    def choose(f, g: ArrakisState) -> Flow:
        side = g.side(f.seat)
        choices = [Choice(Done)]
        passed_on = handed_over(g, f.seat) if side == ATREIDES and g.shared(side) else ()
        if passed_on:
            choices.append(Choice(HandOver, die=OneOf(("house",)), result=OneOf(passed_on)))
        for result in EACH_RESULT[side]:
            choices.append(actions_for(side, result, passed_on))
            if leaders := leaders_for(g, f.seat, result):
                choices.append(Choice(UseSpecial, die=OneOf((result,)), leader=OneOf(leaders)))
        return Ask.any_of((f.seat,), *choices, why="WFA-L.17", default=Done())

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: TakeAction | UseSpecial | HandOver | Done) -> Flow:
        if isinstance(act, Done):
            return END
        if isinstance(act, HandOver):
            return UsedByPartner(seat=partner(g, f.seat), result=act.result)
        if isinstance(act, UseSpecial):
            return SpecialAction(seat=f.seat, leader=act.leader)
        return start(act.action, f.seat)


FRAMES = (SpecialAction, UsedByPartner, UseAnyResult)
