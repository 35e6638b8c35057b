"""The Deployment, Mentat and House actions: figures, cards and better troops."""

from landsraad_engine.arrakis.acts import Deploy, DeployLeader, DeployToken, Done, DrawCards, DrawToken, UpgradeUnits
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Permit, Query
from landsraad_engine.arrakis.legions import Settle, SettleAll, join
from landsraad_engine.arrakis.partners import partner
from landsraad_engine.arrakis.sides import ATREIDES, ELITE, FIGURES, GENERIC, LEADER, REGULAR, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.vehicles import PlaceSomeVehicles
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import DECK, PASSED, TOKENS, hand
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice, Linear, OneOf, Term, requires


@rule("WFA-A.18", "WFA-A.29", "WFA-S.26")
def deployable(g: ArrakisState, side: str) -> tuple[str, ...]:
    """Leaders that can be deployed: the generic one while there are figures, and named ones that stand aside."""
    generic = (GENERIC[side],) if g.supply(side)[LEADER] else ()
    return (*generic, *[leader for leader in g.leaders_aside(side) if g.allowed(Permit.BRING, leader, default=True)])


@rule("WFA-B.51")
def held_settlements(g: ArrakisState, side: str) -> AreaSet:
    """Areas with a settlement of a side that figures can be brought to."""
    return g.survey().settlements(side)


class DeployUnits(Frame):
    """Put Regulars into own settlements as liked, and a leader into one of them where own units stand."""

    seat: int
    regulars: int = 3

    @step("WFA-A.17", "WFA-A.18")
    def deploy(f, g: ArrakisState) -> Flow:
        side = g.side(f.seat)
        areas = g.board.names(held_settlements(g, side))
        number = min(f.regulars, g.supply(side)[REGULAR])
        if not areas:
            return END
        leaders = deployable(g, side)
        units = Alloc(slots=areas, caps=(number,) * len(areas), low=0, high=number)
        # A leader goes where units stand, or come by this very action.
        bare = [n for n, area in enumerate(areas) if not g.size(side, area)]
        with_units = [
            Linear(
                (Term("regulars", weights=one(areas, n)), Term("place", table=((areas[n], -1),))),
                low=0,
                why="WFA-A.18",
            )
            for n in bare
        ]
        choice = Choice(
            Deploy,
            *with_units,
            requires("leader", ("",), "place", ("",)),
            requires("leader", leaders, "place", areas),
            regulars=units,
            leader=OneOf(("", *leaders)),
            place=OneOf(("", *areas)),
        )
        return Ask.any_of((f.seat,), choice, why="WFA-A.17", default=Deploy((0,) * len(areas), "", ""))

    @deploy.answer
    def deployed(f, g: ArrakisState, seat: int, act: Deploy) -> Flow:
        side = g.side(f.seat)
        areas = g.board.names(held_settlements(g, side))
        for area, number in zip(areas, act.regulars, strict=True):
            g.recruit(side, area, one(FIGURES, REGULAR, number))
        if act.leader:
            join(g, side, act.place, act.leader)
        return SettleAll(side=side, areas=areas)


class DeployTokenAndLeader(Frame):
    """Draw deployment tokens, look at each and lay it in a Sietch with a leader; leaders that are left come after."""

    seat: int
    tokens: int = 1
    leaders: int = 1
    #: each goes where its owner likes, not all to one Sietch
    spread: bool = False
    #: only to these Sietches; empty: any
    areas: tuple[AreaId, ...] = ()
    #: where the last one went
    area: AreaId = ""

    @step("WFA-A.16", "WFA-A.18", "WFA-S.25")
    def begin(f, g: ArrakisState) -> Flow:
        choices = []
        if f.tokens and _sietches(f, g) and g.table.get("bag"):
            choices.append(Choice(DrawToken))
        leaders = deployable(g, ATREIDES) if f.leaders else ()
        manned = tuple(area for area in _sietches(f, g) if g.size(ATREIDES, area))
        if leaders and manned:
            choices.append(Choice(DeployLeader, area=OneOf(manned), leader=OneOf(leaders)))
        if not choices:
            return END
        return elective((f.seat,), *choices, why="WFA-A.16")

    @begin.answer
    def begun(f, g: ArrakisState, seat: int, act: Done | DrawToken | DeployLeader) -> Flow:
        if isinstance(act, DrawToken):
            f.tokens -= 1
            g.draw("bag", "drawn_token")
            return None
        if isinstance(act, Done):
            return END
        join(g, ATREIDES, act.area, act.leader)
        f.tokens, f.leaders, f.area = 0, f.leaders - 1, act.area
        return goto("begin")

    @step("WFA-A.16")
    def lay(f, g: ArrakisState) -> Flow:
        leaders = deployable(g, ATREIDES) if f.leaders else ()
        choice = Choice(DeployToken, area=OneOf(_sietches(f, g)), leader=OneOf(("", *leaders)))
        return Ask.any_of((f.seat,), choice, why="WFA-A.16")

    @lay.answer
    def laid(f, g: ArrakisState, seat: int, act: DeployToken) -> Flow:
        (token,) = g.table["drawn_token"]
        g.move("drawn_token", TOKENS[act.area], token)
        if act.leader:
            join(g, ATREIDES, act.area, act.leader)
        if f.leaders and (act.leader or not f.spread):
            f.leaders -= 1  # the one who comes with the token, or does not
        f.area = act.area
        return Settle(side=ATREIDES, area=act.area)

    @step()
    def on(f, g: ArrakisState) -> Flow:
        return goto("begin")


