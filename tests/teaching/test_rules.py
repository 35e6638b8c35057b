"""The rules of Wells and Worms, statement by statement: the pattern for the tests of any game."""

from typing import Any

import pytest

from landsraad_engine.kernel import execution
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.overrides import Moment
from landsraad_engine.kernel.zones import HIDDEN
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.acts import (
    Bid,
    Escape,
    Feed,
    GiveWater,
    NameOmen,
    Pass,
    SpringSnare,
    Stay,
    Thump,
    Train,
    Travel,
)
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.teaching.journey import Journey
from landsraad_engine.teaching.market import Market, Snares
from landsraad_engine.teaching.rounds import Count, Round
from landsraad_engine.teaching.thumper import Worm
from landsraad_engine.teaching.zones import BANDS, DEEP, DOWSER, FINDS, SNARE, SPICE, THUMPER
from landsraad_engine.testing import Scenario, covers
from landsraad_engine.testing.seat_knowledge import faces_known_to


def scenario(*bands: str, **options: Any) -> Scenario:
    """Bands with a full camp, five water and no finds, in the first round."""
    s = Scenario(TEACHING, bands or ("amber", "basalt", "coral"), **options)
    for band in s.g.order():
        s.put(f"water/{band}", 5).put(f"camp/{band}", (3, 1))
    return s.put("spring", -5 * len(s.g.order())).put("round", 1).lay("deck", DOWSER, SPICE)


def bid(s: Scenario, **water: int) -> Scenario:
    for band, amount in water.items():
        s.answer(band, Bid(amount))
    return s


# ---- 0 and 1: the game ----


@covers("TEACH-0.1", "TEACH-0.2", "TEACH-1.1", "TEACH-1.2", "TEACH-1.3", "TEACH-1.4", "TEACH-1.5")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_begins_with_omens_and_has_its_rounds(seats: int) -> None:
    match = Match(TEACHING, seats, {"rounds": 2}, secret=b"setup")
    g: Any = match.g
    bands = g.order()
    assert len(set(bands)) == seats
    assert set(bands) <= set(BANDS)
    assert g.path()[-1] == ("Setup", "omens")
    for seat, band in enumerate(bands):
        assert (g.water(band), g.camp(band), len(g.finds(band))) == (5, (3, 1), 2)
        assert list(g.ask.options[seat].enumerate()) == [NameOmen(other) for other in bands]
        assert match.view(seat).places[f"hand/{band}"] == g.finds(band)
        assert match.view(None).places[f"hand/{band}"] == ("?", "?")
    assert match.view(0).places["deck"] == ("?",) * (len(FINDS) - 2 * seats)
    for seat in range(seats):
        match.submit(seat, NameOmen(bands[0]))
    assert match.view(0).places[f"omen/{bands[1]}"] == "?"
    starts = [g.order()[0]]
    while match.result is None:
        if g.path()[-1] == ("Market", "bids") and g.round == len(starts) + 1:
            starts.append(g.order()[0])
        match.submit(match.waiting[0], g.ask.default_for(match.waiting[0]))
    assert starts == list(bands[:2])
    assert g.round == 2


@covers("TEACH-0.3", "TEACH-5.3")
def test_dawn_moves_the_first_seat_on_and_the_worm_away() -> None:
    s = scenario().put("worm", "coral")
    assert s.g.order() == ("amber", "basalt", "coral")
    s.run(Round())
    assert s.g.order() == ("basalt", "coral", "amber")
    assert (s.g.round, s.g.worm) == (2, None)


# ---- 2: market ----


