"""Promises that bind players: Truthtrance answers about acts to come, and public deals.

Both are *promises* and lie as plain rows in the open marks ``truths`` and ``deals``. The phases ask here what a
faction may still do; what has become impossible is declared invalid with :func:`judge`, and valid again if it becomes
possible again. A promise lasts as long as its scope: a card, a battle, a Nexus, or up to the end of a game turn.
"""

from itertools import starmap
from typing import Any, Final, NamedTuple, TypeAlias

from landsraad_engine.dune.pieces import CATEGORY, DEFENSES, LASGUN, WEAPONS
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import rule

TRUTHS: Final = "truths"
DEALS: Final = "deals"
#: deals that have been proposed, as rows of :data:`Offer`
OFFERS: Final = "offers"

#: Scopes of promises; any other scope is the number of the game turn with whose end the promise lapses.
CARD: Final = "card"  #: the card now up for bid
BATTLE: Final = "battle"  #: the battle now being fought; also the mark that shows it
NEXUS: Final = "nexus"  #: the next Nexus Round

#: What Truthtrance can ask of the present battle, in the parts of a plan (DUNE-R.16).
PLAN_PARTS: Final = ("dial", "leader", "weapon", "defense", "card", "kwisatz_haderach")
#: The question whether a traitor is called in the present battle (DUNE-R.16).
TRAITOR_CALL: Final = "calls traitor"
#: The question how far the first storm is dialled (DUNE-R.17).
STORM_DIAL: Final = "storm dial"
#: What a question about revival calls troop tokens of any kind, where it names no leader.
TOKENS: Final = "tokens"
#: Acts that may be promised for a turn and of which only its end shows that they do not come any more.
_UNTIL_THE_END: Final = ("revive", "karama")

#: The kinds of card that a question about a plan can name; "any" is any weapon or defense at all.
WEAPON_KINDS: Final = ("any", "projectile", "poison", LASGUN)
DEFENSE_KINDS: Final = ("any", "projectile", "poison")


class Promise(NamedTuple):
    """One thing that a faction has bound itself to.

    ``kind`` is "enter" (ship or move into the territory ``value``), "bid" (above ``value`` on this card), "ally" (with
    the faction ``value``), "revive" (the leader ``value``, or tokens), "karama" (use one), "storm dial" (``value`` at
    least), "calls traitor", "pay" (``value`` spice to ``to``) or one of :data:`PLAN_PARTS`. ``yes`` says whether it
    does so or keeps from it; ``valid`` is False while it has been declared impossible.
    """

    by: str
    to: str
    kind: str
    value: Any
    yes: bool
    scope: str | int
    valid: bool = True


class PlanTerm(NamedTuple):
    """A demand of a Truthtrance answer on the battle plan now being made.

    part               value and meaning (``wanted`` False: the opposite)
    dial               number: the dial is at least this
    leader             leader or "cheap_hero": this is played as the leader
    weapon, defense    one of WEAPON_KINDS / DEFENSE_KINDS: a card of :func:`cards_of` (part, value) is played there
    card               treachery card: it is played, wherever in the plan
    kwisatz_haderach   None: he goes with the leader
    """

    part: str
    value: Any
    wanted: bool
    promise: Promise


#: A deal that has been proposed: its number, who proposes it to whom, and the promises of both as rows.
Offer: TypeAlias = tuple[int, str, str, tuple[tuple[Any, ...], ...]]


def offers(g: DuneState) -> tuple[Offer, ...]:
    """The open offers, older ones first."""
    found: tuple[Offer, ...] = g.table.get(OFFERS, ())
    return found


def promises(g: DuneState, faction: str, kind: str) -> list[Promise]:
    """The promises of one kind that a faction has given, Truthtrance answers first."""
    table = g.table
    if TRUTHS not in table and DEALS not in table:
        return []
    rows = (*table.get(TRUTHS, ()), *table.get(DEALS, ()))
    return [
        Promise(by, to, what, value, yes, scope, valid)
        for by, to, what, value, yes, scope, valid in rows
        if by == faction and what == kind
    ]


# ------------------------------------------------------------------------------------------------ what the phases ask


@rule("DUNE-R.17", "DUNE-R.19")
def bid_cap(g: DuneState, faction: str) -> int | None:
    """The most that a faction may bid on the card now up for sale (None: no promise limits it)."""
    if TRUTHS not in g.table and DEALS not in g.table:
        return None
    pledge = bid_pledge(g, faction)
    floor = -1 if pledge is None else int(pledge.value)
    # A deal yields to a Truthtrance answer that it contradicts.
    return min((p.value for p in promises(g, faction, "bid") if not p.yes and p.value > floor), default=None)


@rule("DUNE-R.17")
def bid_pledge(g: DuneState, faction: str) -> Promise | None:
    """The promise to bid above an amount on the card now up for sale that is still to be kept."""
    if TRUTHS not in g.table:
        return None
    return max((p for p in promises(g, faction, "bid") if p.yes), key=lambda p: int(p.value), default=None)


@rule("DUNE-R.17", "DUNE-R.19")
def barred_territories(g: DuneState, faction: str) -> tuple[str, ...]:
    """The territories into which a faction has promised not to ship or move now."""
    if TRUTHS not in g.table and DEALS not in g.table:
        return ()
    pledged = pledged_territories(g, faction)
    return tuple(p.value for p in promises(g, faction, "enter") if not p.yes and p.value not in pledged)


