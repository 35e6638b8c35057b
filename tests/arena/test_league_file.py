"""Files of leagues: what stands in them, and what is refused with the field."""

from pathlib import Path

import pytest

from landsraad_arena.league_file import BadLeagueFile, parse_league, read_league_file

WHOLE = """
name = "dune-open"
game = "dune"
seats = 4
seed = 7
panel = ["random", "greedy", "quick"]

[schedule]
kind = "swiss"
games = 12

[clock]
decision_seconds = 2
increment_seconds = 0

[faults]
timeouts = 5

[rating]
anchor = "greedy"

[[entries]]
version = "searcher-1"
bot = "searcher@0.1s"
at_once = 2

[[entries]]
version = "mine-3"
bot = "my.py:Mine"
account = "me"
"""
LEAST = 'name = "abc"\ngame = "arrakis"\nseats = 2\n'


def test_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "league.toml"
    path.write_text(WHOLE, encoding="utf-8")
    spec = read_league_file(path)
    assert (spec.name, spec.game, spec.seats, spec.seed) == ("dune-open", "dune", 4, 7)
    assert (spec.schedule.kind, spec.schedule.games) == ("swiss", 12)
    assert (spec.clock.decision_seconds, spec.clock.increment_seconds, spec.faults.timeouts) == (2, 0, 5)
    assert [(each.version, each.account, each.at_once) for each in spec.entries] == [
        ("searcher-1", "local", 2),
        ("mine-3", "me", 1),
    ]


def test_most_has_defaults() -> None:
    spec = parse_league(LEAST)
    assert spec.rating.anchor in spec.panel
    assert spec.schedule.kind == "rounds"
    assert spec.entries == ()


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ("name = ", "", "not TOML"),
        ("", "", "missing required field `name`"),
        (LEAST.replace("abc", "Ab"), "name", "lower-case"),
        (LEAST.replace("arrakis", "chess"), "game", "'chess' is none of"),
        (LEAST.replace("= 2", "= 7"), "seats", "not 7"),
        (LEAST.replace("= 2", '= "two"'), "seats", "Expected `int`"),
        (LEAST + "sead = 1\n", "", "unknown field `sead`"),
        (LEAST + "[schedule]\nkind = 'knockout'\n", "schedule.kind", "knockout"),
        (LEAST + "[schedule]\ngames = 0\n", "schedule.games", ">= 1"),
        (LEAST + "[clock]\ndecision_seconds = -1\n", "clock.decision_seconds", "> 0"),
        (LEAST + "[rating]\nanchor = 'quick'\n", "rating.anchor", "quick is not in the panel"),
        (LEAST + "panel = []\n", "panel", "at least one"),
        (LEAST + "panel = ['greedy', 'greedy']\n", "panel", "none twice"),
        (LEAST + "factions = ['Atreides']\n", "factions", "2 or more"),
        (LEAST + "[faults]\nspoiled = 60\n", "faults.spoiled", "no more than 50"),
        (LEAST + "[options]\nsandworms = 3\n", "options.sandworms", "no such option"),
        (LEAST + "[[entries]]\nversion = 'greedy'\nbot = 'greedy'\n", "entries[0].version", "in the panel"),
        (LEAST + "[[entries]]\nversion = 'a'\nbot = 'b'\nat_once = 9\n", "entries[0].at_once", "<= 8"),
    ],
)
def test_refusals_name_the_field(text: str, field: str, words: str) -> None:
    with pytest.raises(BadLeagueFile, match=words) as refused:
        parse_league(text)
    assert refused.value.field == field


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(BadLeagueFile, match="cannot be read: No such file"):
        read_league_file(tmp_path / "none.toml")
