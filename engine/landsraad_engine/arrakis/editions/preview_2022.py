"""The rulebook published as work in progress in 2022: what it has otherwise."""

from landsraad_engine.arrakis.actions import ORDER, ActionResolution, ActionTurn
from landsraad_engine.arrakis.acts import PassStations, ResolveWorm, Stay
from landsraad_engine.arrakis.arrival import TakeStation
from landsraad_engine.arrakis.atomics import Detonation
from landsraad_engine.arrakis.bans import ImposeBans, at_the_bottom, lift_ban
from landsraad_engine.arrakis.battle.battle import Battle, advance_with, advancing
from landsraad_engine.arrakis.battle.rounds import BattleRound, Fight, cancel_shields, combat_roll
from landsraad_engine.arrakis.cards import of_2022
from landsraad_engine.arrakis.cards.deck import Text
from landsraad_engine.arrakis.chronicle import happened
from landsraad_engine.arrakis.desert import DesertHazards
from landsraad_engine.arrakis.desert_power import DesertPower, offer, worm_moves, worm_strikes, worms_but
from landsraad_engine.arrakis.dice import RollDice, roll_pool
from landsraad_engine.arrakis.editions import Edition
from landsraad_engine.arrakis.free_actions import FreeActionPoint
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.hooks import Instead, Order, Permit, Query, Timing
from landsraad_engine.arrakis.objectives import CheckObjective
from landsraad_engine.arrakis.regeneration import advance_tank, release
from landsraad_engine.arrakis.round import EndOfRound
from landsraad_engine.arrakis.sides import ATREIDES, DIE, HARKONNEN, HARVESTER, LEADER, ORNITHOPTER, POOL, SIDES, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.tracks import AdvanceMarker
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import EnterWormsign, PlaceWorms, WormAttack
from landsraad_engine.arrakis.zones import BAN, CARD, SPENT, box
from landsraad_engine.asks import Ask
from landsraad_engine.exceptions import Source
from landsraad_engine.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.grammar import Choice, OneOf, Subset

source = Source("preview_2022")

# ---- Dice and turns ----

#: So many dice of one result are a freak result.
FREAK = 4


@step("WFA-D.7")
def freak_results(f: RollDice, g: ArrakisState) -> Flow:
    """Of four or more dice alike one stays, the others are rolled again, once."""
    for side in SIDES:
        for dashboard in g.dashboards(side):
            for name, dice in g.dice(dashboard).items():
                if dice >= FREAK:
                    g.shift(box(dashboard, name), box(dashboard, POOL), one(2, DIE, dice - 1))
            roll_pool(g, side, dashboard)


@step("WFA-A.8", "WFA-A.9")
def until_both_are_done(f: ActionResolution, g: ArrakisState) -> Flow:
    """A side without dice is skipped, unless the Atreides have Desert Power to use."""
    unused = {side: g.unused(side) for side in SIDES}
    if not any(unused.values()):
        return goto("over")
    f.turn += 1
    side = ORDER[f.turn % 2]
    has_power = side == ATREIDES and unused[ATREIDES] < unused[HARKONNEN]
    return ActionTurn(side=side) if unused[side] or has_power else goto("again")


@source.modifies(Query.HOUSE_VEHICLES)
@rule("WFA-A.22")
def one_of_each(g: ArrakisState, value: object) -> tuple[str, ...]:
    return ("ornithopter", "harvester", "carryall")


# ---- Planning cards ----


@source.modifies(Query.EFFECTS)
@rule("WFA-U.3")
def cards_of_2022(g: ArrakisState, texts: tuple[Text, ...], card: str) -> tuple[Text, ...]:
    return of_2022.deck.texts.get(card, texts)


# ---- Scouting ----


@source.permits(Permit.FREE_ACTION)
@rule("WFA-F.8")
def scouting_at_any_time(g: ArrakisState, seat: int, kind: str) -> bool:
    return kind == "scouting"


@source.modifies(Query.SCOUTED)
@rule("WFA-F.7")
def sietch_only(g: ArrakisState, value: object) -> tuple[tuple[bool, bool], ...]:
    return ((True, False),)


