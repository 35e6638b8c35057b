"""Deliberate leaks of the page: each must be caught by the two-run test over it.

Some are of the page itself, the others of the service, which the page passes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any
from unittest.mock import patch

from landsraad_cli.local.leak_run import planted
from landsraad_engine.dune.game import DUNE
from landsraad_testkit.leaks.web_leak_test import leak_web
from landsraad_web import play_routes
from landsraad_web.feed_registry import FeedRegistry
from landsraad_web.json_forms import JsonForms
from landsraad_web.play_routes import PlayRoutes

#: Positions in which a plant has to be found.
POSITIONS = 60
SEED = 6

Patch = AbstractContextManager[Any]
_SERVICE: Any = planted("wire")
#: Leaks of the service that reach visitors of the page.
_PASSED_ON = (
    "an explanation quotes hands",
    "an acknowledgement counts all logs",
    "a seat that goes to the house says how often it has acted",
    "everybody is told what the first seat is told",
    "spectators' replay is the first seat's",
    "the list of matches tells who has given orders",
)


def _replaced(owner: Any, name: str, wrap: Callable[..., Any]) -> Patch:
    """A function of the page replaced by one that is given the plain one first."""
    plain_one = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return wrap(plain_one, *args, **kwargs)

    return patch.object(owner, name, wrapped)


def _to_all_windows(
    _announce: Any, self: FeedRegistry, match: str, _seat: int, _token: str, kind: str, content: object
) -> None:
    for (name, _, _), feed in self._feeds.items():
        if name == match:
            feed.announce(kind, content)


def _counted_in_headers() -> Sequence[Patch]:
    """Every answer tells the number of the last input that the page has passed on, whosever it was."""
    last = [0]

    def acknowledged(plain_one: Any, self: PlayRoutes, match: str, seat: int, token: str, ack: Any) -> Any:
        last[0] = ack.seq
        return plain_one(self, match, seat, token, ack)

    def answered(plain_one: Any, content: Any, *rest: Any) -> Any:
        response = plain_one(content, *rest)
        response.headers["last-input"] = str(last[0])
        return response

    return [_replaced(PlayRoutes, "_acknowledged", acknowledged), _replaced(play_routes, "json_response", answered)]


def _clocks_with_inputs() -> Sequence[Patch]:
    """A clock tells the number of the last input that the page has passed on."""
    last = [0]

    def acknowledged(plain_one: Any, self: PlayRoutes, match: str, seat: int, token: str, ack: Any) -> Any:
        last[0] = ack.seq
        return plain_one(self, match, seat, token, ack)

    def clock(plain_one: Any, self: JsonForms, told: Any) -> Any:
        return {**plain_one(self, told), "last": last[0]}

    return [_replaced(PlayRoutes, "_acknowledged", acknowledged), _replaced(JsonForms, "clock", clock)]


PLANTS: dict[str, Callable[[], Sequence[Patch]]] = {
    "all windows of a match are told what one seat has sent": lambda: [
        _replaced(FeedRegistry, "announce", _to_all_windows)
    ],
    "headers count the inputs of others": _counted_in_headers,
    "events count the inputs of others": _clocks_with_inputs,
    **{name: _SERVICE.PLANTS[name] for name in _PASSED_ON},
}


def is_caught(plant: Callable[[], Sequence[Patch]]) -> bool:
    """Whether the test finds something. A plant that breaks the page instead raises, and proves nothing."""
    with ExitStack() as planting:
        for one in plant():
            planting.enter_context(one)
        return bool(asyncio.run(leak_web(DUNE, POSITIONS, SEED)).findings)


def caught() -> dict[str, bool]:
    """For each plant, whether it is caught."""
    return {name: is_caught(plant) for name, plant in PLANTS.items()}
