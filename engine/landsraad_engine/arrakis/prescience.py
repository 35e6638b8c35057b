"""Prescience cards: claiming them, the secret objective, what becomes of unclaimed ones."""

from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.frames import END, Flow, Frame, step


class ClaimMoment(Frame):
    """The canonical moment to claim cards of a phase."""

    phase: str

    @step("WFA-Q.5", "WFA-Q.6")
    def offer(f, g: ArrakisState) -> Flow:
        return END


class ClaimCard(Frame):
    """A prescience card is claimed; a die that it asks for has been spent as the turn's action."""

    seat: int
    card: str

    @step("WFA-Q.8")
    def claim(f, g: ArrakisState) -> Flow:
        return END


class CheckObjective(Frame):
    """The Atreides have won if all three markers have reached the targets of the secret objective."""

    @step("WFA-Q.22")
    def check(f, g: ArrakisState) -> Flow:
        return END


class UnclaimedCards(Frame):
    """The Atreides say which revealed and unclaimed cards leave the game; the others are shuffled back."""

    @step("WFA-R.13")
    def reshuffle(f, g: ArrakisState) -> Flow:
        g.gather("prescience_row", "prescience_deck")
        g.shuffle("prescience_deck")


def claims_with_die(g: ArrakisState, seat: int) -> tuple[str, ...]:
    """Revealed cards that this seat could claim by spending a die as its turn."""
    return ()


FRAMES = (ClaimMoment, ClaimCard, CheckObjective, UnclaimedCards)
