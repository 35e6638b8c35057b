"""History marks: bytes by which a cursor names the commit that its entries come from.

Versions and entries have numbers, which do not tell two histories apart after the store has lost the end of a log. So
each stream tells the mark of the last entry, and a client returns it with its cursor. If the log has another commit at
that place, what the client knows is lost, even if no worker remembers it.

A mark consists of a digest of the commit's nonce, of the epoch in which it is told, and of a signature with the
match's secret. Thus a client that shows a mark proves that it was told it: it cannot have a new epoch begun, with other
dice, by making one up. The digest hides the nonce, which counts commits and so would tell of hidden answers.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from hmac import compare_digest

#: Bytes of the digest and of the signature, and of the epoch between them.
_SIZE, _EPOCH = 6, 4


@lru_cache(4096)  # several streams are told the same mark
def mark(secret: bytes, epoch: int, nonce: bytes) -> bytes:
    """Return the mark of a commit.

    Args:
        secret: The match's secret.
        epoch: The epoch in which the mark is told.
        nonce: The commit's nonce; empty for an unknown one, which has no mark.
    """
    if not nonce:
        return b""
    signed = _digest(secret, nonce) + epoch.to_bytes(_EPOCH, "big")
    return signed + _signature(secret, signed)


def epoch_of(secret: bytes, given: bytes) -> int | None:
    """Return the epoch in which a client was told a mark; None if the mark is none of this match."""
    signed = given[: _SIZE + _EPOCH]
    if not compare_digest(given[_SIZE + _EPOCH :], _signature(secret, signed)):
        return None
    return int.from_bytes(signed[_SIZE:], "big")


def names(given: bytes, secret: bytes, nonce: bytes) -> bool:
    """Return whether a mark is that of a commit."""
    return compare_digest(given[:_SIZE], _digest(secret, nonce))


def _digest(secret: bytes, nonce: bytes) -> bytes:
    return blake2b(nonce, key=secret, digest_size=_SIZE).digest()


def _signature(secret: bytes, signed: bytes) -> bytes:
    return blake2b(signed, key=secret, digest_size=_SIZE, person=b"signature").digest()
