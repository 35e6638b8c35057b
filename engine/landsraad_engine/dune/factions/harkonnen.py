"""The Harkonnen: the abilities that the main rules do not know."""

from landsraad_engine.dune.acts import PASSING, HandBackTraitors, Pass
from landsraad_engine.dune.bidding import has_room
from landsraad_engine.dune.hooks import Query, Timing
from landsraad_engine.dune.karama import Ability, Cancellable
from landsraad_engine.dune.pieces import HARKONNEN, LEADERS
from landsraad_engine.dune.setup import deal_four, return_traitors
from landsraad_engine.dune.words import HAND, TRAITORS, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice
from landsraad_engine.kernel.overrides import Source

source = Source(HARKONNEN, HARKONNEN)


# --- setting up


class ManySecrets(Frame):
    """The Harkonnen get their traitor cards before everybody else and keep all four of them."""

    @step("DUNE-HAR.13")
    def deal(f, g: DuneState) -> Flow:
        deal_four(g, HARKONNEN)
        return None

    @step("DUNE-HAR.14", "DUNE-R.41")
    def hand_back(f, g: DuneState) -> Flow:
        """The question is put whatever they hold, since its absence would tell."""
        choices = [PASSING]
        if sum(leader in LEADERS[HARKONNEN] for leader in g.table[f"dealt/{HARKONNEN}"]) >= 2:
            choices.append(Choice(HandBackTraitors))
        return Ask.one(g.seat_of(HARKONNEN), *choices, why="DUNE-HAR.14", default=Pass(), closed=True)

    @hand_back.answer
    def handed_back(f, g: DuneState, seat: int, act: Pass | HandBackTraitors) -> Flow:
        if isinstance(act, Pass):
            return None
        return_traitors(g, HARKONNEN)
        return goto("deal")

    @step("DUNE-HAR.12")
    def keep(f, g: DuneState) -> Flow:
        for leader in g.table[f"dealt/{HARKONNEN}"]:
            g.move(f"dealt/{HARKONNEN}", TRAITORS[HARKONNEN], leader)
        return None


@source.at(Timing.BEFORE_TRAITORS)
def many_secrets(g: DuneState) -> Frame:
    return ManySecrets()


@source.modifies(Query.STARTING_TREACHERY)
@rule("DUNE-HAR.16")
def ingrained_treachery(g: DuneState, cards: int, faction: str) -> int:
    return 2 if faction == HARKONNEN else cards


# --- Bidding Round


@source.modifies(Query.HAND_LIMIT)
@rule("DUNE-HAR.1")
def master_of_lies(g: DuneState, limit: int, faction: str) -> int:
    return 8 if faction == HARKONNEN else limit


class Duplicitous(Cancellable):
    """A second card from the deck comes with each that the Harkonnen buy, if the hand has room."""

    ability = Ability.DUPLICITOUS
    owner = HARKONNEN

    @rule("DUNE-HAR.2", "DUNE-HAR.4")
    def stands(f, g: DuneState) -> Flow:
        g.draw_treachery(HAND[HARKONNEN])
        return None


@source.at(Timing.CARD_BOUGHT)
@rule("DUNE-HAR.2", "DUNE-HAR.3")
def duplicitous(g: DuneState, buyer: str) -> Frame | None:
    return Duplicitous() if buyer == HARKONNEN and has_room(g, HARKONNEN) else None


FRAMES: tuple[type[Frame], ...] = (ManySecrets, Duplicitous)
