"""Questions in words: no id of the engine reaches a person, and everything that a choice depends on stands there."""

import re
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from random import Random
from typing import Any

import pytest
from rich.console import Console

from landsraad import games
from landsraad.client import Client
from landsraad.testing import LocalService
from landsraad.wording import wording_of
from landsraad_cli.terminal.dune_cards import card_text
from landsraad_cli.terminal.narrowing import MOST, hint, menu
from landsraad_cli.terminal.passing import Passing
from landsraad_cli.terminal.person import OutOfTurn, Person
from landsraad_cli.terminal.pictures import picture_of
from landsraad_cli.terminal.playing import play
from landsraad_cli.terminal.search import found_by
from landsraad_cli.terminal.stage import Screen
from landsraad_cli.terminal.standing_orders import in_words, orders_for
from landsraad_engine.arrakis.acts import DiscardForDice, PlaceVehicles
from landsraad_engine.dune.acts import (
    AnswerPrescience,
    BattlePlan,
    Bid,
    KeepTraitor,
    Manoeuvre,
    Pass,
    PlaceToken,
    Revive,
    Ship,
    ShipPrivileged,
)
from landsraad_engine.dune.pieces import LEADER_TITLE, STRENGTH, TREACHERY
from landsraad_engine.dune.promises import PLAN_PARTS, STORM_DIAL, TRAITOR_CALL
from landsraad_engine.dune.truthtrance import FACTS
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.domains import Alloc, Domain, Range, Subset
from landsraad_engine.kernel.execution import plays, standing_orders
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import standing

#: Forms of ids, of docstrings' markup, and of ranges that read as a mistake.
RAW = re.compile(r"\w+:[0-9]+|\b\w*[a-z]_[a-z]\w*|`|\b(\d+) to \1\b|[a-z]/[a-z]+\b|\(\)|\bNone\b|[{}]")


def spoken(match: Match, seat: int, *lines: str) -> tuple[str, Act]:
    """A question as the person at a seat reads it, with what these lines call up, and the act chosen in the end."""
    out = StringIO()
    console = Console(file=out, width=200)
    stage = Screen(picture_of(match.game), "a match", console=console)
    seen = match.view(seat)
    stage.show(match.log(seat)[-60:], match.game.facade.of(seen.places, seat, seen.at[0]), seen.at)
    typed: Iterator[str] = iter([*lines, "any"])
    # No rules: theirs are the rulebook's words, which name options by their ids.
    person = Person(stage, {}, console, lambda _: next(typed), standing_orders(match.game))
    ask = match.g.ask
    assert ask is not None
    try:
        act = person.choose(ask.options[seat], ask.why, plays(match.g, seat))
    except OutOfTurn:
        act = ask.options[seat].sample(Random(0))
    return out.getvalue(), act


def random_questions(name: str, number: int, seed: int) -> Iterator[tuple[Match, int, Random]]:
    """Questions of random matches, each at its place in a match, spread over whole matches."""
    game, rng = games.load(name), Random(seed)
    while number:
        seats = game.default_seats
        match = Match(game, seats, secret=rng.randbytes(8), orders=standing(seats) if rng.random() < 0.8 else {})
        while match.g.ask is not None and number:
            seat = rng.choice(match.waiting)
            if rng.random() < 0.1:
                number -= 1
                yield match, seat, rng
            match.answer(seat, match.g.ask.options[seat].sample(rng))


@pytest.mark.long
@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_no_id_of_the_engine_reaches_a_person(name: str) -> None:
    found = {}
    for match, seat, rng in random_questions(name, 100, seed=7):
        walk = [str(rng.randint(1, 5)) for _ in range(rng.randint(0, 4))]
        said, _ = spoken(match, seat, "h", "c", "s", "o", *walk, "0", *walk)
        for line in said.splitlines():
            if raw := RAW.search(line):
                found[raw[0]] = line
    assert found == {}, "\n".join(found.values())


