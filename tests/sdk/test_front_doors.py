"""The packages `landsraad`, `landsraad.dune` and `landsraad.arrakis`: names, types, and the cost of importing them."""

import subprocess
import sys
from importlib import import_module
from typing import assert_type

import pytest

import landsraad
from landsraad import Act, Decision, arrakis, dune
from landsraad.testing import LocalService
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.play.bot import Bot


class TypedDune(dune.Bot):
    def decide(self, view: dune.View, ask: Decision) -> Act:
        assert_type(view, DuneSeatView)
        assert isinstance(view, dune.View)
        return ask.sample(self.rng)


class TypedArrakis(landsraad.Bot[arrakis.View]):
    game = "arrakis"

    def decide(self, view: arrakis.View, ask: Decision) -> Act:
        assert_type(view, ArrakisSeatView)
        assert isinstance(view, arrakis.View)
        return ask.sample(self.rng)


@pytest.mark.parametrize("bot", [TypedDune, TypedArrakis])
def test_a_typed_bot_plays(bot: type[Bot]) -> None:
    options = {"round_limit": 1} if bot is TypedArrakis else {"length": 10}
    played = landsraad.run(bot, seats=2, options=options, opponents="random", transport=LocalService().transport())
    assert played[0].result.kind


def test_the_bot_of_a_game_plays_this_game() -> None:
    assert (dune.Bot.game, arrakis.Bot.game) == ("dune", "arrakis")


@pytest.mark.parametrize("name", ["landsraad", "landsraad.dune", "landsraad.arrakis"])
def test_every_public_name_is_there(name: str) -> None:
    package = import_module(name)
    assert set(package.__all__) <= set(dir(package))
    assert all(getattr(package, public) is not None for public in package.__all__)
    with pytest.raises(AttributeError, match="no attribute 'spice'"):
        package.spice  # noqa: B018 - the access is the test


def test_importing_the_packages_loads_no_rules() -> None:
    code = (
        "import sys, landsraad, landsraad.dune, landsraad.arrakis; "
        "print([n for n in sys.modules if n.startswith(('landsraad_engine', 'grpc'))])"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout.strip() == "[]"
