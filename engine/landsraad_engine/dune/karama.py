"""Karama: cancelling abilities, and playing the card for any of its effects.

A use that Karama can cancel is a :class:`Cancellable`. A Karama is played for an effect by :class:`UseKarama`,
and then :func:`karama_stands`: a worthless card played by the Bene Gesserit can itself be cancelled.
"""

from enum import Enum, auto
from typing import Any, Final

from landsraad_engine.dune.acts import PASS_ONLY, Pass, PlayCard, card_choice, or_pass
from landsraad_engine.dune.announcements import KaramaPlayed, Purpose
from landsraad_engine.dune.battle.fight import KARAMAS, answered_cards, battle_now
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.pieces import BENE_GESSERIT, KARAMA, WORTHLESS
from landsraad_engine.dune.possible_holders import could_hold
from landsraad_engine.dune.promises import bid_pledge, kept, pledged_cards, said
from landsraad_engine.dune.spending import bid_to_beat, vow_under_way
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.asks import Answers, Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice
from landsraad_engine.kernel.overrides import OverrideOrder, Source, under_its_rule

source = Source("karama")

WINDOW = "karama"

#: The cards that serve as Karama: for the Bene Gesserit worthless ones, too.
_TRUE_KARAMA: Final = (KARAMA,)
_WITH_WORTHLESS: Final = (KARAMA, *WORTHLESS)


class Until(Enum):
    """The end of a cancellation that ends with no moment of the game turn."""

    USE = auto()  #: the use that was cancelled
    BATTLE = auto()  #: the battle (battle/battle.py)
    LOOK = auto()  #: the look at it (:func:`karama_stands`)


class Ability(Enum):
    """An ability that Karama can cancel: the statement that says so, the ``karama_reach``, and how long it is gone."""

    # karama_reach = seed, and with it gf9
    SPY_NETWORK = ("Spy Network", "DUNE-R.1", "seed", Timing.BIDDING_ENDS)
    FORESIGHT = ("Foresight", "DUNE-K.28", "seed")
    PRESCIENCE = ("Prescience", "DUNE-K.24", "seed")
    KWISATZ_HADERACH = ("Kwisatz Haderach", "DUNE-K.25", "seed", Until.BATTLE)
    POLITICAL_MANIPULATION = ("Political Manipulation", "DUNE-K.29", "seed", Until.LOOK)
    SPIRITUAL_ADVISORS = ("Spiritual Advisors", "DUNE-K.30", "seed")
    COMBAT_ADVISORS = ("Combat Advisors", "DUNE-K.31", "seed")
    THE_VOICE = ("The Voice", "DUNE-K.23", "seed")
    SARDAUKAR = ("Sardaukar", "DUNE-K.26", "seed", Until.BATTLE)
    SANDRIDERS = ("Sandriders", "DUNE-K.32", "seed", Timing.WORM_LEAVES)
    BLESS_THE_MAKER = ("Bless the Maker", "DUNE-K.33", "seed")
    FEDAYKIN = ("Fedaykin", "DUNE-K.27", "seed", Until.BATTLE)
    SEE_DANGER = ("See Danger", "DUNE-K.34", "seed", Timing.MOVEMENT_ENDS)
    MASTERS_OF_SHIPS = ("Masters of Ships", "DUNE-K.35", "seed", Timing.SHIPPING_ENDS)
    A_SUBTLE_POISON = ("A Subtle Poison", "DUNE-K.36", "seed")
    # karama_reach = gf9 only
    PIETY = ("Piety", "DUNE-R.3", "gf9", Timing.BIDDING_ENDS)
    CO_EXIST = ("Co-exist", "DUNE-R.3", "gf9")
    GOLDEN_LION_THRONE = ("Golden Lion Throne", "DUNE-R.3", "gf9", Timing.CARD_BOUGHT)
    DESERT_CREATURES = ("Desert Creatures", "DUNE-R.3", "gf9", Timing.MANOEUVRING_ENDS)
    TASTE_THE_AIR = ("Taste the Air", "DUNE-R.3", "gf9")
    SANDCRAFT = ("Sandcraft", "DUNE-R.3", "gf9")
    DUPLICITOUS = ("Duplicitous", "DUNE-R.3", "gf9")
    MONOPOLY = ("Monopoly", "DUNE-R.3", "gf9", Timing.SHIPPING_ENDS)
    PRIVILEGED = ("Privileged", "DUNE-R.3", "gf9", Timing.SHIPPING_ENDS)

    def __init__(self, title: str, rule: str, reach: str, until: Until | Timing = Until.USE) -> None:
        self.title = title
        self.rule = rule
        self.reach = reach
        self.until = until


