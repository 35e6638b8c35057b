"""Matches from creation to their end: permissions, and idempotent requests."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from landsraad import AsyncClient, errors
from landsraad.v1 import common_pb2, matches_pb2, play_pb2, value_pb2
from landsraad.wire.codec import codec_for
from landsraad.wire.refusals import reason_of
from landsraad_engine.kernel.execution import plays
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.teaching.acts import NameOmen, Thump
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_clocks import KEPT_MS, OPEN_MS
from landsraad_server.process.worker import Worker
from landsraad_server.request_limits import MOST_OPTIONS
from landsraad_testkit import HandClock, pass_time
from landsraad_testkit.calls import Calls
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import StartWorker

pytestmark = pytest.mark.asyncio

ME, OTHER = "landsraad_guest_me", "landsraad_guest_other"
OPEN, LIVE, OVER = common_pb2.MATCH_STATE_OPEN, common_pb2.MATCH_STATE_LIVE, common_pb2.MATCH_STATE_OVER
GUEST = "guest-0123456789abcdef"
HOUSE = matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_HOUSE_BOT, house_bot="greedy")


async def joined(calls: Calls, match: str, seat: int, token: str = "", **more: Any) -> Any:
    return await calls("Matches/JoinMatch", token, name=match, seat=seat, **more)


# ----------------------------------------------------------------------------------------------------------- making


async def test_a_new_match_shows_all_that_is_agreed(calls: Calls, clock: HandClock) -> None:
    given = matches_pb2.Match(
        game="games/teaching",
        seats=[matches_pb2.Seat(), HOUSE, matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_INVITED, invited=GUEST)],
        title="a title",
        watch_delay_ms=1000,
        unlisted=True,
        illegal_acts_limit=3,
        clock=common_pb2.ClockRules(decision_ms=1000, bank_ms=2000, increment_ms=3, disconnect_ms=4),
    )
    made = await calls("Matches/CreateMatch", ME, match=given)
    assert made.state == OPEN
    assert [(seat.fill, seat.invited, seat.house_bot, seat.player) for seat in made.seats] == [
        (matches_pb2.SEAT_FILL_OPEN, "", "", ""),
        (matches_pb2.SEAT_FILL_HOUSE_BOT, "", "greedy", "house"),
        (matches_pb2.SEAT_FILL_INVITED, GUEST, "", ""),
    ]
    assert made.clock.outcome == common_pb2.TIMEOUT_OUTCOME_DEFAULT_ACT
    assert (made.title, made.watch_delay_ms, made.unlisted, made.illegal_acts_limit) == ("a title", 1000, True, 3)
    assert len(made.commitment) == 32
    assert made.options
    assert made.create_time.ToMilliseconds() == clock.now
    assert await calls("Matches/GetMatch", name=made.name) == made


async def test_house_bots_may_have_options_within_the_limits_of_the_service(client: AsyncClient) -> None:
    fills = ["open", "house:searcher@0.3s"]
    made = await client.create_match("dune", fills)
    assert made.seats[1].house_bot == "searcher@0.3s"
    for name, why in [
        ("searcher@60s", "asks for 60 CPU seconds a decision; house bots have 2 here"),
        ("searcher@worlds=100000", "asks for"),
        ("searcher@depth=3", "no option 'depth=3'"),
        ("greedy@1s", "takes no options"),
        ("nobody@1s", "no house bot of that name"),
    ]:
        with pytest.raises(errors.BadRequest, match=re.escape(why)) as caught:
            await client.create_match("dune", ["open", f"house:{name}"])
        assert list(caught.value.fields) == ["match.seats[1].house_bot"]


async def test_a_worker_on_its_way_out_plays_matches_and_makes_none(
    client: AsyncClient, start_worker: StartWorker
) -> None:
    leaving = await start_worker(new_matches=False)
    async with AsyncClient(leaving.address, retry_timeout=0.0) as there:
        with pytest.raises(errors.LandsraadError, match="creates no new matches"):
            await there.create_match("teaching", 2)
        made = await client.create_match("teaching", 2)
        await asyncio.gather(*(there.join(made.name) for _ in range(2)))
        assert (await there.match(made.name)).state == "live"


async def test_validate_only_makes_nothing(calls: Calls) -> None:
    given = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)
    shown = await calls("Matches/CreateMatch", ME, match=given, validate_only=True, request_id="one")
    assert shown.state == OPEN
    assert await calls.reason("Matches/GetMatch", name=shown.name) == "NO_SUCH_MATCH"
    assert (await calls("Matches/CreateMatch", ME, match=given, request_id="one")).name == shown.name


async def test_a_repeated_request_finds_the_first_match(calls: Calls) -> None:
    given = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)
    wanted = {"match": given, "request_id": "one"}
    made = await asyncio.gather(*(calls("Matches/CreateMatch", ME, **wanted) for _ in range(4)))
    assert len({match.name for match in made}) == 1
    assert (await calls("Matches/CreateMatch", OTHER, **wanted)).name != made[0].name
    assert (await calls("Matches/CreateMatch", ME, match=given)).name != made[0].name
    await joined(calls, made[0].name, 0)
    assert (await calls("Matches/CreateMatch", ME, **wanted)).seats[0].presence == matches_pb2.PRESENCE_AWAY


async def test_a_repeated_request_meets_the_match_on_another_worker(calls: Calls, start_worker: Any) -> None:
    other = await start_worker()
    given = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)
    made = await calls("Matches/CreateMatch", ME, match=given, request_id="one")
    async with Calls(other.address) as elsewhere:
        again = await elsewhere("Matches/CreateMatch", ME, match=given, request_id="one")
    assert again == made


async def test_a_repeated_request_finds_a_match_that_was_archived(
    calls: Calls, worker: Worker, clock: HandClock
) -> None:
    """A second match of its name would be open to the players of the first, and finally replace it."""
    given = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)
    made = await calls("Matches/CreateMatch", ME, match=given, request_id="one")
    await calls("Matches/AbortMatch", ME, name=made.name, reason="the first")
    await pass_time(worker, clock, KEPT_MS)
    while await worker.hosts.store.index.get(made.name.partition("/")[2]) is not None:
        await calls("Matches/GetMatch", name=made.name)
    again = await calls("Matches/CreateMatch", ME, match=given, request_id="one")
    assert (again.name, again.state, again.result.reason) == (made.name, OVER, "the first")


async def test_a_match_of_house_bots_alone_begins_at_once(calls: Calls) -> None:
    given = matches_pb2.Match(game="games/teaching", seats=[HOUSE] * 2)
    assert (await calls("Matches/CreateMatch", ME, match=given)).state == LIVE


async def test_a_service_without_a_house_promises_none(start_worker: Any) -> None:
    """No bot would ever play the seat."""
    worker = await start_worker(house=False)
    async with Calls(worker.address) as calls:
        given = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat(), HOUSE])
        refusal = await calls.refusal("Matches/CreateMatch", ME, match=given)
        assert [each.field for each in refusal.violations] == ["match.seats[1].fill"]
        outcome = common_pb2.ClockRules(decision_ms=1, outcome=common_pb2.TIMEOUT_OUTCOME_HOUSE_BOT)
        given = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2, clock=outcome)
        refusal = await calls.refusal("Matches/CreateMatch", ME, match=given)
        assert [each.field for each in refusal.violations] == ["match.clock.outcome"]
        match = await calls.new(ME, seats=2)
        await joined(calls, match, 0)
        assert await calls.reason("Matches/StartMatch", ME, name=match) == "WRONG_STATE"
        assert (await calls("Matches/GetMatch", name=match)).state == OPEN


async def test_games_that_do_not_exist(calls: Calls) -> None:
    for game in ("games/", "games/chess", "teaching", "matches/teaching"):
        match = matches_pb2.Match(game=game, seats=[matches_pb2.Seat()] * 2)
        assert await calls.reason("Matches/CreateMatch", ME, match=match) == "NO_SUCH_GAME"
        assert await calls.reason("Catalog/GetGame", name=game) == "NO_SUCH_GAME"


async def test_as_many_wrong_options_as_a_request_may_have(calls: Calls) -> None:
    options = {f"option-{number}": value_pb2.Value(number=1) for number in range(MOST_OPTIONS)}
    match = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2, options=options)
    refusal = await calls.refusal("Matches/CreateMatch", ME, match=match)
    assert reason_of(refusal) == "BAD_OPTION"
    assert 10 < len(refusal.violations) < MOST_OPTIONS  # as many as help; all of them would not fit into the answer


# ------------------------------------------------------------------------------------------------------------- seats


async def test_the_last_seat_begins_the_match(calls: Calls) -> None:
    match = await calls.new(ME, seats=3)
    for seat in (2, 0):
        assert (await joined(calls, match, seat)).match.state == OPEN
    last = await calls("Matches/JoinMatch", name=match, player="a name")
    assert (last.seat, last.match.state, last.match.seats[1].player) == (1, LIVE, "a name")
    assert last.match.HasField("start_time")
    assert last.address_hint


async def test_one_seat_is_taken_once(calls: Calls) -> None:
    match = await calls.new(ME, seats=2)

    async def attempt(number: int) -> str:
        try:
            await joined(calls, match, 0, f"landsraad_guest_{number}")
        except Exception as refused:  # noqa: BLE001  looked at below
            return type(refused).__name__
        return ""

    assert sorted(await asyncio.gather(*map(attempt, range(5)))) == ["", *["CallRefused"] * 4]
    assert await calls.reason("Matches/JoinMatch", OTHER, name=match, seat=0) == "SEAT_TAKEN"
    for seat in (-1, 2, 2**31 - 1):
        assert await calls.reason("Matches/JoinMatch", OTHER, name=match, seat=seat) == "NO_SUCH_SEAT"


async def test_two_workers_give_a_seat_away_once(calls: Calls, start_worker: Any) -> None:
    other = await start_worker()
    match = await calls.new(ME, seats=2)
    async with Calls(other.address) as elsewhere:
        found = await asyncio.gather(
            *(joined(each, match, 0, token) for each, token in ((calls, ME), (elsewhere, OTHER))),
            return_exceptions=True,
        )
    assert sum(isinstance(answer, Exception) for answer in found) == 1


async def test_a_seat_is_given_back_and_taken_again(calls: Calls) -> None:
    match = await calls.new(ME)
    first = await joined(calls, match, 1, player="first")
    left = await calls("Matches/LeaveMatch", first.credential, name=match, seat=1)
    assert (left.seats[1].player, left.seats[1].presence) == ("", matches_pb2.PRESENCE_UNSPECIFIED)
    again = await joined(calls, match, 1, player="second")
    assert again.match.seats[1].player == "second"
    assert await calls.reason("Matches/LeaveMatch", first.credential, name=match, seat=1) == "NO_CREDENTIAL"


async def test_presence(calls: Calls, open_stream: Any) -> None:
    match = await calls.new(ME)
    seats = [await joined(calls, match, seat) for seat in (0, 1)]

    async def presence() -> list[int]:
        return [seat.presence for seat in (await calls("Matches/GetMatch", name=match)).seats]

    here, away = matches_pb2.PRESENCE_HERE, matches_pb2.PRESENCE_AWAY
    assert await presence() == [away, away]
    async with open_stream() as stream:
        for number in (0, 1):
            wanted = play_pb2.Subscribe(match=match, seat=number, credential=seats[number].credential)
            await stream.send(play_pb2.ClientItem(subscription=number + 1, subscribe=wanted))
            await stream.next("snapshot", number + 1)
        assert await presence() == [here, here]
        await stream.send(play_pb2.ClientItem(subscription=2, unsubscribe=play_pb2.Unsubscribe()))
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_UNSUBSCRIBED
        await stream.find(lambda item: item.presence.seat == 1 and item.presence.presence == away)
        assert await presence() == [here, away]


async def test_who_takes_a_seat_in_the_moment_in_which_it_is_given_back_can_play_it(
    calls: Calls, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await calls.new(ME)
    first, host = await joined(calls, match, 1), worker.hosts.host(match.removeprefix("matches/"))
    commit, held = worker.hosts.store.commit, asyncio.Queue[Any]()
    with monkeypatch.context() as slow:
        slow.setattr(
            worker.hosts.store, "commit", lambda draft, done: commit(draft, lambda head: held.put_nowait((done, head)))
        )
        leaving = asyncio.create_task(calls("Matches/LeaveMatch", first.credential, name=match, seat=1))
        async with asyncio.timeout(PATIENCE_SECONDS):
            done, head = await held.get()
    joining = asyncio.create_task(joined(calls, match, 1, OTHER))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not host._queue:
            await calls("Catalog/ListGames")
    done(head)
    await leaving
    credential = (await joining).credential
    assert await calls("Matches/LeaveMatch", credential, name=match, seat=1)


async def test_resignation(calls: Calls) -> None:
    match = await calls.new(ME, seats=3)
    seats = [await joined(calls, match, seat) for seat in (0, 1, 2)]
    assert await calls.reason("Matches/Resign", seats[1].credential, name=match, seat=0) == "NOT_YOURS"
    one = await calls("Matches/Resign", seats[0].credential, name=match, seat=0)
    assert (one.seats[0].presence, one.state) == (matches_pb2.PRESENCE_RESIGNED, LIVE)
    assert await calls("Matches/Resign", seats[0].credential, name=match, seat=0) == one  # twice does no harm
    both = await calls("Matches/Resign", seats[1].credential, name=match, seat=1)
    assert (both.state, both.result.kind, both.result.cause_seat) == (OVER, common_pb2.RESULT_KIND_RESIGNATION, 1)
    assert both.result.winners == [2]


async def test_only_what_is_wrong_is_held_against_a_seat(calls: Calls) -> None:
    """Not late inputs, nor plays that are closed, nor what Explain tries."""
    match = await calls.new(ME, illegal_acts_limit=2)
    seats = [await joined(calls, match, seat) for seat in (0, 1)]
    asked, key = {"match": match, "seat": 0}, seats[0].credential
    decision = await calls("Play/GetDecision", key, **asked)
    late = {"act": decision.clock.default, "decision_id": decision.decision_id + 1}
    closed = {"act": codec_for(TEACHING).act(Thump("amber")), "during": decision.plays.during}
    for _ in range(3):
        assert await calls.reason("Play/Submit", key, **asked, seq=1, **late) == "STALE"
        assert await calls.reason("Play/Submit", key, **asked, seq=1, **closed) == "NOT_NOW"
        assert not (await calls("Play/Explain", key, **asked)).legal
    assert await calls.reason("Play/Submit", key, **asked, seq=1) == "MALFORMED"
    assert (await calls("Matches/GetMatch", name=match)).state == LIVE
    wrong = {"act": codec_for(TEACHING).act(NameOmen("nowhere")), "during": decision.plays.during}
    assert await calls.reason("Play/Submit", key, **asked, seq=1, **wrong) == "AGAINST_RULES"
    ended = await calls("Matches/GetMatch", name=match)
    assert (ended.result.kind, ended.result.cause_seat) == (common_pb2.RESULT_KIND_ILLEGAL_ACTS, 0)


async def played_on(calls: Calls, worker: Worker, chance: Random) -> tuple[str, Any, int] | None:
    """Play to a moment with an open out-of-turn play.

    Return the match, the seat's credential and the number of its inputs; None if the match ends without such a moment.
    """
    match = await calls.new(ME, illegal_acts_limit=1)
    seats = [await joined(calls, match, seat) for seat in (0, 1)]
    codec, seqs = codec_for(TEACHING), Counter[int]()

    def look(hosted: HostedMatch) -> tuple[list[int], int, Act] | None:
        """Return the seats with open plays, the seat that is asked, and some answer."""
        if hosted.game.g.ask is None:
            return None
        asked = next(seat for seat in (0, 1) if hosted.decision(seat))
        options = hosted.game.g.ask.options[asked]
        return [seat for seat in (0, 1) if plays(hosted.game.g, seat).choices], asked, options.sample(chance)

    while seen := await worker.hosts.read(match.removeprefix("matches/"), look):
        able, asked, answer = seen
        if able:
            return match, seats[able[0]], seqs[able[0]]
        seqs[asked] += 1
        place = {"match": match, "seat": asked}
        decision = await calls("Play/GetDecision", seats[asked].credential, **place)
        given = {"act": codec.act(answer), "decision_id": decision.decision_id, "seq": seqs[asked]}
        await calls("Play/Submit", seats[asked].credential, **place, **given)
    return None


async def test_a_play_that_names_no_step_and_is_wrong_is_held_against_its_seat(calls: Calls, worker: Worker) -> None:
    """A play that names its step may only have been overtaken; without one there is no excuse."""
    chance = Random(1)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (found := await played_on(calls, worker, chance)):
            """Another match, another chance."""
    match, able, seq = found
    wrong = {"match": match, "seat": able.seat, "act": codec_for(TEACHING).act(Thump("nowhere")), "seq": seq + 1}
    assert await calls.reason("Play/Submit", able.credential, **wrong) == "AGAINST_RULES"
    ended = await calls("Matches/GetMatch", name=match)
    assert (ended.result.kind, ended.result.cause_seat) == (common_pb2.RESULT_KIND_ILLEGAL_ACTS, able.seat)


# ------------------------------------------------------------------------------------------------- beginning, ending


async def test_who_made_it_begins_it_and_the_house_takes_the_rest(calls: Calls) -> None:
    match = await calls.new(ME, seats=3)
    await joined(calls, match, 1, OTHER)
    assert await calls.reason("Matches/StartMatch", OTHER, name=match) == "NOT_YOURS"
    begun = await calls("Matches/StartMatch", ME, name=match)
    assert begun.state == LIVE
    assert [seat.player for seat in begun.seats] == ["house", "", "house"]
    assert await calls.reason("Matches/JoinMatch", OTHER, name=match) == "WRONG_STATE"


async def test_who_made_it_aborts_it_while_it_is_theirs_alone(calls: Calls) -> None:
    match = await calls.new(ME)
    assert await calls.reason("Matches/AbortMatch", OTHER, name=match) == "NOT_YOURS"
    await joined(calls, match, 0, ME)
    theirs = await joined(calls, match, 1, OTHER)
    assert await calls.reason("Matches/AbortMatch", ME, name=match) == "NOT_YOURS"
    await calls.reason("Matches/LeaveMatch", theirs.credential, name=match, seat=1)
    assert await calls.reason("Matches/AbortMatch", ME, name=match, reason="x" * 201) == "BAD_FIELD"

    alone = await calls.new(ME)
    await joined(calls, alone, 0, ME)
    ended = await calls("Matches/AbortMatch", ME, name=alone, reason="no time")
    assert (ended.state, ended.result.kind) == (OVER, common_pb2.RESULT_KIND_ABORTED)
    assert ended.HasField("end_time")
    assert (await calls("Matches/GetMatch", name=alone)).result.reason == "no time"


async def test_a_match_that_nobody_comes_to_ends_by_itself(calls: Calls, worker: Worker, clock: HandClock) -> None:
    match = await calls.new(ME)
    await pass_time(worker, clock, OPEN_MS)
    while (found := await calls("Matches/GetMatch", name=match)).state != OVER:
        pass
    assert (found.result.kind, found.result.reason) == (common_pb2.RESULT_KIND_ABORTED, "nobody came")


# ------------------------------------------------------------------------------------------------------------- lists


async def pages(calls: Calls, token: str = "", **wanted: Any) -> list[str]:
    """Return all names of a list, page by page."""
    found: list[str] = []
    at = ""
    while True:
        page = await calls("Matches/ListMatches", token, page_token=at, **wanted)
        assert len(page.matches) <= wanted.get("page_size", 50)
        found += [match.name for match in page.matches]
        at = page.next_page_token
        if not at:
            return found


async def test_lists_are_read_page_by_page_and_newest_first(calls: Calls, clock: HandClock) -> None:
    made = []
    for _ in range(7):
        clock.advance(1)
        made.append(await calls.new(ME))
    for seat in (0, 1):
        await joined(calls, made[2], seat, ME)
    await calls("Matches/AbortMatch", ME, name=made[4])
    newest = made[::-1]
    for size in (1, 2, 3, 7, 50):
        assert await pages(calls, page_size=size) == newest
    assert await pages(calls, state=LIVE) == [made[2]]
    assert await pages(calls, state=OVER) == [made[4]]
    assert await pages(calls, state=OPEN, page_size=2) == [name for name in newest if name not in (made[2], made[4])]


async def test_matches_of_the_same_moment_are_all_in_the_list(calls: Calls) -> None:
    made = {await calls.new(ME) for _ in range(6)}
    found = await pages(calls, page_size=2)
    assert (len(found), set(found)) == (6, made)


async def test_a_list_shows_what_its_reader_may_see(calls: Calls) -> None:
    mine = await calls.new(ME)
    hidden = await calls.new(ME, unlisted=True)
    theirs = await calls.new(OTHER)
    await joined(calls, hidden, 0, "landsraad_guest_third")
    assert set(await pages(calls)) == {mine, theirs}
    assert set(await pages(calls, ME)) == {mine, theirs, hidden}
    assert set(await pages(calls, ME, mine=True)) == {mine, hidden}
    assert set(await pages(calls, "landsraad_guest_third", mine=True)) == {hidden}
    assert await pages(calls, mine=True) == []
    for method in ("Matches/ListMatches", "Replays/ListReplays"):  # empty, it would say that there is nothing of theirs
        assert await calls.reason(method, "a token that was revoked", mine=True) == "NO_CREDENTIAL"
    assert await pages(calls, game="games/dune") == []
    assert set(await pages(calls, game="games/teaching")) == {mine, theirs}


async def test_pages_that_do_not_exist(calls: Calls) -> None:
    wrong: list[dict[str, Any]] = [{"page_size": -1}, {"page_token": "9" * 65}]
    for fields in wrong:
        for method in ("Matches/ListMatches", "Replays/ListReplays"):
            assert await calls.reason(method, **fields) == "BAD_FIELD"
    assert await calls.reason("Catalog/ListGames", page_size=-1) == "BAD_FIELD"


@pytest.mark.parametrize("token", ["x", "5", "9" * 20, "9" * 15 + " ", "9" * 15 + " ../x", "²" * 15 + " a"])
@pytest.mark.parametrize("method", ["Matches/ListMatches", "Replays/ListReplays", "Catalog/ListGames"])
async def test_a_page_token_that_is_made_up(calls: Calls, method: str, token: str) -> None:
    """An empty page, or the first one again, would be taken for the end or the beginning of the list."""
    refusal = await calls.refusal(method, page_token=token)
    assert (reason_of(refusal), [each.field for each in refusal.violations]) == ("BAD_FIELD", ["page_token"])


async def test_games_are_listed_page_by_page(calls: Calls) -> None:
    everything = [game.name for game in (await calls("Catalog/ListGames")).games]
    found: list[str] = []
    at = ""
    while not found or at:
        page = await calls("Catalog/ListGames", page_size=1, page_token=at)
        found += [game.name for game in page.games]
        at = page.next_page_token
    assert found == everything


async def test_a_state_that_is_none(calls: Calls) -> None:
    """An unknown state must not list all matches."""
    await calls.new(ME)
    assert await calls.reason("Matches/ListMatches", state=4) == "BAD_FIELD"


async def test_a_game_that_is_not_named_as_games_are(calls: Calls) -> None:
    """An empty list would say that there are no matches of the game."""
    await calls.new(ME)
    for method in ("Matches/ListMatches", "Replays/ListReplays"):
        refusal = await calls.refusal(method, game="teaching")
        assert [violation.field for violation in refusal.violations] == ["game"]
        await calls(method, game="games/none")


async def test_a_page_has_an_upper_limit(calls: Calls) -> None:
    for _ in range(3):
        await calls.new(ME)
    assert len(await pages(calls, page_size=2**31 - 1)) == 3
