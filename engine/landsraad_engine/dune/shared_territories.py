"""Allies who share a territory: one is Primary there, and the other's tokens count for nothing.

They come to share one as they become allies, or as the storm has moved. Tokens that arrive are no occasion: where an
ally stands the Bene Gesserit alone come or are come to, and theirs then coexist at once.
"""

from collections import Counter
from typing import Any

from landsraad_engine.dune.acts import NamePrimary
from landsraad_engine.dune.alliances import end_primaries
from landsraad_engine.dune.board import CELLS, POLAR_SINK, Cell, Part, cells_of, part_of
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.words import PRIMARY, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.overrides import OverrideOrder, Source

source = Source("allies")


@rule("DUNE-5.20", "DUNE-5.25")
def sharing(g: DuneState, part: Part) -> tuple[str, ...]:
    """The allies who share a part of a territory, in dot order: not in the Polar Sink, not those who coexist."""
    if part[0] == POLAR_SINK:
        return ()
    here = [faction for faction in g.dot_order() if g.allies(faction) and any(g.tokens_in(faction, part)[:2])]
    return tuple(faction for faction in here if any(ally in here for ally in g.allies(faction)))


@rule("DUNE-5.20", "DUNE-5.22")
def unsettled(g: DuneState) -> Part | None:
    """The first part that allies share without a Primary."""
    allied = [faction for faction in g.factions() if g.allies(faction)]
    if not allied:
        return None
    standing = Counter(
        part
        for faction in allied
        for part in {part_of(cell, g.storm) for cell, counts in g.on_board(faction) if counts[0] or counts[1]}
    )
    crowded = {part for part, factions in standing.items() if factions > 1}
    for part in sorted(crowded, key=lambda part: CELLS.index(part[0])) if crowded else ():
        if sharing(g, part) and not any(PRIMARY[cell] in g.table for cell in part):
            return part
    return None


@rule("DUNE-5.22", "DUNE-5.20")
def follow_the_storm(g: DuneState) -> None:
    """The storm has moved: the Primary of a territory stays so in every part that it makes of it.

    Where it joins parts that have different ones, the allies have come to stand together anew.
    """
    for cells in cells_of.values():
        marked = [cell for cell in cells if PRIMARY[cell] in g.table]
        primaries = tuple(dict.fromkeys([g.table[PRIMARY[cell]] for cell in marked]))
        for part in dict.fromkeys([part_of(cell, g.storm) for cell in cells]) if marked else ():
            here = [cell for cell in marked if cell in part]
            if len(primaries) == 1 and primaries[0] in sharing(g, part):
                g.set_mark(PRIMARY[part[0]], primaries[0])
            elif any(g.table[PRIMARY[cell]] != g.table[PRIMARY[here[0]]] for cell in here):
                for cell in here:
                    g.set_mark(PRIMARY[cell], None)
    end_primaries(g)


class SharedTerritories(Frame):
    """Every territory that allies have come to share gets its Primary."""

    @step("DUNE-5.20")
    def each(f, g: DuneState) -> Flow:
        part = unsettled(g)
        return Call(ShareTerritory(part=part), "each") if part else END


class ShareTerritory(Frame):
    """Allies who share a territory name the Primary among them."""

    part: Part

    @step("DUNE-5.24")
    def by_the_terms_of_the_alliance(f, g: DuneState) -> Flow:
        allies = sharing(g, f.part)
        agreed = g.table.get(f"agreed_primary/{allies[0]}")
        if agreed not in allies:
            return None
        g.set_mark(PRIMARY[f.part[0]], agreed)
        return END

    @step("DUNE-5.20", "DUNE-5.23")
    def name(f, g: DuneState) -> Flow:
        allies = sharing(g, f.part)
        choice = Choice(NamePrimary, faction=OneOf(allies))
        return Ask.sealed(
            {g.seat_of(ally): (choice,) for ally in allies}, why="DUNE-5.20", default=NamePrimary(allies[0])
        )

    @name.answer
    def named(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        names = {act.faction for act in answers.values()}
        # Who disagree have the one whose dot comes first.
        primary = names.pop() if len(names) == 1 else sharing(g, f.part)[0]
        g.set_mark(PRIMARY[f.part[0]], primary, rule="DUNE-5.23")
        return END


@source.at(Timing.ALLIANCE_FORMED, order=OverrideOrder.LAST)
@rule("DUNE-5.20")
def alliance_formed(g: DuneState, *members: str) -> Frame | None:
    return SharedTerritories() if unsettled(g) else None


@source.at(Timing.STORM_MOVED, order=OverrideOrder.LAST)
@rule("DUNE-5.20")
def storm_moved(g: DuneState) -> Frame | None:
    follow_the_storm(g)
    return SharedTerritories() if unsettled(g) else None


@source.at(Timing.TOKENS_GONE, order=OverrideOrder.LAST)
@rule("DUNE-5.22")
def tokens_gone(g: DuneState, *cells: Cell) -> Frame | None:
    if not any(PRIMARY[near] in g.table for cell in cells for near in part_of(cell, g.storm)):
        return None
    end_primaries(g)
    return SharedTerritories() if unsettled(g) else None


FRAMES = (SharedTerritories, ShareTerritory)
