"""The components of War for Arrakis: the figures that are known, a second time; editions; an operator's own file."""

import random
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from landsraad_engine.arrakis import components as box
from landsraad_engine.arrakis import content
from landsraad_engine.arrakis.operations import vocabulary as ops
from landsraad_engine.arrakis.terms import EDITIONS, MARKERS, SIDE_OF, UNITS, ActionResult, EditionId, Faction
from landsraad_engine.content.documents import ContentProblems, read
from landsraad_engine.testing import covers

EXCLUSIVE = content.load()
PREVIEW = content.load(edition="preview_2022")
OVERLAYS = {"v1_1": "arrakis_v1_1.toml", "preview_2022": "arrakis_preview_2022.toml"}

COMBAT = {  # hits and shields of one Special
    "baron_harkonnen": (0, 2),
    "beast_rabban": (2, 0),
    "feyd_rautha": (2, 1),
    "thufir_hawat": (1, 2),
    "captain_aramsham": (1, 1),
    "gaius_helen_mohiam": (0, 3),
    "emperor_shaddam_iv": (2, 0),
    "paul_atreides": (1, 0),
    "lady_jessica": (0, 1),
    "reverend_mother_jessica": (0, 2),
    "gurney_halleck": (2, 1),
    "alia": (1, 0),
    "paul_muad_dib": (2, 1),
    "stilgar": (2, 0),
    "chani": (1, 1),
    "bashar": (1, 0),
    "naib": (1, 0),
    "wild_maker": (0, 0),
}


def compose(text: str, edition: EditionId = "exclusive") -> content.BoxContent:
    return content.compose(edition, read(text, "mine.toml"))


def problems(text: str, edition: EditionId = "exclusive") -> list[str]:
    with pytest.raises(ContentProblems) as raised:
        compose(text, edition)
    return [str(problem) for problem in raised.value.problems]


# ---- Known figures ----


@covers("WFA-S.17", "WFA-S.29")
def test_figures_in_the_box() -> None:
    supplies = {name: (row.regular, row.elite, row.special, row.leader) for name, row in EXCLUSIVE.supply.items()}
    assert supplies == {"harkonnen": (24, 12, 8, 6), "atreides": (16, 8, 6, 12)}
    vehicles = EXCLUSIVE.vehicles
    assert (vehicles.ornithopter, vehicles.harvester, vehicles.carryall) == (6, 8, 3)
    assert (EXCLUSIVE.worms.sandworm, EXCLUSIVE.worms.wild_maker) == (4, 1)


@covers("WFA-S.47", "WFA-S.48")
def test_dice() -> None:
    assert Counter(EXCLUSIVE.combat_die.faces) == {"hit": 3, "shield": 2, "special": 1}
    dice = EXCLUSIVE.action_dice
    assert (dice.harkonnen_dice, dice.atreides_dice) == (8, 4)
    assert Counter(dice.harkonnen) == {"strategy": 2, "leadership": 1, "deployment": 1, "mentat": 1, "house": 1}
    assert sorted(Counter(dice.atreides).values()) == [1, 1, 1, 1, 2]
    assert set(dice.atreides) == set(get_args(ActionResult))


@covers("WFA-V.4", "WFA-V.6")
def test_the_spice_must_flow() -> None:
    rows = [EXCLUSIVE.spice_row[str(step)] for step in (5, 4, 3, 2, 1)]
    assert [row.locked_dice for row in rows] == [0, 1, 2, 3, 4]
    assert [row.harvesters for row in rows] == [3, 4, 5, 5, 6]
    assert [row.ornithopters for row in rows] == [2, 2, 3, 4, 4]
    assert [row.carryalls for row in rows] == [1, 1, 1, 2, 2]


@covers("WFA-S.41", "WFA-S.42")
def test_where_the_imperium_markers_start() -> None:
    assert EXCLUSIVE.spice.start == content.load(edition="v1_1").spice.start == 5
    locked = PREVIEW.spice_row[str(PREVIEW.spice.start)].locked_dice
    assert PREVIEW.action_dice.harkonnen_dice - locked == 7


