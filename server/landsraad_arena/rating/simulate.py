"""Ladders with known marginal strengths: the test bench of the fit and its intervals.

`python -m landsraad_arena.rating.simulate --ladders 24` prints recovery and coverage for several kinds of ladder.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from time import process_time

import numpy as np

from .intervals import covariance, rate
from .model import (
    ANCHOR_POINTS,
    POINTS_PER_UNIT,
    Floats,
    Integers,
    Priors,
    RatedResult,
    StrengthFit,
    fit,
    gather,
    strength_weights,
)

#: Tables from which the marginal strengths are computed, and deals for each of them.
TABLES, DEALS = 6000, 16
#: The priors of that fit say next to nothing.
_FLAT = Priors(30.0, 30.0, 30.0)


@dataclass(frozen=True, slots=True)
class LadderKind:
    """A kind of ladder.

    Args:
        versions: Number of versions.
        seats: Seats at each table.
        factions: Number of factions.
        strength: Standard deviation of the versions' log strengths.
        faction: Log strength of the best faction; the worst has as much below 0.
        interaction: Standard deviation of version×faction.
        deal: Standard deviation of what a deal gives to each seat.
        alliances: Share of matches that an alliance of two wins.
        unfair: Half of the versions always take the better factions of the table.
        leaving: Share of the versions that are gone after a third of the matches.
        shared: Matches on each board, with the seats rotated.

    """

    versions: int = 12
    seats: int = 4
    factions: int = 6
    strength: float = 0.6
    faction: float = 0.7
    interaction: float = 0.2
    deal: float = 1.0
    alliances: float = 0.25
    unfair: bool = False
    leaving: float = 0.0
    shared: int = 1


class SimulatedLadder:
    """A ladder with drawn strengths, and matches on it."""

    def __init__(self, kind: LadderKind, seed: int) -> None:
        """Draw the strengths."""
        self.kind = kind
        self._rng = rng = np.random.default_rng(seed)
        self.names = [f"v{n:03}" for n in range(kind.versions)]
        versions = kind.strength * rng.standard_normal((kind.versions, 1))
        factions = np.linspace(kind.faction, -kind.faction, kind.factions)
        self._strengths = versions + factions + kind.interaction * rng.standard_normal((kind.versions, kind.factions))

    def _lineup(self, present: int, unfair: bool) -> tuple[Integers, Integers]:
        """Draw versions and factions of a table."""
        kind, rng = self.kind, self._rng
        versions = rng.permutation(present)[: kind.seats]
        factions = rng.permutation(kind.factions)[: kind.seats]
        if unfair:  # odd versions are favoured; the first faction is the best
            versions = versions[np.argsort(1 - versions % 2, kind="stable")]
            factions = np.sort(factions)
        return versions, factions

    def _shares(self, strengths: Floats) -> Floats:
        """Draw the result of a match."""
        kind, rng = self.kind, self._rng
        order = np.argsort(-(strengths + rng.gumbel(size=len(strengths))))
        winners = order[:2] if kind.seats > 2 and rng.random() < kind.alliances else order[:1]
        shares = np.zeros(len(strengths))
        shares[winners] = 1 / len(winners)
        return shares

    def play(self, matches: int) -> list[RatedResult]:
        """Play so many matches."""
        kind, rng = self.kind, self._rng
        results: list[RatedResult] = []
        while len(results) < matches:
            gone = kind.leaving if len(results) > matches / 3 else 0.0
            versions, factions = self._lineup(kind.versions - int(gone * kind.versions), kind.unfair)
            deal = kind.deal * rng.standard_normal(kind.seats)
            board = f"b{len(results):06}"
            for turn in range(min(kind.shared, matches - len(results))):
                seated = np.roll(versions, turn)
                shares = self._shares(self._strengths[seated, factions] + deal)
                names = tuple(self.names[n] for n in seated)
                results.append(RatedResult(names, tuple(f"f{n}" for n in factions), tuple(shares.tolist()), board))
        return results

    def marginal_strengths(self) -> Floats:
        """Return the true strengths on the marginal scale by Monte Carlo: the same model, fitted to expected shares.

        They are the strengths to which the fit of a fair ladder without end would come; their mean is 0.
        """
        kind, rng = self.kind, self._rng
        fair = []
        for _ in range(TABLES):
            versions, factions = self._lineup(kind.versions, unfair=False)
            deals = kind.deal * rng.standard_normal((DEALS, kind.seats))
            shares = self._expected_shares(self._strengths[versions, factions] + deals, kind.alliances).mean(axis=0)
            names = tuple(self.names[n] for n in versions)
            fair.append(
                RatedResult(names, tuple(f"f{n}" for n in factions), tuple((shares / shares.sum()).tolist()), "")
            )
        return strengths_of(fit(gather(fair), _FLAT))

    @staticmethod
    def _expected_shares(strengths: Floats, alliances: float) -> Floats:
        """Return the expected shares on each deal: (deals, seats)."""
        powers = np.exp(strengths)
        first = powers / powers.sum(axis=1, keepdims=True)
        if strengths.shape[1] == 2:
            return np.asarray(first)
        # the second winner is drawn from the others in the same manner
        given = powers[:, None, :] / (powers.sum(axis=1, keepdims=True) - powers)[:, :, None]
        seats = np.arange(strengths.shape[1])
        given[:, seats, seats] = 0.0
        second = (first[:, :, None] * given).sum(axis=1)
        return np.asarray((1 - alliances) * first + alliances * (first + second) / 2)


def strengths_of(fitted: StrengthFit) -> Floats:
    """Return the strengths of the versions in the order of their names, with mean 0."""
    found = strength_weights(fitted.tables) @ fitted.parameters
    return np.asarray(found - found.mean())


@dataclass(frozen=True, slots=True)
class Recovery:
    """The fit of one simulated ladder, beside the truth."""

    #: correlation of true and fitted strengths
    correlation: float
    #: share of the 95 % intervals of ratings that hold the truth; the anchor has none
    covered: float
    #: all ranges of ranks hold the truth
    ranks_held: bool
    #: CPU time of fit and covariance
    seconds: float


def recover(kind: LadderKind, matches: int, seed: int) -> Recovery:
    """Simulate a ladder, rate it and compare with its marginal strengths."""
    ladder = SimulatedLadder(kind, seed)
    truth = ladder.marginal_strengths()
    tables = gather(ladder.play(matches))
    begun = process_time()
    fitted = fit(tables)
    covariance(fitted)
    seconds = process_time() - begun
    anchor = tables.versions[0]
    rating = dict(zip(tables.versions, ANCHOR_POINTS + POINTS_PER_UNIT * (truth - truth[0]), strict=True))
    places = sorted(rating, key=lambda name: -rating[name])
    rows = rate(fitted, anchor)
    covered = [row.rating.low <= rating[row.version] <= row.rating.high for row in rows if row.version != anchor]
    held = [row.ranks[0] <= 1 + places.index(row.version) <= row.ranks[1] for row in rows if row.ranks]
    correlation = np.corrcoef(strengths_of(fitted), truth)[0, 1]
    return Recovery(float(correlation), float(np.mean(covered)), all(held), seconds)


#: The kinds of ladder of the table.
KINDS = {
    "fair": LadderKind(),
    "unfair": LadderKind(unfair=True),
    "no luck": LadderKind(deal=0.0),
    "much interaction": LadderKind(interaction=0.4),
    "drop-outs": LadderKind(leaving=0.3),
    "shared boards": LadderKind(shared=4),
    "two seats": LadderKind(seats=2, factions=2, alliances=0.0),
    "six seats": LadderKind(seats=6),
}


def main() -> None:
    """Print recovery and coverage of each kind of ladder."""
    parser = argparse.ArgumentParser(prog="python -m landsraad_arena.rating.simulate")
    parser.add_argument("--ladders", type=int, default=24)
    parser.add_argument("--matches", type=int, default=1200)
    parser.add_argument("--only", choices=KINDS)
    given = parser.parse_args()
    print("| ladder | r, mean | r, least | coverage | ranks | CPU s of a fit |\n|---|---|---|---|---|---|")
    for name in [given.only] if given.only else KINDS:
        found = [recover(KINDS[name], given.matches, seed) for seed in range(given.ladders)]
        correlations = [each.correlation for each in found]
        covered, seconds = np.mean([each.covered for each in found]), np.mean([each.seconds for each in found])
        ranks = np.mean([each.ranks_held for each in found])
        print(
            f"| {name} | {np.mean(correlations):.3f} | {min(correlations):.3f} | {covered:.1%} | {ranks:.0%}"
            f" | {seconds:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
