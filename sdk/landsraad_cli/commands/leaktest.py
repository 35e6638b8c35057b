"""`landsraad leaktest GAME`: the two-run test for hidden information in encoded logs, questions and refusals."""

from __future__ import annotations

from typing import Annotated

import typer

from landsraad_cli.local_match_options import (
    GameArgument,
    JobsOption,
    OptionOption,
    SeedOption,
    load_game,
    parse_fixed_options,
)
from landsraad_cli.output import JsonFlag, finish, progress


def leaktest(
    game: GameArgument,
    positions: Annotated[int, typer.Option("--positions", min=1, help="Number of positions to test.")] = 500,
    jobs: JobsOption = 1,
    seed: SeedOption = 1,
    option: OptionOption = None,
    wire: Annotated[
        bool, typer.Option("--wire", help="Compare the bytes that real services send. This needs landsraad-loadtest.")
    ] = False,
    web: Annotated[
        bool, typer.Option("--web", help="Compare the bytes that the page sends. This needs landsraad-loadtest.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Change what a seat must not know, play the same inputs, and compare every byte that the seat receives.

    With --wire, two real services are started, and everything that comes over the network is compared: streams,
    answers, refusals, explanations, clocks, presence, replays, the spectators' stream. It runs in one process.

    With --web, the seat and the spectators are visitors of the page, and everything that it sends them is compared:
    events, snapshots, answers with their headers, replays, lists, the catalog, errors.

    In the repository, matches also use the content files of its tests.

    The command fails on a difference, on a planted leak that is not noticed, if less than 90 % of the positions could
    be changed, and if a kind of secret was never changed. The last may be chance in a short run.
    """
    from landsraad_cli.local.checkout import offer_contents
    from landsraad_cli.local.leak_run import as_row, leak_all, load_brought_test, planted
    from landsraad_engine.testing.leaks.secrets import kinds

    if wire and web:
        raise typer.BadParameter("choose one of --wire and --web", param_hint="--web")
    found = load_game(game)
    offer_contents(found)
    given = parse_fixed_options(found, option)
    brought = "web" if web else "wire" if wire else ""
    test = load_brought_test(brought) if brought else leak_all
    with progress(f"two-run test of {found.title}", positions) as advance:
        total = test(found.id, positions, jobs, seed, given, advance)
    deliberate = planted(brought or found.id)
    caught = deliberate.caught() if deliberate is not None else {}
    missing = sorted(kinds(found) - set(total.changed_by_kind))
    result = {
        "game": found.id,
        "positions": total.positions,
        "changed": total.changed,
        "changed_by_kind": dict(sorted(total.changed_by_kind.items())),
        "missing": missing,
        "compared": dict(sorted(total.done.items())),
        "differences": [as_row(finding) for finding in total.findings[:20]],
        "planted": len(caught),
        "caught": sum(caught.values()),
        "missed": sorted(name for name, hit in caught.items() if not hit),
    }
    enough = total.changed >= 0.9 * total.positions
    held = not total.findings and (brought or not missing) and enough and all(caught.values())
    finish(result, as_json=json, title=f"Two-run test of {found.title}", held=held)
