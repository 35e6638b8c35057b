"""The examples of docs/sdk.md run, one after the other, against a service."""

import asyncio
import re
from pathlib import Path

import pytest

from landsraad.testing import LocalService
from landsraad.testing.listening import listening

PAGE = Path(__file__).parents[2] / "docs" / "sdk.md"


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
