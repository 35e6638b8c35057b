"""A match: what it accepts and refuses, what it keeps, and what anybody can check afterwards."""

import weakref
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from landsraad_engine.errors import BadJournal, BadOption, LawBroken, Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.chance import commitment
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.match_options import OptionSpec
from landsraad_engine.kernel.snapshots import digest, encode
from landsraad_engine.play.bot import RandomBot
from landsraad_engine.play.match import Match, replay, verify
from landsraad_engine.play.match_core import Input
from landsraad_engine.play.self_play import play_out, standing
from landsraad_engine.teaching.acts import Bid, NameOmen, Pass, Stay, Thump, Travel
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.teaching.words import HAND
from landsraad_engine.teaching.zones import THUMPER


def begun(seats: int = 3, **more: Any) -> Match:
    """A match whose omens are written and in which all may bid."""
    match = Match(TEACHING, seats, **more)
    for seat in range(seats):
        match.submit(seat, NameOmen(match.g.side(seat)))
    while match.g.path()[-1] != ("Market", "bids"):
        match.submit(match.waiting[0], Pass())
    return match


def with_thumper() -> tuple[Match, int]:
    """A match, and a seat that holds a Thumper."""
    for n in range(60):
        match = begun(secret=b"%d" % n)
        for seat in range(3):
            if THUMPER in match.g.table[HAND[match.g.side(seat)]]:
                return match, seat
    raise AssertionError("nobody has a thumper")


def finished(seed: int = 1) -> Match:
    match = Match(TEACHING, 3, secret=b"%d" % seed, entropy=[b"a", b"b", b"c"], orders=standing(3))
    play_out(match, [RandomBot(seed + seat) for seat in range(3)])
    return match


def everything(match: Match) -> tuple[Any, ...]:
    assert match.recorder is not None
    return encode(match.g), list(match.journal), [list(log) for log in match.recorder.logs]


# ---- What matches share ----


def test_who_sees_what_is_kept_once_for_matches_with_the_same_sides_and_as_long_as_there_is_one() -> None:
    first, second = Match(TEACHING, 3, secret=b"1"), Match(TEACHING, 3, secret=b"1")
    assert first.g.eyes is second.g.eyes
    assert first.g.copy().eyes is first.g.eyes
    there = weakref.ref(first.g.eyes)
    del first
    assert there() is second.g.eyes
    del second
    assert there() is None


# ---- Options ----


@pytest.mark.parametrize(
    ("seats", "options", "field"),
    [
        (1, {}, "seats"),
        (5, {}, "seats"),
        (3, {"round": 4}, "round"),
        (3, {"rounds": 0}, "rounds"),
        (3, {"rounds": 9}, "rounds"),
        (3, {"rounds": True}, "rounds"),
        (3, {"rounds": None}, "rounds"),
        (3, {"rounds": 2.0}, "rounds"),
        (3, {"rounds": "--2"}, "rounds"),
        (3, {"rounds": "²"}, "rounds"),
        (3, {"rounds": ""}, "rounds"),
        (3, {"drought": "yes"}, "drought"),
        (3, {"drought": 1}, "drought"),
    ],
)
def test_wrong_options_are_refused_by_name(seats: int, options: dict[str, Any], field: str) -> None:
    with pytest.raises(BadOption) as bad:
        Match(TEACHING, seats, options)
    assert bad.value.field == field


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [("rounds", True, "a number is wanted, not a flag"), ("drought", (1,), "a flag is wanted, not a list")],
)
def test_the_kind_of_an_option_is_said_in_the_protocol_s_words(option: str, value: Any, said: str) -> None:
    with pytest.raises(BadOption, match=said):
        Match(TEACHING, 2, {option: value})


def test_options_may_come_as_text() -> None:
    match = Match(TEACHING, 2, {"rounds": "6", "drought": "True"})
    assert match.options == {"rounds": 6, "drought": True, "window": "fast"}
    assert Match(TEACHING, 2).options == {"rounds": 4, "drought": False, "window": "fast"}


def test_an_option_of_listed_values() -> None:
    spec = OptionSpec("length", 15, (10, 15))
    assert (spec.parse("10"), spec.parse(15)) == (10, 15)
    with pytest.raises(BadOption, match="12 is not one of 10, 15"):
        spec.parse(12)
    words = OptionSpec("window", "fast", ("fast", "fixed"))
    with pytest.raises(BadOption, match="'slow' is not one of fast, fixed"):
        words.parse("slow")


