"""`landsraad bench`: speed, as ratios to a measurement in the same run. Other packages add benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from landsraad import games
from landsraad_cli.command_table import LOADTEST_BENCHES, advise_loadtest
from landsraad_cli.output import JsonFlag, finish, require_known
from landsraad_engine.registry import Registry

#: name -> a function with typer arguments, from packages above the SDK
BENCHES = Registry("landsraad.benches", {})


class Benches(TyperGroup):
    """The benchmarks. One that is not installed is refused with the command that installs it."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # typer's name for a command is private
        if cmd_name in LOADTEST_BENCHES and cmd_name not in BENCHES:
            ctx.fail(f"`landsraad bench {cmd_name}` is not installed. {advise_loadtest()}")
        return super().get_command(ctx, cmd_name)


app = typer.Typer(
    cls=Benches,
    help="Measure speed, as ratios against something measured in the same run.",
    no_args_is_help=True,
    add_completion=False,
)


@app.callback()
def bench() -> None:
    """Keep `engine` a subcommand while it is the only one."""


@app.command()
def engine(
    game: Annotated[list[str] | None, typer.Option("--game", help="The game to measure (default: all).")] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.5, help="CPU seconds of random play per game.")] = 5.0,
    json: JsonFlag = False,
) -> None:
    """Measure random play, copies, state images and sampled worlds, next to a pure-Python calibration loop."""
    from landsraad_cli.local.engine_bench import calibration, measure

    names = [require_known("game", name, games.known()) for name in game or games.known()]
    result: dict[str, Any] = {"calibration_rounds_per_second": round(calibration())}
    for name in names:
        result[name] = measure(name, seconds)
    result["calibration_rounds_per_second_after"] = round(calibration())
    finish(result, as_json=json, title="Engine")


for _name in BENCHES.targets():
    app.command(name=_name)(cast("Callable[..., None]", BENCHES.load(_name)))
