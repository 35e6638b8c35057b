"""Layouts, catalog and certificates on the wire."""

import inspect
from typing import get_args

import pytest

from landsraad import games
from landsraad.announcements import announcements
from landsraad.models import read_game
from landsraad.seat_log import LogEntry
from landsraad.v1 import catalog_pb2, replays_pb2, table_pb2
from landsraad.wire import catalog, certificates, tables
from landsraad.wire.codec import codec_for
from landsraad.wire.values import read_value
from landsraad_engine.checks.rulebook import statements
from landsraad_engine.dune.announcements import Purpose
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.play.match import Match, replay


def test_a_layout_comes_back(match: Match) -> None:
    layout = match.g.setting.layout
    raw = tables.layout_message(layout).SerializeToString()
    read = tables.read_layout(table_pb2.Layout.FromString(raw))
    assert read.zones == layout.zones
    assert list(read.places) == list(layout.places)


def test_a_game_tells_everything_that_a_client_needs(game: Game) -> None:
    message = catalog.game_message(game)
    assert message.name == f"games/{game.id}"
    assert [spec.name for spec in message.options] == [spec.name for spec in game.option_specs]
    chosen = {spec.name: spec.default for spec in message.options}
    # An option that is off by default stands in no match that leaves it off.
    assert catalog.read_options(chosen).items() >= game.parse_options({}, game.default_seats).items()
    assert [act.name for act in message.acts] == [act.__name__ for act in game.acts]
    assert [rule.id for rule in message.rules] == list(statements(game.id))
    assert all(rule.kind and rule.text for rule in message.rules)
    assert list(message.endings) == list(game.results)
    assert list(message.standing_orders) == list(execution.standing_orders(game))
    assert message.content_digest == game.content_digest(game.parse_options({}, game.default_seats))


def test_announcements_are_told_with_their_facts(game: Game) -> None:
    told = {kind.name: kind for kind in catalog.game_message(game).announcements}
    assert list(told) == [kind.__name__ for kind in game.announcements]
    for kind in game.announcements:
        row = told[kind.__name__]
        assert (row.meaning, row.sentence) == (inspect.getdoc(kind), kind.sentence)
        assert tuple(fact.name for fact in row.facts) == kind.__struct_fields__
        untyped = [fact.name for fact in row.facts if fact.type == "value"]
        assert untyped == (["promises"] if row.name == "DealMade" else [])


def test_a_closed_set_of_words_is_told() -> None:
    told = {kind.name: kind for kind in catalog.game_message(games.load("dune")).announcements}
    purpose = {fact.name: fact for fact in told["KaramaPlayed"].facts}["purpose"]
    assert (purpose.type, list(purpose.words)) == ("text", list(get_args(Purpose)))


def test_announcements_in_a_log_are_typed(match: Match) -> None:
    if match.game.id not in games.known():
        pytest.skip("not installed by name")
    log = [LogEntry(number, entry) for number, entry in enumerate(match.log(None), 1)]
    said = list(announcements(match.game.id, log))
    assert len(said) == sum(entry[:2] == ("event", "announce") for entry in match.log(None))
    assert {type(each) for each in said} <= set(match.game.announcements)


def test_components_and_boards_are_told_with_how_sure_we_are(game: Game) -> None:
    chosen = game.parse_options({}, game.default_seats)
    message = catalog.game_message(game)
    told = [(value.key, read_value(value.value), value.source) for value in message.components]
    assert told == [(each.key, each.value, each.source) for each in game.components(chosen)]
    assert all(value.certainty for value in message.components)
    assert len({value.key for value in message.components}) == len(message.components)
    boards = {f"{game.id}/{name}": graph for name, graph in game.graphs(chosen).items()}
    assert {graph.name for graph in message.graphs} == set(boards)
    for graph in message.graphs:
        assert {area.id: tuple(area.neighbours) for area in graph.areas} == dict(boards[graph.name])


