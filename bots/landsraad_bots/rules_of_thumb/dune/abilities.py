"""The abilities of the factions, and cards that are played outside battle plans."""

from __future__ import annotations

from typing import Any, Final

from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.dune import contest
from landsraad_bots.rules_of_thumb.dune.battles import STRONGHOLD, BattleOutlook, ordered, present_battle
from landsraad_bots.rules_of_thumb.priorities import Urgency
from landsraad_engine.dune import acts
from landsraad_engine.dune.board import cells_of, sector_after, sector_of, storm_protected, terrain, territory_of
from landsraad_engine.dune.pieces import CHEAP_HERO, HAJR, KARAMA, STRENGTH, WEATHER_CONTROL
from landsraad_engine.dune.words import JUST_CAPTURED, DuneSeatView
from landsraad_engine.kernel.zones import HIDDEN

#: The prize from which a battle is worth a Karama.
_WORTH_A_KARAMA: Final = 2 * STRONGHOLD
#: The least gain, in spice, for which an order by the Voice is better than none.
_HEARD: Final = 0.1


# --- battles


def speak_voice(view: DuneSeatView, act: acts.SpeakVoice) -> Urgency:
    """Order what raises the rating of the own best plan most: usually to leave out the weapon that is not met."""
    battle = present_battle(view)
    if battle is None:
        return None
    before = _best_rating(view, battle, "")
    after = _best_rating(view, battle.with_arms(ordered(battle.opposition.arms, act.must, act.kind)), repr(act))
    return (1.0, after) if after > before + _HEARD else None


def _best_rating(view: DuneSeatView, battle: BattleOutlook, said: str) -> float:
    key = ("best rating", said)
    if key not in view.memo:
        view.memo[key] = battle.best()[0]
    return float(view.memo[key])


def ask_prescience(view: DuneSeatView, act: acts.AskPrescience) -> Urgency:
    """Ask for the dial where it can be great, else for the weapon."""
    battle = present_battle(view)
    great = battle is not None and battle.opposition.tokens >= 3
    return (1.0, {"dial": 3.0 if great else 1.0, "weapon": 2.0, "leader": 1.5}.get(act.part, 0.0))


def answer_prescience(view: DuneSeatView, act: acts.AnswerPrescience) -> Urgency:
    """Answer what the best plan has there."""
    battle = present_battle(view)
    question = view.table.get("battle/question")
    if battle is None or question is None:
        return (0.0,)
    if "best plan" not in view.memo:
        view.memo["best plan"] = battle.best()[1]
    plan: acts.BattlePlan = view.memo["best plan"]
    part = question[2]
    value = CHEAP_HERO if part == "leader" and plan.cheap_hero else getattr(plan, part)
    if part == "dial":
        return (-abs(float(act.value or 0) - plan.dial),)
    return (float(act.value == value), float(STRENGTH.get(str(act.value), 0)))


def battle_karama(view: DuneSeatView, act: acts.BattleKarama) -> Urgency:
    """Cancel a bonus of the opponent, or see its plan, in battles that matter; a worthless card serves first."""
    battle = present_battle(view)
    if battle is None or act.target != battle.opponent or battle.prize < _WORTH_A_KARAMA:
        return None
    return (1.0, float(act.card != KARAMA), float(act.effect == "see_future"))


def choose_battle(view: DuneSeatView, act: acts.ChooseBattle) -> Urgency:
    """Fight where victory is likeliest first: it brings spice and kills leaders."""
    me, territory = side_of(view), territory_of[act.place]
    return (contest.battle_chance(contest.force(view, me, territory), contest.force(view, act.opponent, territory)),)


def kill_captive(view: DuneSeatView, act: acts.KillCaptive) -> Urgency:
    """Kill weak captives for spice; keep strong ones to lead a battle."""
    captive = next(
        (leader for key in JUST_CAPTURED.values() for leader in view.table.get(key, ()) if leader != HIDDEN), ""
    )
    return (1.0,) if STRENGTH.get(captive, 0) <= 3 else None


# --- the Bene Gesserit


def coexist(view: DuneSeatView, act: acts.Coexist) -> Urgency:
    """Fight where victory is likely and worth it; coexist elsewhere."""
    return (sum(_harmless(view, cell) for cell in act.places),)


def _harmless(view: DuneSeatView, cell: str) -> float:
    """Return 1 if coexisting in a territory is better than fighting for it, else -1."""
    me, territory = side_of(view), territory_of[cell]
    others = [f for f in view.present(cells_of[territory]) if f != me]
    if not others or territory not in contest.strongholds(view):
        return 1.0 if others else 0.0
    counts = view.tokens_at(me, territory)
    own = contest.TroopStrength(me, sum(counts), contest.best_leader(view, me))
    chance = min(contest.battle_chance(own, contest.force(view, other, territory)) for other in others)
    return 1.0 if chance < 0.5 else -1.0


def send_advisor(view: DuneSeatView, act: acts.SendAdvisor) -> Urgency:
    """Send advisors for free, into strongholds above all: they can turn into fighters later."""
    return (1.0, float(terrain[territory_of[act.to]] == "stronghold"))


def place_token(view: DuneSeatView, act: acts.PlaceToken) -> Urgency:
    """Begin in a stronghold that nobody holds, else in the Polar Sink."""
    territory = territory_of[act.cell]
    free = terrain[territory] == "stronghold" and not view.present(cells_of[territory])
    return (2.0,) if free else (float(terrain[territory] == "polar_sink"),)


# --- worms, storm, cards


def place_worm(view: DuneSeatView, act: acts.PlaceWorm) -> Urgency:
    """Send the worm where it devours most tokens of others."""
    mine = contest.own_side(view)
    eaten = sum(sum(view.tokens_at(f, act.territory)) * (-2 if f in mine else 1) for f in view.factions())
    return (1.0, float(eaten)) if eaten > 0 else None


def play_card(view: DuneSeatView, act: acts.PlayCard) -> Urgency:
    """Play cards where they matter; a card that is not known is kept."""
    match act.card:
        case card if card == WEATHER_CONTROL:
            return _weather_control(view, act)
        case card if card == HAJR:
            side = contest.own_side(view)
            return (0.5,) if contest.needed(view, side) - contest.held(view, side) <= 1 else None
    frame = view.frames[-1]["frame"] if view.frames else ""
    if frame in ("TheVoice", "PrescienceQuestion"):
        battle = present_battle(view)
        return (1.0, float(act.card != KARAMA)) if battle is not None and battle.prize >= _WORTH_A_KARAMA else None
    return None


def _weather_control(view: DuneSeatView, act: acts.PlayCard) -> Urgency:
    """Lead the storm over the tokens of others and around the own ones."""
    assert isinstance(act.target, int)
    swept = {sector_after(view.storm, step) for step in range(1, act.target + 1)}
    atomics = bool(view.table.get("atomics"))
    mine = contest.own_side(view)
    killed = 0
    for faction in view.factions():
        for cell, counts in view.on_board(faction):
            if sector_of[cell] in swept and not storm_protected(territory_of[cell], atomics):
                killed += sum(counts) * (-2 if faction in mine else 1)
    return (1.0, float(killed)) if killed >= 5 else None


def keep_most(view: DuneSeatView, act: Any) -> Urgency:
    return (float(sum(act.amounts)),)
