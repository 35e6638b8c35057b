"""8: the drought, a variant that replaces one step."""

from landsraad_engine.kernel.frames import Flow, step
from landsraad_engine.teaching.journey import Journey, sand_takes_a_rider
from landsraad_engine.teaching.words import TeachingState


@step("TEACH-8.1")
def dry_sand(f: Journey, g: TeachingState) -> Flow:
    sand_takes_a_rider(f, g, upto=3)
    return None


OVERLAY = {("Journey", "sand"): dry_sand}
