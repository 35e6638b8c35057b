"""What is read out of header blocks is remembered, and what is a secret no longer than its connection."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random

import pytest
from hpack import Decoder
from hpack.exceptions import HPACKError

from landsraad_http2.frames import ConnectionFault
from landsraad_http2.headers import BlockReader, RefusedRequest, Request, literal, read_request
from landsraad_testkit.http2_peer import request

PLAIN = request("Echo", x_text="a")
SECRETS = {
    "a bearer": request(authorization="Bearer x"),
    "bytes": request(x_bin="AAAA"),
    "a cookie": request(cookie="x"),
    "what a proxy asks for": request(proxy_authorization="x"),
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


def test_what_is_large_is_not_remembered() -> None:
    """One byte may stand for a header of the static table: of few bytes much would be kept, and for all connections."""
    known: dict[bytes, Request] = {}
    reader = BlockReader(known)
    reader.request(PLAIN)
    many = request() + b"\x8f" * 100  # accept-charset
    assert len(reader.request(many).metadata) == 100
    assert list(known) == [PLAIN]


def test_several_values_in_one_count_as_several() -> None:
    """Metadata of bytes may be joined with commas: each value that comes out of it costs us as much as a header."""
    few, many = (request(x_bin="," * commas) for commas in (3, 1000))
    assert len(BlockReader({}).request(few).metadata) == 4
    with pytest.raises(RefusedRequest):
        BlockReader({}).request(many)


def test_who_has_never_used_a_table_need_not_say_that_there_is_none() -> None:
    """As RFC 9113 has it (4.3.1) it should; but clients of .NET and Dart do not, and nothing is lost."""
    known: dict[bytes, Request] = {}
    reader = BlockReader(known)
    silent = PLAIN[1:]
    reader.forget_table()
    read = reader.request(silent)
    assert reader.request(silent) is read
    assert not known  # somebody else may have one


SMALL, LARGE = (b"\x40" + literal(b"x", value)[1:] for value in (b"1", b"y" * 200))
#: What is said to a table, if there is any: nothing, something that it takes, something that a little one does not take
#: and is emptied by, and what lies in it; after a change of its room to nothing, to a little, or none.
TO_A_TABLE = list(
    map(b"".join, product((b"", b"\x20", b"\x3f\x45"), (b"!",), (b"", SMALL, LARGE, b"\xbe", b"\xbe" + LARGE)))
)

#: None: the client has heard that we want no table.
Told = Iterable[bytes | None]


def read_as_by_the_book(fields: bytes, told: Told, known: dict[bytes, Request]) -> None:
    """What is read of blocks, remembered or not, is what a decoder reads; to the first that it cannot read."""
    reader, plain, agreed = BlockReader(known), Decoder(), False
    for said in told:
        if said is None:
            reader.forget_table()
            agreed = True
            continue
        if agreed and not said.startswith(b"!"):
            plain.max_allowed_table_size = 0
        block = said.replace(b"!", fields[1:])
        try:
            meant = read_request(list(plain.decode(block, raw=True)))
        except HPACKError:
            with pytest.raises(ConnectionFault):
                reader.request(block)
            return
        assert reader.request(block) == meant


@pytest.mark.parametrize("fields", [PLAIN, SECRETS["a bearer"]])
@pytest.mark.parametrize("seed", range(10))
def test_what_is_remembered_is_what_a_block_says(seed: int, fields: bytes) -> None:
    """Whatever a client does with its table, and whether it heeds that we want none."""
    random, known = Random(seed), dict[bytes, Request]()
    for _ in range(100):
        read_as_by_the_book(fields, random.choices([None, *TO_A_TABLE], k=12), known)


NONE, LITTLE = b"\x20!", b"\x3f\x45!"


@pytest.mark.parametrize(
    "told",
    [
        pytest.param((NONE, b"!" + SMALL, LITTLE, b"!" + SMALL, b"!\xbe"), id="there is room again"),
        pytest.param((LITTLE, b"!" + LARGE, b"!" + SMALL, b"!" + LARGE, b"!\xbe"), id="it is emptied"),
    ],
)
def test_what_is_remembered_did_nothing_to_a_table(told: Told) -> None:
    read_as_by_the_book(SECRETS["a bearer"], told, {})
