"""The bound on every test, tried on tests that hang."""

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


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (TASKS, "deep (test_it.py:5) < outer (test_it.py:8)"),
        (BUSY, "has not ended"),
        (FIXTURE, "threading.Event().wait()"),
    ],
)
def test_a_test_that_hangs_ends_and_says_where(tmp_path: Path, code: str, told: str) -> None:
    (tmp_path / "conftest.py").write_text(f"{CONFTEST.read_text()}\nSECONDS, _AGAIN_SECONDS = 0.3, 0.3\n")
    (tmp_path / "test_it.py").write_text(code)
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=BARE, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1, done.stdout
    assert told in done.stdout
