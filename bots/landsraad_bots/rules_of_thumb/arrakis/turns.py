"""Rules of thumb for the order of actions in a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.arrakis import features
from landsraad_bots.rules_of_thumb.arrakis.movement import attack_urgency
from landsraad_bots.rules_of_thumb.priorities import Urgency
from landsraad_engine.arrakis import acts
from landsraad_engine.arrakis.basic_actions import ACTIONS
from landsraad_engine.arrakis.movement import by_air, on_the_ground
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, ORNITHOPTER
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.arrakis.zones import WORMS_HELD
from landsraad_engine.kernel.zones import HIDDEN

#: Cards that bring troops or prescience are played, the best first.
CARDS: Final = {
    "hard_times_and_oppression": 9, "forced_recruitment": 8, "carthag_the_former_capital": 7,
    "moving_the_battle_group": 6, "rage_overcame_shaddam_iv_a": 6, "rage_overcame_shaddam_iv_b": 6,
    "barons_personal_guard": 5, "polar_cap_factories": 5, "arsunt_legion": 5, "sandmasters": 5,
    "evidence_of_rebellion": 5, "breeding_program": 5, "workhorse_of_arrakis": 4, "manipulation_of_others": 4,
    "sardaukar_pogrom": 4, "hunter_seeker": 3, "reports_of_traitors": 3, "beloved_feyd_rautha": 3,
    "guard_captain": 6, "trained_in_the_bene_gesserit_ways": 5, "twisted_mentat": 4,
    "chatt_the_leaper": 9, "i_am_stilgar_the_fremen": 8, "smugglers_a": 7, "smugglers_b": 7, "smugglers_c": 7,
    "voice_from_the_outer_world": 6, "alia_the_abomination": 5, "tested_with_the_gom_jabbar": 6,
    "cielagos_piping_message": 5, "alam_al_mithal_the_world_of_similitudes": 5, "bill_of_particulars": 5,
    "fear_is_the_mind_killer": 5, "thumpers": 4, "shai_hulud": 5, "the_voice": 4, "truthtrance": 4,
    "usul_the_base_of_the_pillar": 4, "hieregs": 4, "adab_the_demanding_memory": 3, "dust_chasms": 3,
}  # fmt: skip

#: All others are for drawing dice in battles.
FOR_DICE: Final = frozenset((
    HIDDEN, "harkonnen_patrols", "hawats_scheming", "spotter_control", "explosive_artillery",
    "mudir_nahya_the_demon_ruler", "rage_overcame_shaddam_iv_c", "troop_carriers", "shigawire",
    "hope_clouds_observation", "sardaukars_manner", "spies_all_over_arrakis", "full_control_of_the_air",
    "killers_without_mercy", "sardaukar_disguised", "i_decide_what_best_serves_his_majesty", "seek_out_the_mahdi",
    "war_plan", "death_commandos", "our_family_atomics", "battle_language", "wall_of_sandworms", "fremen_rockets",
    "eyes_of_ibad", "captured_ornithopter", "crysknife", "jubba_cloaks", "grandmother_of_a_storm", "stillsuits",
    "kitab_al_ibar", "sandtides",
    "bene_gesserit_corrino", "bene_gesserit_atreides",
))  # fmt: skip
#: A card that neither names, an operator's or a new one, is played like the weaker of those that are played.
UNKNOWN_CARD: Final = 4

#: The urgency of the basic actions by faction, attacks excluded.
_ORDER: Final = {
    HARKONNEN: {"deploy": 6.0, "move": 5.5, "lead": 5.4, "mentat": 4.0, "upgrade": 4.5, "vehicles": 4.2},
    ATREIDES: {"deploy_token": 6.0, "move": 6.2, "lead": 6.1, "mentat": 4.0},
}
#: Leaders (and the Wild Maker) whose special action concerns their own legion only.
_OWN_LEGION: Final = (
    "beast_rabban", "feyd_rautha", "paul_atreides", "paul_muad_dib", "wild_maker", "duncan_idaho", "jamis",
    "iakin_nefud",
)  # fmt: skip
#: A die that counts as any result is spent last.
_WILD: Final = 0.3


def card_rank(card: str) -> int:
    """Return how good a card is to play: 0 for those that are kept for dice."""
    return CARDS.get(card, 0 if card in FOR_DICE else UNKNOWN_CARD)


def take_action(view: ArrakisSeatView, act: acts.TakeAction) -> Urgency:
    """Attack first if an attack is promising."""
    wild = _WILD if act.die == "house" and side_of(view) == ATREIDES else 0.0
    if act.action in ("attack", "surprise"):
        best = best_attack_urgency(view, led=act.action == "surprise")
        return None if best is None else (8.0 + best[0] / 10 - wild, float(act.action == "surprise"))
    return (_ORDER[side_of(view)].get(act.action, 1.0) - wild,)


def hand_over(view: ArrakisSeatView, act: acts.HandOver) -> Urgency:
    """Rank a die that the partner uses like an action of its result."""
    names = [name for name, action in ACTIONS.items() if action.result == act.result and ATREIDES in action.sides]
    ranked = (take_action(view, acts.TakeAction(act.die, name)) for name in names)
    return max((urgency for urgency in ranked if urgency is not None), default=(0.0,))


def best_attack_urgency(view: ArrakisSeatView, *, led: bool) -> Urgency:
    """Return the urgency of the best attack of any legion (cached)."""
    key = (best_attack_urgency, led)
    if key not in view.memo:
        view.memo[key] = max((p for p in _attack_urgencies(view, led=led) if p is not None), default=None)
    found: Urgency = view.memo[key]
    return found


def _attack_urgencies(view: ArrakisSeatView, *, led: bool) -> Iterator[Urgency]:
    survey = features.survey(view)
    foes = (survey.legions(features.enemy(view)) | survey.settlements(features.enemy(view))) & ~survey.worms
    for source in features.legions(view, side_of(view)):
        if led and not view.legion(side_of(view), source).leaders:
            continue
        reach = on_the_ground(view, side_of(view), survey, source)
        if side_of(view) == HARKONNEN and any(view.vehicle(z)[ORNITHOPTER] for z in view.board.zones_of[source]):
            reach |= by_air(view, source)
        for target in view.board.names(reach & foes):
            yield attack_urgency(view, source, target)


def use_special(view: ArrakisSeatView, act: acts.UseSpecial) -> Urgency:
    """Prefer special actions to basic ones, except those for the leader's own legion."""
    if act.leader in _OWN_LEGION:
        return (4.5,)
    return (6.5 - (_WILD if act.die == "house" and side_of(view) == ATREIDES else 0.0),)


