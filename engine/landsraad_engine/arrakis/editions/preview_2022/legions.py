"""Moving and battle in 2022."""

from landsraad_engine.arrakis.action_resolution import ActionResolution
from landsraad_engine.arrakis.acts import PassStations, Stay
from landsraad_engine.arrakis.arrival import TakeStation
from landsraad_engine.arrakis.battle.battle import Battle, advance_with, advancing, may_advance
from landsraad_engine.arrakis.battle.rounds import BattleRound, InBattle, cancel_shields, combat_roll
from landsraad_engine.arrakis.chronicle import happened
from landsraad_engine.arrakis.hooks import Instead, Permit, Query, Timing
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.tracks import AdvanceMarker
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import EnterWormsign, WormAttack
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, Subset
from landsraad_engine.kernel.overrides import Source

source = Source("preview_2022: legions")

# ---- Moving ----


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
        return None

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
def surprised(g: ArrakisState, side: str, f: InBattle) -> bool:
    """In the first round of a surprise attack the defender may not discard."""
    return f.surprise and f.number == 1 and side == f.sides(g)[1]


@step("WFA-B.10", "WFA-B.22")
def roll(f: BattleRound, g: ArrakisState) -> Flow:
    """Special Elites cancel shields as rolled, before leaders add any."""
    f.rolled = combat_roll(f, g)
    f.rolled = cancel_shields(f, g)
    return None


@step("WFA-B.22")
def elites_have_acted(f: BattleRound, g: ArrakisState) -> Flow:
    """Shields from Specials are safe."""


@source.modifies(Query.PRICE_TO_CONTINUE)
@rule("WFA-B.30")
def free_of_charge(g: ArrakisState, hits: int, f: InBattle) -> int:
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
    if not may_advance(f, g):
        return END
    legion = g.legion(f.sides(g)[0], f.source)
    if not g.board.adjacent[f.source] & g.board.bit[f.target]:
        return Ask.any_of((f.seat,), advance_with(legion), why="WFA-B.45")
    return Ask.any_of((f.seat,), advance_with(legion, part=True), Choice(Stay), why="WFA-B.44", default=Stay())


advance.answer(advancing)


STEPS = {
    ("BattleRound", "roll"): roll,
    ("BattleRound", "special_elites"): elites_have_acted,
    ("Battle", "advance"): advance,
}

FRAMES = (TakeStationsInPassing,)
