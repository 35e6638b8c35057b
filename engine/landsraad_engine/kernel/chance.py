"""Chance: labelled streams of dice and shuffles that can be checked afterwards.

Each label is a stream of its own: ``HMAC-SHA256(key, epoch | label | counter)``, mapped to numbers without bias; the
key is the match's own. Learning one stream tells nothing about another. The server publishes ``commitment(secret)``
before the deal, every seat may add entropy when it joins, and the secret is revealed with the certificate.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from landsraad_engine.errors import LawBroken


def commitment(secret: bytes) -> str:
    """What is published before the deal: it binds the server to its secret without telling it."""
    return hashlib.sha256(b"landsraad commitment" + secret).hexdigest()


def match_key(secret: bytes, match: str, entropy: Sequence[bytes] = ()) -> bytes:
    """The key of a match's streams, from the server's secret and what the seats added."""
    # Parts are hashed before they are joined, so that none can pass for the end of another.
    digest = hashlib.sha256(b"landsraad key")
    for part in (match.encode(), *entropy):
        digest.update(hashlib.sha256(part).digest())
    return hmac.digest(secret, digest.digest(), "sha256")


def draws(key: bytes, epoch: int, label: str, counter: int, bounds: Sequence[int]) -> tuple[list[int], int]:
    """One number below each bound, and the stream's next counter. Same arguments, same numbers, on every machine."""
    numbers: list[int] = []
    block = b""
    at = 32
    prefix = b"%d|%s|" % (epoch, label.encode())
    for bound in bounds:
        if not 0 < bound <= 1 << 32:
            raise LawBroken(f"no number can be drawn below {bound}")
        # 32-bit words above the largest multiple of the bound are dropped, so that no number is favoured.
        limit = (1 << 32) - (1 << 32) % bound
        while True:
            if at >= 32:
                block = hmac.digest(key, prefix + b"%d" % counter, "sha256")
                counter += 1
                at = 0
            word = int.from_bytes(block[at : at + 4], "big")
            at += 4
            if word < limit:
                break
        numbers.append(word % bound)
    return numbers, counter


def order(key: bytes, epoch: int, label: str, counter: int, size: int) -> tuple[list[int], int]:
    """A fair permutation of ``range(size)`` (Fisher-Yates), and the stream's next counter."""
    picks, counter = draws(key, epoch, label, counter, range(size, 1, -1))
    indices = list(range(size))
    for last, pick in zip(range(size - 1, 0, -1), picks, strict=True):
        indices[last], indices[pick] = indices[pick], indices[last]
    return indices, counter