@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_what_acts_do_is_said_without_markup(name: str) -> None:
    picture = picture_of(games.load(name))
    for kind in picture.game.acts:
        assert not RAW.search(picture.meaning(kind)), kind
        for field in kind.__struct_fields__:
            assert not RAW.search(picture.field(kind, field)), (kind, field)


@pytest.mark.parametrize("name", ["dune", "arrakis"])
def test_every_standing_order_has_words(name: str) -> None:
    for order in standing_orders(games.load(name)):
        assert in_words(name, order) == wording_of(name).orders[order]


def test_orders_for_abilities_of_another_faction_are_not_offered() -> None:
    known = standing_orders(games.load("dune"))
    assert set(known) - set(orders_for("dune", known, "atreides")) == set(wording_of("dune").order_sides)
    assert "thumper" in orders_for("dune", known, "fremen")
    assert orders_for("dune", known, None) == known


# ------------------------------------------------------------------------------------------- what a question is about


def frames_of(match: Match) -> Mapping[str, Mapping[str, Any]]:
    return {facts["frame"]: facts for facts in map(dict, match.view(None).at[0])}


def asked(wanted: Callable[[Match, Options], bool], seed: int = 3) -> tuple[Match, int]:
    """The first question of random matches of dune that is wanted, and a seat that has to answer it."""
    rng = Random(seed)
    while True:
        match = Match(games.load("dune"), 6, secret=rng.randbytes(8), orders=standing(6))
        while (ask := match.g.ask) is not None:
            for seat in match.waiting:
                if wanted(match, ask.options[seat]):
                    return match, seat
            seat = rng.choice(match.waiting)
            match.answer(seat, ask.options[seat].sample(rng))


def acts_of(options: Options) -> set[type[Act]]:
    return {choice.act for choice in options.choices}


def test_a_reaction_window_says_whose_act_it_is_about_how_many_and_where() -> None:
    def wanted(match: Match, options: Options) -> bool:
        return match.g.ask is not None and bool(match.g.ask.window) and "Shipment" in frames_of(match)

    match, seat = asked(wanted)
    facts = frames_of(match)["Shipment"]
    said, _ = spoken(match, seat)
    names = picture_of(match.game).names
    troops = names.counted("at", facts["counts"]).plain
    shipped = f"{names.title(facts['faction'])} ships {troops}"
    assert shipped in said
    assert f" to {names.title(facts['to'])}" in said[said.index(shipped) :]


def test_an_auction_tells_the_standing_bid_and_who_holds_it() -> None:
    match, seat = asked(
        lambda match, options: Bid in acts_of(options) and frames_of(match)["CardAuction"]["leader"] != ""
    )
    facts = frames_of(match)["CardAuction"]
    said, _ = spoken(match, seat)
    holder = picture_of(match.game).names.title(facts["leader"])
    assert f"The standing bid is {facts['high']} spice, held by {holder}." in said
    assert f"You have {match.view(seat).places[f'spice/{match.g.side(seat)}']} spice." in said


def test_a_question_of_prescience_names_the_part() -> None:
    match, seat = asked(lambda match, options: AnswerPrescience in acts_of(options))
    asker, target, part = match.g.table["battle/question"]
    title = picture_of(match.game).names.title
    said, _ = spoken(match, seat)
    assert f"{title(asker)} asks {title(target)} about one part of the plan: {title(part)}." in said


def slots_of(domain: Domain) -> tuple[str, ...]:
    assert isinstance(domain, Alloc)
    return domain.slots


def test_each_group_moves_from_where_it_stands() -> None:
    def wanted(match: Match, options: Options) -> bool:
        origins = {act.origin for act in options.enumerate(60) if isinstance(act, Manoeuvre)}
        return len(origins) > 1 and isinstance(menu(options), list) and options.count(limit=MOST + 1) <= MOST

    match, seat = asked(wanted)
    assert match.g.ask is not None
    said, _ = spoken(match, seat)
    names = picture_of(match.game).names
    for choice in match.g.ask.options[seat].choices:
        for act in Options([choice]).enumerate():
            if isinstance(act, Manoeuvre) and sum(act.units) == 1:
                slot = slots_of(choice.domain("units"))[act.units.index(1)]
                where, _, kind = slot.rpartition("/")
                one = {"tokens": "1 token", "elites": "1 elite", "coexisting": "1 coexisting token"}[kind]
                assert f"Move: {one} in {names.title(where)}, to {names.title(act.to)}" in said


