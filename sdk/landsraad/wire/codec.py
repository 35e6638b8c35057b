"""Everything of one game on the wire, both ways."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from landsraad.v1 import act_pb2, ask_pb2, log_pb2
from landsraad_engine.kernel.execution import plain
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.knowledge.information import Entry

from . import entries, grammar
from .acts import ActCodec
from .memo import read_once, written_once


class Codec:
    """The wire's words of one game. What it keeps is known by its whole content, and so says nothing of a match."""

    def __init__(self, game: Game) -> None:
        self.acts = acts = ActCodec(game.id, game.acts)
        #: `entry` for all but steps: four of five have been the same before, in this match or another one
        self.told = written_once(lambda entry: entries.write_entry(entry, acts))
        self._act = read_once(acts.read)
        # Of a question that is new, half of the choices are not.
        self._choice = read_once(lambda parsed: grammar.read_choice(parsed, acts.acts))
        self._options = read_once(lambda parsed: Options([self._choice(one) for one in parsed.choices]))

    # ---------------------------------------------------------------------------------------------------------- writing

    def entry(self, entry: Entry) -> bytes:
        """A log entry without its number: the same bytes for everybody who was told the same."""
        if entry[0] == "at":  # seldom the same
            return entries.write_entry(entry, self.acts)
        return self.told(entry)

    #: The same for what the engine has put last: steps and questions need no plain form on their way out.
    step = staticmethod(entries.write_step)
    question = staticmethod(entries.write_question)

    def act(self, act: Act) -> act_pb2.Act:
        """An act as a message."""
        return act_pb2.Act.FromString(self.act_bytes(act))

    def act_bytes(self, act: Act) -> bytes:
        """The bytes of that message."""
        return self.acts.write(plain(act))

    def options(self, options: Options) -> ask_pb2.Options:
        """What may be answered, or played, as a message."""
        return ask_pb2.Options.FromString(grammar.write_options(options.plain()))

    # ---------------------------------------------------------------------------------------------------------- reading

    def read_act(self, parsed: act_pb2.Act) -> Act:
        """The act; Refused ("malformed") if it is none of this game's."""
        return self._act(parsed)

    def read_acts(self, parsed: Iterable[act_pb2.Act]) -> tuple[Act, ...]:
        """Several acts."""
        return tuple(map(self._act, parsed))

    def read_options(self, parsed: ask_pb2.Options) -> Options:
        """The options: they list, draw and check acts without asking the service."""
        return self._options(parsed)

    def read_choice(self, parsed: ask_pb2.Choice) -> Choice:
        """One of the choices that options consist of."""
        return self._choice(parsed)

    def read_entries(self, parsed: log_pb2.Entries) -> list[Entry]:
        """Log entries; the first has the number `parsed.first`."""
        return [entries.read_entry(one, self.acts) for one in parsed.entries]


@lru_cache(32)
def codec_for(game: Game) -> Codec:
    """The codec of a game; made once."""
    return Codec(game)
