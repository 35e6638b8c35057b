"""Questions of War for Arrakis in the terminal: what is going on, what cards and leaders do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import msgspec
from rich.text import Text

from landsraad.wording import wording_of
from landsraad_cli.terminal.names import humanised
from landsraad_cli.terminal.picture import Picture
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, SIDES
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.knowledge.views import SeatView

Facts: TypeAlias = Mapping[str, Any]

WORDS: Final = wording_of("arrakis")

#: Fields of acts whose values are cards or leaders.
_READABLE: Final = ("card", "cards", "leader", "leaders", "named", "target")
_ENEMY: Final = {ATREIDES: HARKONNEN, HARKONNEN: ATREIDES}


class ArrakisQuestions(Picture):
    """The questions of a match of War for Arrakis."""

    acts = WORDS.acts
    meanings = WORDS.meanings
    fields = WORDS.fields
    phrases = WORDS.phrases
    countable = WORDS.countable

    def question(self, view: SeatView, options: Options) -> Iterator[Text]:
        assert isinstance(view, ArrakisSeatView)
        for facts in view.frames:
            frame = str(facts["frame"])
            if frame in _TELLERS:
                if line := _TELLERS[frame](self, view, facts):
                    yield line
            elif frame in WORDS.uses:
                yield self.filled(WORDS.uses[frame], facts)

    def _turn(self, view: ArrakisSeatView, facts: Facts) -> Text:
        line = Text.assemble("An action of the ", self.names.name(facts["side"]))
        if facts["die"]:
            line.append_text(Text.assemble(", with a die that shows ", self.names.name(facts["die"])))
        if facts["action"]:
            line.append(f": {WORDS.values.get(facts['action'], facts['action'])}")
        return line.append(".")

    def _card(self, view: ArrakisSeatView, facts: Facts) -> Text:
        text = self._text_of(view, facts["card"])
        return Text.assemble("The card ", self.names.name(facts["card"]), f" is played: {text}.")

    def _special(self, view: ArrakisSeatView, facts: Facts) -> Text:
        return Text.assemble(self.names.name(facts["leader"]), f": {self._text_of(view, facts['leader'])}.")

    def _move(self, view: ArrakisSeatView, facts: Facts) -> Text:
        moved = len(facts["arrived"])
        told = f", {moved} of them moved already" if moved else ""
        return self.filled("Move up to {count} legion(s)", facts).append(f"{told}.")

    def _attack(self, view: ArrakisSeatView, facts: Facts) -> Text:
        surprise = " by surprise" if facts["surprise"] else ""
        return Text(f"Attack with one legion{surprise}.") if not facts["target"] else Text()

    def _battle(self, view: ArrakisSeatView, facts: Facts) -> Text:
        attackers = next((side for side in SIDES if self._stands(view, side, facts["source"])), "")
        legions = [
            self._legion(view, attackers, facts["source"]),
            self._legion(view, _ENEMY.get(attackers, ""), facts["target"]),
        ]
        surprise = " by surprise" if facts["surprise"] else ""
        return Text.assemble(
            legions[0], f" from {self.names.title(facts['source'])} attack{surprise} ", legions[1],
            f" in {self.names.title(facts['target'])}; battle round {facts['number']}.",
        )  # fmt: skip

    def _stands(self, view: ArrakisSeatView, side: str, area: str) -> bool:
        legion = view.legion(side, area)
        return bool(legion.strength or legion.leaders or legion.tokens)

    def _legion(self, view: ArrakisSeatView, side: str, area: str) -> Text:
        if not side or not self._stands(view, side, area):
            return Text("nobody")
        legion = view.legion(side, area)
        tokens = f", {_many(len(legion.tokens), 'face-down token')}" if legion.tokens else ""
        return Text.assemble(
            self.names.name(side), f" (strength {legion.strength}, {_many(legion.leaders, 'leader')}{tokens})"
        )

    def _claim(self, view: ArrakisSeatView, facts: Facts) -> Text:
        return Text.assemble(
            self.names.name(facts["card"]), f" is being claimed: {self._text_of(view, facts['card'])}."
        )

    # ------------------------------------------------------------------------------------------------- acts and values

    def value(self, value: Any, domain: Any = None) -> Text:
        return (
            Text(WORDS.values[value])
            if isinstance(value, str) and value in WORDS.values
            else super().value(value, domain)
        )

    def phrase(self, kind: type[Act], name: str, value: Any, domain: Any = None) -> Text:
        # A die is named by what it shows, not by the action that has the same name.
        if isinstance(value, str) and name in ("die", "box", "source", "target") and value in WORDS.values:
            before, _, after = str(self.phrases.get(f"{kind.__name__}.{name}", self.phrases[name])).partition("{}")
            return Text.assemble(before, self.names.name(value), after)
        return super().phrase(kind, name, value, domain)

    def remark(self, view: SeatView, kind: type[Act], field: str, value: Any) -> str:
        assert isinstance(view, ArrakisSeatView)
        return self._text_of(view, value) if isinstance(value, str) and field in _READABLE else ""

    def texts(self, view: SeatView) -> Iterator[Text]:
        assert isinstance(view, ArrakisSeatView)
        if view.seat is None or view.side is None:
            return
        cards = [*view.hand(view.seat), *view.table.get("prescience_row", ())]
        if view.side == ATREIDES:
            cards += view.table.get("objectives", ())
        for card in (*cards, *view.leaders_on_board(view.side)):
            text = self._text_of(view, card)
            if text:
                yield Text.assemble(self.names.name(card), f": {text}")

    def _text_of(self, view: ArrakisSeatView, piece: str) -> str:
        """Return what a card or a leader does; empty for anything else."""
        content = view.content
        if piece in content.planning_card:
            return content.planning_card[piece].effect
        if piece in content.prescience_card:
            card = content.prescience_card[piece]
            return f"needs {self._rows(card.requires)}; gives {self._rows(card.rewards)}"
        if piece in content.objective:
            goals = content.objective[piece]
            return (
                f"wins with Kwisatz Haderach at {goals.kwisatz_haderach}, Sand Dwellers at {goals.sand_dwellers}, "
                f"Jihad at {goals.jihad}"
            )
        if piece in content.leader:
            leader = content.leader[piece]
            fights = (
                f"a Special result is {_many(leader.combat.hits, 'hit')} and {_many(leader.combat.shields, 'shield')}"
            )
            return f"{fights}; {self._rows(leader.special)}" if leader.special else fights
        return ""

    def _rows(self, rows: Any) -> str:
        """Describe rows of a card: what each is called, and its values that are set."""
        return " and ".join(self._row(row) for row in rows)

    def _row(self, row: Any) -> str:
        facts = [
            f"{humanised(name)} {self.names.say(value).plain}"
            for name, value in msgspec.structs.asdict(row).items()
            if value not in ("", (), False, 0, 99, "any") and not isinstance(value, msgspec.Struct)
        ]
        what = humanised(type(row).__name__.removesuffix("Row"))
        return f"{what} ({', '.join(facts)})" if facts else what


def _many(number: int, what: str) -> str:
    """Return a number of things in words."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


_TELLERS: Final[Mapping[str, Callable[[ArrakisQuestions, ArrakisSeatView, Facts], Text]]] = {
    "ActionTurn": ArrakisQuestions._turn,
    "PlayPlanningCard": ArrakisQuestions._card,
    "SpecialAction": ArrakisQuestions._special,
    "MoveLegions": ArrakisQuestions._move,
    "AttackWith": ArrakisQuestions._attack,
    "Battle": ArrakisQuestions._battle,
    "ClaimCard": ArrakisQuestions._claim,
}