@covers("TEACH-2.1", "TEACH-2.2", "TEACH-2.4", "TEACH-2.5")
def test_the_highest_bid_buys_what_nobody_has_seen() -> None:
    s = scenario("basalt", "amber", "dusk").run(Market())
    assert s.asked == ("basalt", "amber", "dusk")
    assert s.legal("dusk") == [Bid(n) for n in range(6)]
    bid(s, amber=1, dusk=4)
    assert set(s.asked) == {"basalt"}
    assert ("set", "TEACH-2.2", "sealed/1", "?") in s.seen("dusk")
    bid(s, basalt=3)
    assert (s.g.finds("dusk"), s.g.water("dusk"), s.g.get("spring")) == ((SPICE,), 1, -11)
    assert ("open", "TEACH-2.2", "sealed/1", ("Bid", 1)) in s.seen("basalt")
    assert s.done, "nobody else holds a find, so there is no snare to fear"


@covers("TEACH-2.4")
def test_equal_bids_go_by_order_and_none_at_all_discards_the_find() -> None:
    s = bid(scenario("basalt", "amber", "dusk").put("first", 1).run(Market()), basalt=2, amber=0, dusk=2)
    assert s.g.finds("dusk") == (SPICE,)
    s = bid(scenario().run(Market()), amber=0, basalt=0, coral=0)
    assert (s.g.get("discard"), s.g.get("offer"), s.done) == ((SPICE,), (), True)


@covers("TEACH-2.3", "TEACH-5.3", "TEACH-6.5")
def test_who_may_bid() -> None:
    s = scenario("amber", "basalt", "coral", "dusk")
    for band in ("basalt", "dusk"):
        s.lay(f"hand/{band}", *[SPICE] * 4)
    s.put("worm", "coral").run(Market())
    assert s.asked == ("amber", "dusk")
    s = scenario("amber", "dusk").lay("hand/amber", *[SPICE] * 4).put("worm", "dusk").run(Market())
    assert s.done, "nobody may bid: beside a worm Dusk may not, either"
    assert s.g.get("discard") == (SPICE,)


@covers("TEACH-2.6")
def test_an_empty_deck_is_remade_from_the_discards() -> None:
    s = scenario().put("deck", None).lay("discard", SNARE, THUMPER, SPICE).run(Market())
    assert sorted((*s.g.get("deck"), *s.g.get("offer"))) == sorted((SNARE, THUMPER, SPICE))
    assert s.g.get("discard") == ()
    assert scenario().put("deck", None).run(Market()).done, "nothing is left to sell"


# ---- 3: snares ----


def snares(**bands: tuple[str, ...]) -> Scenario:
    """A window after a sale to basalt; the others' hands are given."""
    s = scenario("amber", "basalt", "coral", "dusk").lay("hand/basalt", SPICE, DOWSER)
    for band, finds in bands.items():
        s.lay(f"hand/{band}", *finds)
    return s.run(Snares("basalt"))


@covers("TEACH-3.1")
def test_whoever_could_hold_a_snare_is_asked() -> None:
    s = snares(amber=(SNARE,), dusk=(SPICE,))
    assert s.asked == ("amber", "dusk")
    assert s.legal("amber") == [Pass(), SpringSnare()]
    assert s.legal("dusk") == [Pass()]
    told = s.seen("dusk")
    s.answer("amber", Pass())
    assert s.seen("dusk") == told, "nobody sees that amber has answered"


@covers("TEACH-3.2")
def test_the_first_in_order_steals_and_the_others_keep_their_snares() -> None:
    s = snares(amber=(SNARE,), coral=(SNARE,)).answer("coral", SpringSnare()).answer("amber", SpringSnare())
    assert s.done
    assert (s.g.finds("coral"), s.g.get("discard")) == ((SNARE,), (SNARE,))
    assert len(s.g.finds("amber")) == len(s.g.finds("basalt")) == 1
    assert sorted(s.g.finds("amber") + s.g.finds("basalt")) == [DOWSER, SPICE]
    (stolen,) = s.g.finds("amber")
    assert s.seen("basalt")[-1] == ("move", "TEACH-3.2", "hand/basalt", None, "hand/amber", None, stolen)
    assert s.seen("coral")[-1] == ("move", "TEACH-3.2", "hand/basalt", None, "hand/amber", None, None)


