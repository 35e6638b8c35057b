"""Free actions: plays out of turn that cost nothing. Here Guerrilla Training and Scouting; others stand elsewhere."""

from collections.abc import Iterator
from typing import Final

from landsraad_engine.arrakis.acts import Done, RevealTokens, Scout
from landsraad_engine.arrakis.hooks import Permit, Query
from landsraad_engine.arrakis.legions import TurnUpTokens
from landsraad_engine.arrakis.partners import Turn
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, ORNITHOPTER
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.vehicles import take_off
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Subset
from landsraad_engine.kernel.plays import Play

#: The window in which a turn waits for free actions before it passes.
FREE_ACTIONS: Final = "free_actions"


@rule("WFA-F.1", "WFA-F.2", "WFA-F.3", "WFA-G.55")
def may_act_freely(g: ArrakisState, seat: int, kind: str) -> bool:
    """Return whether a seat may take a free action of this kind now: in its own turn, unless the edition differs."""
    own_turn = any(isinstance(frame, Turn) and frame.side == g.side(seat) for frame in g.stack)
    return g.allowed(Permit.FREE_ACTION, seat, kind, default=own_turn)


# ---- Guerrilla Training ----


@rule("WFA-F.4")
def guerrilla_training(g: ArrakisState, seat: int) -> Iterator[Choice]:
    """Tokens that the Atreides may turn up, area by area."""
    if g.side(seat) != ATREIDES or not may_act_freely(g, seat, "guerrilla_training"):
        return
    for area in g.board.names(g.query(Query.TRAINING_AREAS, g.survey().atreides)):
        tokens = g.tokens(area)
        if tokens:
            yield Choice(RevealTokens, why="WFA-F.4", area=OneOf((area,)), tokens=Subset(tokens, 1, len(tokens)))


# ---- Scouting ----


@rule("WFA-F.6", "WFA-P.15")
def scouting(g: ArrakisState, seat: int) -> Iterator[Choice]:
    """The areas that the Harkonnen may scout: those of an ornithopter's sectors that hide something."""
    if g.side(seat) != HARKONNEN or not may_act_freely(g, seat, "scouting"):
        return
    zones = g.zones_with(ORNITHOPTER)
    if not zones or not g.allowed(Permit.SCOUT, default=True):
        return
    survey = g.survey()
    for sietch, tokens in g.query(Query.SCOUTED, ((True, True),)):
        hiding = [
            area
            for area in g.board.names(survey.atreides | survey.sietches)
            if (sietch and g.hidden_sietch(area)) or (tokens and g.tokens(area))
        ]
        for zone in zones:
            areas = tuple([area for area in hiding if zone in g.board.zones_of[area]])
            if areas:
                yield Choice(
                    Scout,
                    why="WFA-F.6",
                    ornithopter=OneOf((zone,)),
                    area=OneOf(areas),
                    sietch=OneOf((sietch,)),
                    tokens=OneOf((tokens,)),
                )


class ScoutArea(Frame):
    """An ornithopter is given up to see what an area hides."""

    ornithopter: str
    area: AreaId
    sietch: bool
    tokens: bool

    @step("WFA-F.6", "WFA-F.9")
    def turn_up(f, g: ArrakisState) -> Flow:
        take_off(g, f.ornithopter)
        if f.sietch:
            g.turn_up_sietch(f.area)
        return TurnUpTokens(area=f.area) if f.tokens and g.tokens(f.area) else None


class FreeActionPoint(Frame):
    """A moment at which a seat may still make free actions: they are plays, so all there is to answer is Done."""

    seats: tuple[int, ...]

    @step("WFA-F.1", "WFA-F.3")
    def wait(f, g: ArrakisState) -> Flow:
        choices = dict.fromkeys(f.seats, (Choice(Done),))
        return Ask.quiet(choices, why="WFA-F.1", window=FREE_ACTIONS, default=Done())

    @wait.answer
    def passed(f, g: ArrakisState, answers: dict[int, Done]) -> Flow:
        return END


PLAYS: Final = (
    Play(RevealTokens, guerrilla_training, lambda _, act: TurnUpTokens(area=act.area, tokens=act.tokens)),
    Play(
        Scout,
        scouting,
        lambda _, act: ScoutArea(ornithopter=act.ornithopter, area=act.area, sietch=act.sietch, tokens=act.tokens),
    ),
)

FRAMES = (ScoutArea, FreeActionPoint)
