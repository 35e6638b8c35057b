"""Leadership and Strategy: attack a Sietch, else a legion, else move."""

from landsraad_engine.arrakis.mahdi.attacks import AttackByAutomaton, best_attacks
from landsraad_engine.arrakis.mahdi.moves import MoveByAutomaton, can_move
from landsraad_engine.arrakis.mahdi.who import ByAutomaton
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Flow, rule, step


class Military(ByAutomaton):
    """One attack, or so many moves of different legions."""

    surprise: bool = False
    moves: int = 2
    effects: tuple[str, ...] = ()

    @step("WFA-Y.58", "WFA-Y.59", "WFA-Y.60")
    def act(f, g: ArrakisState) -> Flow:
        return attack_of(f) if best_attacks(f, g) else move_of(f)


def attack_of(f: Military) -> AttackByAutomaton:
    """Return the attack of an action."""
    return AttackByAutomaton(
        led=f.led, unit=f.unit, holding=f.holding, sources=f.sources, surprise=f.surprise, effects=f.effects
    )


def move_of(f: Military) -> MoveByAutomaton:
    """Return the moves of an action."""
    return MoveByAutomaton(led=f.led, unit=f.unit, holding=f.holding, sources=f.sources, count=f.moves)


@rule("WFA-Y.41", "WFA-Y.104")
def can_act(f: Military, g: ArrakisState) -> bool:
    """Return whether an action could do anything."""
    return bool(best_attacks(f, g)) or can_move(move_of(f), g)


FRAMES = (Military,)
