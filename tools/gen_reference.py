"""Generate the reference pages from the engine: docs/reference.

    make reference, or python tools/gen_reference.py [--check]

Each game has pages of its questions, acts, places, frames, announcements, options and rules. Everything on them comes
from the engine, the catalog, tools/act_fields.toml and proto/landsraad/v1/log.proto, so a name without a description is
an error. With --check nothing is written: the script reports pages that are stale.
"""

import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import gen_acts
from landsraad import games
from landsraad.v1 import catalog_pb2
from landsraad.wire import annotations
from landsraad.wire.catalog import game_message
from landsraad_engine.checks import rulebook
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel import reserved_places
from landsraad_engine.kernel.execution import AUTO
from landsraad_engine.kernel.frames import Frame
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.kernel.zones import Content, Place, Sight
from reference_questions import Question, questions

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "reference"
GAMES = ("dune", "arrakis")
#: A cell of more characters breaks after each sentence.
LONG = 300
MADE = "<!-- Made by tools/gen_reference.py; do not edit. -->"

#: Pages of a game, with what a reader finds there.
CONTENTS: Mapping[str, str] = {
    "questions": "what your bot is asked, and the acts that answer",
    "acts": "what your bot sends: every act with its fields",
    "places": "the keys of `view.table`, and who sees what",
    "frames": "the procedures in `view.frames`, with steps and public fields",
    "announcements": "public facts in the log that change no place",
    "options": "options, seats, endings, standing orders and out-of-turn plays",
    "rules": "the statements that ids such as `{prefix}-…` name",
}

CONTENT_WORDS: Mapping[Content, str] = {
    Content.PILE: "pile",
    Content.HAND: "hand",
    Content.STACK: "counts",
    Content.PURSE: "amount",
    Content.MARK: "mark",
}

#: Kinds of content and of sight, explained at the head of each page of places.
CONTENT_LEGEND: Sequence[tuple[str, str]] = (
    ("pile", "pieces in order, the last one on top: a tuple of faces"),
    ("hand", "pieces without order: a sorted tuple of faces"),
    ("counts", "how many of each kind of unit, in the order that the row gives"),
    ("amount", "a number"),
    ("mark", "one plain value"),
)
SIGHT_WORDS: Mapping[Sight, str] = {
    Sight.OPEN: "everybody",
    Sight.OWNER: "owner; others the number",
    Sight.SCREEN: "owner; others nothing",
    Sight.BACKS: "nobody; all the number",
    Sight.SEALED: "owner; others that it exists",
    Sight.QUIET: "owner; others nothing",
}


# ---- Markdown ----


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table, with an empty line after it."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def code(text: object) -> str:
    """Return a value as code."""
    return f"`{text}`"


