"""Accounting: files match their manifests, each id is written or rejected once, and the stages of a run fit together.

Two sets of ids are compared by their counts and the sums of their 128-bit hashes, which takes constant memory. If the counts
or sums differ, the ids are read again to name the missing and the extra ids.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain as joined
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.records import BaselinePredictions, Problem, ProblemAlternatives, Question, Retrieval
from wdw_build.verify.checked_run import CheckedRun, Recorder, each
from wdw_build.verify.run_files import RunFiles

_CHUNK = 1 << 20
_SEEDED = ("choices", "suppress", "split", "export")


def files(run: CheckedRun, recorder: Recorder) -> None:
    """Every file has its recorded SHA-256; parts and rejections have the recorded counts and reasons."""
    for stage in run.files.primary:
        manifest = run.files.manifest(stage)
        existing, listed = [path.name for path in run.files.parts(stage)], [part.name for part in manifest.parts]
        if existing != listed:
            recorder.fail(stage, f"the parts are {existing}, the manifest says {listed}")
        for part in manifest.parts:
            recorder.count()
            sha256, lines = _sha256_and_lines(run.files.file(f"{stage}/{part.name}"))
            if lines != part.records:
                recorder.fail(stage, f"{part.name} has {lines} lines, the manifest says {part.records}")
            elif sha256 != part.sha256:
                recorder.fail(stage, f"the SHA-256 of {part.name} differs from the manifest")
        recorder.count()
        if _sha256_and_lines(run.files.file(f"{stage}/rejections.jsonl"))[0] != manifest.rejections_sha256:
            recorder.fail(stage, "the SHA-256 of rejections.jsonl differs from the manifest")
        reasons = Counter(rejection.reason for rejection in run.files.rejections(stage))
        if reasons != Counter(manifest.reasons):
            recorder.fail(stage, f"the reasons are {dict(reasons)}, the manifest says {manifest.reasons}")
        _other_files(run.files, stage, recorder)


def _other_files(files: RunFiles, stage: str, recorder: Recorder) -> None:
    """Check the index, and the files that the stage wrote itself."""
    for name, listed in files.manifest(stage).files.items():
        recorder.count()
        if not (files.folder / stage / name).is_file():
            recorder.fail(stage, f"{name} is missing")
        elif _sha256_and_lines(files.folder / stage / name)[0] != listed.sha256:
            recorder.fail(stage, f"the SHA-256 of {name} differs from the manifest")


def _sha256_and_lines(path: Path) -> tuple[str, int]:
    state, lines = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            state.update(chunk)
            lines += chunk.count(b"\n")
    return state.hexdigest(), lines


def _sum(ids: Iterable[str]) -> tuple[int, int]:
    """The number of ids and the sum of their hashes, independent of the order."""
    count = total = 0
    for name in ids:
        digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        count, total = count + 1, (total + int.from_bytes(digest, "big")) % (1 << 128)
    return count, total


def accounting(run: CheckedRun, recorder: Recorder) -> None:
    """For every id that it reads, a stage writes exactly one record or one rejection."""
    for stage, primary in run.files.primary.items():
        manifest = run.files.manifest(stage)
        (written, total), (rejected, more) = _sum(run.files.ids(stage)), _sum(run.files.rejected_ids(stage))
        recorder.count(written + rejected)
        if (manifest.written, manifest.rejected, manifest.read) != (written, rejected, written + rejected):
            recorder.fail(
                stage,
                f"{written} lines written, {rejected} rejected; the manifest says "
                f"{manifest.read} read, {manifest.written} written, {manifest.rejected} rejected",
            )
        if primary and _sum(run.files.ids(primary)) != (written + rejected, (total + more) % (1 << 128)):
            _name_lost(run.files, stage, primary, recorder)


def _name_lost(files: RunFiles, stage: str, primary: str, recorder: Recorder) -> None:
    went_in = Counter(files.ids(primary))
    came_out = Counter(joined(files.ids(stage), files.rejected_ids(stage)))
    for name in sorted((went_in - came_out).keys()):
        recorder.fail(name, f"{primary} wrote this id, but {stage} neither wrote nor rejected it")
    for name in sorted((came_out - went_in).keys()):
        recorder.fail(name, f"{stage} wrote or rejected this id more often than {primary} wrote it")


def chain(run: CheckedRun, recorder: Recorder) -> None:
    """Every output was made from the other outputs of this run, with this configuration and seed."""
    for stage in run.files.primary:
        recorder.count()
        ingredients = run.files.manifest(stage).ingredients
        for source, content in ingredients.inputs.items():
            if run.files.content_hash(source) != content:
                recorder.fail(stage, f"was made from another output of {source} than this run's")
        if ingredients.config != _plain(run.config.section(stage)):
            recorder.fail(stage, f"was made with another configuration: {ingredients.config}")
        for section, settings in ingredients.shared.items():
            now = _plain(run.config.section(section))
            if any(now.get(key) != value for key, value in settings.items()):
                recorder.fail(stage, f"was made with another configuration of {section}: {settings}")
        if ingredients.seed != run.config.seed and (stage in _SEEDED or ingredients.seed):
            recorder.fail(stage, f"was made with seed {ingredients.seed}, not {run.config.seed}")


def _plain(value: Any) -> Any:
    # A round trip through JSON turns tuples into lists, as in a manifest.
    return msgspec.json.decode(msgspec.json.encode(value))


def carried(run: CheckedRun, recorder: Recorder) -> None:
    """Questions, passages, alternatives and scores do not change between stages; a problem is the selected alternative."""
    records: dict[str, bytes] = {}
    questions: dict[str, bytes] = {}
    problems: dict[str, bytes] = {}
    candidates: dict[str, frozenset[bytes]] = {}
    for record in run.files.records("dedup", ProblemAlternatives):
        recorder.count()
        records[record.id], questions[record.id] = _digest(record), _digest(record.question)
        candidates[record.id] = frozenset(map(_digest, _used(record)))
        decision = run.decisions.get(record.id)
        number = decision.alternative if decision else 0
        # An alternative may name a blank, passage or person that its record lacks; then its problem equals no problem.
        with contextlib.suppress(IndexError):
            problems[record.id] = _digest(record.outline(number))
    for choices in run.files.records("choices", ProblemAlternatives):
        if records.get(choices.id, expected := _digest(choices)) != expected:
            recorder.fail(choices.id, "its alternatives are not those that choices wrote")
    for question in run.files.records("questions", Question):
        if questions.get(question.id, expected := _digest(question)) != expected:
            recorder.fail(question.id, "its question is not the one that questions wrote")
    for retrieval in run.files.records("retrieve", Retrieval):
        if not candidates.get(retrieval.id, frozenset()) <= frozenset(map(_digest, _valid(retrieval))):
            recorder.fail(retrieval.id, "a passage is not a valid candidate of retrieve")
    for predictions in run.files.records("baselines", BaselinePredictions):
        if predictions.id in run.predictions and not _are_carried(predictions, run.predictions[predictions.id]):
            recorder.fail(predictions.id, "has other scores of the baselines in adversary than in baselines")
    for problem in run.files.records("problems", Problem):
        recorder.count()
        # The check ``passage-source`` compares the text of the passage with its article.
        passage = msgspec.structs.replace(problem.passage, source="", title="", text="")
        if problems.get(problem.id) != _digest(msgspec.structs.replace(problem, passage=passage)):
            recorder.fail(problem.id, "its problem is not the alternative that suppress selected")


def _digest(value: Any) -> bytes:
    return hashlib.blake2b(msgspec.json.encode(value), digest_size=16).digest()


def _used(record: ProblemAlternatives) -> Iterator[tuple[Any, ...]]:
    """The passages with their dates, windows and scores; and each blank with the passages of its alternatives."""
    for passage in record.passages:
        yield passage.article, passage.date, passage.window, passage.score, passage.event_score
    for alternative in record.alternatives:
        if 0 <= alternative.passage < len(record.passages):
            yield alternative.blank, record.passages[alternative.passage].article


def _valid(retrieval: Retrieval) -> Iterator[tuple[Any, ...]]:
    """What ``_used`` may yield: the scores of a passage may be those of the candidate for another blank."""
    for candidate in retrieval.candidates:
        if not candidate.rule:
            yield candidate.article, candidate.date, candidate.window, candidate.score, candidate.event
            yield candidate.blank, candidate.article


def _are_carried(before: BaselinePredictions, after: BaselinePredictions) -> bool:
    """Whether the scores of the baselines are the same for each alternative."""
    return all(
        one is not None and other is not None and {name: other.scores.get(name) for name in one.scores} == one.scores
        for one, other in zip_longest(each(before), each(after))
    )