def test_outlines_come_back(game: Game) -> None:
    message = catalog.game_message(game)
    sent = catalog_pb2.Game.FromString(message.SerializeToString())
    read = {graph.name: catalog.read_outline(graph) for graph in sent.graphs}
    assert {name: each for name, each in read.items() if each} == {
        f"{game.id}/{name}": outline for name, outline in game.outlines().items()
    }
    boards = read_game(sent).boards
    assert boards == dict(game.outlines())
    assert bool(boards) == (game.id in {"dune", "arrakis"})


@pytest.mark.parametrize(("name", "boards", "least"), [("dune", 2, 300), ("arrakis", 1, 1500)])
def test_the_two_games_have_components_and_boards(name: str, boards: int, least: int) -> None:
    game = games.load(name)
    options = game.parse_options({}, game.default_seats)
    assert len(game.graphs(options)) == boards
    assert len(list(game.components(options))) > least
    assert {each.certainty for each in game.components(options)} >= {"certain", "likely"}


def test_the_places_are_those_of_the_seats_and_options_that_are_asked_for(game: Game) -> None:
    few = min(game.seats)
    options = game.parse_options({}, few)
    message = catalog.game_message(game, few, options)
    assert tables.read_layout(message.layout).zones == setting_for(game, options, few, b"").layout.zones
    with pytest.raises(BadOption):
        catalog.game_message(game, few, {"no such option": 1})
    with pytest.raises(BadOption):
        catalog.game_message(game, 99)


def test_fields_of_acts_have_types_and_defaults() -> None:
    class Deed(Act, frozen=True):
        """Does something."""

        who: str
        what: tuple[int, ...]
        how: str | None
        why: dict[str, int]
        often: int = 3

    message = catalog._act_type(Deed)  # no game has all of these
    assert message.meaning == inspect.getdoc(Deed)
    assert [(field.name, field.type) for field in message.fields] == [
        ("who", "text"),
        ("what", "numbers"),
        ("how", "text?"),
        ("why", "value"),
        ("often", "number"),
    ]
    assert [field.has_default for field in message.fields] == [False, False, False, False, True]
    assert message.fields[4].default.number == 3


def test_graphs_are_named_after_their_games(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "GRAPHS", {f"{game.id}/ground": {"a": ("b",), "b": ("a",)}, "other/ground": {}})
    message = catalog.game_message(game)
    found = {graph.name: {area.id: tuple(area.neighbours) for area in graph.areas} for graph in message.graphs}
    boards = {
        f"{game.id}/{name}": dict(graph)
        for name, graph in game.graphs(game.parse_options({}, game.default_seats)).items()
    }
    assert found == {f"{game.id}/ground": {"a": ("b",), "b": ("a",)}} | boards


def test_a_certificate_comes_back_and_can_be_played_again(match: Match) -> None:
    codec = codec_for(match.game)
    certificate = match.certificate()
    message = certificates.certificate_message(certificate, codec)
    read = certificates.read_certificate(replays_pb2.Certificate.FromString(message.SerializeToString()), codec)
    assert read | {"result": None} == certificate | {"result": None}
    assert tuple(read["result"] or ()) == tuple(certificate["result"] or ())
    assert {kind for _, kind, _ in read["journal"]} >= {"opening", "answer", "orders", "absent"}
    again = replay(match.game, read)
    assert again.certificate()["final_digest"] == certificate["final_digest"]


def test_the_result_of_a_certificate_comes_back(match: Match) -> None:
    codec = codec_for(match.game)
    certificate = match.certificate() | {"result": ["conquest", (0, 3)], "journal": []}
    message = certificates.certificate_message(certificate, codec)
    assert (message.result.ending, list(message.result.winners)) == ("conquest", [0, 3])
    assert certificates.read_certificate(message, codec) == certificate


def test_an_unknown_input_is_our_mistake(match: Match) -> None:
    with pytest.raises(TypeError, match="dream"):
        certificates.certificate_message(match.certificate() | {"journal": [[0, "dream", ()]]}, codec_for(match.game))