def anchor(heading: str) -> str:
    """Return the anchor that Markdown gives to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def to_rule(rule: str, page: str = "rules.md") -> str:
    """Return a link to a statement."""
    return f"[{rule}]({page}#{rule.lower()})" if rule else ""


def to(page: str, name: str) -> str:
    """Return a link to a heading of another page."""
    return f"[{name}]({page}.md#{anchor(name)})"


def prose(text: str) -> str:
    """Return a docstring as one line of Markdown, with links to the statements that it names."""
    text = re.sub(r":\w+:`~?\.?([^`]+)`", r"`\1`", text.replace("``", "`"))
    text = re.sub(r"(?<![\w`\[-])[A-Z]+-[0-9A-Z]+\.[0-9]+", lambda found: to_rule(found[0]), text.replace("<", "&lt;"))
    return " ".join(text.split())


def words(text: str) -> str:
    """Return a name in code as words: "BattleRound.go_on"."""
    return text.replace("_", " ")


def page(game: Game, name: str, lead: str, body: Iterable[str]) -> str:
    """Return a page of a game: its title, the links to its other pages, and what it says."""
    others = " · ".join(f"**{each}**" if each == name else f"[{each}]({each}.md)" for each in CONTENTS)
    lines = [MADE, "", f"# {game.title}: {name}", "", f"[{game.id}](README.md) · {others}", "", lead, "", *body]
    return "\n".join(lines).rstrip() + "\n"


# ---- Pages ----


def overview(game: Game) -> str:
    """Return the first page of a game."""
    prefix = rulebook.book(game.id).prefix
    seats = ", ".join(map(str, game.seats))
    lines = [
        MADE,
        "",
        f"# {game.title}",
        "",
        f"The reference of the game `{game.id}`, for {seats} seats. If you have never played it, begin with the",
        f"[primer](../../primer-{game.id}.md). [Events](../events.md) are the same in all games.",
        "",
        *table(
            ("page", "contents"),
            ((f"[{name}]({name}.md)", what.format(prefix=prefix)) for name, what in CONTENTS.items()),
        ),
    ]
    return "\n".join(lines).rstrip() + "\n"


def questions_page(game: Game, asked: Sequence[Question]) -> str:
    """Return the page of questions, by the sections of the rulebook."""
    statements = rulebook.statements(game.id)
    order = {rule: at for at, rule in enumerate(statements)}
    sections: dict[str, list[Question]] = defaultdict(list)
    for question in sorted(asked, key=lambda each: min((order[rule] for rule in each.rules), default=len(order))):
        section = _section(game, question)
        sections[section].append(question)
    body: list[str] = []
    for section, found in sections.items():
        body += [f"## {section}", ""]
        body += table(("why", "step", "acts"), (_question_row(question, statements) for question in found))
    lead = (
        "`ask.why` is the id of the rule that asks; a step may ask under one of several. A *sealed* question goes to"
        " several seats at once, whose answers open together. In a *window*, a chance to react, nobody sees who"
        " answers. All other questions go to one seat, or to partners, of whom the first answer counts."
        " The question itself says which values are legal now."
    )
    return page(game, "questions", lead, body)


def _question_row(question: Question, statements: Mapping[str, rulebook.Statement]) -> Sequence[str]:
    why = "<br>".join(f"{to_rule(rule)} {prose(statements[rule].text)}" for rule in question.rules)
    if question.editions:
        why += f" *({', '.join(question.editions)})*"
    step = f"[{question.frame}](frames.md#{question.frame.lower()}) {words(question.step)}"
    if question.mode in ("sealed", "window"):
        step += f"<br>*{question.mode}*"
    acts = ", ".join(to("acts", act) for act in question.acts)
    return (why or "The rule of the ability in use.", step, acts)


def acts_page(game: Game, asked: Sequence[Question], message: catalog_pb2.Game) -> str:
    """Return the page of acts, in the order of the engine's module."""
    answers: dict[str, dict[str, None]] = defaultdict(dict)
    for question in asked:
        for name in question.acts:
            answers[name][f"[{question.frame}](questions.md#{anchor(_section(game, question))})"] = None
    plays = {play.act.__name__ for play in game.out_of_turn}
    types = {each.name: {field.name: field for field in each.fields} for each in message.acts}
    body: list[str] = []
    for act in game.acts:
        name = act.__name__
        body += [f"## {name}", "", *_paragraphs(inspect.getdoc(act) or "")]
        rows = []
        for field in annotations.kinds_of(act):
            told = types[name][field]
            rows.append((code(field), told.type, _meaning(game, act, field)))
        if rows:
            body += table(("field", "type", "meaning"), rows)
        places = [*answers[name]]
        if name in plays:
            places.insert(0, "[an out-of-turn play](options.md#out-of-turn-plays)")
        if len(places) > 12:
            places = [*places[:12], f"and {len(places) - 12} more"]
        if not places:
            raise SystemExit(f"{game.id}: no question or play takes {name}")
        body += [f"Answers: {', '.join(places)}.", ""]
    lead = (
        f"Each act is a frozen class of `landsraad_engine.{game.id}.acts`. A type with `?` may be left out (`None`)."
        " *Answers* names the frames that ask for the act."
    )
    return page(game, "acts", lead, body)


