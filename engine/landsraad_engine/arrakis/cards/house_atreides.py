"""The planning cards of House Atreides."""

from landsraad_engine.arrakis.acts import ChooseTarget, Detonate, Done, RemovePrescience, ShiftMarkers, target_choice
from landsraad_engine.arrakis.atomics import Detonation, tokens
from landsraad_engine.arrakis.bans import shift_marker, steps
from landsraad_engine.arrakis.battle.rounds import InBattle
from landsraad_engine.arrakis.cards.deck import Deck
from landsraad_engine.arrakis.cards.deeds import (
    DrawOrPlay,
    bring,
    desert_power,
    draw,
    elites_become_special,
    enters,
    in_play,
    move,
    move_or_attack,
    play_one,
)
from landsraad_engine.arrakis.cards.lasting import (
    ChooseDie,
    LayOn,
    discardable_row,
    effects,
    lies_on,
    lift,
    lift_effects,
)
from landsraad_engine.arrakis.cards.places import empty_deserts, here, legion_of, legions, settlements
from landsraad_engine.arrakis.cards.strikes import RemoveSomeVehicles, strike_leader, vehicles_in
from landsraad_engine.arrakis.desert_power import PlaceWormsigns
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hands import give_up_cards
from landsraad_engine.arrakis.hooks import Query, Timing
from landsraad_engine.arrakis.leaders.entering import EnterPlay
from landsraad_engine.arrakis.objectives import draw_second_objective
from landsraad_engine.arrakis.reinforcements import ANY
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, SPECIAL
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.tracks import AdvanceAnyMarker, AdvanceMarker
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import IMPERIUM, MARKER
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Range, Subset

deck = Deck("house_atreides", ATREIDES)

# ---- Legions ----

WAR_PLAN = "war_plan"

deck.card(WAR_PLAN, "WFA-C.47", move_or_attack(effects=(WAR_PLAN,)))


@deck.modifies(Query.COMBAT_DICE)
@rule("WFA-C.47")
def one_more_die(g: ArrakisState, dice: int, side: str, f: InBattle) -> int:
    return dice + 1 if WAR_PLAN in f.effects and side == f.sides(g)[0] else dice


BATTLE_LANGUAGE = "battle_language"
#: Dice that the opponent rolls at most in the first round against Battle Language.
CONFUSED = 4

deck.card(BATTLE_LANGUAGE, "WFA-C.63", move_or_attack(led=True, surprise=True, effects=(BATTLE_LANGUAGE,)))


@deck.modifies(Query.DICE_LIMIT)
@rule("WFA-C.63")
def confused(g: ArrakisState, most: int, side: str, f: InBattle) -> int:
    surprised = BATTLE_LANGUAGE in f.effects and f.number == 1 and side == f.sides(g)[1]
    return min(most, CONFUSED) if surprised else most


deck.card("death_commandos", "WFA-C.54", elites_become_special, move(2, unit=SPECIAL))

deck.card("chatt_the_leaper", "WFA-C.56", bring(settlements, special=2, leaders=1, generic=True))

deck.card(
    "voice_from_the_outer_world",
    "WFA-C.61",
    bring(join=ANY, special=1, named=("paul",), noted=True),
    move_or_attack(here(legions), surprise=True),
)

# ---- Alia, Gurney ----

deck.card(
    "alia_the_abomination",
    "WFA-C.48",
    strike_leader(lambda g, _: legions(g, HARKONNEN)),
    draw(2),
    when=in_play("alia"),
)
deck.card("alia_the_abomination", "WFA-C.48", enters("alia"), play_one, when=in_play("reverend_mother_jessica"))

GURNEY = "gurney_halleck"


def gurney_enters(g: ArrakisState, seat: int) -> Frame | None:
    """Gurney enters play where his men have been placed."""
    area = g.table.get("here")
    return EnterPlay(leader=GURNEY, area=area) if area else None


def two_wormsigns(g: ArrakisState, seat: int) -> Frame:
    return PlaceWormsigns(seat=seat, count=2)


