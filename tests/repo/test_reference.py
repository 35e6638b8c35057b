"""The reference pages: up to date, without a dead link, and complete beside real matches."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gen_reference
from landsraad import games
from landsraad_engine.checks import rulebook
from landsraad_engine.play.match import Match
from reference_questions import questions

LINK = re.compile(r"\[[^\]]*\]\(([^)#]*)(?:#([^)]*))?\)")
#: Matches that reach questions of many kinds: game, seats, options.
MATCHES: tuple[tuple[str, int, Mapping[str, Any]], ...] = (
    ("dune", 6, {}),
    ("dune", 3, {"karama_reach": "gf9"}),
    ("dune", 4, {"factions": "chosen", "coexistence": "wbc"}),
    ("arrakis", 2, {}),
    ("arrakis", 2, {"edition": "v1_1"}),
    ("arrakis", 2, {"edition": "preview_2022"}),
)


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return gen_reference.pages()


def test_the_pages_are_up_to_date(made: Mapping[str, str]) -> None:
    assert gen_reference.stale(made) == [], "run make reference"


def test_the_pages_are_deterministic(made: Mapping[str, str]) -> None:
    assert gen_reference.pages() == made


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page: those of its headings, and its own."""
    text = path.read_text()
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {gen_reference.anchor(heading) for heading in headings} | set(re.findall(r'<a id="([^"]+)">', text))


def dead_links(path: Path) -> Iterator[str]:
    """Yield the relative links of a page that lead nowhere."""
    known: dict[Path, set[str]] = {}
    for target, place in LINK.findall(re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)):
        if "://" in target:
            continue
        there = (path.parent / target).resolve() if target else path
        if there.is_file() and place and there not in known:
            known[there] = anchors(there)
        if not there.exists() or (place and place not in known[there]):
            yield f"{path.name}: {target}#{place}"


def test_no_link_is_dead(root: Path) -> None:
    pages = [*(root / "docs" / "reference").rglob("*.md"), *(root / "docs").glob("*.md")]
    assert [link for path in pages for link in dead_links(path)] == []


@pytest.mark.parametrize("game", gen_reference.GAMES)
def test_a_primer_names_only_statements_that_exist(root: Path, game: str) -> None:
    text = (root / "docs" / f"primer-{game}.md").read_text()
    prefix = rulebook.book(game).prefix
    named = set(re.findall(rf"{prefix}-[0-9A-Z]+\.[0-9]+", text))
    assert len(named) > 20
    assert named - rulebook.statements(game).keys() == set()


def reached(game: str, seats: int, options: Mapping[str, Any], inputs: int) -> dict[tuple[str, str, str], set[str]]:
    """Return the questions of a random match, by frame, step and rule, with the acts that were legal."""
    loaded = games.load(game)
    talk = {"deals", "offers", "withdrawal", "gifts"}  # without an end
    orders = ("auto", *(f"ask:{kind}" for kind in loaded.play_kinds if kind not in talk))
    match = Match(loaded, seats, options, record=False, orders=dict.fromkeys(range(seats), orders))
    rng = Random(1)
    found: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for _ in range(inputs):
        ask = match.g.ask
        if ask is None:
            break
        frame = match.g.stack[-1]
        for legal in ask.options.values():
            found[type(frame).__name__, frame.pc, ask.why] |= {choice.act.__name__ for choice in legal.choices}
        seat = match.waiting[0]
        match.answer(seat, ask.options[seat].sample(rng))
    return found


@pytest.mark.parametrize(("game", "seats", "options"), MATCHES)
def test_the_questions_of_real_matches_are_listed(game: str, seats: int, options: Mapping[str, Any]) -> None:
    listed = defaultdict(list)
    for question in questions(games.load(game)):
        listed[question.frame, question.step].append(question)
    found = reached(game, seats, options, 1500)
    assert len(found) > 20
    for (frame, step, why), acts in found.items():
        rows = listed[frame, step]
        assert any(why in row.rules or row.any_rule for row in rows), (frame, step, why)
        assert acts <= {act for row in rows for act in row.acts}, (frame, step)


@pytest.mark.parametrize("game", gen_reference.GAMES)
def test_every_act_answers_something(game: str) -> None:
    loaded = games.load(game)
    used = {act for question in questions(loaded) for act in question.acts}
    used |= {play.act.__name__ for play in loaded.out_of_turn}
    assert {act.__name__ for act in loaded.acts} - used == set()
