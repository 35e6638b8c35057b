"""A service in the process, and clients of it. They play the small game `teaching`, which only tests offer."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from landsraad import AsyncClient, games
from landsraad.testing import Faults, LocalService


@pytest.fixture(autouse=True)
def _teaching(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    known = {**games.REGISTRY.own, "teaching": "landsraad_engine.teaching.game:TEACHING"}
    monkeypatch.setattr(games.REGISTRY, "own", known)
    yield
    games.load.cache_clear()


@pytest.fixture
def faults() -> Faults:
    """The faults of the service of this test."""
    return Faults()


@pytest.fixture
def service(faults: Faults) -> LocalService:
    return LocalService(faults=faults)


@pytest_asyncio.fixture
async def client(service: LocalService) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(transport=service.transport(), retry_timeout=5.0) as made:
        yield made


@pytest.fixture(autouse=True)
def _folder_for_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`run` saves replays of failures in the working directory."""
    monkeypatch.chdir(tmp_path)