def _section(game: Game, question: Question) -> str:
    return _section_of(game, rulebook.statements(game.id)[question.rules[0]]) if question.rules else "Any ability"


def _section_of(game: Game, statement: rulebook.Statement) -> str:
    """Return the title of a statement's section."""
    titles: Mapping[str, str] = import_module(f"landsraad_engine.{game.id}.meanings").SECTIONS
    return titles[statement.id.partition("-")[2].partition(".")[0]] if titles else statement.section


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        yield prose(paragraph)
        yield ""


def _meaning(game: Game, act: type[Act], field: str) -> str:
    """Return the meaning of a field: the comment on its line, else the words of act_fields.toml."""
    told = gen_acts.MEANINGS[game.id]
    meaning = gen_acts.line_comments(act).get(field) or told.get(act.__name__, {}).get(field) or told.get(field)
    if meaning is None:
        raise SystemExit(f"{game.id}: {act.__name__}.{field} has no meaning in tools/act_fields.toml")
    meaning = prose(meaning)
    return meaning if len(meaning) < LONG else meaning.replace(". ", ".<br>")


def places_page(game: Game) -> str:
    """Return the page of places, by the first part of their keys."""
    meanings = {**import_module(f"landsraad_engine.{game.id}.meanings").PLACES, **reserved_places.MEANINGS}
    found = {place.key: place for layout in _layouts(game) for place in layout}
    heads: dict[str, list[Place]] = defaultdict(list)
    for key, place in found.items():
        head = key.partition("/")[0]
        heads[key if key in meanings else head].append(place)
    names = _names(game)
    missing = {head for head in heads if head not in meanings} | (meanings.keys() - heads.keys())
    if missing:
        raise SystemExit(f"{game.id}: places without a meaning, or meanings without a place: {sorted(missing)}")
    rows = []
    for head, places in heads.items():
        zone = places[0].zone
        content = CONTENT_WORDS[zone.content]
        if zone.units:
            content += f": {', '.join(zone.units)}"
        rows.append((_pattern([place.key for place in places], names), content, _seen(places), meanings[head]))
    body = [
        *table(("content", "value"), CONTENT_LEGEND),
        "## Keys",
        "",
        *table(("key", "content", "seen by", "meaning"), sorted(rows, key=lambda row: row[0].replace("`", ""))),
        "## Names in keys",
        "",
        *(f"* {code(name.upper())}: {_some(values)}" for name, values in names.items() if name != "seat"),
        "* `SEAT`: the number of a seat, from 0",
        "",
    ]
    lead = (
        "An empty place is not in `view.table`. A face that your seat does not see reads as `?`. The owner of a place"
        " is the side, faction or seat in its key, unless the meaning says otherwise."
    )
    return page(game, "places", lead, body)


def _layouts(game: Game) -> Iterator[Iterable[Place]]:
    """Yield the places for each number of seats and each value of one option, as far as the values are listed."""
    for seats in game.seats:
        for options in _single_options(game):
            try:
                parsed = game.parse_options(options, seats)
            except BadOption:
                continue
            yield setting_for(game, parsed, seats, b"").layout.places.values()


def _single_options(game: Game) -> Iterator[Mapping[str, Any]]:
    """Yield the defaults, and then each listed value of each option by itself."""
    yield {}
    for spec in game.option_specs:
        values = (not spec.default,) if type(spec.default) is bool else game.values_of(spec)
        yield from ({spec.name: value} for value in values if value != spec.default)


def _names(game: Game) -> Mapping[str, frozenset[str]]:
    """Return the vocabularies of key parts, widest last."""
    module = import_module(f"landsraad_engine.{game.id}.meanings")
    seats = frozenset(map(str, range(max(game.seats))))
    return {**{name: frozenset(values) for name, values in module.KEY_PARTS.items()}, "seat": seats}


