"""Every act of classic Dune: what a player may send. One section for each part of the rulebook."""

from landsraad_engine.grammar import Act

# --- anywhere


class Pass(Act, frozen=True):
    """Do nothing where something could be done."""


class PlayKarama(Act, frozen=True):
    """Play a Karama (or, as the Bene Gesserit, a worthless card as one) to cancel the ability just used."""

    card: str
