"""Both clients offer the same, and nothing of protobuf."""

import inspect
import re
import typing
from collections.abc import AsyncIterator, Iterator

import pytest

from landsraad.async_client import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.client import Client
from landsraad.seat import Seat

PAIRS = [(AsyncClient, Client), (AsyncSeat, Seat)]
#: What a subscriber of a connection needs; nobody else calls it.
PLUMBING = {
    "follow_from_first",
    "opening_items",
    "receive",
    "end_frame",
    "fail",
    "call",
    "connection",
    "spectator_stream",
    "talk_stream",
    "retry_timeout",
}


def public(kind: type) -> dict[str, object]:
    found = {name: thing for one in reversed(kind.__mro__[:-1]) for name, thing in vars(one).items()}
    return {name: thing for name, thing in found.items() if not name.startswith("_") and name not in PLUMBING}


def returned(function: object) -> object:
    """Return the type of a method's result, in terms of the client without asyncio."""
    found = typing.get_type_hints(function)["return"]
    if typing.get_origin(found) is AsyncIterator:
        return Iterator[typing.get_args(found)]  # type: ignore[misc]
    return {AsyncSeat: Seat, AsyncClient: Client}.get(found, found)


@pytest.mark.parametrize(("waiting", "plain"), PAIRS)
def test_the_same_methods_with_the_same_parameters(waiting: type, plain: type) -> None:
    assert public(waiting).keys() == public(plain).keys()
    for name, thing in public(waiting).items():
        other = public(plain)[name]
        if isinstance(thing, property):
            assert isinstance(other, property)
            assert returned(thing.fget) == returned(other.fget), name
            continue
        assert inspect.signature(thing).parameters == inspect.signature(other).parameters, name  # type: ignore[arg-type]
        if typing.get_origin(returned(thing)) is not Iterator:
            assert returned(thing) == returned(other), name


def test_both_are_made_alike() -> None:
    assert inspect.signature(AsyncClient).parameters == inspect.signature(Client).parameters


@pytest.mark.parametrize("kind", [Client, Seat])
def test_everything_has_a_docstring_and_no_message_in_its_signature(kind: type) -> None:
    for name, thing in public(kind).items():
        function = thing.fget if isinstance(thing, property) else thing
        assert function.__doc__, name
        assert "_pb2" not in str(typing.get_type_hints(function)), name


@pytest.mark.parametrize(("waiting", "plain"), PAIRS)
def test_both_are_documented_alike(waiting: type, plain: type) -> None:
    """The docstrings differ in `async` and `await` only."""
    for name, thing in [("", waiting), *public(waiting).items()]:
        other = public(plain)[name] if name else plain
        text = re.sub(r"\b(async|await) |\bAsync(?=Client|Seat)", "", inspect.getdoc(thing) or "")
        assert re.sub(r"\((again\.next_decision\(\))\)", r"\1", text) == inspect.getdoc(other), name
