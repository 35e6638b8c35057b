"""A bot for High Dune."""

from typing import Any

from landsraad import Bot


class Cautious(Bot):
    """Swap a card that more than half of the others beat."""

    game = "high_dune"

    def decide(self, view: Any, ask: Any) -> Any:
        (card,) = view.table[f"hand/{ask.seat}"]
        return next(act for act in ask.options.enumerate(2) if act.yes == (card < "5"))
