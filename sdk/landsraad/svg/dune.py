"""Classic Dune as a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from landsraad.svg.elements import Point, circle, element, path, polygon, regular, text
from landsraad.svg.painter import NAMED, Painter
from landsraad_engine.dune.board import (
    DOTS,
    SECTORS,
    SPICE,
    STRONGHOLDS,
    cells_of,
    name_of,
    sector_of,
    terrain,
    territory_of,
)
from landsraad_engine.dune.pieces import FACTION, FACTIONS, LEADER_TITLE, TREACHERY_TITLE
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.zones import HIDDEN

#: Each faction's letter, shape, and the class of what is written on its counters.
_LOOKS: Final = {
    "atreides": ("A", "circle", "on-dark"),
    "bene_gesserit": ("B", "diamond", "on-dark"),
    "emperor": ("E", "octagon", "on-dark"),
    "fremen": ("F", "hexagon", "on-light"),
    "guild": ("G", "square", "on-light"),
    "harkonnen": ("H", "pentagon", "on-dark"),
}
#: The part of a counter's radius that a number may take.
_ROOM: Final = {"circle": 1.0, "diamond": 0.8, "octagon": 1.0, "hexagon": 1.0, "square": 1.0, "pentagon": 0.92}
_TERRAINS: Final = {"sand": "sand", "rock": "rock", "stronghold": "stronghold", "polar_sink": "sink"}
_WORM: Final = "shai_hulud"
#: Cells that are too small for their names.
_CASTLES: Final = frozenset(cell for t in STRONGHOLDS for cell in cells_of[t])


class DunePainter(Painter):
    """Draws classic Dune."""

    board = "dune"
    heading = "Dune"

    def paint(self, view: DuneSeatView | None) -> None:
        told = self._contents(view) if view else {}
        self.areas(
            lambda cell: _TERRAINS[terrain[territory_of[cell]]],
            lambda cell: "; ".join([self._title(cell), *told.get(cell, ())]),
        )
        self.borders(self._border)
        if view and view.storm:
            self._storm(view)
        self._rim(view)
        pieces = list(self._pieces(view)) if view else []
        self._spots(view)
        if self.size >= NAMED:
            self.names(((name_of[t], cells_of[t]) for t in name_of), self.size / 92, _CASTLES)
        self.parts.append(element("g", "\n".join(pieces), class_="pieces"))
        whose = "" if view is None else _whose(view)
        turn = f"Turn {view.turn}" if view and view.turn else ""
        self.header(self.title, " · ".join(filter(None, (turn, whose))))
        if view:
            self._tables(view)
        self._legend()

    # ------------------------------------------------------------------------------------------------------- the board

    def _title(self, cell: str) -> str:
        territory = territory_of[cell]
        sector = f", sector {sector_of[cell]}" if sector_of[cell] else ""
        return f"{name_of[territory]}{sector} ({terrain[territory].replace('_', ' ')})"

    def _border(self, a: str, b: str) -> tuple[str, float]:
        if not b:
            return "edge", 2.4
        if "stronghold" in {terrain[territory_of[a]], terrain[territory_of[b]]}:
            return "edge", 2.4
        return ("edge", 1.3) if territory_of[a] != territory_of[b] else ("", 0.0)

    def _storm(self, view: DuneSeatView) -> None:
        """Shade the sector under the storm."""
        cells = [cell for cell in territory_of if sector_of[cell] == view.storm]
        shades = [polygon(self.polygons[cell], "storm") for cell in cells]
        self.parts.append(element("g", "".join(shades), class_="storm-sector"))

    def _rim(self, view: DuneSeatView | None) -> None:
        """Draw the lines between sectors, the players' dots and the storm marker."""
        lines = [[self.at(*p) for p in points] for points in self.outline.lines.values()]
        dash = f"{self.size / 140:.1f} {self.size / 160:.1f}"
        thin = max(0.5, self.size / 1100)
        self.parts.append(path(lines, "sector", stroke_width=thin, stroke_dasharray=dash, opacity=0.75))
        seated = {DOTS[view.table[f"dot/{f}"]]: f for f in FACTIONS if f"dot/{f}" in view.table} if view else {}
        for sector in range(1, SECTORS + 1):
            at = self.mark(f"storm_{sector}")
            if view and sector == view.storm:
                self.parts.append(self._eye(at, self.counter * 1.15))
            else:
                self.parts.append(text(at, str(sector), self.counter, "faint"))
        for sector in DOTS:
            at = self.mark(f"dot_{sector}")
            faction = seated.get(sector)
            if faction:
                self.parts.append(self._disc(at, self.counter, faction, _LOOKS[faction][0]))
            else:
                self.parts.append(circle(at, self.counter * 0.8, "rule", stroke_width=self.counter * 0.16))

    def _eye(self, at: Point, radius: float) -> str:
        """Return the storm marker: a whirl."""
        x, y = at
        r = radius * 0.62
        small = r * 0.55
        whirl = f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 0 1 {2 * r:.1f} 0"
        whirl += f"a{small:.1f} {small:.1f} 0 0 1 {-2 * small:.1f} 0"
        line = element("path", d=whirl, class_="eye-line", stroke_width=radius * 0.2)
        return circle(at, radius, "eye", stroke_width=radius * 0.1) + line

    def _disc(self, at: Point, radius: float, faction: str, words: str) -> str:
        _, shape, on = _LOOKS[faction]
        return self.shaped(shape, at, radius, f"f-{faction}") + self.label(at, words, radius * _ROOM[shape], on)

    # ---------------------------------------------------------------------------------------------------------- pieces

    def _contents(self, view: DuneSeatView) -> dict[str, list[str]]:
        """Return what stands in each cell, in words."""
        told: dict[str, list[str]] = {}
        for cell in territory_of:
            words = [f"{_name(f)} {_counted(view.troops(f, cell))}" for f in view.occupants((cell,))]
            spice = view.table.get(f"blow/{cell}", 0)
            told[cell] = words + ([f"{spice} spice"] if spice else [])
        return told

    def _pieces(self, view: DuneSeatView) -> Iterator[str]:
        for cell in territory_of:
            forces = view.occupants((cell,))
            spice = view.table.get(f"blow/{cell}", 0)
            worm = view.table.get("worm_at") == territory_of[cell] and cell == cells_of[territory_of[cell]][0]
            count = len(forces) + bool(spice) + worm
            if not count:
                continue
            spots = self.places(cell, count)
            for faction, (at, radius) in zip(forces, spots, strict=False):
                self.keep_free(at, radius)
                yield self._force(view, faction, cell, at, radius)
            for draw, (at, radius) in zip(
                [*[self._spice_drawn(spice)] * bool(spice), *[self._worm] * worm], spots[len(forces) :], strict=False
            ):
                self.keep_free(at, radius)
                yield draw(at, radius)

    def _force(self, view: DuneSeatView, faction: str, cell: str, at: Point, radius: float) -> str:
        tokens, elites, coexisting = view.troops(faction, cell)
        _, shape, on = _LOOKS[faction]
        faint = not (tokens or elites)
        drawn = self.shaped(shape, at, radius, f"f-{faction}", stroke_dasharray="3 2" if faint else None)
        drawn += self.label(at, str(tokens + elites + coexisting), radius * _ROOM[shape], on)
        drawn += self.stars(at, radius, elites)
        return element(
            "g", drawn, data_piece=f"{faction} {cell}", data_count=tokens + elites + coexisting,
            opacity=0.75 if faint else None,
        )  # fmt: skip

    def _spice_drawn(self, amount: int) -> Callable[[Point, float], str]:
        def drawn(at: Point, radius: float) -> str:
            shape = polygon(regular(at, radius * 1.12, 4), "spice", stroke_width=radius * 0.1)
            return element("g", shape + self.label(at, str(amount), radius * 0.78, "on-spice"), data_spice=amount)

        return drawn

    def _worm(self, at: Point, radius: float) -> str:
        teeth = [(p, q) for p, q in zip(regular(at, radius * 0.9, 8), regular(at, radius * 0.45, 8), strict=True)]
        return circle(at, radius, "worm", stroke_width=radius * 0.1) + path(
            teeth, "worm-line", stroke_width=radius * 0.16
        )

    def _spots(self, view: DuneSeatView | None) -> None:
        """Mark the cells in which spice blows, where nothing lies."""
        small = self.counter * 0.36
        drawn = []
        for cell, _ in SPICE.values():
            if view and (view.table.get(f"blow/{cell}", 0) or view.occupants((cell,))):
                continue
            at, _ = self.places(cell, 1)[0]
            drawn.append(polygon(regular(at, small, 4), "spice", opacity=0.55))
            self.keep_free(at, small)
        self.parts.append(element("g", "".join(drawn), class_="spice-fields"))

    # ---------------------------------------------------------------------------------------------------------- tables

    def _tables(self, view: DuneSeatView) -> None:
        sides = [side for key, side in view.table.items() if key.startswith("side/")]
        factions = list(dict.fromkeys((*view.dot_order(), *[side for side in sides if side in FACTIONS])))
        if factions:
            self.caption("Factions, in the order of the storm")
            self._factions(view, factions)
        if view.side in FACTIONS:
            self._own(view, str(view.side))
        self._open(view)

    def _factions(self, view: DuneSeatView, factions: Sequence[str]) -> None:
        left, right = self.column
        wide = right - left
        heads = ("Spice", "Cards", "Reserve", "Tanks", "Leaders")
        at = [left + wide * part for part in (0.49, 0.59, 0.72, 0.87, 1.0)]
        small = self.font * 0.8
        for head, x in zip(heads, at, strict=True):
            self.parts.append(text((x, self.line), head, small, "faint", "end"))
        self.line += self.font * 1.45
        for faction in factions:
            own = faction == view.side
            self.parts.append(
                self._disc((left + self.font * 0.7, self.line), self.font * 0.62, faction, _LOOKS[faction][0])
            )
            allies = ", ".join(_LOOKS[ally][0] for ally in view.allies(faction))
            name = f"{_name(faction)}{f' + {allies}' if allies else ''}"
            self.parts.append(
                text((left + self.font * 1.7, self.line), name, self.font, f"ink{' bold' * own}", "start")
            )
            spice = view.table.get(f"spice/{faction}")
            fought = len(view.table.get(f"fought/{faction}", ()))
            hidden = spice is None and not own
            figures = (
                HIDDEN if hidden else spice or 0,
                len(view.hand(faction)),
                _short(view.reserves(faction)),
                _short(view.tanks(faction)),
                len(view.leaders(faction)) + fought,
            )
            for figure, x in zip(figures, at, strict=True):
                self.parts.append(text((x, self.line), str(figure), self.font, "ink", "end"))
            self.line += self.font * 1.5

    def _own(self, view: DuneSeatView, faction: str) -> None:
        self.caption(f"Seen by {_name(faction)} alone")
        hand = [TREACHERY_TITLE.get(card, HIDDEN) for card in view.hand(faction)]
        self.said(", ".join(hand) or "none", lead="Hand")
        traitors = [_title(leader) for leader in view.table.get(f"traitors/{faction}", ())]
        if traitors:
            self.said(", ".join(traitors), lead="Traitors")
        prediction = view.table.get("prediction")
        if faction == "bene_gesserit" and isinstance(prediction, tuple):
            self.said(" in turn ".join(_title(str(part)) for part in prediction), lead="Prediction")

    def _open(self, view: DuneSeatView) -> None:
        self.caption("On the table")
        for number in (1, 2):
            pile = view.table.get(f"spice_discard/{number}", ())
            if pile:
                self.said(_title(pile[-1]), lead=f"Spice {'AB'[number - 1]}")
        battle = view.table.get("battle")
        if battle:
            attacker, defender, territory = battle
            self.said(f"{_name(attacker)} against {_name(defender)} in {name_of[territory]}", lead="Battle")
        auction = view.table.get("auction_row", ())
        if auction:
            known = [TREACHERY_TITLE[card] for card in auction if card != HIDDEN]
            backs = len(auction) - len(known)
            self.said(", ".join(known + [f"{backs} face down"] * bool(backs)), lead="For sale")
        dead = [_title(each) for f in FACTIONS for each in view.table.get(f"leader_tanks/{f}", ()) if each != HIDDEN]
        if dead:
            self.said(", ".join(dead), lead="Dead")
        if view.table.get("atomics"):
            self.said("The Shield Wall is shattered.")

    def _legend(self) -> None:
        self.caption("Legend")
        self.icons(
            [
                *[(self._faction_icon(faction), _name(faction)) for faction in FACTIONS],
                (lambda at, r: self.shaped("circle", at, r, "f-atreides") + self.stars(at, r, 1), "with elites"),
                (self._spice_drawn(6), "spice"),
                (lambda at, r: polygon(regular(at, r * 0.6, 4), "spice", opacity=0.55), "spice blows here"),
                (self._worm, "worm"),
                (self._eye, "storm"),
                *[(self.swatch(kind), name) for kind, name in _GROUND.items()],
            ]
        )

    def _faction_icon(self, faction: str) -> Callable[[Point, float], str]:
        return lambda at, radius: self._disc(at, radius, faction, _LOOKS[faction][0])


_GROUND: Final = {"sand": "sand", "rock": "rock", "stronghold": "stronghold", "sink": "Polar Sink"}


def _whose(view: DuneSeatView) -> str:
    if view.seat is None:
        return "seen by spectators"
    return f"seen by {_name(str(view.side))}" if view.side in FACTIONS else f"seen by seat {view.seat}"


def _name(faction: str) -> str:
    return str(FACTION[faction]["title"]).removeprefix("House ") if faction in FACTION else faction


def _title(word: str) -> str:
    """Return the title of a leader, a territory or a card of the spice deck."""
    found = LEADER_TITLE.get(word) or name_of.get(word) or (_name(word) if word in FACTION else "")
    return found or word.replace("_", "-" if word == _WORM else " ").title()


def _counted(counts: Sequence[int]) -> str:
    parts = [f"{n} {kind}" for n, kind in zip(counts, ("tokens", "elites", "coexisting"), strict=True) if n]
    return ", ".join(parts)


def _short(counts: Sequence[int]) -> str:
    """Return numbers of tokens with a star for elites."""
    plain = counts[0] + counts[2]
    return f"{plain}+{counts[1]}★" if counts[1] else str(plain)
