"""The codec of one game, both ways."""

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
from .memo import cached_reader, cached_writer


class Codec:
    """The codec of one game. Its caches are keyed by whole contents, so they reveal nothing about a match."""

    def __init__(self, game: Game) -> None:
        self.acts = acts = ActCodec(game.id, game.acts)
        #: `entry` for all but steps and questions; four of five hit the cache, in this match or in another one
        self.cached_entry = cached_writer(lambda entry: entries.write_entry(entry, acts))
        self._plain_question = cached_writer(entries.write_plain_question)
        self._act = cached_reader(acts.read)
        # Half of the choices in a new question are not new.
        self._choice = cached_reader(lambda parsed: grammar.read_choice(parsed, acts.acts))
        self._options = cached_reader(lambda parsed: Options([self._choice(one) for one in parsed.choices]))

    # ---------------------------------------------------------------------------------------------------------- writing

    def entry(self, entry: Entry, number: int) -> bytes:
        """Write the log entry with this number. Only questions contain it: seats share the bytes of other entries."""
        if entry[0] == "ask":
            return entries.number_question(self._plain_question(entry), number)
        if entry[0] == "at":  # steps seldom repeat, so a cache would not pay
            return entries.write_entry(entry, self.acts)
        return self.cached_entry(entry)

    def numbered_entries(self, first: int, log: Iterable[Entry]) -> list[bytes]:
        """Write consecutive log entries, the first of which has this number."""
        return [self.entry(entry, number) for number, entry in enumerate(log, first)]

    #: Steps and questions straight from the engine's objects; they need no plain form on their way out. A question is
    #: written without its number, which `number_question` adds.
    step = staticmethod(entries.write_step)
    question = staticmethod(entries.write_question)
    number_question = staticmethod(entries.number_question)

    def act(self, act: Act) -> act_pb2.Act:
        """Write an act as a message."""
        return act_pb2.Act.FromString(self.act_bytes(act))

    def act_bytes(self, act: Act) -> bytes:
        """Write the bytes of an act message."""
        return self.acts.write(plain(act))

    def options(self, options: Options) -> ask_pb2.Options:
        """Write legal answers or plays as a message."""
        return ask_pb2.Options.FromString(grammar.write_options(options.plain()))

    # ---------------------------------------------------------------------------------------------------------- reading

    def read_act(self, parsed: act_pb2.Act) -> Act:
        """Read an act.

        Raises:
            Refused: The message is not an act of this game, with the reason "malformed".
        """
        return self._act(parsed)

    def read_acts(self, parsed: Iterable[act_pb2.Act]) -> tuple[Act, ...]:
        """Read several acts."""
        return tuple(map(self._act, parsed))

    def read_options(self, parsed: ask_pb2.Options) -> Options:
        """Read options. They list, draw and check acts without asking the service."""
        return self._options(parsed)

    def read_choice(self, parsed: ask_pb2.Choice) -> Choice:
        """Read one of the choices of which options consist."""
        return self._choice(parsed)

    def read_entries(self, parsed: log_pb2.Entries) -> list[Entry]:
        """Read log entries. The first has the number `parsed.first`."""
        return [entries.read_entry(one, self.acts) for one in parsed.entries]


@lru_cache(32)
def codec_for(game: Game) -> Codec:
    """Return the codec of a game, made once."""
    return Codec(game)
