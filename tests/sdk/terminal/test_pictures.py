"""Matches told and drawn: sentences instead of events, and a board from any seat's view, with no more than it sees."""

import re
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from random import Random
from typing import Any, get_args

import pytest
from rich.console import Console, RenderableType
from rich.text import Text

from landsraad import games
from landsraad.bots import make_bot
from landsraad_cli.terminal.picture import Picture, Room
from landsraad_cli.terminal.pictures import picture_of
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.dune.acts import AcceptDeal, ProposeDeal
from landsraad_engine.dune.announcements import Purpose
from landsraad_engine.dune.bidding import INFINITY
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import put_question, standing
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.testing.dune import at_table


def drawn(shown: RenderableType, width: int = 120) -> str:
    out = StringIO()
    Console(file=out, width=width, legacy_windows=False).print(shown)
    return out.getvalue()


def told(picture: Picture, match: Match, seat: int | None = None) -> list[str]:
    return [sentence.plain for _, sentence in picture.tell(match.log(seat))]


def positions(name: str, bot: str, every: int, most: int = 100_000, **options: Any) -> Iterator[Match]:
    """A match, again and again as it goes on."""
    game = games.load(name)
    seats = game.default_seats
    match = Match(game, seats, options, secret=name.encode(), orders=standing(seats))
    bots = [make_bot(bot, name, seat) for seat in range(seats)]
    for number in range(most):
        if match.g.ask is None:
            break
        seat = match.waiting[0]
        match.answer(seat, bots[seat].decide(*put_question(match, seat)))
        if number % every == 0:
            yield match
    yield match


@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_every_announcement_with_a_sentence_is_told_in_it(name: str) -> None:
    game = games.load(name)
    for kind in game.announcements:
        facts = [f"<{field}>" for field in kind.__struct_fields__]
        if "promises" in kind.__struct_fields__:
            facts[-1] = ()  # type: ignore[call-overload]
        if {"purpose", "question"} & set(kind.__struct_fields__):
            continue  # told in words of their own: see the next test, and test_words.py
        said = [text.plain for _, text in picture_of(game).tell([("event", "announce", "RULE", kind.__name__, *facts)])]
        if kind.sentence:
            assert said == [kind.sentence.replace("{", "<").replace("}", ">")]
        else:
            assert len(said) == (kind.__name__ == "DealMade"), "it has words of its own"


@pytest.mark.parametrize("purpose", get_args(Purpose))
def test_every_purpose_of_a_karama_has_words(purpose: str) -> None:
    facts = ("guild", "karama", purpose, "spy_network" if purpose == "cancel" else None)
    told = picture_of(games.load("dune")).tell([("event", "announce", "RULE", "KaramaPlayed", *facts)])
    ((_, sentence),) = told
    words = {"cancel": "cancel Spy Network", "half_fee": "ship at half the fee"}
    assert sentence.plain.startswith("Spacing Guild plays Karama: " + words.get(purpose, ""))
    assert "_" not in sentence.plain


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


def test_a_bid_that_nobody_can_top_is_told_by_its_name(dune: Match) -> None:
    picture = picture_of(dune.game)
    frames = ((("frame", "CardAuction"), ("leader", "emperor"), ("high", INFINITY)),)
    assert [text.plain for text in picture.step(frames, "DUNE-3.14")] == ["Emperor bids infinity"]


def test_a_whole_match_of_arrakis_in_sentences(arrakis: Match) -> None:
    picture = picture_of(arrakis.game)
    sentences = told(picture, arrakis)
    assert "═══ Round 4 ═══" in sentences
    assert any(sentence.startswith("Harkonnen move ") for sentence in sentences)
    assert sentences[-1] == "The match is over: round limit, nobody wins"
    assert picture.ended_by.startswith("WFA-")


@pytest.mark.parametrize("game", [games.load("arrakis"), games.load("dune"), TEACHING], ids=lambda game: str(game.id))
def test_every_game_says_how_it_ended(game: Game) -> None:
    picture = picture_of(game)
    entries = [("event", "set", "R-1", "result", ("stalemate", winners)) for winners in ((), (0, 1))]
    sentences = [sentence.plain for _, sentence in picture.tell(entries)]
    assert sentences == [f"The match is over: stalemate, {who}" for who in ("nobody wins", "seat 0 and seat 1")]
    assert picture.ended_by == "R-1"