@rule("DUNE-R.2", "DUNE-R.3", "DUNE-R.4")
def cancellable(g: DuneState, ability: Ability) -> bool:
    """Return whether Karama reaches this ability under the match's option."""
    return ability.reach == "seed" or g.options["karama_reach"] == "gf9"


def stands(g: DuneState, ability: Ability) -> bool:
    """Return whether an ability has not been cancelled (for the scope it is in)."""
    cancelled = g.table.get("cancelled")
    return cancelled is None or ability.name not in cancelled


def cancel(g: DuneState, ability: Ability) -> None:
    """Mark an ability as cancelled until its row says."""
    now = g.table.get("cancelled") or ()
    g.set_mark("cancelled", tuple(sorted({*now, ability.name})), ability.rule)


def restore(g: DuneState, *abilities: Ability) -> None:
    """The scope of a cancellation is over."""
    now = g.table.get("cancelled")
    if now is not None:
        names = {ability.name for ability in abilities}
        g.set_mark("cancelled", tuple(name for name in now if name not in names) or None, "DUNE-R.5")


def _lasts_until(timing: Timing) -> None:
    """Have cancellations end with a moment, after everything else that happens then."""
    abilities = tuple(ability for ability in Ability if ability.until is timing)

    @source.at(timing, OverrideOrder.LAST)
    @rule("DUNE-R.5", "DUNE-R.6", "DUNE-R.7", "DUNE-R.9")
    def over(g: DuneState, *_: object) -> None:
        restore(g, *abilities)


for _timing in Timing:
    if any(ability.until is _timing for ability in Ability):
        _lasts_until(_timing)


@rule("DUNE-T.29", "DUNE-BG.2", "DUNE-T.23", "DUNE-R.17")
def karamas(g: DuneState, faction: str) -> tuple[str, ...]:
    """The different cards in a hand that the faction can play as Karama.

    A card that it has answered to play in the present battle is not among them, and none is once it has answered to
    use no Karama this turn.
    """
    usable = _usable(faction)
    cards = tuple(dict.fromkeys([card for card in g.hand(faction) if card in usable]))
    if not cards or said(g, faction, "karama") is False:
        return ()
    if battle_now(g) is None:
        return cards
    promised = (*answered_cards(g, faction), *pledged_cards(g, faction))
    return tuple(card for card in cards if card not in promised)


@rule("DUNE-T.23")
def owes_karama(g: DuneState, faction: str) -> bool:
    """Return whether a promised bid on the card now up for sale can be made, or was made, with Karama only.

    To lose the Karama after the bid would undo the promise: the sale would go on from what the purse holds.
    """
    spice = g.spice(faction)
    pledge = bid_pledge(g, faction)
    if pledge is not None and pledge.valid and spice <= max(int(pledge.value), bid_to_beat(g)):
        return True
    return spice <= vow_under_way(g, faction)


@rule("DUNE-T.23")
def spare_karamas(g: DuneState, faction: str) -> tuple[str, ...]:
    """Those of :func:`karamas` that may be played for anything but a bid: the last one waits for a bid promised."""
    cards = karamas(g, faction)
    if cards and owes_karama(g, faction) and sum(card in _usable(faction) for card in g.hand(faction)) == 1:
        return ()
    return cards


def could_hold_karama(g: DuneState, faction: str) -> bool:
    """Return whether, from what everybody knows, the faction could hold a card that it can play as Karama."""
    return could_hold(g, faction, *_usable(faction))


def _usable(faction: str) -> tuple[str, ...]:
    return _WITH_WORTHLESS if faction == BENE_GESSERIT else _TRUE_KARAMA


def karama_or_pass(g: DuneState, faction: str) -> Answers:
    """The answers to a window in which a faction may play a Karama."""
    cards = spare_karamas(g, faction)
    return play_or_pass(g, faction, card_choice(*cards)) if cards else PASS_ONLY


