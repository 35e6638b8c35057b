"""The Spacing Guild: shipments of its own, the fees of others, and the choice of when to move."""

from typing import Any, Final

from landsraad_engine.dune.acts import PASSING, Pass, PlayCard, ShipAcross, ShipPrivileged, TakeTurn
from landsraad_engine.dune.board import under_storm
from landsraad_engine.dune.control import Verdict
from landsraad_engine.dune.entering import DECLARATION, STOPPED, VOID, explain, landing_bars, stacks
from landsraad_engine.dune.hooks import Instead, Permit, Query, Timing
from landsraad_engine.dune.karama import (
    Ability,
    Cancellable,
    CancelWindow,
    UseKarama,
    could_hold_karama,
    karama_or_pass,
    karama_stands,
    stands,
)
from landsraad_engine.dune.manoeuvre import groups_of, stack_at, units_of
from landsraad_engine.dune.movement import MovementTurn
from landsraad_engine.dune.pieces import GUILD
from landsraad_engine.dune.shipment import (
    STANDARD,
    Shipment,
    affordable,
    fee_of,
    from_reserves,
    landings,
)
from landsraad_engine.dune.words import BANK, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Act, Choice, OneOf
from landsraad_engine.kernel.overrides import OverrideOrder, Source

source = Source(GUILD, GUILD)

SPICE_MUST_FLOW: Final = "spice_must_flow"

SPECIAL: Final = "guild"
#: The window in which the Guild may stop a shipment.
WINDOW: Final = "control_shipping"


# --- Masters of Ships and Privileged: the Guild Special Shipment


@rule("DUNE-A.5", "DUNE-GUI.12")
def privileged(g: DuneState, faction: str) -> bool:
    """Return whether a faction may ship the Guild's way: the Guild and its allies, unless it was just cancelled."""
    return (faction == GUILD or g.allied(GUILD, faction)) and stands(g, Ability.MASTERS_OF_SHIPS)


def special_share(g: DuneState) -> int:
    """Half of the standard fee is due, unless Karama has taken that away (option gf9)."""
    return 2 if stands(g, Ability.PRIVILEGED) else 1


@source.modifies(Query.SHIPMENT_SHARE)
@rule("DUNE-A.6", "DUNE-R.8", "DUNE-R.94")
def allies_pay_half(g: DuneState, share: int, faction: str) -> int:
    return special_share(g) if faction != GUILD and privileged(g, faction) else share


@source.permits(Permit.SHIP_FROM_BOARD)
@rule("DUNE-GUI.12")
def ships_from_board(g: DuneState, faction: str) -> bool:
    return privileged(g, faction) and any(g.on_board(faction))


@source.modifies(Query.SHIPMENTS, order=OverrideOrder.LAST)
@rule("DUNE-GUI.1", "DUNE-GUI.12", "DUNE-GUI.13", "DUNE-GUI.14", "DUNE-FRE.21", "DUNE-R.88")
def special_shipments(g: DuneState, choices: list[Choice], faction: str) -> list[Choice]:
    """From the reserves, or from one territory to another or back to the reserves, at half the standard rates."""
    if not privileged(g, faction):
        return choices
    share = special_share(g)
    choices = [*choices, *from_reserves(g, faction, ShipPrivileged, share)]
    barred = landing_bars(g, faction)
    for part, held in stacks(g, faction):
        if under_storm(part[0], g.storm):
            continue
        for each, cells in landings(g.storm, barred, part):
            most = affordable(g, faction, share, each)
            if most:
                origin = OneOf((held[0][0],))
                choices.append(Choice(ShipAcross, origin=origin, units=units_of(held, most), to=cells))
    return choices


@source.instead_of(Instead.SHIPMENT)
def special_shipment(g: DuneState, faction: str, act: Act) -> Frame | None:
    if isinstance(act, ShipPrivileged):
        counts = (act.tokens, act.elites, 0)
        fee = fee_of(sum(counts), act.to, special_share(g))
        return Shipment(faction=faction, kind=SPECIAL, counts=counts, to=act.to, fee=fee)
    if isinstance(act, ShipAcross):
        groups = groups_of(stack_at(g, faction, act.origin), act.units)
        tokens, elites, coexisting = (sum(counts[kind] for _, counts in groups) for kind in range(3))
        fee = fee_of(sum(act.units), act.to, special_share(g))
        counts = (tokens, elites, coexisting)
        return Shipment(faction=faction, kind=SPECIAL, counts=counts, to=act.to, groups=groups, fee=fee)
    return None


@source.at(Timing.SHIPMENT_DECLARED)
def may_be_cancelled(g: DuneState, faction: str, kind: str) -> Frame | None:
    return MastersOfShips(faction) if kind == SPECIAL else None


class Privileged(Cancellable):
    """A shipment at half price: cancelled, it has to be declared anew at the full fee."""

    owner: str

    ability = Ability.PRIVILEGED

    @rule("DUNE-R.8")
    def cancelled(f, g: DuneState) -> Flow:
        g.set_mark(DECLARATION, VOID)
        return None


