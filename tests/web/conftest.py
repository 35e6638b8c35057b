"""Fixtures of the page's tests: a browser, and pages of it that fail the test when a script fails.

Without a browser the tests that need one are skipped by name; LANDSRAAD_CHROMIUM names one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.web.recorded import serving

#: Arguments for a machine without a display, as root, that asks nothing of the network.
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--no-first-run",
)
#: Milliseconds to wait for what a page shows: patience with a loaded machine.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)
#: A new page; keyword arguments are those of a browser's context ("viewport", "color_scheme").
OpenPage = Callable[..., Page]


def chromium() -> str:
    """Return the path of the browser; empty if there is none."""
    return os.environ.get("LANDSRAAD_CHROMIUM") or shutil.which("chromium") or ""


# Playwright's loop runs for as long as this lives, and tests of other modules need one of their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    if not path:
        pytest.skip("no Chromium: set LANDSRAAD_CHROMIUM or put chromium on the PATH")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Open pages, and see at the end that no script has failed and no policy was broken."""
    contexts = []
    troubles: list[str] = []

    def opened(**options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture(scope="session")
def recorded() -> Iterator[str]:
    """The address of a page that serves a recorded match of each game as a replay: /replays/dune, /replays/arrakis."""
    with serving() as address:
        yield address
