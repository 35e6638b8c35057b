"""The Harkonnen in battle: captured leaders, and traitors for an ally."""

from typing import Final

from landsraad_engine.dune.acts import PASSING, CaptureLeader, KillCaptive, Pass
from landsraad_engine.dune.announcements import NobodyCaptured
from landsraad_engine.dune.battle.plan import fit_to_fight
from landsraad_engine.dune.hooks import Query, Timing
from landsraad_engine.dune.karama import Ability, Cancellable
from landsraad_engine.dune.pieces import FACTIONS, HARKONNEN, LEADERS
from landsraad_engine.dune.words import BATTLE_OF, CAPTURED, FOUGHT, JUST_CAPTURED, LEADER_TANKS, LEADERS_AT, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Act, Choice
from landsraad_engine.kernel.overrides import Source

source = Source("a subtle poison", HARKONNEN)

PRICE_OF_A_CAPTIVE: Final = 2


class ASubtlePoison(Cancellable):
    """The Harkonnen have won a battle: they may capture a leader of the loser."""

    loser: str
    place: str

    ability = Ability.A_SUBTLE_POISON
    owner = HARKONNEN

    @step("DUNE-HAR.5")
    def offer(f, g: DuneState) -> Flow:
        choices = (PASSING, Choice(CaptureLeader))
        return Ask.one(g.seat_of(HARKONNEN), *choices, why="DUNE-HAR.5", default=Pass())

    @offer.answer
    def taken(f, g: DuneState, seat: int, act: Act) -> Flow:
        return END if isinstance(act, Pass) else None

    @rule("DUNE-HAR.5", "DUNE-HAR.6", "DUNE-R.107")
    def stands(f, g: DuneState) -> Flow:
        # Leaders that stand in the territory are taken up with the rest: a disc that stayed, or went, would tell.
        for leader in g.table.get(FOUGHT[f.loser], ()):
            if g.table.get(BATTLE_OF[leader]) == f.place:
                g.move(FOUGHT[f.loser], LEADERS_AT[f.loser], leader)
        leaders = g.leaders(f.loser)
        pool = [at for at, leader in enumerate(leaders) if g.table.get(BATTLE_OF[leader]) in (None, f.place)]
        if not pool:
            g.announce(NobodyCaptured(f.loser))
            return None
        g.take(LEADERS_AT[f.loser], JUST_CAPTURED[f.loser], pool[g.pick("captive", len(pool))])
        return Captive(f.loser)


class Captive(Frame):
    """A leader of the loser has been captured: it is killed at once, or kept."""

    loser: str

    @step("DUNE-HAR.7", "DUNE-HAR.8", "DUNE-R.121")
    def fate(f, g: DuneState) -> Flow:
        choices = (PASSING, Choice(KillCaptive))
        return Ask.one(g.seat_of(HARKONNEN), *choices, why="DUNE-HAR.7", default=Pass())

    @fate.answer
    def decided(f, g: DuneState, seat: int, act: Act) -> Flow:
        (leader,) = g.table[JUST_CAPTURED[f.loser]]
        if isinstance(act, KillCaptive):
            g.kill_leader(JUST_CAPTURED[f.loser], leader)
            g.gain(HARKONNEN, PRICE_OF_A_CAPTIVE)
        else:
            g.move(JUST_CAPTURED[f.loser], CAPTURED[f.loser], leader)
            release_captives(g)
        return END


@source.at(Timing.BATTLE_WON)
@rule("DUNE-HAR.5")
def a_subtle_poison(g: DuneState, winner: str, loser: str, place: str) -> Frame | None:
    """Offered whenever the loser has living leaders at home or in this territory, as everybody can see."""
    if winner != HARKONNEN:
        return None
    here = any(g.table.get(BATTLE_OF[leader]) == place for leader in g.table.get(FOUGHT[loser], ()))
    return ASubtlePoison(loser, place) if here or g.leaders(loser) else None


@source.modifies(Query.LEADERS_TO_PLAY)
@rule("DUNE-HAR.8", "DUNE-R.108", "DUNE-R.109")
def captives(g: DuneState, leaders: tuple[str, ...], faction: str, place: str) -> tuple[str, ...]:
    """A captive may be played once: it steps into the territory as its first owner's leader, and is that again."""
    if faction != HARKONNEN:
        return leaders
    held = (leader for owner in FACTIONS for leader in g.table.get(CAPTURED[owner], ()))
    return (*leaders, *(leader for leader in held if fit_to_fight(g, leader, place)))


@source.at(Timing.LEADERS_DIED)
@rule("DUNE-HAR.9")
def release_captives(g: DuneState) -> None:
    """Without a living leader of their own the Harkonnen hand back all captives."""
    if len(g.table.get(LEADER_TANKS[HARKONNEN], ())) < len(LEADERS[HARKONNEN]):
        return
    for owner in FACTIONS:
        for leader in g.table.get(CAPTURED[owner], ()):
            g.move(CAPTURED[owner], LEADERS_AT[owner], leader)


@source.modifies(Query.TRAITOR_CALLERS)
@rule("DUNE-A.7", "DUNE-A.8")
def take_advantage(g: DuneState, able: tuple[str, ...], side: str) -> tuple[str, ...]:
    """Traitors in Harkonnen pay betray an ally's opponent, if the Harkonnen say so."""
    return (*able, HARKONNEN) if g.allied(HARKONNEN, side) else able


FRAMES: tuple[type[Frame], ...] = (ASubtlePoison, Captive)
