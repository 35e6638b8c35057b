"""The words of the games: each names something that the game has."""

import re
from string import Formatter

import pytest

from landsraad import games
from landsraad.wording import wording_of
from landsraad_engine.dune.karama import Ability
from landsraad_engine.dune.pieces import CATEGORY
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.kernel.zones import Content

#: Options with which a game has places that it has not otherwise.
_OPTIONS = {"arrakis": {"old_man": True, "futures": "1567"}}
_ONE, _TWO = ("set", "open", "exchange", "place", "declare"), ("move", "shift", "transfer", "gather")
_VERBS = dict.fromkeys(_ONE, 1) | dict.fromkeys(_TWO, 2)


@pytest.mark.parametrize("name", ["arrakis", "dune"])
def test_sentences_name_verbs_places_and_parts(name: str) -> None:
    game = games.load(name)
    layout = setting_for(game, game.parse_options(_OPTIONS.get(name, {}), max(game.seats)), max(game.seats), b"").layout
    stems = {key.split("/")[0] for zone in layout.zones for key in zone.places}
    for key, sentence in wording_of(name).sentences.items():
        verb, *places = key.split()
        assert len(places) == _VERBS[verb], key
        if verb != "declare":
            assert stems.issuperset(places), key
        for _, part, form, _ in Formatter().parse(sentence):
            assert part is None or re.fullmatch(r"[kst][0-9]|[nv]|face|seat", part), key
            assert not form or (form == "#" and part == "n"), key


@pytest.mark.parametrize("name", ["arrakis", "dune"])
def test_acts_fields_and_stacks_exist(name: str) -> None:
    game, words = games.load(name), wording_of(name)
    acts = {act.__name__: act.__struct_fields__ for act in game.acts}
    fields = {field for names in acts.values() for field in names}
    assert acts.keys() >= {*words.acts, *words.meanings}
    for table in (words.fields, words.phrases):
        for key in table:
            act, _, field = key.rpartition(".")
            assert field in (acts[act] if act else fields), key
    assert words.countable <= fields
    layout = setting_for(game, game.parse_options(_OPTIONS.get(name, {}), max(game.seats)), max(game.seats), b"").layout
    stacks = {key.split("/")[0]: zone for zone in layout.zones for key in zone.places if zone.content is Content.STACK}
    for stem, kinds in words.units.items():
        assert len(kinds) == len(stacks[stem].units), stem


def test_abilities_and_cards_of_dune_have_words() -> None:
    words = wording_of("dune")
    assert words.titles.items() >= {ability.name.lower(): ability.title for ability in Ability}.items()
    assert words.categories.keys() >= {kind for card, kind in CATEGORY.items() if card not in words.cards}
    assert words.cards.keys() <= CATEGORY.keys()


def test_a_game_without_words_has_none() -> None:
    assert wording_of("chess").sentences == {}
    assert wording_of("../dune").sentences == {}
