"""Accounting: files match their manifests, each id is written or rejected once, and the stages of a run fit together.

Two sets of ids are compared by their counts and the sums of their 128-bit hashes, which takes constant memory. If the counts
or sums differ, the ids are read again to name the missing and the extra ids.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.config.settings import Config
from wdw_build.records import Candidate, ProblemAlternatives, Question, Retrieval
from wdw_build.verify.files import PartEntry, RunFiles
from wdw_build.verify.report import CheckRecorder, Recorders

_CHUNK = 1 << 20
_SEEDED = ("choices", "suppress", "split", "export")


def check(files: RunFiles, config: Config, recorders: Recorders) -> None:
    """Check files, accounting and chain of every stage."""
    for stage, primary in files.primary.items():
        _check_files(files, stage, recorders["files"])
        _check_accounting(files, stage, primary, recorders["accounting"])
        _check_chain(files, stage, config, recorders["chain"])


def _sha256_and_lines(path: Path) -> tuple[str, int]:
    state, lines = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            state.update(chunk)
            lines += chunk.count(b"\n")
    return state.hexdigest(), lines


def _check_files(files: RunFiles, stage: str, recorder: CheckRecorder) -> None:
    manifest = files.manifest(stage)
    existing = [path.name for path in files.parts(stage)]
    if existing != [part.name for part in manifest.parts]:
        recorder.fail(stage, f"the parts are {existing}, the manifest says {[part.name for part in manifest.parts]}")
    for part in manifest.parts:
        recorder.count()
        _check_part(files.file(f"{stage}/{part.name}"), part, stage, recorder)
    recorder.count()
    path = files.file(f"{stage}/rejections.jsonl")
    if _sha256_and_lines(path)[0] != manifest.rejections_sha256:
        recorder.fail(stage, "the SHA-256 of rejections.jsonl differs from the manifest")
    reasons = Counter(rejection.reason for rejection in files.rejections(stage))
    if reasons != Counter(manifest.reasons):
        recorder.fail(stage, f"the reasons are {dict(reasons)}, the manifest says {manifest.reasons}")


def _check_part(path: Path, part: PartEntry, stage: str, recorder: CheckRecorder) -> None:
    sha256, lines = _sha256_and_lines(path)
    if lines != part.records:
        recorder.fail(stage, f"{part.name} has {lines} lines, the manifest says {part.records}")
    elif sha256 != part.sha256:
        recorder.fail(stage, f"the SHA-256 of {part.name} differs from the manifest")


class _Ids:
    """The number of ids and the sum of their hashes, independent of the order."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.count = self.total = 0
        for name in ids:
            self.count += 1
            digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            self.total = (self.total + int.from_bytes(digest, "big")) % (1 << 128)


def _check_accounting(files: RunFiles, stage: str, primary: str, recorder: CheckRecorder) -> None:
    manifest = files.manifest(stage)
    written, rejected = _Ids(files.ids(stage)), _Ids(files.rejected_ids(stage))
    recorder.count(written.count + rejected.count)
    counts = (manifest.written, manifest.rejected, manifest.written + manifest.rejected)
    if counts != (written.count, rejected.count, manifest.read):
        recorder.fail(
            stage,
            f"{written.count} lines written, {rejected.count} rejected; the manifest says "
            f"{manifest.read} read, {manifest.written} written, {manifest.rejected} rejected",
        )
    if not primary:
        return
    read = _Ids(files.ids(primary))
    if (read.count, read.total) != (written.count + rejected.count, (written.total + rejected.total) % (1 << 128)):
        _name_lost(files, stage, primary, recorder)


def _name_lost(files: RunFiles, stage: str, primary: str, recorder: CheckRecorder) -> None:
    went_in = Counter(files.ids(primary))
    came_out = Counter(chain(files.ids(stage), files.rejected_ids(stage)))
    for name in sorted((went_in - came_out).keys()):
        recorder.fail(name, f"{primary} wrote this id, but {stage} neither wrote nor rejected it")
    for name in sorted((came_out - went_in).keys()):
        recorder.fail(name, f"{stage} wrote or rejected this id more often than {primary} wrote it")


