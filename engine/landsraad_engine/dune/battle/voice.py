"""The Voice: an order to play, or not to play, one kind of card."""

from types import MappingProxyType
from typing import Final

from landsraad_engine.dune.acts import PASSING, Pass, SpeakVoice
from landsraad_engine.dune.battle.fight import VOICE
from landsraad_engine.dune.karama import Ability, Cancellable
from landsraad_engine.dune.pieces import LASGUN, WORTHLESS
from landsraad_engine.dune.promises import cards_of
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, rule, step
from landsraad_engine.kernel.grammar import Act, Choice, OneOf

#: The closed list of what the Voice can name (DUNE-BG.24 to DUNE-BG.26, DUNE-R.92): the places of a plan in which such
#: a card may lie, and the cards.
KINDS: Final = MappingProxyType(
    {
        "projectile_weapon": (("weapon",), cards_of("weapon", "projectile")),
        "poison_weapon": (("weapon",), cards_of("weapon", "poison")),
        "lasgun": (("weapon",), (LASGUN,)),
        "projectile_defense": (("defense",), cards_of("defense", "projectile")),
        "poison_defense": (("defense",), cards_of("defense", "poison")),
        "worthless": (("weapon", "defense"), WORTHLESS),
    }
)


class TheVoice(Cancellable):
    """The owner may order the target; a Karama may cancel it."""

    owner: str
    target: str

    ability = Ability.THE_VOICE

    @step("DUNE-BG.23", "DUNE-BG.24", "DUNE-BG.25", "DUNE-BG.26", "DUNE-R.92", "DUNE-R.96")
    def speak(f, g: DuneState) -> Flow:
        orders = Choice(SpeakVoice, must=OneOf((True, False)), kind=OneOf(tuple(KINDS), why="DUNE-R.92"))
        return Ask.one(g.seat_of(f.owner), PASSING, orders, why="DUNE-BG.23", default=Pass())

    @speak.answer
    def spoken(f, g: DuneState, seat: int, act: Act) -> Flow:
        if not isinstance(act, SpeakVoice):
            return END
        g.set_mark(VOICE, (f.owner, f.target, act.must, act.kind))
        return None

    @rule("DUNE-K.23")
    def cancelled(f, g: DuneState) -> Flow:
        g.set_mark(VOICE, None)
        return None


FRAMES = (TheVoice,)