@rule("DUNE-R.129")
def play_or_pass(g: DuneState, faction: str, *plays: Choice) -> Answers:
    """The answers to a window for uses of Karama: who has answered to use one this turn does so at the first."""
    return plays if plays and said(g, faction, "karama") else or_pass(*plays)


class Cancellable(Frame):
    """The use of something that Karama may cancel.

    A use names its ``ability`` and ``owner``. Its own steps come first; then everybody else may play a Karama
    (``window``, which a step skips with ``goto("settle")``); then it stands or is cancelled. The cancellation ends with
    the use, unless the ability's row names another end.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.STEPS = {
            name: step for name, step in cls.STEPS.items() if name not in Cancellable.STEPS
        } | Cancellable.STEPS

    @property
    def ability(f) -> Ability:
        raise NotImplementedError

    @property
    def owner(f) -> str:
        raise NotImplementedError

    @step("DUNE-R.11", "DUNE-R.5")
    def window(f, g: DuneState) -> Flow:
        ability = f.ability
        if not cancellable(g, ability) or not stands(g, ability):
            return goto("settle")
        able = (faction for faction in g.after(f.owner) if could_hold_karama(g, faction))
        options = {g.seat_of(faction): karama_or_pass(g, faction) for faction in able}
        return Ask.quiet(options, why=ability.rule, window=WINDOW, default=Pass()) if options else goto("settle")

    @window.answer
    def played(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        # Simultaneous plays go in dot order: the first one cancels, the others keep their card (DUNE-0.27).
        for faction in g.dot_order():
            act = answers.get(g.seat_of(faction))
            if isinstance(act, PlayCard):
                cancel(g, f.ability)
                return UseKarama(faction, act.card, "cancel", f.ability.name.lower())
        return goto("settle")

    @step("DUNE-K.29")
    def countered(f, g: DuneState) -> Flow:
        # Against Political Manipulation only a true Karama can be played, and nothing counters that.
        if f.ability is not Ability.POLITICAL_MANIPULATION and not karama_stands(g):
            restore(g, f.ability)
            return goto("window")
        return None

    @step("DUNE-R.5")
    def settle(f, g: DuneState) -> Flow:
        ability = f.ability
        then = f.stands if stands(g, ability) else f.cancelled
        if ability.until is Until.USE:
            restore(g, ability)
        return under_its_rule(then, g)

    @rule("DUNE-R.5")
    def stands(f, g: DuneState) -> Flow:
        """Carry out the effect: no Karama has cancelled it."""
        return None

    @rule("DUNE-R.5")
    def cancelled(f, g: DuneState) -> Flow:
        """Carry on without the effect, which a Karama has cancelled. Most effects leave nothing to do."""
        return None


class CancelWindow(Cancellable):
    """The use of an ability that other rules look at: whether it :func:`stands`, they ask themselves."""

    used: str
    owner: str

    @property
    def ability(f) -> Ability:
        return Ability[f.used]


class UseKarama(Cancellable):
    """A Karama is played for a stated purpose and discarded; a worthless card as Karama may be cancelled itself."""

    faction: str
    card: str
    purpose: Purpose
    #: the ability that it cancels, or the faction that it is played against
    about: str | None = None

    ability = Ability.POLITICAL_MANIPULATION

    @property
    def owner(f) -> str:
        return f.faction

    @step("DUNE-T.13", "DUNE-T.29")
    def play(f, g: DuneState) -> Flow:
        g.announce(KaramaPlayed(f.faction, f.card, f.purpose, f.about))
        g.discard(f.faction, f.card)
        kept(g, f.faction, "karama", None)
        if battle_now(g) is not None:
            g.set_mark(KARAMAS, (*g.table.get(KARAMAS, ()), f.faction))
        if f.card == KARAMA:
            return END
        restore(g, Ability.POLITICAL_MANIPULATION)
        return None


def karama_stands(g: DuneState) -> bool:
    """Return whether the Karama just used has its effect; forgets a cancellation of it."""
    ability = Ability.POLITICAL_MANIPULATION
    if stands(g, ability):
        return True
    restore(g, ability)
    return False


FRAMES = (CancelWindow, UseKarama)
