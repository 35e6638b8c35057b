"""Words of the games for people, as data: the terminal and the web page show the same sentences.

    from landsraad.wording import wording_of

    words = wording_of("dune")
    words.sentences["shift reserves at"]    # "{t1} lands {n:#} in {t2}"

A sentence names the parts of an event in braces. Places are split at their slashes: an event that moves tokens from
"at/fremen/the_great_flat:15" to "tanks/fremen" has {s0} = at, {s1} = fremen, {s2} = the_great_flat:15, {t0} = tanks,
{t1} = fremen, and {n}, the number of tokens; {n:#} counts them by kind. An event of one place has {k0}, {k1} ... and
its value {v}.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

__all__ = ["Wording", "wording_of"]

#: One and several of a kind.
Kind = tuple[str, str]
_NONE: Final[frozenset[str]] = frozenset()


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one game."""

    #: titles of ids that no component of the catalog names
    titles: dict[str, str] = {}
    #: templates by verb and first word of each place; "" suppresses the sentence
    sentences: dict[str, str] = {}
    #: the kinds of unit of a stack, by the first word of its place
    units: dict[str, tuple[Kind, ...]] = {}
    #: kinds of things that are counted, by their ids
    counted: dict[str, Kind] = {}
    #: acts, as a prompt offers them
    acts: dict[str, str] = {}
    #: what an act does, in one sentence
    meanings: dict[str, str] = {}
    #: fields by their name or as "Act.field", as a prompt asks for them
    fields: dict[str, str] = {}
    #: phrases for fields, with "{}" for the value; a pair has one for a value and one for none
    phrases: dict[str, str | Kind] = {}
    #: fields of which a nought goes without saying
    countable: frozenset[str] = _NONE
    #: values that are no names of pieces
    values: dict[str, str] = {}
    #: frames that are worth a sentence; braces hold their facts
    uses: dict[str, str] = {}
    #: questions that one player puts to another; braces hold "target" and "value"
    questions: dict[str, str] = {}
    #: standing orders
    orders: dict[str, str] = {}
    #: standing orders that serve one side alone
    order_sides: dict[str, str] = {}
    #: the effects of a Karama
    purposes: dict[str, str] = {}
    #: what a card does, in our own short words
    cards: dict[str, str] = {}
    #: the same for cards without words of their own, by their category
    categories: dict[str, str] = {}


@cache
def wording_of(game: str) -> Wording:
    """Return the words of a game.

    Args:
        game: The id of the game.

    Returns:
        Its words; none for a game that has no file of words.
    """
    source = files(__name__) / f"{game}.toml"
    if not game.isidentifier() or not source.is_file():
        return Wording()
    return msgspec.convert(tomllib.loads(source.read_text(encoding="utf-8")), Wording)
