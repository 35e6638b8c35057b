"""What is read out of header blocks is remembered, and what is a secret no longer than its connection."""

from __future__ import annotations

import pytest

from landsraad_server.http2.headers import BlockReader, Request
from landsraad_server.testing.http2 import request

PLAIN = request("Echo", x_text="a")
SECRETS = {
    "a bearer": request(authorization="Bearer x"),
    "bytes": request(x_bin="AAAA"),
    "a cookie": request(cookie="x"),
}


def test_what_all_say_is_read_once_for_all() -> None:
    known: dict[bytes, Request] = {}
    first, second = BlockReader(known), BlockReader(known)
    read = first.request(PLAIN)
    second.request(request())  # which says that it has no table either
    assert second.request(PLAIN) is read


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_known_to_its_own_connection_only(secret: str) -> None:
    known: dict[bytes, Request] = {}
    first, second = BlockReader(known), BlockReader(known)
    read = first.request(SECRETS[secret])
    assert first.request(SECRETS[secret]) is read
    assert not known
    assert second.request(SECRETS[secret]) == read
    assert second.request(SECRETS[secret]) is not read


def test_few_are_remembered_of_a_client_that_says_something_else_each_time() -> None:
    reader = BlockReader({})
    reader.request(PLAIN)
    read = [reader.request(request(authorization=f"Bearer {number}")) for number in range(100)]
    assert reader.request(request(authorization="Bearer 99")) is read[-1]
    assert reader.request(request(authorization="Bearer 0")) is not read[0]