@covers("WFA-T.1", "WFA-Q.2", "WFA-S.12")
def test_dashboards_and_tracks() -> None:
    boards = EXCLUSIVE.dashboard
    assert (boards["giedi_prime"].slots, boards["giedi_prime"].tank) == (3, 5)
    assert (boards["sietch_tabr"].slots, boards["sietch_tabr"].tank) == (2, 3)
    for faction in get_args(Faction):
        shared = [set(board.boxes) for board in boards.values() if board.faction == faction and len(board.boxes) < 5]
        assert len(shared) == 2
        assert set.union(*shared) == set(get_args(ActionResult))
    assert EXCLUSIVE.supremacy.length == 10
    assert EXCLUSIVE.prescience_track.length == 10
    assert EXCLUSIVE.prescience_track.atomics_step == 8


@covers("WFA-S.38", "WFA-M.29", "WFA-M.30")
def test_tokens() -> None:
    pool = EXCLUSIVE.wormsign_tokens
    assert pool.sand + pool.sandworm + pool.burrowing == 16
    assert min(pool.sand, pool.sandworm, pool.burrowing) > 0
    stations = EXCLUSIVE.station_tokens
    assert (stations.kwisatz_haderach + stations.sand_dwellers + stations.jihad, stations.any) == (6, 0)
    stations = PREVIEW.station_tokens
    assert (stations.kwisatz_haderach + stations.sand_dwellers + stations.any, stations.jihad) == (6, 0)
    for faction in get_args(Faction):
        mine = [token for token in EXCLUSIVE.deployment_token.values() if token.set.startswith(faction)]
        for unit in UNITS:
            assert sum(getattr(token.units, unit) for token in mine) <= getattr(EXCLUSIVE.supply[faction], unit)
    printed = EXCLUSIVE.deployment_token["harkonnen_black_1"]
    assert (printed.units, printed.leader) == (ops.Units(regular=1, special=1), 1)


@covers("WFA-S.45", "WFA-S.46")
def test_bene_gesserit_tokens_and_cards() -> None:
    assert (EXCLUSIVE.bene_gesserit.tokens, EXCLUSIVE.bene_gesserit.atreides_start) == (5, 1)
    assert EXCLUSIVE.supremacy.bene_gesserit_steps == (4, 7)
    assert PREVIEW.bene_gesserit.tokens == 0
    assert PREVIEW.deck("corrino_ally").count("bene_gesserit_corrino") == 3
    assert PREVIEW.deck("house_atreides").count("bene_gesserit_atreides") == 3


# ---- Leaders and cards ----


def test_combat_abilities() -> None:
    leaders = EXCLUSIVE.leader.values()
    assert {each.id: (each.combat.hits, each.combat.shields) for each in leaders if not each.future} == COMBAT


@covers("WFA-L.25")
def test_a_card_that_names_paul_means_either() -> None:
    assert EXCLUSIVE.named("paul") == ("paul_atreides", "paul_muad_dib")
    assert EXCLUSIVE.named("jessica") == ("lady_jessica", "reverend_mother_jessica")
    assert EXCLUSIVE.named("alia") == ("alia",)
    assert EXCLUSIVE.leader["paul_muad_dib"].replaces == "paul_atreides"
    assert EXCLUSIVE.leader["reverend_mother_jessica"].replaces == "lady_jessica"


