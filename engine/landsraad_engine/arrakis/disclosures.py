"""The rules that themselves make a hidden fact public. Nothing else may be told aloud about what is hidden."""

from typing import Final

DISCLOSURES: Final = frozenset[str](
    {
        "WFA-Q.24",  # whether the secret objective is met, at each check
        "WFA-C.89",  # that a discard at random has hit a card which cannot be discarded
    }
)
