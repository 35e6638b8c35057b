"""The planning cards of the Fremen Ally."""

from landsraad_engine.arrakis.acts import Done, DriveLegion, MoveSietch, SwapTokens
from landsraad_engine.arrakis.cards.deck import Deck
from landsraad_engine.arrakis.cards.deeds import bring, desert_power, draw, enters, in_play, move, play_one
from landsraad_engine.arrakis.cards.lasting import LayOn, lies_on, lift
from landsraad_engine.arrakis.cards.places import (
    empty_deserts,
    enemies_beside,
    free,
    here,
    in_deserts,
    legions,
    legions_with,
)
from landsraad_engine.arrakis.cards.spreading import scatter
from landsraad_engine.arrakis.cards.strikes import (
    RemoveSomeVehicles,
    Rockets,
    SpecialAttack,
    strike_leader,
    vehicles_in,
)
from landsraad_engine.arrakis.desert_hazards import CoriolisStorms
from landsraad_engine.arrakis.desert_power import DriveWorm
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Permit, Timing
from landsraad_engine.arrakis.legions import SettleAll, relocate
from landsraad_engine.arrakis.muster import DeployTokenAndLeader
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, ORNITHOPTER, SPECIAL, WILD_MAKER, WORMS
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import CallWorm
from landsraad_engine.arrakis.zones import SIETCH, TOKENS
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf

deck = Deck("fremen_ally", ATREIDES)

# ---- Sandworms and storms ----

MAKER = WORMS[WILD_MAKER]


def drive_the_maker(g: ArrakisState, seat: int) -> Frame:
    """The Wild Maker moves and attacks."""
    return DriveWorm(seat=seat, kinds=(MAKER,))


deck.card("shai_hulud", "WFA-C.67", drive_the_maker, when=in_play(MAKER))
deck.card("shai_hulud", "WFA-C.67", enters(MAKER))


def worm_beside_worm(g: ArrakisState, seat: int) -> Frame:
    """A sandworm comes to an empty Desert next to another one."""
    return CallWorm(seat=seat, areas=g.board.names(empty_deserts(g, ATREIDES)), beside=True)


deck.card("wall_of_sandworms", "WFA-C.68", worm_beside_worm, desert_power)


@deck.card("thumpers", "WFA-C.80")
def worms_beside_legions(g: ArrakisState, seat: int) -> Frame:
    """Two sandworms come to empty Deserts next to own legions."""
    areas = empty_deserts(g, ATREIDES) & g.board.around(legions(g, ATREIDES))
    return CallWorm(seat=seat, areas=g.board.names(areas), count=2)


@deck.card("grandmother_of_a_storm", "WFA-C.77")
def storms(g: ArrakisState, seat: int) -> Frame:
    """Coriolis Storms strike as in Desert Hazards."""
    return CoriolisStorms()


# ---- Vehicles ----


def two_harvesters(g: ArrakisState, seat: int) -> Frame:
    """Two harvesters in the Deep Deserts of one sector are removed."""
    deep = g.survey().harvesters & g.board.of_terrain["deep_desert"]
    groups = tuple(tuple(sorted(g.board.names(deep & areas))) for areas in g.board.sector.values())
    return RemoveSomeVehicles(seat=seat, count=2, groups=groups)


deck.card("dust_chasms", "WFA-C.69", two_harvesters, desert_power)

#: Dice of Fremen Rockets, and of the Captured Ornithopter.
ROCKETS = 3
CAPTURED = 3


@deck.card("fremen_rockets", "WFA-C.70")
def fremen_rockets(g: ArrakisState, seat: int) -> Frame | None:
    """Dice against the vehicles of a sector that holds an own legion."""
    own = legions(g, ATREIDES)
    sectors = tuple(name for name, areas in g.board.sector.items() if areas & own and vehicles_in(g, name))
    return Rockets(seat=seat, dice=ROCKETS, sectors=sectors) if sectors else None


@deck.card("captured_ornithopter", "WFA-C.72")
def captured_ornithopter(g: ArrakisState, seat: int) -> Frame:
    """An ornithopter is removed for dice against a legion in a connected sector."""
    zones = g.zones_with(ORNITHOPTER)
    ways = tuple((zone, g.board.names(g.board.zone[zone])) for zone in zones)
    return SpecialAttack(seat=seat, dice=CAPTURED, ways=ways)


# ---- Legions ----

deck.card(
    "crysknife",
    "WFA-C.73",
    move(unit=SPECIAL, noted=True),
    strike_leader(enemies_beside(here(legions_with(SPECIAL)))),
)

deck.card("jubba_cloaks", "WFA-C.75", move(where=in_deserts, led=True), play_one)

deck.card("hieregs", "WFA-C.76", scatter(2), desert_power)

deck.card(
    "i_am_stilgar_the_fremen",
    "WFA-C.79",
    bring(free("plateau"), regular=1, elite=2, named=("stilgar",)),
    draw(1),
)


