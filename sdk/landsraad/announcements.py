"""Announcements in logs, typed: battles won, cards bought, worms that rise."""

from collections.abc import Iterable, Iterator

from landsraad.games import load
from landsraad.seat_log import LogEntry
from landsraad_engine.kernel.announcements import Announcement, read_announcement
from landsraad_engine.knowledge.information import Entry


def announcements(game: str, entries: Iterable[LogEntry | Entry]) -> Iterator[Announcement]:
    """Yield the announcements among entries of a log, in their order.

    Args:
        game: The id of the game, "dune" or "arrakis".
        entries: Entries of a seat's log, of the spectators' or of a replay, such as `Update.entries` or the events of
            `Bot.told`.

    Yields:
        Instances of the classes in `landsraad_engine.dune.announcements` or `landsraad_engine.arrakis.announcements`.

    Raises:
        LookupError: There is no such game.

    """
    kinds = load(game).announcements
    for one in entries:
        match one.entry if isinstance(one, LogEntry) else one:
            case ("event", "announce", _, str(what), *facts):
                announced = read_announcement(kinds, what, facts)
                if announced is not None:
                    yield announced
