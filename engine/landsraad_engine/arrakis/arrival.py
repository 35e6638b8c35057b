"""A legion has come to an area, by moving or by advancing after a battle: stations, harvesters, wormsigns."""

from landsraad_engine.arrakis.chronicle import count
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.tracks import AdvanceAnyMarker, AdvanceMarker
from landsraad_engine.arrakis.vehicles import RemoveHarvester
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import EnterWormsign
from landsraad_engine.arrakis.zones import STATION
from landsraad_engine.kernel.frames import END, Flow, Frame, step


class Arrival(Frame):
    """The effects of a legion's coming to an area; a retreat has none."""

    side: str
    area: AreaId

    @step("WFA-M.27", "WFA-M.51")
    def station(f, g: ArrakisState) -> Flow:
        return TakeStation(area=f.area) if f.side == ATREIDES else None

    @step("WFA-M.33", "WFA-M.34", "WFA-M.35", "WFA-M.52")
    def harvester(f, g: ArrakisState) -> Flow:
        return RemoveHarvester(area=f.area) if f.side == ATREIDES else None

    @step("WFA-M.38", "WFA-M.39", "WFA-M.40")
    def wormsign(f, g: ArrakisState) -> Flow:
        return EnterWormsign(area=f.area) if f.side == HARKONNEN else None


class TakeStation(Frame):
    """An Ecological Testing Station is taken: its marker advances."""

    area: AreaId

    @step("WFA-M.27", "WFA-M.29", "WFA-M.30")
    def show(f, g: ArrakisState) -> Flow:
        if not g.table.get(STATION[f.area]):
            return END
        marker = g.draw(STATION[f.area], "stations_taken")
        count(g, "station_taken")
        return AdvanceAnyMarker(steps=1) if marker == "any" else AdvanceMarker(marker=marker, steps=1)


FRAMES = (Arrival, TakeStation)