def _sietches(f: DeployTokenAndLeader, g: ArrakisState) -> tuple[AreaId, ...]:
    """The Sietches to which the next token or leader may go."""
    if f.area and not f.spread:
        return (f.area,)
    return f.areas or g.board.names(held_settlements(g, ATREIDES))


class DrawPlanningCards(Frame):
    """Draw planning cards, naming the decks before the first is drawn; ``decks`` says from which alone."""

    seat: int
    cards: int = 2
    decks: tuple[str, ...] = ()

    @step("WFA-A.19", "WFA-A.34", "WFA-G.22", "WFA-G.64")
    def draw(f, g: ArrakisState) -> Flow:
        decks = f.decks or g.query(Query.DECKS_OPEN, g.powers(f.seat), f.seat)
        there = tuple(min(f.cards, len(g.table.get(DECK[deck], ()))) for deck in decks)
        if not any(there):
            return END
        number = Alloc(slots=decks, caps=there, low=0, high=f.cards)
        return Ask.any_of((f.seat,), Choice(DrawCards, cards=number), why="WFA-A.19")

    @draw.answer
    def drawn(f, g: ArrakisState, seat: int, act: DrawCards) -> Flow:
        decks = f.decks or g.query(Query.DECKS_OPEN, g.powers(f.seat), f.seat)
        for deck, number in zip(decks, act.cards, strict=True):
            for _ in range(number):
                _draw(g, f.seat, deck, seen=not f.decks)
        return None


@rule("WFA-G.23", "WFA-G.64", "WFA-G.65")
def _draw(g: ArrakisState, seat: int, deck: str, *, seen: bool) -> None:
    """Draw a card; one of the partner's deck goes to the partner, after a look at it if the seat has drawn it."""
    if deck in g.powers(seat):
        g.draw_card(seat, deck)
    elif seen and g.table.get(DECK[deck]):
        face = g.draw(DECK[deck], PASSED[seat])
        g.move(PASSED[seat], hand(deck, partner(g, seat)), face)
    else:
        g.draw_card(partner(g, seat), deck)


class HouseVehicles(Frame):
    """The other half of the Harkonnen House action: place vehicles."""

    seat: int

    @step("WFA-A.21", "WFA-A.22", "WFA-G.61")
    def place(f, g: ArrakisState) -> Flow:
        kinds = g.query(Query.HOUSE_VEHICLES, ("any", "any"))
        return PlaceSomeVehicles(kinds=kinds, seats=(f.seat,))


class Upgrade(Frame):
    """Exchange units on the board for units of a better kind, wherever they are."""

    seat: int
    count: int = 2
    kind: int = REGULAR
    by: int = ELITE

    @step("WFA-A.21", "WFA-A.22", "WFA-S.17")
    def upgrade(f, g: ArrakisState) -> Flow:
        areas = _with_units(f, g)
        if not areas or not g.supply(g.side(f.seat))[f.by]:
            return END
        most = min(f.count, g.supply(g.side(f.seat))[f.by])
        caps = tuple(min(most, number) for _, number in areas)
        units = Alloc(slots=tuple(area for area, _ in areas), caps=caps, low=0, high=most)
        return Ask.any_of((f.seat,), Choice(UpgradeUnits, units=units), why="WFA-A.21")

    @upgrade.answer
    def upgraded(f, g: ArrakisState, seat: int, act: UpgradeUnits) -> Flow:
        for (area, _), number in zip(_with_units(f, g), act.units, strict=True):
            g.replace(g.side(f.seat), area, f.kind, f.by, number)
        return None


def _with_units(f: Upgrade, g: ArrakisState) -> list[tuple[AreaId, int]]:
    side = g.side(f.seat)
    areas = g.board.names(g.survey().legions(side))
    return [(area, number) for area in areas if (number := g.figures(side, area)[f.kind])]


FRAMES = (DeployUnits, DeployTokenAndLeader, DrawPlanningCards, HouseVehicles, Upgrade)
