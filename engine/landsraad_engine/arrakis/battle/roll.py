"""The combat roll: how many dice, what they show, what leaders make of Specials, and the hits that come of it."""

from typing import NamedTuple, TypeAlias

from landsraad_engine.arrakis.sides import GENERIC
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.kernel.frames import rule

#: What combat dice show, as a frame keeps it: hits, shields, specials.
Shown: TypeAlias = tuple[int, int, int]


class Throw(NamedTuple):
    """The faces of thrown combat dice."""

    hits: int = 0
    shields: int = 0
    specials: int = 0

    @property
    def shown(self) -> Shown:
        return (self.hits, self.shields, self.specials)


@rule("WFA-S.47", "WFA-B.15")
def throw(g: ArrakisState, label: str, dice: int) -> Throw:
    """Roll combat dice in the open."""
    faces = g.content.combat_die.faces
    shown = [faces[n] for n in g.rolls(f"combat/{label}", len(faces), dice)]
    return Throw(shown.count("hit"), shown.count("shield"), shown.count("special"))


@rule("WFA-B.16", "WFA-B.17", "WFA-B.18")
def with_leaders(g: ArrakisState, side: str, rolled: Throw, generic: int, named: tuple[str, ...]) -> Throw:
    """Specials turned into hits and shields by these leaders, one each; those that are left over miss."""
    abilities = [g.leader(leader).combat for leader in (*[GENERIC[side]] * generic, *named)]
    hits = rolled.hits + sum(each.hits for each in abilities)
    return Throw(hits, rolled.shields + sum(each.shields for each in abilities))


@rule("WFA-B.19")
def has_to_choose(legion: Legion, specials: int) -> bool:
    """Return whether a side has more leaders than Specials, and not all alike."""
    return 0 < specials < legion.leaders and bool(legion.named)


@rule("WFA-B.20", "WFA-B.21", "WFA-B.22")
def less_shields(rolled: Throw, special_elites: int) -> Throw:
    """Return what is left of a throw when each of the opponent's Special Elites has cancelled a shield."""
    return rolled._replace(shields=max(0, rolled.shields - special_elites))


@rule("WFA-B.15", "WFA-B.27")
def hits_through(rolled: Throw, against: Throw) -> int:
    """Hits that shields do not stop; shields beyond them are lost."""
    return max(0, rolled.hits - against.shields)
