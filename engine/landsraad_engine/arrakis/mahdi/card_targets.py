"""Parts of the automaton's cards that strike, take or turn up something: what lies closest to the Target Sietch."""

from collections.abc import Collection, Iterable, Sequence

from landsraad_engine.arrakis.acts import Bombard, ChooseEnemyDie, ChooseTarget, ChooseTargets, targets_choice
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.roll import throw
from landsraad_engine.arrakis.cards.corrino_ally import shuffle_back
from landsraad_engine.arrakis.cards.lasting import discardable_row
from landsraad_engine.arrakis.cards.spreading import back_to_the_pool
from landsraad_engine.arrakis.legions import TurnUpTokens
from landsraad_engine.arrakis.mahdi.automaton import decide, humans
from landsraad_engine.arrakis.mahdi.combat_power import power_at
from landsraad_engine.arrakis.mahdi.distances import beside, flown
from landsraad_engine.arrakis.mahdi.priorities import best, ranking
from landsraad_engine.arrakis.mahdi.targets import target_area
from landsraad_engine.arrakis.regeneration import ToTank
from landsraad_engine.arrakis.sides import ATREIDES, FIGURES, HARKONNEN, LEADER, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Subset

# ---- How close something is ----


@rule("WFA-Y.102")
def closest(g: ArrakisState, areas: Iterable[AreaId]) -> list[AreaId]:
    """Return the areas that no other is closer to the Target Sietch than."""
    target = target_area(g)
    return best(areas, lambda area: -flown(g, area, target))


@rule("WFA-Y.102")
def by_distance(g: ArrakisState, areas: Iterable[AreaId]) -> tuple[tuple[AreaId, ...], ...]:
    """Return areas from the closest to the Target Sietch to the furthest, those that tie together."""
    target = target_area(g)
    return ranking(areas, lambda area: -flown(g, area, target))


def room(g: ArrakisState, area: AreaId) -> int:
    """Return how many units more an area may hold; none where the Harkonnen cannot be."""
    if g.survey().barred(HARKONNEN) & g.board.bit[area]:
        return 0
    return max(0, g.stacking(HARKONNEN) - g.size(HARKONNEN, area))


def first_of(groups: Sequence[tuple[AreaId, ...]], number: int) -> tuple[tuple[AreaId, ...], Subset | None]:
    """Return which of the first so many areas are certain, and how the others are chosen among those that tie."""
    certain: tuple[AreaId, ...] = ()
    for group in groups:
        left = number - len(certain)
        if len(group) > left:
            return certain, Subset(tuple(sorted(group)), left, left) if left else None
        certain += group
    return certain, None


# ---- Named leaders, generic leaders ----


@rule("WFA-Y.125", "WFA-Y.130")
def leaders_in(g: ArrakisState, areas: Collection[AreaId]) -> list[str]:
    """Return the Atreides named leaders in these areas who are closest to the Target Sietch."""
    target = target_area(g)
    there = {leader: g.standing_at(leader) for leader in g.leaders_on_board(ATREIDES)}
    struck = [leader for leader, area in there.items() if area in areas]
    return best(struck, lambda leader: -flown(g, there[leader], target))