def play_card(view: ArrakisSeatView, act: acts.PlayCard) -> Urgency:
    """Play good cards, with a die that moves do not need."""
    good = card_rank(act.card)
    if not good:
        return (0.5,)
    spare = {"mentat": 0.3, "house": 0.2 if side_of(view) == HARKONNEN else -0.3}.get(act.die, 0.0)
    return (4.4 + 0.2 * good + spare,)


def prey_of_old_man(view: ArrakisSeatView, sector: str) -> int:
    """Return the number of areas in a sector that the Old Man may attack."""
    survey, board = features.survey(view), view.board
    areas = board.sector[sector] & (survey.harkonnen | survey.harvesters) & ~board.of_terrain["mountain"]
    return areas.bit_count()


def take_desert_power(view: ArrakisSeatView, act: acts.TakeDesertPower) -> Urgency:
    """Use Desert Power at once if a worm, or the Old Man, has prey, else late."""
    if view.old_man:
        return (7.0,) if prey_of_old_man(view, view.old_man) and any(view.table.get(WORMS_HELD, ())) else (1.0,)
    prey = features.survey(view).harkonnen | features.survey(view).harvesters
    worms = view.board.names(features.survey(view).worms)
    return (7.0,) if any(view.board.worm_targets(worm) & prey for worm in worms) else (3.0,)
