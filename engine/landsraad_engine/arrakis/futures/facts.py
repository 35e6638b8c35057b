"""The Possible Futures as data: rows of changes, each with its statement.

The rows stand in the order in which the setup makes them, the Atreides' before the Harkonnen's. A row is an instance of
its kind; `setup` carries out those of the setup, `course` the others.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from landsraad_engine.arrakis.terms import SubFaction, Unit
from landsraad_engine.arrakis.words import Words
from landsraad_engine.kernel.frames import rule


class InPlay(NamedTuple):
    """A leader is in play from the start: the figure aside, the card face up on its box."""

    rule: str
    leader: str


class InTank(NamedTuple):
    """A leader is in play, on the first slot of the regeneration tank."""

    rule: str
    leader: str


class Never(NamedTuple):
    """A leader is removed from the game, or at least never enters it."""

    rule: str
    leader: str


class ForNaib(NamedTuple):
    """A leader takes the place of a Naib on the board, whom the Atreides choose."""

    rule: str
    leader: str


class InSietch(NamedTuple):
    """A leader is deployed in a Sietch of the Atreides' choice."""

    rule: str
    leader: str


class MoreUnits(NamedTuple):
    """One more unit of a kind in a settlement of the Harkonnen's choice."""

    rule: str
    unit: Unit


class MoreCards(NamedTuple):
    """The Harkonnen draw one card more of a deck, as the game is set up or in the first round."""

    rule: str
    deck: SubFaction
    round: int = 0


class OtherCards(NamedTuple):
    """A card of the Future takes the place of another in its deck, all copies of it."""

    rule: str
    card: str


class LateTruthsayer(NamedTuple):
    """At this step of the Supremacy Track somebody enters play who else does so on Hawat's departure."""

    rule: str
    step: int


Change: TypeAlias = InPlay | InTank | Never | ForNaib | InSietch | MoreUnits | MoreCards | OtherCards | LateTruthsayer

TITLES: Final[Mapping[int, str]] = {
    1: "Long Live the Duke",
    2: "The Master of Assassins",
    3: "The Judge of the Change",
    4: "The Baron Is Dead",
    5: "The Swordmaster of Ginaz",
    6: "The Redemption of Dr. Yueh",
    7: "The Princess Steps In",
}

CHANGES: Final[Mapping[int, tuple[Change, ...]]] = {
    1: (
        InPlay("WFA-N.11", "duke_leto"),
        InPlay("WFA-N.12", "piter_de_vries"),
        Never("WFA-N.13", "thufir_hawat"),
        OtherCards("WFA-N.14", "twisted_mentat"),
        MoreCards("WFA-N.15", "house_harkonnen", round=1),
        LateTruthsayer("WFA-N.16", 8),
    ),
    2: (
        InPlay("WFA-N.17", "thufir_hawat_atreides"),
        InTank("WFA-N.19", "lady_jessica"),
        Never("WFA-N.18", "thufir_hawat"),
        OtherCards("WFA-N.20", "guard_captain"),
        MoreCards("WFA-N.21", "house_harkonnen", round=1),
        LateTruthsayer("WFA-N.22", 8),
    ),
    3: (
        InTank("WFA-N.23", "liet_kynes"),
        ForNaib("WFA-N.24", "jamis"),
        Never("WFA-N.27", "paul_muad_dib"),
        MoreUnits("WFA-N.25", "elite"),
        MoreCards("WFA-N.26", "corrino_ally"),
    ),
    4: (
        Never("WFA-N.28", "baron_harkonnen"),
        InPlay("WFA-N.29", "count_fenring"),
        Never("WFA-N.30", "thufir_hawat"),
        OtherCards("WFA-N.31", "trained_in_the_bene_gesserit_ways"),
        LateTruthsayer("WFA-N.32", 8),
    ),
    5: (ForNaib("WFA-N.33", "duncan_idaho"), MoreUnits("WFA-N.34", "special")),
    6: (InSietch("WFA-N.35", "dr_yueh"), MoreUnits("WFA-N.36", "elite")),
    7: (Never("WFA-N.39", "gaius_helen_mohiam"),),
}


def changes(g: Words) -> Iterator[Change]:
    """The changes of all Futures of a match, in their order."""
    for number in g.futures:
        yield from CHANGES[number]


@rule("WFA-N.2", "WFA-N.14", "WFA-N.20", "WFA-N.31")
def cards_of(g: Words, deck: SubFaction) -> tuple[str, ...]:
    """The planning cards of a deck in this match: those of a Future only if it is played."""
    content = g.content
    for change in changes(g):
        if isinstance(change, OtherCards) and content.planning_card[change.card].deck == deck:
            return content.deck(deck, content.planning_card[change.card].future)
    return content.deck(deck)
