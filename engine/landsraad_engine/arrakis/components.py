"""The types of the box: one struct per kind of row in the content files.

A field is a figure or a word, never a rule: what a card does is code, except where its text is not public (prescience
cards, leaders' special actions), and there it is rows over the operations of `operations.vocabulary`.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from landsraad_engine.arrakis.operations.vocabulary import Requirement, Reward, Special, Units
from landsraad_engine.arrakis.terms import (
    ActionResult,
    AnyLeaderRef,
    AreaId,
    AreaRef,
    CardRef,
    CombatResult,
    Faction,
    Few,
    FigureCount,
    LeaderRef,
    Marker,
    Power,
    Ring,
    SectorRef,
    Steps,
    SubFaction,
    Terrain,
    ZoneRef,
)
from landsraad_engine.kernel.frames import rule

Percent: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=100)]
Rank: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=3)]
TrackStep: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=12)]
Future: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=7)]


class BoxRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a content file."""


# ---- The board ----


@rule("WFA-S.2")
class Sector(BoxRow, frozen=True):
    """One of the eight parts that dotted lines make of the board."""

    id: str
    title: str
    ring: Ring


@rule("WFA-S.4", "WFA-S.5", "WFA-S.14")
class AreaFacts(BoxRow, frozen=True):
    """One area. `name` is empty where the board prints none."""

    id: AreaId
    sectors: Annotated[tuple[SectorRef, ...], msgspec.Meta(min_length=1)]
    terrain: Terrain
    x: Percent
    y: Percent
    borders: Annotated[tuple[AreaRef, ...], msgspec.Meta(min_length=1)]
    impassable: tuple[AreaRef, ...] = ()
    name: str = ""
    settlement_rank: Rank = 0
    sietch: bool = False
    station: bool = False
    #: Only where these are not simply all zones of its sectors.
    air_zones: tuple[ZoneRef, ...] = ()

    @property
    def label(self) -> str:
        """The printed name, or a handle made of sector and number: CNE-4."""
        return self.name or self.id.upper().replace("_", "-")


@rule("WFA-S.3")
class AirZone(BoxRow, frozen=True):
    """A place for one vehicle; it serves every area of its two sectors."""

    id: str
    sectors: Annotated[tuple[SectorRef, ...], msgspec.Meta(min_length=2, max_length=2)]
    x: Percent
    y: Percent


@rule("WFA-H.44", "WFA-H.45", "WFA-H.46", "WFA-H.47")
class AtomicsToken(BoxRow, frozen=True):
    """A Family Atomics token: its area, named like the token, becomes desert and lays the plateaus in `opens` bare."""

    id: AreaId
    opens: Annotated[tuple[AreaRef, ...], msgspec.Meta(min_length=1)]
    removes_impassable_borders: bool = False


@rule("WFA-H.23")
class BoardRules(BoxRow, frozen=True):
    """Rules of the board as a whole."""

    storm_proof: tuple[AreaRef, ...]
    outer_sectors_form_a_ring: bool


# ---- Dice, dashboards, supplies ----


@rule("WFA-S.48")
class ActionDice(BoxRow, frozen=True):
    """The faces of the action dice, and how many there are."""

    harkonnen: Annotated[tuple[ActionResult, ...], msgspec.Meta(min_length=6, max_length=6)]
    harkonnen_dice: Few
    atreides: Annotated[tuple[ActionResult, ...], msgspec.Meta(min_length=6, max_length=6)]
    atreides_dice: Few


@rule("WFA-S.47")
class CombatDie(BoxRow, frozen=True):
    """The combat die of both factions."""

    faces: Annotated[tuple[CombatResult, ...], msgspec.Meta(min_length=6, max_length=6)]


@rule("WFA-T.1")
class Dashboard(BoxRow, frozen=True):
    """A player's board: action boxes in printed order, dice slots in each, slots of the regeneration tank."""

    id: str
    title: str
    faction: Faction
    boxes: Annotated[tuple[ActionResult, ...], msgspec.Meta(min_length=1)]
    slots: Few
    tank: Few


@rule("WFA-S.17")
class Supply(BoxRow, frozen=True):
    """The figures of one faction: units, and generic leaders."""

    id: Faction
    regular: FigureCount
    elite: FigureCount
    special: FigureCount
    leader: FigureCount


@rule("WFA-S.29")
class Vehicles(BoxRow, frozen=True):
    """Vehicle figures."""

    harvester: FigureCount
    ornithopter: FigureCount
    carryall: FigureCount


@rule("WFA-S.17")
class Worms(BoxRow, frozen=True):
    """Sandworm figures."""

    sandworm: FigureCount
    wild_maker: FigureCount