# ---- Submitting ----


def refusal(match: Match, seat: int, act: Any, *arguments: Any, **more: Any) -> Refused:
    """The refusal of an act, which changes nothing."""
    before = everything(match)
    with pytest.raises(Refused) as refused:
        match.submit(seat, act, *arguments, **more)
    assert everything(match) == before
    return refused.value


class Foreign(Act, frozen=True):
    number: int


@pytest.mark.parametrize(
    ("seat", "act", "reason"),
    [
        (0, Bid(99), "against_rules"),
        (0, Bid(-1), "against_rules"),
        (0, Stay(), "against_rules"),
        (0, Thump("nobody"), "against_rules"),
        (0, Foreign(1), "malformed"),
        (0, None, "malformed"),
        (0, ("Bid", 1), "malformed"),
        (0, Bid("1"), "malformed"),  # type: ignore[arg-type]
        (0, Bid(True), "malformed"),
        (0, Bid(1.0), "malformed"),  # type: ignore[arg-type]
        (0, Bid([]), "malformed"),  # type: ignore[arg-type]
        (0, Bid({1}), "malformed"),  # type: ignore[arg-type]
        (0, Bid(object()), "malformed"),  # type: ignore[arg-type]
        (0, Travel("near", (1, "a"), 1, (), False), "malformed"),  # type: ignore[arg-type]
        (3, Bid(1), "not_asked"),
        (-1, Bid(1), "not_asked"),
    ],
)
def test_what_is_refused_and_why(seat: int, act: Any, reason: str) -> None:
    match = begun(secret=b"no thumper at seat 0: 3")
    found = refusal(match, seat, act)
    assert found.reason == reason
    if reason == "against_rules":
        assert found.rule.startswith("TEACH-")
        assert found.nearest
        for near in found.nearest:
            assert execution.plays(match.g, seat).contains(near) or match.g.ask.options[seat].contains(near)  # type: ignore[union-attr]


def test_what_is_tried_out_is_said_as_it_would_be_and_no_step_is_run() -> None:
    """Steps take time, and which ones would run follows from what is hidden, too: who asks could hear a clock tick."""
    ran: list[str] = []

    def counting(frame: str, step: str, fn: Callable[..., Any]) -> Callable[..., Any]:
        def run(f: Any, g: Any) -> Any:
            ran.append(step)
            return fn(f, g)

        return run

    match = begun(2, watch=lambda flow: flow.wrapped(counting))
    match.submit(1, Bid(0))
    act, before = Bid(0), everything(match)
    ran.clear()
    match.try_out(0, act)
    for wrong in (Bid(99), Thump("nobody"), Foreign(1)):
        said = refusal(match, 0, wrong)
        with pytest.raises(Refused) as refused:
            match.try_out(0, wrong)
        assert vars(refused.value) == vars(said)
    assert (ran, everything(match)) == ([], before)
    match.submit(0, act)
    assert ran, "the last bid goes on to the next question"


def test_a_play_can_be_tried_out() -> None:
    match, seat = with_thumper()
    before = everything(match)
    match.try_out(seat, Thump(match.g.side((seat + 1) % 3)))
    with pytest.raises(Refused, match="may not be 'nobody'"):
        match.try_out(seat, Thump("nobody"))
    assert everything(match) == before


def test_lists_are_as_good_as_tuples() -> None:
    match = begun()
    while match.g.path()[-1] != ("Journey", "leave"):
        match.submit(match.waiting[0], match.g.ask.default_for(match.waiting[0]))  # type: ignore[union-attr]
    seat = match.waiting[0]
    match.submit(seat, Travel("near", [2, 0], 2, [], boast=False))  # type: ignore[arg-type]
    assert match.journal[-1].act == ("Travel", "near", (2, 0), 2, (), False)


def test_an_answer_to_another_decision_is_stale() -> None:
    match = begun()
    number = match.decision(0)
    found = refusal(match, 0, Bid(1), number - 1)
    assert (found.reason, found.decision) == ("stale", number)
    match.submit(0, Bid(1), number)
    assert refusal(match, 0, Bid(1), number).reason == "stale"
    assert refusal(match, 0, Bid(1)).reason == "not_asked"


