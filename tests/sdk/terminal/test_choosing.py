"""A person chooses: menus hold what is legal and nothing else, and lead to an act whatever is picked."""

from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from landsraad import games
from landsraad.client import Client
from landsraad.errors import IllegalAct
from landsraad.models import Clock, RuleInfo, Ticket
from landsraad.seat_log import SeatDecision
from landsraad.testing import LocalService
from landsraad_cli.terminal.narrowing import MOST, Kind, Typed, default_act, hint, menu, parse_typed, with_value
from landsraad_cli.terminal.person import OutOfTurn, Person, Quit, Resigned
from landsraad_cli.terminal.picture import Picture
from landsraad_cli.terminal.playing import SavedSeat, play, time_left
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.arrakis.acts import RemoveExcess
from landsraad_engine.dune.acts import AcceptDeal, Bid, Pass, ProposeDeal
from landsraad_engine.dune.deals import proposals
from landsraad_engine.kernel.domains import Alloc, OneOf, Order, Range, Subset
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import standing
from landsraad_engine.teaching.game import TEACHING
from landsraad_engine.testing.dune import at_table

RULES = {"TEACH-1.5": RuleInfo("TEACH-1.5", "1", "Omens", "Name a band.")}


def questions(name: str, number: int) -> Iterator[Options]:
    """Questions of a random match."""
    game = games.load(name)
    match = Match(game, game.default_seats, secret=b"q", orders=standing(game.default_seats))
    rng = Random(4)
    for _ in range(number):
        if match.g.ask is None:
            return
        seat = match.waiting[0]
        options = match.g.ask.options[seat]
        yield options
        match.answer(seat, options.sample(rng))


def any_value(lines: Typed, rng: Random) -> Options:
    """Some value of a field that has to be typed."""
    act = lines.options.sample(rng)
    left = with_value(lines.options, lines.field, getattr(act, lines.field))
    assert left is not None
    return left


@pytest.mark.parametrize(("name", "number"), [("dune", 400), ("arrakis", 250)])
def test_every_way_through_the_menus_ends_at_a_legal_act(name: str, number: int) -> None:
    rng = Random(1)
    asked = list(questions(name, number))
    assert len(asked) > number // 10
    for options in asked:
        left: Options | Act = options
        for _ in range(20):
            if isinstance(left, Act):
                break
            lines = menu(left)
            if isinstance(lines, Typed):
                assert hint(lines.domain, str, lambda number, slot: f"{number} {slot}")
                left = any_value(lines, rng)
                continue
            assert 0 < len(lines) <= 5 * MOST
            line = rng.choice(lines)
            left = line if isinstance(line, Act) else line.options
        assert isinstance(left, Act)
        assert options.contains(left)


def test_few_acts_are_all_in_one_menu() -> None:
    few = [options for options in questions("dune", 200) if options.count(limit=MOST + 1) <= MOST]
    listed = 0
    for options in few:
        lines = menu(options)
        if isinstance(lines, list) and not any(isinstance(line, Kind) for line in lines):
            listed += 1
            assert lines == list(options.enumerate())
    assert listed > 20


def test_numbers_are_typed_not_chosen_from_a_numbered_list() -> None:
    bids = Options([Choice(Pass), Choice(Bid, amount=Range(low=3, high=9))])
    table = Table("2", "5")
    assert table.choose(bids) == Bid(5)
    assert "Amount: type a number, between 3 and 9" in table.said


@pytest.mark.parametrize(
    ("domain", "text", "value"),
    [
        (Range(low=0, high=99), "17", 17),
        (Alloc(slots=("a", "b"), caps=(9, 9), low=0, high=18), "3, 4", (3, 4)),
        (Subset(items=("a", "b", "c"), low=0, high=3), "3 1", ("a", "c")),
        (Subset(items=("a", "b"), low=0, high=2), "", ()),
        (Order(items=("a", "b", "c")), "2 3 1", ("b", "c", "a")),
    ],
)
def test_values_are_typed_as_the_hint_says(domain: Any, text: str, value: object) -> None:
    assert parse_typed(domain, text) == value
    assert domain.has(value)


@pytest.mark.parametrize("text", ["99", "a", "1 2 0"])
def test_what_is_no_value_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        parse_typed(Subset(items=("a", "b"), low=0, high=2), text)