def test_who_is_in_play_at_the_start() -> None:
    def starting(edition: content.BoxContent) -> set[str]:
        return {each.id for each in edition.leader.values() if box.AtStart() in each.enters and not each.future}

    assert starting(EXCLUSIVE) == {
        "baron_harkonnen",
        "beast_rabban",
        "captain_aramsham",
        "paul_atreides",
        "lady_jessica",
        "stilgar",
    }
    assert starting(PREVIEW) == starting(EXCLUSIVE)
    assert PREVIEW.leader["emperor_shaddam_iv"].enters == (box.AtStart(shared_only=True),)
    assert PREVIEW.leader["gaius_helen_mohiam"].enters == (box.AtSupremacy(step=4, shared_only=True),)
    assert PREVIEW.leader["feyd_rautha"].removes == ""
    assert EXCLUSIVE.leader["feyd_rautha"].removes == "beast_rabban"


@covers("WFA-S.43")
@pytest.mark.parametrize("edition", EDITIONS)
def test_planning_decks(edition: EditionId) -> None:
    loaded = content.load(edition=edition)
    for deck in SIDE_OF:
        cards = loaded.deck(deck)
        assert len(cards) == 18
        assert [loaded.planning_card[card].number for card in cards] == sorted(
            loaded.planning_card[card].number for card in cards
        )
    assert sum(card.copies for card in loaded.planning_card.values() if not card.future) == 72
    copies = {card: count for deck in SIDE_OF for card, count in Counter(loaded.deck(deck)).items() if count > 1}
    gesserit = {"bene_gesserit_corrino": 3, "bene_gesserit_atreides": 3} if edition == "preview_2022" else {}
    assert copies == {"hawats_scheming": 3, "shai_hulud": 3} | gesserit


def test_a_possible_futures_cards_stand_in_for_hawats_scheming() -> None:
    usual = Counter(EXCLUSIVE.deck("house_harkonnen"))
    for future, card in {1: "twisted_mentat", 2: "guard_captain", 4: "trained_in_the_bene_gesserit_ways"}.items():
        changed = Counter(EXCLUSIVE.deck("house_harkonnen", future))
        assert changed - usual == {card: 3}
        assert usual - changed == {"hawats_scheming": 3}
    assert Counter(EXCLUSIVE.deck("house_harkonnen", 3)) == usual


@covers("WFA-S.37", "WFA-S.44", "WFA-Q.15")
def test_prescience_cards_and_objectives() -> None:
    phases = Counter(card.phase for card in EXCLUSIVE.prescience_card.values())
    assert phases == {"action_resolution": 8, "end_of_round": 8}
    water = EXCLUSIVE.prescience_card["paul_drinks_the_water_of_life"]
    assert water.requires == (
        ops.SpendActionDieRow(),
        ops.SendToTankRow(leader="paul", where="sector_without_enemy_legion"),
    )
    assert len(EXCLUSIVE.objective) == 6
    for objective in EXCLUSIVE.objective.values():
        assert all(0 < getattr(objective, marker) <= EXCLUSIVE.prescience_track.length for marker in MARKERS)


def test_together_the_cards_can_reach_every_objective() -> None:
    """Otherwise the Atreides could not win by prescience alone; stations and settlements come on top."""
    for marker in MARKERS:
        points = sum(
            reward.steps
            for card in EXCLUSIVE.prescience_card.values()
            for reward in card.rewards
            if isinstance(reward, ops.AdvanceMarkerRow) and reward.marker == marker
        )
        assert points >= max(getattr(objective, marker) for objective in EXCLUSIVE.objective.values())


# ---- Operations ----


def test_every_operation_is_documented_once() -> None:
    table = list(ops.documented())
    assert len({entry.name for entry in table}) == len(table) == 30
    assert all(entry.kinds and entry.meaning.endswith(".") for entry in table)
    assert {entry.name: entry.kinds for entry in table}["draw_cards"] == ("reward", "special")
    (draw,) = [entry for entry in table if entry.name == "draw_cards"]
    assert [(argument.name, argument.allowed, argument.default) for argument in draw.arguments] == [
        ("count", "a whole number from 1 to 8", ""),
        ("deck", "one of any, corrino_ally, fremen_ally, house_atreides, house_harkonnen", "any"),
    ]


