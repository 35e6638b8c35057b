"""Greedy's evaluation of positions against the automaton: garrisons that deter it, and cards kept for prescience."""

from typing import Any

from landsraad_bots.greedy.arrakis.against_automaton import AutomatonOutlook, fear_share, hand_gain, hand_price
from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.words import Legion
from landsraad_engine.arrakis.zones import SOLO
from landsraad_engine.testing.mahdi import Solo


def seen(solo: Solo, **more: Any) -> Any:
    return ARRAKIS.facade.of({**solo.g.table, "edition": "exclusive", **more}, 0, ())


def gain_from_a_garrison(solo: Solo, outlook: type[Outlook]) -> float:
    """Return by how much a Sietch's danger falls when three Regulars become six."""
    found = outlook(seen(solo), ATREIDES)
    few, many = (found.force(Legion((number, 0, 0, 0))) for number in (3, 6))
    return found.position_worth("tasmin_sink", many) - found.position_worth("tasmin_sink", few)


class TestGarrisons:
    def test_a_garrison_of_as_much_combat_power_is_feared_for_less(self) -> None:
        solo = Solo().harvesting("habbanya_ridge").target("tasmin_sink").sietch("tasmin_sink", 2)
        solo.legion(HARKONNEN, "pasty_mesa", regular=5).legion(ATREIDES, "tasmin_sink", regular=3)
        assert gain_from_a_garrison(solo, AutomatonOutlook) > gain_from_a_garrison(solo, Outlook)

    def test_the_fear_grows_with_the_excess(self) -> None:
        shares = [fear_share(6, own) for own in (0, 3, 5, 6)]
        assert shares == sorted(shares, reverse=True)
        assert shares[-2] > 4 * shares[-1]

    def test_impassable_borders_do_not_protect(self) -> None:
        """Sihaya Ridge is four areas from Arrakeen for the automaton, and seven on the ground."""
        solo = Solo().harvesting("habbanya_ridge").target("tasmin_sink").sietch("sihaya_ridge", 3)
        solo.legion(HARKONNEN, "arrakeen", regular=6).legion(ATREIDES, "sihaya_ridge", regular=1)
        view = seen(solo)
        weak = {kind: kind(view, ATREIDES) for kind in (Outlook, AutomatonOutlook)}
        force = weak[Outlook].force(Legion((1, 0, 0, 0)))
        usual, against = (outlook.position_worth("sihaya_ridge", force) for outlook in weak.values())
        assert against < usual


class TestCardsInHand:
    def test_cards_that_the_narrow_path_asks_for_are_dear(self) -> None:
        solo = Solo().hand(ATREIDES, "jubba_cloaks", "fremen_rockets", "captured_ornithopter")
        asked = seen(solo, prescience_row=("the_narrow_path",))
        assert hand_price(asked, 1) > 0
        assert hand_gain(asked, 2) == 0
        assert hand_price(seen(solo, prescience_row=("sihaya",)), 1) == 0

    def test_with_too_few_drawing_is_worth_more(self) -> None:
        solo = Solo().hand(ATREIDES, "jubba_cloaks")
        asked = seen(solo, prescience_row=("the_narrow_path",))
        assert hand_gain(asked, 2) > 0
        assert hand_price(asked, 1) == 0

    def test_not_without_the_automaton(self) -> None:
        solo = Solo().hand(ATREIDES, "jubba_cloaks")
        table = {key: value for key, value in solo.g.table.items() if key != SOLO}
        view: Any = ARRAKIS.facade.of({**table, "edition": "exclusive", "prescience_row": ("the_narrow_path",)}, 0, ())
        assert hand_gain(view, 2) == 0
