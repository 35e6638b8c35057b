"""Declarations of frames and steps: names, citations, and the flow table that they make."""

import pytest

from landsraad_engine.errors import LawBroken
from landsraad_engine.kernel.frames import Flow, FlowTable, Frame, Step, rule, step
from landsraad_engine.kernel.state import State


class Over(Frame):
    """A frame of one step that ends the match."""

    @step("R-9")
    def over(f, g: State) -> Flow:
        g.finish("over", ())
        return None


def test_rules_cited_by_functions() -> None:
    @rule("R-1", "R-2")
    def helper() -> None: ...

    assert vars(helper)["rules"] == ("R-1", "R-2")


def test_frames_have_names_of_their_own_and_steps() -> None:
    class Empty(Frame):
        pass

    with pytest.raises(LawBroken, match="two frames with one name"):
        FlowTable((Over, Over))
    with pytest.raises(LawBroken, match="Empty has no steps"):
        FlowTable((Empty,))


def test_step_is_what_the_decorator_makes() -> None:
    assert isinstance(Over.STEPS["over"], Step)