class MastersOfShips(Privileged):
    """A shipment of the Guild's kind: cancelled, it has to be a standard one."""

    ability = Ability.MASTERS_OF_SHIPS

    @rule("DUNE-K.35", "DUNE-R.3", "DUNE-R.8")
    def stands(f, g: DuneState) -> Flow:
        return Privileged(f.owner)


# --- Monopoly: others pay the Guild


@source.modifies(Query.SHIPMENT_PAYEE)
@rule("DUNE-GUI.2", "DUNE-GUI.10", "DUNE-GUI.11")
def payee(g: DuneState, receiver: str, faction: str) -> str:
    return GUILD if receiver == BANK and faction != GUILD and stands(g, Ability.MONOPOLY) else receiver


@source.at(Timing.SHIPMENT_LEAVES, order=OverrideOrder.LAST)
def monopoly(g: DuneState, faction: str, kind: str, karama: str | None) -> Frame | None:
    paid_to_guild = faction != GUILD and kind in (STANDARD, SPECIAL) and karama is None
    if not paid_to_guild or g.table.get(DECLARATION) == STOPPED:
        return None
    return CancelWindow(Ability.MONOPOLY.name, GUILD)


# --- Control Shipping: a shipment is stopped


@source.at(Timing.SHIPMENT_LEAVES)
def may_be_stopped(g: DuneState, faction: str, kind: str, karama: str | None) -> Frame | None:
    if faction == GUILD or kind not in (STANDARD, SPECIAL) or not could_hold_karama(g, GUILD):
        return None
    return ControlShipping()


class ControlShipping(Frame):
    """The Guild may play a Karama and stop another's shipment before anything is paid for it."""

    @step("DUNE-K.15", "DUNE-R.11")
    def window(f, g: DuneState) -> Flow:
        return Ask.quiet({g.seat_of(GUILD): karama_or_pass(g, GUILD)}, why="DUNE-K.15", window=WINDOW, default=Pass())

    @window.answer
    def played(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        (act,) = answers.values()
        return UseKarama(GUILD, act.card, WINDOW) if isinstance(act, PlayCard) else END

    @step("DUNE-K.15", "DUNE-K.16")
    def stop(f, g: DuneState) -> Flow:
        if karama_stands(g):
            g.set_mark(DECLARATION, STOPPED)
        return END


# --- See Danger: the Guild chooses when it moves


@source.modifies(Query.MOVEMENT_ORDER)
@rule("DUNE-GUI.3", "DUNE-GUI.5", "DUNE-GUI.6", "DUNE-GUI.9", "DUNE-R.9")
def last_unless_it_steps_in(g: DuneState, order: tuple[str, ...]) -> tuple[str, ...]:
    if not stands(g, Ability.SEE_DANGER):
        return order
    return (*(faction for faction in order if faction != GUILD), GUILD)


@source.at(Timing.BEFORE_MOVEMENT_TURN)
@rule("DUNE-GUI.4", "DUNE-GUI.7")
def may_step_in(g: DuneState, faction: str) -> Frame | None:
    if faction == GUILD or GUILD in g.table["moved"] or not stands(g, Ability.SEE_DANGER):
        return None
    return SeeDanger(before=faction)


@rule("DUNE-R.9", "DUNE-R.111")
def proper_place(g: DuneState) -> int:
    """Return the distance of the Movement Round from the Guild's place in dot order; below 0 it has passed."""
    order = g.dot_order()
    others = [faction for faction in order if faction != GUILD]
    return order.index(GUILD) - sum(faction in g.table["moved"] for faction in others)


class SeeDanger(Cancellable):
    """The Guild may take its movement turn before another's.

    Karama may cancel that as soon as the Guild leaves its proper place: by moving ahead of it, or by letting it pass.
    """

    before: str
    now: bool = False

    ability = Ability.SEE_DANGER
    owner = GUILD

    @step("DUNE-GUI.4", "DUNE-GUI.7")
    def choose(f, g: DuneState) -> Flow:
        return Ask.one(g.seat_of(GUILD), PASSING, Choice(TakeTurn), why="DUNE-GUI.4", default=Pass())

    @choose.answer
    def chosen(f, g: DuneState, seat: int, act: Act) -> Flow:
        f.now = isinstance(act, TakeTurn)
        place = proper_place(g)
        leaves_its_place = place > 0 if f.now else place == 0
        return None if leaves_its_place else goto("settle")

    @rule("DUNE-GUI.3", "DUNE-GUI.8", "DUNE-R.9")
    def stands(f, g: DuneState) -> Flow:
        return MovementTurn(faction=GUILD) if f.now else None


# --- The Spice Must Flow


@source.modifies(Query.LAST_TURN, order=OverrideOrder.LAST)
@rule("DUNE-0.3", "DUNE-8.18", "DUNE-8.19", "DUNE-R.4")
def the_spice_must_flow(g: DuneState, verdict: Verdict | None) -> Verdict:
    """If nobody else has won by the end of the last turn, the Guild and its allies have."""
    return verdict or (SPICE_MUST_FLOW, (GUILD, *g.allies(GUILD)))


EXPLANATIONS = {ShipPrivileged: explain, ShipAcross: explain}
FRAMES = (MastersOfShips, Privileged, ControlShipping, SeeDanger)