def _pattern(keys: Sequence[str], names: Mapping[str, frozenset[str]]) -> str:
    """Return the common pattern of some keys: "at/FACTION/CELL"."""
    patterns = []
    for _, same in groupby(sorted(keys, key=lambda key: key.count("/")), key=lambda key: key.count("/")):
        columns = zip(*(key.split("/") for key in same), strict=True)
        patterns.append("/".join(_column(frozenset(column), names) for column in columns))
    return "<br>".join(map(code, patterns))


def _column(values: frozenset[str], names: Mapping[str, frozenset[str]]) -> str:
    if len(values) == 1:
        return next(iter(values))
    exact = next((name for name, known in names.items() if values == known), None)
    if exact or not all(value.isdecimal() for value in values):
        name = exact or next((name for name, known in names.items() if values <= known), None)
        return name.upper() if name else "|".join(sorted(values))
    return "NUMBER"


def _seen(places: Sequence[Place]) -> str:
    """Return who sees a place; an owner by name if all places have the same."""
    owners = {place.owners for place in places}
    (sight,) = {SIGHT_WORDS[place.zone.sight] for place in places}
    only = ", ".join(next(iter(owners))) if (len(owners) == 1 and len(places) > 1) or "/" not in places[0].key else ""
    return sight.replace("owner", only, 1) if only else sight


def _some(values: frozenset[str]) -> str:
    """Return all values if they are few, else some."""
    shown = sorted(values)
    listed = ", ".join(map(code, shown[:12]))
    return listed if len(shown) <= 12 else f"{listed} … ({len(shown)} in all)"


def frames_page(game: Game, asked: Sequence[Question]) -> str:
    """Return the page of frames, in the order of the rulebook."""
    asking = {(question.frame, question.step) for question in asked}
    body: list[str] = []
    statements = rulebook.statements(game.id)
    for frame in game.frames:
        body += [f"## {frame.__name__}", "", *_paragraphs(inspect.getdoc(frame) or "")]
        body += _frame_fields(frame)
        body += table(("step", "about", "rules", "asks"), _steps(frame, asking, statements))
    lead = (
        "`view.frames` holds the frames in progress, the innermost last. In each, `pc` is the name of the next step;"
        " the fields are public. A step marked ● puts a [question](questions.md)."
    )
    return page(game, "frames", lead, body)


def _frame_fields(frame: type[Frame]) -> Iterator[str]:
    """Yield the fields of a frame, with the comments above them in the source."""
    fields = [name for name in frame.__struct_fields__ if name != "pc"]
    told: dict[str, str] = {}
    for owner in reversed(frame.__mro__[: frame.__mro__.index(Frame)]):
        for comment, name in re.findall(r"((?:^    #: .*\n)+)    (\w+):", inspect.getsource(owner), re.MULTILINE):
            told[name] = prose(comment.replace("#:", ""))
    described = [name for name in fields if name in told]
    plain = [name for name in fields if name not in told]
    if plain:
        yield from (f"Fields: {', '.join(map(code, plain))}{', and:' if described else '.'}", "")
    elif described:
        yield from ("Fields:", "")
    if described:
        yield from (*(f"* {code(name)}: {told[name]}" for name in described), "")


def _steps(
    frame: type[Frame], asking: set[tuple[str, str]], statements: Mapping[str, rulebook.Statement]
) -> Iterator[Sequence[str]]:
    """Yield the rows of steps: each with its docstring, or the text of its first rule where that is new."""
    told = set()
    for name, step in frame.STEPS.items():
        said = (inspect.getdoc(step.fn) or "").partition("\n\n")[0]
        what = said or (statements[step.rule].text if step.rule in statements else "")
        rules = " ".join(map(to_rule, step.rules))
        about = "" if what in told else prose(what)
        told.add(what)
        yield (code(name), about, rules, "●" if (frame.__name__, name) in asking else "")