def test_every_operation_of_the_module_is_in_the_vocabulary() -> None:
    defined = {
        each
        for each in vars(ops).values()
        if isinstance(each, type) and issubclass(each, ops.Operation) and each is not ops.Operation
    }
    assert {operation for kind in ops.KINDS.values() for operation in kind} == defined


# ---- Editions ----


@pytest.mark.parametrize(("edition", "file"), OVERLAYS.items())
def test_an_overlay_says_only_what_differs(edition: EditionId, file: str) -> None:
    before = {value.key: value.value for value in EXCLUSIVE.values}
    overlaid = [value for value in content.load(edition=edition).values if value.source == file]
    assert overlaid
    assert [value.key for value in overlaid if before.get(value.key) == value.value] == []


@covers("WFA-U.3")
def test_what_an_edition_does_not_say_is_as_in_the_exclusive_one() -> None:
    newest = content.load(edition="v1_1")
    assert {name for name in content.TABLES if getattr(newest, name) != getattr(EXCLUSIVE, name)} == {"modules"}
    assert PREVIEW.vehicles == EXCLUSIVE.vehicles
    changed = {area for area in EXCLUSIVE.area if PREVIEW.area[area] != EXCLUSIVE.area[area]}
    assert changed == {"north_pole"}


@covers("WFA-H.36")
def test_perils_of_2022() -> None:
    perils = PREVIEW.perils
    assert perils.worm_dice == box.ByTerrain(deep_desert=5, desert=4, minor_erg=3, plateau=3)
    assert perils.wild_maker_dice == box.ByTerrain(deep_desert=7, desert=6, minor_erg=5, plateau=5)
    assert perils.storm_dice == box.ByTerrain(deep_desert=3, desert=2, minor_erg=1, plateau=1)
    assert EXCLUSIVE.perils.worm_special_hits == box.ByTerrain(deep_desert=2, desert=1, minor_erg=0, plateau=0)


def test_unknown_edition() -> None:
    with pytest.raises(LookupError, match="no edition 'v2'; there is exclusive, v1_1, preview_2022"):
        content.load(edition="v2")  # type: ignore[arg-type]


# ---- Provenance and digest ----


def not_certain(of: content.BoxContent) -> list[content.Provenance]:
    return [value for value in of.values if value.certainty != "certain"]


@covers("WFA-U.10")
def test_provenance_lists_what_is_not_certain_and_where_it_stands() -> None:
    listed = {value.key: value for value in not_certain(EXCLUSIVE)}
    assert {value.certainty for value in listed.values()} == {"likely", "inferred", "reconstructed"}
    assert listed["leader.alia.box"].certainty == "reconstructed"
    assert listed["leader.alia.combat"].certainty == "likely"
    assert listed["leader.captain_aramsham.combat"].certainty == "likely"
    assert listed["area.ne_1.terrain"].certainty == "likely"
    assert listed["atomics.rimwall_west.removes_impassable_borders"].certainty == "reconstructed"
    certain = {value.key for value in EXCLUSIVE.values} - listed.keys()
    assert {
        "leader.paul_muad_dib.combat",
        "area.arrakeen.settlement_rank",
        "spice_row.3.harvesters",
        "prescience_card.paul_drinks_the_water_of_life.requires",
        "deployment_token.harkonnen_black_1.units",
    } <= certain


def test_the_line_of_a_value_is_where_it_stands() -> None:
    folder = Path(content.__file__).parents[1] / "content"
    lines = {file.name: file.read_text(encoding="utf-8").splitlines() for file in folder.glob("arrakis_*.toml")}
    for edition in EDITIONS:
        for value in content.load(edition=edition).values:
            key = value.key.rpartition(".")[2]
            assert f"{key} =" in lines[value.source][value.line - 1], value


