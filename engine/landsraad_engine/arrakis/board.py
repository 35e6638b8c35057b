"""The board of War for Arrakis: 101 areas, the borders between them, and what can be reached across them.

A set of areas is an `AreaSet`, an integer with one bit per area in board order: unions and differences are single
operations, and the rules ask for little else. `names` and `set_of` lead from sets to ids and back. Everything that only
the printed board decides is worked out once, when the board is made.

Family Atomics change the board for good, so a detonation gives another `Board`; `board_of` keeps each one it has made.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from landsraad_engine.arrakis.components import Components
from landsraad_engine.arrakis.content import BoxContent
from landsraad_engine.arrakis.terms import TERRAINS, AreaId, Ring, Terrain
from landsraad_engine.kernel.frames import rule

AreaSet: TypeAlias = int


class Ride(NamedTuple):
    """The areas that Sandriding opens to a legion: those it may cross, and those where it may end or strike."""

    track: AreaSet
    ends: AreaSet


class Board:
    """The areas and the ways between them. `detonated` is the Family Atomics token that lies on the board, if any."""

    def __init__(self, parts: Components, detonated: AreaId = "") -> None:
        self.detonated = detonated
        self.areas: tuple[AreaId, ...] = tuple(parts.area)
        self.bit: Mapping[AreaId, AreaSet] = {area: 1 << index for index, area in enumerate(self.areas)}
        self.everywhere: AreaSet = (1 << len(self.areas)) - 1
        self._read_places(parts)
        self._read_sectors(parts)
        self._read_borders(parts)

    # ---- What the areas are ----

    @rule("WFA-H.42")
    def _read_places(self, parts: Components) -> None:
        token = parts.atomics.get(self.detonated)
        facts = parts.area.values()
        self.terrain: Mapping[AreaId, Terrain] = {
            area.id: "desert" if token and area.id == token.id else area.terrain for area in facts
        }
        self.of_terrain: Mapping[Terrain, AreaSet] = {
            terrain: self.set_of(area for area in self.areas if self.terrain[area] == terrain) for terrain in TERRAINS
        }
        #: Where the rulebook says Desert, Deep Desert is meant too.
        self.desert: AreaSet = self.of_terrain["desert"] | self.of_terrain["deep_desert"]
        self.rank: Mapping[AreaId, int] = {area.id: area.settlement_rank for area in facts if area.settlement_rank}
        self.settlements: AreaSet = self.set_of(self.rank)
        self.sietches: AreaSet = self.set_of(area.id for area in facts if area.sietch)
        self.stations: AreaSet = self.set_of(area.id for area in facts if area.station)
        #: Plateaus that Family Atomics have opened to storms, and those that storms do not reach.
        self.opened: AreaSet = self.set_of(token.opens if token else ())
        self.storm_proof: AreaSet = self.set_of(parts.board.storm_proof) & ~self.opened

    @rule("WFA-S.6", "WFA-S.7")
    def _read_sectors(self, parts: Components) -> None:
        self.sectors_of: Mapping[AreaId, tuple[str, ...]] = {area.id: area.sectors for area in parts.area.values()}
        self.sector: Mapping[str, AreaSet] = {
            sector: self.set_of(area for area in self.areas if sector in self.sectors_of[area])
            for sector in parts.sector
        }
        self.ring: Mapping[Ring, AreaSet] = {
            ring: self.union(self.sector[sector.id] for sector in parts.sector.values() if sector.ring == ring)
            for ring in ("outer", "central")
        }
        self.zones_of: Mapping[AreaId, tuple[str, ...]] = {
            area.id: area.air_zones
            or tuple(zone.id for zone in parts.air_zone.values() if not set(zone.sectors).isdisjoint(area.sectors))
            for area in parts.area.values()
        }
        self.zone: Mapping[str, AreaSet] = {
            zone: self.set_of(area for area in self.areas if zone in self.zones_of[area]) for zone in parts.air_zone
        }

    def _read_borders(self, parts: Components) -> None:
        token = parts.atomics.get(self.detonated)
        opened = token.id if token and token.removes_impassable_borders else ""
        ground = {}
        air = {}
        for area in parts.area.values():
            passable = self.set_of(area.borders)
            impassable = self.set_of(area.impassable)
            air[area.id] = passable | impassable
            ground[area.id] = passable | (impassable if area.id == opened else impassable & self.bit.get(opened, 0))
        #: Areas adjacent on the ground, and as a vehicle flies: across impassable borders too.
        self.adjacent: Mapping[AreaId, AreaSet] = ground
        self.adjacent_by_air: Mapping[AreaId, AreaSet] = air
        self._neighbours = {area: self.names(ground[area]) for area in self.areas}
        self._within = {area: self._rings(area, ground) for area in self.areas}
        self._within_by_air = {area: self._rings(area, air) for area in self.areas}
        self.sector_neighbours: Mapping[str, tuple[str, ...]] = self._sectors_that_touch(parts)
        deserts = self.names(self.desert)
        not_mountain = self.everywhere & ~self.of_terrain["mountain"]
        self._worm_moves = {area: self.reach(area, 2, through=self.desert, into=self.desert) for area in deserts}
        self._worm_targets = {area: self.reach(area, 2, through=self.desert, into=not_mountain) for area in deserts}

    def _rings(self, start: AreaId, adjacent: Mapping[AreaId, AreaSet]) -> tuple[AreaSet, ...]:
        """The areas within 0, 1, 2, ... steps, up to the whole board."""
        rings = [self.bit[start]]
        while rings[-1] != self.everywhere:
            rings.append(rings[-1] | self.union(adjacent[area] for area in self.names(rings[-1])))
        return tuple(rings)

    def _sectors_that_touch(self, parts: Components) -> Mapping[str, tuple[str, ...]]:
        """Sectors with a common border; the North Pole, which lies in four at once, joins none."""
        touching = {sector: Counter[str]() for sector in parts.sector}
        single = [area for area in self.areas if len(self.sectors_of[area]) == 1]
        for area in single:
            (here,) = self.sectors_of[area]
            for near in self.neighbours(area):
                if near in single and self.sectors_of[near] != (here,):
                    touching[here][self.sectors_of[near][0]] += 1
        if parts.board.outer_sectors_form_a_ring:
            outer = [sector.id for sector in parts.sector.values() if sector.ring == "outer"]
            for one, other in zip(outer, outer[1:] + outer[:1], strict=True):
                touching[one][other] += 1
                touching[other][one] += 1
        return {here: tuple(near for near in parts.sector if touching[here][near]) for here in parts.sector}

    @rule("WFA-S.6", "WFA-S.7")
    def same_sectors(self, areas: AreaSet) -> AreaSet:
        """All areas of the sectors that these lie in (the North Pole lies in several)."""
        return self.union(self.sector[sector] for area in self.names(areas) for sector in self.sectors_of[area])

    # ---- Sets and names ----

    def set_of(self, areas: Iterable[AreaId]) -> AreaSet:
        """The set of these areas."""
        areas_set = 0
        for area in areas:
            areas_set |= self.bit[area]
        return areas_set

    def names(self, areas: AreaSet) -> tuple[AreaId, ...]:
        """The ids in a set, in board order."""
        return _names(self, areas)

    @staticmethod
    def union(sets: Iterable[AreaSet]) -> AreaSet:
        """All areas that are in any of these sets."""
        whole = 0
        for areas in sets:
            whole |= areas
        return whole

    # ---- Ways on the ground ----

    @rule("WFA-S.8")
    def neighbours(self, area: AreaId) -> tuple[AreaId, ...]:
        """The areas adjacent for ground movement."""
        return self._neighbours[area]

    def around(self, areas: AreaSet) -> AreaSet:
        """Everything adjacent to any area of a set; may include areas of the set itself."""
        return self.union(self.adjacent[area] for area in self.names(areas))

    def reach(
        self, start: AreaId, steps: int, *, through: AreaSet | None = None, into: AreaSet | None = None
    ) -> AreaSet:
        """Return where a move of at most so many steps may end: crossing only `through`, ending only in `into`."""
        allowed = self.everywhere if through is None else through
        reached = self.adjacent[start]
        edge = reached
        for _ in range(steps - 1):
            edge = self.around(edge & allowed) & ~reached
            if not edge:
                break
            reached |= edge
        reached &= ~self.bit[start]
        return reached if into is None else reached & into

    def connected(self, seeds: AreaSet, within: AreaSet) -> AreaSet:
        """The areas of `within` that hang together with the seeds, which count only as far as they lie in it."""
        found = edge = seeds & within
        while edge:
            edge = self.around(edge) & within & ~found
            found |= edge
        return found

    @rule("WFA-U.9")
    def distance(self, one: AreaId, other: AreaId) -> int:
        """Return how many steps apart two areas are, whatever stands between them."""
        return _steps(self._within[one], self.bit[other])

    def within(self, area: AreaId, steps: int) -> AreaSet:
        """The areas at most so many steps away, itself included."""
        rings = self._within[area]
        return rings[min(steps, len(rings) - 1)]

    # ---- Ways through the air ----

    def within_by_air(self, area: AreaId, steps: int) -> AreaSet:
        """The areas at most so many areas away by air, itself included."""
        rings = self._within_by_air[area]
        return rings[min(steps, len(rings) - 1)]

    @rule("WFA-Y.170")
    def distance_by_air(self, one: AreaId, other: AreaId) -> int:
        """Return how many steps apart two areas are if impassable borders do not count."""
        return _steps(self._within_by_air[one], self.bit[other])

    # ---- Ways of the desert ----

    @rule("WFA-M.12", "WFA-M.16")
    def ride(self, start: AreaId, marks: AreaSet, blocked: AreaSet = 0) -> Ride:
        """Sandriding from `start` over `marks` (wormsigns and sandworms), none of them in a `blocked` area.

        The ends are all areas on or beside the track; whether one is free to enter, or holds a worm, the rules say.
        """
        open_marks = marks & ~blocked & ~self.bit[start]
        track = self.connected(self.adjacent[start] & open_marks, open_marks)
        return Ride(track, (track | self.around(track)) & ~self.bit[start])

    @rule("WFA-M.44")
    def worm_moves(self, start: AreaId) -> AreaSet:
        """Deserts that a sandworm in `start` can move to: at most two areas away, across desert."""
        return self._worm_moves[start]

    @rule("WFA-H.30", "WFA-H.31")
    def worm_targets(self, start: AreaId) -> AreaSet:
        """Areas that a sandworm in `start` can attack: at most two away, the first a desert, never a mountain."""
        return self._worm_targets[start]


@lru_cache(maxsize=1 << 14)
def _names(board: Board, areas: AreaSet) -> tuple[AreaId, ...]:
    found = []
    while areas:
        lowest = areas & -areas
        found.append(board.areas[lowest.bit_length() - 1])
        areas ^= lowest
    return tuple(found)


def _steps(rings: tuple[AreaSet, ...], target: AreaSet) -> int:
    return next(steps for steps, areas in enumerate(rings) if areas & target)


@cache
def board_of(content: BoxContent, detonated: AreaId = "") -> Board:
    """The board of a content, before or after a Family Atomics token was placed; made once."""
    return Board(content, detonated)
