"""The operations from which content files build prescience requirements, rewards and leaders' special actions.

What is printed on those cards is not public, so an owner of the box must be able to write it down without touching
code. A row is one operation with its arguments, `{ op = "draw_cards", deck = "fremen_ally", count = 2 }`; a list of
rows is carried out in order. All requirements of a card must hold (or be done) to claim it; of a reward or a special
action, as of every action, each row may be used in full, in part or not at all.

This module is the vocabulary only: names, arguments, meaning. `documented()` makes the reader's table from it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import inspect

from landsraad_engine.arrakis.terms import (
    AnyLeaderRef,
    AreaRef,
    CountedEvent,
    Faction,
    Few,
    FigureCount,
    LeaderRef,
    Marker,
    Since,
    Steps,
    SubFaction,
    Terrain,
    Unit,
)
from landsraad_engine.content.checking import allowed

DeckChoice: TypeAlias = Literal[SubFaction, "any"]
AnyMarker: TypeAlias = Literal[Marker, "any"]
Sectors: TypeAlias = Literal["any", "outer", "central"]
TallyCount: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Units(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many units of each kind."""

    regular: FigureCount = 0
    elite: FigureCount = 0
    special: FigureCount = 0


class Operation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op"):
    """One row. The first line of its docstring is its meaning."""


# ---- Requirements: what must be paid or done to claim ----


class SpendActionDieRow(Operation, frozen=True, tag="spend_action_die"):
    """The claim is the turn's action and costs one unused action die; the die does nothing else."""


class SendToTankRow(Operation, frozen=True, tag="send_to_tank"):
    """Take this own leader off the board and put it on the first slot of the regeneration tank."""

    leader: LeaderRef
    where: Literal["anywhere", "sector_without_enemy_legion"] = "anywhere"


class GiveUpForcesRow(Operation, frozen=True, tag="give_up_forces"):
    """From one own settlement in such a sector, take so many deployment tokens off the board, or so many units."""

    tokens: Few
    units: Few
    sectors: Sectors = "any"


class DiscardCardsRow(Operation, frozen=True, tag="discard_cards"):
    """Discard so many planning cards of this deck from the hand."""

    count: Few
    deck: DeckChoice = "any"


# ---- Requirements: what must be so, or must have happened ----


class UnitsInAreasRow(Operation, frozen=True, tag="units_in_areas"):
    """So many areas of this kind hold that many such units of the side. A hidden token counts as a unit of kind any.

    `near` with `distance`: only areas within that many steps of one of these. `terrain`: only these; empty means all.
    """

    side: Faction = "atreides"
    unit: Literal[Unit, "any"] = "any"
    units: Few = 1
    areas: Few = 1
    terrain: tuple[Terrain, ...] = ()
    settlement: Literal["any", "with", "without"] = "any"
    sectors: Sectors = "any"
    near: tuple[AreaRef, ...] = ()
    distance: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0


class LeaderInRow(Operation, frozen=True, tag="leader_in"):
    """This leader is on the board in an area of this kind."""

    leader: LeaderRef
    terrain: tuple[Terrain, ...] = ()
    settlement: Literal["any", "with", "without"] = "any"
    sectors: Sectors = "any"


class LeadersTogetherRow(Operation, frozen=True, tag="leaders_together"):
    """This leader is in the same area, or sector, as one of the others."""

    leader: LeaderRef
    others: Annotated[tuple[LeaderRef, ...], msgspec.Meta(min_length=1)]
    within: Literal["area", "sector"] = "area"


class SettlementsHeldRow(Operation, frozen=True, tag="settlements_held"):
    """At least so many of the side's settlements still stand, counting only the areas named if any are."""

    side: Faction
    at_least: Few
    areas: tuple[AreaRef, ...] = ()


class MarkerAtLeastRow(Operation, frozen=True, tag="marker_at_least"):
    """This prescience marker has reached the step."""

    marker: AnyMarker
    step: Steps


class WormsOnBoardRow(Operation, frozen=True, tag="worms_on_board"):
    """At least so many sandworms are on the board, the Wild Maker included."""

    at_least: Few


class HappenedRow(Operation, frozen=True, tag="happened"):
    """In this turn, round or game the event happened at least, and at most, so many times."""

    event: CountedEvent
    since: Since
    at_least: TallyCount = 0
    at_most: TallyCount = 99


class BattleWonRow(Operation, frozen=True, tag="battle_won"):
    """The Atreides won a battle in that role; the beaten legion held one of these kinds of unit, if any are named."""

    role: Literal["attacker", "defender", "either"] = "either"
    against: tuple[Unit, ...] = ()
    since: Since = "turn"


class SandrodeRow(Operation, frozen=True, tag="sandrode"):
    """In this turn one legion rode across at least so many areas with wormsigns or sandworms."""

    areas: Few


# ---- Rewards and special actions ----


class AdvanceMarkerRow(Operation, frozen=True, tag="advance_marker"):
    """Move this prescience marker up so many steps; any means that its owner chooses one."""

    marker: AnyMarker
    steps: Steps


class DrawCardsRow(Operation, frozen=True, tag="draw_cards"):
    """Draw so many planning cards of this deck; any means from either own deck, chosen before drawing."""

    count: Few
    deck: DeckChoice = "any"


class PlayCardsRow(Operation, frozen=True, tag="play_cards"):
    """Play so many planning cards from the hand at once."""

    count: Few = 1


