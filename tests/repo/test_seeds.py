"""Copyright: no committed file shares a run of words with a publisher's rulebook."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

RUN = 12
WORD = re.compile(r"[^\W_]+")
SEEDS = Path(__file__).resolve().parents[3] / "shared" / "seeds"


def runs(text: str) -> Iterator[str]:
    """Yield every run of words, without case and punctuation."""
    words = [word.lower() for word in WORD.findall(text)]
    return (" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1))


def shared_runs(texts: Mapping[str, str], printed: set[str]) -> dict[str, str]:
    """Return the first run that each file shares with the printed texts."""
    hits = {}
    for name, text in texts.items():
        hit = next((run for run in runs(text) if run in printed), None)
        if hit:
            hits[name] = hit
    return hits


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the rulebooks are not on this machine")
def test_no_sentence_of_the_rulebooks_is_copied(texts: Mapping[str, str]) -> None:
    printed = {run for seed in SEEDS.glob("*.txt") for run in runs(seed.read_text())}
    ours = {name: text for name, text in texts.items() if not name.endswith(".lock")}
    assert len(printed) > 10_000
    assert shared_runs(ours, printed) == {}


def test_a_copied_sentence_is_found() -> None:
    printed = set(runs("Each round of this made up game begins when every player has counted the sand twice."))
    assert shared_runs({"a": "# each round, of this made-up game begins when EVERY player has counted"}, printed)
    assert not shared_runs({"b": "A round of the game begins once everybody has counted the sand."}, printed)
