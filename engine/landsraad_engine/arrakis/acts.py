"""Every act of War for Arrakis: what a player may send. One section for each part of the rulebook.

Figures of a legion are written as in a stack (regular, elite, special, generic leader); named leaders and deployment
tokens as sorted tuples of their ids.
"""

from landsraad_engine.arrakis.sides import Figures
from landsraad_engine.kernel.grammar import Act, Choice, OneOf, Subset

# --- anywhere


class Done(Act, frozen=True):
    """Leave the rest undone: no effect of an action is compulsory."""


# --- vehicles


class PlaceVehicles(Act, frozen=True):
    """Place all vehicles of the active row: harvesters in areas, the others in air zones."""

    harvesters: tuple[str, ...]
    ornithopters: tuple[str, ...]
    carryalls: tuple[str, ...]


class PlaceVehicle(Act, frozen=True):
    """Place one vehicle; ``source`` is where it comes from if not from off the board."""

    vehicle: str
    place: str
    source: str


# --- dice


class ChangeDie(Act, frozen=True):
    """Change an excess die from one result to another."""

    source: str
    target: str


class PlaceBeneGesserit(Act, frozen=True):
    """Lay a Bene Gesserit token on a slot of this box."""

    box: str


# --- action turns


class TakeAction(Act, frozen=True):
    """Spend a die that shows ``die`` for an action."""

    die: str
    action: str


class UseSpecial(Act, frozen=True):
    """Spend a die for a leader's special action."""

    die: str
    leader: str


class PlayCard(Act, frozen=True):
    """Spend any die to play a planning card from hand."""

    die: str
    card: str


class ClaimForDie(Act, frozen=True):
    """Spend any die, as the turn's action, to claim a prescience card that asks for one."""

    die: str
    card: str


class TakeDesertPower(Act, frozen=True):
    """Take a Desert Power action as the turn, without a die."""


# --- moving and attacking


class MoveLegion(Act, frozen=True):
    """Move (part of) the legion in ``source``; ``ornithopter`` is the air zone whose ornithopter carries it, or ""."""

    source: str
    target: str
    units: Figures
    leaders: tuple[str, ...]
    tokens: tuple[str, ...]
    ornithopter: str


class Attack(Act, frozen=True):
    """Attack ``target`` with (in some editions: part of) the legion in ``source``."""

    source: str
    target: str
    units: Figures
    leaders: tuple[str, ...]
    tokens: tuple[str, ...]
    ornithopter: str


class RemoveExcess(Act, frozen=True):
    """Take off what exceeds the stacking limit."""

    units: tuple[int, int, int]
    tokens: tuple[str, ...]


# --- deployment, cards, House


class Deploy(Act, frozen=True):
    """Put Regulars into own settlements, and a leader into one of them: the generic one, or a named one by id."""

    regulars: tuple[int, ...]
    leader: str
    place: str


class DrawToken(Act, frozen=True):
    """Draw a random deployment token from the bag."""


class DeployToken(Act, frozen=True):
    """Lay the token just drawn in a Sietch, together with a leader ("" for none)."""

    area: str
    leader: str


class DeployLeader(Act, frozen=True):
    """Put a leader where own units stand in a settlement, and nothing else."""

    area: str
    leader: str


class DrawCards(Act, frozen=True):
    """Draw so many cards from each of one's decks."""

    cards: tuple[int, ...]


class UpgradeUnits(Act, frozen=True):
    """Exchange so many units in each of the areas."""

    units: tuple[int, ...]


# --- free actions (out of turn)


class RevealTokens(Act, frozen=True):
    """Guerrilla Training: turn up deployment tokens of one area."""

    area: str
    tokens: tuple[str, ...]


class Scout(Act, frozen=True):
    """Give up the ornithopter of an air zone to reveal what lies in an area of its sectors."""

    ornithopter: str
    area: str
    sietch: bool
    tokens: bool


# --- battle


class DiscardForDice(Act, frozen=True):
    """Discard planning cards for one more die each in this battle round."""

    cards: tuple[str, ...]


class UseLeaders(Act, frozen=True):
    """Whose abilities the Specials go to: so many generic leaders, and these named ones."""

    generic: int
    named: tuple[str, ...]


class TakeCasualties(Act, frozen=True):
    """How hits are taken: Regulars removed, Elites and Special Elites hit, generic leaders and named ones removed."""

    units: Figures
    leaders: tuple[str, ...]


