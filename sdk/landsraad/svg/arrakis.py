"""War for Arrakis as a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from landsraad.svg.elements import Point, circle, element, path, polygon, regular, star, text
from landsraad.svg.painter import NAMED, Painter
from landsraad_engine.arrakis.content import BoxContent, load
from landsraad_engine.arrakis.futures.facts import TITLES
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, SIDES
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.arrakis.zones import OLD_MAN, WORMS_HELD
from landsraad_engine.kernel.zones import HIDDEN

_TERRAINS: Final = {
    "deep_desert": "deep",
    "desert": "sand",
    "minor_erg": "erg",
    "plateau": "plateau",
    "mountain": "rock",
}
_SHAPES: Final = {HARKONNEN: "square", ATREIDES: "circle"}
_TITLES: Final = {HARKONNEN: "Harkonnen", ATREIDES: "Atreides"}
_FIGURES: Final = ("regular", "elite", "special", "leader")
#: Steps of the tracks that are drawn; markers stand still at the last one.
_STEPS: Final = 10

_Drawn = Callable[[Point, float], str]


class ArrakisPainter(Painter):
    """Draws War for Arrakis."""

    board = "arrakis"
    heading = "Dune: War for Arrakis"
    looseness = 1.0

    def paint(self, view: ArrakisSeatView | None) -> None:
        self.begun = view is not None and "edition" in view.table
        self.content: BoxContent = view.content if view is not None and self.begun else load()
        shown = view if self.begun else None
        told = {area: self._contents(shown, area) if shown else [] for area in self.content.area}
        self.areas(
            lambda area: _TERRAINS[self.content.area[area].terrain],
            lambda area: "; ".join([self._title(area), *told[area]]),
        )
        self.borders(self._border)
        closed = [[self.at(*p) for p in points] for points in self.outline.lines.values()]
        self.parts.append(path(closed, "wall", stroke_width=max(1.6, self.size / 240), data_line="impassable"))
        pieces = [*self._old_man(shown), *self._air(shown), *self._pieces(shown)]
        if self.size >= NAMED:
            crowded = [area for area, words in told.items() if len(words) > 1]
            self.names(((facts.label, (area,)) for area, facts in self.content.area.items()), self.size / 98, crowded)
        self.parts.append(element("g", "\n".join(pieces), class_="pieces"))
        self.header(self.title, self._whose(view))
        if shown:
            self._tables(shown)
        self._legend()

    def _whose(self, view: ArrakisSeatView | None) -> str:
        if view is None:
            return ""
        if not self.begun:
            return "the board is being set up"
        side = _TITLES.get(str(view.side), "spectators" if view.seat is None else f"seat {view.seat}")
        return f"Round {view.round} · seen by {side}"

    # ------------------------------------------------------------------------------------------------------- the board

    def _title(self, area: str) -> str:
        facts = self.content.area[area]
        sectors = ", ".join(self.content.sector[sector].title for sector in facts.sectors)
        return f"{facts.label} ({facts.terrain.replace('_', ' ')}; {sectors})"

    def _border(self, a: str, b: str) -> tuple[str, float]:
        if not b:
            return "edge", 2.6
        areas = self.content.area
        if not set(areas[a].sectors) & set(areas[b].sectors):
            return "sector", 2.6
        return "fine", 0.9

    # ---------------------------------------------------------------------------------------------------------- pieces

    def _contents(self, view: ArrakisSeatView, area: str) -> list[str]:
        """Return what stands in an area, in words."""
        told = []
        if village := view.rank(HARKONNEN, area):
            told.append(f"Harkonnen settlement of rank {village}")
        if sietch := view.table.get(f"sietch/{area}"):
            told.append("Sietch, face down" if sietch[0] == HIDDEN else f"Sietch of rank {sietch[0]}")
        for side in SIDES:
            legion = view.legion(side, area)
            figures = [f"{n} {kind}" for n, kind in zip(legion.units, _FIGURES, strict=True) if n]
            figures += [self.content.leader[leader].title for leader in legion.named]
            if legion.tokens:
                figures.append(f"{len(legion.tokens)} deployment tokens")
            if figures:
                told.append(f"{_TITLES[side]}: {', '.join(figures)}")
        for stem, words in (("worm", "sandworm"), ("wormsign", "wormsign"), ("station", "testing station")):
            if f"{stem}/{area}" in view.table:
                told.append(words)
        told += [f"{n} {kind}" for n, kind in zip(view.vehicle(area), _VEHICLES, strict=True) if n]
        return told

    def _pieces(self, view: ArrakisSeatView | None) -> Iterator[str]:
        for area in self.content.area:
            drawn = list(self._drawn(view, area)) if view else list(self._printed(area))
            for draw, (at, radius) in zip(drawn, self.places(area, len(drawn)) if drawn else (), strict=True):
                self.keep_free(at, radius)
                yield draw(at, radius)

    def _printed(self, area: str) -> Iterator[_Drawn]:
        """Yield what is printed in an area of the empty board."""
        facts = self.content.area[area]
        if facts.settlement_rank:
            yield partial(self._village, str(facts.settlement_rank))
        if facts.sietch:
            yield partial(self._sietch, "")

    def _drawn(self, view: ArrakisSeatView, area: str) -> Iterator[_Drawn]:
        """Yield what stands in an area, the settlement first."""
        if village := view.rank(HARKONNEN, area):
            yield partial(self._village, str(village))
        if sietch := view.table.get(f"sietch/{area}"):
            yield partial(self._sietch, str(sietch[0]))
        for side in SIDES:
            legion = view.legion(side, area)
            if legion.strength or legion.leaders:
                yield partial(self._legion, side, legion.strength, legion.leaders)
        if tokens := view.tokens(area):
            yield partial(self._tokens, tokens)
        if f"worm/{area}" in view.table:
            yield self._worm
        if f"wormsign/{area}" in view.table:
            yield self._wormsign
        if f"station/{area}" in view.table:
            yield self._station
        for kind, number in enumerate(view.vehicle(area)):
            if number:
                yield partial(self._vehicle, kind)
        if view.table.get("atomics") == area:
            yield self._atomics

    def _air(self, view: ArrakisSeatView | None) -> Iterator[str]:
        """Yield the air zones, with their vehicles."""
        for zone, facts in self.content.air_zone.items():
            at = self.mark(zone)
            self.keep_free(at, self.counter)
            ring = circle(at, self.counter * 0.92, "machine", fill_opacity=0.16, stroke_width=self.counter * 0.1)
            initials = "/".join("".join(word[0] for word in sector.split("_")).upper() for sector in facts.sectors)
            tip = element("title", f"Air Zone {initials}")
            kinds = [kind for kind, number in enumerate(view.vehicle(zone)) if number] if view else []
            inside = "".join(self._vehicle(kind, at, self.counter) for kind in kinds)
            yield element("g", tip + ring + inside, data_zone=zone)

    def _village(self, rank: str, at: Point, radius: float) -> str:
        """Return a settlement: a house."""
        (x, y), r = at, radius
        house = [(x - r, y + r * 0.9), (x - r, y - r * 0.25), (x, y - r), (x + r, y - r * 0.25), (x + r, y + r * 0.9)]
        shape = polygon(house, "base-harkonnen", stroke_width=radius * 0.16)
        return shape + self.label((x, y + r * 0.18), rank, radius * 0.86, "in-harkonnen")

    def _sietch(self, rank: str, at: Point, radius: float) -> str:
        """Return a Sietch: a mouth of a cave."""
        (x, y), r = at, radius
        cave = regular((x, y), r, 12, 1 / 24)
        arch = [(px, min(py, y + r * 0.75)) for px, py in cave]
        shape = polygon(arch, "base-atreides", stroke_width=radius * 0.16)
        return shape + (self.label((x, y), rank, radius * 0.86, "in-atreides") if rank else "")

    def _legion(self, side: str, strength: int, leaders: int, at: Point, radius: float) -> str:
        shape = self.shaped(_SHAPES[side], at, radius * (0.88 if side == HARKONNEN else 1), f"side-{side}")
        if strength:
            drawn = shape + self.label(at, str(strength), radius, "on-dark") + self.stars(at, radius, leaders)
        else:  # leaders alone
            drawn = shape + polygon(star(at, radius * 0.66), "on-dark") + self.stars(at, radius, leaders - 1)
        return element("g", drawn, data_piece=side, data_count=strength)

    def _tokens(self, tokens: Sequence[str], at: Point, radius: float) -> str:
        """Return face-down tokens: their number, and for their owner what they are."""
        x, y = at
        drawn = ""
        for step in range(min(len(tokens), 3) - 1, 0, -1):
            drawn += self.shaped("octagon", (x + step * radius * 0.22, y - step * radius * 0.22), radius * 0.9, "back")
        drawn += self.shaped("octagon", at, radius * 0.9, "back")
        known = [token.rpartition("_")[2] for token in tokens if token != HIDDEN]
        words = HIDDEN if not known else "/".join(known)
        words = f"{len(tokens)}{HIDDEN}" if not known and len(tokens) > 1 else words
        return element("g", drawn + self.label(at, words, radius * 0.8, "on-back"), data_back="deployment")

    def _worm(self, at: Point, radius: float) -> str:
        teeth = list(zip(regular(at, radius * 0.9, 9), regular(at, radius * 0.42, 9), strict=True))
        return circle(at, radius, "worm", stroke_width=radius * 0.1) + path(
            teeth, "worm-line", stroke_width=radius * 0.15
        )

    def _old_man(self, view: ArrakisSeatView | None) -> Iterator[str]:
        """Yield the Old Man of the Desert: a maw behind everything else in its sector."""
        if view is None or not view.old_man:
            return
        areas = [each.id for each in self.content.area.values() if view.old_man in each.sectors]
        corners = [corner for area in areas for corner in self.polygons[area]]
        at = (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
        radius = self.counter * 4
        tip = element("title", f"Old Man of the Desert ({self.content.sector[view.old_man].title})")
        yield element("g", tip + self._worm(at, radius), data_piece="old_man", data_sector=view.old_man, opacity=0.5)

    def _wormsign(self, at: Point, radius: float) -> str:
        drawn = circle(at, radius * 0.9, "back", stroke_width=radius * 0.1, stroke_dasharray="3 1.5")
        return element("g", drawn + self.label(at, "~", radius, "on-back"), data_back="wormsign")

    def _station(self, at: Point, radius: float) -> str:
        drawn = polygon(regular(at, radius, 3), "back", stroke_width=radius * 0.12)
        x, y = at
        return element(
            "g", drawn + self.label((x, y + radius * 0.1), HIDDEN, radius * 0.6, "on-back"), data_back="station"
        )

    def _vehicle(self, kind: int, at: Point, radius: float) -> str:
        """Return a harvester (a crawler), an ornithopter (four wings) or a carryall (a wide wing)."""
        (x, y), r = at, radius * 0.86
        thin = radius * 0.09
        match _VEHICLES[kind]:
            case "harvester":
                hull = [
                    (x - r, y + r * 0.3),
                    (x - r * 0.6, y - r * 0.5),
                    (x + r * 0.6, y - r * 0.5),
                    (x + r, y + r * 0.3),
                ]
                wheels = [
                    circle((x + r * i, y + r * 0.5), r * 0.27, "machine", stroke_width=thin) for i in (-0.6, 0, 0.6)
                ]
                drawn = polygon(hull, "machine", stroke_width=thin) + "".join(wheels)
            case "ornithopter":
                wings = [(x - r, y - r * 0.7), (x, y - r * 0.1), (x + r, y - r * 0.7), (x + r * 0.3, y + r * 0.1)]
                wings += [
                    (x + r * 0.8, y + r * 0.8),
                    (x, y + r * 0.35),
                    (x - r * 0.8, y + r * 0.8),
                    (x - r * 0.3, y + r * 0.1),
                ]
                drawn = polygon(wings, "machine", stroke_width=thin)
            case _:
                wing = [(x, y - r * 0.8), (x + r, y + r * 0.4), (x + r * 0.35, y + r * 0.3), (x, y + r * 0.75)]
                wing += [(x - r * 0.35, y + r * 0.3), (x - r, y + r * 0.4)]
                drawn = polygon(wing, "machine", stroke_width=thin)
        return element("g", element("title", _VEHICLES[kind]) + drawn, data_vehicle=_VEHICLES[kind])

    def _atomics(self, at: Point, radius: float) -> str:
        return self.shaped("hexagon", at, radius * 0.9, "spice") + self.label(at, "☢", radius, "on-spice")

    # ---------------------------------------------------------------------------------------------------------- tables

    def _tables(self, view: ArrakisSeatView) -> None:
        self.caption("Tracks")
        self._track("Supremacy", view.supremacy, HARKONNEN)
        for marker in MARKERS:
            self._track(marker.replace("_", " ").title(), view.marker(marker), ATREIDES)
        if OLD_MAN in view.table:
            self.said(self._about_old_man(view), lead="Old Man")
        if view.futures:
            self.said(", ".join(TITLES[number] for number in view.futures), lead="Futures")
        bans = [ban.title for ban in self.content.ban.values() if view.banned(ban.id)]
        if bans:
            self.said(", ".join(bans), lead="Banned")
        for pile, lead in (("prescience_row", "Foreseen"), ("prescience_claimed", "Claimed")):
            cards = [self._card(card) for card in view.table.get(pile, ())]
            if cards:
                self.said(", ".join(cards), lead=lead)
        self._sides(view)
        if view.seat is not None:
            self._own(view, view.seat)

    def _about_old_man(self, view: ArrakisSeatView) -> str:
        if not view.old_man:
            return "off the board"
        held = sum(view.table.get(WORMS_HELD, ()))
        return f"in {self.content.sector[view.old_man].title}, {held} sandworms before the Atreides"

    def _track(self, name: str, step: int, side: str) -> None:
        """Draw a track with its marker."""
        left, right = self.column
        self.parts.append(text((left, self.line), name, self.font, "ink", "start"))
        begin = left + self.font * 10.2
        wide = min((right - begin) / (_STEPS + 1), self.font * 2)
        for each in range(_STEPS + 1):
            at = (begin + wide * (each + 0.5), self.line)
            self.parts.append(circle(at, self.font * 0.12, "faint"))
        at = (begin + wide * (min(step, _STEPS) + 0.5), self.line)
        radius = self.font * 0.66
        self.parts.append(self.shaped(_SHAPES[side], at, radius, f"side-{side}"))
        self.parts.append(self.label(at, str(step), radius, "on-dark"))
        self.line += self.font * 1.6

    def _sides(self, view: ArrakisSeatView) -> None:
        seats = {side: [s for s in range(4) if view.table.get(f"side/{s}") == side] for side in SIDES}
        for side in SIDES:
            self.caption(_TITLES[side])
            supply = view.supply(side)
            units = sum(view.size(side, area) for area in self.content.area)
            cards = sum(len(view.hand(seat)) for seat in seats[side])
            self.said(f"{units} on the board, {sum(supply[:3])} in supply, {cards} cards in hand", lead="Units")
            boards = view.dashboards(side)
            for board in boards:
                dice = ", ".join(f"{name} {n}" for name, n in view.dice(board).items() if n)
                lead = f"Dice of {self.content.dashboard[board].title}" if len(boards) > 1 else "Dice"
                self.said(dice or "none left", lead=lead)
            leaders = [
                f"{self.content.leader[each].title} ({self.content.area[str(view.whereabouts(each))].label})"
                for each in view.leaders_on_board(side)
            ]
            self.said(", ".join(leaders) or "none on the board", lead="Leaders")

    def _own(self, view: ArrakisSeatView, seat: int) -> None:
        self.caption(f"Seen by {_TITLES.get(str(view.side), f'seat {seat}')} alone")
        self.said(", ".join(map(self._card, view.hand(seat))) or "none", lead="Hand")
        objectives = view.table.get("objectives", ())
        if view.side == ATREIDES and objectives:
            self.said(", ".join(map(self._card, objectives)), lead="Objective")

    def _card(self, card: str) -> str:
        """Return the title of a card."""
        for table in (self.content.planning_card, self.content.prescience_card, self.content.objective):
            if card in table:
                return str(table[card].title)
        return card

    def _legend(self) -> None:
        self.caption("Legend")
        icons: list[tuple[_Drawn, str]] = [
            *[(partial(self._legion, side, 4, 1), f"{_TITLES[side]} legion, with a leader") for side in SIDES],
            (partial(self._tokens, (HIDDEN,)), "face-down token"),
            (partial(self._village, "2"), "settlement and rank"),
            (partial(self._sietch, HIDDEN), "Sietch"),
            (self._worm, "sandworm"),
            (self._wormsign, "wormsign"),
            (self._station, "testing station"),
            *[(partial(self._vehicle, kind), name) for kind, name in enumerate(_VEHICLES)],
            (self._zone_icon, "air zone"),
            (partial(self._line_icon, "sector", 2.4), "border of sectors"),
            (partial(self._line_icon, "wall", 3.0), "impassable"),
            *[(self.swatch(kind), terrain.replace("_", " ")) for terrain, kind in _TERRAINS.items()],
        ]
        self.icons(icons)

    def _zone_icon(self, at: Point, radius: float) -> str:
        return circle(at, radius * 0.92, "machine", fill_opacity=0.16, stroke_width=radius * 0.12)

    def _line_icon(self, class_: str, thick: float, at: Point, radius: float) -> str:
        return path([((at[0] - radius, at[1]), (at[0] + radius, at[1]))], class_, stroke_width=thick)


_VEHICLES: Final = ("harvester", "ornithopter", "carryall")