def _plain(value: Any) -> Any:
    # A round trip through JSON turns tuples into lists, as in a manifest.
    return msgspec.json.decode(msgspec.json.encode(value))


def _check_chain(files: RunFiles, stage: str, config: Config, recorder: CheckRecorder) -> None:
    recorder.count()
    ingredients = files.manifest(stage).ingredients
    for source, content in ingredients.inputs.items():
        if files.manifest(source).content != content:
            recorder.fail(stage, f"was made from another output of {source} than this run's")
    if ingredients.config != _plain(getattr(config, stage)):
        recorder.fail(stage, f"was made with another configuration: {ingredients.config}")
    for section, settings in ingredients.shared.items():
        now = _plain(getattr(config, section))
        if any(now.get(key) != value for key, value in settings.items()):
            recorder.fail(stage, f"was made with another configuration of {section}: {settings}")
    if ingredients.seed != config.seed and (stage in _SEEDED or ingredients.seed):
        recorder.fail(stage, f"was made with seed {ingredients.seed}, not {config.seed}")


def _digest(value: Any) -> bytes:
    return hashlib.blake2b(msgspec.json.encode(value), digest_size=16).digest()


def check_carried(files: RunFiles, recorders: Recorders) -> None:
    """Check that the alternatives of each article, its question and its candidates equal the records that they were made of."""
    recorder = recorders["carried"]
    records: dict[str, bytes] = {}
    questions: dict[str, bytes] = {}
    candidates: dict[str, frozenset[bytes]] = {}
    for record in files.records("dedup", ProblemAlternatives):
        recorder.count()
        records[record.id], questions[record.id] = _digest(record), _digest(record.question)
        candidates[record.id] = frozenset(map(_digest, _used(record)))
    for name in _changed(files, "choices", ProblemAlternatives, records):
        recorder.fail(name, "its alternatives are not those that choices wrote")
    for name in _changed(files, "questions", Question, questions):
        recorder.fail(name, "its question is not the one that questions wrote")
    for retrieval in files.records("retrieve", Retrieval):
        if not candidates.get(retrieval.id, frozenset()) <= frozenset(map(_digest, _valid(retrieval))):
            recorder.fail(retrieval.id, "a passage or a refused candidate is not a valid candidate of retrieve")


# An article as the candidate for a blank; for -1, with its date, window and scores, which may be those for another blank.
_Described = tuple[int, str, tuple[Any, ...]]


def _used(record: ProblemAlternatives) -> Iterator[_Described]:
    """The candidates that a record is made of: the passages, each blank with its passages, and the refused candidates."""
    for passage in record.passages:
        yield -1, passage.article, (passage.date, passage.window, passage.score, passage.event_score)
    for alternative in record.alternatives:
        # The check ``alternatives`` reports a passage that does not exist.
        if 0 <= alternative.passage < len(record.passages):
            yield alternative.blank, record.passages[alternative.passage].article, ()
    for candidate in record.refused:
        yield from _described(candidate)


def _valid(retrieval: Retrieval) -> Iterator[_Described]:
    for candidate in retrieval.candidates:
        if not candidate.rule:
            yield from _described(candidate)


def _described(candidate: Candidate) -> Iterator[_Described]:
    numbers = (candidate.date, candidate.window, candidate.score, candidate.event)
    yield -1, candidate.article, numbers
    yield candidate.blank, candidate.article, ()
    yield candidate.blank, candidate.article, (*numbers, candidate.rank)


def _changed(
    files: RunFiles, stage: str, kind: type[ProblemAlternatives] | type[Question], digests: dict[str, bytes]
) -> Iterator[str]:
    for record in files.records(stage, kind):
        if record.id in digests and digests[record.id] != _digest(record):
            yield record.id