def strike_down(f: "StrikeClosest", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Send a named leader to the tank."""
    return ToTank(leaders=(act.target,))


class StrikeClosest(Frame):
    """The Atreides named leader in these areas who is closest to the Target Sietch goes to the tank."""

    areas: tuple[AreaId, ...]

    @step("WFA-Y.102", "WFA-Y.125", "WFA-Y.130")
    def choose(f, g: ArrakisState) -> Flow:
        leaders = leaders_in(g, f.areas)
        if not leaders:
            return END
        return decide(f, g, [ChooseTarget("strike_down", leader) for leader in leaders], strike_down, "WFA-Y.102")

    choose.answer(strike_down)


@rule("WFA-L.17")
def naibs_near_legions(g: ArrakisState) -> list[AreaId]:
    """Return the areas of Naibs in Sectors with a Harkonnen legion that are closest to the Target Sietch."""
    sectors = g.board.same_sectors(g.survey().harkonnen)
    areas = [area for area in g.board.names(g.survey().atreides & sectors) if g.figures(ATREIDES, area)[LEADER]]
    return closest(g, areas)


def remove_naib(f: "RemoveClosestNaib", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Take a Naib off the board."""
    g.dismiss(ATREIDES, act.target, one(FIGURES, LEADER))
    return None


class RemoveClosestNaib(Frame):
    """The closest Naib in a Sector with a Harkonnen legion goes off the board."""

    @step("WFA-Y.102")
    def choose(f, g: ArrakisState) -> Flow:
        areas = naibs_near_legions(g)
        if not areas:
            return END
        return decide(f, g, [ChooseTarget("remove_leader", area) for area in areas], remove_naib, "WFA-Y.102")

    choose.answer(remove_naib)


# ---- A special attack ----


@rule("WFA-Y.122", "WFA-Y.170")
def within_range(g: ArrakisState) -> list[AreaId]:
    """Return the Atreides legions next to a Harkonnen one that are struck first: highest power, a named leader."""
    reach = g.board.union(beside(g, area) for area in g.board.names(g.survey().harkonnen))
    legions = g.board.names(reach & g.survey().atreides)
    return best(legions, lambda area: power_at(g, ATREIDES, area), lambda area: bool(g.named_at(ATREIDES, area)))


def aim(f: "BombardByAutomaton", g: ArrakisState, seat: int, act: Bombard) -> Flow:
    """Aim at a legion, whose tokens are turned up."""
    f.area = act.area
    return TurnUpTokens(area=act.area)


class BombardByAutomaton(Frame):
    """Dice against a legion next to a Harkonnen one, Hits and Specials being hits."""

    dice: int
    area: AreaId = ""

    @step("WFA-Y.122")
    def choose(f, g: ArrakisState) -> Flow:
        areas = within_range(g)
        if not areas:
            return END
        return decide(f, g, [Bombard(area, "") for area in areas], aim, "WFA-Y.122")

    choose.answer(aim)

    @step("WFA-C.6")
    def strike(f, g: ArrakisState) -> Flow:
        rolled = throw(g, HARKONNEN, f.dice)
        hits = rolled.hits + rolled.specials
        return Casualties(side=ATREIDES, area=f.area, hits=hits, seats=g.seats_of(ATREIDES))


# ---- Wormsigns ----


def clear(f: "ClearClosestWormsigns", g: ArrakisState, seat: int, act: ChooseTargets) -> Flow:
    """Discard the closest wormsigns, and those of the humans' choice."""
    certain, _ = first_of(by_distance(g, g.board.names(g.survey().wormsigns)), f.count)
    back_to_the_pool(g, (*certain, *act.targets))
    return None


class ClearClosestWormsigns(Frame):
    """So many wormsigns that are closest to the Target Sietch are discarded."""

    count: int

    @step("WFA-Y.121", "WFA-Y.102")
    def choose(f, g: ArrakisState) -> Flow:
        certain, tied = first_of(by_distance(g, g.board.names(g.survey().wormsigns)), f.count)
        if not tied:
            back_to_the_pool(g, certain)
            return END
        return Ask.any_of(humans(g), targets_choice("discard_wormsigns", tied), why="WFA-Y.121")

    choose.answer(clear)


# ---- Cards and dice of the Atreides ----


def return_prescience(f: "ReturnPrescience", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Shuffle a revealed prescience card back."""
    shuffle_back(g, act.target)
    return None


class ReturnPrescience(Frame):
    """A revealed prescience card of the humans' choice goes back into its deck."""

    @step("WFA-Y.131", "WFA-Y.109")
    def choose(f, g: ArrakisState) -> Flow:
        cards = sorted(discardable_row(g))
        if not cards:
            return END
        acts = [ChooseTarget("choose_revealed", card) for card in cards]
        return decide(f, g, acts, return_prescience, "WFA-Y.131")

    choose.answer(return_prescience)


def lose_die(f: "LoseHouseDie", g: ArrakisState, seat: int, act: ChooseEnemyDie) -> Flow:
    """Discard a die."""
    g.use_die(act.dashboard, act.die)
    return None


@rule("WFA-Y.132")
def house_dice(g: ArrakisState) -> list[ChooseEnemyDie]:
    """Return the unused Atreides dice that show House, by dashboard."""
    return [ChooseEnemyDie(name, "house") for name in g.dashboards(ATREIDES) if g.dice(name).get("house")]


class LoseHouseDie(Frame):
    """An unused Atreides die that shows House is discarded."""

    @step("WFA-Y.132", "WFA-Y.109")
    def choose(f, g: ArrakisState) -> Flow:
        dice = house_dice(g)
        return decide(f, g, dice, lose_die, "WFA-Y.132") if dice else END

    choose.answer(lose_die)


# ---- Spies ----


@rule("WFA-Y.134")
def hidden_sietches(g: ArrakisState) -> list[AreaId]:
    """Return the closest Sietches that have not been turned up."""
    return closest(g, [area for area in g.board.names(g.survey().sietches) if g.hidden_sietch(area)])


@rule("WFA-Y.134")
def areas_with_tokens(g: ArrakisState) -> list[AreaId]:
    """Return the closest areas with Atreides deployment tokens."""
    return closest(g, [area for area in g.board.names(g.survey().atreides) if g.tokens(area)])


def reveal_sietch(f: "SpiesByAutomaton", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Turn up a Sietch."""
    g.turn_up_sietch(act.target)
    return None


def reveal_tokens(f: "SpiesByAutomaton", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Turn up all tokens of an area."""
    return TurnUpTokens(area=act.target)


class SpiesByAutomaton(Frame):
    """The closest Sietch that lies face down is turned up, and the tokens of the closest area that has any."""

    @step("WFA-Y.134", "WFA-Y.102")
    def sietch(f, g: ArrakisState) -> Flow:
        areas = hidden_sietches(g)
        if not areas:
            return goto("tokens")
        return decide(f, g, [ChooseTarget("reveal_sietch", area) for area in areas], reveal_sietch, "WFA-Y.134")

    sietch.answer(reveal_sietch)

    @step("WFA-Y.134", "WFA-Y.102")
    def tokens(f, g: ArrakisState) -> Flow:
        areas = areas_with_tokens(g)
        if not areas:
            return END
        return decide(f, g, [ChooseTarget("reveal_tokens", area) for area in areas], reveal_tokens, "WFA-Y.134")

    tokens.answer(reveal_tokens)


FRAMES = (
    StrikeClosest,
    RemoveClosestNaib,
    BombardByAutomaton,
    ClearClosestWormsigns,
    ReturnPrescience,
    LoseHouseDie,
    SpiesByAutomaton,
)
