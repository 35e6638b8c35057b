"""My bot. `python bot.py` lets it play on a service on this machine (`landsraad serve`)."""

from argparse import ArgumentParser
from os import environ
from typing import Any

from landsraad import Bot, run
from landsraad.errors import BadAddress, BadRequest, ConnectionLost, NotAllowed, UnknownBot
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
                `enumerate(limit)` lists them, `contains(act)` and `fault(act)` check an act of your own.

        Returns:
            A legal act.
        """
        return ask.options.sample_kind(self.rng)


def main() -> None:
    """Play some matches and print the results."""
    parser = ArgumentParser(description=__doc__)
    server = environ.get("LANDSRAAD_SERVER", "localhost:7447")
    parser.add_argument("--server", default=server, help="the service, as host:port")
    parser.add_argument("--matches", type=int, default=1, help="number of matches")
    parser.add_argument(
        "--against", default="house", help='players of the other seats: "house", "house:random", "random"'
    )
    token = environ.get("LANDSRAAD_TOKEN", "")
    parser.add_argument("--token", default=token, help="token of your account, if the service needs one")
    given = parser.parse_args()
    try:
        played = run(Mine, given.server, given.matches, opponents=given.against, token=given.token)
    except ConnectionLost as lost:
        raise SystemExit(f"{lost}\nStart a service with `landsraad serve`.") from None
    except (BadAddress, BadRequest, NotAllowed, UnknownBot) as wrong:
        raise SystemExit(str(wrong)) from None
    except KeyboardInterrupt:  # `run` has resigned the seat
        raise SystemExit(130) from None
    print(f"{sum(one.won for one in played)} of {len(played)} won")


if __name__ == "__main__":
    main()