class EnterTank(Act, frozen=True):
    """The order in which leaders enter the regeneration tank, first one first."""

    leaders: tuple[str, ...]


class Continue(Act, frozen=True):
    """Go on with the battle, at its price."""


class Cease(Act, frozen=True):
    """Cease the attack."""


class Stand(Act, frozen=True):
    """Stay for another battle round."""


class Retreat(Act, frozen=True):
    """Retreat from the battle."""


class RetreatTo(Act, frozen=True):
    """Where the opponent moves a retreating legion."""

    area: str


class Advance(Act, frozen=True):
    """What of the victorious attackers moves into the area that they have won."""

    units: Figures
    leaders: tuple[str, ...]


class Stay(Act, frozen=True):
    """Leave the victorious attackers where they are."""


# --- the desert


class LayWormsigns(Act, frozen=True):
    """Lay a random wormsign, face down, in each of these areas."""

    areas: tuple[str, ...]


class MoveWorm(Act, frozen=True):
    """Move a sandworm."""

    source: str
    target: str


class StrikeWithWorm(Act, frozen=True):
    """Attack an area with a sandworm, which leaves the board."""

    source: str
    target: str


class ChooseWorms(Act, frozen=True):
    """Where sandworms appear, if more are called than can come."""

    areas: tuple[str, ...]


class TakeWorm(Act, frozen=True):
    """Put a new sandworm into ``area``: this figure, from another area, or "" for off the board."""

    area: str
    source: str
    worm: str


class ResolveWorm(Act, frozen=True):
    """Which of the areas under a new sandworm suffers next."""

    area: str


class RescueHarvester(Act, frozen=True):
    """Give up the carryall of this air zone in place of a harvester."""

    carryall: str


# --- spice and the Imperium


class SpendSpice(Act, frozen=True):
    """Whether each Imperium marker is to "fall", "keep" or "raise"; stockpiling; spice put into the reserve."""

    choam: str
    spacing_guild: str
    landsraad: str
    stockpile: bool
    reserve: int


class ChooseBan(Act, frozen=True):
    """Which of the powers whose markers fell imposes its ban."""

    power: str


# --- Family Atomics


class Detonate(Act, frozen=True):
    """Set off the Family Atomics in this area."""

    area: str


class Displace(Act, frozen=True):
    """Where the opponent moves a legion whose area the Family Atomics change."""

    area: str


# --- end of the round


class ExchangeLeaders(Act, frozen=True):
    """Take these named leaders off the board, for generic ones."""

    leaders: tuple[str, ...]


class DiscardDown(Act, frozen=True):
    """Planning cards given up to come down to the hand limit."""

    cards: tuple[str, ...]


# --- the preview of 2022


class PassStations(Act, frozen=True):
    """Stations that a riding legion passes and takes."""

    areas: tuple[str, ...]


class ChangeResult(Act, frozen=True):
    """Discard a Bene Gesserit card and turn an unused die to another result."""

    card: str
    source: str
    target: str


# --- prescience


class ChooseMarker(Act, frozen=True):
    """Which prescience marker advances."""

    marker: str


class Claim(Act, frozen=True):
    """Claim a revealed prescience card."""

    card: str


class GiveUpForces(Act, frozen=True):
    """Take these forces off a settlement, as a prescience card demands: Regulars, Elites, Special Elites; tokens."""

    area: str
    units: tuple[int, int, int]
    tokens: tuple[str, ...]


class RemovePrescience(Act, frozen=True):
    """Revealed prescience cards that leave the game unclaimed; the others are shuffled back."""

    cards: tuple[str, ...]


# --- cards in hand


class DiscardCards(Act, frozen=True):
    """Planning cards given up for a demand, or because the opponent makes one do it."""

    cards: tuple[str, ...]


class LookAt(Act, frozen=True):
    """Whose hand is looked at."""

    seat: int


# --- planning cards and leaders


