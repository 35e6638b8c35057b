"""Secrets of each game and the seats that may see them, stated from the rulebooks and not from the zones.

A place declared with the wrong sight is a leak that no verb can notice, so these tables know nothing of the games' own
modules. The leak test reports by the kinds named here and demands that each of them has been changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Final, cast

from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import UNSEEN, Layout, Sight
from landsraad_engine.registry import Registry

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
    """A kind of secret: its places and readers; of an ``unseen`` one others do not know that it is there."""

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


@dataclass(frozen=True, slots=True)
class SecretsTable:
    """The secrets of one game.

    A package adds the table of its game by an entry point of the group `landsraad.secrets`.
    """

    rows: tuple[SecretKind, ...]
    #: kinds of every game that this one has no occasion for
    never: frozenset[str] = frozenset()
    #: patterns of open marks into which the rules lay hidden pieces
    shows: tuple[str, ...] = ()
    #: the rules by which hidden pieces are turned up for all seats, with patterns of the places where those lie; None:
    #: every rule of the game is believed
    reveals: Mapping[str, tuple[str, ...]] | None = None
    #: the rules by which hidden pieces are looked at, and the side that looks ("": one seat, of any side); None: every
    #: rule of the game is believed
    looks: Mapping[str, str] | None = None
    #: names of acts that write something down, which only those learn who see where it lies
    writes: tuple[str, ...] = ()


TEACHING: Final = SecretsTable(
    rows=(
        SecretKind("hand", "hand/*", NAMED),
        SecretKind("deck", "deck", NOBODY),
        SecretKind("deck", "offer", NOBODY),
        SecretKind("deck", "lots", NOBODY),
        SecretKind("water", "water/*", NAMED, unseen=True),
        SecretKind("omen", "omen/*", NAMED),
    ),
)

DUNE: Final = SecretsTable(
    rows=(
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
    ),
    shows=("plan/*",),  # battle plans that have been opened
    reveals={
        "DUNE-5.4": ("hand/*",),  # a Karama that is declared with a shipment
        "DUNE-6.19": ("hand/*", "leaders/*", "captured/*"),
        "DUNE-6.38": ("traitors/*",),
    },
    looks={"DUNE-ATR.1": "atreides", "DUNE-ATR.3": "atreides", "DUNE-FRE.1": "fremen"},
    writes=("Predict", "AnswerPrescience", "BattlePlan"),
)

ARRAKIS: Final = SecretsTable(
    rows=(
        SecretKind("hand", "hand/*", LAST),
        SecretKind("hand", "passed/*", LAST),
        SecretKind("planning decks", "deck/*", NOBODY),
        SecretKind("planning decks", "searched/*", LAST),
        SecretKind("planning decks", "reinforcements_*", NOBODY),
        SecretKind("planning decks", "tactical_deck", NOBODY),
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
        SecretKind("rebels bag", "garrison/*", NOBODY),
        SecretKind("stations", "station/*", NOBODY),
        SecretKind("stations", "stations", NOBODY),
        SecretKind("wormsigns", "wormsign/*", NOBODY),
        SecretKind("wormsigns", "wormsigns", NOBODY),
        SecretKind("objective", "objectives", NOBODY, ("atreides",)),
        SecretKind("objective", "objective_deck", NOBODY),
        SecretKind("objective", "objectives_away", NOBODY),
    ),
    # A window is open to one seat, whose answer closes it, or to partners, which is rare: not demanded of a short run.
    never=frozenset({QUIET}),
    reveals={
        "WFA-B.5": ("sietch/*",),
        "WFA-F.6": ("sietch/*",),
        "WFA-C.33": ("hand/corrino_ally/*",),
        "WFA-C.40": ("sietch/*",),
        "WFA-Y.134": ("sietch/*",),
    },
    looks={"WFA-C.1": ""},
)

_REGISTRY: Final = Registry(
    "landsraad.secrets",
    {game: f"landsraad_engine.testing.leaks.secrets:{game.upper()}" for game in ("arrakis", "dune", "teaching")},
)


@cache
def table_of(game: str) -> SecretsTable | None:
    """Return the table of a game, or None: such a game is believed what its zones say."""
    return cast("SecretsTable", _REGISTRY.load(game)) if game in _REGISTRY else None


@lru_cache(maxsize=64)
def _listed(game: Game, layout: Layout) -> Mapping[str, SecretKind]:
    """Return the secret of each place that holds one. A game without a table is believed what its zones say."""
    table = table_of(game.id)
    rows = (*_EVERY_GAME, *(table.rows if table else ()))
    found: dict[str, SecretKind] = {}
    for key, place in layout.places.items():
        secret = next((row for row in rows if fnmatchcase(key, row.places)), None)
        if secret is None and table is None and place.zone.sight is not Sight.OPEN:
            secret = SecretKind(place.zone.name, key, NOBODY, place.owners, place.zone.sight in UNSEEN)
        if secret is not None:
            found[key] = secret
    return found


def kinds(game: Game) -> frozenset[str]:
    """Return the kinds of secret that a leak test of this game has to change; none for a game without a table."""
    table = table_of(game.id)
    if table is None:
        return frozenset()
    return frozenset({row.kind for row in (*_EVERY_GAME, *table.rows)} | {CHANCE}) - table.never


def kind_at(g: State, key: str) -> str | None:
    """Return the kind of secret that lies in a place, or None if the place is open."""
    secret = _listed(g.setting.game, g.setting.layout).get(key)
    return None if secret is None else secret.kind


def shows(game: Game, key: str) -> bool:
    """Tell if an open mark shows what is laid into it, which may be hidden pieces."""
    table = table_of(game.id)
    return table is not None and any(fnmatchcase(key, pattern) for pattern in table.shows)


def reveals(game: Game, rule: str, key: str) -> bool:
    """Tell if a rule turns up what lies in a place. A game without such a table is believed."""
    table = table_of(game.id)
    if table is None or table.reveals is None:
        return True
    return any(fnmatchcase(key, pattern) for pattern in table.reveals.get(rule, ()))


def may_look(g: State, rule: str, seats: int) -> int:
    """Return those of the looking seats that may look at hidden pieces by this rule, as bits."""
    table = table_of(g.setting.game.id)
    if table is None or table.looks is None:
        return seats
    side = table.looks.get(rule)
    if side:
        return seats & g.sides.get(side, 0)
    return seats if side is not None and seats.bit_count() == 1 else 0


def writes(game: Game, act: Act) -> bool:
    """Tell if the content of an act is a secret of its seat."""
    table = table_of(game.id)
    return table is not None and type(act).__name__ in table.writes


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
