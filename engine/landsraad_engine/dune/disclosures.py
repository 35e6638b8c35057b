"""The rules that themselves make a hidden fact public. Nothing else may be told aloud about what is hidden."""

from typing import Final

DISCLOSURES: Final = frozenset[str](
    {
        "DUNE-3.1",  # claiming charity says that the purse was empty
        "DUNE-T.20",  # a Truthtrance answer that cannot be kept is declared invalid, or valid again
    }
)
