"""8: Control Round: who has gained Control of Dune."""

from collections.abc import Iterable
from typing import Final

from landsraad_engine.dune import bonuses
from landsraad_engine.dune.board import SPECIAL, STRONGHOLDS, Territory
from landsraad_engine.dune.hooks import Query, Timing
from landsraad_engine.dune.words import BRIBES, SPICE, DuneState
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step

CONQUEST: Final = "conquest"
STALEMATE: Final = "stalemate"
#: The statement by which each ending ends the game: the log tells it with the result.
ENDED_BY: Final = {
    CONQUEST: "DUNE-8.2",
    "prediction": "DUNE-8.12",
    "liets_plan": "DUNE-8.15",
    "spice_must_flow": "DUNE-8.18",
    STALEMATE: "DUNE-8.20",
}

#: (number of players, size of the alliance) -> strongholds needed; what is missing cannot conquer
NEEDED: Final = {
    (2, 1): 4,
    (3, 1): 4,
    (3, 2): 5,
    (4, 1): 3,
    (4, 2): 4,
    (5, 1): 3,
    (5, 2): 4,
    (6, 1): 3,
    (6, 2): 4,
    (6, 3): 5,
}

#: A way to have won, and who has: the result kind and the winning factions.
Verdict = tuple[str, tuple[str, ...]]


@rule("DUNE-V.10", "DUNE-V.12", "DUNE-V.14")
def strongholds(g: DuneState) -> tuple[Territory, ...]:
    """The territories that count for conquest."""
    wall = (SPECIAL.family_atomics_target,) if g.table.get("shield_wall_stronghold") else ()
    return STRONGHOLDS + wall


@rule("DUNE-0.16", "DUNE-8.9", "DUNE-R.44")
def sides(g: DuneState) -> Iterable[tuple[str, ...]]:
    """Those who can only win together: alliances, and factions by themselves, in dot order."""
    for faction in g.dot_order():
        side = tuple(other for other in g.dot_order() if other == faction or g.allied(faction, other))
        if side[0] == faction:
            yield side


@rule(
    "DUNE-0.2",
    "DUNE-0.15",
    "DUNE-0.17",
    "DUNE-8.3",
    "DUNE-8.4",
    "DUNE-8.5",
    "DUNE-8.6",
    "DUNE-8.7",
    "DUNE-8.8",
    "DUNE-8.10",
)
def conquest(g: DuneState) -> Verdict | None:
    """The first side that holds as many strongholds as its size needs."""
    held = [g.holder(stronghold) for stronghold in strongholds(g)]
    for side in sides(g):
        needed = NEEDED.get((len(g.factions()), len(side)))
        if needed is not None and sum(holder in side for holder in held) >= needed:
            return CONQUEST, side
    return None


class ControlRound(Frame):
    """Bribes are taken; then it shows whether somebody has won, or the game is over."""

    kind: str = ""
    winners: tuple[str, ...] = ()

    @step("DUNE-8.1", "DUNE-0.24", "DUNE-R.21")
    def take_bribes(f, g: DuneState) -> Flow:
        for faction in g.dot_order():
            g.transfer(BRIBES[faction], SPICE[faction], g.table.get(BRIBES[faction], 0))
        return None

    @step("DUNE-8.2", "DUNE-0.1", "DUNE-8.20", "DUNE-V.7")
    def verdict(f, g: DuneState) -> Flow:
        verdict = conquest(g)
        if g.turn >= g.options["length"]:
            verdict = g.query(Query.LAST_TURN, verdict) or (STALEMATE, ())
        if verdict is None:
            return goto("return_bonuses")
        f.kind, f.winners = g.query(Query.VERDICT, verdict)
        return g.at(Timing.GAME_WON, f.kind)

    @step("DUNE-8.2", "DUNE-8.12", "DUNE-8.15", "DUNE-8.18", "DUNE-8.20")
    def game_over(f, g: DuneState) -> Flow:
        g.finish(f.kind, tuple(sorted(g.seat_of(winner) for winner in f.winners)), ENDED_BY[f.kind])
        return END

    @step("DUNE-8.11")
    def return_bonuses(f, g: DuneState) -> Flow:
        bonuses.take_back(g)
        return g.at(Timing.TURN_ENDS)


FRAMES = (ControlRound,)
