"""The commands for local play: their output for programs, and their exit."""

import gzip
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from landsraad import games, replay_files
from landsraad_cli.app import app
from landsraad_cli.local import engine_bench, leak_run, replay_walk
from landsraad_cli.local.simulation import interval
from landsraad_engine.testing.leaks import secrets

TIMING = ("seconds", "decisions_per_second_per_core")


def invoke(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.output


def told(*arguments: object) -> dict[str, Any]:
    status, said = invoke(*arguments, "--json")
    assert status == 0, said
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def untimed(result: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in result.items() if name not in TIMING}


def test_simulate_says_what_a_ladder_needs() -> None:
    result = told("simulate", "dune", "--seats", 3, "--games", 2, "--option", "length=10")
    assert result["game"] == "dune"
    assert result["games"] == sum(result["results"].values()) == sum(result["turns"].values()) == 2
    assert result["decisions"] > 0
    assert set(result) == {
        *("game", "games", "decisions", "seconds", "decisions_per_second_per_core"),
        *("results", "winners", "winners_by_faction", "shares_by_faction", "turns"),
    }
    for faction, (share, low, high) in result["shares_by_faction"].items():
        assert share == pytest.approx(result["winners_by_faction"][faction] / 2)
        assert 0 <= low <= share <= high <= 1
    assert all(int(turn) <= 10 for turn in result["turns"])


def test_simulate_gives_the_same_for_the_same_seed_in_any_number_of_processes() -> None:
    one = told("simulate", "dune", "--seats", 2, "--games", 4, "--seed", 5, "--jobs", 1)
    two = told("simulate", "dune", "--seats", 2, "--games", 4, "--seed", 5, "--jobs", 2)
    other = told("simulate", "dune", "--seats", 2, "--games", 4, "--seed", 6, "--jobs", 1)
    assert untimed(one) == untimed(two) != untimed(other)


def test_the_interval_of_a_share_is_known_values() -> None:
    assert interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert interval(200, 400) == pytest.approx((0.4512, 0.5488), abs=1e-4)


def test_simulate_counts_turns_as_the_game_does() -> None:
    assert told("simulate", "arrakis", "--games", 1, "--option", "round_limit=2")["turns"] == {"2": 1}


def test_simulate_without_json_is_a_table() -> None:
    status, said = invoke("simulate", "dune", "--seats", 2, "--games", 1)
    assert status == 0
    assert "decisions per second per core" in said


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("simulate", "chess"), "chess"),
        (("simulate", "dune", "--seats", "7"), "7"),
        (("simulate", "dune", "--option", "length=11"), "length"),
        (("simulate", "dune", "--option", "length"), "key=value"),
        (("simulate", "dune", "--option", "colour=red"), "colour"),
        (("simulate", "dune", "--bots", "genius"), "genius"),
        (("simulate", "dune", "--seats", "3", "--bots", "random,random"), "2 bots for 3 seats"),
        (("fuzz", "chess"), "chess"),
        (("leaktest", "chess"), "chess"),
        (("bench", "engine", "--game", "chess"), "chess"),
    ],
)
def test_what_does_not_exist_is_named_and_ends_with_two(arguments: tuple[str, ...], named: str) -> None:
    status, said = invoke(*arguments)
    assert status == 2
    assert named in " ".join(said.split())
    assert "Traceback" not in said


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replays")
    told("simulate", "dune", "--seats", 3, "--games", 1, "--save", folder)
    (path,) = folder.iterdir()
    return path


def test_matches_of_both_games_are_saved_beside_each_other(tmp_path: Path) -> None:
    for game in ("dune", "arrakis"):
        told("simulate", game, "--games", 2, "--save", tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"{game}-1-{number}.json.gz" for game in ("arrakis", "dune") for number in (0, 1)]


def test_a_saved_match_plays_again_to_its_certificate(saved: Path) -> None:
    assert told("replay", saved, "--check")["differences"] == []