def announcements_page(game: Game, message: catalog_pb2.Game) -> str:
    """Return the page of announcements."""
    body: list[str] = []
    for kind in message.announcements:
        body += [f"## {kind.name}", "", *_paragraphs(kind.meaning)]
        if kind.sentence:
            body += [f"> {kind.sentence}", ""]
        rows = [(code(fact.name), fact.type, ", ".join(map(code, fact.words))) for fact in kind.facts]
        if rows:
            body += table(("fact", "type", "one of"), rows)
    lead = (
        f'`landsraad.announcements.announcements("{game.id}", entries)` reads them from the entries of a log, as'
        f" instances of `landsraad_engine.{game.id}.announcements`."
    )
    return page(game, "announcements", lead, body)


def options_page(game: Game) -> str:
    """Return the page of options, endings, standing orders and out-of-turn plays."""
    told = import_module(f"landsraad_engine.{game.id}.meanings")
    _complete(game, "endings", game.results, told.ENDINGS)
    _complete(game, "windows", game.windows, told.WINDOWS)
    _complete(game, "plays", game.play_kinds, told.PLAYS)
    rows = []
    for spec in game.option_specs:
        allowed = ", ".join(map(code, map(_literal, spec.values)))
        if not allowed:
            ranged = f"{spec.low} to {spec.high}" if spec.high else code(spec.pattern) if spec.pattern else ""
            allowed = "`true`, `false`" if type(spec.default) is bool else ranged
        rows.append((code(spec.name), code(_literal(spec.default)), allowed, prose(spec.meaning), to_rule(spec.rule)))
    orders = [(code(AUTO), "Pass in every window in which passing is the only answer.")]
    orders += [(code(name), f"Pass in this window. {told.WINDOWS[name]}") for name in game.windows]
    orders += [(code(f"ask:{kind}"), f"Be offered, at set moments: {told.PLAYS[kind]}") for kind in game.play_kinds]
    offered = {play.act.__name__: code(f"ask:{play.kind}") if play.kind else "" for play in game.out_of_turn}
    plays = [(to("acts", name), order) for name, order in offered.items()]
    body = [
        "## Options",
        "",
        *table(("option", "default", "values", "meaning", "rule"), rows),
        f"Seats: {', '.join(map(str, game.seats))}.",
        "",
        "## Endings",
        "",
        *table(("ending", "meaning"), ((code(name), told.ENDINGS[name]) for name in game.results)),
        "The service adds endings of its own: resignation, timeout, illegal_limit, aborted and infrastructure.",
        "",
        "## Standing orders",
        "",
        *table(("order", "meaning"), orders),
        "## Out-of-turn plays",
        "",
        "A seat may make them while another's question is open, unless that question is closed.",
        "",
        *table(("play", "standing order that offers it"), plays),
    ]
    return page(game, "options", "What you choose when you create a match, and how it can end.", body)


