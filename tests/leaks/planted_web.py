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
from landsraad_web.feed_registry import FeedRegistry
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


def _noted(acknowledged: Any, self: PlayRoutes, match: str, seat: int, token: str, ack: Any) -> Any:
    vars(self)["last_input"] = ack.seq
    return acknowledged(self, match, seat, token, ack)


def _counted_in_headers(refused: Any, self: PlayRoutes, error: Any) -> Any:
    response = refused(self, error)
    response.headers["last-input"] = str(vars(self).get("last_input"))
    return response


PLANTS: dict[str, Callable[[], Sequence[Patch]]] = {
    "all windows of a match are told what one seat has sent": lambda: [
        _replaced(FeedRegistry, "announce", _to_all_windows)
    ],
    "headers count the inputs of others": lambda: [
        _replaced(PlayRoutes, "_acknowledged", _noted),
        _replaced(PlayRoutes, "_refused", _counted_in_headers),
    ],
    **{name: _SERVICE.PLANTS[name] for name in _PASSED_ON},
}


def is_caught(plant: Callable[[], Sequence[Patch]]) -> bool:
    """Tell if the test finds something. A plant that breaks the page instead raises, and proves nothing."""
    with ExitStack() as planting:
        for one in plant():
            planting.enter_context(one)
        return bool(asyncio.run(leak_web(DUNE, POSITIONS, SEED)).findings)


def caught() -> dict[str, bool]:
    """For each plant, whether it is caught."""
    return {name: is_caught(plant) for name, plant in PLANTS.items()}
