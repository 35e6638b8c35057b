"""The secrets of High Dune, for the leak test: stated from its rules, and not from its zones."""

from landsraad_engine.testing.leaks.secrets import NOBODY, SEAT, SecretKind, SecretsTable

HIGH_DUNE = SecretsTable(
    rows=(
        SecretKind("hand", "hand/*", SEAT),
        SecretKind("deck", "deck", NOBODY),
        SecretKind("deck", "under", NOBODY),
    ),
    never=frozenset({"quiet answers", "standing orders"}),  # High Dune has no reaction windows
    reveals={"HIGH-1.3": ("hand/*",)},
)
