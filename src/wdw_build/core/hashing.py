"""SHA-256 hashes of values and files, uniform hashes of ids, and sums of ids."""

from __future__ import annotations

import functools
import hashlib
import math
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

_HEX_LENGTH = 64
_BELOW_ONE = math.nextafter(1.0, 0.0)
# A file that changed this recently may change again without a new time stamp, so its hash is not cached.
_SETTLED_SECONDS = 2.0
# Size of the cache, in bytes, above which it is pruned to half: hashes of more than 100,000 files.
_LARGEST_CACHE = 32 << 20


def digest(value: Any) -> str:
    """SHA-256 (hex) of a value's canonical JSON: keys sorted, no spaces."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


def uniform_hash(seed: int, stage: str, record_id: str) -> float:
    """A number in [0, 1), uniformly distributed, that depends on (run seed, stage, record id) alone."""
    key = f"{seed}\x1f{stage}\x1f{record_id}".encode("utf-8", "surrogatepass")
    # Division may round up to 1.
    return min(int.from_bytes(hashlib.sha256(key).digest()[:7], "big") / float(1 << 56), _BELOW_ONE)


def hash_order(seed: int, purpose: str, keys: Iterable[str]) -> list[int]:
    """The indexes of some keys in the order of the keys' uniform hashes; equal keys keep their order."""
    draws = [uniform_hash(seed, purpose, key) for key in keys]
    return sorted(range(len(draws)), key=draws.__getitem__)


def derived_seed(seed: int, purpose: str, number: int) -> int:
    """The seed, from 0 to 2**53 - 1, of one of the random procedures of a run, such as a division into folds.

    Sums such as ``seed + number`` would give runs with neighbouring seeds most of their procedures in common.
    """
    key = f"{seed}\x1f{purpose}\x1f{number}".encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:7], "big") >> 3


def id_sum(record_id: str) -> int:
    """A 64-bit hash of an id. Sums of these hashes compare sets of ids without keeping the ids."""
    return int.from_bytes(hashlib.blake2b(record_id.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def file_sha256(path: Path) -> str:
    """SHA-256 (hex) of a file; always reads the file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def hash_file(path: Path) -> str:
    """SHA-256 (hex) of a file, cached in the user's cache folder by path, size, inode and modification time."""
    stat = path.stat()
    key = _cache_key(path, stat)
    cached = _cached_hashes()
    value = cached.get(key) or file_sha256(path)
    if key not in cached and time.time() - stat.st_mtime > _SETTLED_SECONDS and "\n" not in key:
        cached[key] = value
        _add_to_cache(f"{key}\t{value}\n")
    return value


def _cache_key(path: Path, stat: os.stat_result) -> str:
    return f"{path.resolve()}\t{stat.st_size}\t{stat.st_ino}\t{stat.st_mtime_ns}"


def _cache_path() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "wdw-build" / "file-hashes"


@functools.cache
def _cached_hashes() -> dict[str, str]:
    """The cached hashes, read once in each process."""
    try:
        return _stored_hashes(_cache_path())
    except OSError:
        return {}


def _stored_hashes(path: Path) -> dict[str, str]:
    """The hashes in the cache file; truncated lines are ignored."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return {key: value for key, _, value in (line.rpartition("\t") for line in lines) if len(value) == _HEX_LENGTH}


def _add_to_cache(line: str) -> None:
    # Without a writable cache, files are hashed again: slower, but correct.
    path = _cache_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(line)
        if path.stat().st_size > _LARGEST_CACHE:
            _prune(path)
    except OSError:
        return


def _prune(path: Path) -> None:
    """Keep the newest hashes of unchanged files in the cache, up to half of its largest size."""
    lines, size = list[str](), 0
    for key, value in reversed(_stored_hashes(path).items()):
        line = f"{key}\t{value}\n"
        if _is_current(key):
            size += len(line.encode("utf-8", "replace"))
            if size > _LARGEST_CACHE // 2:
                break
            lines.append(line)
    # A line that another process appends at this moment is lost: its file is hashed again.
    pruned = path.with_name(f"{path.name}.{os.getpid()}")
    pruned.write_text("".join(reversed(lines)), encoding="utf-8", errors="replace")
    pruned.replace(path)


def _is_current(key: str) -> bool:
    """Whether the file of a key in the cache still has the version in the key."""
    path = Path(key.rsplit("\t", 3)[0])
    try:
        return _cache_key(path, path.stat()) == key
    except (OSError, ValueError):
        return False
