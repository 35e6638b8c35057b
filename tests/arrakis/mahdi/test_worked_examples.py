"""Worked examples of the solo mode that go through several of its rules."""

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import MoveLegion, RevealTokens
from landsraad_engine.arrakis.mahdi.military import Military
from landsraad_engine.arrakis.mahdi.moves import MoveByAutomaton
from landsraad_engine.arrakis.mahdi.targets import sectors_named, sietch_of
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import GARRISON
from landsraad_engine.kernel.execution import plays
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo


def tokens_in(solo: Solo, area: str) -> list[int]:
    """The numbers of black and silver Harkonnen tokens in an area."""
    return [len(solo.g.get(keys[area])) for keys in GARRISON.values()]


@covers("WFA-Y.4")
def test_mx_1() -> None:
    solo = Solo()
    card = solo.g.content.tactical_card["gara_kulon"]
    assert (sectors_named(card.sector), sietch_of(solo.g, "gara_kulon")) == (("north_east",), "gara_kulon")


@covers("WFA-Y.75", "WFA-Y.82", "WFA-Y.157")
def test_mx_27() -> None:
    solo = Solo().target("sihaya_ridge").village("carthag").legion(HARKONNEN, "broken_land", regular=4)
    solo.legion(HARKONNEN, "carthag", regular=3, elite=2, leader=1, named=("beast_rabban",))
    solo.run(MoveByAutomaton(sources=("carthag",)))
    assert solo.at(HARKONNEN, "broken_land")[:2] == ((4, 2, 0, 1), ("beast_rabban",))
    assert solo.figures(HARKONNEN, "carthag") == (3, 0, 0, 0)
    assert tokens_in(solo, "carthag") == [0, 0]


@covers("WFA-Y.70", "WFA-Y.81", "WFA-Y.156")
def test_mx_28() -> None:
    solo = Solo().target("windgap").village("north_pole").village("imperial_basin")
    solo.legion(ATREIDES, "windgap", regular=3)
    solo.legion(HARKONNEN, "north_pole", regular=5).legion(HARKONNEN, "imperial_basin", regular=5)
    solo.run(Military())
    ways = solo.legal(ATREIDES, MoveLegion)
    assert {(act.source, act.target) for act in ways} == {
        ("north_pole", area) for area in ("cse_1", "csw_4", "wind_pass")
    }
    solo.answer(ATREIDES, next(act for act in ways if act.target == "csw_4"))
    assert solo.done, "the second move leaves nothing to choose"
    assert solo.figures(HARKONNEN, "csw_4") == (5, 0, 0, 0)
    assert tokens_in(solo, "north_pole") == [1, 1], "they are closer, but were laid in this very action"
    assert solo.figures(HARKONNEN, "cne_4") == (5, 0, 0, 0)
    assert tokens_in(solo, "imperial_basin") == [1, 1]


@covers("WFA-Y.44", "WFA-Y.45")
def test_mx_31() -> None:
    solo = Solo().ornithopter("z5").deck("house_harkonnen", "sandmasters")
    first, second, third, *_ = solo.g.table["bag"]
    solo.legion(ATREIDES, "pasty_mesa", tokens=(first,)).legion(ATREIDES, "harg_pass", tokens=(second,))
    solo.legion(ATREIDES, "ne_15", tokens=(third,)).dice(ATREIDES, house=1)
    solo.run(ActionTurn(side=ATREIDES))
    offered = [act for act in plays(solo.g, solo.atreides).enumerate() if isinstance(act, RevealTokens)]
    assert offered == [RevealTokens("ne_15", (third,))]
    solo.play(ATREIDES, offered[0])
    assert solo.reserve == ["sandmasters"]
