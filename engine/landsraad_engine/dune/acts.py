"""Every act of classic Dune: what a player may send. One section for each part of the rulebook."""

from landsraad_engine.grammar import Act

# --- anywhere


class Pass(Act, frozen=True):
    """Do nothing where something could be done."""


class PlayKarama(Act, frozen=True):
    """Play a Karama (or, as the Bene Gesserit, a worthless card as one) to cancel the ability just used."""

    card: str


class Consent(Act, frozen=True):
    """Agree to what another player asks for, or do not."""

    yes: bool


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


class PlayWeatherControl(Act, frozen=True):
    """Play Weather Control: the storm moves this many sectors."""

    sectors: int


class PlayFamilyAtomics(Act, frozen=True):
    """Play Family Atomics on the Shield Wall."""


class LoseTokens(Act, frozen=True):
    """Name the tokens that the storm kills: how many ordinary ones and elites in each of the cells that are listed."""

    tokens: tuple[int, ...]
    elites: tuple[int, ...]


# --- Spice Blow Round and Nexus


class CallWorm(Act, frozen=True):
    """Play a Karama to make a worm appear in a territory."""

    card: str
    territory: str


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
