"""The Regeneration Tank: where named leaders go when they fall, and how they come back."""

from landsraad_engine.arrakis.acts import EnterTank
from landsraad_engine.arrakis.hooks import Permit, Timing
from landsraad_engine.arrakis.partners import deciders
from landsraad_engine.arrakis.sides import DASHBOARD, SIDES
from landsraad_engine.arrakis.terms import SIDE_OF
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.arrakis.zones import ASIDE, FIGURE, LEAVING, TANK
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, Order


@rule("WFA-T.1")
def slots(g: Words, leader: str) -> int:
    """Return how many slots the tank has that this leader goes to."""
    return g.content.dashboard[_dashboard(g, leader)].tank


def tank(g: Words, leader: str) -> dict[int, str]:
    """The leaders in the tank that this leader goes to, by slot."""
    here = _dashboard(g, leader)
    found = {}
    for other in g.content.leader.values():
        place = g.table.get(FIGURE[other.id]) if not other.generic else None
        if place in TANK and _dashboard(g, other.id) == here:
            found[TANK.index(place)] = other.id
    return found


@rule("WFA-G.63")
def _dashboard(g: Words, leader: str) -> str:
    """The dashboard of the seat that leads this leader."""
    power = g.half_of(leader)
    side = SIDE_OF[power]
    seat = next((s for s in range(4) if power in g.table.get(f"powers/{s}", ())), None)
    return DASHBOARD[side] if seat is None else g.dashboard(seat)


class ToTank(Frame):
    """Named leaders are removed from the board: each enters its tank on the first slot and pushes the others on."""

    leaders: tuple[str, ...]

    @step("WFA-T.4")
    def order(f, g: ArrakisState) -> Flow:
        """Their owner says in which order several of them enter."""
        if len(f.leaders) < 2:
            return None
        side = SIDE_OF[g.half_of(f.leaders[0])]
        choice = Choice(EnterTank, leaders=Order(f.leaders))
        # Closed: nobody takes another's place in between.
        return Ask.any_of(deciders(g, side), choice, why="WFA-T.4", default=EnterTank(f.leaders), closed=True)

    @order.answer
    def ordered(f, g: ArrakisState, seat: int, act: EnterTank) -> Flow:
        f.leaders = act.leaders
        return None

    @step("WFA-T.2", "WFA-T.3", "WFA-T.13")
    def enter(f, g: ArrakisState) -> Flow:
        if not f.leaders:
            return END
        leader, *rest = f.leaders
        f.leaders = tuple(rest)
        _make_room(g, leader, 0)
        g.set_mark(FIGURE[leader], TANK[0])
        return g.at(Timing.LEADER_FALLS, leader)

    @step()
    def on(f, g: ArrakisState) -> Flow:
        return goto("enter")


@rule("WFA-G.63")
def take_slot(g: ArrakisState, leader: str, old: str, why: str) -> None:
    """Let a leader stand in the slot of another whose place it takes: in its own tank, if that is another one."""
    slot = TANK.index(g.table[FIGURE[old]])
    if _dashboard(g, leader) != _dashboard(g, old):
        slot = min(slot, slots(g, leader) - 1)
        _make_room(g, leader, slot)
    g.set_mark(FIGURE[leader], TANK[slot], why)


@rule("WFA-T.3")
def _make_room(g: ArrakisState, leader: str, slot: int) -> None:
    """Push whoever stands on the slot that a leader comes to, and the others behind as far as they stand in a row."""
    pushed = tank(g, leader)
    last = slots(g, leader) - 1
    free = next((n for n in range(slot, last + 1) if n not in pushed), last + 1)
    for n in range(free - 1, slot - 1, -1):  # the last of the row first, so that nobody stands on anybody
        _shove(g, pushed[n], n, last)


def advance_leader(g: ArrakisState, leader: str, steps: int) -> None:
    """Move one leader on by so many slots, pushing those in the way, and at the end out of the tank."""
    for _ in range(steps):
        if g.in_tank(leader):
            slot = TANK.index(g.table[FIGURE[leader]])
            _make_room(g, leader, slot + 1)
            _shove(g, leader, slot, slots(g, leader) - 1)


@rule("WFA-T.10", "WFA-T.11")
def _shove(g: ArrakisState, leader: str, slot: int, last: int) -> None:
    """Move a leader one slot to the right, and out of the last one."""
    out = ASIDE if g.allowed(Permit.BACK_AT_ONCE) else LEAVING
    g.set_mark(FIGURE[leader], TANK[slot + 1] if slot < last else out)


@rule("WFA-T.5", "WFA-T.10", "WFA-G.44", "WFA-G.45")
def advance_tank(g: ArrakisState, side: str) -> None:
    """All leaders in the tanks of a side move one slot to the right."""
    places = sorted((slot, leader) for slot, at in enumerate(TANK) for leader in g.named_at(side, at))
    for slot, leader in reversed(places):
        _shove(g, leader, slot, slots(g, leader) - 1)


@rule("WFA-T.10", "WFA-T.15")
def release(g: ArrakisState) -> None:
    """Leaders that have left a tank can be deployed again; a card that is still face up goes back on its box."""
    for side in SIDES:
        for leader in g.named_at(side, LEAVING):
            g.set_mark(FIGURE[leader], ASIDE)


FRAMES = (ToTank,)
