"""Draw the pictures of README.md: docs/pictures/dune.svg and docs/pictures/arrakis.svg.

    python tools/gen_pictures.py

They show positions of matches between greedy bots with fixed seeds, as the spectators see them. Run it after a change
of rules, bots, outlines or colours; a test compares the files.
"""

from pathlib import Path
from typing import Final, NamedTuple

from landsraad import games
from landsraad.bots import derive_seed, make_bot
from landsraad.svg import draw
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"


class Shown(NamedTuple):
    """A position that is drawn: so many inputs after the beginning of a match."""

    seats: int
    seed: int
    inputs: int


POSITIONS: Final = {"dune": Shown(seats=6, seed=4, inputs=330), "arrakis": Shown(seats=2, seed=4, inputs=75)}


def position(game: str) -> Match:
    """Return a match in the position that is drawn."""
    shown = POSITIONS[game]
    found = games.load(game)
    secret = derive_seed(shown.seed, 0, "secret").to_bytes(8, "big")
    match = Match(found, shown.seats, secret=secret, name="picture", record=False, orders=standing(shown.seats))
    bots = [make_bot("greedy", game, derive_seed(shown.seed, 0, "bot", seat)) for seat in range(shown.seats)]
    play_out(match, bots, shown.inputs)
    return match


def picture(game: str) -> str:
    """Return the picture of a game."""
    match = position(game)
    view = match.view(None)
    return draw(match.game.facade.of(view.places, None, view.at[0] if view.at else ()), width=1200)


def main() -> None:
    """Write the pictures."""
    for game in POSITIONS:
        (PICTURES / f"{game}.svg").write_text(picture(game), encoding="utf-8")


if __name__ == "__main__":
    main()