@covers("TEACH-3.2")
def test_every_find_is_stolen_sooner_or_later() -> None:
    def stolen(seed: int) -> str:
        s = Scenario(TEACHING, ("amber", "basalt"), seed=str(seed))
        s.lay("hand/amber", SNARE).lay("hand/basalt", DOWSER, SPICE, THUMPER).run(Snares("basalt"))
        return str(s.answer("amber", SpringSnare()).g.finds("amber")[0])

    assert {stolen(seed) for seed in range(30)} == {DOWSER, SPICE, THUMPER}


# ---- 4: journeys ----


@covers("TEACH-4.1", "TEACH-4.2")
def test_travellers_go_to_a_well_and_drink() -> None:
    s = scenario().lay("hand/amber", DOWSER, DOWSER, SPICE).run(Journey("amber"))
    s.refused("amber", Travel("near", (2, 1), 2, (), boast=False), "TEACH-4.2")
    s.refused("amber", Travel("near", (2, 1), 4, (), boast=False), "TEACH-4.2")
    s.refused("amber", Travel("nowhere", (2, 1), 3, (), boast=False), "TEACH-4.1")
    s.refused("amber", Travel("near", (0, 0), 0, (), boast=False), "TEACH-4.1")
    s.refused("amber", Travel("near", (2, 2), 4, (), boast=False), "TEACH-4.1")
    s.refused("amber", Travel("near", (2, 1), 0, (DOWSER,) * 3, boast=False), "TEACH-4.2")
    s.answer("amber", Travel("near", (2, 1), 1, (DOWSER, DOWSER), boast=False))
    assert (s.g.camp("amber"), s.g.water("amber"), s.g.finds("amber")) == ((1, 0), 4, (SPICE,))
    assert s.g.get("discard") == (DOWSER, DOWSER)
    assert sum(s.g.at_well("near", "amber")) + sum(s.g.get("sand/amber")) == 3


@covers("TEACH-4.3", "TEACH-4.6")
def test_a_band_may_stay_at_home_and_must_if_its_camp_is_empty() -> None:
    s = scenario().run(Journey("amber"))
    assert len(s.legal("amber", Travel)) == 3 * 7, "to three wells in any number: 3 riders and 1 elder, 1 to 4 of them"
    s.answer("amber", Stay())
    assert (s.g.water("amber"), s.g.get("spring")) == (7, -17)
    s = scenario().put("camp/amber", None).run(Journey("amber"))
    assert s.legal("amber") == [Stay()]


@covers("TEACH-4.4", "TEACH-8.1")
@pytest.mark.parametrize(("drought", "fatal"), [(False, {0}), (True, {0, 1, 2})])
def test_the_sand_takes_a_rider_on_low_numbers(drought: bool, fatal: set[int]) -> None:
    rolled = set()
    for seed in range(60):
        for travellers in ((1, 1), (0, 1)):
            s = scenario(seed=f"sand {seed}", drought=drought).run(Journey("amber"))
            s.answer("amber", Travel("far", travellers, sum(travellers), (), boast=False))
            ((_, _, _, number),) = [event for event in s.seen("coral") if event[0] == "roll"]
            lost = (1, 0) if number in fatal and travellers[0] else (0, 0)
            assert s.g.get("sand/amber") == lost
            assert s.g.at_well("far", "amber") == (travellers[0] - lost[0], travellers[1])
            rolled.add(number)
    assert rolled == set(range(6))


@covers("TEACH-4.4")
def test_nobody_is_lost_at_home() -> None:
    assert scenario().run(Journey("amber")).answer("amber", Stay()).told("roll") == []


