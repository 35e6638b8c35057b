"""The Old Man of the Desert and the Futures in pictures and in the terminal."""

from rich.console import Console

from landsraad.svg import draw
from landsraad_cli.terminal.arrakis import ArrakisPicture
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.knowledge.views import SeatView
from landsraad_engine.testing.arrakis import War, war_at_setup


def seen(war: War) -> SeatView:
    return ArrakisSeatView.of(dict(war.g.table), None)


def test_a_picture_shows_it_in_its_sector_and_says_what_lies_beside_the_board() -> None:
    war = war_at_setup(old_man=True, futures="17").old_man("south_west", sandworms=2)
    picture = draw(seen(war))
    assert 'data-piece="old_man"' in picture
    assert 'data-sector="south_west"' in picture
    assert "2 sandworms" in picture
    assert "Long Live the Duke" in picture
    assert 'data-piece="old_man"' not in draw(seen(war_at_setup(old_man=True)))


def test_the_terminal_names_its_sector() -> None:
    war = war_at_setup(old_man=True).old_man("south_west", sandworms=2)
    console = Console(width=160)
    with console.capture() as capture:
        console.print(ArrakisPicture(ARRAKIS).board(seen(war)))
    assert "Old Man of the Desert in South West, sandworms left 2" in capture.get()