def test_no_value_of_the_stand_ins_is_a_fact_of_the_other_files() -> None:
    """A stand-in fills a gap; where it would overrule something known, one of the two is wrong."""
    folder = Path(content.__file__).parents[1] / "content"
    said = [
        read((folder / f"arrakis_{name}.toml").read_text(encoding="utf-8"), name).data
        for name in ("components", "reconstructed")
    ]
    for table, rows in said[1].items():
        known = said[0].get(table, {})
        for row, fields in rows.items() if isinstance(rows, dict) else ():
            if isinstance(fields, dict) and isinstance(known.get(row), dict):
                assert set(fields) & set(known[row]) <= {"provenance", "provenance_of"}, (table, row)


def test_the_digest_is_of_what_is_played_with() -> None:
    assert len({content.load(edition=edition).digest for edition in EDITIONS}) == 3
    assert content.load() is EXCLUSIVE
    nothing = compose('provenance = "certain"')
    assert nothing.digest == EXCLUSIVE.digest
    same = compose('# said again\nprovenance = "certain"\n[leader.alia]\nbox = "house"')
    assert same.digest == EXCLUSIVE.digest
    assert "leader.alia.box" not in {value.key for value in not_certain(same)}
    other = compose('provenance = "likely"\n[leader.alia]\nbox = "mentat"')
    assert other.digest != EXCLUSIVE.digest


def test_content_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        EXCLUSIVE.limits.hand = 7  # type: ignore[misc]
    with pytest.raises(AttributeError):
        EXCLUSIVE.leader = {}  # type: ignore[misc]


# ---- An operator's own file ----

