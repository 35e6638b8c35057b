"""The Supremacy Track and the Prescience Track."""

from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.tracks import AdvanceAllMarkers, AdvanceMarker, GainSupremacy
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War


class TestSupremacy:
    @covers("WFA-S.12", "WFA-Q.26")
    def test_points_move_the_marker_step_by_step(self) -> None:
        war = War().run(GainSupremacy(points=3))
        assert war.g.supremacy == 3
        assert [value for key, value in war.said("set") if key == "supremacy"] == [1, 2, 3]

    @covers("WFA-Q.20", "WFA-U.4")
    def test_the_harkonnen_win_at_once_at_10(self) -> None:
        war = War().put("supremacy", 8).run(GainSupremacy(points=1))
        assert war.g.result is None
        war.run(GainSupremacy(points=3))
        assert war.g.result == ("supremacy", war.g.seats_of(HARKONNEN))
        assert war.g.supremacy == 10


class TestPrescience:
    @covers("WFA-S.13", "WFA-Q.3")
    def test_a_marker_moves_up_step_by_step(self) -> None:
        war = War().run(AdvanceMarker(marker="jihad", steps=2))
        assert war.g.marker("jihad") == 2
        assert war.g.marker("sand_dwellers") == 0

    @covers("WFA-Q.2")
    def test_at_the_end_of_its_track_it_goes_no_further(self) -> None:
        war = War().markers(jihad=9).run(AdvanceMarker(marker="jihad", steps=3))
        assert war.g.marker("jihad") == 10

    @covers("WFA-B.50")
    def test_all_three_move_by_the_rank_of_a_settlement(self) -> None:
        war = War().markers(jihad=1).run(AdvanceAllMarkers(steps=2))
        assert [war.g.marker(each) for each in ("kwisatz_haderach", "sand_dwellers", "jihad")] == [2, 2, 3]