def test_leaders_stand_with_their_strength_and_cards_with_what_they_do() -> None:
    match, seat = asked(
        lambda match, options: (
            BattlePlan in acts_of(options)
            and any(choice.domain("weapon").has("lasgun") for choice in options.choices if choice.act is BattlePlan)
        )
    )
    said, _ = spoken(match, seat, "c")
    view = match.game.facade(match.g, seat)
    assert isinstance(view, DuneSeatView)
    for leader in view.leaders(str(view.side)):
        assert f"{LEADER_TITLE[leader]}: leader, strength {STRENGTH[leader]}" in said
    assert "Lasgun: weapon: kills the opposing leader, whatever the defense; with a Shield, all there is destr" in said
    assert set(TREACHERY) == {card for card in TREACHERY if card_text(card)}


def test_traitors_are_kept_knowing_their_strength() -> None:
    match, seat = asked(lambda match, options: KeepTraitor in acts_of(options))
    said, _ = spoken(match, seat)
    assert match.g.ask is not None
    for act in match.g.ask.options[seat].enumerate():
        assert isinstance(act, KeepTraitor)
        assert f"Keep as traitor: {LEADER_TITLE[act.leader]}  (strength {STRENGTH[act.leader]}, leader of " in said


def test_every_question_of_truthtrance_has_words() -> None:
    to_come = {"karama", "revive", STORM_DIAL, "ally", "enter", "bid", TRAITOR_CALL}
    assert wording_of("dune").questions.keys() == FACTS.keys() | set(PLAN_PARTS) | to_come


def test_a_question_of_truthtrance_and_its_answer_are_told() -> None:
    picture = picture_of(games.load("dune"))
    picture.sides[2] = "fremen"
    asked = ("event", "announce", "DUNE-T.13", "TruthtranceAsked", "atreides", "fremen", "enter", "carthag")
    answer = ("event", "declare", "DUNE-T.15", 2, "enter", ("carthag", False))
    told = [sentence.plain for _, sentence in picture.tell([asked, answer])]
    question = "Will Fremen ship or move into Carthag in this turn?"
    assert told == [f"Atreides asks by Truthtrance: {question}", "Fremen answers: no"]
    facts = {"frame": "Truthtrance", "asker": "atreides", "target": "fremen", "question": "enter", "value": "carthag"}
    view = DuneSeatView.of({}, None, [facts])
    assert question in "".join(line.plain for line in picture.question(view, Options([])))


@pytest.mark.long
def test_prices_are_those_that_are_paid() -> None:
    """Every shipment and revival is told with what it then costs."""
    rng, checked = Random(5), {Ship: 0, ShipPrivileged: 0, Revive: 0}
    while min(checked.values()) < 3:
        match = Match(games.load("dune"), 6, secret=rng.randbytes(8), orders=standing(6))
        picture = picture_of(match.game)
        while (ask := match.g.ask) is not None:
            seat = rng.choice(match.waiting)
            act, side = ask.options[seat].sample(rng), match.g.side(seat) if "side/0" in match.g.table else ""
            told = picture.price(match.game.facade(match.g, seat), act) if type(act) in checked else ""
            purse = match.g.table.get(f"spice/{side}", 0)
            match.answer(seat, act)
            if isinstance(act, Revive):
                paid = purse - match.g.table.get(f"spice/{side}", 0)
                assert told == (f"{paid} spice in all" if paid else "at no cost")
                checked[Revive] += 1
            elif type(act) in checked and (declared := frames_of(match).get("Shipment")) and declared["fee"]:
                assert told == f"{declared['fee']} spice in all"
                checked[type(act)] += 1