@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_no_sentence_shows_an_id(name: str, request: pytest.FixtureRequest) -> None:
    match: Match = request.getfixturevalue(name)
    for seat in (None, *range(match.seats)):
        sentences = told(picture_of(match.game), match, seat)
        assert len(sentences) > 100
        for sentence in sentences:
            assert not set("_{}<>") & set(sentence), sentence
            assert "/" not in sentence, sentence


@pytest.mark.parametrize(("name", "every"), [("dune", 150), ("arrakis", 60)])
def test_every_position_can_be_drawn_for_everybody(name: str, every: int) -> None:
    options = {"length": 10} if name == "dune" else {"round_limit": 4}
    drawn_at = 0
    for match in positions(name, "random", every, most=600, **options):
        drawn_at += 1
        picture = picture_of(match.game)
        for seat in (None, 0, match.seats - 1):
            seen = match.view(seat)
            view = match.game.facade.of(seen.places, seat, seen.at[0] if seen.at else ())
            picture.know(view)
            board = drawn(picture.board(view))
            assert all(picture.names.title(side) in board for side in picture.sides.values()) or not picture.sides
            assert picture.phase(seen.at).plain or match.result is not None
            assert bool(picture.secrets(view)) is (view.side is not None)
    assert drawn_at >= 4


def test_a_seat_sees_its_hand_and_nobody_elses(dune: Match) -> None:
    picture = picture_of(dune.game)
    for seat in range(6):
        view = dune.game.facade.of(dune.view(seat).places, seat)
        mine = picture.secrets(view).plain
        assert mine.startswith(f"You are {picture.names.title(str(view.side))}.")
        true = dune.g.table.get(f"hand/{view.side}", ())
        assert all(picture.names.title(card) in mine for card in true)
    assert not picture.secrets(dune.game.facade.of(dune.view(None).places, None))


def test_who_may_look_ahead_is_shown_what_is_there() -> None:
    """The spies' card for sale, the prophet's next spice, the natives' next storm: no event tells them."""
    piles = {"For sale": ("atreides", "auction_row"), "Next spice": ("atreides", "spice_deck")}
    piles["Next storm"] = ("fremen", "storm_next")
    shown: dict[str, set[str]] = {}
    for match in positions("dune", "random", 1, most=400, length=10):
        picture = picture_of(match.game)
        for seat in range(6):
            view = match.game.facade.of(match.view(seat).places, seat)
            said = picture.secrets(view).plain
            for what in filter(lambda what: f"{what}: " in said, piles):
                faction, pile = piles[what]
                assert view.side == faction
                face = next(face for face in view.table[pile] if face != "?")
                assert f"{what}: {picture.names.title(face)}" in said
                shown.setdefault(what, set()).add(face)
    assert shown.keys() == piles.keys()


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
    with Screen(picture_of(dune.game), "a title", console=console) as stage:
        stage.show(dune.log(None), view, dune.view(None).at)
    written = out.getvalue()
    assert ("a title" in written) is live
    assert ("\x1b[" in written) is live
    lines = [line for line in written.splitlines() if "Harkonnen lands 10 tokens in Carthag" in line]
    if live:
        assert lines == [], "what has scrolled by stays off the screen that is drawn in place"
    else:
        assert [line.strip().endswith("[DUNE-S.15]") for line in lines] == [True]


@pytest.mark.parametrize(("height", "first"), [(60, "board"), (24, "log")])
def test_what_happens_is_seen_on_a_low_screen_too(height: int, first: str, dune: Match) -> None:
    console = Console(file=StringIO(), force_terminal=True, width=130, height=height)
    view = dune.game.facade.of(dune.view(None).places, None)
    stage = Screen(picture_of(dune.game), "a title", console=console)
    stage.take(dune.log(None), view, dune.view(None).at)
    shown = drawn(stage.drawing(), 130)
    assert (shown.index("Tuek's Sietch") < shown.index("The match is over")) is (first == "board")


def ordinary(match: Match, view: Any) -> str:
    """A position at a terminal of 80 columns and 24 rows, while it is played."""
    console = Console(file=StringIO(), force_terminal=True, width=80, height=24, legacy_windows=False)
    stage = Screen(picture_of(match.game), "a title", console=console)
    stage.take(match.log(None), view, match.view(None).at)
    with console.capture() as captured:
        console.print(stage.drawing())
    return Text.from_ansi(captured.get()).plain