class Table:
    """A person before a stage, who types what the test says."""

    def __init__(self, *lines: str) -> None:
        self.out = StringIO()
        console = Console(file=self.out, width=100)
        parse_typed = iter(lines)

        def read(prompt: str) -> str:
            self.out.write(prompt)
            try:
                return next(parse_typed)
            except StopIteration:
                raise EOFError from None

        self.stage = Screen(Picture(TEACHING), "test", console=console)
        self.person = Person(self.stage, RULES, console, read)

    def choose(self, options: Options, plays: Options | None = None) -> Act:
        return self.person.choose(options, "TEACH-1.5", plays or Options(()))

    @property
    def said(self) -> str:
        return self.out.getvalue()


@pytest.fixture
def question() -> Options:
    return next(options for options in questions("dune", 50) if 2 < options.count(limit=20) < 20)


def test_a_number_chooses_and_anything_else_helps(question: Options) -> None:
    table = Table("what?", "h", "99", "0", "2")
    assert table.choose(question) == list(question.enumerate())[1]
    assert "Nothing here is called what?. Type h for help." in table.said
    assert "back to the first menu" in table.said
    assert "Name a band." in table.said


def test_rules_are_told_by_their_ids(question: Options) -> None:
    table = Table("r", "r teach-1.5", "r DUNE-0", "b", "l", "o", "1")
    table.choose(question)
    assert table.said.count("Name a band.") == 3
    assert "DUNE-0  This rule is not in the rulebook here." in table.said
    assert "nothing that you can play out of turn" in table.said


@pytest.mark.parametrize(("lines", "outcome"), [(("q",), Quit), ((), Quit), (("resign",), Resigned)])
def test_one_can_leave_or_give_up(question: Options, lines: tuple[str, ...], outcome: type[Exception]) -> None:
    with pytest.raises(outcome):
        Table(*lines).choose(question)


def test_chance_may_choose_what_is_left(question: Options) -> None:
    assert question.contains(Table("any").choose(question))


def test_a_play_out_of_turn_comes_instead_of_an_answer(question: Options) -> None:
    with pytest.raises(OutOfTurn) as caught:
        Table("o", "1").choose(question, question)
    assert caught.value.act == next(question.enumerate())


def deals() -> Options:
    """The deals that can be offered: far more than a menu could list."""
    return Options(proposals(at_table("harkonnen", "atreides", "emperor").put("spice/harkonnen", 5).g, "harkonnen"))


def test_plays_out_of_turn_are_chosen_menu_by_menu(question: Options) -> None:
    table = Table("o", "2", "2", "rest")  # with whom, how much, and no more
    with pytest.raises(OutOfTurn) as caught:
        table.choose(question, deals())
    assert caught.value.act == ProposeDeal("emperor", i_pay=2)
    assert "Partner:\n  1  atreides" in table.said
    assert "out of turn: 1-2, h for help> " in table.said


def test_one_goes_back_from_a_play_out_of_turn_to_the_question(question: Options) -> None:
    table = Table("o", "1", "rest", "0", "0", "2")
    assert table.choose(question, deals()) == list(question.enumerate())[1]
    assert "Choose further" in table.said, "a deal of nothing is none"


def test_one_leaves_from_a_play_out_of_turn_as_well(question: Options) -> None:
    with pytest.raises(Quit):
        Table("o", "q").choose(question, deals())


def test_what_is_left_at_its_default_makes_an_act_only_if_that_is_one() -> None:
    assert default_act(deals()) is None
    paying = with_value(deals(), "i_bid_at_most", None)
    assert paying is not None
    assert default_act(paying) is None


def test_a_question_with_one_answer_asks_for_that() -> None:
    table = Table("1")
    only = Options([Choice(AcceptDeal, offer=OneOf((3,)))])
    assert table.choose(only) == AcceptDeal(3)
    assert "1, h for help> " in table.said


def test_numbers_are_told_with_what_they_count() -> None:
    allotted = Alloc(slots=("elite", "regular"), caps=(2, 2), low=2, high=2)
    table = Table("1")
    table.choose(Options([Choice(RemoveExcess, units=allotted, tokens=OneOf((None, "")))]))
    lines = [line.split(maxsplit=1)[1] for line in table.said.splitlines() if "Remove excess" in line]
    assert lines[0] == "Remove excess: 2 regular"
    assert "Remove excess: 1 elite and 1 regular" in lines