def two_vehicles_of_his_sector(g: ArrakisState, seat: int) -> Frame | None:
    """Two Harkonnen vehicles leave Gurney's sector."""
    area = g.standing_at(GURNEY)
    if not area:
        return None
    sectors = g.board.sectors_of[area]
    return RemoveSomeVehicles(seat=seat, count=2, groups=tuple(vehicles_in(g, sector) for sector in sectors))


for _version, _rule, _deeds in (
    ("a", "WFA-C.49", (two_wormsigns, move(where=legion_of(GURNEY)))),
    ("b", "WFA-C.50", (bring(join=GURNEY, elite=2),)),
    ("c", "WFA-C.51", (two_vehicles_of_his_sector,)),
):
    deck.card(f"smugglers_{_version}", _rule, *_deeds, when=in_play(GURNEY))
    deck.card(f"smugglers_{_version}", _rule, bring(empty_deserts, elite=2, noted=True, empty=True), gurney_enters)

# ---- Hands and dice ----


def opponent_discards(g: ArrakisState, seat: int) -> Frame:
    """The opponent discards a card of own choice."""
    return give_up_cards(g.seats_of(HARKONNEN), 1)


deck.card("the_voice", "WFA-C.52", opponent_discards, play_one)

TRUTHTRANCE = "truthtrance"


def name_a_die(g: ArrakisState, seat: int) -> Frame:
    """An unused Harkonnen die is named, which must be used in the next Harkonnen turn."""
    return ChooseDie(seat=seat, effect=TRUTHTRANCE)


@deck.card(TRUTHTRANCE, "WFA-C.57", name_a_die)
def draw_or_play(g: ArrakisState, seat: int) -> Frame:
    return DrawOrPlay(seat=seat)


@deck.modifies(Query.DICE_OPEN)
@rule("WFA-C.57", "WFA-G.69")
def only_the_named_die(g: ArrakisState, dice: tuple[str, ...], seat: int) -> tuple[str, ...]:
    """Dice that show the same are as good as the one named."""
    if g.side(seat) != HARKONNEN:
        return dice
    for dashboard, die in effects(g, TRUTHTRANCE):
        if die in g.dice(dashboard):
            return (die,) if dashboard == g.dashboard(seat) else ()
    return dice


@deck.at(Timing.TURN_ENDS)
@rule("WFA-C.57", "WFA-G.70")
def truth_is_told(g: ArrakisState, side: str) -> None:
    if side == HARKONNEN:
        lift_effects(g, TRUTHTRANCE)


# ---- Prescience ----


def change_the_row(g: ArrakisState, seat: int) -> Frame:
    """Any revealed prescience cards leave the game, and as many others are revealed."""
    return ReplaceRow(seat=seat)


class ReplaceRow(Frame):
    """Revealed prescience cards leave the game; as many are turned up from the deck."""

    seat: int

    @step("WFA-C.58", "WFA-C.87", "WFA-Q.14", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        cards = tuple(sorted(discardable_row(g)))
        if not cards:
            return END
        choice = Choice(RemovePrescience, cards=Subset(cards, 0, len(cards)))
        return Ask.any_of((f.seat,), choice, why="WFA-C.58", default=RemovePrescience(()))

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: RemovePrescience) -> Flow:
        for card in act.cards:
            lift(g, FEAR, card)
            g.move("prescience_row", "prescience_out", card)
        for _ in range(min(len(act.cards), len(g.table.get("prescience_deck", ())))):
            g.draw("prescience_deck", "prescience_row")
        return None


deck.card("adab_the_demanding_memory", "WFA-C.58", change_the_row, play_one)


def second_objective(g: ArrakisState, seat: int) -> None:
    """A second secret objective, of which either wins."""
    draw_second_objective(g)


deck.card("tested_with_the_gom_jabbar", "WFA-C.55", second_objective, draw(2))

FEAR = "fear_is_the_mind_killer"
#: Steps that any marker gains if the card under Fear Is the Mind-Killer is claimed.
COURAGE = 2