OWN_FILE = """
provenance = "likely"

[leader.alia]
box = "mentat"
special = [{ op = "draw_cards", deck = "house_atreides", count = 1 }, { op = "desert_power" }]

[limits]
hand = 7

[prescience_card]
remove = ["razzia"]

[prescience_card.the_sleeper_wakes]
title = "The Sleeper Wakes"
phase = "action_resolution"
requires = [
  { op = "marker_at_least", marker = "any", step = 4 },
  { op = "leader_in", leader = "paul", settlement = "with" },
]
rewards = [{ op = "advance_marker", marker = "any", steps = 1 }, { op = "draw_cards", count = 1 }]
provenance_of = { title = "certain" }
"""


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_operators_file_overrides_and_recombines(edition: EditionId, tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text(OWN_FILE, encoding="utf-8")
    mine = content.load(path, edition=edition)
    ours = content.load(edition=edition)
    assert mine.leader["alia"].special == (ops.DrawCardsRow(count=1, deck="house_atreides"), ops.DesertPowerRow())
    assert mine.leader["alia"].combat == ours.leader["alia"].combat
    assert mine.limits.hand == 7
    assert "razzia" not in mine.prescience_card
    card = mine.prescience_card["the_sleeper_wakes"]
    assert card.requires == (
        ops.MarkerAtLeastRow(marker="any", step=4),
        ops.LeaderInRow(leader="paul", settlement="with"),
    )
    assert mine.digest != ours.digest
    listed = {value.key: value for value in not_certain(mine)}
    assert (listed["leader.alia.box"].certainty, listed["leader.alia.box"].line) == ("likely", 5)
    assert listed["leader.alia.box"].source == str(path)
    assert "prescience_card.the_sleeper_wakes.title" not in listed


SENSELESS = """provenance = "likely"
[prescience_card.sihaya]
requires = [{ op = "happened", event = "station_taken", since = "turn" }]
"""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "mine.toml:1: the file must say provenance = one of certain, likely, inferred, reconstructed"),
        ('provenance = "sure"', "mine.toml:1: provenance: 'sure' is not allowed; one of certain, likely, inferred,"),
        ('provenance = "likely"\nx = [', "mine.toml:2: not valid TOML"),
        ('provenance = "likely"\n[leaders.alia]', "mine.toml:2: leaders: no such table; there is board, sector, air_"),
        ('provenance = "likely"\n[leader.alya]', "mine.toml:2: leader.alya: no such row; there is bashar, naib, baro"),
        ('provenance = "likely"\nleader = 1', "mine.toml:2: leader: must be a table"),
        (
            'provenance = "likely"\n\n[leader]\nalia = { box = "home" }',
            "mine.toml:4: leader.alia.box: 'home' is not allowed; one of deployment, desert_power, house, leadership,",
        ),
        (
            'provenance = "likely"\n[leader.alia]\ncolour = "green"',
            "mine.toml:3: leader.alia.colour: no such field; there is title, side, enters, generic, box, special, comb",
        ),
        (
            'provenance = "likely"\n[leader.alia]\nspecial = [\n  { op = "desert_power" },\n  { op = "fly" },\n]',
            "mine.toml:5: leader.alia.special[1].op: 'fly' is not allowed here; one of draw_cards, play_cards, return",
        ),
        (
            'provenance = "likely"\n[leader.alia]\nspecial = [\n  { op = "draw_cards", count = 12 },\n]',
            "mine.toml:4: leader.alia.special[0].count: 12 is not allowed; a whole number from 1 to 8",
        ),
        (
            'provenance = "likely"\n[leader.alia]\nspecial = [{ op = "draw_cards", number = 2 }]',
            "mine.toml:3: leader.alia.special[0].number: no such argument; there is count, deck",
        ),
        (
            'provenance = "likely"\n[leader.alia]\nspecial = [{ op = "draw_cards" }]',
            "mine.toml:3: leader.alia.special[0]: lacks count",
        ),
        (
            'provenance = "likely"\n[leader.alia]\nspecial = [{ op = "advance_marker", marker = "any", steps = 1 }]',
            "mine.toml:3: leader.alia.special[0].op: 'advance_marker' is not allowed here; one of draw_cards, play_ca",
        ),
        (
            'provenance = "likely"\n[leader.alia]\nspecial = ["desert_power"]',
            "mine.toml:3: leader.alia.special[0]: must be a table with op = one of draw_cards, play_cards, return_car",
        ),
        (
            'provenance = "likely"\n[leader.alia]\nspecial = [{ op = "attack", holding = "alya" }]',
            "mine.toml:3: leader.alia.special[0].holding: 'alya' is not a leader or none; there is",
        ),
        (
            'provenance = "likely"\n[leader.alia]\ncombat = { hits = true, shields = 1 }',
            "mine.toml:3: leader.alia.combat.hits: True is not allowed; a whole number from 0 to 30",
        ),
        (
            'provenance = "likely"\n[limits]\nhand = 6.5',
            "mine.toml:3: limits.hand: 6.5 is not allowed; a whole number from 1 to 8",
        ),
        (
            'provenance = "likely"\n[area.arrakeen]\nborders = ["cartag"]',
            "mine.toml:3: area.arrakeen.borders[0]: 'cartag' is not an area; there are 101, the nearest carthag",
        ),
        (
            'provenance = "likely"\n[area.arrakeen]\nborders = ["carthag"]',
            "mine.toml:3: area.arrakeen.borders: broken_land lists arrakeen, but not the reverse",
        ),
        (
            'provenance = "likely"\n[planning_card]\nremove = ["war_plan"]',
            "mine.toml:3: planning_card.remove: rows of this table can be changed, but not removed",
        ),
        (
            'provenance = "likely"\n[prescience_card]\nremove = [\n  "razzia",\n  "razia",\n]',
            "mine.toml:5: prescience_card.remove[1]: no such row 'razia'; there is",
        ),
        (
            'provenance = "likely"\n[prescience_card]\nremove = ["razzia"]',
            "mine.toml:2: prescience_card: there must be 8 cards for each phase; there are 7 for action_resolution",
        ),
        (
            'provenance = "likely"\n[prescience_card.Water]\ntitle = "Water"',
            "mine.toml:2: prescience_card.Water: a row's name is made of small letters, digits and _",
        ),
        (
            'provenance = "likely"\n[prescience_card.water]\ntitle = "Water"',
            "mine.toml:2: prescience_card.water: lacks phase, requires, rewards",
        ),
        (
            'provenance = "likely"\n[objective]\nremove = ["the_crusade"]',
            "mine.toml:2: objective: there must be 6 objectives; there are 5",
        ),
        (
            SENSELESS,
            "mine.toml:3: prescience_card.sihaya.requires: happened needs at_least or at_most",
        ),
        (
            'provenance = "likely"\n[planning_card.war_plan]\nnumber = 2',
            "mine.toml:3: planning_card.war_plan.number: house_atreides: one card, and one only, must have number 1 of",
        ),
        (
            'provenance = "likely"\n[deployment_token.atreides_standard_8]\nunits = { special = 4 }',
            "mine.toml:3: deployment_token.atreides_standard_8.units: the atreides tokens show 9 of kind special, more",
        ),
        (
            'provenance = "likely"\n[wormsign_tokens]\nsand = 9',
            "mine.toml:2: wormsign_tokens: there must be 16 of them; there are 19",
        ),
        (
            'provenance = "likely"\n[prescience_track]\nlength = 7',
            "mine.toml:3: prescience_track.length: the step of the Family Atomics lies beyond the end of the track",
        ),
        (
            'provenance = "likely"\n[leader.alia]\nspecial = []',
            "mine.toml:3: leader.alia.special: alia: a special action needs an action box, and the reverse",
        ),
        (
            'provenance = "likely"\n[action_dice]\natreides = ["house", "house", "house", "house", "house", "house"]',
            "mine.toml:3: action_dice.atreides: each of the five results must be on the die",
        ),
        (
            'provenance = "likely"\n[leader.alia]\nbox = "house"\nprovenance_of = { box = "maybe" }',
            "mine.toml:4: leader.alia.provenance_of.box: 'maybe' is not allowed; one of certain, likely, inferred, rec",
        ),
    ],
)
def test_errors_name_the_line_the_key_and_what_is_allowed(text: str, problem: str) -> None:
    found = problems(text)
    assert any(each.startswith(problem) for each in found), found