@source.at(Timing.AIR_VEHICLES_LEAVE)
@rule("WFA-R.6", "WFA-R.7")
def last_scouts(g: ArrakisState) -> Frame | None:
    """Ornithopters about to leave the board may still scout."""
    return FreeActionPoint(seats=g.seats_of(HARKONNEN)) if g.zones_with(ORNITHOPTER) else None


@source.modifies(Query.LEADERS_EXCHANGED)
@rule("WFA-R.10")
def while_generic_leaders_last(g: ArrakisState, value: int, side: str) -> int:
    return min(value, g.supply(side)[LEADER])


# ---- Moving ----


@source.permits(Permit.FLY_AGAIN)
@rule("WFA-M.22")
def fly_again(g: ArrakisState) -> bool:
    return True


@source.at(Timing.SANDRODE)
@rule("WFA-M.13", "WFA-M.28")
def stations_in_passing(g: ArrakisState, seat: int, areas: tuple[AreaId, ...]) -> Frame | None:
    """A riding legion takes stations on its way, too."""
    passed = g.board.set_of(areas) & g.survey().stations
    return TakeStationsInPassing(seat=seat, areas=g.board.names(passed)) if passed else None


class TakeStationsInPassing(Frame):
    """The Atreides say which of the stations within its reach a ride has passed."""

    seat: int
    areas: tuple[AreaId, ...]

    @step("WFA-M.28")
    def passing(f, g: ArrakisState) -> Flow:
        areas = tuple(sorted(f.areas))
        choice = Choice(PassStations, areas=Subset(areas, 0, len(areas)))
        return Ask.any_of((f.seat,), choice, why="WFA-M.28", default=PassStations(()))

    @passing.answer
    def passed(f, g: ArrakisState, seat: int, act: PassStations) -> Flow:
        f.areas = act.areas

    @step("WFA-M.28")
    def take(f, g: ArrakisState) -> Flow:
        if not f.areas:
            return END
        area, *rest = f.areas
        f.areas = tuple(rest)
        return TakeStation(area=area)

    @step()
    def next_station(f, g: ArrakisState) -> Flow:
        return goto("take")


@source.at(Timing.HARVESTER_REMOVED)
@rule("WFA-M.36", "WFA-M.37")
def jihad(g: ArrakisState, area: AreaId) -> Frame | None:
    """Every second harvester that Action Resolution costs advances the Jihad marker."""
    in_phase = any(type(frame) is ActionResolution for frame in g.stack)
    return AdvanceMarker(marker="jihad", steps=1) if in_phase and not happened(g, "harvester_removed")[1] % 2 else None


@source.instead_of(Instead.ENTERED_WORMSIGN)
@rule("WFA-M.42")
def attacked_at_once(g: ArrakisState, area: AreaId) -> Frame:
    """No figure comes to the board."""
    return WormAttack(source="", target=area)


# ---- Battle ----


@source.permits(Permit.ATTACK_WITH_PART)
@rule("WFA-B.4")
def attack_with_part(g: ArrakisState) -> bool:
    return True


@source.forbids(Permit.COMBAT_DISCARD)
@rule("WFA-B.8")
def surprised(g: ArrakisState, side: str, f: Fight) -> bool:
    """In the first round of a surprise attack the defender may not discard."""
    return f.surprise and f.number == 1 and side == f.sides(g)[1]


@step("WFA-B.10", "WFA-B.22")
def roll(f: BattleRound, g: ArrakisState) -> Flow:
    """Special Elites cancel shields as rolled, before leaders add any."""
    f.rolled = combat_roll(f, g)
    f.rolled = cancel_shields(f, g)


@step("WFA-B.22")
def elites_have_acted(f: BattleRound, g: ArrakisState) -> Flow:
    """Shields from Specials are safe."""


@source.modifies(Query.PRICE_TO_CONTINUE)
@rule("WFA-B.30")
def free_of_charge(g: ArrakisState, hits: int, f: Fight) -> int:
    return 0


@source.modifies(Query.SHUNNED)
@rule("WFA-B.37")
def onto_wormsigns(g: ArrakisState, shunned: int, side: str) -> int:
    return 0


