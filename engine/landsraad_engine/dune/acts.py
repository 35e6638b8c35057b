"""Every act of classic Dune: what a player may send. One section for each part of the rulebook."""

from collections.abc import Sequence

from landsraad_engine.kernel.grammar import Act, Choice, Domain, OneOf, Options

# --- anywhere


class Pass(Act, frozen=True):
    """Do nothing where something could be done."""


#: The choice to pass, and all that a seat gets in a window in which it has nothing to play: made once, because most
#: questions have the one and most windows are put to many.
PASSING = Choice(Pass)
PASS_ONLY = Options((PASSING,))


def or_pass(*plays: Choice) -> Sequence[Choice] | Options:
    """The answers to a window: one of these plays, or none."""
    return (PASSING, *plays) if plays else PASS_ONLY


class PlayCard(Act, frozen=True):
    """Play a treachery card for what the question is about, at a target if it needs one.

    Karama (for the Bene Gesserit a worthless card, too) cancels the ability just used, pays for the card just bought,
    or makes a worm appear in a territory. Weather Control moves the storm by a number of sectors.
    """

    card: str
    target: int | str | None = None


_NO_TARGET = OneOf((None,))


def card_choice(*cards: str, target: Domain = _NO_TARGET) -> Choice:
    """The choice to play one of these treachery cards, at a target."""
    return Choice(PlayCard, card=OneOf(cards), target=target)


class Consent(Act, frozen=True):
    """Agree to what another player asks for, or do not."""

    yes: bool


YES_OR_NO = Choice(Consent, yes=OneOf((True, False)))
NO = Consent(yes=False)


# --- setting up


class TakeFaction(Act, frozen=True):
    """Take one of the factions that nobody plays yet (option ``factions = chosen``)."""

    faction: str


class WishFaction(Act, frozen=True):
    """Ask for another faction: of the player who has it, or of everybody if it lies in the box."""

    faction: str


class Predict(Act, frozen=True):
    """Write down which faction will conquer Dune, and in which turn."""

    faction: str
    turn: int


class PlaceForces(Act, frozen=True):
    """Place the starting tokens: how many ordinary ones and elites in each of the cells that the question lists."""

    tokens: tuple[int, ...]
    elites: tuple[int, ...]


class PlaceToken(Act, frozen=True):
    """Place the one starting token."""

    cell: str


class HandBackTraitors(Act, frozen=True):
    """Give the four traitor cards back for four others."""


class KeepTraitor(Act, frozen=True):
    """Keep the traitor card of this leader."""

    leader: str


# --- Storm Round


class DialStorm(Act, frozen=True):
    """Dial for the first storm."""

    number: int


class LoseTokens(Act, frozen=True):
    """Name the own tokens that die: how many ordinary ones and elites in each of the cells that are listed."""

    tokens: tuple[int, ...]
    elites: tuple[int, ...]


# --- Spice Blow Round and Nexus


class PlaceWorm(Act, frozen=True):
    """Name the territory in which a further worm appears."""

    territory: str


class RideWorm(Act, frozen=True):
    """Ride the worm: ordinary tokens and elites from each of the cells that are listed, all to one cell."""

    tokens: tuple[int, ...]
    elites: tuple[int, ...]
    to: str


class BreakAlliance(Act, frozen=True):
    """Leave one's alliance."""


class ProposeAlliance(Act, frozen=True):
    """Propose an alliance with these partners, and who is to be Primary where allies meet (None: not settled)."""

    partners: tuple[str, ...]
    primary: str | None


# --- Movement Round


class TakeTurn(Act, frozen=True):
    """Take one's movement turn now, before the player whose turn it would be."""


class Ship(Act, frozen=True):
    """Standard shipment: tokens and elites from the reserves to a cell; with a Karama for half the fee."""

    tokens: int
    elites: int
    to: str
    karama: str | None


class ShipNative(Act, frozen=True):
    """Fremen shipment from the reserves on the planet; under the storm half are lost, so many elites among them."""

    tokens: int
    elites: int
    to: str
    elites_lost: int


class ShipPrivileged(Act, frozen=True):
    """Guild shipment from the reserves to a cell."""

    tokens: int
    elites: int
    to: str


class ShipAcross(Act, frozen=True):
    """Guild shipment of tokens that stand together (named by their first cell) to another cell, or "reserves".

    ``units`` says how many of each kind leave each cell, in the order of the slots that the question lists.
    """

    origin: str
    units: tuple[int, ...]
    to: str


class Manoeuvre(Act, frozen=True):
    """Move tokens that stand together (named by their first cell) to one cell.

    ``units`` says how many of each kind leave each cell, in the order of the slots that the question lists.
    """

    origin: str
    units: tuple[int, ...]
    to: str


class SendAdvisor(Act, frozen=True):
    """Send an advisor along with a shipment, to this cell."""

    to: str


class Coexist(Act, frozen=True):
    """Coexist in the listed ones of the territories in question (each named by its first cell), in no others."""

    places: tuple[str, ...]


class NamePrimary(Act, frozen=True):
    """Say which of the allies who share a territory shall be Primary there."""

    faction: str