class ChooseTarget(Act, frozen=True):
    """Carry out an effect of a card or leader on one target: a leader, an area, a sector, a power, a card, a pile.

    ``effect`` is what the question offers. "strike_down" sends an enemy named leader to the regeneration tank,
    "bring_in" has a leader enter play, "remove_leader" takes an enemy generic leader from an area, "advance_leader"
    moves a leader on in the tank, "aim_at" rolls against the vehicles of a sector, "lower_imperium" takes the marker of
    a power down a step, "choose_revealed" names a revealed prescience card, "play_another" plays one more planning
    card, "return_card" puts one back on its deck, "fetch_card" takes a Bene Gesserit card from the "discards" or
    the "deck", "replace_naib" puts a leader of a Possible Future in the place of a Naib in an area, "choose_deed" says
    which of two things is done ("move" or "attack", "draw" or "play", "shuffle" or "rob"), and "keep_die" names the die
    that is not rolled again. Where the game plays the Harkonnen, the humans choose in its name: the Target of this turn
    ("name_target"), the legion with better units ("upgrade_in") or that a leader comes to ("join_legion"), the area
    whose black or silver token is turned up ("turn_up_black", "turn_up_silver"), the Sector of further harvesters
    ("harvest_sector"), what spies turn up ("reveal_sietch", "reveal_tokens"), and of their own accord the result of its
    next turn ("name_result").
    """

    effect: str
    target: str


class ChooseTargets(Act, frozen=True):
    """Carry out an effect of a card or leader on some areas or air zones.

    "scatter_regulars" puts a Regular into each, "discard_wormsigns" puts their wormsigns back into the pool, unseen,
    and "remove_vehicles" takes their vehicles off the board. In the name of the Harkonnen that the game plays,
    "scatter_units" puts a unit into each, and "harvest_in" a harvester.
    """

    effect: str
    targets: tuple[str, ...]


def target_choice(effect: str, targets: tuple[str, ...]) -> Choice:
    """The choice to carry out an effect on one of these targets."""
    return Choice(ChooseTarget, effect=OneOf((effect,)), target=OneOf(targets))


def targets_choice(effect: str, targets: Subset) -> Choice:
    """The choice to carry out an effect on some of these targets."""
    return Choice(ChooseTargets, effect=OneOf((effect,)), targets=targets)


class SpreadUnits(Act, frozen=True):
    """Put a Regular, or where it is due an Elite, into each of own settlements, in board order: 1 where one comes."""

    regulars: tuple[int, ...]
    elites: tuple[int, ...]


class Bombard(Act, frozen=True):
    """Make a special attack on the legion in ``area``; ``ornithopter`` is the air zone of the one that it costs."""

    area: str
    ornithopter: str


class Spy(Act, frozen=True):
    """Reveal the Sietch of one area and the deployment tokens of another ("" for neither)."""

    sietch: str
    tokens: str


class ChooseEnemyDie(Act, frozen=True):
    """An unused die of an enemy dashboard that something is done with."""

    dashboard: str
    die: str


class ShiftMarkers(Act, frozen=True):
    """Lower one prescience marker by so many steps and raise another by as many."""

    lower: str
    higher: str
    steps: int


class SwapTokens(Act, frozen=True):
    """Exchange all deployment tokens of two Sietches."""

    one: str
    other: str


class MoveSietch(Act, frozen=True):
    """Move a Sietch, and everything of its side in the area, to another area."""

    source: str
    target: str


class DriveLegion(Act, frozen=True):
    """Move the enemy legion in ``source``."""

    source: str
    target: str


# --- leaders


class BringForces(Act, frozen=True):
    """Bring figures and named leaders, as far as they are due, from off the board to a place."""

    place: str
    units: Figures
    leaders: tuple[str, ...]


class PlotAgainstHawat(Act, frozen=True):
    """Discard so many cards Hawat's Scheming: Thufir Hawat leaves the game."""

    cards: int


class TameWildMaker(Act, frozen=True):
    """Put an ordinary sandworm in the Wild Maker's place."""


# --- the Old Man of the Desert


class SummonOldMan(Act, frozen=True):
    """Take all sandworms and wormsigns off the board and place the Old Man of the Desert in an outer sector."""

    sector: str


class MoveOldMan(Act, frozen=True):
    """Give up a sandworm that lies before you: the Old Man goes on to an outer sector next to its own."""

    worm: str
    sector: str


class StrikeWithOldMan(Act, frozen=True):
    """Give up a sandworm that lies before you: the Old Man attacks an area of its sector, and stays."""

    worm: str
    target: str


# --- partners


class HandOver(Act, frozen=True):
    """Use a House die as a result that only the partner's dashboard has: the partner acts with it."""

    die: str
    result: str


class OpenCone(Act, frozen=True):
    """Discard a Cone of Silence token: both partners may confer in private."""
