"""The Fremen and the worms: riding them, placing them, calling them."""

from collections.abc import Sequence
from typing import Any, Final

from landsraad_engine.dune.acts import PASSING, Pass, PlaceWorm, PlayCard, RideWorm, card_choice
from landsraad_engine.dune.board import TERRITORIES, cells_of, territory_of, under_storm
from landsraad_engine.dune.entering import DECLARATION, REFUSED, arrived, entering, landing_cells, refused, why_not
from landsraad_engine.dune.factions.fremen import source
from landsraad_engine.dune.hooks import Instead, Permit, Query, Timing
from landsraad_engine.dune.karama import (
    Ability,
    Cancellable,
    CancelWindow,
    UseKarama,
    could_hold_karama,
    karama_stands,
    karamas,
    play_or_pass,
    stands,
)
from landsraad_engine.dune.pieces import FREMEN, KARAMA
from landsraad_engine.dune.words import NONE, DuneState
from landsraad_engine.dune.worms import WormAttack, count_worm
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Act, Alloc, Choice, Linear, OneOf, Term

THUMPER: Final = "thumper"


# --- Sandriders


@source.at(Timing.WORM_ATTACKS)
@rule("DUNE-R.7")
def sandriders_announced(g: DuneState, territory: str) -> Frame | None:
    """Fremen who stand in the worm's territory are about to use the ability: it may be cancelled for this worm."""
    if g.tokens_at(FREMEN, territory) == NONE:
        return None
    return CancelWindow(Ability.SANDRIDERS.name, FREMEN)


@source.forbids(Permit.DEVOURED)
@rule("DUNE-FRE.3", "DUNE-A.4", "DUNE-R.7")
def not_devoured(g: DuneState, faction: str, territory: str) -> bool:
    """Fremen are not eaten, nor are their allies; those are spared even if the Fremen's own ability is cancelled."""
    if faction == FREMEN:
        return stands(g, Ability.SANDRIDERS)
    return g.allied(FREMEN, faction)


class Sandriders(Frame):
    """The worm leaves, and Fremen who stand there may ride it to one other territory."""

    territory: str
    tokens: tuple[int, ...] = ()
    elites: tuple[int, ...] = ()
    to: str = ""
    #: the parts that an ally had not opened before
    refused: tuple[str, ...] = ()

    @step("DUNE-R.7")
    def begin(f, g: DuneState) -> Flow:
        f.refused = g.table.get(REFUSED, ())
        return None if stands(g, Ability.SANDRIDERS) else goto("over")

    @step("DUNE-FRE.4", "DUNE-FRE.5", "DUNE-FRE.6", "DUNE-FRE.8", "DUNE-FRE.9", "DUNE-FRE.10", "DUNE-R.50")
    def ride(f, g: DuneState) -> Flow:
        """A ride is a jump: nothing counts but where it starts and where it ends."""
        cells = _riders(g, f.territory)
        ends = tuple(cell for cell in landing_cells(g, FREMEN) if territory_of[cell] != f.territory)
        if not cells or not ends:
            return goto("over")
        counts = [g.troops(FREMEN, cell) for cell in cells]
        tokens = tuple(count[0] for count in counts)
        elites = tuple(count[1] for count in counts)
        riding = Choice(
            RideWorm,
            Linear(terms=(Term("tokens"), Term("elites")), low=1, why="DUNE-FRE.4"),
            tokens=Alloc(cells, tokens, 0, sum(tokens)),
            elites=Alloc(cells, elites, 0, sum(elites)),
            to=OneOf(ends),
        )
        return Ask.one(g.seat_of(FREMEN), PASSING, riding, why="DUNE-FRE.4", default=Pass())

    @ride.answer
    def rides(f, g: DuneState, seat: int, act: Pass | RideWorm) -> Flow:
        if isinstance(act, Pass):
            return goto("over")
        f.tokens, f.elites, f.to = act.tokens, act.elites, act.to
        return entering(g, FREMEN, act.to)

    @step("DUNE-FRE.7", "DUNE-BG.14")
    def land(f, g: DuneState) -> Flow:
        if refused(g, f.to):
            g.set_mark(DECLARATION, None)
            return goto("ride")
        for cell, tokens, elites in zip(_riders(g, f.territory), f.tokens, f.elites, strict=True):
            g.march(FREMEN, cell, f.to, (tokens, elites, 0))
        return arrived(g, FREMEN, f.to, (sum(f.tokens), sum(f.elites), 0))

    @step("DUNE-BG.17")
    def those_left(f, g: DuneState) -> Flow:
        return g.at(Timing.TOKENS_GONE, *cells_of[f.territory])

    @step("DUNE-R.7")
    def over(f, g: DuneState) -> Flow:
        g.set_mark(REFUSED, f.refused or None)
        return None