class RuleLimits(BoxRow, frozen=True):
    """Figures that the rules of every edition share, or that an edition changes.

    Those of shared factions (`hand_shared_faction`, `cones_of_silence`) stand here as they are printed. Two players
    have no use for them; who may talk to whom, which a Cone of Silence changes, is nothing that the rules ask.
    """

    stacking: Few
    combat_dice: Few
    hand: Few
    hand_shared_faction: Few
    cards_drawn_per_deck: Few
    prescience_revealed: Few
    prescience_claims_per_round: Few
    cones_of_silence: Few


# ---- Tracks ----


@rule("WFA-V.4", "WFA-V.6")
class SpiceRow(BoxRow, frozen=True):
    """A step of The Spice Must Flow: dice locked, vehicles available."""

    id: str
    locked_dice: FigureCount
    harvesters: FigureCount
    ornithopters: FigureCount
    carryalls: FigureCount


@rule("WFA-S.41", "WFA-S.42")
class Spice(BoxRow, frozen=True):
    """Prices and yields of the spice harvest."""

    start: Annotated[int, msgspec.Meta(ge=1, le=5)]
    desert_yield: Few
    deep_desert_yield: Few
    keep: Few
    raise_: Few = msgspec.field(name="raise")
    reserve: FigureCount
    stockpiling: bool
    stockpiling_price: Few
    stockpiling_points: Few
    stockpiling_up_to: TrackStep


@rule("WFA-S.12")
class Supremacy(BoxRow, frozen=True):
    """The Harkonnen's track. At `length` they have won."""

    length: Steps
    bene_gesserit_steps: tuple[TrackStep, ...]


@rule("WFA-Q.2")
class PrescienceTrack(BoxRow, frozen=True):
    """The Atreides' track."""

    length: Steps
    atomics_step: Steps


@rule("WFA-S.45", "WFA-S.46")
class BeneGesserit(BoxRow, frozen=True):
    """Bene Gesserit tokens."""

    tokens: FigureCount
    atreides_start: FigureCount
    with_gaius: FigureCount


# ---- Perils of Arrakis ----


class ByTerrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One figure per kind of ground that sandworms and storms reach."""

    deep_desert: FigureCount
    desert: FigureCount
    minor_erg: FigureCount
    plateau: FigureCount


@rule("WFA-H.36")
class Perils(BoxRow, frozen=True):
    """Dice of worms and storms, and the hits of a Special by ground."""

    worm_dice: ByTerrain
    wild_maker_dice: ByTerrain
    worm_special_hits: ByTerrain
    storm_dice: ByTerrain
    storm_special_hits: ByTerrain
    storm_spares: Literal["storm_proof_areas", "settlements"]


# ---- Tokens ----


class DeploymentToken(BoxRow, frozen=True):
    """A deployment token; `leader` counts generic leaders."""

    id: str
    set: Literal["atreides_starting", "atreides_standard", "harkonnen_black", "harkonnen_silver"]
    units: Units
    leader: FigureCount = 0


@rule("WFA-S.38")
class WormsignTokens(BoxRow, frozen=True):
    """The wormsign pool."""

    sand: FigureCount
    sandworm: FigureCount
    burrowing: FigureCount


@rule("WFA-M.29", "WFA-M.30")
class StationTokens(BoxRow, frozen=True):
    """The hidden sides of the Ecological Testing Stations; `any` lets the player choose a marker."""

    kwisatz_haderach: FigureCount
    sand_dwellers: FigureCount
    jihad: FigureCount
    any: FigureCount


@rule("WFA-S.15")
class SietchTokens(BoxRow, frozen=True):
    """The hidden sides of the Sietch tokens."""

    ranks: tuple[Rank, ...]


class TacticalCard(BoxRow, frozen=True):
    """A card of the solo mode: a Sietch and where it lies."""

    id: str
    sietch: AreaRef
    sector: Literal["north_east", "south_east", "south_west", "north_west", "central"]


class ReferenceCard(BoxRow, frozen=True):
    """A card that repeats rules."""

    id: str
    title: str
    shows: str


# ---- Leaders ----


class AtStart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="start", tag_field="at"):
    """In play from the start; `shared_only`: in a game of three or four, where the faction is shared."""

    shared_only: bool = False


class AtSupremacy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="supremacy", tag_field="at"):
    """Enters when the Supremacy marker reaches the step."""

    step: Steps
    shared_only: bool = False


class AtPrescience(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="prescience", tag_field="at"):
    """Enters when this marker, or any, reaches the step."""

    step: Steps
    marker: Literal[Marker, "any"] = "any"


class ByCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="card", tag_field="at"):
    """Enters by one of these planning cards."""

    cards: Annotated[tuple[CardRef, ...], msgspec.Meta(min_length=1)]


class AfterLeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="after", tag_field="at"):
    """Enters as soon as this leader is removed from the game."""

    leader: LeaderRef


class ByFuture(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="future", tag_field="at"):
    """Enters as the Possible Future says that the leader belongs to."""


Entry: TypeAlias = AtStart | AtSupremacy | AtPrescience | ByCard | AfterLeader | ByFuture


class Combat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hits and shields that one Special result becomes."""

    hits: FigureCount
    shields: FigureCount


