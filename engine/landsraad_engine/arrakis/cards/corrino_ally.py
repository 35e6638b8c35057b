"""The planning cards of the Corrino Ally."""

from landsraad_engine.arrakis.acts import ChooseTarget, Done, Spy, target_choice
from landsraad_engine.arrakis.battle.rounds import InBattle
from landsraad_engine.arrakis.cards.deck import Deck
from landsraad_engine.arrakis.cards.deeds import (
    attack,
    bring,
    draw,
    elites_become_special,
    enters,
    in_play,
    move,
    move_or_attack,
    place_vehicles,
    play_one,
)
from landsraad_engine.arrakis.cards.lasting import ChooseDie, discardable_row, effects, lay_effect, lift, lift_effects
from landsraad_engine.arrakis.cards.places import (
    enemies_beside,
    free,
    here,
    in_settlements,
    legions,
    legions_with,
    settlements,
)
from landsraad_engine.arrakis.cards.strikes import strike_leader
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hands import give_up_cards
from landsraad_engine.arrakis.hooks import Permit, Query, Timing
from landsraad_engine.arrakis.legions import TurnUpTokens
from landsraad_engine.arrakis.reinforcements import ANY
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, SPECIAL
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, excludes

deck = Deck("corrino_ally", HARKONNEN)

SHADDAM = "emperor_shaddam_iv"
with_sardaukar = legions_with(SPECIAL)

# ---- Shaddam ----

for _version, _rule, _deeds in (
    ("a", "WFA-C.27", (bring(settlements, regular=4, named=(SHADDAM,)),)),
    ("b", "WFA-C.28", (bring(join=ANY, special=2, named=(SHADDAM,)),)),
    (
        "c",
        "WFA-C.29",
        (
            bring(join="special", named=(SHADDAM,), noted=True),
            move(where=here(with_sardaukar), unit=SPECIAL, noted=True),
            attack(here(with_sardaukar), surprise=True),
        ),
    ),
):
    deck.card(f"rage_overcame_shaddam_iv_{_version}", _rule, *_deeds, when=in_play(SHADDAM))
    deck.card(f"rage_overcame_shaddam_iv_{_version}", _rule, enters(SHADDAM), play_one)

# ---- Hands, tokens, dice ----


def opponent_discards_two(g: ArrakisState, seat: int) -> Frame:
    """The opponent discards two cards of own choice."""
    return give_up_cards(g.seats_of(ATREIDES), 2)


deck.card("manipulation_of_others", "WFA-C.31", opponent_discards_two, draw(2))


@rule("WFA-D.14")
def take_token(g: ArrakisState, seat: int) -> None:
    """A Bene Gesserit token from the reserve, if one is left."""
    g.grant_tokens(g.side(seat), 1, "WFA-C.32")


deck.card("breeding_program", "WFA-C.32", take_token, play_one)


@deck.card("reports_of_traitors", "WFA-C.37")
def reports_of_traitors(g: ArrakisState, seat: int) -> Frame:
    """An unused Atreides die that shows House is discarded."""
    return ChooseDie(seat=seat, result="house")


# ---- What can be seen ----


@deck.card("hope_clouds_observation", "WFA-C.36")
def hope_clouds_observation(g: ArrakisState, seat: int) -> Frame:
    """A revealed prescience card goes back into its deck."""
    return ShuffleBack(seat=seat)


class ShuffleBack(Frame):
    """A revealed prescience card is shuffled back into its deck; what was laid on it comes off."""

    seat: int

    @step("WFA-C.36", "WFA-C.87", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        cards = tuple(sorted(discardable_row(g)))
        if not cards:
            return END
        choice = target_choice("choose_revealed", cards)
        return elective((f.seat,), choice, why="WFA-C.36")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, ChooseTarget):
            shuffle_back(g, act.target)
        return None


@rule("WFA-C.36", "WFA-C.87")
def shuffle_back(g: ArrakisState, card: str) -> None:
    """Shuffle a revealed prescience card back into its deck; what was laid on it comes off."""
    lift(g, "fear_is_the_mind_killer", card)
    g.move("prescience_row", "prescience_deck", card)
    g.shuffle("prescience_deck")


