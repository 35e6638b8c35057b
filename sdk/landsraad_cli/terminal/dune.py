"""Classic Dune in the terminal: its names, its sentences, and its board as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from landsraad_cli.terminal.dune_questions import WORDS, DuneQuestions
from landsraad_cli.terminal.names import Names, humanised
from landsraad_cli.terminal.picture import AMPLE, Room
from landsraad_cli.terminal.sentences import templates_of
from landsraad_engine.dune.bidding import INFINITY
from landsraad_engine.dune.board import (
    DOTS,
    SECTORS,
    STRONGHOLDS,
    TERRITORIES,
    cells_of,
    name_of,
    sector_of,
    terrain,
    territory_of,
)
from landsraad_engine.dune.pieces import FACTION, FACTIONS, LEADER_TITLE, LOYAL_TO, TREACHERY_TITLE
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.knowledge.views import SeatView

#: The colours of the game box, with white for Harkonnen's black: most terminals are dark.
COLOURS: Final = {
    "atreides": "green",
    "bene_gesserit": "bright_blue",
    "emperor": "red",
    "fremen": "yellow",
    "guild": "orange3",
    "harkonnen": "bright_white",
}
_SPICE: Final = "bold dark_orange"
_STORM: Final = "black on yellow"
_TERRAIN: Final = {"sand": "navajo_white3", "rock": "grey62", "stronghold": "bold", "polar_sink": "cyan"}

#: Piles that a faction may look into, with the names of their contents.
_FORESEEN: Final = (("For sale", "auction_row"), ("Next spice", "spice_deck"), ("Next storm", "storm_next"))


#: Columns of the storm's ring with its prefix, and of two lists of cells side by side.
_RING_COLUMNS: Final = 104
_TWO_LISTS: Final = 126


def _table(*, airy: bool) -> Table:
    """Return an empty table, narrow enough for two beside each other."""
    if airy:
        return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0, collapse_padding=True)
    return Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")


def _cells() -> dict[str, str]:
    """Return the titles of cells: that of their territory, with the sector if the territory has several cells."""
    return {
        cell: name_of[territory] if len(cells_of[territory]) == 1 else f"{name_of[territory]} ({sector_of[cell]})"
        for cell, territory in territory_of.items()
    }


def _names() -> Names:
    factions = {faction: str(FACTION[faction]["title"]).removeprefix("House ") for faction in FACTIONS}
    titles = {
        **factions,
        **LEADER_TITLE,
        **TREACHERY_TITLE,
        **name_of,
        **_cells(),
        **WORDS.titles,
    }
    styles = {
        **COLOURS,
        **{leader: COLOURS[faction] for leader, faction in LOYAL_TO.items() if faction in COLOURS},
        **{territory: _TERRAIN[terrain[territory]] for territory in TERRITORIES},
        **{cell: _TERRAIN[terrain[territory]] for cell, territory in territory_of.items()},
    }
    return Names(titles, styles, WORDS.units, WORDS.counted)


class DunePicture(DuneQuestions):
    """The picture of a match of classic Dune."""

    names = _names()
    templates = templates_of(WORDS)
    talkative = False

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._bid: tuple[str, int] = ("", 0)
        #: the number of the last deal that was offered
        self._offer = 0

    # ------------------------------------------------------------------------------------------------------- sentences

    def special(self, key: tuple[str, ...], parts: dict[str, Any]) -> Text | None:
        say = self.names.say
        match key:
            case ("set", "battle") if "k1" not in parts and parts["v"] is not None:
                attacker, defender, territory = map(say, parts["v"])
                return Text.assemble(attacker, " attacks ", defender, " in ", territory, style="bold")
            case ("set", "battle"):
                return Text()
            case ("set", "offers"):
                return self._offered(parts["v"] or ())
            case ("announce", what):
                return self._announced(what, parts)
            case ("declare", question) if question in WORDS.questions:
                return Text.assemble(say(parts["seat"]), " answers: ", say(parts["v1"]))
            case ("set", "ally") if not parts["v"]:
                return Text.assemble(say(parts["k1"]), " stands alone")
            case ("set", "atomics" | "prediction") if not parts["v"]:
                return Text()
            case ("set", "plan") if parts["v"] is not None:
                return self._plan(parts["k1"], parts["v"])
            case ("move", "spice_deck", _):
                return Text.assemble("The spice card: ", say(parts["face"]))
        return None

    def _announced(self, what: str, parts: dict[str, Any]) -> Text | None:
        say = self.names.say
        match what:
            case "DealMade":
                names = say(parts["proposer"]), " and ", say(parts["partner"])
                return Text.assemble(*names, " have a deal: ", self._deal(parts["promises"]))
            case "TruthtranceAsked":
                return self.truth(parts)
            case "CardSold" if parts["price"] is None:
                parts["price"] = "infinity"
            case "KaramaPlayed":
                about = (" ", say(parts["about"])) if parts["about"] else ()
                return Text.assemble(say(parts["faction"]), " plays Karama: ", WORDS.purposes[parts["purpose"]], *about)
        return None

    def _plan(self, faction: str, plan: tuple[Any, ...]) -> Text:
        dial, leader, weapon, defense, hero, haderach = plan
        helpers = [leader, "cheap_hero" if hero else None, "kwisatz_haderach" if haderach else None, weapon, defense]
        named = [self.names.say(helper) for helper in helpers if helper]
        with_them = Text.assemble(" with ", self.names.listed(named)) if named else Text()
        return Text.assemble(self.names.name(faction), " dials ", self.names.say(dial), with_them)

    def _offered(self, offers: tuple[Any, ...]) -> Text:
        """Describe new offers of a deal, with the numbers by which they are accepted; nothing if one was withdrawn."""
        for number, proposer, partner, promises in offers:
            if number > self._offer:
                self._offer = number
                names = self.names.name(proposer), " offers ", self.names.name(partner)
                return Text.assemble(*names, f" deal {number}: ", self._deal(promises))
        return Text()

    def _deal(self, promises: tuple[Any, ...]) -> Text:
        return Text("; ").join(Text.assemble(self.names.name(by), *self._promise(*what)) for by, _, *what in promises)

    def _promise(self, kind: str, value: Any, yes: bool, scope: Any, *_: Any) -> tuple[str | Text, ...]:
        """Describe a promise of a deal."""
        match kind:
            case "pay":
                return f" pays {value} spice", "" if scope == "now" else f" as the {humanised(scope)} round begins"
            case "enter":
                return " keeps out of ", self.names.name(value), f" up to the end of turn {scope}"
            case "bid":
                return (f" bids at most {value} on this card",)
            case _:
                return " accepts" if yes else " declines", " an alliance with ", self.names.name(value)

    def step(self, frames: tuple[Any, ...], rule: str) -> Iterator[Text]:
        """Describe a new bid. A bid is not an event; it is part of the auction's frame."""
        auction = dict(frames[-1]) if frames else {}
        if auction.get("frame") != "CardAuction":
            return
        bid = auction["leader"], auction["high"]
        if bid != self._bid and auction["leader"]:
            high = "infinity" if bid[1] == INFINITY else bid[1]
            yield Text.assemble(self.names.name(bid[0]), " bids ", self.names.say(high))
        self._bid = bid

    # --------------------------------------------------------------------------------------------------------- drawing

    def board(self, view: SeatView, room: Room = AMPLE) -> RenderableType:
        assert isinstance(view, DuneSeatView)
        airy = room.rows is None
        sides = Columns([self._strongholds(view, airy), self._factions(view, airy)], padding=(0, 2))
        ring = self._ring(view, apart=room.width < _RING_COLUMNS)
        return Group(ring, *[Text()] * airy, sides, self._open_country(view, room))

    def own(self, view: SeatView) -> Iterator[tuple[str, Any]]:
        assert isinstance(view, DuneSeatView)
        faction = str(view.side)
        yield "Hand", view.hand(faction)
        yield "Leaders", view.leaders(faction)
        yield "Traitors", view.table.get(f"traitors/{faction}")
        for what, pile in _FORESEEN:
            yield what, tuple(face for face in view.table.get(pile, ()) if face != "?")
        yield "To choose from", view.table.get(f"dealt/{faction}")
        if faction == "bene_gesserit":
            yield "Prediction", view.table.get("prediction")

    def _ring(self, view: DuneSeatView, *, apart: bool) -> Text:
        """Draw the ring of sectors with the players' dots; `apart` puts turn and storm on a line of their own."""
        dots = {DOTS[view.table[f"dot/{faction}"]]: faction for faction in view.factions()}
        ring = Text(f"Turn {view.turn}")
        storm = Text(f" storm in {view.storm} ", _STORM)
        ring.append_text(Text.assemble("   ", storm, "\n")) if apart else ring.append("   sectors ")
        for sector in range(1, SECTORS + 1):
            faction = dots.get(sector)
            ring.append("●" if faction else " ", self.names.style(faction or ""))
            ring.append(f"{sector:2}", _STORM if sector == view.storm else "dim")
            ring.append(" ")
        return ring if apart else ring.append(" ", "").append_text(storm)

    def _strongholds(self, view: DuneSeatView, airy: bool) -> Table:
        table = _table(airy=airy)
        table.add_column("Stronghold", min_width=16)
        table.add_column("Forces", min_width=24)
        for stronghold in STRONGHOLDS:
            table.add_row(self.names.name(stronghold), self._forces(view, cells_of[stronghold]))
        return table

    def _forces(self, view: DuneSeatView, cells: tuple[str, ...]) -> Text:
        """List the forces in some cells: numbers of tokens, ★ elites, ~ coexisting."""
        forces = []
        for faction in FACTIONS:
            tokens, elites, coexisting = view.tokens_in(faction, cells)
            counts = (
                [str(tokens)] * bool(tokens) + [f"★{elites}"] * bool(elites) + [f"~{coexisting}"] * bool(coexisting)
            )
            if counts:
                forces.append(Text(f"{self.names.title(faction)} {' '.join(counts)}", self.names.style(faction)))
        return Text("  ").join(forces)

    def _open_country(self, view: DuneSeatView, room: Room) -> RenderableType:
        """List every other cell with forces or spice, in storm order; as a paragraph if rows are short."""
        rows = []
        for cell in sorted(territory_of, key=lambda cell: (sector_of[cell], cell)):
            spice = view.table.get(f"blow/{cell}", 0)
            forces = self._forces(view, (cell,))
            if terrain[territory_of[cell]] != "stronghold" and (spice or forces):
                number = Text(f"{sector_of[cell] or '':>2}", _STORM if sector_of[cell] == view.storm else "dim")
                rows.append((number, self.names.name(cell), Text(f"◆{spice}" if spice else "", _SPICE), forces))
        if room.rows is not None:
            return Text("; ").join(Text(" ").join(part for part in row[1:] if part) for row in rows)
        beside = 2 if room.width >= _TWO_LISTS else 1
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 1))
        for width in (2, 24, 3, 32) * beside:
            table.add_column(min_width=width)
        lines = -(-len(rows) // beside)
        rows += [(Text(),) * 4] * (lines * beside - len(rows))
        for at in range(lines):
            table.add_row(*(cell for row in rows[at::lines] for cell in row))
        return table

    def _factions(self, view: DuneSeatView, airy: bool) -> Table:
        table = _table(airy=airy)
        for head, justify in (("Faction", "left"), ("Cards", "right"), ("Spice", "right"), ("Reserves", "right")):
            table.add_column(head, justify=justify)  # type: ignore[arg-type]
        table.add_column("Tanks", justify="right")
        table.add_column("Leaders", justify="right")
        table.add_column("Allied with")
        # During setup, factions without a dot come last.
        for faction in dict.fromkeys((*view.dot_order(), *self.sides.values())):
            spice = view.table.get(f"spice/{faction}")
            table.add_row(
                self.names.name(faction),
                str(len(view.hand(faction))),
                "?" if spice is None else str(spice),
                str(sum(view.reserves(faction))),
                str(sum(view.tanks(faction))),
                str(len(view.leaders(faction)) + len(view.table.get(f"fought/{faction}", ()))),
                self.names.listed(map(self.names.name, view.allies(faction))) if view.allies(faction) else Text(),
            )
        return table
