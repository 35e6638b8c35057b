"""4: Revival Round: tokens and leaders come back from the Tanks."""

from types import MappingProxyType
from typing import Final

from landsraad_engine.dune.acts import Revive
from landsraad_engine.dune.hooks import Query
from landsraad_engine.dune.pieces import FACTION, KWISATZ_HADERACH, STRENGTH
from landsraad_engine.dune.promises import TOKENS, Promise, give_up, kept, promises
from landsraad_engine.dune.words import BANK, FACE_UP, FOUGHT, LEADER_TANKS, LEADERS_AT, RESERVES, TANKS, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.constraints import Clause, Constraint, Linear, Literal, Term
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Act, Choice, OneOf, Range

MOST_TOKENS: Final = 3
TOKEN_PRICE: Final = 2
#: what it costs to bring a leader back: the printed strength (DUNE-4.5), or 2 for the Kwisatz Haderach (DUNE-R.71)
LEADER_PRICE: Final = MappingProxyType({**STRENGTH, KWISATZ_HADERACH: 2})
NOTHING: Final = Revive()


class RevivalRound(Frame):
    """4: Revival Round. ``revived`` are the factions that have had their turn, or had nothing in the Tanks."""

    revived: int = 0

    @step("DUNE-4.3", "DUNE-4.12")
    def turn_up(f, g: DuneState) -> Flow:
        for faction in g.factions():
            if leaderless(g, faction):
                g.set_mark(FACE_UP[faction], g.table.get(LEADER_TANKS[faction]))
        return None

    @step("DUNE-4.1", "DUNE-4.4", "DUNE-4.8", "DUNE-4.9")
    def revive(f, g: DuneState) -> Flow:
        order = g.dot_order()
        if f.revived == len(order):
            return END
        faction = order[f.revived]
        options = as_promised(g, faction, revivals(g, faction))
        if not options:
            return goto("next_player")
        return Ask.one(g.seat_of(faction), *options, why="DUNE-4.1", default=NOTHING)

    @revive.answer
    def revives(f, g: DuneState, seat: int, act: Revive) -> Flow:
        faction = g.side(seat)
        g.pay(faction, BANK, price(faction, act.tokens + act.elites, act.leader))
        bring_back(g, faction, act.tokens, act.elites, act.leader)
        return None

    @step("DUNE-4.1", "DUNE-R.129")
    def next_player(f, g: DuneState) -> Flow:
        give_up(g, "revive", by=g.dot_order()[f.revived])
        f.revived += 1
        return goto("revive")


@rule("DUNE-4.3")
def leaderless(g: DuneState, faction: str) -> bool:
    """Return whether all leaders of a faction are captured or face down in the Tanks."""
    return not g.leaders(faction) and FOUGHT[faction] not in g.table and FACE_UP[faction] not in g.table


@rule("DUNE-4.9", "DUNE-4.11", "DUNE-4.5", "DUNE-R.71")
def price(faction: str, tokens: int, leader: str | None) -> int:
    """Return what a revival costs: two spice for each token beyond the free ones, and the leader's strength."""
    paid: int = max(0, tokens - FACTION[faction]["free_revivals"])
    return paid * TOKEN_PRICE + (LEADER_PRICE[leader] if leader else 0)


@rule("DUNE-4.4", "DUNE-4.12", "DUNE-R.71")
def open_leaders(g: DuneState, faction: str) -> tuple[str, ...]:
    """The leaders that a faction may buy back now: those that lie face up."""
    shown: tuple[str, ...] = g.table.get(FACE_UP[faction], ())
    if not shown:
        return ()
    others = tuple(leader for leader in dead_leaders(g, faction) if leader not in STRENGTH)
    return shown + others


def dead_leaders(g: DuneState, faction: str) -> tuple[str, ...]:
    """Everybody of a faction who lies in the Tanks, and whoever is brought back like a leader."""
    dead: tuple[str, ...] = g.query(Query.DEAD_LEADERS, g.table.get(LEADER_TANKS[faction], ()), faction)
    return dead