def _literal(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _complete(game: Game, what: str, names: Iterable[str], told: Mapping[str, str]) -> None:
    """Exit with a message unless exactly these names are described."""
    wrong = set(names) ^ told.keys()
    if wrong:
        raise SystemExit(f"{game.id}: {what} without a meaning, or meanings without one: {sorted(wrong)}")


def rules_page(game: Game) -> str:
    """Return the page of statements, which all others link to."""
    body: list[str] = []
    sections: dict[str, list[rulebook.Statement]] = defaultdict(list)
    for each in rulebook.statements(game.id).values():
        sections[_section_of(game, each)].append(each)
    for section, found in sections.items():
        body += [f"## {section}", ""]
        rows = []
        for each in found:
            kind = f"{each.kind}: " if each.kind in ("ruling", "example") else ""
            rows.append((f'<a id="{each.id.lower()}"></a>{each.id}', f"{kind}{each.text}{_limits(game, each)}"))
        body += table(("id", "statement"), rows)
    lead = (
        f"The rules in our own words, by id. `landsraad rules {game.id}` shows them with the code and the tests of"
        " each. A *ruling* settles what the printed rules leave open."
    )
    return page(game, "rules", lead, body)


def _limits(game: Game, statement: rulebook.Statement) -> str:
    """Return the editions that a statement is limited to, if it is."""
    if not statement.editions or set(statement.editions) == set(rulebook.book(game.id).editions):
        return ""
    corrected = {True: " with `faq`", False: " without `faq`", None: ""}[statement.faq]
    names = (edition + corrected * (edition == "exclusive") for edition in statement.editions)
    return f" *({', '.join(names)})*"


def events_page() -> str:
    """Return the page of events, from the comments of the protocol."""
    text = (ROOT / "proto" / "landsraad" / "v1" / "log.proto").read_text()
    event = re.search(r"^message Event \{.*?^\}", text, re.MULTILINE | re.DOTALL)
    assert event is not None
    verbs = re.findall(r"    // (.*)\n    (\w+) (\w+) = \d+;", event[0])
    rows = []
    for meaning, kind, name in verbs:
        message = re.search(rf"^message {kind} \{{\n(.*?)^\}}", text, re.MULTILINE | re.DOTALL)
        assert message is not None
        rows.append((code(name), meaning, ", ".join(map(code, re.findall(r" (\w+) = \d+;", message[1])))))
    lines = [
        MADE,
        "",
        "# Events",
        "",
        "Every change of the table is an event, the same kinds in all games. A seat sees as much of it as the places",
        "concerned let it see. `proto/landsraad/v1/log.proto` says how each event changes a view;",
        "[the protocol](../protocol.md) explains logs.",
        "",
        *table(("verb", "what happened", "arguments"), rows),
    ]
    return "\n".join(lines).rstrip() + "\n"


def index() -> str:
    """Return the first page of the reference."""
    lines = [
        MADE,
        "",
        "# Reference",
        "",
        "Everything that a view, a question or a log can name, generated from the engine.",
        "",
        *table(
            ("game", "primer", "pages"),
            (
                (
                    f"[{games.load(game).title}]({game}/README.md)",
                    f"[one page](../primer-{game}.md)",
                    " · ".join(f"[{name}]({game}/{name}.md)" for name in CONTENTS),
                )
                for game in GAMES
            ),
        ),
        "[Events](events.md) are the same in all games.",
        "",
    ]
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Return every page by its path below docs/reference."""
    made = {"README.md": index(), "events.md": events_page()}
    for name in GAMES:
        game = games.load(name)
        asked = questions(game)
        message = game_message(game)
        made |= {
            f"{name}/README.md": overview(game),
            f"{name}/questions.md": questions_page(game, asked),
            f"{name}/acts.md": acts_page(game, asked, message),
            f"{name}/places.md": places_page(game),
            f"{name}/frames.md": frames_page(game, asked),
            f"{name}/announcements.md": announcements_page(game, message),
            f"{name}/options.md": options_page(game),
            f"{name}/rules.md": rules_page(game),
        }
    return made


def stale(made: Mapping[str, str]) -> list[str]:
    """Return the pages that differ from those in the repository, those that are there without being made included."""
    there = {path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md")}
    differ = {name for name, text in made.items() if name not in there or (PAGES / name).read_text() != text}
    return sorted(differ | (there - made.keys()))


def main() -> int:
    """Write the pages, or with --check report the stale ones."""
    made = pages()
    old = stale(made)
    check = "--check" in sys.argv[1:]
    for name in old:
        path = PAGES / name
        if not check and name in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[name])
        elif not check:
            path.unlink()
        print(f"{'stale: run `make reference`' if check else 'written'}: docs/reference/{name}")
    return 1 if old and check else 0


if __name__ == "__main__":
    sys.exit(main())
