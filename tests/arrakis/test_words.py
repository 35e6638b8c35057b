"""The words of the book over the table, and over what a seat sees of it."""

from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War


class TestSurvey:
    def war(self) -> War:
        war = War().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "se_1", tokens=("atreides_starting_1",))
        war.village("arrakeen").sietch("tasmin_sink").worm("ne_1").wormsign("ne_2").harvester("ne_3")
        return war.station("cnw_4", "jihad")

    @covers("WFA-S.10")
    def test_an_area_is_empty_with_nothing_at_all_in_it(self) -> None:
        war = self.war()
        taken = set(war.g.board.names(war.g.survey().taken()))
        assert taken == {"carthag", "se_1", "arrakeen", "tasmin_sink", "ne_1", "ne_2", "ne_3", "cnw_4"}

    @covers("WFA-S.9", "WFA-S.11")
    def test_what_bars_a_side(self) -> None:
        war = self.war()
        names = war.g.board.names
        assert set(names(war.g.survey().barred(HARKONNEN))) == {"se_1", "tasmin_sink", "ne_1"}
        assert set(names(war.g.survey().barred(ATREIDES))) == {"carthag", "arrakeen", "ne_1"}

    def test_every_piece_that_comes_or_goes_is_seen_at_once(self) -> None:
        g = self.war().g
        kept = g.survey()
        g.move("tokens/se_1", "tokens/se_2", "atreides_starting_1")
        assert g.survey().atreides == g.board.bit["se_2"] != kept.atreides
        g.draw("wormsign/ne_2", "wormsigns_shown")
        g.draw("station/cnw_4", "stations_taken")
        g.draw("sietch/tasmin_sink", "sietches_fallen")
        g.set_mark("settlement/arrakeen", None)
        g.shift("worm/ne_1", "worms", (1, 0))
        g.shift("vehicle/ne_3", "vehicles", (1, 0, 0))
        g.dismiss(HARKONNEN, "carthag", (1, 0, 0, 0))
        assert g.survey() == (0, g.board.bit["se_2"], 0, 0, 0, 0, 0, 0)

    @covers("WFA-S.16", "WFA-S.21", "WFA-S.26", "WFA-S.29")
    def test_a_legion_is_all_units_and_leaders_of_a_side_in_an_area(self) -> None:
        war = War().legion(ATREIDES, "se_1", regular=1, special=1, leader=1, named=("stilgar",))
        war.legion(ATREIDES, "se_1", tokens=("atreides_starting_1",)).harvester("se_1")
        legion = war.at(ATREIDES, "se_1")
        assert (legion.strength, legion.size, legion.leaders) == (2, 3, 2)


class TestView:
    def test_a_seat_reads_what_it_sees_with_the_same_words(self) -> None:
        war = War().legion(ATREIDES, "se_1", regular=2, tokens=("atreides_starting_1",)).sietch("tasmin_sink", 3)
        mine, theirs = ArrakisSeatView(war.g, war.atreides), ArrakisSeatView(war.g, war.harkonnen)
        assert mine.legion(ATREIDES, "se_1").tokens == ("atreides_starting_1",)
        assert theirs.legion(ATREIDES, "se_1").tokens == ("?",)
        assert theirs.size(ATREIDES, "se_1") == 3
        assert mine.survey() == theirs.survey() == war.g.survey()

    def test_over_the_wire_the_edition_says_which_content_it_is(self) -> None:
        view = ArrakisSeatView.of({"edition": "preview_2022"}, 0)
        assert isinstance(view, ArrakisSeatView)
        assert view.content.edition == "preview_2022"
        assert view.board.zones_of["north_pole"] == ("z2", "z4", "z6", "z7")
