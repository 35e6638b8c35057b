"""Pictures: sentences and drawings of a game. The base class serves games without a picture of their own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from landsraad_cli.terminal.names import Names, humanised
from landsraad_cli.terminal.sentences import Templates, fill_template, parts_of, rule_text
from landsraad_engine.kernel.domains import Alloc, Domain
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.knowledge.information import Entry
from landsraad_engine.knowledge.views import SeatView

if TYPE_CHECKING:
    from landsraad.models import Result


@dataclass(frozen=True, slots=True)
class Room:
    """The space for a drawing: columns, and rows if they are limited."""

    width: int = 126
    rows: int | None = None


#: Enough room for any board.
AMPLE: Final = Room()


class Picture:
    """The picture of one match. It remembers what it needs for the next sentence."""

    #: titles and colours of the game's ids
    names: Names = Names({}, {})
    templates: Templates = MappingProxyType({})
    #: words for acts, for what they do and for their fields, by the names of acts, of fields, or "Act.field"
    acts: Mapping[str, str] = MappingProxyType({})
    meanings: Mapping[str, str] = MappingProxyType({})
    fields: Mapping[str, str] = MappingProxyType({})
    #: phrases for fields with "{}" for the value; a pair has one for a value and one for none
    phrases: Mapping[str, str | tuple[str, str]] = MappingProxyType({})
    #: fields of which a nought goes without saying
    countable: Collection[str] = ()
    #: the acts by which a seat passes
    passing: Collection[str] = ("Pass", "Done")
    #: True to describe events without a template word by word
    talkative: bool = True

    def __init__(self, game: Game) -> None:
        self.game = game
        self._announcements = {kind.__name__: kind for kind in game.announcements}
        #: the side of each seat
        self.sides: dict[int, str] = {}
        #: the rule by which the match ended
        self.ended_by = ""

    # ------------------------------------------------------------------------------------------------------- sentences

    def tell(self, entries: Iterable[Entry]) -> Iterator[tuple[str, Text]]:
        """Yield a sentence for each entry of a log that is worth one, with the rule behind it."""
        for entry in entries:
            match entry[0]:
                case "event" | "aside":
                    sentence = self._event(entry[1:])
                    if sentence is not None:
                        yield entry[2], sentence
                case "at":
                    for sentence in self.step(entry[1], entry[2]):
                        yield entry[2], sentence

    def _event(self, event: tuple[Any, ...]) -> Text | None:
        key, parts = parts_of(event)
        announced = self._announcements.get(key[1]) if key[0] == "announce" else None
        if announced is not None:
            parts = dict(zip(announced.__struct_fields__, event[3:], strict=True))
        self._note(event[1], key, parts)
        if "seat" in parts:
            parts["seat"] = self.player(int(parts["seat"].partition("/")[2])) or parts["seat"]
        if key == ("set", "result") and parts["v"] is not None:
            return self._over(*parts["v"])
        special = self.special(key, parts)
        if special is not None:
            return special or None
        template = self.templates.get(key) if announced is None else announced.sentence
        if template:
            return fill_template(template, parts, self.names, key[1])
        if template is None and self.talkative:
            return Text(" ").join([Text(humanised(event[0])), *map(self.names.say, event[2:])])
        return None

    def _note(self, rule: str, key: tuple[str, ...], parts: dict[str, Any]) -> None:
        if key == ("set", "side") and parts["k1"].isdigit():
            self.sides = self.sides | {int(parts["k1"]): str(parts["v"])}
        elif key == ("set", "result"):
            self.ended_by = rule

    def _over(self, ending: str, winners: tuple[int, ...]) -> Text:
        who = self.names.listed(map(self.seat, winners)) if winners else Text("nobody wins")
        return Text.assemble("The match is over: ", self.names.title(ending), ", ", who, style="bold")

    def special(self, key: tuple[str, ...], parts: dict[str, Any]) -> Text | None:
        """Return a sentence that no template can make. An empty text suppresses the sentence; None leaves it to the
        templates.
        """
        return None

    def step(self, frames: tuple[Any, ...], rule: str) -> Iterator[Text]:
        """Yield sentences for a new public step."""
        return iter(())

    def outcome(self, result: Result) -> dict[str, object]:
        """Return the result as facts for programs and for a last table."""
        winners = [self.names.title(self.player(seat) or f"seat {seat}") for seat in result.winners]
        facts: dict[str, object] = {"ending": result.ending or result.kind, "winners": winners}
        return facts | ({"by_rule": rule_text(self.game.id, self.ended_by)} if self.ended_by else {})

    # --------------------------------------------------------------------------------------------------------- drawing

    def player(self, seat: int) -> str | None:
        """Return the id by which a seat is named: that of its side."""
        return self.sides.get(seat)

    def seat(self, number: int) -> Text:
        """Return the name of the side that a seat plays."""
        side = self.player(number)
        return self.names.name(side) if side else Text(f"seat {number}")

    def know(self, view: SeatView) -> None:
        """Learn the sides of the seats from a view: a log need not begin at the beginning of the match."""
        cut = ((key.partition("/"), side) for key, side in view.table.items())
        self.sides = {int(seat): side for (stem, _, seat), side in cut if stem == "side" and seat.isdigit()}

    def phase(self, step: tuple[Any, ...]) -> Text:
        """Return the frames of the rules in progress, outermost first."""
        frames = [humanised(dict(frame)["frame"]) for frame in (step[0] if step else ())]
        return Text(" › ").join([Text(name) for name in frames[-3:]])

    def board(self, view: SeatView, room: Room = AMPLE) -> RenderableType:
        """Draw the table as a view shows it."""
        lines: dict[str, Text] = {}
        for key in sorted(view.table):
            stem, _, rest = key.partition("/")
            line = lines.setdefault(stem, Text(f"{humanised(stem)}: "))
            line.append(f"{rest} " if rest else "").append_text(self.names.say(view.table[key])).append("  ")
        return Group(*lines.values())

    def own(self, view: SeatView) -> Iterator[tuple[str, Any]]:
        """Yield the private pieces of the viewing seat, each group with its name."""
        return iter(())

    def secrets(self, view: SeatView) -> Text:
        """Return the private pieces of the viewing seat as one line; empty for spectators."""
        if view.side is None:
            return Text()
        shown = [Text.assemble(f"{what}: ", self.names.say(pieces)) for what, pieces in self.own(view) if pieces]
        return Text.assemble("You are ", self.names.name(view.side), ".  ", Text("   ").join(shown))

    # ------------------------------------------------------------------------------------------------------------ acts

    def question(self, view: SeatView, options: Options) -> Iterator[Text]:
        """Yield lines that say what is asked, and what it is about: the act that is reacted to, the standing bid."""
        return iter(())

    def filled(self, sentence: str, facts: Mapping[str, Any]) -> Text:
        """Fill facts into a sentence; "(s)" after a number makes a plural."""
        line, value = Text(), None
        for at, part in enumerate(sentence.replace("}", "{").split("{")):
            if at % 2:
                value = facts.get(part)
                line.append_text(self.names.say(value))
            else:
                line.append(part.replace("(s)", "" if value == 1 else "s"))
        return line

    def remark(self, view: SeatView, kind: type[Act], field: str, value: Any) -> str:
        """Return a remark about a value of a field, such as a leader's strength; empty if there is none."""
        return ""

    def price(self, view: SeatView, act: Act) -> str:
        """Return the price of an act in words; empty if it has none."""
        return ""

    def texts(self, view: SeatView) -> Iterator[Text]:
        """Yield a line for each card and leader of the viewing seat: what it does, how strong it is."""
        return iter(())

    def meaning(self, kind: type[Act]) -> str:
        """Return what a kind of act does, in one sentence."""
        return self.meanings.get(kind.__name__) or (inspect.getdoc(kind) or "").partition("\n")[0]

    def field(self, kind: type[Act], name: str) -> str:
        """Return the word for a field of an act, as a prompt names it."""
        name = f"{kind.__name__}.{name}" if f"{kind.__name__}.{name}" in self.fields else name
        return self.fields.get(name) or humanised(name.rpartition(".")[2])

    def value(self, value: Any, domain: Domain | None = None) -> Text:
        """Describe a value of a field; its domain says what numbers count."""
        if isinstance(domain, Alloc):
            return self.names.listed(
                self.names.amount(number, slot) for slot, number in zip(domain.slots, value, strict=True) if number
            )
        return self.names.say(value)

    def phrase(self, kind: type[Act], name: str, value: Any, domain: Domain | None = None) -> Text:
        """Describe a field with its value: "to Arrakeen", "3 tokens", "without a leader"."""
        phrase = self._phrase_of(kind, name)
        if isinstance(phrase, tuple):
            yes, no = phrase
            empty = value in (None, "", (), False)
            before, _, after = (no if empty else yes).partition("{}")
            said = self.value(value, domain) if "{}" in (no if empty else yes) else Text()
            return Text(before).append_text(said).append(after)
        if isinstance(value, bool) and "{}" not in phrase:
            return Text(phrase or f"{humanised(name)}: {'yes' if value else 'no'}")
        if "{}" not in phrase:
            return Text(phrase) if phrase else Text(f"{self.field(kind, name)} ").append_text(self.value(value, domain))
        before, _, after = phrase.partition("{}")
        after = after.replace("(s)", "" if value == 1 else "s")
        return Text(before).append_text(self.value(value, domain)).append(after)

    def act(self, act: Act, domain_of: Callable[[str], Domain | None] | None = None) -> Text:
        """Describe an act. ``domain_of`` returns the domain of a field, which says what its numbers count."""
        kind = type(act)
        sentence = Text(self.acts.get(kind.__name__) or humanised(kind.__name__).capitalize(), "bold")
        told = []
        for name in kind.__struct_fields__:
            value, domain = getattr(act, name), domain_of(name) if domain_of else None
            if not self._says_nothing(kind, name, value, domain):
                told.append((name, value, domain))
        if len(told) == 1 and not self._phrase_of(kind, told[0][0]) and not isinstance(told[0][1], bool):
            phrases = [self.value(*told[0][1:])]
        else:
            phrases = [phrase for field in told if (phrase := self.phrase(kind, *field))]
        if not phrases:
            return sentence.append(": nothing") if kind.__struct_fields__ else sentence
        return sentence.append(": ").append_text(Text(", ").join(phrases))

    def _phrase_of(self, kind: type[Act], name: str) -> str | tuple[str, str]:
        return self.phrases.get(f"{kind.__name__}.{name}", self.phrases.get(name, ""))

    def _says_nothing(self, kind: type[Act], name: str, value: Any, domain: Domain | None) -> bool:
        """Return whether a field is better left out of the sentence of an act."""
        if isinstance(self._phrase_of(kind, name), tuple):
            return False
        if isinstance(domain, Alloc):
            return not any(value)
        alone = len(kind.__struct_fields__) == 1
        return value is None or (not alone and (value in ("", ()) or (value == 0 and name in self.countable)))
