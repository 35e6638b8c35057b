"""The page's files: everything that one names is there, nothing is inline, no module is long."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "server" / "landsraad_web" / "static"
MODULES = sorted(STATIC.glob("*.js"))
#: Lines of a module, at most.
MOST = 350


def test_the_document_names_files_that_exist_and_has_nothing_inline() -> None:
    text = (STATIC / "index.html").read_text()
    named = re.findall(r'"/static/([^"]+)"', text)
    assert [name for name in named if not (STATIC / name).is_file()] == []
    assert not re.search(r"\sstyle=|\son[a-z]+=|<style|<script(?![^>]*\ssrc=)|https?://", text)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_modules_import_what_others_export(module: Path) -> None:
    text = module.read_text()
    assert len(text.splitlines()) <= MOST
    assert not re.search(r"https?://(?!www\.w3\.org/)|\beval\(|innerHTML|setAttribute\('style'", text)
    for names, other in re.findall(r"^import \{([^}]+)\} from '\./([^']+)'", text, re.MULTILINE):
        exported = (STATIC / other).read_text()
        for name in re.split(r"[,\s]+", names.strip(" ,\n")):
            if name and name != "as":
                pattern = rf"export (?:async )?(?:const|let|function\*?|class) {re.escape(name)}\b"
                assert re.search(pattern, exported), f"{other} does not export {name}"
                assert len(re.findall(rf"\b{re.escape(name)}\b", text)) > 1, f"{name} is not used"


def test_every_module_that_a_match_needs_is_loaded_ahead() -> None:
    document = (STATIC / "index.html").read_text()
    needed, waiting = set(), ["main.js", "match_page.js"]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += re.findall(r"^import [^']*'\./([^']+)'", (STATIC / name).read_text(), re.MULTILINE)
    assert sorted(name for name in needed if f'"/static/{name}"' not in document) == []
