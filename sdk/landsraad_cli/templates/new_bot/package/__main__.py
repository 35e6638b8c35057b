"""Let the bot play on a service: `python -m PACKAGE`. `landsraad serve` starts one on this machine."""

from argparse import ArgumentParser
from os import environ

from landsraad import run
from landsraad.errors import BadAddress, BadRequest, ConnectionLost, NotAllowed, UnknownBot

from .bot import Mine


def main() -> None:
    """Play some matches and print the results."""
    parser = ArgumentParser(prog="python -m PACKAGE", description=__doc__)
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
