"""Every place of classic Dune, what lies in it and who may see it."""

from collections.abc import Iterable, Mapping
from typing import Final

from landsraad_engine.dune.board import CELLS, SPICE
from landsraad_engine.dune.pieces import BENE_GESSERIT, FACTIONS, HARKONNEN, LEADERS, UNITS
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.zones import Content, Sight, Zone

TREACHERY_BACK: Final = "treachery"
SPICE_BACK: Final = "spice"
STORM_BACK: Final = "storm"
TRAITOR_BACK: Final = "traitor"

#: What tells who stands where, and whose tokens count there.
BOARD: Final = "board"
#: Where the tokens of one faction stand.
TROOPS: Final = {faction: f"troops/{faction}" for faction in FACTIONS}
#: Hands, and the treachery cards that everybody sees.
CARDS: Final = "cards"


def leader_back(faction: str) -> str:
    """Leader discs show their faction's emblem on the back."""
    return f"leader/{faction}"


def _nobody(*keys: str) -> Mapping[str, tuple[str, ...]]:
    return dict.fromkeys(keys, ())


def _each(name: str, factions: Iterable[str] = FACTIONS) -> Mapping[str, tuple[str, ...]]:
    return {f"{name}/{faction}": (faction,) for faction in factions}


def _pile(name: str, sight: Sight, back: str, *keys: str, topics: tuple[str, ...] = ()) -> Zone:
    return Zone(name, Content.PILE, sight, _nobody(*(keys or (name,))), back, topics=topics)


def _mark(name: str, places: Mapping[str, tuple[str, ...]], *topics: str, sight: Sight = Sight.OPEN) -> Zone:
    return Zone(name, Content.MARK, sight, places, topics=topics)


def _stack(name: str, places: Mapping[str, tuple[str, ...]], *topics: str) -> Zone:
    return Zone(name, Content.STACK, Sight.OPEN, places, units=UNITS, topics=topics)


@rule("DUNE-3.22")
def _discards() -> Zone:
    """Played treachery cards lie open for everybody to look through."""
    return _pile("treachery_discard", Sight.OPEN, TREACHERY_BACK, topics=(CARDS,))


@rule("DUNE-0.10")
def _screens() -> Zone:
    """A player's spice is behind the screen: nobody else sees even how much there is."""
    return Zone("spice", Content.PURSE, Sight.SCREEN, _each("spice"))


TREACHERY_ZONES: Final = (
    _pile("treachery_deck", Sight.BACKS, TREACHERY_BACK),
    _discards(),
    # The row of the auction: index 0 is the left-most card, the next to be sold.
    _pile("auction_row", Sight.BACKS, TREACHERY_BACK),
    # Family Atomics, face up for good once it has been played.
    _pile("infamy", Sight.OPEN, TREACHERY_BACK, topics=(CARDS,)),
    Zone("hand", Content.HAND, Sight.OWNER, _each("hand"), TREACHERY_BACK, topics=(CARDS,)),
    # Cards taken with Opportunistic, set aside until as many have been given back. They are laid in a row, so that
    # their former owner does not lose track of them.
    Zone("opportunity", Content.PILE, Sight.OWNER, _each("opportunity", (HARKONNEN,)), TREACHERY_BACK),
)

DECK_ZONES: Final = (
    _pile("spice_deck", Sight.BACKS, SPICE_BACK),
    _pile("spice_discard", Sight.OPEN, SPICE_BACK, "spice_discard/1", "spice_discard/2"),
    _pile("worms_aside", Sight.OPEN, SPICE_BACK),
    _pile("storm_deck", Sight.BACKS, STORM_BACK),
    _pile("storm_next", Sight.BACKS, STORM_BACK),
    _pile("storm_shown", Sight.OPEN, STORM_BACK),
    _pile("traitor_deck", Sight.BACKS, TRAITOR_BACK),
    Zone("dealt", Content.HAND, Sight.OWNER, _each("dealt"), TRAITOR_BACK),
    Zone("traitors", Content.HAND, Sight.OWNER, _each("traitors"), TRAITOR_BACK),
)

LEADER_ZONES: Final = tuple(
    zone
    for faction in FACTIONS
    for back in (leader_back(faction),)
    for zone in (
        # Which leaders a faction has is known to all until one is taken from it unseen.
        Zone(f"leaders_{faction}", Content.HAND, Sight.OWNER, {f"leaders/{faction}": (faction,)}, back),
        Zone(f"leader_tanks_{faction}", Content.HAND, Sight.OPEN, {f"leader_tanks/{faction}": ()}, back),
        # Leaders that have fought stay in the territory until the Collection Round ends.
        Zone(f"fought_{faction}", Content.HAND, Sight.OPEN, {f"fought/{faction}": ()}, back),
        # A captured leader is known to its captor and to its owner; one just drawn is not yet killed or kept.
        Zone(
            f"captured_{faction}",
            Content.HAND,
            Sight.OWNER,
            dict.fromkeys((f"captured/{faction}", f"just_captured/{faction}"), (faction, HARKONNEN)),
            back,
        ),
    )
)

