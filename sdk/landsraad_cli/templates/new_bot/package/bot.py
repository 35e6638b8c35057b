"""The strategy of the bot: the method `decide`."""

from typing import Any

from landsraad import Bot
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Decision


class Mine(Bot):
    """Choose a legal kind of act at random. Replace this by your own strategy."""

    game = "GAME"

    def decide(self, view: Any, ask: Decision) -> Act:
        """Answer a decision.

        Args:
            view: What your seat knows, in the words of the rulebook: `view.side`, `view.hand(...)`, ...
            ask: The decision. `ask.why` is the rule behind it. `ask.options` contains every legal act and nothing else:
                `enumerate(limit)` lists them, `contains(act)` checks an act of your own, and `ask.explain(act)` tells
                why it is illegal.

        Returns:
            A legal act.
        """
        return ask.options.sample_kind(self.rng)
