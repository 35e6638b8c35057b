"""A match with an operator's content file: offered by name, part of the match by its digest."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from landsraad.games import CONTENT_VARIABLE
from landsraad_cli.app import app
from landsraad_engine.arrakis import content
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.words import ArrakisSeatView, ArrakisState
from landsraad_engine.content.documents import ContentProblems
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel import setting
from landsraad_engine.play.match import Match, verify
from landsraad_engine.testing import covers

FEWER_CARDS = """provenance = "likely"

[limits]
hand = 5
"""


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of an owner of the box; nothing is offered before, nor afterwards."""
    monkeypatch.setattr(content, "_offered", {})
    content.played.cache_clear()
    setting._shared_parts.cache_clear()
    path = tmp_path / "my_box.toml"
    path.write_text(FEWER_CARDS, encoding="utf-8")
    return path


def match_with(name: str) -> Match:
    return Match(ARRAKIS, 2, {"content": name}, secret=b"secret", name="a match")


def content_of(match: Match) -> content.BoxContent:
    assert isinstance(match.g, ArrakisState)
    return match.g.content


@covers("WFA-U.10")
def test_a_match_is_played_with_the_file_that_it_names(box: Path) -> None:
    assert content.offer(box) == "my_box"
    match = match_with("my_box")
    assert content_of(match).limits.hand == 5
    assert content_of(match_with("own")).limits.hand == content.load().limits.hand != 5


@covers("WFA-U.10", "WFA-R.2")
def test_as_many_cards_are_drawn_from_each_deck_as_it_says(box: Path) -> None:
    box.write_text(FEWER_CARDS.replace("hand = 5", "cards_drawn_per_deck = 2"), encoding="utf-8")
    content.offer(box)
    for name, cards in (("my_box", 4), ("own", 2)):
        g = match_with(name).g
        assert isinstance(g, ArrakisState)
        assert [len(g.hand(seat)) for seat in range(2)] == [cards, cards]


def test_its_digest_is_part_of_the_match(box: Path) -> None:
    content.offer(box)
    match = match_with("my_box")
    certificate = match.certificate()
    assert certificate["content"] == content.load(box).digest != match_with("own").certificate()["content"]
    assert verify(ARRAKIS, certificate) == []
    assert verify(ARRAKIS, certificate | {"content": content.load().digest}) == ["content"]


def test_what_a_seat_sees_speaks_of_the_same_values(box: Path) -> None:
    content.offer(box)
    match = match_with("my_box")
    view = ArrakisSeatView.of(dict(match.view(0).places), 0)
    assert isinstance(view, ArrakisSeatView)
    assert view.content is content_of(match)


def test_a_file_that_is_not_offered_is_refused(box: Path) -> None:
    with pytest.raises(BadOption, match="no content file 'my_box' is offered here; there is own"):
        match_with("my_box")


def test_a_name_stands_for_one_text(box: Path) -> None:
    content.offer(box)
    content.offer(box)
    box.write_text(FEWER_CARDS.replace("5", "4"), encoding="utf-8")
    with pytest.raises(ContentProblems, match="another file is offered as my_box already"):
        content.offer(box)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("own", FEWER_CARDS, "is not own"),
        ("My Box", FEWER_CARDS, "made of small letters"),
        ("typo", FEWER_CARDS.replace("hand", "hnd"), "typo.toml:4: limits.hnd: no such field"),
    ],
)
def test_a_file_that_is_not_fit_is_not_offered(box: Path, name: str, text: str, problem: str) -> None:
    path = box.with_name(f"{name}.toml")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ContentProblems, match=problem):
        content.offer(path)
    with pytest.raises(ContentProblems):
        content.offer(path)
    assert not content._offered


@pytest.mark.long
def test_commands_and_their_processes_play_with_it(box: Path, tmp_path: Path) -> None:
    """In an interpreter of its own: a game offers for as long as its process lives."""
    landsraad = [sys.executable, "-c", "from landsraad_cli import main; main()"]
    offered = [*landsraad, "--content", f"arrakis={box}"]
    play = ["simulate", "arrakis", "-o", "content=my_box", "--games", "2", "--jobs", "2", "--save", str(tmp_path)]
    env = {name: value for name, value in os.environ.items() if name != CONTENT_VARIABLE}
    subprocess.run([*offered, *play], check=True, capture_output=True, env=env)
    check = ["replay", "--check", str(tmp_path / "arrakis-1-1.json.gz")]
    subprocess.run([*offered, *check], check=True, capture_output=True, env=env)
    refused = subprocess.run([*landsraad, *check], check=False, capture_output=True, env=env)
    assert refused.returncode == 2
    assert b"no content file 'my_box' is offered here" in refused.stderr


@pytest.mark.parametrize("word", ["arrakis=no_such_file.toml", "checkers=pyproject.toml", "arrakis"])
def test_the_command_refuses_what_does_not_exist(word: str) -> None:
    assert CliRunner().invoke(app, ["--content", word, "about"]).exit_code == 2


@pytest.mark.parametrize("entry", ["arrakis=no_such_file.toml", "checkers=pyproject.toml"])
def test_what_the_environment_offers_is_checked_too(entry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONTENT_VARIABLE, entry)
    assert CliRunner().invoke(app, ["about"]).exit_code == 2
