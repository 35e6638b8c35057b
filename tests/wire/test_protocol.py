"""The protocol files: style, comments, tables, secrets, and what later services will need."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

ROOT = Path(__file__).resolve().parents[2]
PROTO = ROOT / "proto"
BUF = Path(sys.executable).with_name("buf")
FILES = sorted(PROTO.rglob("*.proto"))
SERVICES = [path for path in FILES if "\nservice " in path.read_text()]


def buf(*arguments: str) -> str:
    """Return the complaints of buf."""
    done = subprocess.run([BUF, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_style_and_comments_are_buf_s() -> None:
    assert buf("lint", "proto") == ""
    assert buf("format", "--diff", "proto") == ""


def test_nothing_that_was_promised_has_changed() -> None:
    assert buf("breaking", "proto", "--against", "proto/published.binpb") == ""


def changed(folder: Path, old: str, new: str) -> str:
    """Return a copy of the protocol with one text replaced."""
    for path in (*FILES, PROTO / "buf.yaml"):
        copy = folder / path.relative_to(PROTO)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text().replace(old, new))
    return str(folder)


def test_a_change_that_breaks_clients_is_found(tmp_path: Path) -> None:
    other = changed(tmp_path, "uint64 seq = 3 [", "uint64 seq = 33 [")
    assert "seq" in buf("breaking", other, "--against", "proto/published.binpb")


def test_a_missing_comment_is_found(tmp_path: Path) -> None:
    assert "entries" in buf("lint", changed(tmp_path, "    // The next entries of the log.\n", ""))


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.stem)
def test_every_call_stands_in_the_table_of_states(path: Path) -> None:
    text = path.read_text()
    calls = re.findall(r"^  rpc (\w+)\(", text, re.MULTILINE)
    rows = re.findall(r"^// \| (\w+) +\|", text, re.MULTILINE)
    assert rows[0] == "RPC"
    assert rows[1:] == calls


def test_credentials_are_kept_out_of_printed_messages() -> None:
    built = subprocess.run([BUF, "build", "proto", "--output", "-"], cwd=ROOT, capture_output=True, check=True).stdout
    fields = {
        f"{message.name}.{field.name}": field.options.debug_redact
        for file in FileDescriptorSet.FromString(built).file
        for message in file.message_type
        for field in message.field
        if field.name in ("credential", "token") and field.type == field.TYPE_STRING
    }
    assert fields == {
        "CreateGuestResponse.token": True,
        "JoinMatchResponse.credential": True,
        "Subscribe.credential": True,
    }
