"""Extracts in docs/adding-a-game.md are those of the sources; test_out_of_tree_game plays the game at its end."""

import re
import textwrap
from pathlib import Path

import pytest

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


def test_the_game_from_nothing_is_the_one_of_the_example() -> None:
    example = ROOT / "docs/examples/high-dune/high_dune"
    (rules,) = [block for language, block in BLOCKS if language == "toml"]
    (code,) = [block for language, block in BLOCKS if language == "python" and "HIGH_DUNE" in block]
    assert rules == (example / "rules.toml").read_text(encoding="utf-8")
    assert code == (example / "game.py").read_text(encoding="utf-8")
