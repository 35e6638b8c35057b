"""Sentences for events: a template for each kind of event that is worth one.

The templates are data, shared with the web page: `landsraad.wording` says how they name the parts of an event. Each
part appears with its title and in its colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Any, Final, TypeAlias

from rich.text import Text

from landsraad.wording import Wording
from landsraad_cli.terminal.names import Names
from landsraad_engine.checks import rulebook

#: Templates by verb and first word of each place; "" suppresses the sentence. Announcements bring their own sentences.
Templates: TypeAlias = Mapping[tuple[str, ...], str]

#: Verbs whose first argument is the place that they change, with the letter of their other argument.
_ON_PLACE: Final = {"set": "v", "open": "v", "exchange": "n", "place": "v", "reveal": "v", "shuffle": "", "look": ""}
_BETWEEN: Final = {"shift", "transfer", "gather"}


def templates_of(words: Wording) -> Templates:
    """Return the templates of a game's words."""
    return {tuple(key.split()): sentence for key, sentence in words.sentences.items()}


def parts_of(event: tuple[Any, ...]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the key and the parts of an event (verb, rule, arguments ...)."""
    verb, _, *rest = event
    match verb:
        case "move":
            source, _, target, _, face = rest
            parts = _cut("s", source) | _cut("t", target) | {"face": face}
            return (verb, parts["s0"], parts["t0"]), parts
        case _ if verb in _BETWEEN:
            parts = _cut("s", rest[0]) | _cut("t", rest[1]) | {"n": rest[2]}
            return (verb, parts["s0"], parts["t0"]), parts
        case _ if verb in _ON_PLACE:
            parts = _cut("k", rest[0]) | _numbered(_ON_PLACE[verb], rest[-1])
            return (verb, parts["k0"]), parts
        case "declare":
            seat, fact, value = rest
            return (verb, fact), {"seat": f"seat/{seat}", "fact": fact} | _numbered("v", value)
        case "roll":
            parts = _cut("k", rest[0]) | {"n": rest[1], "dice": tuple(rest[1:])}
            return (verb, parts["k0"]), parts
        case "whisper":
            return (verb, rest[1]), {}
        case _:
            what, *facts = rest
            return (verb, str(what)), {f"a{n}": fact for n, fact in enumerate(facts)}


def _cut(letter: str, place: str) -> dict[str, Any]:
    return {f"{letter}{n}": word for n, word in enumerate(place.split("/"))}


def _numbered(name: str, value: Any) -> dict[str, Any]:
    if not name:
        return {}
    parts = {f"{name}{n}": part for n, part in enumerate(value)} if isinstance(value, tuple) else {}
    return parts | {name: value}


def fill_template(template: str, parts: Mapping[str, Any], names: Names, stack: str = "") -> Text:
    """Fill the parts of an event into a template. "{n:#}" counts the units of the event's stack."""
    sentence = Text()
    for literal, field, form, _ in Formatter().parse(template):
        sentence.append(literal)
        if field is not None:
            value = parts.get(field)
            sentence.append_text(names.counted(stack, value) if form == "#" else names.say(value))
    return sentence


def rule_text(game: str, rule: str) -> str:
    """Return a rule with its text."""
    known = rulebook.statements(game) if rulebook.has(game) else {}
    return f"{rule}: {known[rule].text}" if rule in known else rule
