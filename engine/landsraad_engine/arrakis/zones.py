"""Every place of War for Arrakis, what lies in it and who may see it.

The areas are the same in all contents, so the keys of places on the board are made once, when this module is imported.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from landsraad_engine.arrakis.content import BoxContent, load
from landsraad_engine.arrakis.leaders.sets import TURNCOATS
from landsraad_engine.arrakis.seating import SeatRole, dashboards_of
from landsraad_engine.arrakis.sides import (
    ASIDE_DICE,
    ATREIDES,
    DASHBOARD,
    DICE,
    FIGURES,
    LOCKED,
    POOL,
    POWERS,
    SIDES,
    USED,
    VEHICLES,
    WORMS,
)
from landsraad_engine.arrakis.terms import EDITIONS, EVENTS, MARKERS, SubFaction
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.zones import Content, Sight, Zone

_BOX: Final = load()
AREAS: Final = tuple(_BOX.area)
AIR_ZONES: Final = tuple(_BOX.air_zone)
POWERS_OF_THE_IMPERIUM: Final = tuple(_BOX.ban)
DECKS: Final[tuple[SubFaction, ...]] = tuple(deck for side in SIDES for deck in POWERS[side])


def _keys(name: str, of: Iterable[str] = AREAS) -> Mapping[str, str]:
    return {each: f"{name}/{each}" for each in of}


# ---- Keys, by what they are about: AreaId, seat, leader, ... ----

#: Figures of a side in an area, or in its supply; deployment tokens face down in an area.
LEGION: Final = {side: _keys(f"legion/{side}") for side in SIDES}
SUPPLY: Final = _keys("supply", SIDES)
TOKENS: Final = _keys("tokens")
SIETCH: Final = _keys("sietch")
VILLAGE: Final = _keys("settlement")
STATION: Final = _keys("station")
WORM: Final = _keys("worm")
WORMSIGN: Final = _keys("wormsign")
#: A harvester in an area, an ornithopter or carryall in an air zone; those off the board lie in "vehicles".
VEHICLE: Final = _keys("vehicle", (*AREAS, *AIR_ZONES))

#: Figures set apart for the length of an action: those that have moved by it, or do not take part in an attack.
APART: Final = tuple(f"apart/{n}" for n in range(6))
APART_TOKENS: Final = tuple(f"apart_tokens/{n}" for n in range(6))
#: (side, area that they came from, area that they go to)
APART_FOR: Final = tuple(f"apart_for/{n}" for n in range(6))

DECK: Final = _keys("deck", DECKS)
DISCARD: Final = _keys("discard", DECKS)
OUT: Final = _keys("out", DECKS)
#: Planning cards that lie on a revealed prescience card; "attached" says on which.
LAID: Final = _keys("laid", DECKS)
#: The cards of a deck while a seat looks through them.
SEARCHED: Final = tuple(f"searched/{seat}" for seat in range(4))
#: The two sets of Harkonnen starting tokens, face down and, once exchanged for figures, face up.
STARTING_SETS: Final = ("harkonnen_black", "harkonnen_silver")
#: Tokens of these sets that lie face down in an area, in the solo mode.
GARRISON: Final = {name: _keys(f"garrison/{name}") for name in STARTING_SETS}
#: The mark of the solo mode: the side of the automaton, which no seat plays, under its pseudo-seat.
SOLO: Final = "side/-1"

#: Where a named leader's figure is: an area, APART[n], TANK[n], or one of the words below; absent: not in play yet.
FIGURE: Final = _keys("figure", dict.fromkeys(name for edition in EDITIONS for name in load(edition=edition).leader))
#: Which side of a leader's card shows.
CARD: Final = _keys("card", FIGURE)
ASIDE: Final = "aside"  #: in play and off the board, ready to be deployed
LEAVING: Final = "leaving"  #: out of the tank, but not available before the next turn
GONE: Final = "gone"  #: out of the game
CONTESTED: Final = "contested"  #: his legion has just been beaten, and the battle has not said by whom yet
#: The slots of a regeneration tank, left to right; which dashboard's follows from the leader.
TANK: Final = tuple(f"tank/{n}" for n in range(8))
#: The half of a faction that leads a leader whose loyalty has passed to the other side.
LOYALTY: Final = _keys("loyalty", TURNCOATS)
READY: Final = "ready"
SPENT: Final = "spent"

MARKER: Final = _keys("marker", MARKERS)
IMPERIUM: Final = _keys("imperium", POWERS_OF_THE_IMPERIUM)
BAN: Final = _keys("ban", POWERS_OF_THE_IMPERIUM)

#: What has happened, for cards that ask: (in this turn, in this round, in the game).
TALLY: Final = _keys("tally", EVENTS)


#: Cone of Silence tokens that a shared faction has left; set while its partners may talk in private.
CONES: Final = _keys("cones", SIDES)
CONE: Final = _keys("cone", SIDES)
#: A card of the partner's deck in the hand that passes it on.
PASSED: Final = tuple(f"passed/{seat}" for seat in range(4))


def hand(deck: str, seat: int) -> str:
    """The part of a seat's hand that comes from one deck: the backs differ, so everybody sees how many of each."""
    return f"hand/{deck}/{seat}"


