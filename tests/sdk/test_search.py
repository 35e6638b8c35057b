"""Search over the wire: the same worlds as in local play, and the examples of docs/search.md."""

import asyncio
import re
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import pytest

from landsraad import AsyncClient, errors, games, run, seat_log
from landsraad.seat_log import SeatDecision
from landsraad.testing import LocalService
from landsraad.testing.listening import listening
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.snapshots import encode
from landsraad_engine.play.bot import Bot, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, put_question, standing
from landsraad_engine.play.world import World

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = {"flat_monte_carlo": "FlatMonteCarlo", "ismcts": "TreeSearch"}
#: Less thought than in the examples, enough for a test.
QUICK = {"worlds": 6, "width": 5, "iterations": 15, "depth": 30}


def image(world: World) -> bytes:
    """Everything that a world consists of: its state, and the key of its later chance."""
    return encode(world._state) + bytes(world._state.setting.key)


def roam(world: World, rng: Random, most: int) -> list[Act]:
    """Play a world on at random; return the acts."""
    acts: list[Act] = []
    while world.asked and len(acts) < most:
        seat = rng.choice(world.asked)
        options = world.legal(seat)
        assert options is not None
        acts.append(options.sample(rng))
        world.apply(acts[-1], seat)
    return acts


# ---- Over the wire ----


@pytest.mark.asyncio
@pytest.mark.parametrize(("name", "most"), [("dune", 60), ("arrakis", 40), ("teaching", 40)])
async def test_the_same_seed_gives_the_same_worlds_locally_and_over_grpc(
    name: str, most: int, service: LocalService
) -> None:
    """At each decision, the service's match gives a world in its process, and the client one from its log."""
    async with listening(service) as address, AsyncClient(address) as client:
        match = await client.create_match(name, 2)
        seats = [await client.join(match.name) for _ in range(2)]
        hosted = service.matches[match.name].match
        assert hosted is not None
        rng = Random(name)
        for number in range(most):
            if hosted.result is not None:
                break
            seat = seats[hosted.waiting[0]]
            decision = await seat.next_decision()
            assert decision is not None
            compare(decision, hosted, number)
            await seat.answer(decision.sample(rng), decision)
        assert number > 10


def compare(decision: SeatDecision, match: Match, seed: int) -> None:
    """Compare the worlds of a decision over the wire with those of the match in this process."""
    view, ask = put_question(match, decision.seat)
    assert decision.view.table == view.table
    theirs, ours = decision.world(Random(seed)), ask.world(Random(seed))
    assert image(theirs) == image(ours)
    assert theirs.view(decision.seat).table == decision.view.table
    assert theirs.view(decision.seat).frames == decision.view.frames
    assert roam(theirs, Random(seed), 15) == roam(ours, Random(seed), 15)
    assert image(theirs) == image(ours)


@pytest.mark.asyncio
@pytest.mark.parametrize("what", ["engine build", "content digest"])
async def test_a_match_by_other_rules_has_no_worlds(
    what: str, client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await client.create_match("arrakis", ["open", "house"], {"round_limit": 1})
    decision = await (await client.join(match.name)).next_decision()
    assert decision is not None
    decision.world(Random(1))
    if what == "engine build":
        monkeypatch.setattr(seat_log, "engine_build", lambda: "another")
    else:
        monkeypatch.setattr(type(games.load("arrakis")), "content_digest", lambda self, options: "another")
    with pytest.raises(errors.OtherRules, match=rf"{match.name} has the {what} \S+, and here it is another"):
        decision.world(Random(1))
    assert decision.sample(Random(1)) is not None, "the decision itself is as good as before"


# ---- The examples ----


def example(name: str) -> type[Bot]:
    """Return the bot of an example, thinking less."""
    spec = spec_from_file_location(name, DOCS / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return type(name, (getattr(module, EXAMPLES[name]),), dict(QUICK))


class Noted(RandomBot):
    """Lets an example decide, and checks its acts."""

    def __init__(self, seed: int, thinker: Bot) -> None:
        super().__init__(seed)
        self.thinker = thinker
        self.acts: list[Act] = []

    def decide(self, view: Any, ask: Any) -> Act:
        act = self.thinker.decide(view, ask)
        assert ask.options.contains(act)
        self.acts.append(act)
        return act


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("game", ["dune", "arrakis"])
def test_an_example_chooses_legal_acts_the_same_for_the_same_seed(name: str, game: str) -> None:
    chosen: list[list[Act]] = []
    for seed in (3, 3, 4):
        match = Match(games.load(game), 2, secret=b"examples", orders=standing(2), record=False)
        play_out(match, [RandomBot(1), RandomBot(2)], most=40)
        bots = [Noted(seat, example(name)(seed)) for seat in range(2)]
        play_out(match, bots, most=4)
        chosen.append([act for bot in bots for act in bot.acts])
    assert len(chosen[0]) > 1
    assert chosen[0] == chosen[1]
    assert chosen[0] != chosen[2], "the random numbers do count"


def shares(thinker: type[Bot], matches: int) -> Iterator[float]:
    """Yield the bot's share of each win against a random player; each deal is played from both seats."""
    for number in range(matches):
        own = number % 2
        match = Match(games.load("teaching"), 2, secret=b"%d" % (number // 2), orders=standing(2), record=False)
        bots: list[Bot] = [RandomBot(number), RandomBot(number)]
        bots[own] = thinker(number)
        play_out(match, bots)
        assert match.result is not None
        winners = match.result[1] or (0, 1)
        yield (own in winners) / len(winners)


def test_flat_monte_carlo_beats_a_random_player() -> None:
    """With these seeds. Of equal players, one in thirty would win so much."""
    thinker = type("Deep", (example("flat_monte_carlo"),), {"depth": 400, "worlds": 8})
    assert sum(shares(thinker, 24)) >= 17


def test_an_example_plays_on_a_service(service: LocalService) -> None:
    played = run(
        example("flat_monte_carlo"),
        game="teaching",
        seats=2,
        opponents="random",
        transport=service.transport(),
        quiet=True,
        seed=1,
    )
    assert played[0].result.ending == "harvest"
    assert played[0].timeouts == 0


@pytest.mark.asyncio
async def test_the_examples_of_the_page_run(service: LocalService) -> None:
    page = DOCS / "search.md"
    blocks = re.findall(r"^```python example\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == len(re.findall(r"^```python", page.read_text(), re.MULTILINE)) >= 2
    async with listening(service) as address:
        names: dict[str, object] = {"SERVER": address}
        for block in blocks:
            await asyncio.to_thread(exec, compile(block, page.name, "exec"), names)
    assert all(hosted.info.result.ending for hosted in service.matches.values())
    for name in EXAMPLES:
        assert f"examples/{name}.py" in page.read_text()
