"""Copies: articles whose text an earlier article has, word for word or nearly so, whatever their sources, titles and days.

Nearly the same text: nine tenths of the runs of four words of each text are in the other one, apart from page text that only
one of them has at an edge. Reports that follow a pattern, such as those of a weather service, differ in their figures: the
texts must have their digits in common, too. Rewritten reprints, and updates with news, differ in more runs.

MinHash with banding finds pairs of texts that may be so similar (Leskovec et al., *Mining of Massive Datasets*, chapter 3);
then all of their runs are compared. Each block of the corpus writes its texts and their hashes. The search takes about 250
bytes of memory for an article, and reads the texts of such pairs only.
"""

from __future__ import annotations

import functools
import itertools
import zlib
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from wdw_build.core.hashing import id_sum
from wdw_build.records import Article
from wdw_build.similarity.bags import Mask, Places
from wdw_build.text.tokens import ByChunk, words

Hashes = npt.NDArray[np.uint64]
_IDS, _WORDS, _TABLE = "ids.json", "words.bin", "texts.npy"
# Words of a run, and the share of runs and of digits that two copies have in common.
_RUN, _RUNS_SHARED, _DIGITS_SHARED = 4, 0.9, 0.95
# The longest stretch of runs without a shared one, and that at the start: a copy has no other lead or paragraph.
_LONGEST_GAP, _LONGEST_START = 33, 18
# The part of a text that may be page text at its start or end.
_EDGE = 8
# A text of fewer words, such as a dividend of a company, is a copy only if the whole text and the title are the same.
_SHORT = 25
# Bands, and minima in each: two texts with 90 % (75 %) of all runs in common share a band with a chance of .999999 (.99).
_BANDS, _ROWS = 16, 5
# Earlier texts with the same band with which a text is compared, besides the first of them.
_EARLIER = 8
_CACHED = 4096
_WORD, _BAND = np.dtype("<u4"), np.dtype("<u4")
_TEXT = np.dtype(
    [
        ("day", "<i8"),
        ("id", "<u8"),
        ("text", "<u8"),
        ("words", "<i8"),
        ("digits", "<i4", (10,)),
        ("bands", _BAND, (_BANDS,)),
    ]
)


def _odd_numbers(seed: int, count: int) -> Hashes:
    numbers = np.random.Generator(np.random.PCG64(seed)).integers(1 << 63, size=count, dtype=np.uint64)
    return numbers * np.uint64(2) + np.uint64(1)


_POWERS = _odd_numbers(0, _RUN)
_FACTORS, _TERMS = (_odd_numbers(seed, _BANDS * _ROWS)[:, np.newaxis] for seed in (1, 2))