@source.at(Timing.RETREATED)
@rule("WFA-B.37", "WFA-M.50")
def retreated_onto_wormsign(g: ArrakisState, side: str, area: AreaId) -> Frame | None:
    return EnterWormsign(area=area) if side == HARKONNEN else None


@step("WFA-B.44", "WFA-B.45")
def advance(f: Battle, g: ArrakisState) -> Flow:
    """From next door with any part; from further away everybody must come."""
    legion = g.legion(f.sides(g)[0], f.source)
    if not g.board.adjacent[f.source] & g.board.bit[f.target]:
        return Ask.any_of((f.seat,), advance_with(legion), why="WFA-B.45")
    return Ask.any_of((f.seat,), advance_with(legion, part=True), Choice(Stay), why="WFA-B.44", default=Stay())


advance.answer(advancing)

# ---- The tank ----


@step("WFA-T.9")
def not_when_spent(f: ActionTurn, g: ArrakisState) -> Flow:
    """The tank does not mind what is spent."""


@step("WFA-T.9", "WFA-T.11")
def after_every_turn(f: ActionTurn, g: ArrakisState) -> Flow:
    """It moves at the end of each own turn, and who comes out of it is there at once."""
    advance_tank(g, g.dashboard(f.seat))
    release(g)


@source.at(Timing.LEADER_FALLS)
@rule("WFA-T.14")
def spent_in_the_tank(g: ArrakisState, leader: str) -> None:
    if CARD[leader] in g.table:
        g.set_mark(CARD[leader], SPENT)


# ---- Prescience ----


@source.permits(Permit.CLAIM)
@rule("WFA-Q.7")
def as_soon_as_met(g: ArrakisState, card: str, phase: str) -> bool:
    """Whatever phase it is."""
    return True


@source.at(Timing.PRESCIENCE_STEP, order=Order.FIRST)
@rule("WFA-Q.23")
def won_at_once(g: ArrakisState, marker: str, step: int) -> Frame:
    """Each step may be the one that wins, before anybody is asked about what else it brings."""
    return CheckObjective()


@source.forbids(Permit.ARRAKEEN_DECIDES)
@rule("WFA-Q.23")
def arrakeen_is_no_occasion(g: ArrakisState) -> bool:
    return True


@step("WFA-Q.23", "WFA-R.6")
def end_is_no_occasion(f: EndOfRound, g: ArrakisState) -> Flow:
    """Nor is the end of a round: who has reached the targets has won by now."""


# ---- Leaders ----


@source.modifies(Query.LEADER_RULE)
@rule("WFA-L.7", "WFA-L.11")
def described_otherwise(g: ArrakisState, statement: str, leader: str) -> str:
    """Hawat comes by a card; Shaddam and Gaius are for shared factions."""
    otherwise = {"thufir_hawat": "WFA-L.7", "gaius_helen_mohiam": "WFA-L.11", "emperor_shaddam_iv": "WFA-L.11"}
    return otherwise.get(leader, statement)


@source.forbids(Permit.WILD_MAKER_COMES)
@rule("WFA-L.32")
def by_its_card_only(g: ArrakisState) -> bool:
    """It enters with its card ready and its figure off the board."""
    return True


# ---- The desert ----


@step("WFA-A.27")
def activate_another(f: DesertPower, g: ArrakisState) -> Flow:
    """A different sandworm moves or attacks, whatever the first has done."""
    worms = worms_but(g, f.moved)
    return offer(f.seat, (*worm_moves(g, worms), *worm_strikes(g, worms)), "WFA-A.27")


activate_another.answer(DesertPower.driven)


@source.permits(Permit.WORM_ONTO_WORMSIGN)
@rule("WFA-M.46")
def onto_tokens(g: ArrakisState) -> bool:
    """Only figures are in a worm's way."""
    return True


@source.forbids(Permit.WORM_FROM_BOARD)
@rule("WFA-H.10")
def figures_off_the_board_first(g: ArrakisState) -> bool:
    return True


@source.forbids(Permit.WILD_MAKER_STANDS_IN)
@rule("WFA-L.32")
def by_its_own_action_only(g: ArrakisState) -> bool:
    return True


@step("WFA-H.2")
def wormsigns_stay(f: DesertHazards, g: ArrakisState) -> Flow:
    """Those beside Atreides legions and sandworms are turned up with the others."""


