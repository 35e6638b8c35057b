"""Search among the lines of a menu by part of a name."""

from __future__ import annotations

from collections.abc import Sequence


def found_by(typed: str, labels: Sequence[str]) -> tuple[list[int], bool]:
    """Return the indexes of the labels that match a part of a name.

    Labels that are what was typed come before those that begin with it, those before labels with a word that does, and
    those before labels that contain it.

    Returns:
        The indexes of the best kind of match, and True if one alone begins with what was typed, as a whole or with one
        of its words: then it can be taken without another question.
    """
    wanted = _plain(typed)
    plain = [_plain(label) for label in labels]
    exact = [at for at, label in enumerate(plain) if label == wanted]
    first = [at for at, label in enumerate(plain) if label.startswith(wanted)]
    word = [at for at, label in enumerate(plain) if f" {wanted}" in label]
    for matches in (exact, first, word):
        if matches:
            return matches, len(matches) == 1
    return [at for at, label in enumerate(plain) if wanted in label], False


def _plain(label: str) -> str:
    """Return a label in small letters, with nothing but letters, digits and single spaces."""
    return " ".join("".join(letter if letter.isalnum() else " " for letter in label.replace("'", "")).lower().split())