def test_a_play_for_another_step_is_stale() -> None:
    match, seat = with_thumper()
    act = Thump(match.g.side((seat + 1) % 3))
    during = match.step(seat)
    assert refusal(match, seat, act, during=during - 1).reason == "stale"
    match.submit((seat + 2) % 3, Bid(0))
    assert match.step(seat) == during, "a secret bid does not move the match on"
    match.submit(seat, act, during=during)
    assert match.journal[-1].kind == "play"
    assert match.step(seat) > during


def test_a_play_that_the_hand_does_not_hold_is_refused() -> None:
    match, seat = with_thumper()
    for other in range(3):
        if THUMPER not in match.g.table[HAND[match.g.side(other)]]:
            found = refusal(match, other, Thump(match.g.side(seat)))
            assert found.reason == "against_rules"
            assert all(isinstance(near, Bid) for near in found.nearest)


def test_a_play_that_names_its_step_is_refused_as_a_play() -> None:
    match, seat = with_thumper()
    other = next(n for n in range(3) if THUMPER not in match.g.table[HAND[match.g.side(n)]])
    found = refusal(match, other, Thump(match.g.side(seat)), during=match.step(other))
    assert (found.reason, found.nearest) == ("not_now", ())
    assert refusal(match, seat, Thump("nobody"), during=match.step(seat)).reason == "against_rules"


def test_after_the_end_nothing_is_accepted() -> None:
    match = finished()
    assert match.result is not None
    for act in (Pass(), Thump("amber"), Stay()):
        assert refusal(match, 0, act).reason == "over"
    assert match.waiting == ()
    assert match.decision(0) == 0


# ---- Standing orders and absences ----


def test_standing_orders_are_their_seat_s_secret() -> None:
    match = begun()
    match.set_orders(1, ["snare", "auto", "snare"])
    assert match.view(1).places["orders/1"] == ("auto", "snare")
    assert "orders/1" not in match.view(0).places
    assert match.journal[-1] == Input(1, "orders", ("auto", "snare"))
    match.set_orders(1, [])
    assert "orders/1" not in match.view(1).places


@pytest.mark.parametrize(
    "order",
    [
        lambda match: match.set_orders(3, ["auto"]),
        lambda match: match.set_orders(0, [7]),
        lambda match: match.set_orders(0, ["auto", None]),
        lambda match: match.set_orders(0, ["auto", "snares"]),
        lambda match: match.set_orders(0, ["ask"]),
        lambda match: match.set_absent(-1),
        lambda match: Match(TEACHING, 3, orders={4: ("auto",)}),
        lambda match: Match(TEACHING, 3, orders={0: ("snares",)}),
    ],
)
def test_orders_that_make_no_sense_are_refused(order: Callable[[Match], object]) -> None:
    match = begun()
    before = everything(match)
    with pytest.raises(Refused):
        order(match)
    assert everything(match) == before


def test_an_absent_seat_takes_defaults_until_it_is_back() -> None:
    match = begun()
    match.set_absent(0)
    assert 0 not in match.waiting
    assert match.view(1).places["absent/0"] is True
    assert match.view(1).places["sealed/0"] == "?"
    match.set_absent(0, absent=False)
    match.set_absent(1)
    match.set_absent(2)
    assert match.waiting == (0,)
    match.set_absent(0)
    assert match.result is not None, "nobody is left: defaults play the match out"


def test_an_absent_seat_makes_no_plays() -> None:
    match, seat = with_thumper()
    act = Thump(match.g.side((seat + 1) % 3))
    match.set_absent(seat)
    assert match.g.ask is not None
    assert execution.plays(match.g, seat).choices == ()
    assert refusal(match, seat, act).reason == "not_asked"
    match.set_absent(seat, absent=False)
    match.submit(seat, act)
    assert match.journal[-1].kind == "play"


# ---- Snapshots and changes ----


def test_a_snapshot_is_taken_up_by_another_match() -> None:
    match, other = begun(), begun()
    match.submit(1, Bid(2))
    other.restore(match.snapshot())
    assert digest(other.g) == digest(match.g)
    for one in (match, other):
        one.submit(0, Bid(0))
        one.submit(2, Bid(1))
    assert digest(other.g) == digest(match.g)


def test_recorded_changes_lead_from_one_table_to_the_next() -> None:
    match = Match(TEACHING, 3, secret=b"changes")
    rng = RandomBot(5).rng
    table = dict(match.g.table)
    while match.g.ask is not None:
        seat = match.waiting[0]
        delta = match.submit(seat, match.g.ask.options[seat].sample(rng))
        for key, value in match.core.changes(delta.places).items():
            if value is None:
                table.pop(key, None)
            else:
                table[key] = value
        assert table == match.g.table


