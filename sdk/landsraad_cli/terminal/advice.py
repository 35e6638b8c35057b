"""Advice in words: the candidates of a bot with their values, for `play --advice` and `replay --bot`."""

from __future__ import annotations

from collections.abc import Callable

from landsraad.advice import Advice
from landsraad_engine.kernel.grammar import Act


def advice_lines(advice: Advice, said: Callable[[Act], str]) -> list[str]:
    """Return a line for each candidate: the chosen one is marked.

    Args:
        advice: The advice.
        said: Words an act.
    """
    lines = [f"Nothing was searched: {advice.note}."] if advice.note else []
    for each in advice.candidates:
        mark = ">" if each.act == advice.chosen else " "
        if each.value is None or each.low is None or each.high is None:
            value = "not tried"
        else:
            value = f"{each.value:4.0%} ({each.low:.0%} to {each.high:.0%}, {each.worlds} worlds)"
        lines.append(f"  {mark} {value}  {said(each.act)}  [{each.rule}]")
    return lines
