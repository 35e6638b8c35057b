"""The examples of docs/sdk.md run, one after the other, against a service."""

import asyncio
import re
from pathlib import Path

import pytest

from landsraad.testing import LocalService
from landsraad.testing.listening import listening

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "sdk.md"


@pytest.mark.asyncio
async def test_the_examples_run(service: LocalService, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python example\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    async with listening(service) as address:
        names: dict[str, object] = {"SERVER": address}
        for block in blocks:
            await asyncio.to_thread(exec, compile(block, PAGE.name, "exec"), names)
    said = capsys.readouterr().out
    assert "round_limit: nobody" in said
    assert "entries in the log of this seat" in said
    assert all(hosted.info.result.ending for hosted in service.matches.values())


def test_the_first_page_shows_a_bot_that_plays() -> None:
    """As it is printed, but for where the service is and how many matches it plays."""
    (block,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    shorter = block.replace('server="localhost:7447", matches=20', "transport=TRANSPORT")
    assert shorter != block
    service = LocalService()
    exec(compile(shorter, "README.md", "exec"), {"TRANSPORT": service.transport()})  # noqa: S102  our own page
    (hosted,) = service.matches.values()
    assert hosted.info.result.ending