def test_a_match_without_a_record_plays_the_same() -> None:
    matches = [Match(TEACHING, 3, secret=b"7", record=record, orders=standing(3)) for record in (True, False)]
    for match in matches:
        play_out(match, [RandomBot(seat) for seat in range(3)])
    assert matches[0].certificate() == matches[1].certificate()
    with pytest.raises(ValueError, match="not recorded"):
        matches[1].log(0)


# ---- Certificates ----


def test_a_certificate_holds_and_says_what_was_published_before() -> None:
    match = finished()
    certificate = msgspec.json.decode(msgspec.json.encode(match.certificate()))
    assert verify(TEACHING, certificate) == []
    assert certificate["commitment"] == commitment(match.secret)
    assert match.result is not None
    assert certificate["result"] == [match.result[0], list(match.result[1])]


def tampered(certificate: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(certificate))
    part: Any = copy
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("secret",), b"another".hex()),
        (("entropy", 1), b"x".hex()),
        (("name",), "another match"),
        (("commitment",), commitment(b"another")),
        (("journal", 3, 0), 2),
        (("journal", 3, 2), ["NameOmen", "nobody"]),
        (("journal", 4, 2), ["Nonsense"]),
        (("journal", 4, 1), "play"),
        (("options", "rounds"), 5),
        (("options", "drought"), True),
        (("final_digest",), "0" * 64),
        (("result", 1), [0, 1, 2, 3]),
        (("seats",), 4),
    ],
)
def test_a_certificate_that_was_tampered_with_does_not_hold(path: tuple[Any, ...], value: Any) -> None:
    assert verify(TEACHING, tampered(finished().certificate(), path, value)) != []


def test_a_match_can_be_replayed_up_to_any_input() -> None:
    match = finished(3)
    certificate = match.certificate()
    for upto in range(0, len(match.journal), 7):
        again = replay(TEACHING, certificate, upto=upto)
        assert len(again.journal) == max(upto, 3), "opening orders stand before the first question"
        for seat in (None, 0, 1, 2):
            assert again.log(seat) == match.log(seat)[: len(again.log(seat))]


@pytest.mark.parametrize("act", [[None], [["NameOmen"]], ["Nonsense"], ["NameOmen"], ["NameOmen", 1, 2], [{}]])
@pytest.mark.parametrize("kind", ["answer", "play", "orders", "absent", "window", "epoch", "opening", "nonsense"])
def test_a_journal_with_something_in_it_that_is_no_input(kind: str, act: list[Any]) -> None:
    certificate = finished().certificate()
    certificate["journal"].insert(5, [0, kind, act])
    with pytest.raises(BadJournal):
        replay(TEACHING, certificate)
    assert verify(TEACHING, certificate) == ["journal"]
    if kind != "opening":  # those stand before all else, wherever they are written
        assert len(replay(TEACHING, certificate, upto=5).journal) == 5


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_every_finished_match_verifies(seed: int) -> None:
    assert verify(TEACHING, finished(seed).certificate()) == []


def test_after_a_loss_of_its_end_a_match_goes_on_with_other_dice() -> None:
    ends = []
    for epoch in (0, 1, 2):
        match = begun()
        if epoch:
            match.raise_epoch(epoch)
        play_out(match, [RandomBot(seat) for seat in range(3)])
        certificate = match.certificate()
        assert verify(TEACHING, certificate) == []
        certificate["journal"] = [given for given in certificate["journal"] if given[1] != "epoch"]
        assert bool(verify(TEACHING, certificate)) == bool(epoch)
        ends.append(certificate["final_digest"])
    assert len(set(ends)) == 3


def test_the_chance_of_a_match_follows_from_all_who_took_part() -> None:
    def lots(**more: Any) -> bytes:
        return encode(Match(TEACHING, 4, **more).g)

    assert lots() == lots()
    assert len({lots(), lots(secret=b"x"), lots(name="x"), lots(entropy=[b"x"]), lots(entropy=[b"x", b""])}) == 5


def test_a_broken_match_is_our_fault_and_says_so() -> None:
    with pytest.raises(LawBroken, match="has no act 'Nonsense'"):
        execution.from_plain(TEACHING, ("Nonsense",))
    with pytest.raises(LawBroken, match="unknown refusal reason"):
        Refused("because", "I say so")