def test_places_stand_with_the_price_of_a_shipment() -> None:
    def wanted(match: Match, options: Options) -> bool:
        elites = {
            value for choice in options.choices if choice.act is Ship for value in choice.domain("elites").values()
        }
        return acts_of(options) == {Pass, Ship} and options.count(limit=200) == 200 and elites == {0}

    match, seat = asked(wanted)
    said, _ = spoken(match, seat, "1", "1")
    assert "To ship a token costs 1 spice into a stronghold, 2 anywhere else." in said
    assert re.search(
        r"1 Arrakeen, .*\(each 1 spice in all\); .*Wind Pass.*\(each 2 spice in all\)", " ".join(said.split())
    )


# -------------------------------------------------------------------------------------------------------- the search


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("arra", "arrakeen:9"),
        ("tueks", "tueks_sietch:4"),
        ("Funeral Plain", "funeral_plain:14"),
        ("tabr", "sietch_tabr:13"),
    ],
)
def test_a_part_of_a_name_takes_the_one_place_that_has_it(typed: str, found: str) -> None:
    match, seat = asked(lambda match, options: PlaceToken in acts_of(options))
    assert spoken(match, seat, typed)[1] == PlaceToken(found)


def test_a_part_of_several_names_lists_them() -> None:
    match, seat = asked(lambda match, options: PlaceToken in acts_of(options))
    said, _ = spoken(match, seat, "hagga", "nowhere at all")
    assert "Which of these? Hagga Basin (11), Hagga Basin (12)" in said
    assert "Nothing here is called nowhere at all." in said


def test_several_places_are_named_with_commas() -> None:
    match = Match(games.load("arrakis"), 2, secret=b"names")
    seat = match.waiting[0]
    said, act = spoken(match, seat, "nowhere", "wind pass, ne-10, great flat")
    assert "Areas for harvesters: choose exactly 3 of these" in said
    assert "Nothing here is called nowhere." in said
    assert isinstance(act, PlaceVehicles)
    assert act.harvesters == ("ne_10", "the_great_flat", "wind_pass")


def test_an_empty_line_chooses_none_where_none_can_be_chosen() -> None:
    out = StringIO()
    console = Console(file=out, width=200)
    typed = iter([""])
    picture = picture_of(games.load("arrakis"))
    person = Person(Screen(picture, "a match", console=console), {}, console, lambda _: next(typed))
    cards = Options([Choice(DiscardForDice, cards=Subset(items=tuple("abcdefgh"), low=0, high=8))])
    assert person.choose(cards, "WFA-B.9", Options(())) == DiscardForDice(())
    assert "choose up to 8 of these" in out.getvalue()
    assert "just Enter chooses none" in out.getvalue()


def test_lines_of_a_menu_are_found_by_name_too() -> None:
    match, seat = asked(lambda match, options: KeepTraitor in acts_of(options))
    assert match.g.ask is not None
    last = list(match.g.ask.options[seat].enumerate())[-1]
    assert isinstance(last, KeepTraitor)
    assert spoken(match, seat, LEADER_TITLE[last.leader])[1] == last


@pytest.mark.parametrize(
    ("typed", "labels", "found"),
    [
        ("bas", ["Basin", "Plastic Basin"], ([0], True)),
        ("basin", ["Hagga Basin", "Plastic Basin"], ([0, 1], False)),
        ("carthag", ["Carthag", "Carthag South"], ([0], True)),
        ("thag", ["Carthag"], ([0], False)),
        ("x", ["Carthag"], ([], False)),
    ],
)
def test_the_best_match_is_found(typed: str, labels: list[str], found: tuple[list[int], bool]) -> None:
    assert found_by(typed, labels) == found


# -------------------------------------------------------------------------------------------------- ranges in words


