"""Possible contents of hidden places: the pieces of the box, by their backs. Worlds are sampled from this."""

from collections.abc import Mapping, Sequence

from msgspec.structs import asdict

from landsraad_engine.arrakis.components import StationTokens, WormsignTokens
from landsraad_engine.arrakis.content import BoxContent
from landsraad_engine.arrakis.futures.facts import cards_of
from landsraad_engine.arrakis.objectives import may_be_held
from landsraad_engine.arrakis.sides import ATREIDES
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import DECKS, SOLO, STARTING_SETS
from landsraad_engine.kernel.frames import rule

#: Deployment tokens that never go into the Rebels Bag.
_STARTING = f"{ATREIDES}_starting"
#: Where only standard tokens lie.
_STANDARD_ONLY = ("bag", "drawn_token")


@rule("WFA-Y.10")
def census(g: ArrakisState) -> Mapping[str, Sequence[str]]:
    """For each back all pieces of the box that have it."""
    content = g.content
    solo = {"tactical": list(content.tactical_card)} if SOLO in g.table else {}
    return {
        **solo,
        **{deck: cards_of(g, deck) for deck in DECKS},
        "deployment": [*tokens_of(content, _STARTING), *tokens_of(content, f"{ATREIDES}_standard")],
        **{name: tokens_of(content, name) for name in STARTING_SETS},
        "sietch": [str(rank) for rank in content.sietch_tokens.ranks],
        "station": faces_of(content.station_tokens),
        "wormsign": faces_of(content.wormsign_tokens),
        "prescience": list(content.prescience_card),
        "objective": list(content.objective),
    }


def fits(g: ArrakisState, key: str, face: str) -> bool:
    """Return whether a piece may lie in a place: more is known of tokens and objectives than their backs show."""
    if key == "objectives":
        return may_be_held(g, face)
    token = g.content.deployment_token.get(face)
    if token is None or token.set not in (_STARTING, f"{ATREIDES}_standard"):
        return True
    return token.set != _STARTING if key in _STANDARD_ONLY else True


def tokens_of(content: BoxContent, name: str) -> tuple[str, ...]:
    """The deployment tokens of a set."""
    return tuple(token.id for token in content.deployment_token.values() if token.set == name)


def faces_of(tokens: StationTokens | WormsignTokens) -> tuple[str, ...]:
    """Tokens of which the content counts how many there are of each kind, one by one."""
    return tuple(kind for kind, number in asdict(tokens).items() for _ in range(number))
