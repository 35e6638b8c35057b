"""The rulebook published as work in progress in 2022: what it has otherwise, by subject.

turns        dice without slots, who is skipped, scouting, the tank after every turn
legions      stations in passing, harvesters for the Jihad; battles with a part of a legion, surprise, price, advance
desert       worms that strike at once, and what they may move onto
prescience   claims and victory at once, leaders who stay, bans as long as a marker is down, atomics that go off

Planning cards that read otherwise stand beside the others, components that differ in the content file of the edition.
"""

from landsraad_engine.arrakis.cards import of_2022
from landsraad_engine.arrakis.editions import EditionRules, older
from landsraad_engine.arrakis.editions.preview_2022 import desert, legions, prescience, turns

_SUBJECTS = (turns, legions, prescience, desert)

FRAMES = (*turns.FRAMES, *legions.FRAMES, *prescience.FRAMES, *desert.FRAMES)

EDITION = EditionRules(
    (older.source, of_2022.deck, *(subject.source for subject in _SUBJECTS)),
    {place: step for subject in _SUBJECTS for place, step in subject.STEPS.items()},
)