def test_many_acts_are_chosen_kind_by_kind_and_field_by_field() -> None:
    many = [options for options in questions("dune", 400) if options.count(limit=500) >= 500]
    assert many
    for options in many:
        assert options.contains(Table("1", "1", "0", "1", "any").choose(options))


def test_a_value_that_no_legal_act_has_is_asked_for_again() -> None:
    options = next(options for options in questions("dune", 400) if isinstance(menu(options), Typed))
    table = Table("77", "any")
    assert options.contains(table.choose(options))
    assert "No legal act has that value." in table.said


# ------------------------------------------------------------------------------------------------------- whole matches


def scripted(lines: Iterator[str]) -> Callable[[str], str]:
    def read(prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    return read


def seat_at(client: Client, service: LocalService, lines: Iterator[str]) -> tuple[Any, Person, Screen, StringIO]:
    match = client.create_match("teaching", ["open", "house"])
    out = StringIO()
    console = Console(file=out, width=100)
    stage = Screen(Picture(TEACHING), "test", console=console, live=False)
    return client.join(match.name), Person(stage, {}, console, scripted(lines)), stage, out


def test_a_whole_match(service: LocalService) -> None:
    with Client(transport=service.transport()) as client:
        seat, person, stage, out = seat_at(client, service, iter(["h", *["any"] * 1000]))
        result = play(seat, person, stage)
        assert result is not None
        assert result.ending in TEACHING.results
        assert "back to the first menu" in out.getvalue()


def test_what_is_refused_is_asked_again(service: LocalService, monkeypatch: pytest.MonkeyPatch) -> None:
    with Client(transport=service.transport()) as client:
        seat, person, stage, out = seat_at(client, service, iter(["any"] * 1000))
        answer, refusals = seat.answer, iter([IllegalAct("against_rules", "not on a Tuesday", rule="TEACH-1.5")])

        def balk(act: Act, decision: SeatDecision) -> None:
            for refusal in refusals:
                raise refusal
            answer(act, decision)

        monkeypatch.setattr(seat, "answer", balk)
        assert play(seat, person, stage) is not None
        assert "against_rules [TEACH-1.5]: not on a Tuesday." in out.getvalue()


def test_giving_up_ends_a_match_of_two(service: LocalService) -> None:
    with Client(transport=service.transport()) as client:
        seat, person, stage, _ = seat_at(client, service, iter(["any", "any", "resign"]))
        result = play(seat, person, stage)
        assert result is not None
        assert service.matches[seat.ticket.match].info.seats[0].presence


def test_one_leaves_and_comes_back(service: LocalService, tmp_path: Path) -> None:
    kept = tmp_path / "deep" / "seat.json"
    with Client(transport=service.transport()) as client:
        seat, person, stage, _ = seat_at(client, service, iter(["any", "q"]))
        SavedSeat.of("somewhere:1", seat.ticket).write(kept)
        assert play(seat, person, stage) is None
    assert kept.stat().st_mode & 0o077 == 0
    saved = SavedSeat.read(kept)
    assert (saved.server, saved.ticket) == ("somewhere:1", Ticket(seat.ticket.match, 0, seat.ticket.credential))
    with Client(transport=service.transport()) as client:
        _, person, stage, _ = seat_at(client, service, iter(["any"] * 1000))
        assert play(client.seat(saved.ticket), person, stage) is not None


@pytest.mark.parametrize(
    ("decision", "bank", "told"),
    [(30, 600, "You have 30 seconds, then 600 from your bank."), (30, 0, "You have 30 seconds."), (None, None, "")],
)
def test_the_clock_is_told_with_the_question(decision: float | None, bank: float | None, told: str) -> None:
    assert time_left(Clock(decision, bank, 0, "default_act", None, 0, 0)) == told
    assert time_left(None) == ""


def test_a_file_that_holds_no_seat(tmp_path: Path) -> None:
    (tmp_path / "seat.json").write_text("[]")
    with pytest.raises(ValueError, match="does not hold a seat"):
        SavedSeat.read(tmp_path / "seat.json")
