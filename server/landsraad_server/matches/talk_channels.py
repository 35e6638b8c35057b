"""Channels of talk: who is on them, which of them are open, and what a text may be."""

from __future__ import annotations

import unicodedata

from landsraad_engine.kernel.match_options import NO_TALK, TALK_BY_RULES, talk_of
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import MatchStage
from landsraad_server.refusals import Denied

TABLE = "table"
SPECTATORS = "spectators"
#: Characters of one message.
MOST_CHARACTERS = 500
#: Categories of characters that could do harm where a text is shown: control, format, surrogate, private, unassigned,
#: and separators of lines and paragraphs. Format characters include those that change the direction of text.
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
#: Zero-width joiners: format characters without which some scripts and emoji cannot be written.
_JOINERS = frozenset("\u200c\u200d")


def seats_on(channel: str, seats: int) -> tuple[int, ...]:
    """Return the seats of a private channel, lowest first; none if that is no name of one."""
    named = channel.split("-")
    if len(named) < 2 or not all(one.isascii() and one.isdigit() and len(one) <= 2 for one in named):
        return ()
    found = tuple(map(int, named))
    proper = list(found) == sorted(set(found)) and found[-1] < seats and private_channel(found) == channel
    return found if proper else ()


def private_channel(seats: tuple[int, ...]) -> str:
    """Return the name of the private channel of some seats."""
    return "-".join(map(str, sorted(seats)))


def open_channels(hosted: HostedMatch, seat: int) -> list[str]:
    """Return the channels on which a seat can speak now. They follow from public facts."""
    allowed = talk_of(hosted.terms.options)
    if allowed == NO_TALK:
        return []
    running = hosted.running
    if allowed != TALK_BY_RULES or running is None or hosted.stage is not MatchStage.LIVE:
        return [TABLE]
    game = running.g.setting.game
    return [TABLE, *(private_channel(seats) for seats in game.channels(running.g) if seat in seats)]


def hears(channel: str, seat: int, seats: int) -> bool:
    """Return whether a seat may read a channel, open or closed."""
    return channel == TABLE or seat in seats_on(channel, seats)


def check_seat_channel(hosted: HostedMatch, seat: int, channel: str) -> None:
    """Refuse a channel on which a seat cannot speak now.

    Raises:
        Denied: There is no talk, no such channel for this seat, or it is closed.
    """
    allowed = open_channels(hosted, seat)
    if channel in allowed:
        return
    if not allowed:
        raise talk_off()
    if not hears(channel, seat, len(hosted.seats)):
        raise no_such_channel()
    raise Denied("CHANNEL_CLOSED", f"the channel {channel} is closed now; open are {', '.join(allowed)}")


def talk_off() -> Denied:
    """Return the refusal of a match without talk."""
    return Denied("TALK_OFF", "this match is played without talk")


def no_such_channel() -> Denied:
    """Return the refusal of a channel that does not exist for the caller."""
    return Denied("NO_SUCH_CHANNEL", f"no such channel for you; write {TABLE}, {SPECTATORS}, or seats such as 0-2")


def has_account_in(hosted: HostedMatch, account: str) -> bool:
    """Return whether an account plays: it must not hear spectators, who may see more."""
    return not hosted.over and any(plan.account == account for plan in hosted.terms.seats)


def checked_text(text: str) -> str:
    """Return a text in Unicode's composed form.

    Raises:
        Denied: It is empty, too long, or has a character that could do harm where it is shown.
    """
    problem = ""
    if len(text) > MOST_CHARACTERS:
        problem = f"cannot exceed {MOST_CHARACTERS} characters"
    elif not text.strip():
        problem = "cannot be empty"
    else:
        bad = next((one for one in text if one not in _JOINERS and unicodedata.category(one) in _HARMFUL), None)
        if bad is not None:
            problem = f"cannot contain the character U+{ord(bad):04X}"
    if problem:
        raise Denied("BAD_TEXT", f"text {problem}", violations=[("text", problem)])
    return unicodedata.normalize("NFC", text)
