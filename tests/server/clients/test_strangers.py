"""Foreign client: the protocol's definition alone suffices to play whole matches.

Requests are generated messages. Questions and logs are read by the models of `proto/vectors`, which are written from
the comments of the protocol; acts are encoded as docs/protocol.md says: in the messages of their game or, as a client
in a static language prefers, all of them as GenericAct.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest
import read_fold
from google.protobuf.json_format import MessageToDict, ParseDict
from read_grammar import NOTHING, as_list, holds, listed, sortable, values

from landsraad import games
from landsraad.v1 import act_pb2, common_pb2, errors_pb2, log_pb2, matches_pb2, value_pb2
from landsraad.wire.certificates import read_certificate
from landsraad.wire.codec import codec_for
from landsraad.wire.entries import write_entries
from landsraad_engine.play.match import Match, replay, verify
from landsraad_testkit.calls import Calls

pytestmark = pytest.mark.asyncio

Json = Any

#: Domains with more values are not enumerated, as the model would take too long.
MOST_VALUES = 20_000
#: Probability of an out-of-turn play when one is possible.
MEDDLING = 0.05


def size(domain: Json) -> float:
    """Return the approximate number of values in a domain that may be too large to enumerate."""
    if "alloc" in domain:
        return float(math.prod(cap + 1 for cap in domain["alloc"]["caps"]))
    if "subset" in domain:
        return float(2 ** len(domain["subset"].get("items", ())))
    if "order" in domain:
        return math.factorial(min(20, len(domain["order"].get("items", ()))))
    return 1


def drawn(domain: Json, graphs: Json, rng: Random) -> Json:
    """Draw a value of a domain, also of one that is too large to list."""
    if size(domain) <= MOST_VALUES:
        return rng.choice(values(domain, graphs))
    (kind, it) = next((name, it) for name, it in domain.items() if name != "rule")
    if kind == "alloc":
        left = rng.randint(it.get("low", 0), it.get("high", 0))
        given = [0] * len(it["caps"])
        while left and (free := [at for at, cap in enumerate(it["caps"]) if given[at] < cap]):
            given[rng.choice(free)] += 1
            left -= 1
        return as_list([{"number": n} for n in given])
    items = list(it["items"])
    if kind == "order":
        rng.shuffle(items)
        return as_list(items)
    taken = rng.sample(items, rng.randint(it.get("low", 0), min(it.get("high", 0), len(items))))
    return as_list(sorted(taken, key=sortable))


def picked_generic(options: Json, graphs: Json, rng: Random) -> tuple[str, Json]:
    """Draw an act by trial and error, however large its domains are."""
    for _ in range(MOST_VALUES):
        choice = rng.choice(options["choices"])
        act = {field["name"]: drawn(field["domain"], graphs, rng) for field in choice.get("fields", ())}
        if all(holds(constraint, act) for constraint in choice.get("constraints", ())):
            return choice["act"], act
    raise AssertionError(f"no act was found for {[choice['act'] for choice in options['choices']]}")


def picked(options: Json, graphs: Json, rng: Random) -> tuple[str, Json] | None:
    """Draw an act as name and fields; None if none is found soon."""
    listable = [
        choice
        for choice in options["choices"]
        if all(size(field["domain"]) <= MOST_VALUES for field in choice.get("fields", ()))
    ]
    for _ in range(200 if listable else 0):
        choice = rng.choice(listable)
        act = {field["name"]: rng.choice(values(field["domain"], graphs)) for field in choice.get("fields", ())}
        if all(holds(constraint, act) for constraint in choice.get("constraints", ())):
            return choice["act"], act
    return None


def written(game: str, name: str, fields: Json, *, generic: bool = False) -> act_pb2.Act:
    """Encode an act."""
    act = act_pb2.Act()
    if generic or game not in act.DESCRIPTOR.fields_by_name:
        act.generic.name = name
        for field, value in fields.items():
            act.generic.fields.add(name=field, value=ParseDict(value, value_pb2.Value()))
        return act
    wrapper = getattr(act, game)
    [form] = [field for field in wrapper.DESCRIPTOR.fields if field.message_type.name == name]
    message = getattr(wrapper, form.name)
    message.SetInParent()
    for field, value in fields.items():
        if value == NOTHING:
            continue
        [(kind, plain)] = value.items()
        if kind == "list":
            getattr(message, field).extend(item for one in listed(value) for item in one.values())
        else:
            setattr(message, field if field in message.DESCRIPTOR.fields_by_name else f"{field}_{kind}", plain)
    return act


class Stranger:
    """A client that plays one seat; with `generic` it never touches a message of the game."""

    def __init__(
        self, calls: Calls, game: str, joined: Any, graphs: Json, rng: Random, *, generic: bool = False
    ) -> None:
        self._generic = generic
        self._calls = calls
        self._game = game
        self._graphs = graphs
        self._rng = rng
        self._seat = {"match": joined.match.name, "seat": joined.seat}
        self._credential = joined.credential
        self.seq = self.picked = 0

    async def go_on(self) -> bool:
        """Answer or make an out-of-turn play, if possible; False once the match is over."""
        decision = await self._calls("Play/GetDecision", self._credential, **self._seat)
        if decision.plays.options.choices and self._rng.random() < MEDDLING:
            await self._submit(decision.plays.options, None, during=decision.plays.during)
        elif decision.HasField("question"):
            question = decision.question
            await self._submit(question.options, decision.clock.default, decision_id=question.decision_id)
        return bool(decision.state == common_pb2.MATCH_STATE_LIVE)

    async def _submit(self, options: Any, default: act_pb2.Act | None, **meant_for: int) -> None:
        """Submit an act of the grammar, which neither Explain nor Submit may refuse."""
        pick = picked_generic if self._generic else picked
        found = pick(MessageToDict(options), self._graphs, self._rng)
        act = default if found is None else written(self._game, *found, generic=self._generic)
        if act is None:
            return
        self.picked += found is not None
        if self._rng.random() < MEDDLING:
            assert (await self._calls("Play/Explain", self._credential, **self._seat, act=act)).legal
        self.seq += 1
        await self._calls("Play/Submit", self._credential, **self._seat, seq=self.seq, act=act, **meant_for)

    async def check_log(self, certified: Match) -> None:
        """Assert that the fold of the log equals the service's observation, and the log that of the certificate."""
        name = self._seat["match"].replace("matches", "replays")
        start, view = 1, None
        codec, entries = codec_for(certified.game), []
        while start:
            asked = {"name": name, "seat": self._seat["seat"], "from": start, "page_size": 700}
            part = await self._calls("Replays/GetReplay", self._credential, **asked)
            view = view or read_fold.View.of(MessageToDict(part.layout), self._seat["seat"])
            for entry in MessageToDict(part.entries)["entries"]:
                view.add(entry)
            entries += [entry.SerializeToString(deterministic=True) for entry in part.entries.entries]
            start = part.next_from
        assert view is not None
        log = write_entries(1, codec.numbered_entries(1, certified.log(self._seat["seat"])))
        expected = log_pb2.Entries.FromString(log).entries
        assert entries == [entry.SerializeToString(deterministic=True) for entry in expected]
        for number, entry in enumerate(expected, 1):
            assert entry.question.decision_id == (number if entry.HasField("question") else 0)
        known = MessageToDict(await self._calls("Play/GetObservation", self._credential, **self._seat))
        folded = view.observation()
        assert folded == {field: known.get(field) for field in folded}


