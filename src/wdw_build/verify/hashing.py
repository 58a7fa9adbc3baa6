"""The pipeline's pseudo-random numbers, implemented independently."""

from __future__ import annotations

import hashlib


def uniform_hash(seed: int, stage: str, name: str) -> float:
    """A number in [0, 1) derived from seed, stage and id."""
    key = "\x1f".join((str(seed), stage, name)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(key).digest()[:7], "big") / 2**56