# --- Battle Round


class ChooseBattle(Act, frozen=True):
    """As Aggressor, fight this opponent next in this territory (or part of one, named by its first cell)."""

    place: str
    opponent: str


class OfferLeaderless(Act, frozen=True):
    """Offer the opponent that oneself, that the opponent, or that both fight this battle without a leader."""

    own: bool
    theirs: bool


class SpeakVoice(Act, frozen=True):
    """Order the opponent to play a kind of card, or (``must`` False) to leave it out."""

    must: bool
    kind: str


class AskPrescience(Act, frozen=True):
    """Make the opponent reveal one part of the plan: dial, leader, weapon or defense."""

    part: str


class AnswerPrescience(Act, frozen=True):
    """What the plan will have in the part in question: a number, a leader or card, "cheap_hero", or None."""

    value: int | str | None


class BattleKarama(Act, frozen=True):
    """Play a Karama before the plans are committed.

    ``effect`` is an ability to cancel for this battle (``target`` has it) or "see_future" (``target`` shows its plan).
    """

    card: str
    effect: str
    target: str


class BattlePlan(Act, frozen=True):
    """A battle plan: strength dialled, leader, a card in the weapon's and one in the defense's place, and helpers."""

    dial: int
    leader: str | None
    weapon: str | None
    defense: str | None
    cheap_hero: bool
    kwisatz_haderach: bool


class CallTraitor(Act, frozen=True):
    """Call the leader in the opponent's plan a traitor."""

    leader: str


class KeepCards(Act, frozen=True):
    """Of the cards played in a battle won, keep these and discard the rest."""

    cards: tuple[str, ...]


class CaptureLeader(Act, frozen=True):
    """Capture one of the loser's living leaders, drawn at random."""


class KillCaptive(Act, frozen=True):
    """Send the leader just captured to the Tanks, for spice (otherwise it is kept)."""


# --- Collection Round


class Collect(Act, frozen=True):
    """Collect so much spice from each of the cells that are listed."""

    amounts: tuple[int, ...]


# --- bidding


class ClaimCharity(Act, frozen=True):
    """Claim CHOAM charity with an empty purse."""


class Bid(Act, frozen=True):
    """Bid spice for the treachery card up for sale."""

    amount: int


class BidInfinity(Act, frozen=True):
    """End the sale of a card in one's favour; a Karama has to pay for it."""


class PayWithSpice(Act, frozen=True):
    """Pay for the card just bought with spice."""


# --- revival


class Revive(Act, frozen=True):
    """What a faction takes from the Tanks in the Revival Round: tokens, and one leader at most."""

    tokens: int = 0
    elites: int = 0
    leader: str | None = None


class PlayGhola(Act, frozen=True):
    """Play the Tleilaxu Ghola for up to five tokens, or for one leader."""

    tokens: int = 0
    elites: int = 0
    leader: str | None = None


class PlayCombatMedics(Act, frozen=True):
    """Play a Karama for up to three tokens from the Tanks, or for one leader."""

    tokens: int = 0
    elites: int = 0
    leader: str | None = None


# --- cards in other hands


class PlayOpportunistic(Act, frozen=True):
    """Play a Karama to take some treachery cards at random from another player."""

    target: str
    number: int


class GiveBack(Act, frozen=True):
    """Give as many cards of one's former hand for those taken."""

    cards: tuple[str, ...]


class PlayTruthtrance(Act, frozen=True):
    """Ask another player one of the typed yes-or-no questions (DUNE-R.15 to DUNE-R.17 say which)."""

    target: str
    question: str
    value: str | int | None


class AnswerTruth(Act, frozen=True):
    """Answer a Truthtrance question about one's own acts to come; the answer binds."""

    yes: bool


# --- spice from hand to hand, and deals


class GiveSpice(Act, frozen=True):
    """Offer an ally spice, ready for use."""

    ally: str
    amount: int


class TakeSpice(Act, frozen=True):
    """Accept the spice that an ally offers."""


class ProposeDeal(Act, frozen=True):
    """Offer another player a public deal. What is left at its default is no part of it.

    Each side may pay spice now or as a named round begins next, promise to ship or move nothing into a territory up to
    the end of a game turn, to bid no more than a number on the card up for sale, and to accept or decline an alliance
    with a faction in the next Nexus.
    """

    partner: str
    i_pay: int = 0
    i_pay_at: str = "now"
    i_shun: str | None = None
    i_shun_until: int = 0
    i_bid_at_most: int | None = None
    i_ally: str | None = None
    i_accept: bool = False
    you_pay: int = 0
    you_pay_at: str = "now"
    you_shun: str | None = None
    you_shun_until: int = 0
    you_bid_at_most: int | None = None
    you_ally: str | None = None
    you_accept: bool = False


class AcceptDeal(Act, frozen=True):
    """Accept an open offer of a deal, by its number."""

    offer: int


class WithdrawDeal(Act, frozen=True):
    """Take back one's own open offer of a deal, or decline one that was made to oneself."""

    offer: int
