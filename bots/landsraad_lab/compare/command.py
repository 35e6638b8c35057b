"""`landsraad compare A B --game GAME`: which of two bots plays better, and by how much."""

from __future__ import annotations

import json as json_format
from math import ceil, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from landsraad_cli.local_match_options import (
    JobsOption,
    OptionOption,
    SeatsOption,
    SeedOption,
    check_seats,
    load_game,
    parse_bots,
    parse_match_options,
)
from landsraad_cli.output import JsonFlag, ProgressCallback, progress, show

if TYPE_CHECKING:
    from landsraad_lab.compare.running import Comparison
    from landsraad_lab.compare.schedule import ComparisonPlan

#: The status of a command that was interrupted at the terminal.
INTERRUPTED = 130
#: Sets that are played before the cost is told.
MEASURED_SETS = 4


def compare(
    a: Annotated[str, typer.Argument(help="The bot to compare with.")],
    b: Annotated[str, typer.Argument(help="The bot in question: is it better than A?")],
    game: Annotated[str, typer.Option("--game", help="The game's id.")],
    seats: SeatsOption = None,
    games: Annotated[int | None, typer.Option("--games", min=2, help="Play so many matches, without a test.")] = None,
    better: Annotated[
        float | None, typer.Option("--better", min=5, help="Test for so many points more (default: 40).")
    ] = None,
    alpha: Annotated[float, typer.Option("--alpha", min=0.001, max=0.4, help="Error if B equals A.")] = 0.05,
    beta: Annotated[float, typer.Option("--beta", min=0.001, max=0.4, help="Error if B is better by that.")] = 0.05,
    most_sets: Annotated[int, typer.Option("--most-sets", min=16, help="The test stays open after so many.")] = 5000,
    panel: Annotated[str, typer.Option("--panel", help="The bots of the other seats: one name, or all.")] = "greedy",
    time_limit: Annotated[float, typer.Option("--time-limit", min=0.01, help="CPU seconds for a decision.")] = 10.0,
    jobs: JobsOption = 1,
    seed: SeedOption = 1,
    option: OptionOption = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="Keep the sets in this folder, and go on from it.")
    ] = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write a report as one HTML file.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say what pairing has saved, and the faults.")] = False,
    json: JsonFlag = False,
) -> None:
    """Compare two bots: A and B play each board twice and swap seats between.

    The status is 0 if the run was sound, whoever is better.
    """
    from landsraad_engine.errors import EngineError
    from landsraad_lab.compare.report import write_report
    from landsraad_lab.compare.running import Stop
    from landsraad_lab.compare.running import compare as play_sets
    from landsraad_lab.compare.schedule import ComparisonPlan
    from landsraad_lab.statistics.sequential import Hypotheses

    if games is not None and (better is not None or games % 2):
        raise typer.BadParameter("give either an even number of --games or --better")
    found = load_game(game)
    number = check_seats(found, seats)
    options = parse_match_options(found, option, number)
    (a,), (b,) = parse_bots(a, 1, found), parse_bots(b, 1, found)
    others = parse_bots(panel, number - 2, found) if number > 2 else ()
    plan = ComparisonPlan(found.id, number, tuple(options.items()), a, b, others, seed, time_limit)
    test = None if games is not None else Hypotheses(better or 40.0, alpha, beta)
    stop = Stop(most_sets if games is None else games // 2, test)
    title = f"{found.title}, {number} seats: is {b} better than {a}?"
    try:
        with progress(title, None if games is None else stop.sets, always=True) as advance:
            comparison = play_sets(plan, stop, jobs, data, lambda now: _tell(now, jobs, advance))
    except KeyboardInterrupt:
        again = "The same command goes on from there." if data else "Give --data FOLDER, and a comparison can go on."
        typer.echo(f"landsraad compare: interrupted. {again}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except EngineError as error:
        typer.echo(f"landsraad compare: {error}", err=True)
        raise typer.Exit(1) from None
    if report is not None:
        write_report(report, plan, comparison, title)
    if json:
        print(json_format.dumps(result_of(comparison)), flush=True)
    else:
        show(_told(plan, comparison), title=title)
        if explain:
            _explain(comparison)


def result_of(comparison: Comparison) -> dict[str, Any]:
    """Return the result for programs. A bound that does not exist is null."""
    estimate = comparison.estimate
    assert comparison.verdict is not None
    return {
        "verdict": comparison.verdict.value,
        "estimate": round(estimate.value, 2),
        "low": round(estimate.low, 2) if isfinite(estimate.low) else None,
        "high": round(estimate.high, 2) if isfinite(estimate.high) else None,
        "sets": len(comparison.played),
        "games": 2 * len(comparison.played),
        "shares": shares_of(comparison),
        "seconds": round(comparison.seconds, 3),
        "timeouts": comparison.count("timeouts"),
        "faults": comparison.count("faults"),
        "saved_by_pairing": round(comparison.pairing.saved, 4),
    }


def shares_of(comparison: Comparison) -> dict[str, dict[str, float]]:
    """Return the mean share of the win of a match for A and B, with 95 % intervals clustered by set."""
    from landsraad_lab.statistics.sets import mean_share

    return {
        name: dict(
            zip(("mean", "low", "high"), mean_share([getattr(each, name) for each in comparison.shares]), strict=True)
        )
        for name in ("a", "b")
    }


def verdict_in_words(plan: ComparisonPlan, comparison: Comparison) -> str:
    """Return the verdict as a sentence about the bots."""
    from landsraad_lab.statistics.sequential import Verdict

    a, b = plan.a, plan.b
    test = comparison.stop.hypotheses
    match comparison.verdict:
        case Verdict.BETTER if test is not None:
            return f"{b} is better than {a}: the test rejects that they are equal"
        case Verdict.NOT_BETTER if test is not None:
            return f"{b} is not better than {a} by {test.better:g} points: the test rejects that"
        case Verdict.BETTER:
            return f"{b} is better than {a}: the interval lies above 0"
        case Verdict.WORSE:
            return f"{b} is worse than {a}: the interval lies below 0"
    return "open: these matches do not decide it"


def _told(plan: ComparisonPlan, comparison: Comparison) -> dict[str, object]:
    """Return the result for people."""
    result = result_of(comparison)
    low, high = ("none" if result[name] is None else f"{result[name]:+.0f}" for name in ("low", "high"))
    return {
        "verdict": verdict_in_words(plan, comparison),
        "estimate": f"{plan.b} {result['estimate']:+.0f} points; 95 % interval from {low} to {high}",
        **{name: result[name] for name in ("sets", "games", "seconds", "timeouts", "faults")},
    }


def _explain(comparison: Comparison) -> None:
    """Print what pairing has saved, and a line for each fault."""
    saved = comparison.pairing
    typer.echo(
        f"Pairing has saved {saved.saved:.0%} of the variance (95 % interval from {saved.low:.0%} to {saved.high:.0%}):"
        f" matches on boards of their own say as much as these if there are {_more(saved.saved)} times as many."
    )
    for played in comparison.played:
        for match in played.matches:
            for note in match.notes:
                typer.echo(note)


def _more(saved: float) -> str:
    return "many" if saved > 0.99 else f"{1 / (1 - saved):.2f}"


def _tell(now: Comparison, jobs: int, advance: ProgressCallback) -> None:
    """Report progress; after the first sets, say what the comparison will cost."""
    done = len(now.played)
    if done == MEASURED_SETS:
        typer.echo(cost_in_words(now, jobs), err=True)
    found = now.estimate if done % 10 == 0 else None
    note = "" if found is None else f"{done} sets, {found.value:+.0f} points ({found.low:+.0f} to {found.high:+.0f})"
    advance(note=note)


def cost_in_words(now: Comparison, jobs: int) -> str:
    """Return what a comparison will cost, measured on the sets that were played."""
    each = now.cpu_seconds_per_set
    likely, midway = (min(ceil(min(sets, now.stop.sets)), now.stop.sets) for sets in now.expected_sets())
    if now.test is None:
        return f"A set takes {each:.2g} CPU seconds: {likely} sets take {_minutes(each * likely, jobs)}."
    return (
        f"A set takes {each:.2g} CPU seconds. Expect about {likely} sets ({_minutes(each * likely, jobs)}),"
        f" and {midway} ({_minutes(each * midway, jobs)}) if the truth lies midway between the hypotheses."
    )


def _minutes(cpu_seconds: float, jobs: int) -> str:
    return f"{cpu_seconds / 60:.1f} CPU minutes, {cpu_seconds / 60 / jobs:.1f} minutes with {jobs} job{'s'[: jobs - 1]}"
