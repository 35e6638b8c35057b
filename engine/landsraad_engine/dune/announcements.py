"""Every announcement of classic Dune. One section for each part of the rulebook, as in `acts`."""

from typing import Any, ClassVar, Literal, TypeAlias

from landsraad_engine.kernel.announcements import Announcement

#: The effects for which a Karama is played.
Purpose: TypeAlias = Literal[
    "cancel", "card", "half_fee", "control_shipping", "thumper", "combat_medics", "opportunistic", "see_future"
]

#: The kinds of shipment: at the standard rates, the Guild's, and from the Fremen's reserves on the planet.
ShipmentKind: TypeAlias = Literal["standard", "guild", "native"]

# --- cards


class CardPlayed(Announcement, frozen=True):
    """A treachery card is played."""

    sentence: ClassVar = "{faction} plays {card}"
    faction: str
    card: str


class KaramaPlayed(Announcement, frozen=True):
    """A Karama is played, or a worthless card as one.

    ``about`` is the ability that it cancels, or the faction that it is played against.
    """

    sentence: ClassVar = "{faction} plays Karama: {purpose} {about}"
    faction: str
    card: str
    purpose: Purpose
    about: str | None


class TruthtranceAsked(Announcement, frozen=True):
    """A player is put into truthtrance, and asked this question."""

    sentence: ClassVar = "{asker} puts {target} into truthtrance"
    asker: str
    target: str
    question: str
    value: int | str | None


# --- storm and worms


class FirstPlayerFound(Announcement, frozen=True):
    """The storm has made this faction First Player."""

    sentence: ClassVar = "{faction} is First Player"
    faction: str


class WormAppeared(Announcement, frozen=True):
    """A worm appears in a territory."""

    sentence: ClassVar = "Shai-Hulud rises in {territory}"
    territory: str


# --- bidding


class HandsCounted(Announcement, frozen=True):
    """The numbers of treachery cards that the factions hold, in dot order."""

    factions: tuple[str, ...]
    cards: tuple[int, ...]


class CardSold(Announcement, frozen=True):
    """The card up for sale goes to the highest bidder; no price: the bid was infinity."""

    sentence: ClassVar = "{buyer} buys the card for {price}"
    buyer: str
    price: int | None


class CardPaid(Announcement, frozen=True):
    """A card is paid for, with spice or with a Karama."""

    buyer: str
    means: Literal["spice", "karama"]


class CardsUnsold(Announcement, frozen=True):
    """Cards without a bid go back to the deck."""

    sentence: ClassVar = "Nobody wants the rest: {cards} cards go back to the deck"
    cards: int


class AuctionRestarted(Announcement, frozen=True):
    """The sale of a card starts again, because its buyer cannot pay."""

    sentence: ClassVar = "The auction starts again"


# --- shipment


class ShipmentDeclared(Announcement, frozen=True):
    """A shipment is declared: ordinary, elite and coexisting tokens, and the card that halves the fee."""

    faction: str
    kind: ShipmentKind
    units: tuple[int, ...]
    to: str
    karama: str | None


# --- battle


class LeaderlessOffered(Announcement, frozen=True):
    """A faction offers to fight without leaders, or asks the opponent to: these would have none."""

    faction: str
    leaderless: tuple[str, ...]


class LeaderlessAnswered(Announcement, frozen=True):
    """The offer that these fight without a leader is accepted, or declined."""

    leaderless: tuple[str, ...]
    yes: bool


class NoLeaderSent(Announcement, frozen=True):
    """The plan of a faction has no leader."""

    sentence: ClassVar = "{faction} has no leader to send"
    faction: str


class TraitorCalled(Announcement, frozen=True):
    """A leader in the opponent's plan is in the pay of a faction."""

    sentence: ClassVar = "Treachery! {leader} is in the pay of {faction}"
    faction: str
    leader: str


class TerritoryExploded(Announcement, frozen=True):
    """A Lasgun has met a Shield."""

    sentence: ClassVar = "Lasgun meets shield: nothing is left in {territory}"
    territory: str


class StrengthsCompared(Announcement, frozen=True):
    """The strengths of both sides in a battle."""

    sentence: ClassVar = "{aggressor} fights with {strength}, {defender} with {opposed}"
    aggressor: str
    strength: int
    defender: str
    opposed: int


class BattleWon(Announcement, frozen=True):
    """A battle is won; ``place`` is the first cell of the territory, or of the part of it."""

    sentence: ClassVar = "{winner} wins against {loser} in {place}"
    winner: str
    loser: str
    place: str


class NobodyCaptured(Announcement, frozen=True):
    """The loser has no leader whom the Harkonnen could capture."""

    loser: str


# --- spice from hand to hand, and deals


class SpiceGiven(Announcement, frozen=True):
    """Spice goes from one faction to an ally."""

    sentence: ClassVar = "{faction} gives {amount} spice to {ally}"
    faction: str
    ally: str
    amount: int


class DealMade(Announcement, frozen=True):
    """An offer of a deal is accepted.

    Each of its promises is a list: by whom, to whom, what ("enter", "bid", "ally", "pay"), about what, whether it is to
    be done or left, and until when.
    """

    proposer: str
    partner: str
    promises: Any