@covers("TEACH-4.5")
def test_a_boast_shows_a_spice_and_earns_a_water() -> None:
    s = scenario().lay("hand/amber", SPICE, SPICE).run(Journey("amber"))
    s.refused("amber", Travel(DEEP, (1, 0), 1, (), boast=True), "TEACH-4.5")
    s.answer("amber", Travel("near", (1, 0), 1, (), boast=True))
    assert s.g.water("amber") == 5
    assert s.g.finds("amber") == (SPICE, SPICE)
    assert faces_known_to(s.g, s.seat("coral"), "hand/amber") == [SPICE], "of the second one coral knows nothing"
    assert s.g.known_to_all("hand/amber") == (SPICE, HIDDEN)
    assert s.g.known_faces("hand/amber", 1 << s.seat("amber")) == (SPICE, SPICE)
    s = scenario().lay("hand/amber", DOWSER).run(Journey("amber"))
    s.refused("amber", Travel("near", (1, 0), 1, (), boast=True), "TEACH-4.5")


# ---- 5: thumpers ----


@covers("TEACH-5.1")
def test_a_thumper_is_played_at_any_time_by_who_holds_one() -> None:
    s = scenario().lay("hand/coral", THUMPER).put("worm", "basalt").run(Journey("amber"))
    assert list(execution.plays(s.g, s.seat("coral")).enumerate()) == [Thump("amber")]
    assert not execution.plays(s.g, s.seat("basalt")).choices
    s.play("coral", Thump("amber"))
    assert (s.g.worm, s.g.get("discard"), s.asked) == ("amber", (THUMPER,), ("amber",))
    assert s.where == "Worm.appeased"
    s.answer("amber", GiveWater())
    assert s.where == "Journey.leave", "the question below is put again"
    match = Match(TEACHING, 3)
    assert match.g.ask is not None
    assert match.g.ask.closed, "omens are written without interruption"


@covers("TEACH-5.2")
@pytest.mark.parametrize(
    ("water", "camp", "legal"),
    [
        (2, (3, 1), [GiveWater(), Feed("riders"), Feed("elders")]),
        (0, (3, 0), [Feed("riders")]),
        (1, None, [GiveWater()]),
        (0, None, [Pass()]),
    ],
)
def test_the_worm_takes_what_there_is(water: int, camp: tuple[int, int] | None, legal: list[Act]) -> None:
    for act in legal:
        s = scenario().lay("hand/coral", THUMPER).put("water/amber", water or None).put("camp/amber", camp)
        s.run(Worm("coral", "amber"))
        assert s.legal("amber") == legal
        s.answer("amber", act)
        assert s.done
        assert s.g.water("amber") == water - isinstance(act, GiveWater)
        assert sum(s.g.get("sand/amber")) == isinstance(act, Feed)


@covers("TEACH-5.4", "TEACH-5.3")
def test_bids_are_written_anew_and_not_by_the_band_beside_the_worm() -> None:
    s = scenario("amber", "basalt", "dusk").lay("hand/dusk", THUMPER).run(Market())
    bid(s, amber=5, basalt=2)
    s.play("dusk", Thump("amber")).answer("amber", GiveWater())
    assert s.where == "Market.bids"
    assert s.asked == ("basalt", "dusk")
    bid(s, basalt=0, dusk=1)
    assert SPICE in s.g.finds("dusk")


# ---- 6: bands ----


@covers("TEACH-6.1")
def test_amber_pays_one_less() -> None:
    s = bid(scenario("amber", "basalt").run(Market()), amber=3, basalt=1)
    assert (s.g.water("amber"), s.g.finds("amber")) == (3, (SPICE,))


@covers("TEACH-6.2")
def test_basalt_trains_a_rider_at_dawn() -> None:
    s = scenario().run(Moment("DAWN"))
    assert s.asked == ("basalt",)
    s.answer("basalt", Train())
    assert (s.g.camp("basalt"), s.g.water("basalt")) == ((2, 2), 4)
    assert scenario().put("water/basalt", None).run(Moment("DAWN")).legal("basalt") == [Pass()]
    assert scenario().put("camp/basalt", (0, 1)).run(Moment("DAWN")).done
    assert scenario("amber", "coral").run(Moment("DAWN")).done


