"""4: one band travels to a well, or stays at home."""

from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice, Linear, OneOf, Range, Subset, Term, excludes
from landsraad_engine.teaching.acts import Stay, Travel
from landsraad_engine.teaching.words import CAMP, DISCARD, HAND, SAND, WELL, Counts, TeachingState
from landsraad_engine.teaching.zones import DEEP, DOWSER, SPICE, UNITS, WELLS


class Journey(Frame):
    """A journey is one compound act: where to, who, with how much water, and what helps."""

    band: str
    well: str = ""
    travellers: Counts = (0, 0)

    @step("TEACH-4.1")
    def leave(f, g: TeachingState) -> Flow:
        return Ask.one(g.seat(f.band), Choice(Stay), *_travels(g, f.band), why="TEACH-4.1", default=Stay())

    @leave.answer
    def under_way(f, g: TeachingState, seat: int, act: Stay | Travel) -> Flow:
        if isinstance(act, Stay):
            g.gain(f.band, 2, "TEACH-4.6")
            return END
        riders, elders = f.travellers = (act.travellers[0], act.travellers[1])
        f.well = act.well
        g.pay(f.band, act.water, "TEACH-4.2")
        for dowser in act.dowsers:
            g.move(HAND[f.band], DISCARD, dowser, rule="TEACH-4.2")
        if act.boast:
            g.reveal(HAND[f.band], SPICE, "TEACH-4.5")
            g.gain(f.band, 1, "TEACH-4.5")
        g.shift(CAMP[f.band], WELL[f.well][f.band], (riders, elders))
        return None

    @step("TEACH-4.4")
    def sand(f, g: TeachingState) -> Flow:
        sand_takes_a_rider(f, g, upto=1)
        return None


@rule("TEACH-4.2", "TEACH-4.3", "TEACH-4.5")
def _travels(g: TeachingState, band: str) -> tuple[Choice, ...]:
    """The journeys open to a band (none if nobody is left in its camp)."""
    camp = g.camp(band)
    if not any(camp):
        return ()
    dowsers = tuple(find for find in g.finds(band) if find == DOWSER)
    enough_to_drink = Linear(
        (Term("water"), Term("dowsers"), Term("travellers", weights=(-1, -1))), low=0, high=0, why="TEACH-4.2"
    )
    return (
        Choice(
            Travel,
            enough_to_drink,
            excludes("boast", [True], "well", [DEEP], why="TEACH-4.5"),
            why="TEACH-4.1",
            well=OneOf(WELLS),
            travellers=Alloc(UNITS, camp, 1, sum(camp)),
            water=Range(0, min(g.water(band), sum(camp)), why="TEACH-4.2"),
            dowsers=Subset(dowsers, 0, len(dowsers), why="TEACH-4.2"),
            boast=OneOf((False, True) if SPICE in g.finds(band) else (False,), why="TEACH-4.5"),
        ),
    )


def sand_takes_a_rider(f: Journey, g: TeachingState, upto: int) -> None:
    """Roll for the journey: on a low number one of the riders is lost."""
    if g.roll("sand", 6) < upto and f.travellers[0]:
        g.shift(WELL[f.well][f.band], SAND[f.band], (1, 0))


FRAMES = (Journey,)