def test_all_errors_are_told_at_once_in_the_order_of_the_lines() -> None:
    text = 'provenance = "likely"\n[limits]\nhand = 99\nstacking = 0\n[leader.alia]\nbox = 3\n[nothing]\n'
    assert [each.split(" ")[0] for each in problems(text)] == [
        "mine.toml:3:",
        "mine.toml:4:",
        "mine.toml:6:",
        "mine.toml:7:",
    ]


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ContentProblems, match=r"box.toml:1: not a text in UTF-8"):
        content.load(path)


def test_a_leader_of_one_edition_is_unknown_in_the_others() -> None:
    text = 'provenance = "likely"\n[leader.feyd_rautha_alternative]\nbox = "mentat"'
    assert compose(text, "preview_2022").leader["feyd_rautha_alternative"].box == "mentat"
    assert problems(text)[0].startswith("mine.toml:2: leader.feyd_rautha_alternative: no such row")


@pytest.mark.parametrize("seed", range(5))
def test_no_file_gets_through_that_the_types_do_not_allow(seed: int) -> None:
    """Any value replaced by any other: either the content still holds together, or every problem is told."""
    rng = random.Random(seed)
    strange: tuple[Any, ...] = (-1, 0, 3, 10**20, True, "", "carthag", [], ["alia"], [[]], {}, {"op": "attack"}, [{}])
    for _ in range(40):
        value = rng.choice(EXCLUSIVE.values)
        odd = rng.choice(strange)
        table, *row, field = value.key.split(".")
        header = ".".join([table, *row])
        text = f'provenance = "likely"\n[{header}]\n{field} = {toml(odd)}\n'
        try:
            changed = compose(text)
        except ContentProblems:
            continue
        assert msgspec.convert(msgspec.to_builtins(changed.leader), dict[str, box.Leader]) == changed.leader


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return msgspec.json.encode(value).decode()
