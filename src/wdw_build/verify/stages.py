"""Files, ids and inputs of the stages: damaged files, lost ids, and outputs that do not belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain as joined

from wdw_build.core.hashing import id_sum
from wdw_build.core.store.manifest import plain_settings
from wdw_build.core.store.output import Output
from wdw_build.pipeline.stage_order import stage_named
from wdw_build.verify.audited_run import AuditedRun, Recorder, content_hash


def files(run: AuditedRun, recorder: Recorder) -> None:
    """Every file of every stage has the SHA-256 that was recorded when it was written."""
    for stage, output in run.outputs.items():
        recorded = output.manifest.all_files
        for name, file in recorded.items():
            recorder.count()
            if fault := file.damage(output.folder / name):
                recorder.fail(f"{stage}/{name}", fault)
        for path in sorted(output.folder.glob("part-*.jsonl")):
            if path.name not in recorded:
                recorder.fail(f"{stage}/{path.name}", "is not in the manifest")


def accounting(run: AuditedRun, recorder: Recorder) -> None:
    """For every id that it reads, a stage writes exactly one record or one rejection; manifests have the right counts."""
    for stage, output in run.outputs.items():
        manifest = output.manifest
        (written, ids), (rejected, more) = _sum(_ids(output)), _sum(rejection.id for rejection in output.rejections())
        recorder.count(written + rejected)
        counts = {"read": written + rejected, "written": written, "rejected": rejected}
        stated = {name: getattr(manifest, name) for name in counts}
        if stated != counts:
            recorder.fail(stage, f"the counts are {counts}; the manifest says {stated}")
        reasons = Counter(rejection.reason for rejection in output.rejections())
        if reasons != Counter(manifest.reasons):
            recorder.fail(stage, f"the reasons are {dict(reasons)}; the manifest says {manifest.reasons}")
        primary = next(iter(manifest.ingredients.inputs), None)
        if primary in run.outputs:
            source = run.outputs[primary]
            if _sum(_ids(source)) != (written + rejected, ids + more):
                _name_lost(primary, source, stage, output, recorder)


def _ids(output: Output) -> Iterator[str]:
    return (record.id for record in output.records())


def _sum(ids: Iterable[str]) -> tuple[int, int]:
    """The number of ids and the sum of their hashes, which takes constant memory."""
    count = total = 0
    for name in ids:
        count, total = count + 1, total + id_sum(name)
    return count, total


def _name_lost(primary: str, source: Output, stage: str, output: Output, recorder: Recorder) -> None:
    """Read the ids again, and record those that were lost, repeated or invented."""
    went_in = Counter(_ids(source))
    came_out = Counter(joined(_ids(output), (rejection.id for rejection in output.rejections())))
    for name in sorted(went_in - came_out):
        recorder.fail(name, f"{primary} wrote this id, but {stage} neither wrote nor rejected it")
    for name in sorted(came_out - went_in):
        recorder.fail(name, f"{stage} wrote or rejected this id more often than {primary} wrote it")


def chain(run: AuditedRun, recorder: Recorder) -> None:
    """Every output was made from the other outputs of this run, with this configuration and seed."""
    for stage, output in run.outputs.items():
        recorder.count()
        made_from = output.manifest.ingredients
        for source, content in made_from.inputs.items():
            if content_hash(run.outputs, source) != content:
                recorder.fail(stage, f"was made from another output of {source} than this run's")
        for section, settings in {**made_from.shared, stage: made_from.config}.items():
            now = plain_settings(run.config.section(section))
            changed = sorted(key for key, value in settings.items() if now.get(key) != value)
            if changed:
                recorder.fail(stage, f"was made with another {', '.join(f'{section}.{key}' for key in changed)}")
        if made_from.seed != run.config.seed and stage_named(stage).is_seeded:
            recorder.fail(stage, f"was made with seed {made_from.seed}, not {run.config.seed}")


def stored_problems(run: AuditedRun, recorder: Recorder) -> None:
    """A problem of the dataset is the alternative that suppress selected, with the text of its article."""
    for problem in run.placed_problems():
        recorder.count()
        record, article = run.find("dedup", problem.id), run.find("ingest", problem.passage.article)
        number = run.decisions[problem.id].alternative if problem.id in run.decisions else -1
        if record is None or article is None or not 0 <= number < len(record.alternatives):
            recorder.fail(problem.id, "its article, its alternatives or its decision are not stored")
        elif record.problem(number, article) != problem:
            recorder.fail(problem.id, "is not the alternative that suppress selected, with the text of its article")


CHECKS = (files, accounting, chain, stored_problems)
