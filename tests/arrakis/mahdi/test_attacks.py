"""Attacks of the automaton: on a Sietch, else on a legion next door."""

from landsraad_engine.arrakis.acts import Attack
from landsraad_engine.arrakis.mahdi.attacks import AttackByAutomaton, best_attacks, legion_options, sietch_options
from landsraad_engine.arrakis.mahdi.military import Military
from landsraad_engine.arrakis.mahdi.zones import TURN_FLIGHT
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, ORNITHOPTER
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo

ANY = AttackByAutomaton()


def solo_with(target: str = "gara_kulon") -> Solo:
    return Solo().harvesting("habbanya_ridge").target(target)


def ways(acts: list[Attack]) -> set[tuple[str, str, str]]:
    return {(act.source, act.target, act.ornithopter) for act in acts}


class TestASietch:
    @covers("WFA-Y.61", "WFA-Y.62", "WFA-Y.63", "WFA-Y.169", "WFA-Y.170")
    def test_any_sietch_next_door_whose_legion_is_weaker(self) -> None:
        solo = solo_with().sietch("tasmin_sink").legion(HARKONNEN, "pasty_mesa", regular=2)
        assert ways(sietch_options(ANY, solo.g)) == {("pasty_mesa", "tasmin_sink", "")}
        solo.legion(ATREIDES, "tasmin_sink", special=2)
        assert not sietch_options(ANY, solo.g), "equal points: figure by figure it is weaker"

    @covers("WFA-Y.62", "WFA-Y.65", "WFA-Y.76")
    def test_two_areas_away_with_an_ornithopter_but_one_a_turn(self) -> None:
        board = solo_with().g.board
        area = board.names(board.within_by_air("gara_kulon", 2) & ~board.within_by_air("gara_kulon", 1))[0]
        solo = solo_with().sietch("windgap").lay("tactical_discard", "windgap").legion(HARKONNEN, area, regular=2)
        zone = solo.g.board.zones_of[area][0]
        assert not sietch_options(ANY, solo.g)
        solo.ornithopter(zone)
        assert ways(sietch_options(ANY, solo.g)) == {(area, "gara_kulon", zone)}
        flown = solo.fork().put(TURN_FLIGHT, True)
        assert not sietch_options(ANY, flown.g)
        solo.run(AttackByAutomaton())
        assert not solo.g.vehicle(zone)[ORNITHOPTER]
        assert solo.g.table[TURN_FLIGHT]

    @covers("WFA-Y.66")
    def test_not_where_a_sandworm_is(self) -> None:
        solo = solo_with().legion(HARKONNEN, "pasty_mesa", regular=2).legion(ATREIDES, "se_1", regular=1)
        assert legion_options(ANY, solo.g)
        assert not legion_options(ANY, solo.worm("se_1").g)

    @covers("WFA-Y.64")
    def test_the_highest_rank_first_seen_or_not(self) -> None:
        solo = solo_with("tasmin_sink").sietch("sihaya_ridge", 2)
        solo.legion(HARKONNEN, "pasty_mesa", regular=5).legion(HARKONNEN, "ne_14", regular=1)
        options = sietch_options(ANY, solo.g)
        ranks = {act.target: solo.g.rank(ATREIDES, act.target) for act in options}
        assert {act.target for act in best_attacks(ANY, solo.g)} == {
            target for target, rank in ranks.items() if rank == max(ranks.values())
        }

    @covers("WFA-Y.64")
    def test_then_the_greatest_difference_then_on_foot_then_the_target(self) -> None:
        solo = solo_with("tasmin_sink")
        near = solo.g.board.names(solo.g.board.adjacent["tasmin_sink"])[:2]
        solo.legion(HARKONNEN, near[0], regular=2).legion(HARKONNEN, near[1], regular=3)
        assert [act.source for act in best_attacks(ANY, solo.g)] == [near[1]]
        solo.legion(HARKONNEN, near[0], regular=1)
        assert {act.source for act in best_attacks(ANY, solo.g)} == set(near), "the humans choose"

    @covers("WFA-Y.5", "WFA-Y.6", "WFA-Y.64")
    def test_what_ties_is_asked(self) -> None:
        solo = solo_with("tasmin_sink").legion(ATREIDES, "tasmin_sink", regular=1)
        near = solo.g.board.names(solo.g.board.adjacent["tasmin_sink"])[:2]
        for area in near:
            solo.legion(HARKONNEN, area, regular=3)
        solo.run(AttackByAutomaton())
        assert {act.source for act in solo.legal(ATREIDES, Attack)} == set(near)