def drive_away(g: ArrakisState, seat: int) -> Frame:
    """An enemy legion in a Desert moves to an empty area next to it."""
    return Sandtides(seat=seat)


class Sandtides(Frame):
    """A Harkonnen legion in a Desert is moved to an empty area next to it."""

    seat: int

    @step("WFA-C.82", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        survey = g.survey()
        legions = g.board.names(survey.harkonnen & g.board.desert)
        ways = {area: g.board.names(g.board.adjacent[area] & ~survey.taken()) for area in legions}
        choices = [
            Choice(DriveLegion, source=OneOf((area,)), target=OneOf(there)) for area, there in ways.items() if there
        ]
        if not choices:
            return END
        return elective((f.seat,), *choices, why="WFA-C.82")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: DriveLegion | Done) -> Flow:
        if isinstance(act, DriveLegion):
            relocate(g, HARKONNEN, act.source, act.target)
        return None


deck.card("sandtides", "WFA-C.82", drive_away, desert_power)

# ---- Sietches and their tokens ----

#: How near a Harkonnen legion has to be for Cielago's Piping Message.
IN_EARSHOT = 2


def token_for_the_threatened(g: ArrakisState, seat: int) -> Frame | None:
    """A deployment token goes to a Sietch that has a Harkonnen legion near."""
    survey = g.survey()
    sietches = g.board.names(survey.sietches)
    areas = tuple(area for area in sietches if g.board.within(area, IN_EARSHOT) & survey.harkonnen)
    return DeployTokenAndLeader(seat=seat, leaders=0, areas=areas) if areas else None


deck.card("cielagos_piping_message", "WFA-C.74", token_for_the_threatened, draw(1))


@deck.card("stillsuits", "WFA-C.78", move(where=in_deserts))
def swap_tokens(g: ArrakisState, seat: int) -> Frame:
    """All deployment tokens of two Sietches change places."""
    return Stillsuits(seat=seat)


class Stillsuits(Frame):
    """The deployment tokens of two Sietches change places; one of the two may have none."""

    seat: int

    @step("WFA-C.78", "WFA-A.12", "WFA-S.27", "WFA-S.28")
    def choose(f, g: ArrakisState) -> Flow:
        sietches = g.board.names(g.survey().sietches)
        choices = [
            Choice(SwapTokens, one=OneOf((one,)), other=OneOf(others))
            for n, one in enumerate(sietches)
            if (others := tuple(other for other in sietches[n + 1 :] if g.tokens(one) or g.tokens(other)))
        ]
        if not choices:
            return END
        return elective((f.seat,), *choices, why="WFA-C.78")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: SwapTokens | Done) -> Flow:
        if isinstance(act, Done):
            return END
        ways = ((act.one, act.other, g.tokens(act.one)), (act.other, act.one, g.tokens(act.other)))
        for source, target, tokens in ways:
            for token in tokens:
                g.move(TOKENS[source], TOKENS[target], token)
        return SettleAll(side=ATREIDES, areas=(act.one, act.other))


@deck.card("kitab_al_ibar", "WFA-C.81")
def move_sietch(g: ArrakisState, seat: int) -> Frame:
    """A Sietch moves, with all that is in its area, to an empty Desert next to it."""
    return KitabAlIbar(seat=seat)


class KitabAlIbar(Frame):
    """A Sietch moves with the legion in its area; whoever knows its rank still does."""

    seat: int

    @step("WFA-C.81", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        deserts = empty_deserts(g, ATREIDES)
        sietches = g.board.names(g.survey().sietches)
        ways = {area: g.board.names(g.board.adjacent[area] & deserts) for area in sietches}
        choices = [
            Choice(MoveSietch, source=OneOf((area,)), target=OneOf(there)) for area, there in ways.items() if there
        ]
        if not choices:
            return END
        return elective((f.seat,), *choices, why="WFA-C.81")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: MoveSietch | Done) -> Flow:
        if isinstance(act, MoveSietch):
            g.move(SIETCH[act.source], SIETCH[act.target], g.table[SIETCH[act.source]][0])
            relocate(g, ATREIDES, act.source, act.target)
        return None


# ---- Eyes of Ibad ----

EYES = "eyes_of_ibad"


@deck.card(EYES, "WFA-C.71")
def lay_eyes(g: ArrakisState, seat: int) -> Frame:
    """It is laid on a revealed prescience card, which then stays until it is claimed."""
    return LayOn(seat=seat, card=EYES)


@deck.permits(Permit.UNCLAIMED_STAYS)
@rule("WFA-C.71")
def seen_for_good(g: ArrakisState, card: str) -> bool:
    return lies_on(g, EYES, card)


@deck.at(Timing.PRESCIENCE_CLAIMED)
@rule("WFA-C.71")
def seen_to_the_end(g: ArrakisState, seat: int, card: str) -> None:
    lift(g, EYES, card)


FRAMES = (Sandtides, Stillsuits, KitabAlIbar)
