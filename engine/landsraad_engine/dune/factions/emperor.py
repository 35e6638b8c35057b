"""The Emperor: the abilities that the main rules do not know."""

from landsraad_engine.dune.acts import PlayCombatMedics
from landsraad_engine.dune.battle.battle_karamas import Effects, elites_at_stake
from landsraad_engine.dune.battle.fight import Fight
from landsraad_engine.dune.battle.prescience import word_breakers
from landsraad_engine.dune.hooks import Permit, Query, Timing
from landsraad_engine.dune.karama import Ability, CancelWindow, UseKarama, spare_karamas, stands
from landsraad_engine.dune.pieces import EMPEROR, FREMEN, KARAMA
from landsraad_engine.dune.revival import bring_back, from_the_tanks
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.plays import Play

source = Source(EMPEROR, EMPEROR)


# --- Great Wealth


@source.permits(Permit.GIFT)
@rule("DUNE-EMP.1", "DUNE-EMP.2", "DUNE-A.3", "DUNE-R.22")
def great_wealth(g: DuneState, faction: str) -> bool:
    """Spice for an ally goes behind the ally's screen at once; a bid counts only what is there already."""
    return faction == EMPEROR


# --- Bidding Round


@source.at(Timing.CARD_PAYMENT)
@rule("DUNE-R.3")
def throne_is_paid(g: DuneState, buyer: str) -> Frame | None:
    return CancelWindow(Ability.GOLDEN_LION_THRONE.name, EMPEROR) if buyer != EMPEROR else None


@source.modifies(Query.AUCTION_PAYEE)
@rule("DUNE-EMP.3", "DUNE-EMP.4", "DUNE-EMP.5", "DUNE-EMP.6")
def golden_lion_throne(g: DuneState, payee: str, buyer: str) -> str:
    """The price of a card goes to the Emperor, in full, unless he pays it himself."""
    return EMPEROR if buyer != EMPEROR and stands(g, Ability.GOLDEN_LION_THRONE) else payee


# --- Revival Round


@source.modifies(Query.ELITE_REVIVALS)
@rule("DUNE-EMP.7")
def prison_planet(g: DuneState, limit: tuple[int, str], faction: str) -> tuple[int, str]:
    return (1, "DUNE-EMP.7") if faction == EMPEROR else limit


# --- Battle Round


@source.modifies(Query.TOKEN_STRENGTH)
@rule("DUNE-EMP.8", "DUNE-EMP.9", "DUNE-EMP.10", "DUNE-K.26")
def elite_legion(g: DuneState, strength: int, faction: str, opponent: str) -> int:
    return 2 if faction == EMPEROR and opponent != FREMEN and stands(g, Ability.SARDAUKAR) else strength


@source.modifies(Query.BATTLE_KARAMAS)
@rule("DUNE-K.26")
def humbled_legion(g: DuneState, effects: Effects, player: str, fight: Fight) -> Effects:
    if FREMEN in fight.sides:
        return effects
    return (*effects, *elites_at_stake(g, player, fight, EMPEROR, Ability.SARDAUKAR))


# --- Karama at any time


class CombatMedics(Frame):
    """For a Karama, up to three tokens or one leader return to the reserves."""

    tokens: int
    elites: int
    leader: str | None

    @step("DUNE-K.9")
    def play(f, g: DuneState) -> Flow:
        return UseKarama(EMPEROR, KARAMA, "combat_medics")

    @step("DUNE-K.9", "DUNE-K.10")
    def revive(f, g: DuneState) -> Flow:
        bring_back(g, EMPEROR, f.tokens, f.elites, f.leader)
        return None


MEDICS_TOKENS = 3


@rule("DUNE-K.9", "DUNE-T.23")
def medics_choices(g: DuneState, faction: str) -> list[Choice]:
    if faction != EMPEROR or KARAMA not in spare_karamas(g, EMPEROR):
        return []
    return from_the_tanks(g, EMPEROR, PlayCombatMedics, MEDICS_TOKENS, "DUNE-K.9", word_breakers(g, EMPEROR))


def medics(faction: str, act: PlayCombatMedics) -> CombatMedics:
    return CombatMedics(act.tokens, act.elites, act.leader)


PLAYS = (Play(PlayCombatMedics, medics_choices, medics, "combat_medics"),)

FRAMES: tuple[type[Frame], ...] = (CombatMedics,)
