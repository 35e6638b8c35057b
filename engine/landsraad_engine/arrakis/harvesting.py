"""Phase 4, Spice Harvesting: spice is collected and spent at once, and the bans of the Imperium are set."""

from typing import Final

from landsraad_engine.arrakis.acts import SpendSpice
from landsraad_engine.arrakis.bans import ImposeBans, at_the_bottom, lift_ban, shift_marker
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.tracks import GainSupremacy
from landsraad_engine.arrakis.vehicles import take_off
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import BAN, IMPERIUM
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, Linear, OneOf, Options, Range, Term

#: What can become of an Imperium marker, and how it moves then.
FALL, KEEP, RAISE = ORDERS = ("fall", "keep", "raise")
MOVES: Final = {FALL: -1, KEEP: 0, RAISE: 1}


def spend(f: "SpiceHarvesting", g: ArrakisState, seat: int, act: SpendSpice) -> Flow:
    """Pay for what the Harkonnen have decided; spice that is not put by is lost."""
    saved = g.get("reserve")
    g.transfer("reserve", "spice", max(0, saved - act.reserve))
    g.transfer("spice", "reserve", max(0, act.reserve - saved))
    g.transfer("spice", "planet", g.get("spice"))
    orders = {power: getattr(act, power) for power in IMPERIUM}
    f.fallen = tuple(power for power, order in orders.items() if shift_marker(g, power, MOVES[order]) and order == FALL)
    f.stockpiled = act.stockpile
    return None


class SpiceHarvesting(Frame):
    """Phase 4 of the round."""

    #: powers whose markers have fallen in this phase
    fallen: tuple[str, ...] = ()
    stockpiled: bool = False

    @step("WFA-P.9")
    def bans_end(f, g: ArrakisState) -> Flow:
        for power in BAN:
            lift_ban(g, power)
        return None

    @step("WFA-P.1")
    def collect(f, g: ArrakisState) -> Flow:
        spice = g.content.spice
        for area in g.board.names(g.survey().harvesters):
            deep = g.board.terrain[area] == "deep_desert"
            take_off(g, area)
            g.transfer("planet", "spice", spice.deep_desert_yield if deep else spice.desert_yield)
        return None

    @step("WFA-P.2", "WFA-P.3", "WFA-P.4", "WFA-P.5", "WFA-P.7", "WFA-P.8")
    def decide(f, g: ArrakisState) -> Flow:
        ways = spending(g, g.get("spice") + g.get("reserve"))
        only = Options((ways,)).only()
        if isinstance(only, SpendSpice):
            return spend(f, g, 0, only)
        reserve = ways.domain("reserve").count() - 1
        default = SpendSpice(FALL, FALL, FALL, stockpile=False, reserve=reserve)
        return Ask.any_of(g.seats_of(HARKONNEN), ways, why="WFA-P.2", default=default)

    decide.answer(spend)

    @step("WFA-P.5")
    def stockpile(f, g: ArrakisState) -> Flow:
        return GainSupremacy(points=g.content.spice.stockpiling_points) if f.stockpiled else None

    @step("WFA-P.10", "WFA-P.12")
    def bans_begin(f, g: ArrakisState) -> Flow:
        powers = dict.fromkeys((*at_the_bottom(g), *f.fallen))
        return ImposeBans(powers=tuple(powers)) if powers else None


@rule("WFA-P.2", "WFA-P.4", "WFA-P.5", "WFA-P.6", "WFA-P.7")
def spending(g: ArrakisState, total: int) -> Choice:
    """All ways to spend so much spice."""
    spice = g.content.spice
    may_stockpile = spice.stockpiling and g.supremacy <= spice.stockpiling_up_to
    prices = ((KEEP, spice.keep), (RAISE, spice.raise_))
    terms = (
        *(Term(power, table=prices) for power in IMPERIUM),
        Term("stockpile", weight=spice.stockpiling_price),
        Term("reserve"),
    )
    return Choice(
        SpendSpice,
        Linear(terms, high=total, why="WFA-P.2"),
        stockpile=OneOf((False, True) if may_stockpile else (False,), why="WFA-P.5"),
        reserve=Range(0, min(spice.reserve, total), why="WFA-P.7"),
        choam=OneOf(ORDERS),
        spacing_guild=OneOf(ORDERS),
        landsraad=OneOf(ORDERS),
    )


FRAMES = (SpiceHarvesting,)