def spies(g: ArrakisState, seat: int) -> Frame:
    """Any Sietch is revealed, and all deployment tokens of one area."""
    return Spies(seat=seat)


class Spies(Frame):
    """A Sietch and the tokens of one area are turned up, wherever they are."""

    seat: int

    @step("WFA-C.40", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        survey = g.survey()
        sietches = tuple(area for area in g.board.names(survey.sietches) if g.hidden_sietch(area))
        manned = tuple(area for area in g.board.names(survey.atreides) if g.tokens(area))
        if not sietches and not manned:
            return END
        choice = Choice(
            Spy,
            excludes("sietch", ("",), "tokens", ("",), why="WFA-C.40"),
            sietch=OneOf(("", *sietches)),
            tokens=OneOf(("", *manned)),
        )
        return elective((f.seat,), choice, why="WFA-C.40")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: Spy | Done) -> Flow:
        if isinstance(act, Done):
            return END
        if act.sietch:
            g.turn_up_sietch(act.sietch)
        return TurnUpTokens(area=act.tokens) if act.tokens else END


deck.card("spies_all_over_arrakis", "WFA-C.40", spies, draw(2))

# ---- Legions on the march ----

deck.card("troop_carriers", "WFA-C.34", move(where=in_settlements, to=legions, straight=True))

deck.card(
    "shigawire",
    "WFA-C.35",
    move(unit=SPECIAL, noted=True),
    strike_leader(enemies_beside(here(with_sardaukar))),
)

deck.card("sardaukar_pogrom", "WFA-C.38", move(3, unit=SPECIAL))

deck.card("sardaukars_manner", "WFA-C.39", move_or_attack(unit=SPECIAL, surprise=True))

deck.card("full_control_of_the_air", "WFA-C.41", place_vehicles("ornithopter", "ornithopter"), move())

deck.card("moving_the_battle_group", "WFA-C.42", bring(free("mountain"), elite=2, leaders=1, generic=True))

deck.card("sardaukar_disguised", "WFA-C.44", elites_become_special, move(2, unit=SPECIAL))

deck.card(
    "i_decide_what_best_serves_his_majesty",
    "WFA-C.45",
    bring(join="special", named=("captain_aramsham",), noted=True),
    move_or_attack(here(with_sardaukar), unit=SPECIAL, surprise=True),
)

# ---- Killers Without Mercy ----

MERCILESS = "killers_without_mercy"

deck.card(MERCILESS, "WFA-C.43", attack(unit=SPECIAL, effects=(MERCILESS,)))


@deck.modifies(Query.PRICE_TO_CONTINUE)
@rule("WFA-C.43")
def continue_for_nothing(g: ArrakisState, hits: int, f: InBattle) -> int:
    return 0 if MERCILESS in f.effects else hits


# ---- Seek Out the 'Mahdi' ----

HUNTED = "seek_out_the_mahdi"


@deck.card(HUNTED, "WFA-C.46", move())
def hunt_paul(g: ArrakisState, seat: int) -> None:
    """In the next Atreides turn Paul stays off the board, or where he is."""
    lay_effect(g, HUNTED)


@deck.forbids(Permit.BRING)
@rule("WFA-C.46", "WFA-L.25")
def paul_stays_off(g: ArrakisState, leader: str) -> bool:
    return bool(effects(g, HUNTED)) and leader == g.bearer("paul")


@deck.forbids(Permit.MOVE)
@deck.forbids(Permit.ATTACK)
@rule("WFA-C.46", "WFA-L.25")
def pauls_legion_stays(g: ArrakisState, side: str, area: AreaId) -> bool:
    return side == ATREIDES and bool(effects(g, HUNTED)) and g.bearer("paul") in g.named_at(side, area)


@deck.at(Timing.TURN_ENDS)
@rule("WFA-C.46")
def hunt_is_over(g: ArrakisState, side: str) -> None:
    if side == ATREIDES:
        lift_effects(g, HUNTED)


FRAMES = (ShuffleBack, Spies)
