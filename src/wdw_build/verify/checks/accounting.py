"""Accounting: files equal their manifests, no id is lost or made up, and the stages of a run belong together.

Ids are compared by sums of 128-bit hashes, so that no set of them is kept; only if the sums differ are they read again
to name some.
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
from wdw_build.records import Problem, Question, Retrieval
from wdw_build.verify.files import PartEntry, RunFiles
from wdw_build.verify.report import Book, Ledger

_CHUNK = 1 << 20
_SEEDED = ("choices", "suppress", "split", "export")


def check(files: RunFiles, config: Config, book: Book) -> None:
    """Files, accounting and chain, for every stage."""
    for stage, primary in files.primary.items():
        _check_files(files, stage, book["files"])
        _check_accounting(files, stage, primary, book["accounting"])
        _check_chain(files, stage, config, book["chain"])


def _sha256_and_lines(path: Path) -> tuple[str, int]:
    state, lines = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            state.update(chunk)
            lines += chunk.count(b"\n")
    return state.hexdigest(), lines


def _check_files(files: RunFiles, stage: str, ledger: Ledger) -> None:
    manifest = files.manifest(stage)
    there = [path.name for path in files.parts(stage)]
    if there != [part.name for part in manifest.parts]:
        ledger.fail(stage, f"parts {there}, the manifest names {[part.name for part in manifest.parts]}")
    for part in manifest.parts:
        ledger.tried()
        _check_part(files.file(f"{stage}/{part.name}"), part, stage, ledger)
    ledger.tried()
    path = files.file(f"{stage}/rejections.jsonl")
    if _sha256_and_lines(path)[0] != manifest.rejections_sha256:
        ledger.fail(stage, "rejections.jsonl is not the file of the manifest")
    reasons = Counter(rejection.reason for rejection in files.rejections(stage))
    if reasons != Counter(manifest.reasons):
        ledger.fail(stage, f"reasons {dict(reasons)}, the manifest says {manifest.reasons}")


def _check_part(path: Path, part: PartEntry, stage: str, ledger: Ledger) -> None:
    sha256, lines = _sha256_and_lines(path)
    if lines != part.records:
        ledger.fail(stage, f"{part.name} has {lines} lines, the manifest says {part.records}")
    elif sha256 != part.sha256:
        ledger.fail(stage, f"{part.name} is not the file of the manifest")


class _Ids:
    """How many ids, and the sum of their hashes."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.count = self.total = 0
        for name in ids:
            self.count += 1
            digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            self.total = (self.total + int.from_bytes(digest, "big")) % (1 << 128)


def _check_accounting(files: RunFiles, stage: str, primary: str, ledger: Ledger) -> None:
    manifest = files.manifest(stage)
    written, rejected = _Ids(files.ids(stage)), _Ids(files.rejected_ids(stage))
    ledger.tried(written.count + rejected.count)
    counts = (manifest.written, manifest.rejected, manifest.written + manifest.rejected)
    if counts != (written.count, rejected.count, manifest.read):
        ledger.fail(
            stage,
            f"{written.count} lines written, {rejected.count} rejected; the manifest says "
            f"{manifest.read} read, {manifest.written} written, {manifest.rejected} rejected",
        )
    if not primary:
        return
    read = _Ids(files.ids(primary))
    if (read.count, read.total) != (written.count + rejected.count, (written.total + rejected.total) % (1 << 128)):
        _name_lost(files, stage, primary, ledger)


def _name_lost(files: RunFiles, stage: str, primary: str, ledger: Ledger) -> None:
    went_in = Counter(files.ids(primary))
    came_out = Counter(chain(files.ids(stage), files.rejected_ids(stage)))
    for name in sorted((went_in - came_out).keys()):
        ledger.fail(name, f"{primary} has it, {stage} neither wrote nor rejected it")
    for name in sorted((came_out - went_in).keys()):
        ledger.fail(name, f"{stage} has it once too often for {primary}")


def _plain(value: Any) -> Any:
    # Through JSON, so that tuples compare with a manifest's lists.
    return msgspec.json.decode(msgspec.json.encode(value))


def _check_chain(files: RunFiles, stage: str, config: Config, ledger: Ledger) -> None:
    ledger.tried()
    ingredients = files.manifest(stage).ingredients
    for source, content in ingredients.inputs.items():
        if files.manifest(source).content != content:
            ledger.fail(stage, f"was made from another output of {source} than this run's")
    if ingredients.config != _plain(getattr(config, stage)):
        ledger.fail(stage, f"was made with another configuration: {ingredients.config}")
    if ingredients.seed != config.seed and (stage in _SEEDED or ingredients.seed):
        ledger.fail(stage, f"was made with seed {ingredients.seed}, not {config.seed}")


def _digest(value: Any) -> bytes:
    return hashlib.blake2b(msgspec.json.encode(value), digest_size=16).digest()


def check_carried(files: RunFiles, book: Book) -> None:
    """A kept problem is the one of ``choices``, its question the one of ``questions``, its passage a valid candidate."""
    ledger = book["carried"]
    problems: dict[str, bytes] = {}
    questions: dict[str, bytes] = {}
    found: dict[str, tuple[str, int, float, float | None]] = {}
    for problem in files.records("dedup", Problem):
        ledger.tried()
        problems[problem.id], questions[problem.id] = _digest(problem), _digest(problem.question)
        found[problem.id] = (problem.passage.article, problem.window, problem.score, problem.event_score)
    for name in _changed(files, "choices", Problem, problems):
        ledger.fail(name, "is not the problem that choices made")
    for name in _changed(files, "questions", Question, questions):
        ledger.fail(name, "its question is not the one that questions made")
    for retrieval in files.records("retrieve", Retrieval):
        if retrieval.id in found and found[retrieval.id] not in _valid(retrieval):
            ledger.fail(retrieval.id, f"its passage {found[retrieval.id]} is no valid candidate of retrieve")


def _valid(retrieval: Retrieval) -> set[tuple[str, int, float, float | None]]:
    return {(one.article, one.window, one.score, one.event) for one in retrieval.candidates if not one.rule}


def _changed(
    files: RunFiles, stage: str, kind: type[Problem] | type[Question], digests: dict[str, bytes]
) -> Iterator[str]:
    for record in files.records(stage, kind):
        if record.id in digests and digests[record.id] != _digest(record):
            yield record.id
