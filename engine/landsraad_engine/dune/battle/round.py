"""6: Battle Round: which battles there are, and in which order they are fought."""

from landsraad_engine.dune.acts import ChooseBattle
from landsraad_engine.dune.battle.battle import Battle
from landsraad_engine.dune.board import POLAR_SINK, Part, part_of
from landsraad_engine.dune.words import BATTLE_OF, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Rows


class BattleRound(Frame):
    """Player by player in dot order: each is Aggressor until all battles of their tokens are fought.

    ``turn`` counts the players who have been Aggressor.
    """

    turn: int = 0

    @step("DUNE-6.13")
    def begin(f, g: DuneState) -> Flow:
        for mark in BATTLE_OF.values():
            g.set_mark(mark, None)
        return None

    @step("DUNE-6.5", "DUNE-6.6", "DUNE-6.7", "DUNE-6.8")
    def next_battle(f, g: DuneState) -> Flow:
        order = g.dot_order()
        while f.turn < len(order):
            battles = disputes(g, order[f.turn])
            if len(battles) == 1:
                return f.fought(g, *battles[0])
            if battles:
                return goto("choose")
            f.turn += 1
        return END

    @step("DUNE-6.6", "DUNE-6.8")
    def choose(f, g: DuneState) -> Flow:
        aggressor = g.dot_order()[f.turn]
        rows = tuple((part[0], opponent) for part, opponent in disputes(g, aggressor))
        choice = Choice(
            ChooseBattle,
            Rows(("place", "opponent"), rows),
            place=OneOf(tuple(dict.fromkeys(place for place, _ in rows)), why="DUNE-6.2"),
            opponent=OneOf(tuple(dict.fromkeys(opponent for _, opponent in rows)), why="DUNE-6.2"),
        )
        return Ask.one(g.seat_of(aggressor), choice, why="DUNE-6.6")

    @choose.answer
    def chosen(f, g: DuneState, seat: int, act: ChooseBattle) -> Flow:
        return f.fought(g, part_of(act.place, g.storm), act.opponent)

    def fought(f, g: DuneState, part: Part, opponent: str) -> Flow:
        """Fight this battle, then see what is left to fight."""
        return Call(Battle(part, g.dot_order()[f.turn], opponent), "next_battle")


@rule("DUNE-6.1", "DUNE-6.2", "DUNE-6.3", "DUNE-6.4", "DUNE-1.19", "DUNE-BG.18", "DUNE-R.36")
def disputes(g: DuneState, faction: str) -> list[tuple[Part, str]]:
    """The battles that a faction has to fight: the territory, or part of one, and the opponent."""
    storm = g.storm
    own = {part_of(cell, storm) for cell, (tokens, elites, _) in g.on_board(faction) if tokens or elites}
    found = []
    for part in sorted(own):
        if POLAR_SINK in part:
            continue
        present = g.present(part)
        if faction in present:
            found += [(part, other) for other in present if other != faction and not g.allied(faction, other)]
    return found


FRAMES = (BattleRound,)
