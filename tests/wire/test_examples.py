"""Static checks of the examples in docs/protocol.md; the tests of the service run them."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import run_examples

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "protocol.md"
SERVICES = ("Accounts", "Catalog", "Matches", "Play", "Watch", "Talk", "Replays")


def methods(service: str) -> set[str]:
    module = import_module(f"landsraad.v1.{service.lower()}_service_pb2")
    return set(module.DESCRIPTOR.services_by_name[service].methods_by_name)


def test_the_examples_call_what_there_is() -> None:
    called = re.findall(r"(?:call |v1\.)(\w+)/(\w+)", run_examples.script(DOCUMENT.read_text()))
    assert {service for service, _ in called} == set(SERVICES)
    assert [f"{service}/{method}" for service, method in called if method not in methods(service)] == []


def test_the_examples_are_one_script_that_bash_can_read() -> None:
    text = run_examples.script(DOCUMENT.read_text())
    assert subprocess.run(["bash", "-n", "-c", text], check=False, capture_output=True).stderr == b""


@pytest.mark.parametrize(("example", "status"), [("echo $SERVER", 0), ("false\necho on", 1), ("echo $NOBODY", 1)])
def test_the_first_example_that_fails_ends_the_run(tmp_path: Path, example: str, status: int) -> None:
    document = tmp_path / "page.md"
    document.write_text(f"words\n\n```sh example\n{example}\n```\n\n```sh\nexit 9\n```\n")
    command = [sys.executable, str(ROOT / "tools" / "run_examples.py"), str(document), "--server", "http://there"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stdout == ("http://there\n" if status == 0 else "")


def test_the_page_names_every_service() -> None:
    listed = re.findall(r"^\| `(\w+)` \| `(\w+)_service\.proto` \|", DOCUMENT.read_text(), re.MULTILINE)
    assert listed == [(service, service.lower()) for service in SERVICES]
    assert {path.stem.removesuffix("_service") for path in (ROOT / "proto").rglob("*_service.proto")} == {
        file for _, file in listed
    }
