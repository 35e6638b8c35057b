"""A person at the terminal: menus of legal acts, rules by their ids, help."""

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
from landsraad_cli.terminal.narrowing import (
    Kind,
    Line,
    Menu,
    Typed,
    Value,
    default_act,
    hint,
    menu,
    parse_typed,
    with_value,
)
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.kernel.domains import Alloc, Domain
from landsraad_engine.kernel.grammar import Act, Options

_HELP: Final = """\
NUMBER      choose that line of the menu
0           go back to the first menu of this question
any         choose at random among the acts that are left
rest        leave everything that is still open at its default
b           draw the board                        l       repeat the last sentences
r           show the rule behind the question     r ID    show any rule, as in r DUNE-3.12
o           list the out-of-turn plays that you can make now
h           show this list
resign      give up the seat for good
q           leave; the match goes on, and `landsraad play --resume` comes back to it"""


class Quit(Exception):
    """The person has left the terminal, but not given up the seat."""


class Resigned(Exception):
    """The person gives up the seat."""


class OutOfTurn(Exception):
    """The person makes an out-of-turn play instead of answering."""

    def __init__(self, act: Act) -> None:
        super().__init__(act)
        self.act = act


class Person:
    """Menus in which a person chooses among legal acts. ``read`` returns a line that was typed, or raises EOFError."""

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
        """Let the person answer a question.

        Raises:
            Quit: The person leaves the terminal.
            Resigned: The person gives up the seat.
            OutOfTurn: The person makes another play first.
        """
        self._console.print(self._stage.table())
        self.rule(why)
        if note:
            self._console.print(Text(note, "bold yellow"))
        while True:
            act = self._narrowed(options, why, plays)
            if act is not None:
                return act

    def _narrowed(self, options: Options, why: str, plays: Options | None) -> Act | None:
        """Let the person choose an act, menu by menu. Without ``plays``, the menu is of plays, and None leads back from
        it.
        """
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
                act = default_act(left)
                if act is not None:
                    return act
                self._console.print("That leaves no act, or more than one. Choose further.")
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
            raise Quit from None

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
            left = with_value(lines.options, lines.field, parse_typed(lines.domain, said))
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
                raise Quit
            case _:
                self._console.print(Text(_HELP))

    def rule(self, rule: str) -> None:
        """Print a rule."""
        known = self._rules.get(rule)
        text = Text.assemble((f"{rule}  ", "bold"), known.text if known else "This rule is not in the rulebook here.")
        self._console.print(Panel(text, border_style="dim", title=known.heading if known else None, title_align="left"))

    def _out_of_turn(self, plays: Options, why: str) -> None:
        if not plays.choices:
            self._console.print("There is nothing that you can play out of turn now.")
            return
        self._console.print("You can make one of these plays out of turn. Type 0 to go back to the question.")
        act = self._narrowed(plays, why, None)
        if act is not None:
            raise OutOfTurn(act)


def _domain(asked: Options, act: Act, field: str) -> Domain | None:
    """Return the original domain of a field. After narrowing it would be a single value, which lacks the names of
    slots.
    """
    domains = (choice.domain(field) for choice in asked.choices if choice.act is type(act))
    return next((domain for domain in domains if domain.has(getattr(act, field))), None)
