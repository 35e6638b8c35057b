"""The protocol of a bot. The same class plays in local simulation and over gRPC."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol

from landsraad_engine.errors import Explanation, NoWorld, Refused
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.knowledge.information import Entry

from .messages import TalkMessage
from .world import World

if TYPE_CHECKING:
    # Type checkers know this module by themselves. It is not needed to run.
    from typing_extensions import TypeVar

    ViewT = TypeVar("ViewT", default=Any)
else:
    from typing import TypeVar

    ViewT = TypeVar("ViewT")


class Bot(Generic[ViewT]):
    """Base class of bots. Subclass it, name the game in `game`, and implement `decide`.

    `Bot[DuneSeatView]` tells type checkers the class of the views. `landsraad.dune.Bot` and `landsraad.arrakis.Bot` are
    that for a game, with `game` set.

    Args:
        seed: The seed of `rng`. Two bots with the same seed that get the same decisions choose the same acts.

    Example:
        ::

            from landsraad import Bot

            class Hasty(Bot):
                game = "dune"

                def decide(self, view, ask):
                    return next(ask.options.enumerate())
    """

    game: ClassVar[str] = ""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Random(seed)

    def decide(self, view: ViewT, ask: Decision) -> Act:
        """Answer a decision. It is called only if there is something to decide.

        Args:
            view: The seat's knowledge of the table, typed by the game.
            ask: The decision: `ask.options` lists, samples and checks the legal acts, `ask.why` is the rule behind it.

        Returns:
            One of the legal acts.
        """
        raise NotImplementedError

    def interject(self, view: ViewT, plays: Options) -> Act | None:
        """Make an out-of-turn play, or none. It is called when such plays are possible; most bots ignore them.

        Args:
            view: The seat's knowledge of the table, typed by the game.
            plays: The plays that are possible now.

        Returns:
            One of the plays, or None.
        """
        return None

    def told(self, view: ViewT, events: Sequence[Entry]) -> None:
        """Learn of new entries of your seat's log. The default does nothing.

        Every entry comes exactly once and in order, before the next call of `interject`, `decide` or `ended`, and never
        during one. How many come together differs between local play and a service.

        Args:
            view: The seat's knowledge of the table, typed by the game, after all of them.
            events: The entries, see `landsraad_engine.knowledge.information`; `landsraad.announcements.announcements`
                reads what was announced in them.
        """

    def heard(self, message: TalkMessage) -> None:
        """Learn what another player has said to your seat, at the table or in private. The default does nothing.

        It is called between decisions, never during one, and only over a service: in local play nobody talks. What is
        said binds nobody, and need not be true. Your own messages are not among them.

        Args:
            message: The message: its text, the seat that has sent it, and the channel.
        """

    def ended(self, view: ViewT, result: tuple[str, tuple[int, ...]]) -> None:
        """Learn that the match is over. The default does nothing.

        Args:
            view: The seat's last view.
            result: The ending and the numbers of the seats that have won.
        """


class Worlds(Protocol):
    """A source of worlds that the decision's seat cannot tell from the true one."""

    def draw(self, rng: Random) -> World: ...


class Decision:
    """An open decision of one seat: the legal acts, and the rule that asks for one of them.

    Args:
        seat: The number of the seat that decides.
        options: The legal acts.
        why: The id of the rule that asks.
        window: The kind of reaction; empty if the decision is no reaction.
        clock: The seat's clock; None if the match has none, as in local play.
        worlds: The source of `world`.
    """

    __slots__ = ("_worlds", "clock", "options", "seat", "why", "window")

    def __init__(
        self,
        seat: int,
        options: Options,
        why: str,
        window: str = "",
        clock: Any = None,
        *,
        worlds: Worlds | None = None,
    ) -> None:
        self.seat = seat
        self.options = options
        self.why = why
        self.window = window
        self.clock = clock
        self._worlds = worlds

    def world(self, rng: Random) -> World:
        """Draw a position that your seat cannot tell from the true one, to be played on.

        It is drawn from what your seat knows, with what it does not see filled in at random. The same view and the same
        random numbers give the same world, in local play as over the wire.

        Args:
            rng: The source of random numbers. The later dice and shuffles of the world follow from it as well.

        Returns:
            The world.

        Raises:
            NoWorld: No position was found that agrees with the view, or the decision was made without a position.
            landsraad.errors.OtherRules: The match is played by other rules or with other components than those that are
                installed here.
        """
        if self._worlds is None:
            raise NoWorld("this decision was made without a position")
        return self._worlds.draw(rng)

    def sample(self, rng: Random) -> Act:
        """Draw a legal act, each with the same probability.

        Args:
            rng: The source of random numbers.

        Returns:
            The act.
        """
        return self.options.sample(rng)

    def explain(self, act: Act) -> Explanation | None:
        """Return why an act is illegal.

        Args:
            act: The act to check.

        Returns:
            The refusal that the act would meet; None if it is legal.
        """
        fault = self.options.fault(act)
        if fault is None:
            return None
        nearest = self.options.nearest(act)
        return Refused("against_rules", fault.message, rule=fault.rule or self.why, field=fault.field, nearest=nearest)


class RandomBot(Bot):
    """A bot that draws uniformly among the legal acts: the baseline for other bots, and the fuzzer's player."""

    def decide(self, view: Any, ask: Decision) -> Act:
        return ask.options.sample(self.rng)
