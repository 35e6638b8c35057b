"""A bot of mine. `python bot.py` lets it play on a service that runs on this machine (`landsraad serve`)."""

from argparse import ArgumentParser
from os import environ
from typing import Any

from landsraad import Bot, run
from landsraad.errors import BadAddress, BadRequest, ConnectionLost, NotAllowed, UnknownBot
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Decision


class Mine(Bot):
    """Plays at random among the kinds of act that are legal. Your turn."""

    game = "GAME"

    def decide(self, view: Any, ask: Decision) -> Act:
        """Answer a question.

        `view` is what this seat knows, with the words of the rulebook: `view.side`, `view.hand(...)`, ...
        `ask.why` is the rule that asks. `ask.options` holds every legal answer and nothing else: `enumerate(limit)`
        lists them, `contains(act)` and `fault(act)` check one of your own.
        """
        return ask.options.sample_kind(self.rng)


def main() -> None:
    """Play some matches against bots of the house, and say how they went."""
    parser = ArgumentParser(description=__doc__)
    server = environ.get("LANDSRAAD_SERVER", "localhost:7447")
    parser.add_argument("--server", default=server, help="the service, as host:port")
    parser.add_argument("--matches", type=int, default=1, help="how many matches to play")
    parser.add_argument("--against", default="house", help='who plays the others: "house", "house:random", "random"')
    token = environ.get("LANDSRAAD_TOKEN", "")
    parser.add_argument("--token", default=token, help="token of your account, if the service wants one")
    given = parser.parse_args()
    try:
        played = run(Mine, given.server, given.matches, opponents=given.against, token=given.token)
    except ConnectionLost as lost:
        raise SystemExit(f"{lost}\nIs there a service at {given.server}? `landsraad serve` starts one.") from None
    except (BadAddress, BadRequest, NotAllowed, UnknownBot) as wrong:
        raise SystemExit(str(wrong)) from None
    except KeyboardInterrupt:  # its seat is given up by then
        raise SystemExit(130) from None
    print(f"{sum(one.won for one in played)} of {len(played)} won")


if __name__ == "__main__":
    main()
