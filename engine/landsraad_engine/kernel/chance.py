"""Chance: verifiable random streams for dice and shuffles (commit and reveal).

Each label is a stream of its own: ``HMAC-SHA256(key, epoch | label | counter)``, mapped to numbers without bias, with
a key for each match. One stream reveals nothing about another. The server publishes ``commitment(secret)`` before the
deal, every seat may add entropy when it joins, and the certificate reveals the secret, so that anybody can check the
draws afterwards.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from landsraad_engine.errors import LawBroken


def commitment(secret: bytes) -> str:
    """Return the hash published before the deal: it binds the server to its secret without revealing it."""
    return hashlib.sha256(b"landsraad commitment" + secret).hexdigest()


def match_key(secret: bytes, match: str, entropy: Sequence[bytes] = ()) -> bytes:
    """Derive the key of a match's streams from the server's secret and the entropy that the seats added."""
    # Each part is hashed before they are joined, so that no two lists of parts concatenate to the same bytes.
    digest = hashlib.sha256(b"landsraad key")
    for part in (match.encode(), *entropy):
        digest.update(hashlib.sha256(part).digest())
    return hmac.digest(secret, digest.digest(), "sha256")


def draws(key: bytes, epoch: int, label: str, counter: int, bounds: Sequence[int]) -> tuple[list[int], int]:
    """Draw one number below each bound; return the numbers and the stream's next counter.

    Deterministic: the same arguments give the same numbers on every machine.
    """
    numbers: list[int] = []
    block = b""
    offset = 32
    prefix = b"%d|%s|" % (epoch, label.encode())
    for bound in bounds:
        if not 0 < bound <= 1 << 32:
            raise LawBroken(f"no number can be drawn below {bound}")
        # Rejection sampling: a word at or above the largest multiple of the bound would favour small numbers.
        limit = (1 << 32) - (1 << 32) % bound
        while True:
            if offset >= 32:
                block = hmac.digest(key, prefix + b"%d" % counter, "sha256")
                counter += 1
                offset = 0
            word = int.from_bytes(block[offset : offset + 4], "big")
            offset += 4
            if word < limit:
                break
        numbers.append(word % bound)
    return numbers, counter


def order(key: bytes, epoch: int, label: str, counter: int, size: int) -> tuple[list[int], int]:
    """Draw a uniform permutation of ``range(size)`` (Fisher-Yates); return it and the stream's next counter."""
    picks, counter = draws(key, epoch, label, counter, range(size, 1, -1))
    indices = list(range(size))
    for last, pick in zip(range(size - 1, 0, -1), picks, strict=True):
        indices[last], indices[pick] = indices[pick], indices[last]
    return indices, counter