@deck.card(FEAR, "WFA-C.66")
def lay_fear(g: ArrakisState, seat: int) -> Frame:
    """It is laid on a revealed prescience card."""
    return LayOn(seat=seat, card=FEAR)


@deck.at(Timing.PRESCIENCE_CLAIMED)
@rule("WFA-C.66")
def fear_is_overcome(g: ArrakisState, seat: int, card: str) -> Frame | None:
    if not lies_on(g, FEAR, card):
        return None
    lift(g, FEAR, card)
    return AdvanceAnyMarker(steps=COURAGE)


@deck.at(Timing.PRESCIENCE_SWEPT)
@rule("WFA-C.66")
def fear_passes(g: ArrakisState) -> None:
    for card in g.table.get("prescience_row", ()):
        lift(g, FEAR, card)


# ---- Markers ----


def shift_markers(g: ArrakisState, seat: int) -> Frame:
    """A prescience marker goes down, another as far up."""
    return Similitudes(seat=seat)


class Similitudes(Frame):
    """One prescience marker goes down by any number of steps, another up by as many."""

    seat: int

    @step("WFA-C.59", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        top = g.content.prescience_track.length
        choices = [
            Choice(ShiftMarkers, lower=OneOf((lower,)), higher=OneOf((higher,)), steps=Range(1, most))
            for lower in MARKERS
            for higher in MARKERS
            if lower != higher and (most := min(g.marker(lower), top - g.marker(higher)))
        ]
        if not choices:
            return END
        return elective((f.seat,), *choices, why="WFA-C.59")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ShiftMarkers | Done) -> Flow:
        if isinstance(act, Done):
            return END
        g.set_mark(MARKER[act.lower], g.marker(act.lower) - act.steps)
        return AdvanceMarker(marker=act.higher, steps=act.steps)


deck.card("alam_al_mithal_the_world_of_similitudes", "WFA-C.59", shift_markers, draw(2))


def lower_imperium(g: ArrakisState, seat: int) -> Frame:
    """An Imperium marker falls a step. Its Ban does not follow: that is the spice harvest's doing alone."""
    return Particulars(seat=seat)


class Particulars(Frame):
    """An Imperium marker that is not at the bottom falls a step."""

    seat: int

    @step("WFA-C.64", "WFA-C.65", "WFA-P.3", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        bottom, _ = steps(g.content)
        powers = tuple(power for power, key in IMPERIUM.items() if g.table[key] > bottom)
        if not powers:
            return END
        choice = target_choice("lower_imperium", powers)
        return elective((f.seat,), choice, why="WFA-C.64")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, ChooseTarget):
            shift_marker(g, act.target, -1)
        return None


deck.card("bill_of_particulars", "WFA-C.64", lower_imperium, play_one)

# ---- The desert ----

deck.card("usul_the_base_of_the_pillar", "WFA-C.60", desert_power, play_one)

#: The step from which Our Family Atomics sets them off.
THREAT = 4


def have_detonated(g: ArrakisState, seat: int) -> bool:
    return "atomics" in g.table


def threat_is_credible(g: ArrakisState, seat: int) -> bool:
    return any(g.marker(marker) >= THREAT for marker in MARKERS)


def detonate(g: ArrakisState, seat: int) -> Frame:
    """The Family Atomics are set off."""
    return SetOff(seat=seat)


class SetOff(Frame):
    """The Family Atomics may be set off now."""

    seat: int

    @step("WFA-C.62", "WFA-H.41", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        return elective((f.seat,), tokens(g), why="WFA-C.62")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: Detonate | Done) -> Flow:
        return Detonation(seats=(f.seat,), area=act.area) if isinstance(act, Detonate) else END


deck.card("our_family_atomics", "WFA-C.62", desert_power, desert_power, when=have_detonated)
deck.card("our_family_atomics", "WFA-C.62", detonate, play_one, when=threat_is_credible)

FRAMES = (ReplaceRow, Similitudes, Particulars, SetOff)
