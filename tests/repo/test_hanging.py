"""The timeout of every test, tried on tests that hang."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: No plugins: they take longer to load than the tests to hang.
BARE = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

CONFTEST = Path(__file__).parents[1] / "conftest.py"

TASKS = """
import asyncio

async def deep():
    await asyncio.Event().wait()

async def outer():
    await deep()

def test_it():
    asyncio.run(outer())
"""

BUSY = """
import asyncio

def test_it():
    async def spin():
        while True:
            await asyncio.sleep(0)
    asyncio.run(spin())
"""

FIXTURE = """
import threading
import pytest

@pytest.fixture
def never():
    yield
    threading.Event().wait()

def test_it(never):
    pass
"""


#: A plugin for which a report takes longer than a second ring does to come.
SLOW = """
import time
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    time.sleep(1.5)
    return (yield)
"""


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (TASKS, "deep (test_it.py:5) < outer (test_it.py:8)"),
        (BUSY, "has not ended"),
        (FIXTURE, "threading.Event().wait()"),
    ],
)
def test_a_test_that_hangs_ends_and_says_where(tmp_path: Path, code: str, told: str) -> None:
    status, said = tried(tmp_path, code)
    assert status == 1, said
    assert told in said


def test_a_busy_machine_has_time_to_tell_of_it(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    status, said = tried(tmp_path, BUSY, "-p", "slow")
    assert status == 1, said
    assert "has not ended" in said
    assert "INTERNALERROR" not in said


def tried(folder: Path, code: str, *options: str) -> tuple[int, str]:
    """Run a file of tests with a short timeout; return the status and the output."""
    (folder / "conftest.py").write_text(f"{CONFTEST.read_text()}\nSECONDS, _AGAIN_SECONDS = 0.3, 1.0\n")
    (folder / "test_it.py").write_text(code)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), *options]
    environment = {**BARE, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [*command, str(folder)], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stdout + done.stderr