@rule("DUNE-R.17")
def pledged_territories(g: DuneState, faction: str) -> tuple[str, ...]:
    """The territories into which a faction has promised by Truthtrance to ship or move this turn and has not yet.

    Movement restricts the last act that can keep the promise (a shipment if no manoeuvre could, else the manoeuvre) to
    those that do, calls :func:`kept` when one has, and :func:`judge` when none can.
    """
    if TRUTHS not in g.table:
        return ()
    return tuple(p.value for p in promises(g, faction, "enter") if p.yes)


@rule("DUNE-R.17", "DUNE-R.19")
def alliance_answer(g: DuneState, faction: str, other: str) -> bool | None:
    """Return how a faction has promised to answer an alliance with another at this Nexus (None: it is free).

    The first promise counts: Truthtrance before deals, older before newer.
    """
    return next((p.yes for p in promises(g, faction, "ally") if p.value == other), None)


@rule("DUNE-T.22", "DUNE-R.16")
def plan_bindings(g: DuneState, faction: str) -> tuple[PlanTerm, ...]:
    """Return what Truthtrance answers demand of a faction's plan in the present battle, older answers first.

    Those that cannot be kept now are among them, so that the caller can :func:`judge` each anew just before the plans
    are committed; a term whose promise is not valid does not restrict the plan.
    """
    if TRUTHS not in g.table:
        return ()
    given = starmap(Promise, g.table[TRUTHS])
    return tuple(PlanTerm(p.kind, p.value, p.yes, p) for p in given if p.by == faction and p.kind in PLAN_PARTS)


def said(g: DuneState, faction: str, kind: str) -> bool | None:
    """Return the answer that a faction has given to a question without a value (None: it was not asked)."""
    return next((p.yes for p in promises(g, faction, kind)), None)


@rule("DUNE-T.23")
def pledged_cards(g: DuneState, faction: str) -> tuple[str, ...]:
    """The cards that a faction has answered to have in the plan of the present battle."""
    return tuple(p.value for p in promises(g, faction, "card") if p.yes)


def cards_of(part: str, kind: str) -> tuple[str, ...]:
    """The treachery cards that a question about a weapon or defense of this kind means."""
    cards = WEAPONS if part == "weapon" else DEFENSES
    if kind == "any":
        return cards
    if kind == LASGUN:
        return (LASGUN,)
    return tuple(card for card in cards if CATEGORY[card] == f"{part}_{kind}")


# ------------------------------------------------------------------------------------- how promises begin, change, end


@rule("DUNE-T.20", "DUNE-T.21", "DUNE-R.18")
def judge(g: DuneState, promise: Promise, possible: bool) -> None:
    """Declare a Truthtrance answer invalid if it can no longer be kept, or valid again if it can."""
    if promise.valid is possible:
        return
    replace(g, promise, promise._replace(valid=possible))
    fact = "answer valid again" if possible else "answer invalid"
    g.declare("DUNE-T.20", g.seat_of(promise.by), fact, (promise.kind, promise.value, promise.yes))


def kept(g: DuneState, faction: str, kind: str, value: Any) -> None:
    """A promise to do something has been kept: forget it."""
    for promise in promises(g, faction, kind):
        if promise.yes and promise.value == value:
            replace(g, promise, None)


@rule("DUNE-T.20", "DUNE-R.129")
def give_up(g: DuneState, *kinds: str, by: str = "") -> None:
    """Declare invalid what was promised of these kinds (none: of those for the turn), by one faction or any, unkept."""
    for promise in starmap(Promise, g.table.get(TRUTHS, ())):
        if promise.yes and promise.kind in (kinds or _UNTIL_THE_END) and by in ("", promise.by):
            judge(g, promise, possible=False)


def lapse(g: DuneState, *scopes: str | int) -> None:
    """Forget the promises whose scope is over, and the offers of any. Debts stay until they are paid."""
    for mark in (TRUTHS, DEALS):
        given = starmap(Promise, g.table.get(mark, ()))
        g.set_mark(mark, tuple(tuple(p) for p in given if p.scope not in scopes or p.kind == "pay") or None)
    kept_open = []
    for offer in offers(g):
        _, _, _, rows = offer
        if not any(promise.scope in scopes for promise in starmap(Promise, rows)):
            kept_open.append(offer)
    g.set_mark(OFFERS, tuple(kept_open) or None)


def add(g: DuneState, mark: str, promise: Promise) -> None:
    """Bind a faction: ``mark`` is TRUTHS or DEALS."""
    g.set_mark(mark, (*g.table.get(mark, ()), tuple(promise)))


def replace(g: DuneState, old: Promise, new: Promise | None) -> None:
    """Put another promise in the place of one (None: take it away)."""
    for mark in (TRUTHS, DEALS):
        rows = g.table.get(mark, ())
        if tuple(old) in rows:
            at = rows.index(tuple(old))
            put = () if new is None else (tuple(new),)
            g.set_mark(mark, (*rows[:at], *put, *rows[at + 1 :]) or None)
            return


# ----------------------------------------------------------------------------------------------------- present battle


def enter_battle(g: DuneState, aggressor: str, defender: str, territory: str) -> None:
    """A battle begins: all can see it in this mark. The rules ask ``battle.fight.battle_now`` for it."""
    g.set_mark(BATTLE, (aggressor, defender, territory))


def leave_battle(g: DuneState) -> None:
    """The battle is over: promises about it lapse."""
    g.set_mark(BATTLE, None)
    lapse(g, BATTLE)