@pytest.mark.parametrize("generic", [False, True], ids=["typed", "generic"])
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("teaching", 3, {}),
        ("dune", 2, {"length": 10}),
        ("arrakis", 2, {"round_limit": 1}),
        pytest.param("dune", 6, {}, marks=pytest.mark.long),
        pytest.param("arrakis", 2, {}, marks=pytest.mark.long),
    ],
)
async def test_a_whole_match(game: str, seats: int, options: dict[str, int], generic: bool, calls: Calls) -> None:
    everything = MessageToDict(await calls("Catalog/GetGame", name=f"games/{game}", seats=seats))
    graphs = {graph["name"]: graph for graph in everything.get("graphs", ())}
    match = matches_pb2.Match(
        game=f"games/{game}",
        seats=[matches_pb2.Seat()] * seats,
        options={name: value_pb2.Value(number=value) for name, value in options.items()},
    )
    name = (await calls("Matches/CreateMatch", match=match)).name
    joined = [await calls("Matches/JoinMatch", name=name) for _ in range(seats)]
    players = [Stranger(calls, game, one, graphs, Random(one.seat), generic=generic) for one in joined]
    while all([await player.go_on() for player in players]):
        pass
    assert (await calls("Matches/GetMatch", name=name)).result.kind == common_pb2.RESULT_KIND_PLAYED
    message = await calls("Replays/GetCertificate", name=name.replace("matches", "replays"))
    certificate = read_certificate(message, codec_for(games.load(game)))
    # Its journal holds the acts as engine values, whichever way they came.
    certified = replay(games.load(game), certificate)
    assert verify(games.load(game), certificate) == []
    for player in players:
        assert player.picked == player.seq if generic else player.picked > player.seq // 2
        await player.check_log(certified)


async def test_both_forms_of_an_act_are_refused_alike(calls: Calls) -> None:
    match = matches_pb2.Match(game="games/dune", seats=[matches_pb2.Seat()] * 2)
    name = (await calls("Matches/CreateMatch", match=match)).name
    joined = [await calls("Matches/JoinMatch", name=name) for _ in range(2)]
    seat = {"match": name, "seat": 0}
    acts = [("DialStorm", {"number": {"number": 99}}), ("Predict", {"faction": {"text": "x"}, "turn": {"number": 1}})]
    for kind, fields in acts:
        forms = [written("dune", kind, fields, generic=generic) for generic in (False, True)]
        assert [form.WhichOneof("game") for form in forms] == ["dune", "generic"]
        for method, more in (("Play/Explain", {}), ("Play/Submit", {"seq": 1})):
            refusals = []
            for act in forms:
                asked = {**seat, **more, "act": act}
                if method == "Play/Submit":
                    refusals.append(await calls.refusal(method, joined[0].credential, **asked))
                else:
                    refusals.append((await calls(method, joined[0].credential, **asked)).refusal)
            assert refusals[0] == refusals[1]
            assert refusals[0].reason == errors_pb2.ERROR_REASON_AGAINST_RULES
            assert {near.WhichOneof("game") for near in refusals[0].detail.nearest} <= {"dune"}
    bad = written("dune", "DialStorm", {"number": {"text": "x"}}, generic=True)
    refusal = await calls.refusal("Play/Submit", joined[0].credential, **seat, seq=1, act=bad)
    assert (refusal.reason, refusal.detail.field) == (errors_pb2.ERROR_REASON_MALFORMED, "number")