def box(dashboard: str, name: str) -> str:
    """A box of a dashboard: one of the action boxes, or POOL, LOCKED, USED."""
    return f"dice/{dashboard}/{name}"


# ---- Zones ----

#: What tells what stands in which areas, which dice lie in which boxes of the dashboards, where the named leaders are.
BOARD: Final = "board"
BOXES: Final = "boxes"
LEADERS: Final = "leaders"


def _nobody(*keys: str) -> Mapping[str, tuple[str, ...]]:
    return dict.fromkeys(keys, ())


def _of(owner: str, keys: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    return dict.fromkeys(keys, (owner,))


def _pile(name: str, sight: Sight, back: str, *keys: str, topics: tuple[str, ...] = ()) -> Zone:
    return Zone(name, Content.PILE, sight, _nobody(*(keys or (name,))), back, topics=topics)


def _stack(name: str, units: tuple[str, ...], *keys: str, topics: tuple[str, ...] = ()) -> Zone:
    return Zone(name, Content.STACK, Sight.OPEN, _nobody(*keys), units=units, topics=topics)


def _mark(name: str, *keys: str, topics: tuple[str, ...] = ()) -> Zone:
    return Zone(name, Content.MARK, Sight.OPEN, _nobody(*(keys or (name,))), topics=topics)


#: Where the Old Man of the Desert is: one of the words below, or an outer sector; absent: not in this match.
OLD_MAN: Final = "old_man"
RESERVE: Final = "reserve"  #: off the board, and free to come
RESTING: Final = "resting"  #: off the board until the next round
#: Sandworms that lie before the Atreides while the Old Man is on the board.
WORMS_HELD: Final = "worms_held"


@rule("WFA-U.6", "WFA-U.7", "WFA-U.8")
def _on_the_board(*, old_man: bool) -> tuple[Zone, ...]:
    return (
        _stack("legion", FIGURES, *(key for side in SIDES for key in LEGION[side].values()), topics=(BOARD,)),
        _stack("supply", FIGURES, *SUPPLY.values()),
        # Only the Atreides may look at them, whenever they like (WFA-S.20, WFA-S.30).
        Zone("tokens", Content.HAND, Sight.OWNER, _of(ATREIDES, TOKENS.values()), "deployment", topics=(BOARD,)),
        Zone("sietch", Content.PILE, Sight.OWNER, _of(ATREIDES, SIETCH.values()), "sietch", topics=(BOARD,)),
        _mark("settlement", *VILLAGE.values(), topics=(BOARD,)),
        # Neither side may look (WFA-S.35, WFA-A.28).
        _pile("station", Sight.BACKS, "station", *STATION.values(), topics=(BOARD,)),
        _pile("wormsign", Sight.BACKS, "wormsign", *WORMSIGN.values(), topics=(BOARD,)),
        _stack("worm", WORMS, "worms", *WORM.values(), *([WORMS_HELD] if old_man else []), topics=(BOARD,)),
        *([_mark("old_man", OLD_MAN)] if old_man else []),
        _stack("vehicle", VEHICLES, "vehicles", *VEHICLE.values(), topics=(BOARD,)),
        _mark("atomics"),
        _stack("apart", FIGURES, *APART),
        Zone("apart_tokens", Content.HAND, Sight.OWNER, _of(ATREIDES, APART_TOKENS), "deployment"),
        _mark("apart_for", *APART_FOR),
    )


@rule("WFA-U.7", "WFA-U.8")
def _off_the_board() -> tuple[Zone, ...]:
    return (
        # Sietch tokens before they are laid, and after their fall.
        _pile("sietch_tokens", Sight.BACKS, "sietch"),
        _pile("sietches_fallen", Sight.OPEN, "sietch"),
        _pile("starting_tokens", Sight.BACKS, "deployment"),
        _pile("bag", Sight.BACKS, "deployment"),
        # A token drawn for deployment, until its owner has said where it goes.
        Zone("drawn_token", Content.HAND, Sight.OWNER, _of(ATREIDES, ("drawn_token",)), "deployment"),
        _pile("tokens_revealed", Sight.OPEN, "deployment"),
        # Tokens that left the board without having been revealed.
        Zone("tokens_lost", Content.HAND, Sight.OWNER, _of(ATREIDES, ("tokens_lost",)), "deployment"),
        *(_pile(name, Sight.BACKS, name) for name in STARTING_SETS),
        *(_pile(f"{name}_shown", Sight.OPEN, name) for name in STARTING_SETS),
        _pile("stations", Sight.BACKS, "station"),
        _pile("stations_taken", Sight.OPEN, "station"),
        _pile("wormsigns", Sight.BACKS, "wormsign"),
        _pile("wormsigns_shown", Sight.OPEN, "wormsign"),
    )


@rule("WFA-U.6", "WFA-U.7", "WFA-U.8")
def _cards(content: BoxContent, seats: int) -> tuple[Zone, ...]:
    decks: list[Zone] = []
    for deck in DECKS:
        decks += (
            _pile(f"deck_{deck}", Sight.BACKS, deck, DECK[deck]),
            _pile(f"discard_{deck}", Sight.OPEN, deck, DISCARD[deck]),
            # Planning cards that have left the game by their own text.
            _pile(f"out_{deck}", Sight.OPEN, deck, OUT[deck]),
            _pile(f"laid_{deck}", Sight.OPEN, deck, LAID[deck]),
            Zone(f"hand_{deck}", Content.HAND, Sight.OWNER, {hand(deck, s): (f"#{s}",) for s in range(seats)}, deck),
        )
    return (
        *decks,
        Zone("searched", Content.HAND, Sight.OWNER, {SEARCHED[s]: (f"#{s}",) for s in range(seats)}, "corrino_ally"),
        _pile("prescience_deck", Sight.BACKS, "prescience"),
        _pile("prescience_row", Sight.OPEN, "prescience"),
        _pile("prescience_claimed", Sight.OPEN, "prescience"),
        _pile("prescience_out", Sight.OPEN, "prescience"),
        _pile("objective_deck", Sight.BACKS, "objective"),
        _pile("objectives_away", Sight.BACKS, "objective"),
        Zone("objectives", Content.HAND, Sight.OWNER, _of(ATREIDES, ("objectives",)), "objective"),
    )


def _boxes(content: BoxContent, roles: tuple[SeatRole, ...]) -> Iterator[str]:
    """Yield the boxes of all dashboards, and those of the dice that a shared faction has in common."""
    for side in SIDES:
        names = dashboards_of(roles, side)
        if names == (DASHBOARD[side],):
            yield from (box(names[0], each) for each in (*content.dashboard[names[0]].boxes, POOL, LOCKED, USED))
        else:
            # As rolled, before they are divided.
            rolled = content.dashboard[DASHBOARD[side]].boxes
            yield from (box(DASHBOARD[side], each) for each in (*rolled, POOL, LOCKED))
            yield from (
                box(name, each) for name in names for each in (*content.dashboard[name].boxes, ASIDE_DICE, USED)
            )


@rule("WFA-U.6")
def _dashboards(content: BoxContent, roles: tuple[SeatRole, ...], *, futures: str) -> tuple[Zone, ...]:
    boxes = _boxes(content, roles)
    leaders = tuple(leader.id for leader in content.leader.values() if not leader.generic)
    return (
        _stack("dice", DICE, *boxes, topics=(BOXES,)),
        _stack("bene_gesserit", DICE, *(f"bene_gesserit/{place}" for place in (*SIDES, "reserve", GONE))),
        _mark("figure", *(FIGURE[leader] for leader in leaders), topics=(LEADERS,)),
        _mark("card", *(CARD[leader] for leader in leaders)),
        *([_mark("futures"), _mark("loyalty", *LOYALTY.values(), topics=(LEADERS,))] if futures else []),
        # The halves of a faction that a seat leads, in a game in which one is shared.
        *_of_partners(roles),
        _mark("powers", *(f"powers/{seat}" for seat in range(len(roles)))),
    )


@rule("WFA-G.15", "WFA-G.51", "WFA-G.53")
def _of_partners(roles: tuple[SeatRole, ...]) -> Iterator[Zone]:
    """Yield the places of shared factions: Cone of Silence tokens, and cards that House Atreides passes on."""
    shared = [side for side in SIDES if dashboards_of(roles, side) != (DASHBOARD[side],)]
    if shared:
        yield _mark("cones", *(CONES[side] for side in shared))
        yield _mark("cone", *(CONE[side] for side in shared))
    if ATREIDES in shared:
        seat = roles.index(SeatRole(ATREIDES, ("house_atreides",)))
        yield Zone("passed", Content.HAND, Sight.OWNER, _of(f"#{seat}", (PASSED[seat],)), "fremen_ally")


@rule("WFA-U.6")
def _tracks() -> tuple[Zone, ...]:
    return (
        _mark("edition"),
        # The operator's content file that the match is played with, if it is.
        _mark("content"),
        _mark("round"),
        _mark("supremacy"),
        _mark("marker", *MARKER.values()),
        _mark("imperium", *IMPERIUM.values()),
        _mark("ban", *BAN.values()),
        Zone("spice", Content.PURSE, Sight.OPEN, _nobody("spice", "reserve")),
        Zone("planet", Content.PURSE, Sight.OPEN, _nobody("planet"), unlimited=True),
        _mark("tally", *TALLY.values()),
        # Battles the Atreides won: (role, kinds of unit that the beaten legion held), in this turn, round, game.
        _mark("won", "won/turn", "won/round", "won/game"),
        # The longest ride of this turn, in areas with a wormsign or a sandworm.
        _mark("ridden"),
        # Areas where legions that flew in this turn have landed.
        _mark("flown"),
        # Steps of the three markers at checks of the objective that it did not pass.
        _mark("unmet"),
        # Cards claimed in this round, and what is attached to revealed ones: (card, attachment) pairs.
        _mark("claims"),
        _mark("attached"),
        # Where the next part of a card's text happens: where what it has moved or brought is now.
        _mark("here"),
        # Lasting effects of played cards: (effect, ...) entries, each taken off by the code that laid it.
        _mark("effects"),
    )


def zones_for(
    content: BoxContent, roles: tuple[SeatRole, ...], *, old_man: bool = False, futures: str = ""
) -> tuple[Zone, ...]:
    """All zones of a match."""
    return (
        *_on_the_board(old_man=old_man),
        *_off_the_board(),
        *_cards(content, len(roles)),
        *_dashboards(content, roles, futures=futures),
        *_tracks(),
    )


def deck_of(content: BoxContent, card: str) -> SubFaction:
    """The deck that a planning card belongs to."""
    return content.planning_card[card].deck
