"""The examples of docs/sdk.md, of the README and of the docstrings of the SDK run against a service."""

import ast
import asyncio
import inspect
import re
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

import pytest

import landsraad
from landsraad import AsyncClient, Client, svg
from landsraad.async_seat import AsyncSeat
from landsraad.seat import Seat
from landsraad.testing import LocalService
from landsraad.testing.listening import listening

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "sdk.md"
#: Programs use them, but get them from a client.
SEATS = (AsyncSeat, Seat)
#: Exported, but no example of their own would say more than that of what returns them.
WITHOUT_EXAMPLE = {"Act", "Decision", "Options", "PlayedMatch", "World", "__version__"}


def public() -> Iterator[tuple[str, Any]]:
    """Everything that the package exports, and its methods."""
    exported = [(name, getattr(landsraad, name)) for name in landsraad.__all__ if name != "__version__"]
    exported += [(name, getattr(svg, name)) for name in ("draw", "draw_board")]
    for name, found in [*exported, *((one.__name__, one) for one in SEATS)]:
        yield name, found
        for method, function in vars(found).items() if isinstance(found, type) else ():
            if isinstance(function, FunctionType | property) and not method.startswith("_"):
                yield f"{name}.{method}", function


def example_of(found: Any) -> str:
    """The code below `Example:` in a docstring; empty if there is none."""
    section = re.search(r"^Example:\n+    ::\n\n((?:    .*\n?|\n)*)", inspect.getdoc(found) or "", re.MULTILINE)
    return textwrap.dedent(section[1]).strip() if section else ""


EXAMPLES = {name: code for name, found in public() if (code := example_of(found))}


def test_whatever_can_be_imported_has_an_example() -> None:
    assert set(landsraad.__all__) - WITHOUT_EXAMPLE <= EXAMPLES.keys()
    assert {seat.__name__ for seat in SEATS} <= EXAMPLES.keys()


def test_no_example_of_the_sdk_is_left_out() -> None:
    """Examples stand only where this module looks for them, in a form that it can read."""
    found = sum(
        "Example" in (ast.get_docstring(node) or "")
        for path in (ROOT / "sdk" / "landsraad").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    )
    elsewhere = [name for name in EXAMPLES if name.startswith("Bot")]  # the class is the engine's
    assert found == len(EXAMPLES) - len(elsewhere)


@pytest.mark.asyncio
@pytest.mark.parametrize("name", sorted(EXAMPLES))
async def test_an_example_runs(name: str, service: LocalService) -> None:
    """In a program that has a client, and a seat in a match against a bot of the service."""
    async with listening(service) as address:
        code = EXAMPLES[name].replace("localhost:7447", address)
        compiled = compile(code, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        if compiled.co_flags & inspect.CO_COROUTINE:
            async with AsyncClient(address) as client:
                match = await client.create_match("arrakis", ["open", "house"], {"round_limit": 1})
                seat = await client.join(match.name)
                names = {"client": client, "match": match, "seat": seat, "rng": Random(1)}
                await eval(compiled, names)  # noqa: S307  our own example
        else:
            await asyncio.to_thread(run_in_program, compiled, address)


def run_in_program(compiled: Any, address: str) -> None:
    with Client(address) as client:
        match = client.create_match("arrakis", ["open", "house"], {"round_limit": 1})
        names = {"client": client, "match": match, "seat": client.join(match.name), "rng": Random(1)}
        exec(compiled, names)  # noqa: S102  our own example


@pytest.mark.asyncio
async def test_the_examples_of_the_guide_run(service: LocalService, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python example\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == len(re.findall(r"^```python", PAGE.read_text(), re.MULTILINE)) >= 3
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


def test_the_example_of_the_package_names_what_there_is() -> None:
    (imported,) = re.findall(r">>> from landsraad import (.*)", landsraad.__doc__ or "")
    assert [getattr(import_module("landsraad"), name) for name in imported.split(", ")]