def _mixed(values: Hashes) -> Hashes:
    """Each value with its bits mixed (the finaliser of SplitMix64)."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        values = (values ^ (values >> np.uint64(shift))) * np.uint64(factor)
    return values ^ (values >> np.uint64(31))


def _runs(codes: npt.NDArray[np.uint32]) -> Hashes:
    """A hash of each run of words, in order; none if the text has fewer words."""
    count = max(0, len(codes) - _RUN + 1)
    runs = np.zeros(count, dtype=np.uint64)
    for place, factor in enumerate(_POWERS):
        runs += codes[place : place + count].astype(np.uint64) * factor
    return _mixed(runs)


def _bands(runs: Hashes) -> npt.NDArray[np.uint32]:
    """A hash of the minima of each band; zeros without runs."""
    keys = np.zeros(_BANDS, dtype=np.uint64)
    if len(runs):
        minima = ((runs * _FACTORS + _TERMS) >> np.uint64(32)).min(axis=1)
        for row in minima.reshape(_BANDS, _ROWS).T:
            keys = _mixed(keys + row)
    return (keys >> np.uint64(32)).astype(_BAND)


def _coded_words(text: str) -> bytes:
    """A code of each word, one after the other."""
    encoded = (word.encode("utf-8", "surrogatepass") for word in words(text))
    return b"".join(zlib.crc32(word).to_bytes(_WORD.itemsize, "little") for word in encoded)


class TextWriter:
    """Collects and writes what the search for copies reads of the articles of a block: their ids, words and hashes."""

    def __init__(self) -> None:
        self._ids, self._words = list[str](), bytearray()
        self._rows: list[tuple[object, ...]] = []
        self._codes = ByChunk(_coded_words)

    def add(self, article: Article) -> None:
        """Add an article."""
        text = article.text
        coded = self._coded(text)
        is_short = len(coded) < _SHORT * _WORD.itemsize
        if is_short:
            coded = self._coded(f"{article.title}\n{text}")
        codes = np.frombuffer(coded, dtype=_WORD)
        runs = _runs(codes[:0] if is_short else codes)
        digits = [text.count(digit) for digit in "0123456789"]
        hashes = id_sum(article.id), int.from_bytes(blake2b(coded, digest_size=8).digest(), "big")
        self._ids.append(article.id)
        self._rows.append((article.date.toordinal(), *hashes, len(codes), digits, _bands(runs)))
        self._words += coded

    def _coded(self, text: str) -> bytes:
        return b"".join(map(self._codes.__getitem__, text.split()))

    def write(self, folder: Path) -> None:
        """Write the files into a folder."""
        (folder / _IDS).write_bytes(msgspec.json.encode(self._ids))
        (folder / _WORDS).write_bytes(self._words)
        np.save(folder / _TABLE, np.array(self._rows, dtype=_TEXT))


class _Texts:
    """The texts of all blocks, numbered by day, then by id. Of records with one id, the first one of the corpus counts."""

    def __init__(self, folders: Sequence[Path]) -> None:
        tables = [np.zeros(0, dtype=_TEXT), *(np.load(folder / _TABLE) for folder in folders)]
        table, ids = np.concatenate(tables), list(itertools.chain.from_iterable(map(_ids, folders)))
        days, first_of_id = table["day"].tolist(), np.unique(table["id"], return_index=True)[1]
        order = sorted(first_of_id.tolist(), key=lambda place: (days[place], ids[place]))
        self.ids, self.table = [ids[place] for place in order], table[order]
        # The block of each text, and where its words begin in the file of the block.
        starts = np.concatenate([np.cumsum(part["words"]) - part["words"] for part in tables])
        blocks = np.repeat(np.arange(-1, len(folders)), list(map(len, tables)))
        self._folders, self._starts, self._blocks = folders, starts[order], blocks[order]
        self._runs = functools.lru_cache(_CACHED)(self._read_runs)

    def __len__(self) -> int:
        return len(self.ids)

    def _read_runs(self, number: int) -> Hashes:
        path, count = self._folders[self._blocks[number]] / _WORDS, int(self.table["words"][number])
        return _runs(np.fromfile(path, dtype=_WORD, count=count, offset=int(self._starts[number]) * _WORD.itemsize))

    def are_copies(self, number: int, other: int) -> bool:
        """Whether two texts are nearly the same."""
        digits, digits_of_other = self.table["digits"][number], self.table["digits"][other]
        fewest = min(int(digits.sum()), int(digits_of_other.sum()))
        if int(np.minimum(digits, digits_of_other).sum()) < _DIGITS_SHARED * fewest:
            return False
        runs, runs_of_other = self._runs(number), self._runs(other)
        return _share_nearly_all(np.isin(runs, runs_of_other), np.isin(runs_of_other, runs))


def _ids(folder: Path) -> list[str]:
    return msgspec.json.decode((folder / _IDS).read_bytes(), type=list[str])


def _share_nearly_all(shared: Mask, shared_of_other: Mask) -> bool:
    """Whether two texts are nearly the same, given for each of their runs whether the other text has it."""
    gaps, gaps_of_other = _gaps(shared), _gaps(shared_of_other)
    return _is_covered(shared, gaps, gaps_of_other) and _is_covered(shared_of_other, gaps_of_other, gaps)


def _gaps(shared: Mask) -> Places:
    """The lengths of the stretches before, between and after the shared runs, of which the first and the last may be 0."""
    return np.diff(np.concatenate([[-1], np.flatnonzero(shared), [len(shared)]])) - 1


def _is_covered(shared: Mask, gaps: Places, gaps_of_other: Places) -> bool:
    if gaps[0] > _LONGEST_START or gaps.max() > _LONGEST_GAP:
        return False
    # Page text: a short edge at which the other text has nothing else instead.
    start, end = (
        int(gaps[edge]) if not gaps_of_other[edge] and gaps[edge] <= len(shared) // _EDGE else 0 for edge in (0, -1)
    )
    return bool(shared[start : len(shared) - end].mean() >= _RUNS_SHARED)


def _candidates(texts: _Texts, numbers: Places) -> list[tuple[int, int]]:
    """(later, earlier) texts of these that share a band, in order: each text with the first of a band and the last before it."""
    pairs = [np.zeros(0, dtype=np.int64)]
    for band in range(_BANDS):
        keys = texts.table["bands"][numbers, band]
        order = np.argsort(keys, kind="stable")
        keys, sorted_numbers, places = keys[order], numbers[order], np.arange(len(order))
        begins = np.searchsorted(keys, keys)
        for earlier in (begins, *(places - distance for distance in range(1, _EARLIER + 1))):
            later = np.flatnonzero((earlier >= begins) & (earlier < places))
            pairs.append(sorted_numbers[later] * len(texts) + sorted_numbers[earlier[later]])
        pairs = [np.unique(np.concatenate(pairs))]
    later, earlier = np.divmod(pairs[0], max(1, len(texts)))
    return list(zip(later.tolist(), earlier.tolist(), strict=True))


def find_copies(folders: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield (copy, article that is kept instead) by id; ``folders``: what ``TextWriter`` wrote. The earliest article is kept."""
    texts = _Texts(folders)
    _, first, groups = np.unique(texts.table["text"], return_index=True, return_inverse=True)
    same = first[groups]
    is_first, has_runs = same == np.arange(len(texts)), texts.table["bands"].any(axis=1)
    original_of: dict[int, int] = {}
    for later, earlier in _candidates(texts, np.flatnonzero(is_first & has_runs)):
        # What is kept must itself be similar: each version of a running story may differ little from the one before.
        original = original_of.get(earlier, earlier)
        if later not in original_of and texts.are_copies(later, original):
            original_of[later] = original
    for number, same_text in enumerate(same.tolist()):
        original = original_of.get(same_text, same_text)
        if original != number:
            yield texts.ids[number], texts.ids[original]
