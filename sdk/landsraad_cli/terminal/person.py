"""A person at the terminal who plays a seat: menus of legal acts, rules by their ids, help."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from landsraad.models import RuleInfo
from landsraad_cli.terminal.names import humanised
from landsraad_cli.terminal.narrowing import Kind, Line, Menu, Typed, Value, fixed, hint, menu, typed, usual
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.kernel.domains import Alloc, Domain
from landsraad_engine.kernel.grammar import Act, Options

_HELP: Final = """\
NUMBER      choose that line of the menu
0           back to the first menu of this question
any         let chance choose among what is left
rest        leave all that is still open at its default, as what is no part of a deal
b           draw the board          l    what has happened last
r           the rule that puts the question        r ID    any rule, as in r DUNE-3.12
o           out-of-turn plays that you could make now
h           this list
resign      give the seat up for good
q           leave; the match goes on without you, and `landsraad play --resume` comes back"""


class Left(Exception):
    """The person has left the terminal, not the match."""


class Resigned(Exception):
    """The person gives up."""


class OutOfTurn(Exception):
    """The person does something else instead of answering."""

    def __init__(self, act: Act) -> None:
        super().__init__(act)
        self.act = act


class Person:
    """Chooses among legal acts. ``read`` gives what is typed, or raises EOFError."""

    def __init__(
        self, stage: Screen, rules: Mapping[str, RuleInfo], console: Console, read: Callable[[str], str] = input
    ) -> None:
        self._stage = stage
        self._picture = stage.picture
        self._rules = rules
        self._console = console
        self._read = read
        self._rng = Random()

    def choose(self, options: Options, why: str, plays: Options, note: str = "") -> Act:
        """An answer to a question; Left, Resigned or OutOfTurn if the person wants something else."""
        self._console.print(self._stage.table())
        self.rule(why)
        if note:
            self._console.print(Text(note, "bold yellow"))
        while True:
            act = self._narrowed(options, why, plays)
            if act is not None:
                return act

    def _narrowed(self, options: Options, why: str, plays: Options | None) -> Act | None:
        """An act, menu by menu. Without ``plays`` one is out of turn already: None leads back to the question."""
        left = options
        while True:
            lines = menu(left)
            self._list(lines, options)
            said = self._said(lines, "" if plays is not None else "out of turn: ")
            if said == "0":
                if left is options and plays is None:
                    return None
                left = options
            elif said == "any":
                return left.sample(self._rng)
            elif said == "rest":
                act = usual(left)
                if act is not None:
                    return act
                self._console.print("That leaves no act, or more than one: choose further.")
            elif isinstance(lines, Typed):
                left = self._typed(lines, said, why, plays) or left
            elif said.isdigit() and 1 <= int(said) <= len(lines):
                line = lines[int(said) - 1]
                if isinstance(line, Act):
                    return line
                left = line.options
            elif said:
                self._command(said, why, plays)
            act = left.only()
            if act is not None and left is not options:
                return act

    def _said(self, lines: Menu, where: str) -> str:
        numbers = "value" if isinstance(lines, Typed) else f"1-{len(lines)}" if len(lines) > 1 else "1"
        try:
            return self._read(f"{where}{numbers}, h for help> ").strip()
        except EOFError:
            raise Left from None

    # ------------------------------------------------------------------------------------------------------- the menu

    def _list(self, lines: Menu, asked: Options) -> None:
        if isinstance(lines, Typed):
            self._console.print(Text(f"{humanised(lines.field).capitalize()}: {hint(lines.domain, self._title)}"))
            return
        for number, line in enumerate(lines, 1):
            self._console.print(Text.assemble((f"{number:3}  ", "bold"), self._worded(line, asked)))

    def _worded(self, line: Line, asked: Options) -> Text:
        match line:
            case Kind(kind=kind):
                meaning = (inspect.getdoc(kind) or "").partition("\n")[0]
                return Text.assemble((humanised(kind.__name__).capitalize(), "bold"), " …  ", (meaning, "dim"))
            case Value(field=field, value=value, domain=domain):
                return Text.assemble(f"{humanised(field)} ", self._value(value, domain))
            case act:
                return self._picture.act(act, lambda field, value: self._value(value, _domain(asked, act, field)))

    def _value(self, value: Any, domain: Domain | None) -> Text:
        names = self._picture.names
        if isinstance(domain, Alloc):
            slots = zip(domain.slots, value, strict=True)
            return names.listed(Text.assemble(str(n), " ", names.say(slot)) for slot, n in slots if n)
        return names.say(value)

    def _title(self, value: Any) -> str:
        return self._picture.names.say(value).plain

    def _typed(self, lines: Typed, said: str, why: str, plays: Options | None) -> Options | None:
        try:
            left = fixed(lines.options, lines.field, typed(lines.domain, said))
        except (ValueError, KeyError):
            left = None
        if left is None:
            if said[:1].isdigit():
                self._console.print("No legal act has that value.")
            elif said:
                self._command(said, why, plays)
        return left

    # --------------------------------------------------------------------------------------------------- other things

    def _command(self, said: str, why: str, plays: Options | None) -> None:
        match said.split():
            case ["b"]:
                self._console.print(self._stage.table())
            case ["l"]:
                self._stage.repeat()
            case ["r"]:
                self.rule(why)
            case ["r", rule]:
                self.rule(rule.upper())
            case ["o"] if plays is not None:
                self._out_of_turn(plays, why)
            case ["resign"]:
                raise Resigned
            case ["q"]:
                raise Left
            case _:
                self._console.print(Text(_HELP))

    def rule(self, rule: str) -> None:
        """What a rule says."""
        known = self._rules.get(rule)
        text = Text.assemble((f"{rule}  ", "bold"), known.text if known else "this rule is not in the rulebook here")
        self._console.print(Panel(text, border_style="dim", title=known.heading if known else None, title_align="left"))

    def _out_of_turn(self, plays: Options, why: str) -> None:
        if not plays.choices:
            self._console.print("There is nothing that you could play out of turn now.")
            return
        self._console.print("You can make one of these plays out of turn; 0 leads back to the question.")
        act = self._narrowed(plays, why, None)
        if act is not None:
            raise OutOfTurn(act)


def _domain(asked: Options, act: Act, field: str) -> Domain | None:
    """What a field of an act was chosen from, before anything was fixed: its numbers are those of slots, perhaps."""
    domains = (choice.domain(field) for choice in asked.choices if choice.act is type(act))
    return next((domain for domain in domains if domain.has(getattr(act, field))), None)