@covers("TEACH-6.2")
def test_a_worm_may_eat_the_rider_that_was_to_be_trained() -> None:
    s = scenario().lay("hand/amber", THUMPER).put("camp/basalt", (1, 1)).run(Moment("DAWN"))
    s.play("amber", Thump("basalt"))
    s.answer("basalt", Feed("riders"))
    assert s.legal("basalt") == [Pass()]


@covers("TEACH-6.3")
def test_coral_looks_at_the_offer() -> None:
    s = scenario().run(Market())
    assert ("look", "TEACH-6.3", "offer", None, 4, (SPICE,)) in s.seen("coral")
    assert ("look", "TEACH-6.3", "offer", None, 4, None) in s.seen("amber")
    bid(s, amber=1, basalt=0, coral=0)
    assert faces_known_to(s.g, s.seat("coral"), "hand/amber") == [SPICE]
    assert faces_known_to(s.g, s.seat("basalt"), "hand/amber") == []
    both = 1 << s.seat("coral") | 1 << s.seat("basalt")
    assert s.g.known_faces("hand/amber", both) == (HIDDEN,), "one of two knows it, and so not both"


@covers("TEACH-6.4")
def test_dusk_pays_a_thief_off() -> None:
    def caught(water: int) -> Scenario:
        s = scenario("amber", "dusk").lay("hand/amber", SNARE).lay("hand/dusk", SPICE).put("water/dusk", water)
        return s.run(Snares("dusk")).answer("amber", SpringSnare())

    s = caught(3).answer("dusk", Escape())
    assert (s.g.water("amber"), s.g.water("dusk"), s.g.finds("dusk")) == (7, 1, (SPICE,))
    s = caught(3).answer("dusk", Pass())
    assert (s.g.finds("amber"), s.g.finds("dusk")) == ((SPICE,), ())
    assert caught(1).legal("dusk") == [Pass()], "it is asked all the same"


@covers("TEACH-3.2", "TEACH-6.4")
def test_a_victim_that_has_played_its_only_find_meanwhile_loses_nothing() -> None:
    s = scenario("amber", "dusk").lay("hand/amber", SNARE).lay("hand/dusk", THUMPER)
    s.run(Snares("dusk")).answer("amber", SpringSnare())
    s.play("dusk", Thump("amber")).answer("amber", GiveWater()).answer("dusk", Pass())
    assert s.done
    assert (s.g.finds("amber"), s.g.finds("dusk")) == ((), ())


# ---- 7: the count ----


@covers("TEACH-7.1", "TEACH-7.2", "TEACH-7.3", "TEACH-7.4")
def test_points_for_spice_wells_and_omens() -> None:
    s = scenario()
    s.lay("hand/amber", SPICE, SPICE, DOWSER).lay("hand/coral", SPICE)
    s.put("near/amber", (1, 0)).put("near/basalt", (0, 1))  # two to basalt: an elder counts two
    s.put("far/amber", (2, 0)).put("far/coral", (0, 1))  # nobody alone is strongest
    s.put("omen/amber", "coral").put("omen/basalt", "amber").put("omen/coral", "basalt")
    s.run(Count())
    assert [(event.public, event.rule) for event in s.told("declare")] == [
        ((0, "spice", 2), "TEACH-7.1"),
        ((1, "spice", 0), "TEACH-7.1"),
        ((2, "spice", 1), "TEACH-7.1"),
    ]
    assert ("open", "TEACH-7.3", "omen/basalt", "amber") in s.seen("coral")
    assert [s.g.points(band) for band in ("amber", "basalt", "coral")] == [2, 3, 2]
    assert s.g.result == ("harvest", (1,))


@covers("TEACH-7.4")
def test_equal_points_win_together() -> None:
    s = scenario().put("deep/coral", (0, 1)).lay("hand/amber", SPICE, SPICE)
    s.put("omen/amber", "basalt").put("omen/basalt", "basalt").put("omen/coral", "basalt").run(Count())
    assert s.g.result == ("harvest", (0, 2))
