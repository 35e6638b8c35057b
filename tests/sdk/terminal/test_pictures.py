"""Matches told and drawn: sentences instead of events, and a board from any seat's view, with no more than it sees."""

from collections.abc import Iterator
from io import StringIO
from random import Random
from typing import Any

import pytest
from rich.console import Console, RenderableType

from landsraad import games
from landsraad.local.bots import make_bot
from landsraad.terminal.picture import Picture
from landsraad.terminal.pictures import picture_of
from landsraad.terminal.stage import Stage
from landsraad_engine.bot import Question
from landsraad_engine.match import Match
from landsraad_engine.selfplay import standing
from landsraad_engine.teaching.game import TEACHING


def drawn(shown: RenderableType, width: int = 120) -> str:
    out = StringIO()
    Console(file=out, width=width, legacy_windows=False).print(shown)
    return out.getvalue()


def told(picture: Picture, match: Match, seat: int | None = None) -> list[str]:
    return [sentence.plain for _, sentence in picture.tell(match.log(seat))]


def positions(name: str, bot: str, every: int, most: int = 100_000, **options: Any) -> Iterator[Match]:
    """A match, again and again as it goes on."""
    game = games.load(name)
    seats = max(game.seats)
    match = Match(game, seats, options, secret=name.encode(), orders=standing(seats))
    bots = [make_bot(bot, name, seat) for seat in range(seats)]
    for number in range(most):
        ask = match.g.ask
        if ask is None:
            break
        seat = match.waiting[0]
        view = game.facade(match.g, seat)
        match.answer(seat, bots[seat].decide(view, Question(seat, ask.options[seat], ask.why, ask.window)))
        if number % every == 0:
            yield match
    yield match


@pytest.fixture(scope="module")
def dune() -> Match:
    return list(positions("dune", "random", 10_000, length=10))[-1]


@pytest.fixture(scope="module")
def arrakis() -> Match:
    return list(positions("arrakis", "random", 10_000, round_limit=4))[-1]


def test_a_whole_match_of_dune_in_sentences(dune: Match) -> None:
    picture = picture_of(dune.game)
    sentences = told(picture, dune)
    assert sentences[0].startswith("═══ Turn 1")
    assert "Harkonnen lands 10 tokens in Carthag" in sentences
    assert any(" bids " in sentence for sentence in sentences)
    assert any(" attacks " in sentence and " in " in sentence for sentence in sentences)
    assert sentences[-1].startswith("The match is over: ")
    assert picture.ended_by.startswith("DUNE-")
    assert set(picture.sides.values()) <= {"atreides", "bene_gesserit", "emperor", "fremen", "guild", "harkonnen"}


def test_a_whole_match_of_arrakis_in_sentences(arrakis: Match) -> None:
    picture = picture_of(arrakis.game)
    sentences = told(picture, arrakis)
    assert "═══ Round 4 ═══" in sentences
    assert any(sentence.startswith("Harkonnen move ") for sentence in sentences)
    assert sentences[-1] == "The match is over: round limit, nobody wins"
    assert picture.ended_by.startswith("WFA-")


@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_no_sentence_shows_an_id(name: str, request: pytest.FixtureRequest) -> None:
    match: Match = request.getfixturevalue(name)
    for seat in (None, *range(match.seats)):
        for sentence in told(picture_of(match.game), match, seat):
            assert not set("_{}<>") & set(sentence), sentence
            assert "/" not in sentence, sentence


@pytest.mark.parametrize(("name", "every"), [("dune", 150), ("arrakis", 60)])
def test_every_position_can_be_drawn_for_everybody(name: str, every: int) -> None:
    options = {"length": 10} if name == "dune" else {"round_limit": 4}
    for match in positions(name, "random", every, most=600, **options):
        picture = picture_of(match.game)
        for seat in (None, 0, match.seats - 1):
            seen = match.view(seat)
            view = match.game.facade.of(seen.places, seat, seen.at[0] if seen.at else ())
            picture.know(view)
            board = drawn(picture.board(view))
            assert all(picture.names.title(side) in board for side in picture.sides.values()) or not picture.sides
            assert picture.phase(seen.at).plain or match.result is not None
            assert bool(picture.secrets(view)) is (view.side is not None)


def test_a_seat_sees_its_hand_and_nobody_elses(dune: Match) -> None:
    picture = picture_of(dune.game)
    for seat in range(6):
        view = dune.game.facade.of(dune.view(seat).places, seat)
        mine = picture.secrets(view).plain
        assert mine.startswith(f"You are {picture.names.title(str(view.side))}.")
        true = dune.g.table.get(f"hand/{view.side}", ())
        assert all(picture.names.title(card) in mine for card in true)
    assert not picture.secrets(dune.game.facade.of(dune.view(None).places, None))


def test_the_board_of_dune_says_where_everything_is() -> None:
    tabr = "at/fremen/sietch_tabr:13"
    match = next(
        match
        for match in positions("dune", "random", 1, length=10)
        if tabr in match.g.table and any(key.startswith("blow/") for key in match.g.table)
    )
    board = drawn(picture_of(match.game).board(match.game.facade.of(match.view(None).places, None)), 140)
    tokens, elites, _ = match.g.table[tabr]
    (row,) = [line for line in board.splitlines() if "Sietch Tabr" in line]
    assert f"Fremen {tokens}" * bool(tokens) in row
    assert f"★{elites}" * bool(elites) in row
    for key, spice in match.g.table.items():
        if key.startswith("blow/"):
            assert f"◆{spice}" in board
    assert f"storm in {match.g.table['storm']}" in board


def test_a_game_without_a_picture_is_told_word_by_word() -> None:
    match = Match(TEACHING, 3, secret=b"w")
    rng = Random(0)
    for _ in range(20):
        if match.g.ask is not None:
            match.answer(match.waiting[0], match.g.ask.options[match.waiting[0]].sample(rng))
    picture = picture_of(TEACHING)
    assert type(picture) is Picture
    assert len(told(picture, match)) > 20
    assert "spice" in drawn(picture.board(TEACHING.facade.of(match.view(0).places, 0))).lower()


@pytest.mark.parametrize("live", [True, False])
def test_a_stage_draws_in_place_on_a_terminal_and_writes_lines_elsewhere(live: bool, dune: Match) -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=live, width=130, height=50)
    view = dune.game.facade.of(dune.view(None).places, None)
    with Stage(picture_of(dune.game), "a title", console=console) as stage:
        stage.show(dune.log(None), view, dune.view(None).at)
    written = out.getvalue()
    assert ("a title" in written) is live
    assert ("\x1b[" in written) is live
    lines = [line for line in written.splitlines() if "Harkonnen lands 10 tokens in Carthag" in line]
    assert [line.strip().endswith("[DUNE-S.15]") for line in lines] == [] if live else [True]


@pytest.mark.parametrize(("height", "first"), [(60, "board"), (24, "log")])
def test_what_happens_is_seen_on_a_low_screen_too(height: int, first: str, dune: Match) -> None:
    console = Console(file=StringIO(), force_terminal=True, width=130, height=height)
    view = dune.game.facade.of(dune.view(None).places, None)
    stage = Stage(picture_of(dune.game), "a title", console=console)
    stage.take(dune.log(None), view, dune.view(None).at)
    shown = drawn(stage.drawing(), 130)
    assert (shown.index("Tuek's Sietch") < shown.index("The match is over")) is (first == "board")