@rule("WFA-N.9")
class Leader(BoxRow, frozen=True):
    """A leader, named or generic, or the Wild Maker, which has no combat ability."""

    id: str
    title: str
    side: SubFaction
    enters: tuple[Entry, ...] = ()
    generic: bool = False
    box: Literal[ActionResult, "desert_power", "none"] = "none"
    special: tuple[Special, ...] = ()
    combat: Combat = Combat(0, 0)
    #: Cards that speak of Paul or Jessica mean whoever of them is in play.
    persona: str = ""
    #: Takes this leader's place, wherever figure and card are.
    replaces: AnyLeaderRef = ""
    #: Sends this leader out of the game.
    removes: AnyLeaderRef = ""
    future: Future = 0


# ---- Cards ----


@rule("WFA-S.43")
class PlanningCard(BoxRow, frozen=True):
    """A planning card. Copies take up the numbers from `number` on; `effect` is our paraphrase."""

    id: str
    deck: SubFaction
    number: Annotated[int, msgspec.Meta(ge=1, le=18)]
    title: str
    effect: str
    copies: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1
    #: When it may be played: for a die as the turn's action, or as a free action.
    timing: Literal["action", "free_action"] = "action"
    future: Future = 0


@rule("WFA-S.37", "WFA-Q.15")
class PrescienceCard(BoxRow, frozen=True):
    """A prescience card: when it may be claimed, what that takes, and what it gives."""

    id: str
    title: str
    phase: Literal["action_resolution", "end_of_round"]
    requires: Annotated[tuple[Requirement, ...], msgspec.Meta(min_length=1)]
    rewards: Annotated[tuple[Reward, ...], msgspec.Meta(min_length=1)]


@rule("WFA-S.44")
class Objective(BoxRow, frozen=True):
    """A secret objective: the steps that the three markers must reach."""

    id: str
    title: str
    kwisatz_haderach: Steps
    sand_dwellers: Steps
    jihad: Steps


class Ban(BoxRow, frozen=True):
    """An Imperium Ban."""

    id: Power
    title: str
    kind: Literal["stacking_limit", "no_scouting", "no_combat_discards", "hand_limit"]
    effect: str
    limit: FigureCount = 0
    limit_shared_faction: FigureCount = 0


class Modules(BoxRow, frozen=True):
    """The modules of the edition."""

    futures: tuple[Future, ...]
    futures_that_combine: tuple[Future, ...]
    old_man: bool


# ---- All of it ----


class Components(msgspec.Struct, frozen=True, kw_only=True):
    """Every table of the content files, under its own name."""

    board: BoardRules
    sector: Mapping[str, Sector]
    air_zone: Mapping[str, AirZone]
    atomics: Mapping[str, AtomicsToken]
    area: Mapping[AreaId, AreaFacts]
    action_dice: ActionDice
    combat_die: CombatDie
    dashboard: Mapping[str, Dashboard]
    supply: Mapping[str, Supply]
    vehicles: Vehicles
    worms: Worms
    limits: RuleLimits
    spice_row: Mapping[str, SpiceRow]
    spice: Spice
    supremacy: Supremacy
    prescience_track: PrescienceTrack
    bene_gesserit: BeneGesserit
    perils: Perils
    wormsign_tokens: WormsignTokens
    station_tokens: StationTokens
    sietch_tokens: SietchTokens
    deployment_token: Mapping[str, DeploymentToken]
    ban: Mapping[str, Ban]
    objective: Mapping[str, Objective]
    prescience_card: Mapping[str, PrescienceCard]
    leader: Mapping[str, Leader]
    planning_card: Mapping[str, PlanningCard]
    tactical_card: Mapping[str, TacticalCard]
    reference_card: Mapping[str, ReferenceCard]
    modules: Modules


#: Where an operator may add rows and take rows out: the rules play these cards by what they say, not by name.
OPEN_TABLES: Final = frozenset({"objective", "prescience_card"})
