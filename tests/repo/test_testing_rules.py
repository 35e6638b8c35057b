"""docs/testing-rules.md: its examples run, in their order, and it names every word of the language."""

import inspect
import re
from pathlib import Path

import pytest

from landsraad_engine import testing
from landsraad_engine.testing import Scenario

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/testing-rules.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)

#: Left to the docstrings: what the words of the games are made of.
BESIDE_THE_PAGE = {"unfix", "options", "open_plays", "seat", "g"}


def test_the_examples_run() -> None:
    names: dict[str, object] = {}
    for example in EXAMPLES:
        exec(compile(example, "docs/testing-rules.md", "exec"), names)  # noqa: S102 - our own page
    assert len(EXAMPLES) >= 8
    assert sum(example.count("assert ") for example in EXAMPLES) >= 7
    assert names["test_a_shipment_has_to_be_paid"].covers == ("DUNE-5.3",)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", testing.__all__)
def test_the_page_shows_the_public_names(name: str) -> None:
    assert re.search(rf"\b{name}\b", PAGE)


def test_the_page_names_every_word_of_a_scenario() -> None:
    words = {name for name, _ in inspect.getmembers(Scenario) if not name.startswith("_")}
    missing = {word for word in words - BESIDE_THE_PAGE if not re.search(rf"\b{word}\b", PAGE)}
    assert missing == set()


def test_the_page_fits_on_a_page() -> None:
    assert len(PAGE.splitlines()) <= 130
