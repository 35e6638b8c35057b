"""The protocol of a bot: the same class plays in local simulation and over gRPC."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from landsraad_engine.kernel.grammar import Act, Options


class Bot:
    """Subclass it, say which game it plays, and decide.

    ``view`` is a typed facade over what the seat knows (it is built only when it is used); ``ask`` is the open
    question: its ``options`` enumerate, sample and check legal acts, ``why`` is the rule that puts it.
    """

    game: ClassVar[str] = ""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Random(seed)

    def decide(self, view: Any, ask: Decision) -> Act:
        """The answer to a question; called only when there is something to decide."""
        raise NotImplementedError

    def interject(self, view: Any, plays: Options) -> Act | None:
        """An out-of-turn play, or None. Called when such plays are open; most bots leave it alone."""
        return None

    def ended(self, view: Any, result: tuple[str, tuple[int, ...]]) -> None:
        """The match is over."""


class Decision:
    """One open question as a bot sees it."""

    __slots__ = ("options", "seat", "why", "window")

    def __init__(self, seat: int, options: Options, why: str, window: str = "") -> None:
        self.seat = seat
        self.options = options
        self.why = why
        self.window = window

    def sample(self, rng: Random) -> Act:
        """A legal act, uniform over all of them."""
        return self.options.sample(rng)


class RandomBot(Bot):
    """Uniform over the legal acts: the fuzzer and the floor."""

    def decide(self, view: Any, ask: Decision) -> Act:
        return ask.options.sample(self.rng)
