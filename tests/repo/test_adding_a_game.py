"""The extracts in docs/adding-a-game.md match the sources, and the game at its end can be played."""

import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest

from landsraad_engine.checks import rulebook
from landsraad_engine.testing.conformance import play

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)
EXTRACTS = [block.partition("\n")[::2] for language, block in BLOCKS if language == "python" and block.startswith("# ")]


def source(name: str) -> str:
    """Return the module of the teaching game or of the tests that an extract names."""
    (file,) = [
        file
        for folder in ("engine/landsraad_engine/teaching", "tests/teaching", "tests/engine")
        for file in (ROOT / folder).glob(name)
    ]
    return file.read_text(encoding="utf-8")


def test_there_are_extracts() -> None:
    assert len(EXTRACTS) >= 9


@pytest.mark.parametrize(("name", "extract"), EXTRACTS, ids=[name for name, _ in EXTRACTS])
def test_an_extract_stands_in_the_module_that_it_names(name: str, extract: str) -> None:
    """The lines of an extract occur in a row, at any indentation."""
    lines = extract.strip("\n").splitlines()
    code = source(name.removeprefix("# ")).splitlines()
    stretches = ("\n".join(code[at : at + len(lines)]) for at in range(len(code)))
    assert "\n".join(lines) in {textwrap.dedent(stretch) for stretch in stretches}


def high_dune() -> tuple[ModuleType, Mapping[str, rulebook.Statement]]:
    """Return the game at the end of the page and its rulebook."""
    (rules,) = [block for language, block in BLOCKS if language == "toml"]
    (code,) = [block for language, block in BLOCKS if language == "python" and "HIGH_DUNE" in block]
    module = ModuleType("high_dune")
    exec(compile(code, "docs/adding-a-game.md", "exec"), vars(module))  # noqa: S102 - our own page
    return module, rulebook.parse(rules, "high_dune")


def test_the_game_from_nothing_conforms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulebook, "PREFIXES", {**rulebook.PREFIXES, "high_dune": "HIGH"})
    module, statements = high_dune()
    known = rulebook.statements
    monkeypatch.setattr(rulebook, "statements", lambda game: statements if game == "high_dune" else known(game))
    winners = set()
    for seed in range(12):
        match = play(module.HIGH_DUNE, 2, seed=seed)
        assert match.result is not None
        hands = [match.view(None).places[hand] for hand in module.HAND.values()]
        winner = 0 if hands[0] > hands[1] else 1
        assert match.result == ("higher", (winner,))
        winners.add(winner)
    assert winners == {0, 1}
    assert {rule for rule in statements if rule in PAGE.partition("The same as code")[2]} == set(statements)
