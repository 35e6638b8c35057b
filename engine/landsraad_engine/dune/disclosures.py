"""The rules that themselves make a hidden fact public. Nothing else may be told aloud about what is hidden."""

from typing import Final

DISCLOSURES: Final = frozenset[str](
    {
        "DUNE-3.1",  # claiming charity says that the purse was empty
        "DUNE-BG.27",  # after the reveal: the Voice could not be obeyed
        "DUNE-3.19",  # a buyer who cannot pay leads the bidding again with all that the purse holds
        "DUNE-3.20",  # a buyer who has lost a Karama cannot pay
        "DUNE-0.21",  # who cannot pay a promised sum in full has no more than was paid
        "DUNE-T.15",  # the answer to a Truthtrance question
        "DUNE-T.20",  # a Truthtrance answer that cannot be kept is declared invalid, or valid again
    }
)
