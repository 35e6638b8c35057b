"""Classic Dune as the kernel sees it: manifests of acts, frames, exceptions and options."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from landsraad_engine.content.digests import files_digest
from landsraad_engine.content.outlines import BoardOutline, outline_of
from landsraad_engine.content.parts import Component
from landsraad_engine.dune import (
    acts,
    announcements,
    bidding,
    board,
    collection,
    control,
    deals,
    invariants,
    karama,
    manoeuvre,
    movement,
    nexus,
    out_of_turn,
    revival,
    seating,
    setup,
    shared_territories,
    shipment,
    spice_blow,
    storm,
    truthtrance,
    unseen,
    whole_game,
    worms,
)
from landsraad_engine.dune.battle import battle, battle_karamas, leaderless, prescience, resolution, voice
from landsraad_engine.dune.battle import round as battle_round
from landsraad_engine.dune.components import components
from landsraad_engine.dune.disclosures import DISCLOSURES
from landsraad_engine.dune.factions import (
    atreides,
    atreides_battle,
    bene_gesserit,
    bene_gesserit_battle,
    bene_gesserit_movement,
    emperor,
    fremen,
    fremen_movement,
    fremen_worms,
    guild,
    harkonnen,
    harkonnen_battle,
    harkonnen_opportunistic,
)
from landsraad_engine.dune.treachery import infinity
from landsraad_engine.dune.treachery.manifest import CARDS
from landsraad_engine.dune.words import DOT, DuneSeatView, DuneState
from landsraad_engine.dune.zones import ZONES
from landsraad_engine.kernel.announcements import announcements_of
from landsraad_engine.kernel.frames import Frame, rule
from landsraad_engine.kernel.game import Explanation, Game, Graph, acts_of
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.match_options import TALK_OPTION, WINDOW_OPTION, OptionSpec
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.plays import Play
from landsraad_engine.kernel.zones import Zone

#: Modules that define frames, in the order of the rulebook.
FRAME_MODULES = (
    whole_game,
    seating,
    setup,
    storm,
    spice_blow,
    worms,
    nexus,
    bidding,
    revival,
    movement,
    shipment,
    manoeuvre,
    shared_territories,
    battle_round,
    battle,
    voice,
    prescience,
    battle_karamas,
    leaderless,
    resolution,
    collection,
    control,
    karama,
    out_of_turn,
    deals,
    truthtrance,
    infinity,
    atreides,
    bene_gesserit,
    bene_gesserit_movement,
    emperor,
    fremen,
    fremen_movement,
    fremen_worms,
    guild,
    harkonnen,
    harkonnen_battle,
    harkonnen_opportunistic,
    *CARDS,
)

SOURCES: tuple[Source, ...] = tuple(
    module.source
    for module in (
        atreides,
        atreides_battle,
        bene_gesserit,
        bene_gesserit_battle,
        emperor,
        fremen,
        guild,
        harkonnen,
        harkonnen_battle,
        shared_territories,
        *(card for card in CARDS if hasattr(card, "source")),
        deals,
        out_of_turn,
        karama,
    )
)

#: Out-of-turn plays, in the order in which they are offered.
PLAYS: tuple[Play, ...] = (
    *emperor.PLAYS,
    *harkonnen_opportunistic.PLAYS,
    *(play for card in CARDS for play in getattr(card, "PLAYS", ())),
    *leaderless.PLAYS,
    *truthtrance.PLAYS,
    *infinity.PLAYS,
    *deals.PLAYS,
)


#: Their kinds, in the order of the catalog; those of other cards follow.
_KINDS: Final = (
    *("deals", "offers", "withdrawal", "gifts", "truthtrance"),
    *("leaderless", "combat_medics", "opportunistic", "ghola", "infinity"),
)


class Dune(Game):
    """Classic six-faction Dune."""

    id = "dune"
    title = "Dune"
    seats = (2, 3, 4, 5, 6)
    state = DuneState
    facade = DuneSeatView
    disclosures = DISCLOSURES
    results = tuple(control.ENDED_BY)
    windows = (
        karama.WINDOW,
        bidding.WINDOW,
        resolution.WINDOW,
        movement.WINDOW,
        guild.WINDOW,
        fremen_worms.THUMPER,
        *(card.WINDOW for card in CARDS if hasattr(card, "WINDOW")),
    )
    out_of_turn = PLAYS
    #: in the order of the catalog
    play_kinds = tuple(dict.fromkeys((*_KINDS, *(play.kind for play in PLAYS if play.kind))))
    acts = acts_of(acts)
    announcements = announcements_of(announcements)
    frames: tuple[type[Frame], ...] = tuple(frame for module in FRAME_MODULES for frame in module.FRAMES)
    option_specs = (
        OptionSpec("length", 15, (10, 15), meaning="game turns", rule="DUNE-V.7"),
        OptionSpec("factions", "drawn", ("drawn", "chosen"), meaning="how seats get their factions", rule="DUNE-S.5"),
        OptionSpec("three_way_alliances", False, meaning="alliances of three are allowed", rule="DUNE-2A.6"),
        OptionSpec(
            "coexistence", "bernard", ("bernard", "wbc"), meaning="of tokens, or of territories", rule="DUNE-V.1"
        ),
        OptionSpec(
            "direct_prescience_voice", False, meaning="allies use Prescience and Voice themselves", rule="DUNE-V.8"
        ),
        OptionSpec(
            "shield_wall_stronghold", False, meaning="the Shield Wall counts after the sixth worm", rule="DUNE-V.10"
        ),
        OptionSpec("karama_reach", "seed", ("seed", "gf9"), meaning="which abilities Karama cancels", rule="DUNE-R.3"),
        WINDOW_OPTION,
        TALK_OPTION,
    )
    explanations: Mapping[type[Act], Explanation] = {
        act: why for module in FRAME_MODULES for act, why in getattr(module, "EXPLANATIONS", {}).items()
    }
    house_rules = ("DUNE-R.25", "DUNE-R.26", "DUNE-R.42", "DUNE-R.43")

    def layout(self, options: Mapping[str, Any], seats: int) -> Sequence[Zone]:
        return ZONES

    @rule("DUNE-0.28")
    def sources(self, options: Mapping[str, Any]) -> Sequence[Source]:
        return SOURCES

    def opening(self, g: Any) -> Frame:
        return whole_game.WholeGame()

    def player(self, g: Any, seat: int) -> str | None:
        faction: str | None = g.table.get(f"side/{seat}")
        # Before the players are seated nobody has anything to play.
        return faction if DOT.get(faction) in g.table else None

    def talks(self, g: Any, seat: int) -> Sequence[int]:
        return deals.talks(g, seat)

    def channels(self, g: Any) -> Sequence[tuple[int, ...]]:
        return (*super().channels(g), *deals.alliance_channels(g))

    def census(self, g: Any) -> Mapping[str, Sequence[str]]:
        return unseen.census(g)

    def guess(self, g: Any, key: str, rng: Random) -> Any:
        return unseen.guess(g, key, rng)

    def components(self, options: Mapping[str, Any]) -> Iterable[Component]:
        return components()

    def graphs(self, options: Mapping[str, Any]) -> Mapping[str, Graph]:
        return {"territories": board.neighbours, "cells": board.cell_neighbours}

    def outlines(self) -> Mapping[str, BoardOutline]:
        return {"cells": outline_of("dune")}

    def content_digest(self, options: Mapping[str, Any]) -> str:
        return files_digest("dune_board", "dune_decks")

    def problems(self, g: Any) -> list[str]:
        return invariants.problems(g)


DUNE = Dune()
