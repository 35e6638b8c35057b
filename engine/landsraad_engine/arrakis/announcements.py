"""Every announcement of War for Arrakis."""

from typing import ClassVar

from landsraad_engine.kernel.announcements import Announcement


class CardTakesEffect(Announcement, frozen=True):
    """A planning card has a text that holds now."""

    sentence: ClassVar = "The card {card} takes effect"
    card: str


class LeaderActs(Announcement, frozen=True):
    """A leader's special action is used."""

    sentence: ClassVar = "{leader} acts"
    leader: str


class HitsRolled(Announcement, frozen=True):
    """The hits that both sides of a battle have to take in this round."""

    sentence: ClassVar = "Hits: {attacker} on the attacker, {defender} on the defender"
    attacker: int
    defender: int