@step("WFA-H.2")
def calm(f: DesertHazards, g: ArrakisState) -> Flow:
    """They do nothing; there is no limit to what the others bring."""
    survey = g.survey()
    f.worms = tuple(area for area in f.worms if not g.board.bit[area] & (survey.atreides | survey.worms))


@step("WFA-H.17", "WFA-H.18")
def strike(f: DesertHazards, g: ArrakisState) -> Flow:
    return WormsStrike(areas=f.worms)


def resolve_next(f: "WormsStrike", g: ArrakisState, seat: int, act: ResolveWorm) -> Flow:
    """Go on with the area that the Atreides have said, or with the last one."""
    f.area = act.area
    f.areas = tuple(area for area in f.areas if area != act.area)
    f.empty = not g.size(HARKONNEN, f.area) and not g.vehicle(f.area)[HARVESTER]


class WormsStrike(Frame):
    """Worms attack what is above them at once; figures come only where nothing is, or a carryall saves a harvester."""

    areas: tuple[AreaId, ...]
    placed: tuple[AreaId, ...] = ()
    area: AreaId = ""
    empty: bool = False

    @step("WFA-H.5", "WFA-H.48")
    def next_area(f, g: ArrakisState) -> Flow:
        if len(f.areas) < 2:
            return resolve_next(f, g, 0, ResolveWorm(f.areas[0])) if f.areas else END
        return Ask.any_of(g.seats_of(ATREIDES), Choice(ResolveWorm, area=OneOf(f.areas)), why="WFA-H.5")

    next_area.answer(resolve_next)

    @step("WFA-H.17")
    def attack(f, g: ArrakisState) -> Flow:
        return None if f.empty else WormAttack(source="", target=f.area, rescue=True)

    @step("WFA-H.18", "WFA-H.21", "WFA-H.10", "WFA-H.55")
    def figure(f, g: ArrakisState) -> Flow:
        saved = g.vehicle(f.area)[HARVESTER] and not g.size(HARKONNEN, f.area)
        if not f.empty and not saved:
            return goto("next_area")
        f.placed = (*f.placed, f.area)
        return Call(PlaceWorms(areas=(f.area,), settled=f.placed), "next_area")


# ---- Bans and Atomics ----


@source.at(Timing.ROUND_BEGINS)
@rule("WFA-P.13")
def bans_of_the_round(g: ArrakisState) -> Frame | None:
    powers = at_the_bottom(g)
    return ImposeBans(powers=powers) if powers else None


@step("WFA-P.13")
def bans_go_on(f: SpiceHarvesting, g: ArrakisState) -> Flow:
    """As long as their markers lie where they are."""


@step("WFA-P.13")
def bans_end(f: SpiceHarvesting, g: ArrakisState) -> Flow:
    """Those of markers that have risen."""
    for power in BAN:
        if power not in at_the_bottom(g):
            lift_ban(g, power)


@source.at(Timing.PRESCIENCE_STEP)
@rule("WFA-H.40")
def detonate_at_once(g: ArrakisState, marker: str, step: int) -> Frame | None:
    due = step == g.content.prescience_track.atomics_step
    return Detonation(seats=g.seats_of(ATREIDES)) if due else None


FRAMES = (TakeStationsInPassing, WormsStrike)

EDITION = Edition(
    source,
    {
        ("RollDice", "excess"): freak_results,
        ("ActionResolution", "next_turn"): until_both_are_done,
        ("ActionTurn", "tank_at_once"): not_when_spent,
        ("ActionTurn", "tank_at_the_end"): after_every_turn,
        ("BattleRound", "roll"): roll,
        ("BattleRound", "special_elites"): elites_have_acted,
        ("Battle", "advance"): advance,
        ("EndOfRound", "objective"): end_is_no_occasion,
        ("DesertPower", "second"): activate_another,
        ("DesertHazards", "clear"): wormsigns_stay,
        ("DesertHazards", "too_many"): calm,
        ("DesertHazards", "appear"): strike,
        ("SpiceHarvesting", "bans_end"): bans_go_on,
        ("SpiceHarvesting", "bans_begin"): bans_end,
    },
)