@pytest.mark.parametrize(
    ("domain", "told"),
    [
        (Subset(items=("a", "b", "c", "d"), low=3, high=3), "choose exactly 3 of these"),
        (Subset(items=("a", "b", "c", "d"), low=0, high=2), "choose up to 2 of these"),
        (Subset(items=("a", "b", "c", "d"), low=1, high=2), "choose between 1 and 2 of these"),
        (Range(low=0, high=3), "type a number, up to 3"),
        (Range(low=2, high=3), "type a number, between 2 and 3"),
        (Alloc(slots=("a",), caps=(2,), low=2, high=2), "type a number: up to 2 a; exactly 2 in all"),
    ],
)
def test_ranges_are_told_in_words(domain: Domain, told: str) -> None:
    assert hint(domain, str, lambda number, slot: f"{number} {slot}").startswith(told)


# ------------------------------------------------------------------------------------------ passing, standing orders


PASS_OR_BID = Options([Choice(Pass), Choice(Bid, amount=Range(low=3, high=9))])


def test_one_passes_until_something_new_has_happened() -> None:
    match, _ = asked(lambda match, options: Bid in acts_of(options))
    view = match.game.facade(match.g, 0)
    other = next(faction for faction in match.g.sides if faction != view.side)
    passing = Passing()
    assert passing.answer(PASS_OR_BID, ("Pass",)) is None, "nobody has said so"
    passing.begin()
    assert passing.answer(PASS_OR_BID, ("Pass",)) == Pass()
    passing.hear([("event", "transfer", "DUNE-3.9", f"spice/{other}", "bank", 3)], 1, view)
    assert passing.answer(Options([Choice(Pass)]), ("Pass",)) == Pass(), "passing is all one can do"
    passing.hear([("event", "transfer", "DUNE-3.9", f"spice/{other}", "bank", 3)], 1, view)
    assert passing.answer(PASS_OR_BID, ("Pass",)) is None, "something is new, and one could do more"
    assert passing.answer(PASS_OR_BID, ("Pass",)) is None, "passing is over"


def test_what_concerns_the_seat_ends_its_passing() -> None:
    match, _ = asked(lambda match, options: Bid in acts_of(options))
    view = match.game.facade(match.g, 0)
    passing = Passing()
    passing.begin()
    passing.hear([("event", "shift", "DUNE-2.9", f"at/{view.side}/basin:8", f"tanks/{view.side}", (1, 0, 0))], 1, view)
    assert passing.answer(Options([Choice(Pass)]), ("Pass",)) is None


def test_one_cannot_pass_where_an_answer_is_due() -> None:
    match, seat = asked(lambda match, options: KeepTraitor in acts_of(options))
    said, _ = spoken(match, seat, "p")
    assert "You cannot pass here." in said


def test_p_passes_now_and_goes_on() -> None:
    match, seat = asked(lambda match, options: acts_of(options) == {Pass, Bid})
    said, act = spoken(match, seat, "p")
    assert act == Pass()
    assert "c           read your cards" not in said


def test_standing_orders_are_listed_set_and_cleared_while_one_plays(service: LocalService) -> None:
    with Client(transport=service.transport()) as client:
        match = client.create_match("dune", ["open", "house"])
        out = StringIO()
        console = Console(file=out, width=120)
        stage = Screen(picture_of(games.load("dune")), "test", console=console, live=False)
        known = client.game("dune").standing_orders
        typed = iter(["s clear", "s", "s 2 4", "s", "s 99", "s 4", "s", "q"])
        person = Person(stage, {}, console, lambda _: next(typed), known)
        assert play(client.join(match.name), person, stage) is None
    lists = re.findall(
        r"(?:^|> ) *1  (on |off)  .*\n *2  (on |off)  .*\n.*\n *4  (on |off)  ", out.getvalue(), re.MULTILINE
    )
    assert [tuple(word.strip() for word in each) for each in lists][:2] == [("off", "off", "off"), ("off", "on", "on")]
    assert lists[-1] == ("off", "on ", "off")
    assert "Type s and the numbers of orders" in out.getvalue()
