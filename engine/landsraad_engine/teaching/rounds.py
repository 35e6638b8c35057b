"""0, 1 and 7: the whole game, setting up, a round, and who has won."""

from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Call, Flow, Frame, goto, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.teaching.acts import NameOmen
from landsraad_engine.teaching.hooks import Timing
from landsraad_engine.teaching.journey import Journey
from landsraad_engine.teaching.market import Market
from landsraad_engine.teaching.words import CAMP, HAND, OMEN, TeachingState
from landsraad_engine.teaching.zones import BANDS, FINDS, SPICE, WELLS


class WholeGame(Frame):
    """Setting up, the rounds, the count."""

    @step("TEACH-0.1")
    def setup(f, g: TeachingState) -> Flow:
        return Setup()

    @step("TEACH-0.2")
    def next_round(f, g: TeachingState) -> Flow:
        return Round()

    @step("TEACH-0.2")
    def again(f, g: TeachingState) -> Flow:
        return goto("next_round") if g.round < g.options["rounds"] else Count()


class Setup(Frame):
    """Bands, water, riders and finds, then the omens."""

    @step("TEACH-1.1")
    def bands(f, g: TeachingState) -> Flow:
        g.place("lots", BANDS)
        g.shuffle("lots")
        for seat in range(g.setting.seats):
            g.assign(seat, g.draw("lots", "drawn"))
        return None

    @step("TEACH-1.2", "TEACH-1.3")
    def water_and_riders(f, g: TeachingState) -> Flow:
        for band in g.order():
            g.gain(band, 5)
            g.place(CAMP[band], (3, 1))
        return None

    @step("TEACH-1.4")
    def finds(f, g: TeachingState) -> Flow:
        g.place("deck", FINDS)
        g.shuffle("deck")
        for band in g.order() * 2:
            g.draw("deck", HAND[band])
        return None

    @step("TEACH-1.5")
    def omens(f, g: TeachingState) -> Flow:
        choices = (Choice(NameOmen, band=OneOf(g.order())),)
        return Ask.sealed(dict.fromkeys(range(g.setting.seats), choices), why="TEACH-1.5", closed=True, secret=True)

    @omens.answer
    def written(f, g: TeachingState, answers: dict[int, NameOmen]) -> Flow:
        for seat, act in answers.items():
            g.set_mark(OMEN[g.side(seat)], act.band)
        return None


class Round(Frame):
    """Dawn, the market, a journey by each band in order."""

    turn: int = 0

    @step("TEACH-0.3", "TEACH-5.3")
    def dawn(f, g: TeachingState) -> Flow:
        if g.round:
            g.set_mark("first", (g.table.get("first", 0) + 1) % g.setting.seats)
        g.set_mark("round", g.round + 1)
        g.set_mark("worm", None)
        return g.at(Timing.DAWN)

    @step("TEACH-0.2")
    def market(f, g: TeachingState) -> Flow:
        return Market()

    @step("TEACH-4.1")
    def journeys(f, g: TeachingState) -> Flow:
        if f.turn == g.setting.seats:
            return None
        band = g.order()[f.turn]
        f.turn += 1
        return Call(Journey(band), "journeys")


class Count(Frame):
    """Points for spice, wells and omens; the most win."""

    @step("TEACH-7.1")
    def spice(f, g: TeachingState) -> Flow:
        for band in g.order():
            shown = g.finds(band).count(SPICE)
            g.declare("TEACH-7.1", g.seat(band), "spice", shown)
            g.score(band, shown)
        return None

    @step("TEACH-7.2")
    def wells(f, g: TeachingState) -> Flow:
        for well in WELLS:
            strength = {band: riders + 2 * elders for band in g.order() for riders, elders in (g.at_well(well, band),)}
            strongest = _leading(strength)
            if len(strongest) == 1 and strength[strongest[0]]:
                g.score(strongest[0], 2)
        return None

    @step("TEACH-7.3")
    def omens(f, g: TeachingState) -> Flow:
        leading = _leading({band: g.points(band) for band in g.order()})
        for band in g.order():
            if g.open(OMEN[band]) in leading:
                g.score(band, 1)
        return None

    @step("TEACH-7.4")
    def winners(f, g: TeachingState) -> Flow:
        g.finish("harvest", tuple(sorted(map(g.seat, _leading({band: g.points(band) for band in g.order()})))))
        return None


def _leading(values: dict[str, int]) -> list[str]:
    return [band for band, value in values.items() if value == max(values.values())]


FRAMES = (WholeGame, Setup, Round, Count)