def test_replay_shows_each_seat_its_own_view(saved: Path) -> None:
    inputs = len(replay_files.load_replay(saved)["journal"])
    views = [told("replay", saved, "--seat", seat, "--at", inputs // 2) for seat in range(3)]
    for seat, view in enumerate(views):
        side = view["places"][f"side/{seat}"]
        spice = [key for key in view["places"] if key.startswith("spice/")]
        assert set(spice) <= {f"spice/{side}"}
    common = told("replay", saved, "--at", inputs // 2)
    assert not [key for key in common["places"] if key.startswith("spice/")]
    assert common["at"] == inputs // 2 < common["inputs"] == inputs


def test_replay_draws_the_board_and_tells_what_happened(saved: Path) -> None:
    inputs = len(replay_files.load_replay(saved)["journal"])
    status, said = invoke("replay", saved)
    assert status == 0
    assert f"input {inputs} of {inputs}, as everybody sees it" in said
    assert "Tuek's Sietch" in said
    assert "The match is over: " in said
    assert re.search(r"^DUNE-[\w.]+: \w", said.splitlines()[-1]), "the rule by which it ended, in words"


def test_replay_draws_a_picture_of_each_view(saved: Path, tmp_path: Path) -> None:
    drawn: list[str] = []
    views: tuple[tuple[object, ...], ...] = ((), ("--seat", 0), ("--seat", 1))
    for seat in views:
        picture = tmp_path / f"{len(drawn)}.svg"
        facts = told("replay", saved, "--at", 60, *seat, "--svg", picture, "--width", 500)
        drawn.append(picture.read_text(encoding="utf-8"))
        assert facts["bytes"] == len(drawn[-1].encode())
        assert ET.fromstring(drawn[-1]).attrib["width"] == "500"  # noqa: S314 - our own
    assert len(set(drawn)) == 3
    for wrong in (("--width", 1), ("--theme", "red")):
        status, said = invoke("replay", saved, "--svg", tmp_path / "no.svg", *wrong)
        assert status == 2
        assert "Traceback" not in said
    assert not (tmp_path / "no.svg").exists()


def test_replay_is_walked_through_by_what_is_typed(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = replay_files.load_replay(saved)
    typed = iter(["", "7", "s 1", "-5", "s", "r dune-3.12", "q"])
    asked: list[str] = []

    def read(prompt: str) -> str:
        asked.append(prompt.split("]", maxsplit=1)[0] + "]")
        return next(typed)

    drawn: list[tuple[int, int | None]] = []
    monkeypatch.setattr("builtins.input", read)
    monkeypatch.setattr(replay_walk, "show", lambda match, seat, body, position: drawn.append((position, seat)))
    replay_walk.walk(games.load("dune"), body, None)
    assert drawn == [(0, None), (1, None), (7, None), (7, 1), (0, 1), (0, None)]
    assert asked[-1] == f"[0/{len(body['journal'])}]"


@pytest.mark.parametrize(
    "body",
    [b"", b"not json", b"{}", b"\x1f\x8b broken", gzip.compress(b'{"format": "other"}')],
    ids=["empty", "no JSON", "no fields", "no gzip", "another format"],  # gzip writes the time into what it packs
)
def test_a_file_that_is_no_replay_is_refused(body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "match.json.gz"
    path.write_bytes(body)
    status, said = invoke("replay", path)
    assert status == 2
    assert "match.json.gz" in " ".join(said.split())
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "command",
    [
        ("new-bot", "my-bot", "--in"),
        ("simulate", "arrakis", "--games", "1", "--option", "round_limit=1", "--save"),
        ("serve", "--port", "0", "--data"),
    ],
)
def test_a_folder_that_cannot_be_made_is_named(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, said = invoke(*command, tmp_path / "file" / "x")
    assert status == 1
    assert f"landsraad {command[0]}: {tmp_path / 'file' / 'x'}" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("how", [(), ("--check",)])
@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"journal": None}, "$.journal"),
        ({"journal": [[0, "answer"]]}, "$.journal"),
        ({"secret": "no digits"}, "$.secret"),
        ({"entropy": [7]}, "$.entropy"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"seats": "3"}, "$.seats"),
    ],
)
def test_a_replay_in_which_somebody_has_written_is_refused(
    wrong: dict[str, Any], why: str, how: tuple[str, ...], saved: Path, tmp_path: Path
) -> None:
    path = tmp_path / "match.json.gz"
    replay_files.save_certificate({**replay_files.load_replay(saved), **wrong}, str(path))
    status, said = invoke("replay", path, *how)
    assert status == 2, said
    assert why in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("at", "given", "why"),
    [
        (5, [0, "answer", ["Nonsense"]], "input 6: answer ['Nonsense'] is no input of dune"),
        (5, [0, "answer", []], "input 6: answer [] is no input"),
        (5, [0, "answer", ["Bid"]], "input 6: answer ['Bid'] is no input"),
        (5, [7, "answer", ["Bid", 1]], "input 6: there is no seat 7"),
        (0, [0, "orders", ["nonsense"]], "input 1: 'nonsense' is no standing order of dune"),
        (0, [0, "epoch", ["one"]], "input 1: epoch ['one'] is no input"),
        (3, [0, "opening", ["nonsense"]], "the orders before its first input"),
    ],
)
def test_a_replay_that_cannot_be_played_names_the_input(
    at: int, given: list[Any], why: str, saved: Path, tmp_path: Path
) -> None:
    path = tmp_path / "match.json.gz"
    body = replay_files.load_replay(saved)
    body["journal"].insert(at, given)
    replay_files.save_certificate({**body, "engine": "0.0+older"}, path)
    assert invoke("replay", path, "--check")[0] == 1
    for how in ((), ("--json",), ("--at", at + 1)):
        status, said = invoke("replay", path, *how)
        said = " ".join(said.replace("│", " ").split())
        assert (status, "Traceback" in said) == (2, False), said
        assert f"match.json.gz cannot be played: {why}" in said
        assert "It was played by engine 0.0+older" in said