@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_an_ordinary_terminal_shows_all_that_matters(name: str, request: pytest.FixtureRequest) -> None:
    match: Match = request.getfixturevalue(name)
    view = match.game.facade.of(match.view(None).places, None)
    lines = ordinary(match, view).splitlines()
    assert len(lines) == 24
    assert all(len(line) <= 80 for line in lines)
    board = "\n".join(lines[6:])
    sides = ("Harkonnen", "Atreides", "Bene Gesserit", "Emperor", "Fremen", "Spacing Guild")
    assert all(f"│ {side} " in board for side in sides[: 6 if name == "dune" else 2])
    assert "The match is over" in lines[4]


def test_the_map_is_as_wide_as_the_terminal_and_hides_no_legion(arrakis: Match) -> None:
    legions = 0
    for match in positions("arrakis", "random", 40, most=400, round_limit=4):
        view = match.game.facade.of(match.view(None).places, None)
        if "edition" not in view.table:
            continue
        marks = [
            f"{side[0].upper()}{legion.strength or ''}{'*' * legion.leaders}"
            for side in ("harkonnen", "atreides")
            for area in view.content.area
            if (legion := view.legion(side, area)).strength or legion.leaders
        ]
        legions += len(marks)
        for room in (Room(76), Room(76, 16), Room(126)):
            board = drawn(picture_of(match.game).board(view, room), room.width)
            shown = Counter(re.findall(r"[HA](?:\d+\**|\*+)", board.replace("H7* A5 legions", "")))
            assert shown == Counter(marks * (1 if room.rows else 2)), (
                room
            )  # on the map, and where there is room by name
    assert legions > 20


def test_the_ranks_of_sietches_stand_on_the_map_for_whoever_knows_them() -> None:
    *_, match = positions("arrakis", "random", 1000, most=60)
    for seat in (*range(match.seats), None):
        view = match.game.facade.of(match.view(seat).places, seat)
        board = drawn(picture_of(match.game).board(view, Room(76, 16)), 76)
        on_map = board[: board.index("Side ")]
        known = [view.table[key][0] for key in sorted(view.table) if key.startswith("sietch/")]
        ranks = Counter(rank.replace("?", "") for rank in known)
        assert Counter(re.findall(r"S(\d?)(?![a-z])", on_map)) == ranks, seat
        assert ("" in ranks) == (view.side != "atreides")
        villages = (view.rank("harkonnen", area) for area in view.content.area)
        assert sorted(map(int, re.findall(r"V(\d)", on_map))) == sorted(filter(None, villages))


def test_a_narrow_terminal_shows_every_cell_of_the_open_country(dune: Match) -> None:
    tokens = 0
    for match in positions("dune", "random", 100, most=600, length=10):
        view = match.game.facade.of(match.view(None).places, None)
        wide, narrow = (drawn(picture_of(match.game).board(view, Room(width)), width) for width in (126, 76))
        assert wide.count("◆") == narrow.count("◆")
        assert wide.count("~") + wide.count("★") == narrow.count("~") + narrow.count("★")
        assert "…" not in narrow
        tokens += narrow.count("~") + narrow.count("◆")
    assert tokens > 0


@pytest.mark.parametrize("height", [30, 43, 45, 60])
def test_the_last_sentence_is_always_on_the_screen(height: int, arrakis: Match) -> None:
    console = Console(file=StringIO(), force_terminal=True, width=130, height=height)
    stage = Screen(picture_of(arrakis.game), "a title", console=console)
    view = arrakis.game.facade.of(arrakis.view(None).places, None)
    stage.take(arrakis.log(None), view, arrakis.view(None).at)
    lines = drawn(stage.drawing(), 130).splitlines()
    assert len(lines) <= height
    assert any("The match is over" in line for line in lines)


def test_offers_and_deals_are_told_with_their_promises() -> None:
    table = at_table("harkonnen", "atreides", orders=True).put("spice/harkonnen", 10)
    deal = ProposeDeal("atreides", i_pay=2, i_pay_at="battle", you_shun="carthag", you_shun_until=3)
    table.play("harkonnen", deal).play("atreides", AcceptDeal(1))
    picture = picture_of(games.load("dune"))
    sentences = [sentence.plain for _, sentence in picture.tell(("event", *event) for event in table.seen("atreides"))]
    (offer,) = [sentence for sentence in sentences if " offers " in sentence]
    (agreed,) = [sentence for sentence in sentences if " have a deal: " in sentence]
    promises = (
        "Harkonnen pays 2 spice as the battle round begins; Atreides keeps out of Carthag up to the end of turn 3"
    )
    assert offer == f"Harkonnen offers Atreides deal 1: {promises}"
    assert agreed == f"Harkonnen and Atreides have a deal: {promises}"
