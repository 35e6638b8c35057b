"""Acts on the wire: typed, generic, and refused as malformed."""

import re
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gen_acts
from landsraad.arrakis.v1 import acts_pb2 as arrakis_pb2
from landsraad.dune.v1 import acts_pb2 as dune_pb2
from landsraad.v1 import act_pb2, value_pb2
from landsraad.wire.acts import ActCodec
from landsraad.wire.annotations import UnsuitableAnnotation, defaults_of, kinds_of
from landsraad.wire.values import write_value
from landsraad_engine.errors import Refused
from landsraad_engine.kernel.execution import plain
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.teaching import acts as teaching_acts
from landsraad_engine.teaching.game import TEACHING

GAMES = {**{game: gen_acts.acts_of(game) for game in gen_acts.GAMES}, "teaching": list(TEACHING.acts)}
CODECS = {game: ActCodec(game, acts) for game, acts in GAMES.items()}


def filled(act: type[Act]) -> st.SearchStrategy[Act]:
    """Generate acts of one type with arbitrary values in their fields."""
    return st.builds(act, **{name: _values(hint) for name, hint in get_type_hints(act).items() if name in _names(act)})


def _names(act: type[Act]) -> tuple[str, ...]:
    return act.__struct_fields__


def _values(hint: Any) -> st.SearchStrategy[Any]:
    if get_args(hint)[1:] == (Ellipsis,):
        return st.lists(_values(get_args(hint)[0]), max_size=4).map(tuple)
    if getattr(hint, "__origin__", None) is tuple:
        return st.tuples(*map(_values, get_args(hint)))
    return st.from_type(hint).filter(lambda value: not isinstance(value, int) or -(1 << 31) <= value < 1 << 31)


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_an_act_comes_back(name: str, data: st.DataObject) -> None:
    act = data.draw(st.sampled_from(GAMES[name]).flatmap(filled))
    raw = CODECS[name].write(plain(act))
    parsed = act_pb2.Act.FromString(raw)
    # Fields are in the order of the engine, which may differ from that of their numbers.
    assert sorted(parsed.SerializeToString()) == sorted(raw)
    assert CODECS[name].read(parsed) == act
    assert repr(CODECS[name].read_plain(parsed)) == repr(plain(act))


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy
def test_an_act_by_names_is_the_same_act(name: str, data: st.DataObject) -> None:
    act = data.draw(st.sampled_from(GAMES[name]).flatmap(filled))
    kind = type(act).__name__
    fields = {
        field: value_pb2.Value.FromString(write_value(getattr(act, field))) for field in reversed(_names(type(act)))
    }
    assert CODECS[name].read(named(kind, **fields)) == act
    defaults = defaults_of(type(act))
    changed = {field: value for field, value in fields.items() if getattr(act, field) != defaults.get(field, ...)}
    assert CODECS[name].read(named(kind, **changed)) == act


def test_every_act_of_every_game_has_a_message(game: Game) -> None:
    codec = ActCodec(game.id, game.acts)
    assert set(codec.acts) == {act.__name__ for act in GAMES[game.id]}


@pytest.mark.parametrize("game", gen_acts.GAMES)
def test_every_field_of_every_act_is_explained(game: str) -> None:
    text = (gen_acts.ROOT / "proto" / "landsraad" / game / "v1" / "acts.proto").read_text()
    assert gen_acts.UNEXPLAINED not in text, "say in tools/act_fields.toml what the field means, then `make proto`"


#: How the explanation of a field of each kind may not begin.
UNFIT = {
    "string": ("Whether", "Ids ", "How many", "How much"),
    "repeated string": ("Whether", "Id ", "How m"),
    "int32": ("Whether", "Id"),
    "repeated int32": ("Whether", "Id"),
    "bool": ("Id", "How m", "The ", "Where "),
}


@pytest.mark.parametrize("game", gen_acts.GAMES)
def test_what_explains_a_field_fits_its_kind(game: str) -> None:
    text = (gen_acts.ROOT / "proto" / "landsraad" / game / "v1" / "acts.proto").read_text()
    fields = re.findall(
        r"^  // ([^\n]*)\n(?:  //[^\n]*\n)*  (?:optional )?((?:repeated )?\w+) \w+ = ", text, re.MULTILINE
    )
    assert len(fields) > 50
    assert [(said, kind) for said, kind in fields if said.startswith(UNFIT[kind])] == []


def test_what_is_left_out_has_the_engines_default() -> None:
    given = dune_pb2.DuneAct(propose_deal=dune_pb2.ProposeDeal(partner="emperor", i_pay=3))
    (deal,) = (act for act in GAMES["dune"] if act.__name__ == "ProposeDeal")
    assert CODECS["dune"].read(act_pb2.Act(dune=given)) == deal(partner="emperor", i_pay=3)
    travel = act_pb2.GenericAct(name="GiveWater")
    assert CODECS["teaching"].read(act_pb2.Act(generic=travel)) == teaching_acts.GiveWater()