@pytest.mark.parametrize(("name", "value"), [("--seat", 3), ("--at", 100_000), ("--at", -1)])
def test_replay_stays_within_the_match(saved: Path, name: str, value: int) -> None:
    status, said = invoke("replay", saved, f"{name}={value}")
    assert status == 2
    assert str(value) in said


def test_fuzz_plays_and_counts_the_steps_it_reached() -> None:
    result = told("fuzz", "dune", "--minutes", 0.03)
    assert result["failures"] == []
    assert 0 < result["steps_reached"] <= result["steps_total"]
    assert {"matches", "decisions"} <= set(result)


def test_fuzz_keeps_to_the_options_given_and_plays_with_the_content_of_tests() -> None:
    result = told("fuzz", "arrakis", "--minutes", 0.01, "--option", "round_limit=1", "--option", "content=recombined")
    assert result["failures"] == []
    assert result["inputs"] < 300 * result["matches"], "matches of one round"


def test_fuzz_shrinks_and_saves_what_it_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from landsraad_engine.dune.game import Dune

    def crowded(self: Dune, g: Any) -> list[str]:
        return ["planted: somebody has more than five spice"] if any(g.spice(f) > 5 for f in g.factions()) else []

    monkeypatch.setattr(Dune, "problems", crowded)
    status, said = invoke("fuzz", "dune", "--minutes", 0.05, "--save", tmp_path, "--json")
    assert status == 1
    result = json.loads(said.splitlines()[-1])
    (failure,) = result["failures"]
    assert "planted" in failure["message"]
    body = replay_files.load_replay(Path(failure["replay"]))
    assert body["failure"]["message"] == failure["message"]
    assert len(body["journal"]) <= failure["inputs"] + body["seats"]


def test_leaktest_reports_by_kind_of_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "kinds", lambda game: frozenset({"hand", "treachery deck"}))
    monkeypatch.setattr(
        leak_run, "planted", lambda game_id: SimpleNamespace(caught=lambda: {"loud": True, "quiet": True})
    )
    result = told("leaktest", "dune", "--positions", 30)
    assert result["positions"] >= 30
    assert result["changed"] >= 0.9 * result["positions"]
    assert result["differences"] == result["missing"] == result["missed"] == []
    assert result["changed_by_kind"]["hand"] > 0
    assert result["caught"] == result["planted"] == 2


@pytest.mark.parametrize(("kind", "is_caught"), [("the kitchen sink", True), ("hand", False)])
def test_leaktest_fails_if_a_kind_of_secret_was_never_changed_or_a_planted_leak_is_missed(
    kind: str, is_caught: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "kinds", lambda game: frozenset({"hand", kind}))
    monkeypatch.setattr(leak_run, "planted", lambda game_id: SimpleNamespace(caught=lambda: {"quiet": is_caught}))
    status, said = invoke("leaktest", "arrakis", "--positions", 10, "--json")
    result = json.loads(said.splitlines()[-1])
    assert status == 1
    assert (result["missing"], result["missed"]) == (([], ["quiet"]) if kind == "hand" else ([kind], []))


def test_bench_engine_measures_beside_a_calibration_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    calibration, timed = engine_bench.calibration, engine_bench.timed
    monkeypatch.setattr(engine_bench, "calibration", lambda seconds=0.0: calibration(0.01))
    monkeypatch.setattr(engine_bench, "timed", lambda work, seconds=0.0: timed(work, 0.01))
    result = told("bench", "engine", "--game", "dune", "--seconds", 0.5)
    assert result["calibration_rounds_per_second"] > 0
    assert {"decisions_per_second", "copy_us", "image_bytes", "sample_world_ms"} <= set(result["dune"])
