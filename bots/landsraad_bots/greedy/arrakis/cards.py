"""The worth of planning cards, to play and to keep, from a summary of their texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from landsraad_bots.greedy.arrakis.desert import desert_power
from landsraad_bots.greedy.arrakis.movement import best_attack, best_moves
from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_bots.greedy.arrakis.worth import DRAWN, KEPT
from landsraad_engine.arrakis.sides import SPECIAL
from landsraad_engine.kernel.zones import HIDDEN


class Text(NamedTuple):
    """The summary of a card's text that the evaluation uses."""

    #: worth of units, leaders, vehicles and the like, independent of the position
    sure: float = 0.0
    moves: int = 0
    attacks: bool = False
    surprise: bool = False
    #: it moves or attacks, but not both
    either: bool = False
    #: only legions with a Sardaukar or Fedaykin
    special: bool = False
    drawn: int = 0
    desert: int = 0


#: An unknown card.
_DEFAULT: Final = Text(sure=1.5)

TEXTS: Final[Mapping[str, Text]] = {
    # House Harkonnen
    "hard_times_and_oppression": Text(7.5),
    "forced_recruitment": Text(6.5),
    "beloved_feyd_rautha": Text(3.5),
    "harkonnen_patrols": Text(1.5),
    "arsunt_legion": Text(4.0, moves=1),
    "barons_personal_guard": Text(4.5, moves=1),
    "hawats_scheming": Text(0.3),
    "evidence_of_rebellion": Text(3.6, drawn=2),
    "polar_cap_factories": Text(5.0),
    "carthag_the_former_capital": Text(5.8),
    "workhorse_of_arrakis": Text(2.5, drawn=2),
    "spotter_control": Text(0.5, drawn=2),
    "explosive_artillery": Text(1.5, moves=1),
    "sandmasters": Text(4.0, drawn=1),
    "mudir_nahya_the_demon_ruler": Text(3.0, attacks=True, surprise=True),
    "hunter_seeker": Text(2.5),
    "twisted_mentat": Text(1.5, drawn=1),
    "guard_captain": Text(4.0),
    "trained_in_the_bene_gesserit_ways": Text(3.0),
    # Corrino Ally
    "rage_overcame_shaddam_iv_a": Text(4.5),
    "rage_overcame_shaddam_iv_b": Text(4.5),
    "rage_overcame_shaddam_iv_c": Text(3.5),
    "manipulation_of_others": Text(2.0, drawn=2),
    "breeding_program": Text(4.0),
    "troop_carriers": Text(0.5, moves=1),
    "shigawire": Text(1.0, moves=1, special=True),
    "hope_clouds_observation": Text(1.5),
    "reports_of_traitors": Text(2.5),
    "sardaukar_pogrom": Text(moves=3, special=True),
    "sardaukars_manner": Text(moves=1, attacks=True, surprise=True, either=True, special=True),
    "spies_all_over_arrakis": Text(0.5, drawn=2),
    "full_control_of_the_air": Text(1.5, moves=1),
    "moving_the_battle_group": Text(5.0),
    "killers_without_mercy": Text(1.5, attacks=True, special=True),
    "sardaukar_disguised": Text(1.4, moves=2, special=True),
    "i_decide_what_best_serves_his_majesty": Text(1.0, moves=1, attacks=True, surprise=True, either=True),
    "seek_out_the_mahdi": Text(1.0, moves=1),
    "bene_gesserit_corrino": Text(0.5),
    # House Atreides
    "war_plan": Text(0.5, moves=1, attacks=True, either=True),
    "alia_the_abomination": Text(3.0),
    "smugglers_a": Text(5.0),
    "smugglers_b": Text(5.0),
    "smugglers_c": Text(5.0),
    "death_commandos": Text(1.6, moves=2, special=True),
    "chatt_the_leaper": Text(7.2),
    "adab_the_demanding_memory": Text(2.5),
    "alam_al_mithal_the_world_of_similitudes": Text(3.5, drawn=2),
    "usul_the_base_of_the_pillar": Text(1.5, desert=1),
    "voice_from_the_outer_world": Text(3.5, moves=1, attacks=True, surprise=True, either=True),
    "our_family_atomics": Text(1.5, desert=1),
    "battle_language": Text(0.5, moves=1, attacks=True, surprise=True, either=True),
    "bill_of_particulars": Text(3.5),
    "fear_is_the_mind_killer": Text(3.0),
    "the_voice": Text(3.0),
    "tested_with_the_gom_jabbar": Text(3.0, drawn=2),
    "truthtrance": Text(0.5, drawn=2),
    "bene_gesserit_atreides": Text(0.5),
    # Fremen Ally
    "shai_hulud": Text(4.0),
    "wall_of_sandworms": Text(1.0, desert=1),
    "dust_chasms": Text(2.0, desert=1),
    "fremen_rockets": Text(2.0),
    "eyes_of_ibad": Text(2.0),
    "captured_ornithopter": Text(2.2),
    "crysknife": Text(1.0, moves=1, special=True),
    "cielagos_piping_message": Text(3.0, drawn=1),
    "jubba_cloaks": Text(1.5, moves=1),
    "hieregs": Text(2.6, desert=1),
    "grandmother_of_a_storm": Text(2.0),
    "stillsuits": Text(0.3, moves=1),
    "i_am_stilgar_the_fremen": Text(6.5, drawn=1),
    "thumpers": Text(2.5),
    "kitab_al_ibar": Text(1.0),
    "sandtides": Text(0.8, desert=1),
}


def play_worth(outlook: Outlook, card: str) -> float:
    """Return the gain from playing a card now."""
    text = TEXTS.get(card, _DEFAULT)
    value = text.sure + DRAWN * text.drawn
    unit = SPECIAL if text.special else -1
    moves = best_moves(outlook, text.moves, unit=unit) if text.moves else 0.0
    attack = best_attack(outlook, surprise=text.surprise) if text.attacks and (not text.special or moves) else 0.0
    value += max(moves, attack) if text.either else moves + attack
    if text.desert:
        value += text.desert * desert_power(outlook)
    return value


def keep_worth(card: str) -> float:
    """Return the worth of a card in the hand: a share of its likely effect."""
    if card == HIDDEN:
        return KEPT
    text = TEXTS.get(card, _DEFAULT)
    return 0.25 * (text.sure + DRAWN * text.drawn + 2.0 * text.moves + 3.0 * text.attacks + 1.5 * text.desert)
