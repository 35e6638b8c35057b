"""Advice: the searcher's candidates before a person's decisions, and at a decision of a saved match."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from landsraad import games
from landsraad.advice import AdvisingBot, advice_facts
from landsraad.bots import make_bot
from landsraad.client import Client
from landsraad.replay_files import save_match
from landsraad.testing import LocalService
from landsraad_cli.app import app
from landsraad_cli.terminal.person import Person
from landsraad_cli.terminal.pictures import picture_of
from landsraad_cli.terminal.playing import play
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.dune.game import DUNE
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, put_question, standing


@pytest.fixture(scope="module")
def table() -> tuple[Match, int, int]:
    """A match in which a seat is asked something that is searched: the match, the seat and the position."""
    match = Match(DUNE, 2, secret=b"advice", record=False, orders=standing(2))
    bots = [make_bot("quick", "dune", seat) for seat in range(2)]
    while match.g.ask is not None:
        seat = match.g.waiting[0]
        names = {choice.act.__name__ for choice in match.g.ask.options[seat].choices}
        if "Ship" in names and match.g.ask.options[seat].only() is None:
            position = len(match.journal)
            play_out(match, bots, 3)
            return match, seat, position
        play_out(match, bots, 1)
    raise AssertionError("no shipment")


def test_a_replay_explains_the_candidates_of_a_decision(table: tuple[Match, int, int], tmp_path: Path) -> None:
    match, seat, position = table
    saved = tmp_path / "match.json.gz"
    save_match(match, saved)
    words = [
        "replay",
        str(saved),
        "--bot",
        "searcher@worlds=4,k=3",
        "--seat",
        str(seat),
        "--at",
        str(position),
        "--fresh",
    ]
    told = CliRunner().invoke(app, [*words, "--json"])
    advice = json.loads(told.output.strip().splitlines()[-1])["advice"]
    assert advice["note"] == ""
    assert len(advice["candidates"]) >= 2
    for row in advice["candidates"]:
        assert row["worlds"] >= 2
        assert row["low"] <= row["value"] <= row["high"]
        assert row["rule"].startswith("DUNE-")
    assert advice["chosen"] in [row["act"] for row in advice["candidates"]]
    shown = CliRunner().invoke(app, words).output
    assert "It has considered:" in shown
    assert "4 worlds)" in shown
    assert shown.count("  > ") == 1


def test_bots_that_tell_nothing_are_no_advisors(table: tuple[Match, int, int]) -> None:
    assert not isinstance(make_bot("greedy", "dune", 1), AdvisingBot)
    bot = make_bot("searcher@worlds=2", "dune", 1)
    assert isinstance(bot, AdvisingBot)
    match, *_ = table
    facts = advice_facts(bot.consider(*put_question(match, match.g.waiting[0])))
    assert json.loads(json.dumps(facts)) == facts
    refused = CliRunner().invoke(app, ["play", "dune", "--advice", "--advisor", "greedy"])
    assert refused.exit_code == 2
    assert "does not tell what it considers" in refused.output


def test_a_person_is_advised_before_each_decision() -> None:
    out = StringIO()
    console = Console(file=out, width=160)
    asked: list[str] = []

    def read(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) > 8:
            raise EOFError
        return "any"

    service = LocalService(house=lambda game: make_bot("quick", game, 1))
    with Client(transport=service.transport()) as client:
        match = client.create_match("dune", ["open", "house"])
        stage = Screen(picture_of(games.load("dune")), "test", console=console, live=False)
        person = Person(stage, {}, console, read)
        advisor: Any = make_bot("searcher@worlds=2,k=3", "dune", 1)
        play(client.join(match.name), person, stage, advisor)
    said = out.getvalue()
    assert said.count("Advice: the chance to win after each act") >= 3
    assert "  > " in said
