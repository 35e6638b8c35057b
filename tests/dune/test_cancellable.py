"""Uses that Karama may cancel: one order of steps for all of them, and an end of each cancellation."""

import pytest

from landsraad_engine.dune.factions.atreides import Foresight, SpyNetwork
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.karama import Ability, Cancellable, Until, cancel, stands
from landsraad_engine.dune.pieces import FACTIONS, GUILD
from landsraad_engine.testing import Scenario, covers, position

USES = [frame for frame in DUNE.frames if issubclass(frame, Cancellable)]


def table() -> Scenario:
    return position(DUNE, factions=FACTIONS, hands={GUILD: ["karama"]})


@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__)
def test_every_use_has_its_window_and_its_outcome_last(use: type[Cancellable]) -> None:
    assert list(use.STEPS)[-3:] == ["window", "countered", "settle"]


def test_every_use_names_an_ability_of_its_own() -> None:
    named = [named for use in USES if isinstance(named := getattr(use, "ability", None), Ability)]
    shared = {ability for ability in named if named.count(ability) > 1}
    assert shared == {Ability.CO_EXIST}, "two moments of coexistence"
    assert len(named) >= 14


@covers("DUNE-R.5")
@pytest.mark.parametrize("ability", [a for a in Ability if isinstance(a.until, Timing)], ids=lambda a: a.name)
def test_a_cancellation_ends_at_the_moment_of_its_row(ability: Ability) -> None:
    g = table().g
    cancel(g, ability)
    assert isinstance(ability.until, Timing)
    for fn, _ in g.hooks.at[ability.until.name]:
        if fn.__module__.endswith("karama"):
            fn(g)
    assert stands(g, ability)


@covers("DUNE-R.5", "DUNE-K.28")
def test_a_cancellation_of_one_use_is_over_with_it() -> None:
    s = table()
    cancel(s.g, Ability.FORESIGHT)
    s.run(Foresight())
    assert s.done
    assert s.told("look") == []
    assert stands(s.g, Ability.FORESIGHT)
    assert Ability.FORESIGHT.until is Until.USE


@covers("DUNE-R.6")
def test_a_cancellation_for_a_round_outlasts_the_use() -> None:
    s = table()
    cancel(s.g, Ability.SPY_NETWORK)
    assert s.run(SpyNetwork()).done
    assert not stands(s.g, Ability.SPY_NETWORK)


@covers("DUNE-ATR.3")
def test_a_use_that_stands_has_its_effect_under_its_own_rule() -> None:
    s = table().run(Foresight())
    assert s.where == "Foresight.window"
    assert s.asked == ("guild",), "nobody else holds a card"
    assert s.finish().done
    assert [event.rule for event in s.told("look")] == ["DUNE-ATR.3"]