TOKEN_ZONES: Final = (
    *(
        _stack(f"troops_{faction}", {f"at/{faction}/{cell}": () for cell in CELLS}, BOARD, TROOPS[faction])
        for faction in FACTIONS
    ),
    _stack("reserves", {f"reserves/{faction}": () for faction in FACTIONS}),
    _stack("tanks", {f"tanks/{faction}": () for faction in FACTIONS}),
    _screens(),
    Zone("bribes", Content.PURSE, Sight.OPEN, _each("bribes")),
    Zone("bank", Content.PURSE, Sight.OPEN, _nobody("bank"), unlimited=True),
    Zone("blow", Content.PURSE, Sight.OPEN, _nobody(*(f"blow/{cell}" for cell, _ in SPICE.values()))),
)

MARK_ZONES: Final = (
    _mark("turn", _nobody("turn")),
    _mark("storm", _nobody("storm"), BOARD),
    # How many sectors the storm is about to move: its card's number, or what Weather Control put in its place.
    _mark("storm_move", _nobody("storm_move")),
    _mark("atomics", _nobody("atomics")),
    _mark("worms", _nobody("worms")),
    # Territory in which the worm now being carried out appears (none: it appears nowhere).
    _mark("worm_at", _nobody("worm_at")),
    _mark("dot", {f"dot/{faction}": () for faction in FACTIONS}, BOARD),
    _mark("ally", {f"ally/{faction}": () for faction in FACTIONS}, BOARD),
    # The member whom its alliance has agreed on as Primary wherever allies meet, if they did.
    _mark("agreed_primary", {f"agreed_primary/{faction}": () for faction in FACTIONS}),
    # ("ornithopters" | "harvesters" | "carryalls" | "smugglers") -> factions that hold the bonus this turn, sorted;
    # a faction stands in it once for each of the marker it holds.
    _mark("bonus", _nobody("bonus/ornithopters", "bonus/harvesters", "bonus/carryalls", "bonus/smugglers")),
    # The factions that have had their movement turn (none: no Movement Round is under way).
    _mark("moved", _nobody("moved")),
    # What has become of the shipment or manoeuvre just declared: "void" (declare anew) or "stopped".
    _mark("declaration", _nobody("declaration")),
    # Parts of territories, by their first cell, which an ally does not open to the faction now moving.
    _mark("refused", _nobody("refused")),
    # Coexistence as the WBC option has it: per part of a territory (by its first cell) what was declared this turn,
    # "coexisting" or the factions against whom it was refused.
    _mark("coexistence", _nobody(*(f"coexistence/{cell}" for cell in CELLS))),
    # Which ally's tokens count in a territory (or a part of one: keyed by its first cell).
    _mark("primary", _nobody(*(f"primary/{cell}" for cell in CELLS)), BOARD),
    # First cell of the territory (or part of one) in which a leader has fought this turn.
    _mark("battle_of", _nobody(*(f"battle_of/{leader}" for faction in FACTIONS for leader in LEADERS[faction]))),
    # Turn in which a leader was last killed: it does not fight again in that turn's battles.
    _mark("died", _nobody(*(f"died/{leader}" for faction in FACTIONS for leader in LEADERS[faction]))),
    # Leaders in the Tanks that have been turned up and can be bought back.
    _mark("face_up", {f"face_up/{faction}": () for faction in FACTIONS}),
    _mark("kwisatz_haderach", _nobody("kh/losses", "kh/state", "kh/used")),
    _mark("prediction", {"prediction": (BENE_GESSERIT,)}, sight=Sight.SEALED),
    # Abilities cancelled by Karama, each with the scope for which they are.
    _mark("cancelled", _nobody("cancelled")),
    # Truthtrance answers that bind, and public deals: tuples of plain clauses.
    _mark("truths", _nobody("truths")),
    _mark("deals", _nobody("deals", "offers", "offer_number")),
    # Who has called infinity out of turn, and who lost treachery cards to Opportunistic during the sale of a card.
    _mark("auction", _nobody("infinity", "robbed")),
    # (aggressor, defender, territory) of the battle being fought (promises.py).
    _mark("battle", _nobody("battle")),
    # What has been said and settled in public about that battle (battle/fight.py).
    _mark("fight", _nobody("battle/voice", "battle/question", "battle/seen", "battle/karamas", "battle/answered")),
    # Whether the Voice yields to what its target has answered: the target alone knows.
    _mark("excused", {"battle/excused": (HARKONNEN,)}, sight=Sight.QUIET),
    _mark("leaderless", _nobody("battle/leaderless", "battle/offered")),
    # What a player under Prescience or See Future has answered: known to who asked and who answered.
    _mark(
        "foreseen",
        {f"foreseen/{viewer}/{by}": (viewer, by) for viewer in FACTIONS for by in FACTIONS if viewer != by},
        sight=Sight.SEALED,
    ),
    # Battle plans once they are open, until the battle is over.
    _mark("plan", _nobody(*(f"plan/{faction}" for faction in FACTIONS))),
    _mark("stronghold_extra", _nobody("shield_wall_stronghold")),
)

ZONES: Final = (*TREACHERY_ZONES, *DECK_ZONES, *LEADER_ZONES, *TOKEN_ZONES, *MARK_ZONES)
