"""Seating: factions are drawn or chosen, and traded; player dots are taken around the board."""

from typing import Any, Final

from landsraad_engine.dune.acts import NO, PASSING, YES_OR_NO, Consent, Pass, TakeFaction, WishFaction
from landsraad_engine.dune.board import DOTS
from landsraad_engine.dune.pieces import FACTIONS
from landsraad_engine.dune.words import DOT, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf

#: How often players may ask around for another faction.
ROUNDS_OF_TRADE: Final = 3


def in_the_box(g: DuneState) -> tuple[str, ...]:
    """The factions that nobody plays."""
    return tuple(faction for faction in FACTIONS if not g.in_play(faction))


@rule("DUNE-S.5")
def draw_factions(g: DuneState) -> None:
    """Give every seat a faction by chance."""
    left = list(FACTIONS)
    for seat in range(g.setting.seats):
        g.assign(seat, left.pop(g.roll("faction", len(left))))


@rule("DUNE-S.9", "DUNE-R.23")
def draw_positions(g: DuneState) -> None:
    """Put every faction's token on a player dot by chance; with fewer than six players dots stay empty."""
    left = list(range(len(DOTS)))
    for faction in FACTIONS:
        if g.in_play(faction):
            g.set_mark(DOT[faction], left.pop(g.roll("position", len(left))))


class ChooseFactions(Frame):
    """Under the option ``factions = chosen`` the seats take a faction each, one after the other."""

    seat: int = 0

    @step("DUNE-R.97")
    def choose(f, g: DuneState) -> Flow:
        return Ask.one(f.seat, Choice(TakeFaction, faction=OneOf(in_the_box(g))), why="DUNE-R.97", closed=True)

    @choose.answer
    def chosen(f, g: DuneState, seat: int, act: TakeFaction) -> Flow:
        g.assign(seat, act.faction)
        f.seat += 1
        return goto("choose") if f.seat < g.setting.seats else None


class TradeFactions(Frame):
    """Everybody says at once which other faction they would like; what needs somebody's consent is then asked for."""

    rounds: int = 0
    #: what the seats played when this round began
    before: tuple[str, ...] = ()
    #: (seat, the faction it would like)
    wishes: tuple[tuple[int, str], ...] = ()

    @step("DUNE-S.6", "DUNE-S.7", "DUNE-R.98")
    def wish(f, g: DuneState) -> Flow:
        options = {}
        for seat in range(g.setting.seats):
            others = tuple(faction for faction in FACTIONS if faction != g.side(seat))
            options[seat] = (PASSING, Choice(WishFaction, faction=OneOf(others)))
        return Ask.sealed(options, why="DUNE-S.6", default=Pass(), closed=True)

    @wish.answer
    def wished(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        f.rounds += 1
        f.before = _sides(g)
        f.wishes = tuple((seat, act.faction) for seat, act in answers.items() if isinstance(act, WishFaction))
        return None

    @step("DUNE-S.6")
    def mutual(f, g: DuneState) -> Flow:
        """Two players who wish for each other's faction have both agreed already."""
        for seat, wanted in f.wishes:
            own = f.before[seat]
            if g.side(seat) == own and any((owner, own) in f.wishes for owner in g.seats_of(wanted)):
                _exchange(g, seat, wanted)
        return None

    @step("DUNE-S.6", "DUNE-S.7")
    def one_sided(f, g: DuneState) -> Flow:
        while f.wishes:
            (seat, wanted), *rest = f.wishes
            f.wishes = tuple(rest)
            if g.side(seat) == f.before[seat]:  # a wish lapses when its seat has traded meanwhile
                return Call(AskConsent(seat, wanted), "one_sided")
        return None

    @step("DUNE-R.98")
    def again(f, g: DuneState) -> Flow:
        return goto("wish") if _sides(g) != f.before and f.rounds < ROUNDS_OF_TRADE else None


class AskConsent(Frame):
    """A seat would like a faction: its player has to agree, or for a faction of the box everybody else."""

    seat: int
    faction: str

    @step("DUNE-S.6", "DUNE-S.7")
    def consent(f, g: DuneState) -> Flow:
        asked = g.seats_of(f.faction) or tuple(seat for seat in range(g.setting.seats) if seat != f.seat)
        return Ask.sealed(dict.fromkeys(asked, (YES_OR_NO,)), why="DUNE-S.6", default=NO, closed=True)

    @consent.answer
    def answered(f, g: DuneState, answers: dict[int, Consent]) -> Flow:
        if all(act.yes for act in answers.values()):
            _exchange(g, f.seat, f.faction)
        return None


def _sides(g: DuneState) -> tuple[str, ...]:
    return tuple(g.side(seat) for seat in range(g.setting.seats))


def _exchange(g: DuneState, seat: int, faction: str) -> None:
    """Give a seat this faction; whoever played it takes what the seat had, or else the box does."""
    own = g.side(seat)
    owners = g.seats_of(faction)
    g.assign(seat, faction)
    for owner in owners:
        g.assign(owner, own)


FRAMES = (ChooseFactions, TradeFactions, AskConsent)
