"""Secrets of each game and who may see them, written from the rulebooks and independent of the zones.

A place declared with the wrong sight is a leak that no verb can notice, so these tables know nothing of the games' own
modules. The leak test reports by the kinds named here and demands that each of them has been changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final

from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import UNSEEN, Layout, Sight

#: Readers of a place: none; the seat, or each side, that its key names ("hand/guild": the Guild); the seat it ends in.
NOBODY: Final = "nobody"
SEAT: Final = "seat"
LAST: Final = "last"
NAMED: Final = "named"

#: Kinds that every game has.
PLANS: Final = "plans"
QUIET: Final = "quiet answers"
CHANCE: Final = "chance keys"


@dataclass(frozen=True, slots=True)
class SecretKind:
    """A kind of secret: its places and who sees them; of an ``unseen`` one others do not know that it is there."""

    kind: str
    places: str
    seen_by: str
    also: tuple[str, ...] = ()
    unseen: bool = False

    def eyes(self, key: str, sides: Mapping[str, int]) -> int:
        """Return the seats that see such a place, as bits."""
        if self.seen_by in (SEAT, LAST):
            return 1 << int(key.split("/")[1 if self.seen_by == SEAT else -1])
        named = key.split("/")[1:] if self.seen_by == NAMED else []
        mask = 0
        for side in (*named, *self.also):
            mask |= sides.get(side, 0)
        return mask


_EVERY_GAME = (
    SecretKind(PLANS, "sealed/*", SEAT),
    SecretKind(QUIET, "quiet/*", SEAT, unseen=True),
    SecretKind("standing orders", "orders/*", SEAT, unseen=True),
)

_TEACHING = (
    SecretKind("hand", "hand/*", NAMED),
    SecretKind("deck", "deck", NOBODY),
    SecretKind("deck", "offer", NOBODY),
    SecretKind("deck", "lots", NOBODY),
    SecretKind("water", "water/*", NAMED, unseen=True),
    SecretKind("omen", "omen/*", NAMED),
)

_DUNE = (
    SecretKind("hand", "hand/*", NAMED),
    SecretKind("hand", "opportunity/*", NAMED),
    SecretKind("treachery deck", "treachery_deck", NOBODY),
    SecretKind("treachery deck", "auction_row", NOBODY),
    SecretKind("spice deck", "spice_deck", NOBODY),
    SecretKind("storm cards", "storm_deck", NOBODY),
    SecretKind("storm cards", "storm_next", NOBODY),
    SecretKind("traitors", "traitor_deck", NOBODY),
    SecretKind("traitors", "dealt/*", NAMED),
    SecretKind("traitors", "traitors/*", NAMED),
    SecretKind("captured leaders", "leaders/*", NAMED),
    SecretKind("captured leaders", "captured/*", NAMED, ("harkonnen",)),
    SecretKind("captured leaders", "just_captured/*", NAMED, ("harkonnen",)),
    SecretKind("spice", "spice/*", NAMED, unseen=True),
    SecretKind("prediction", "prediction", NOBODY, ("bene_gesserit",)),
    SecretKind(PLANS, "dial/*", NAMED),
    SecretKind(PLANS, "foreseen/*", NAMED),
)

_ARRAKIS = (
    SecretKind("hand", "hand/*", LAST),
    SecretKind("planning decks", "deck/*", NOBODY),
    SecretKind("planning decks", "searched/*", LAST),
    SecretKind("prescience deck", "prescience_deck", NOBODY),
    SecretKind("sietches", "sietch/*", NOBODY, ("atreides",)),
    SecretKind("sietches", "sietch_tokens", NOBODY),
    SecretKind("tokens", "tokens/*", NOBODY, ("atreides",)),
    SecretKind("tokens", "apart_tokens/*", NOBODY, ("atreides",)),
    SecretKind("tokens", "drawn_token", NOBODY, ("atreides",)),
    SecretKind("tokens", "tokens_lost", NOBODY, ("atreides",)),
    SecretKind("rebels bag", "bag", NOBODY),
    SecretKind("rebels bag", "starting_tokens", NOBODY),
    SecretKind("rebels bag", "harkonnen_black", NOBODY),
    SecretKind("rebels bag", "harkonnen_silver", NOBODY),
    SecretKind("stations", "station/*", NOBODY),
    SecretKind("stations", "stations", NOBODY),
    SecretKind("wormsigns", "wormsign/*", NOBODY),
    SecretKind("wormsigns", "wormsigns", NOBODY),
    SecretKind("objective", "objectives", NOBODY, ("atreides",)),
    SecretKind("objective", "objective_deck", NOBODY),
    SecretKind("objective", "objectives_away", NOBODY),
)

_OF: Final[Mapping[str, tuple[SecretKind, ...]]] = {"teaching": _TEACHING, "dune": _DUNE, "arrakis": _ARRAKIS}

#: Kinds that there is no occasion for: in War for Arrakis a window is open to one seat, whose answer closes it.
_NEVER: Final[Mapping[str, frozenset[str]]] = {"arrakis": frozenset({QUIET})}

#: Open marks into which the rules lay hidden pieces: battle plans that have been opened.
_SHOWS: Final[Mapping[str, tuple[str, ...]]] = {"dune": ("plan/*",)}

#: The rules by which hidden pieces are turned up for all seats, and where those lie.
_REVEALS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "dune": {"DUNE-6.19": ("hand/*", "leaders/*", "captured/*"), "DUNE-6.38": ("traitors/*",)},
    "arrakis": {
        "WFA-B.5": ("sietch/*",),
        "WFA-F.6": ("sietch/*",),
        "WFA-C.33": ("hand/corrino_ally/*",),
        "WFA-C.40": ("sietch/*",),
    },
}

#: The rules by which a side looks at hidden pieces, and which one does ("": any one seat).
_LOOKS: Final[Mapping[str, Mapping[str, str]]] = {
    "dune": {"DUNE-ATR.1": "atreides", "DUNE-ATR.3": "atreides", "DUNE-FRE.1": "fremen"},
    "arrakis": {"WFA-C.1": ""},
}

#: Acts that write something down in secret: only those learn of it who see where it lies.
_WRITES: Final[Mapping[str, tuple[str, ...]]] = {"dune": ("Predict", "AnswerPrescience", "BattlePlan")}


@lru_cache(maxsize=64)
def _listed(game: Game, layout: Layout) -> Mapping[str, SecretKind]:
    """Return the secret of each place that holds one; for a game without a table here, as its zones declare."""
    rows = (*_EVERY_GAME, *_OF.get(game.id, ()))
    found: dict[str, SecretKind] = {}
    for key, place in layout.places.items():
        secret = next((row for row in rows if fnmatchcase(key, row.places)), None)
        if secret is None and game.id not in _OF and place.zone.sight is not Sight.OPEN:
            secret = SecretKind(place.zone.name, key, NOBODY, place.owners, place.zone.sight in UNSEEN)
        if secret is not None:
            found[key] = secret
    return found


def kinds(game: Game) -> frozenset[str]:
    """Return the kinds of secret that a leak test of this game has to change; none for a game without a table."""
    rows = _OF.get(game.id)
    if rows is None:
        return frozenset()
    return frozenset({row.kind for row in (*_EVERY_GAME, *rows)} | {CHANCE}) - _NEVER.get(game.id, frozenset())


def kind_at(g: State, key: str) -> str | None:
    """Return the kind of secret that lies in a place; None if it is open."""
    secret = _listed(g.setting.game, g.setting.layout).get(key)
    return None if secret is None else secret.kind


def shows(game: Game, key: str) -> bool:
    """Return whether hidden pieces may be laid into this open mark, which shows them."""
    return any(fnmatchcase(key, pattern) for pattern in _SHOWS.get(game.id, ()))


def reveals(game: Game, rule: str, key: str) -> bool:
    """Return whether this rule turns up pieces in this place; always true for a game without a table."""
    if game.id not in _REVEALS:
        return True
    return any(fnmatchcase(key, pattern) for pattern in _REVEALS[game.id].get(rule, ()))


def may_look(g: State, rule: str, seats: int) -> int:
    """Return those of the looking seats that may look by this rule."""
    if g.setting.game.id not in _LOOKS:
        return seats
    side = _LOOKS[g.setting.game.id].get(rule)
    if side:
        return seats & g.sides.get(side, 0)
    return seats if side is not None and seats.bit_count() == 1 else 0


def writes(game: Game, act: Act) -> bool:
    """Return whether the content of an act is a secret of the seat that sends it."""
    return type(act).__name__ in _WRITES.get(game.id, ())


def may_see(g: State, key: str) -> int:
    """Return the seats (and the spectators) that may see into a place, as bits."""
    secret = _listed(g.setting.game, g.setting.layout).get(key)
    return g.setting.everybody if secret is None else secret.eyes(key, g.sides)


def wrong_sights(g: State) -> Iterator[str]:
    """Yield the places that a seat sees, or learns of, and should not."""
    listed = _listed(g.setting.game, g.setting.layout)
    for key, place in g.setting.places.items():
        secret = listed.get(key)
        if g.eyes[key] & ~may_see(g, key):
            yield f"{key} is seen by the seats {g.eyes[key]:b}"
        if secret is not None and secret.unseen and place.zone.sight not in UNSEEN:
            yield f"everybody sees whether there is something in {key}"