class ReturnCardsRow(Operation, frozen=True, tag="return_cards"):
    """Put so many planning cards from the hand face down on top of their decks."""

    count: Few


class OpponentDiscardsRow(Operation, frozen=True, tag="opponent_discards"):
    """The opponent discards so many planning cards, of own choice or at random."""

    count: Few
    choice: Literal["own", "random"] = "own"


class LookAtHandRow(Operation, frozen=True, tag="look_at_hand"):
    """Look at the planning cards of one enemy player."""


class MoveLegionsRow(Operation, frozen=True, tag="move_legions"):
    """Move so many different legions; the one with this leader, if named, who must go along.

    `again`: that legion has just moved and now moves on to an adjacent area, the leader in both moves.
    """

    count: Few = 1
    holding: AnyLeaderRef = ""
    again: bool = False


class AttackWithRow(Operation, frozen=True, tag="attack"):
    """Attack with a legion; the one with this leader, if named. Surprise makes it a surprise attack."""

    holding: AnyLeaderRef = ""
    surprise: bool = False


class UpgradeUnitsRow(Operation, frozen=True, tag="upgrade_units"):
    """Replace so many own units of one kind on the board, wherever they are, by units of the other."""

    count: Few
    unit: Unit
    by: Unit


class PlaceUnitsRow(Operation, frozen=True, tag="place_units"):
    """Bring such units, and leaders of either sort, from the supply to own settlements or to a legion on the board.

    `holding`: to the legion with this leader.
    """

    units: Units
    where: Literal["one_settlement", "settlements", "legion"]
    leaders: Annotated[int, msgspec.Meta(ge=0, le=8)] = 0
    holding: AnyLeaderRef = ""


class DeployTokensRow(Operation, frozen=True, tag="deploy_tokens"):
    """Deploy so many random deployment tokens and leaders of either sort in one Sietch, or over several."""

    tokens: Annotated[int, msgspec.Meta(ge=0, le=8)]
    leaders: Annotated[int, msgspec.Meta(ge=0, le=8)] = 0
    where: Literal["one_sietch", "sietches"] = "one_sietch"


class RemoveGenericLeadersRow(Operation, frozen=True, tag="remove_generic_leaders"):
    """Take so many enemy generic leaders off the board, each from a sector that holds an own legion."""

    count: Few = 1


class UseAnyResultRow(Operation, frozen=True, tag="use_any_result"):
    """Use the die that was spent as any result."""


class DesertPowerRow(Operation, frozen=True, tag="desert_power"):
    """Take so many Desert Power actions in a row, whatever the dice left."""

    count: Few = 1


class PlaceWormsignsRow(Operation, frozen=True, tag="place_wormsigns"):
    """Place so many wormsigns as by a Desert Power action."""

    count: Few


class DriveWormRow(Operation, frozen=True, tag="drive_worm"):
    """Place the worm in an empty desert if it is off the board and may enter, then move it, then attack with it."""

    worm: Literal["any", "wild_maker"] = "any"
    enters: bool = False
    moves: bool = True
    attacks: bool = True


class AdvanceTankRow(Operation, frozen=True, tag="advance_tank"):
    """Move one own leader in the regeneration tank so many slots to the right."""

    steps: Few


Requirement: TypeAlias = (
    SpendActionDieRow
    | SendToTankRow
    | GiveUpForcesRow
    | DiscardCardsRow
    | UnitsInAreasRow
    | LeaderInRow
    | LeadersTogetherRow
    | SettlementsHeldRow
    | MarkerAtLeastRow
    | WormsOnBoardRow
    | HappenedRow
    | BattleWonRow
    | SandrodeRow
)
Reward: TypeAlias = (
    AdvanceMarkerRow | DrawCardsRow | DesertPowerRow | PlaceWormsignsRow | DeployTokensRow | AdvanceTankRow
)
Special: TypeAlias = (
    DrawCardsRow
    | PlayCardsRow
    | ReturnCardsRow
    | OpponentDiscardsRow
    | LookAtHandRow
    | MoveLegionsRow
    | AttackWithRow
    | UpgradeUnitsRow
    | PlaceUnitsRow
    | DeployTokensRow
    | RemoveGenericLeadersRow
    | UseAnyResultRow
    | DesertPowerRow
    | PlaceWormsignsRow
    | DriveWormRow
    | AdvanceTankRow
)

#: What a row may be used for, and which operations may.
KINDS: Final[dict[str, tuple[type[Operation], ...]]] = {
    "requirement": get_args(Requirement),
    "reward": get_args(Reward),
    "special": get_args(Special),
}


# ---- The reader's table ----


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of an operation, in words."""

    name: str
    allowed: str
    default: str


@dataclass(frozen=True, slots=True)
class Documented:
    """One line of the reader's table."""

    name: str
    kinds: tuple[str, ...]
    arguments: tuple[Argument, ...]
    meaning: str


def documented() -> Iterator[Documented]:
    """Every operation, in the order of this module."""
    for operation in dict.fromkeys(each for kind in KINDS.values() for each in kind):
        described = inspect.type_info(operation)
        assert isinstance(described, inspect.StructType)
        yield Documented(
            name=str(described.tag),
            kinds=tuple(kind for kind, members in KINDS.items() if operation in members),
            arguments=tuple(
                Argument(field.name, allowed(field.type), "" if field.required else _default(field.default))
                for field in described.fields
            ),
            meaning=(operation.__doc__ or "").splitlines()[0],
        )


def _default(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case "" | ():
            return "none"
        case _:
            return str(value)
