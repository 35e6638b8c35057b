"""A person at the terminal: menus of legal acts, rules by their ids, help."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, Final

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from landsraad.advice import Advice
from landsraad.models import RuleInfo
from landsraad_cli.terminal.advice import advice_lines
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
    named_values,
    parse_typed,
    with_value,
)
from landsraad_cli.terminal.passing import Passing, passing_act
from landsraad_cli.terminal.search import found_by
from landsraad_cli.terminal.stage import Screen
from landsraad_cli.terminal.standing_orders import changed, in_words, orders_for
from landsraad_engine.kernel.domains import Domain, Subset
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.kernel.reserved_places import orders_key

#: The most names in one answer to a search.
_MOST_FOUND: Final = 30
_HELP: Final = """\
NUMBER      choose that line of the menu
a name      choose the line with that name; a part that fits one line is enough, as in arr for Arrakeen
0           go back to the first menu of this question
any         choose at random among the acts that are left
rest        leave everything that is still open at its default
b           draw the board                        l       repeat the last sentences
r           show the rule behind the question     r ID    show any rule, as in r DUNE-3.12
c           read your cards and leaders: what they do, how strong they are
o           list the out-of-turn plays that you can make now
p           pass until something changes: until something concerns you, or you could do more than pass after news
s           list your standing orders               s N     turn order N on or off; s clear turns all off
h           show this list
resign      give up the seat for good
q           leave; the match goes on, and landsraad play --resume comes back to it"""


#: The words that stand for an act: any act, the defaults, and passing until something changes.
_ACTING: Final = ("any", "rest", "p")


class Quit(Exception):
    """The person has left the terminal, but not given up the seat."""


class Resigned(Exception):
    """The person gives up the seat."""


class ChangedOrders(Exception):
    """The person changes the standing orders of the seat."""

    def __init__(self, orders: tuple[str, ...]) -> None:
        super().__init__(orders)
        self.orders = orders


class OutOfTurn(Exception):
    """The person makes an out-of-turn play instead of answering."""

    def __init__(self, act: Act) -> None:
        super().__init__(act)
        self.act = act


class Person:
    """Menus in which a person chooses among legal acts. ``read`` returns a line that was typed, or raises EOFError."""

    def __init__(
        self,
        stage: Screen,
        rules: Mapping[str, RuleInfo],
        console: Console,
        read: Callable[[str], str] = input,
        orders: Sequence[str] = (),
    ) -> None:
        self._stage = stage
        self._picture = stage.picture
        self._rules = rules
        self._console = console
        self._read = read
        self._rng = Random()
        #: the standing orders of the game
        self._orders = tuple(orders)
        self.passing = Passing()

    def choose(self, options: Options, why: str, plays: Options, note: str = "") -> Act:
        """Let the person answer a question.

        Raises:
            Quit: The person leaves the terminal.
            Resigned: The person gives up the seat.
            OutOfTurn: The person makes another play first.
            ChangedOrders: The person changes the standing orders first.
        """
        passed = self.passing.answer(options, self._picture.passing)
        if passed is not None:
            self._console.print(Text("You pass.", "dim"))
            return passed
        self._console.print(self._stage.table())
        self.rule(why)
        if self._stage.view is not None:
            for line in self._picture.question(self._stage.view, options):
                self._console.print(line)
        if note:
            self._console.print(Text(note, "bold yellow"))
        while True:
            act = self._narrowed(options, why, plays)
            if act is not None:
                return act

    def advise(self, advice: Advice, options: Options) -> None:
        """Show what a bot would consider, where there is something to decide."""
        if options.only() is None:
            self._console.print(Text("Advice: the chance to win after each act", "bold"))
            for line in advice_lines(advice, lambda act: self._picture.act(act, partial(_domain, options, act)).plain):
                self._console.print(Text(line))

    def _narrowed(self, options: Options, why: str, plays: Options | None) -> Act | None:
        """Let the person choose an act, menu by menu. Without ``plays``, the menu is of plays, and None leads back from
        it.
        """
        left = options
        while True:
            lines = menu(left)
            self._list(lines, options)
            if plays is not None and left is options and self._only_passes(options):
                self._console.print(Text("Passing is all you can do. Type p to pass until something changes.", "dim"))
            said = self._said(lines, "" if plays is not None else "out of turn: ")
            if said == "0":
                if left is options and plays is None:
                    return None
                left = options
            elif said in _ACTING and not (said == "p" and plays is None):
                act = self._act_for(said, left, options)
                if act is not None:
                    return act
            elif said and self._command(said, why, plays):
                continue
            else:
                found = self._found(lines, said, options)
                if isinstance(found, Act):
                    return found
                left = found or left
            act = left.only()
            if act is not None and left is not options:
                return act

    def _act_for(self, word: str, left: Options, asked: Options) -> Act | None:
        """Return the act that a word of `_ACTING` stands for; None after saying why there is none."""
        match word:
            case "any":
                return left.sample(self._rng)
            case "rest":
                act, problem = default_act(left), "That leaves no act, or more than one. Choose further."
            case _:
                act, problem = passing_act(asked, self._picture.passing), "You cannot pass here."
        if act is None:
            self._console.print(problem)
        elif word == "p":
            self.passing.begin()
        return act

    def _found(self, lines: Menu, said: str, asked: Options) -> Act | Options | None:
        """Return what a number or a name stands for; None if nothing was typed, or after saying what else there is."""
        if isinstance(lines, Typed):
            return self._typed(lines, said)
        if not said:
            return None
        line = self._line(lines, said, asked)
        return line if line is None or isinstance(line, Act) else line.options

    def _said(self, lines: Menu, where: str) -> str:
        numbers = "value" if isinstance(lines, Typed) else f"1-{len(lines)}" if len(lines) > 1 else "1"
        try:
            return self._read(f"{where}{numbers}, h for help> ").strip()
        except EOFError:
            raise Quit from None

    # ------------------------------------------------------------------------------------------------------- the menu

    def _list(self, lines: Menu, asked: Options) -> None:
        picture = self._picture
        if isinstance(lines, Typed):
            kind = lines.options.choices[0].act
            how = hint(
                lines.domain,
                self._title,
                lambda number, slot: picture.names.amount(number, slot).plain,
                lambda value: self._offered(lines, value),
            )
            self._console.print(Text(f"{_capital(picture.field(kind, lines.field))}: {how}"))
            return
        if lines and isinstance(lines[0], Value):
            kind = lines[0].options.choices[0].act
            self._console.print(Text(f"{_capital(picture.field(kind, lines[0].field))}:"))
        for number, line in enumerate(lines, 1):
            self._console.print(Text.assemble((f"{number:3}  ", "bold"), self._worded(line, asked)))

    def _worded(self, line: Line, asked: Options) -> Text:
        picture, view = self._picture, self._stage.view
        match line:
            case Kind(kind=kind):
                return self._kind(kind, line.options)
            case Value(field=field, value=value, domain=domain, options=left):
                kind = left.choices[0].act
                act = left.only()
                said = picture.value(value, domain)
                remarks = [self._remark(kind, field, value), picture.price(view, act) if act and view else ""]
                return _with_remarks(said, remarks)
            case act:
                remarks = [picture.price(view, act)] if view else []
                for field in act.__struct_fields__:
                    remarks.append(self._remark(type(act), field, getattr(act, field)))
                return _with_remarks(picture.act(act, lambda field: _domain(asked, act, field)), remarks)

    def _kind(self, kind: type[Act], options: Options) -> Text:
        """Describe a kind of act: by the piece that all of its acts have, or by its meaning."""
        picture = self._picture
        title = picture.acts.get(kind.__name__) or humanised(kind.__name__).capitalize()
        for name in options.choices[0].names:
            values = {value for choice in options.choices for value in islice(choice.domain(name).values(), 2)}
            if len(values) == 1 and (remark := self._remark(kind, name, *values)):
                return Text.assemble((title, "bold"), ": ", picture.value(*values), " …  ", (remark, "dim"))
        return Text.assemble((title, "bold"), " …  ", (picture.meaning(kind), "dim"))

    def _offered(self, lines: Typed, value: Any) -> str:
        """Return the price of a value that can be typed, or a remark about it."""
        view = self._stage.view
        if view is None or not isinstance(value, str):
            return ""
        left = with_value(lines.options, lines.field, value)
        act = left.only() if left is not None else None
        remark = self._picture.price(view, act) if act is not None else ""
        return remark or self._remark(lines.options.choices[0].act, lines.field, value)

    def _remark(self, kind: type[Act], field: str, value: Any) -> str:
        view = self._stage.view
        return self._picture.remark(view, kind, field, value) if view is not None else ""

    def _title(self, value: Any) -> str:
        return self._picture.names.say(value).plain

    def _only_passes(self, options: Options) -> bool:
        act = options.only()
        return act is not None and type(act).__name__ in self._picture.passing

    def _line(self, lines: Sequence[Line], said: str, asked: Options) -> Line | None:
        """Return the line with a number or a name; None after saying what else there is."""
        if said.isdigit():
            if 1 <= int(said) <= len(lines):
                return lines[int(said) - 1]
            numbers = "1" if len(lines) == 1 else f"a number from 1 to {len(lines)}"
            self._console.print(f"There is no line {said}. Type {numbers}.")
            return None
        labels = [(label, at) for at, line in enumerate(lines) for label in self._labels(line, asked)]
        matches, sure = found_by(said, [label for label, _ in labels])
        places = list(dict.fromkeys(labels[match][1] for match in matches))
        if len(places) == 1 and (sure or len(matches) > 1):
            return lines[places[0]]
        if not places:
            self._unknown(said)
            return None
        self._console.print("Which of these? Type its number.")
        for at in places:
            self._console.print(Text.assemble((f"{at + 1:3}  ", "bold"), self._worded(lines[at], asked)))
        return None

    def _labels(self, line: Line, asked: Options) -> list[str]:
        """Return the names by which a line can be chosen: its words, and those of the values in it."""
        picture = self._picture
        match line:
            case Kind(kind=kind):
                return [picture.acts.get(kind.__name__) or humanised(kind.__name__)]
            case Value(value=value, domain=domain):
                return [picture.value(value, domain).plain]
            case act:
                values = (getattr(act, field) for field in act.__struct_fields__)
                named = [self._title(value) for value in values if value and isinstance(value, str)]
                return [picture.act(act, lambda field: _domain(asked, act, field)).plain, *named]

    def _typed(self, lines: Typed, said: str) -> Options | None:
        """Return the acts that have the value that was typed; None after saying why there are none."""
        if any(letter.isalpha() for letter in said):
            return self._named(lines, said)
        try:
            left = with_value(lines.options, lines.field, parse_typed(lines.domain, said))
        except (ValueError, KeyError):
            left = None
        if left is None and said:
            self._console.print("No legal act has that value.")
        return left

    def _named(self, lines: Typed, said: str) -> Options | None:
        if isinstance(lines.domain, Subset) and lines.domain.high > 1:
            return self._several_named(lines, lines.domain, said)
        values = named_values(lines.domain)
        labels = [self._title(value) for value in values]
        matches, sure = found_by(said, labels)
        if not matches:
            self._unknown(said)
        elif sure:
            return with_value(lines.options, lines.field, values[matches[0]])
        else:
            self._console.print(f"Which of these? {', '.join(labels[match] for match in matches[:_MOST_FOUND])}")
        return None

    def _several_named(self, lines: Typed, domain: Subset, said: str) -> Options | None:
        """Return the acts with several values that are named, with commas between them."""
        kinds = list(dict.fromkeys(domain.items))
        labels, chosen = [self._title(kind) for kind in kinds], []
        for part in said.split(","):
            matches, sure = found_by(part, labels)
            if not sure:
                names = ", ".join(labels[match] for match in matches[:_MOST_FOUND])
                self._console.print(f"Which of these? {names}" if names else f"Nothing here is called {part.strip()}.")
                return None
            chosen.append(kinds[matches[0]])
        left = with_value(lines.options, lines.field, tuple(sorted(chosen)))
        if left is None:
            self._console.print("No legal act has these.")
        return left

    def _unknown(self, said: str) -> None:
        self._console.print(Text(f"Nothing here is called {said}. Type h for help."))

    # --------------------------------------------------------------------------------------------------- other things

    def _command(self, said: str, why: str, plays: Options | None) -> bool:
        """Carry out a command; return False if it is none."""
        match said.split():
            case ["h"]:
                self._console.print(Text(_HELP))
            case ["b"]:
                self._console.print(self._stage.table())
            case ["c"]:
                self._texts()
            case ["l"]:
                self._stage.repeat()
            case ["r"]:
                self.rule(why)
            case ["r", rule]:
                self.rule(rule.upper())
            case ["o"] if plays is not None:
                self._out_of_turn(plays, why)
            case ["s", *words]:
                self._standing_orders(words)
            case ["resign"]:
                raise Resigned
            case ["q"]:
                raise Quit
            case _:
                return False
        return True

    def _texts(self) -> None:
        lines = list(self._picture.texts(self._stage.view)) if self._stage.view is not None else []
        for line in lines or [Text("You have no cards or leaders to read about.")]:
            self._console.print(line)

    def _standing_orders(self, words: Sequence[str]) -> None:
        view = self._stage.view
        seat = view.seat if view is not None else None
        current = view.table.get(orders_key(seat), ()) if view is not None and seat is not None else ()
        game = self._picture.game.id
        known = orders_for(game, self._orders, view.side if view is not None else None)
        orders = changed(known, current, words)
        if orders is not None and set(orders) != set(current):
            raise ChangedOrders(orders)
        if words and orders is None:
            self._console.print("Type s and the numbers of orders, as in s 1 2, or s clear.")
        if not known:
            self._console.print("This game has no standing orders.")
        for number, order in enumerate(known, 1):
            mark = "on " if order in current else "off"
            self._console.print(Text.assemble((f"{number:3}  ", "bold"), f"{mark}  {_capital(in_words(game, order))}"))

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


def _capital(words: str) -> str:
    """Return words with a capital at the beginning."""
    return words[:1].upper() + words[1:]


def _with_remarks(said: Text, remarks: Sequence[str]) -> Text:
    told = "; ".join(dict.fromkeys(filter(None, remarks)))
    return said.append(f"  ({told})", "dim") if told else said


def _domain(asked: Options, act: Act, field: str) -> Domain | None:
    """Return the original domain of a field, in a choice that has the act. After narrowing it would be a single value,
    which lacks the names of slots.
    """
    for choice in asked.choices:
        if choice.act is type(act) and all(choice.domain(name).has(getattr(act, name)) for name in choice.names):
            return choice.domain(field)
    return None