def revivals(g: DuneState, faction: str) -> list[Choice]:
    """Return what a faction may bring back in its turn; empty if it has nothing in the Tanks."""
    tokens, elites, _ = g.tanks(faction)
    leaders = open_leaders(g, faction)
    if not tokens and not elites and not leaders:
        return []
    purse = g.spice(faction)
    free = FACTION[faction]["free_revivals"]
    most_elites, why = g.query(Query.ELITE_REVIVALS, (MOST_TOKENS, "DUNE-4.8"), faction)
    payable = OneOf((None, *(leader for leader in leaders if LEADER_PRICE[leader] <= purse)), why="DUNE-4.5")
    top_elites = min(elites, most_elites)

    def choice(low: int, high: int, *constraints: Constraint) -> Choice:
        total = Linear((Term("tokens"), Term("elites")), low=low, high=high, why="DUNE-4.8")
        return Choice(
            Revive,
            total,
            *constraints,
            tokens=Range(0, min(tokens, high), why="DUNE-4.8"),
            elites=Range(0, min(top_elites, high), why=why),
            leader=payable,
        )

    choices = [choice(0, free)]
    affordable = min(MOST_TOKENS, free + purse // TOKEN_PRICE, tokens + top_elites)
    if affordable > free:
        prices = tuple((leader, LEADER_PRICE[leader]) for leader in payable.items if leader)
        terms = [Term("tokens", TOKEN_PRICE), Term("elites", TOKEN_PRICE)]
        if prices:
            terms.append(Term("leader", table=prices))
        cost = Linear(tuple(terms), high=purse + free * TOKEN_PRICE, why="DUNE-4.9")
        choices.append(choice(free + 1, affordable, cost))
    return choices


@rule("DUNE-4.6", "DUNE-4.7", "DUNE-4.10", "DUNE-R.72")
def bring_back(g: DuneState, faction: str, tokens: int, elites: int, leader: str | None) -> None:
    """Move tokens and a leader from the Tanks to their owner's reserves. Traitor cards are not touched."""
    g.shift(TANKS[faction], RESERVES[faction], (tokens, elites, 0))
    if leader == KWISATZ_HADERACH:
        g.set_mark("kh/state", "alive")
    elif leader is not None:
        g.move(LEADER_TANKS[faction], LEADERS_AT[faction], leader)
        shown = tuple(other for other in g.table.get(FACE_UP[faction], ()) if other != leader)
        g.set_mark(FACE_UP[faction], shown or None)
        g.reopen()  # a plan without a leader may lie committed, which is none any more
    if tokens or elites:
        kept(g, faction, "revive", TOKENS)
    kept(g, faction, "revive", leader)


@rule("DUNE-R.17", "DUNE-T.19")
def as_promised(g: DuneState, faction: str, choices: list[Choice]) -> list[Choice]:
    """Return what Truthtrance answers leave of a faction's revival: what it has promised, as far as it can do so."""
    for promise in promises(g, faction, "revive"):
        if promise.yes:
            choices = _bound(choices, promise) or choices
    return not_renounced(g, faction, choices)


@rule("DUNE-R.17", "DUNE-T.19")
def not_renounced(g: DuneState, faction: str, choices: list[Choice]) -> list[Choice]:
    """Those of some revivals that bring nobody back whom the faction has answered not to revive."""
    for promise in promises(g, faction, "revive"):
        if not promise.yes:
            choices = _bound(choices, promise)
    return choices


def _bound(choices: list[Choice], promise: Promise) -> list[Choice]:
    """Those of some revivals that keep a promise."""
    why = "DUNE-T.19"
    if promise.value == TOKENS:
        total = (Term("tokens"), Term("elites"))
        demand: Constraint = Linear(total, low=1, why=why) if promise.yes else Linear(total, high=0, why=why)
    else:
        demand = Clause((Literal("leader", (promise.value,), wanted=promise.yes),), why=why)
    bound = [
        Choice(c.act, *c.constraints, demand, why=c.why, **dict(zip(c.names, c.domains, strict=True))) for c in choices
    ]
    return [choice for choice in bound if choice.possible()]


@rule("DUNE-T.24", "DUNE-T.25", "DUNE-T.26", "DUNE-K.9", "DUNE-K.10")
def from_the_tanks(
    g: DuneState, faction: str, act: type[Act], most: int, why: str, barred: tuple[str, ...] = ()
) -> list[Choice]:
    """Choices of a card that revives outside the round: up to ``most`` tokens of any kind, or any one leader."""
    tokens, elites, _ = g.tanks(faction)
    leaders = tuple(leader for leader in dead_leaders(g, faction) if leader not in barred)
    choices = []
    if tokens or elites:
        total = Linear((Term("tokens"), Term("elites")), low=1, high=most)
        choices.append(
            Choice(
                act,
                total,
                why=why,
                tokens=Range(0, min(tokens, most)),
                elites=Range(0, min(elites, most)),
                leader=OneOf((None,)),
            )
        )
    if leaders:
        choices.append(Choice(act, tokens=Range(0, 0), elites=Range(0, 0), leader=OneOf(leaders), why=why))
    return not_renounced(g, faction, choices)


def explain_revival(g: DuneState, seat: int, act: Revive) -> tuple[str, str] | None:
    """Return the reason for a refused revival: a leader lies face down, tokens are too many, or all of it too dear."""
    faction = g.side(seat)
    if act.leader in g.table.get(LEADER_TANKS[faction], ()) and act.leader not in open_leaders(g, faction):
        return "DUNE-4.4", f"{act.leader} lies face down in the Tanks"
    if act.tokens + act.elites > MOST_TOKENS:
        return "DUNE-4.8", f"{MOST_TOKENS} tokens a turn are the most"
    if act.leader not in (None, *open_leaders(g, faction)):
        return None
    for_leader = price(faction, 0, act.leader)
    due = price(faction, act.tokens + act.elites, act.leader)
    if due > g.spice(faction):
        return "DUNE-4.5" if due == for_leader else "DUNE-4.9", f"that costs {due} spice"
    return None


EXPLANATIONS = {Revive: explain_revival}
FRAMES = (RevivalRound,)