class TestALegion:
    @covers("WFA-Y.67", "WFA-Y.169", "WFA-Y.170")
    def test_red_borders_do_not_count(self) -> None:
        solo = solo_with()
        board = solo.g.board
        own = board.settlements | board.sietches
        here, there = next(
            (area, other)
            for area in board.areas
            for other in board.names(board.adjacent_by_air[area] & ~board.adjacent[area] & ~own)
        )
        solo.legion(HARKONNEN, here, regular=2).legion(ATREIDES, there, regular=1)
        assert ways(legion_options(ANY, solo.g)) == {(here, there, "")}

    @covers("WFA-Y.67", "WFA-Y.68")
    def test_one_next_door_that_is_weaker_and_never_by_air(self) -> None:
        solo = solo_with().legion(HARKONNEN, "pasty_mesa", regular=2).legion(ATREIDES, "se_1", regular=1)
        for zone in solo.g.board.zones_of["pasty_mesa"]:
            solo.ornithopter(zone)
        solo.legion(ATREIDES, "se_6", regular=1)
        assert ways(legion_options(ANY, solo.g)) == {("pasty_mesa", "se_1", "")}

    @covers("WFA-Y.69")
    def test_the_strongest_then_one_with_a_named_leader(self) -> None:
        solo = solo_with().legion(HARKONNEN, "pasty_mesa", regular=6)
        solo.legion(ATREIDES, "se_1", regular=1, leader=2).legion(ATREIDES, "se_5", regular=2)
        assert [act.target for act in best_attacks(ANY, solo.g)] == ["se_1"]
        other = solo_with().legion(HARKONNEN, "pasty_mesa", regular=6)
        other.legion(ATREIDES, "se_1", regular=1, named=("stilgar",)).legion(ATREIDES, "se_5", regular=2)
        # 2 points each: 4 in detail both, so the named leader decides.
        assert [act.target for act in best_attacks(ANY, other.g)] == ["se_1"]


class TestTheOrder:
    @covers("WFA-Y.58")
    def test_a_sietch_before_a_legion_before_moves(self) -> None:
        solo = solo_with("tasmin_sink").legion(HARKONNEN, "pasty_mesa", regular=3).legion(ATREIDES, "se_1", regular=2)
        assert {act.target for act in best_attacks(ANY, solo.g)} == {"tasmin_sink"}
        away = solo_with("windgap").legion(HARKONNEN, "pasty_mesa", regular=3)
        before = away.g.survey().harkonnen
        away.run(Military(moves=1))
        while not away.done:
            away.answer(ATREIDES, away.legal(ATREIDES)[0])
        assert away.g.survey().harkonnen != before

    @covers("WFA-Y.59", "WFA-Y.60")
    def test_leadership_is_for_legions_with_a_leader_and_surprises(self) -> None:
        solo = solo_with("tasmin_sink").sietch("windgap").lay("tactical_discard", "windgap")
        solo.legion(HARKONNEN, "pasty_mesa", regular=3)
        led = Military(led=True, surprise=True)
        assert not best_attacks(led, solo.g)
        solo.legion(HARKONNEN, "pasty_mesa", leader=1).legion(ATREIDES, "tasmin_sink", regular=1)
        solo.rolls("combat/harkonnen", "hit", "hit", "hit").rolls("combat/atreides", "shield", "shield")
        solo.run(led)
        assert not solo.g.size(ATREIDES, "tasmin_sink")

    @covers("WFA-Y.168")
    def test_an_action_with_which_nothing_can_be_done_is_over(self) -> None:
        solo = solo_with("tasmin_sink").legion(ATREIDES, "tasmin_sink", special=6)
        solo.legion(HARKONNEN, "carthag", regular=1).run(Military())
        assert solo.done
        assert solo.figures(HARKONNEN, "carthag") == (1, 0, 0, 0)