@rule("DUNE-FRE.6")
def _riders(g: DuneState, territory: str) -> tuple[str, ...]:
    """The cells of a territory in which Fremen stand who may ride."""
    return tuple(
        cell for cell in cells_of[territory] if g.troops(FREMEN, cell) != NONE and not under_storm(cell, g.storm)
    )


@source.at(Timing.WORM_LEAVES)
def sandriders(g: DuneState, territory: str) -> Frame:
    return Sandriders(territory)


#: What the almanac says about rides where the main rules speak of other movement.
_OF_RIDES: Final = {"DUNE-5.15": "DUNE-FRE.6", "DUNE-5.8": "DUNE-FRE.9", "DUNE-5.9": "DUNE-FRE.10"}


def explain_ride(g: DuneState, seat: int, act: RideWorm) -> tuple[str, str] | None:
    """The rule that keeps the worm from going there, if it is that."""
    reason = why_not(g, FREMEN, act.to) if act.to in territory_of else None
    return reason and (_OF_RIDES.get(reason[0], reason[0]), reason[1])


# --- Bless the Maker


class BlessTheMaker(Cancellable):
    """Of several worms on one pile the Fremen may send every one but the first wherever they like."""

    territory: str = ""

    ability = Ability.BLESS_THE_MAKER
    owner = FREMEN

    @step("DUNE-FRE.11", "DUNE-FRE.13", "DUNE-R.48", "DUNE-R.51")
    def place(f, g: DuneState) -> Flow:
        anywhere = Choice(PlaceWorm, territory=OneOf(TERRITORIES))
        return Ask.one(g.seat_of(FREMEN), PASSING, anywhere, why="DUNE-FRE.11", default=Pass())

    @place.answer
    def placed(f, g: DuneState, seat: int, act: Pass | PlaceWorm) -> Flow:
        if isinstance(act, Pass):
            return END
        f.territory = act.territory
        return None

    @rule("DUNE-FRE.11")
    def stands(f, g: DuneState) -> Flow:
        g.set_mark("worm_at", f.territory)
        return None


@source.at(Timing.FURTHER_WORM)
def bless_the_maker(g: DuneState) -> Frame:
    return BlessTheMaker()


# --- Thumpers


class Thumper(Frame):
    """A Karama makes a worm appear. It is no card: no Nexus, and nothing less is drawn."""

    card: str
    territory: str

    @step("DUNE-K.12")
    def play(f, g: DuneState) -> Flow:
        return UseKarama(FREMEN, f.card, THUMPER)

    @step("DUNE-K.13", "DUNE-K.14", "DUNE-V.11")
    def appear(f, g: DuneState) -> Flow:
        if not karama_stands(g):
            return END
        count_worm(g)
        return WormAttack(f.territory)


def _thumpers(g: DuneState) -> list[Choice]:
    cards = karamas(g, FREMEN)
    return [card_choice(*cards, target=OneOf(TERRITORIES))] if cards else []


class ThumperWindow(Frame):
    """A moment of the Spice Blow Round at which the Fremen may call a worm."""

    @step("DUNE-K.12", "DUNE-R.11")
    def window(f, g: DuneState) -> Flow:
        if not could_hold_karama(g, FREMEN):
            return END
        options = {g.seat_of(FREMEN): play_or_pass(g, FREMEN, *_thumpers(g))}
        return Ask.quiet(options, why="DUNE-K.12", window=THUMPER, default=Pass())

    @window.answer
    def called(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        act = answers[g.seat_of(FREMEN)]
        return Call(Thumper(act.card, str(act.target)), "window") if isinstance(act, PlayCard) else END


@source.at(Timing.BETWEEN_SPICE_CARDS)
def thumper_window(g: DuneState) -> Frame:
    return ThumperWindow()


@source.modifies(Query.MOVEMENT_PLAYS)
@rule("DUNE-K.12")
def thumper_in_movement(g: DuneState, plays: Sequence[Choice], faction: str) -> Sequence[Choice]:
    """In their own movement turn the Fremen may call worms as well."""
    return [*plays, *_thumpers(g)] if faction == FREMEN else plays


@source.instead_of(Instead.MOVEMENT_PLAY)
def call_worm(g: DuneState, faction: str, act: Act) -> Frame | None:
    return Thumper(act.card, str(act.target)) if isinstance(act, PlayCard) and act.card == KARAMA else None


EXPLANATIONS = {RideWorm: explain_ride}

FRAMES = (Sandriders, BlessTheMaker, Thumper, ThumperWindow)
