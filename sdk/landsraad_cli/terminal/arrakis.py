"""War for Arrakis in the terminal: its names, its sentences, and its board as a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from landsraad_cli.terminal.arrakis_questions import WORDS, ArrakisQuestions
from landsraad_cli.terminal.names import Names, humanised
from landsraad_cli.terminal.picture import AMPLE, Room
from landsraad_cli.terminal.sentences import templates_of
from landsraad_engine.arrakis.components import AirZone, AreaFacts
from landsraad_engine.arrakis.content import BoxContent, load
from landsraad_engine.arrakis.futures.facts import TITLES
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, SIDES
from landsraad_engine.arrakis.terms import EDITIONS, MARKERS, SIDE_OF
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.arrakis.zones import RESERVE, RESTING, WORMS_HELD
from landsraad_engine.kernel.zones import HIDDEN
from landsraad_engine.knowledge.views import SeatView

COLOURS: Final = {HARKONNEN: "bright_red", ATREIDES: "bright_green"}
_INITIAL: Final = {HARKONNEN: "H", ATREIDES: "A"}
_WORM: Final = "bold magenta"
_TERRAIN: Final = {
    "deep_desert": ("·", "dim yellow"),
    "desert": ("∙", "yellow"),
    "minor_erg": ("≈", "yellow"),
    "plateau": ("▪", "grey62"),
    "mountain": ("▲", "grey50"),
}
#: Columns and rows of the map if there is room.
_WIDTH: Final = 96
_HEIGHT: Final = 30
#: Offsets of rows and columns for a mark whose place is taken.
_ASIDE: Final = tuple((row, column) for row in (0, 1, -1) for column in (0, 1, -1, 2, -2, 3, -3))
_LEGEND: Final = (
    "H7* A5 legions: units, leaders   ? face-down tokens   V1 S2 settlements: rank   "
    "W sandworm   w wormsign   h harvester   o ornithopter   c carryall   x station"
)


def _names() -> Names:
    titles = {side: side.capitalize() for side in SIDES} | {marker: _capitals(marker) for marker in MARKERS}
    styles = {**COLOURS, "sandworm": _WORM}
    for edition in EDITIONS:
        content = load(edition=edition)
        for token in content.deployment_token.values():
            titles[token.id] = f"deployment token {_capitals(token.id)}"
        titles |= {box.id: box.title for box in content.dashboard.values()}
        titles |= {sector: _capitals(sector) for sector in content.sector}
        titles |= {area.id: area.label for area in content.area.values()}
        titles |= {zone.id: f"Air Zone {'/'.join(map(_initials, zone.sectors))}" for zone in content.air_zone.values()}
        for table in (content.leader, content.planning_card, content.prescience_card, content.objective, content.ban):
            titles |= {row.id: row.title for row in table.values()}
        styles |= {leader.id: COLOURS[SIDE_OF[leader.side]] for leader in content.leader.values()}
    counted = WORDS.counted | {deck: (f"{_capitals(deck)} card", f"{_capitals(deck)} cards") for deck in SIDE_OF}
    return Names(titles, styles, WORDS.units, counted)


def _initials(sector: str) -> str:
    """Abbreviate a sector as the labels of its areas do: north_east is NE."""
    return "".join(word[0] for word in sector.split("_")).upper()


def _capitals(word: str) -> str:
    return word.replace("_", " ").title()


class ArrakisPicture(ArrakisQuestions):
    """The picture of a match of War for Arrakis."""

    names = _names()
    templates = templates_of(WORDS)
    talkative = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        #: the halves of shared factions, by seat
        self.halves: dict[int, str] = {}

    def player(self, seat: int) -> str | None:
        return self.halves.get(seat) or super().player(seat)

    def know(self, view: SeatView) -> None:
        super().know(view)
        led = {seat: view.table.get(f"powers/{seat}") for seat in self.sides}
        self.halves = {seat: powers[0] for seat, powers in led.items() if powers}

    def special(self, key: tuple[str, ...], parts: dict[str, Any]) -> Text | None:
        say = self.names.say
        match key:
            case ("set", "powers") if parts["v"]:
                self.halves[int(parts["k1"])] = parts["v"][0]
            case ("set", "cone"):
                sentence = "may confer in private" if parts["v"] else "fall silent"
                return Text.assemble("The partners of the ", say(parts["k1"]), f" {sentence}")
            case ("set", "ban"):
                return Text.assemble("The Imperium ", "imposes " if parts["v"] else "lifts ", say(parts["k1"]))
            case ("set", "settlement") if parts["v"] is None:
                return Text.assemble("The settlement in ", say(parts["k1"]), " is destroyed", style="bold")
            case ("set", "figure") if str(parts["v"]).startswith("tank/"):
                return Text.assemble(say(parts["k1"]), " goes into the regeneration tank")
            case ("set", "old_man"):
                if parts["v"] in (RESERVE, RESTING):
                    return Text("The Old Man of the Desert is off the board", "dim")
                return Text.assemble("The Old Man of the Desert is in ", say(parts["v"]), style="bold")
            case ("set", "futures"):
                futures = (f"{each}: {TITLES[int(each)]}" for each in parts["v"])
                return Text(f"Possible Futures: {'; '.join(futures)}", "bold")
            case ("declare", "objective_met") if parts["v"]:
                return Text("The Atreides' objective is met", "bold")
        return None

    # --------------------------------------------------------------------------------------------------------- drawing

    def board(self, view: SeatView, room: Room = AMPLE) -> RenderableType:
        assert isinstance(view, ArrakisSeatView)
        if "edition" not in view.table:
            return Text("The board is being set up.")
        tracks, width = self._tracks(view), min(_WIDTH, room.width)
        legend, sides = Text(_LEGEND, "dim"), self._sides(view, full=room.rows is None)
        if room.rows is None:
            return Group(tracks, _map(view, width, _HEIGHT), legend, self._where(view), sides)
        taken = -(-tracks.cell_len // room.width) + 1 + sides.row_count
        return Group(tracks, _map(view, width, max(1, min(_HEIGHT, room.rows - taken))), sides, legend)

    def own(self, view: SeatView) -> Iterator[tuple[str, Any]]:
        assert isinstance(view, ArrakisSeatView)
        assert view.seat is not None
        yield "Hand", view.hand(view.seat)
        if view.side == ATREIDES:
            yield "Objectives", view.table.get("objectives")

    def _tracks(self, view: ArrakisSeatView) -> Text:
        bans = [humanised(ban) for ban in view.content.ban if view.banned(ban)]
        line = Text.assemble(f"Round {view.round}   ", ("supremacy ", COLOURS[HARKONNEN]), f"{view.supremacy}   ")
        line.append("prescience ", COLOURS[ATREIDES])
        line.append("  ".join(f"{self.names.title(marker)} {view.marker(marker)}" for marker in MARKERS))
        if view.old_man:
            held = sum(view.table.get(WORMS_HELD, ()))
            line.append(f"   Old Man of the Desert in {_capitals(view.old_man)}, sandworms left {held}", _WORM)
        return line.append(f"   banned: {', '.join(bans)}" if bans else "")

    def _where(self, view: ArrakisSeatView) -> Text:
        """List the names of the places that have marks on the map."""
        places = (*view.content.area, *view.content.air_zone)
        marked = ((self.names.title(place), list(_marks(view, place))) for place in places)
        return Text("; ").join(
            Text.assemble(f"{label} ", *marks) for label, marks in sorted(marked, key=lambda each: each[0]) if marks
        )

    def _sides(self, view: ArrakisSeatView, *, full: bool) -> Table:
        """Return a table of both sides. In `full` it includes their leaders, in several rows if need be."""
        table = Table(box=None, pad_edge=False)
        for head in ("Side", "Units", "Supply", "Dice left", "Cards", *["Leaders on the board"] * full):
            table.add_column(head, no_wrap=not full)
        for side in SIDES:
            seats = [seat for seat in self.sides if self.sides[seat] == side]
            leaders = view.leaders_on_board(side)
            table.add_row(
                self.names.name(side),
                str(sum(view.size(side, area) for area in view.content.area)),
                str(sum(view.supply(side)[:3])),
                self._dice(view, side),
                str(sum(len(view.hand(seat)) for seat in seats)),
                *[self.names.listed(map(self.names.name, leaders)) if leaders else Text("none")] * full,
            )
        return table

    def _dice(self, view: ArrakisSeatView, side: str) -> str:
        """List the dice on the dashboards of a side, those of its halves one after the other."""
        boards = view.dashboards(side)
        dice = {board: ", ".join(f"{name} {left}" for name, left in view.dice(board).items()) for board in boards}
        if len(boards) == 1:
            return dice[boards[0]] or "none"
        return "; ".join(f"{self.names.title(board)}: {left or 'none'}" for board, left in dice.items())


def _map(view: ArrakisSeatView, width: int, height: int) -> Text:
    """Draw the map: each area at its place, with its marks or its terrain. Marks never cover others."""
    canvas: dict[tuple[int, int], tuple[str, str]] = {}
    content: BoxContent = view.content
    quiet = []
    places: list[AreaFacts | AirZone] = [*content.area.values(), *content.air_zone.values()]
    for facts in places:
        letters = [(letter, style) for word, style in _marks(view, facts.id) for letter in word]
        row, column = int(facts.y * height / 100), int(facts.x * (width - 4) / 100)
        if not letters:
            if facts.id in content.area:
                quiet.append((row, column, _TERRAIN[content.area[facts.id].terrain]))
            continue
        left = max(0, min(column - len(letters) // 2, width - len(letters)))
        canvas.update(_placed(canvas, letters, row, left, width, height))
    for row, column, cell in quiet:
        canvas.setdefault((row, column), cell)
    rows = []
    for row in range(height):
        cells = (canvas.get((row, column), (" ", "")) for column in range(width))
        rows.append(Text.assemble(*cells))
    return Text("\n").join(rows)


def _placed(
    taken: Mapping[tuple[int, int], Any], letters: Sequence[Any], row: int, left: int, width: int, height: int
) -> dict[tuple[int, int], Any]:
    """Place letters at a spot or close to it, where the map is free; at the spot itself if there is no such place."""
    for down, right in _ASIDE:
        cells = {(row + down, left + right + at): letter for at, letter in enumerate(letters)}
        inside = 0 <= row + down < height and left + right >= 0 and left + right + len(letters) <= width
        # Two adjacent marks would look like one.
        around = ((row + down, left + right + at) for at in (-1, len(letters)))
        if inside and not any(place in taken for place in (*cells, *around)):
            return cells
    return {(row, left + at): letter for at, letter in enumerate(letters)}


def _marks(view: ArrakisSeatView, area: str) -> Iterator[tuple[str, str]]:
    """Yield short marks for everything in an area or an air zone."""
    table: Mapping[str, Any] = view.table
    for letter, number in zip("hoc", view.vehicle(area), strict=True):
        if number:
            yield letter, "bold cyan"
    if area in view.content.air_zone:
        return
    if village := view.rank(HARKONNEN, area):
        yield f"V{village}", COLOURS[HARKONNEN]
    if sietch := table.get(f"sietch/{area}"):
        yield "S" + sietch[0].replace(HIDDEN, ""), COLOURS[ATREIDES]
    for side in SIDES:
        legion = view.legion(side, area)
        if legion.strength or legion.leaders:
            yield f"{_INITIAL[side]}{legion.strength or ''}{'*' * legion.leaders}", f"bold {COLOURS[side]}"
        if legion.tokens:
            yield "?" * len(legion.tokens), COLOURS[side]
    for stem, letter, style in (("worm", "W", _WORM), ("wormsign", "w", "magenta"), ("station", "x", "cyan")):
        if f"{stem}/{area}" in table:
            yield letter, style