def named(name: str, **fields: value_pb2.Value) -> act_pb2.Act:
    listed = [value_pb2.NamedValue(name=field, value=value) for field, value in fields.items()]
    return act_pb2.Act(generic=act_pb2.GenericAct(name=name, fields=listed))


TEXT, NUMBER = value_pb2.Value(text="a"), value_pb2.Value(number=1)
LEGION = {"source": "a", "target": "b", "leaders": [], "tokens": []}
MALFORMED: dict[str, tuple[str, act_pb2.Act, str]] = {
    "nothing": ("dune", act_pb2.Act(), ""),
    "nothing of the game": ("dune", act_pb2.Act(dune=dune_pb2.DuneAct()), ""),
    "of another game": ("dune", act_pb2.Act(arrakis=arrakis_pb2.ArrakisAct(done=arrakis_pb2.Done())), ""),
    "typed where names are wanted": ("teaching", act_pb2.Act(dune=dune_pb2.DuneAct()), ""),
    "too few figures": (
        "arrakis",
        act_pb2.Act(arrakis=arrakis_pb2.ArrakisAct(attack=arrakis_pb2.Attack(units=[1, 2], **LEGION))),  # type: ignore[arg-type]
        "units",
    ),
    "unknown name": ("teaching", named("Fly"), ""),
    "unknown name where there are types": ("dune", named("Fly"), ""),
    "unknown field where there are types": ("dune", named("Predict", wings=NUMBER), "wings"),
    "text for number where there are types": ("dune", named("Predict", faction=TEXT, turn=TEXT), "turn"),
    "name of another game": ("dune", named("Attack"), ""),
    "unknown field": ("teaching", named("Bid", water=NUMBER, wings=NUMBER), "wings"),
    "field twice": (
        "teaching",
        act_pb2.Act(
            generic=act_pb2.GenericAct(name="Bid", fields=[value_pb2.NamedValue(name="water", value=NUMBER)] * 2)
        ),
        "water",
    ),
    "missing field": ("teaching", named("Bid"), ""),
    "number for text": ("teaching", named("NameOmen", band=NUMBER), "band"),
    "text for number": ("teaching", named("Bid", water=TEXT), "water"),
    "flag for number": ("teaching", named("Bid", water=value_pb2.Value(flag=True)), "water"),
    "nothing for text": ("teaching", named("NameOmen", band=value_pb2.Value()), "band"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_no_act_of_the_game_is_malformed(case: str) -> None:
    game, given, field = MALFORMED[case]
    with pytest.raises(Refused) as refusal:
        CODECS[game].read(given)
    assert (refusal.value.reason, refusal.value.field) == ("malformed", field)


def test_a_field_without_a_form_is_found_when_the_game_is_loaded() -> None:
    class Dream(Act, frozen=True):
        of: dict[str, int]

    with pytest.raises(UnsuitableAnnotation, match=r"Dream\.of"):
        kinds_of(Dream)


def test_an_act_that_has_no_message_yet_is_found_when_the_game_is_loaded() -> None:
    with pytest.raises(UnsuitableAnnotation, match=r"Old.*make proto"):
        ActCodec("dune", [*GAMES["dune"], Old])


# --- the generator


class Old(Act, frozen=True):
    """Does something."""

    kept: int
    lost: str
    changed: str = "now"


def test_numbers_stay_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    class New(Act, frozen=True):
        """Does something."""

        added: bool
        changed: int | None  # of another type
        kept: int

    class Rest(Act, frozen=True):
        """Rests."""

    New.__name__ = "Old"
    monkeypatch.setattr(gen_acts, "acts_of", lambda game: [Old, Rest])
    first = gen_acts.file_text("dune", "")
    assert "  optional string changed = 3;" in first
    assert 'Left out: "now".' in first
    monkeypatch.setattr(gen_acts, "acts_of", lambda game: [New])
    second = gen_acts.file_text("dune", first)
    rows = {line.strip() for line in second.splitlines()}
    assert {
        "int32 kept = 1;",
        "bool added = 4;",
        "optional int32 changed = 5;",
        "reserved 2, 3;",
        'reserved "lost";',
    } <= rows
    assert {"Old old = 1;", "reserved 2;", 'reserved "rest";'} <= rows
    assert gen_acts.file_text("dune", second) == second
    monkeypatch.setattr(gen_acts, "acts_of", lambda game: [Old, Rest])
    third = gen_acts.file_text("dune", second)
    rows = {line.strip() for line in third.splitlines()}
    assert {"int32 kept = 1;", "string lost = 6;", "optional string changed = 7;", "Rest rest = 3;"} <= rows
    assert "reserved 2, 3, 4, 5;" in rows


def test_defaults_are_those_of_the_last_fields() -> None:
    assert defaults_of(Old) == {"changed": "now"}
