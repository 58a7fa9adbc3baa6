"""Runs one stage alone, on records in memory, with the counting of the runner."""

import functools
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from support.fakes import FakePorts, ScanIndex
from wdw_build.core.progress import Progress
from wdw_build.core.run.runner import run_alone
from wdw_build.core.run.task import Job
from wdw_build.core.store import jsonl
from wdw_build.core.store.key_index import INDEX
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output, OutputWriter
from wdw_build.pipeline.stage_order import BY_NAME
from wdw_build.records import Article, Rejection


class Ran(NamedTuple):
    """The results of a stage."""

    records: dict
    rejections: dict

    @property
    def reasons(self):
        """The reason of each rejection, by id."""
        return {one.id: one.reason for one in self.rejections.values()}


def stored(folder, kind, records, rejections=()):
    """Records and rejections as the finished output of a stage."""
    folder.mkdir(parents=True, exist_ok=True)
    # A test may store an input of the same name again.
    (folder / INDEX).unlink(missing_ok=True)
    writer = OutputWriter(folder)
    for record in records:
        writer.add(jsonl.encode(record))
    for rejection in rejections:
        writer.reject(jsonl.encode(rejection))
    writer.finish(_ingredients(folder.name, 1, 0), Counter(rejection.reason for rejection in rejections))
    return Output(folder, kind)


def _ingredients(stage, version, seed):
    return Ingredients(stage=stage, version=version, config={}, seed=seed, inputs={}, backends={})


def run_stage(stage, folder, inputs=None, *, section=None, shared=None, seed=0, progress=None, **backends):
    """Run a stage and return its results by id. The runner checks that read = written + rejected.

    ``inputs`` maps each stage that it reads to records or to an ``Output``. ``shared``: sections of other stages that it
    shares; their defaults if they are not given.
    """
    known = {
        name: given if isinstance(given, Output) else stored(folder / name, BY_NAME[name].writes, given)
        for name, given in (inputs or {}).items()
    }
    own = folder / stage.name
    own.mkdir(parents=True, exist_ok=True)
    section = section or stage.config()
    sections = {name: BY_NAME[name].config() for name in stage.shared_keys(section)}
    job = Job(
        stage=stage,
        section=section,
        shared=sections | (shared or {}),
        ingredients=_ingredients(stage.name, stage.version, seed),
        inputs=known,
        ports=FakePorts(**backends),
    )
    with tempfile.TemporaryDirectory(dir=folder) as staging:
        output = run_alone(job, Path(staging), progress or Progress("quiet"))
        # The stage may have run in this folder before.
        for name in output.own_files:
            (own / name).parent.mkdir(parents=True, exist_ok=True)
            (output.folder / name).replace(own / name)
        records, rejections, seen = {}, {}, defaultdict(int)
        for result in (*output.records(), *output.rejections()):
            seen[result.id] += 1
            key = result.id if seen[result.id] == 1 else f"{result.id} ({seen[result.id]})"
            (rejections if isinstance(result, Rejection) else records)[key] = result
    return Ran(records, rejections)


def tagged(folder, articles, annotator):
    """The inputs of ``questions`` as outputs: articles, tagged first sentences and the table of names."""
    stages = BY_NAME["sentences"], BY_NAME["names"]
    ran = run_stage(stages[0], folder, {"ingest": articles}, annotator=annotator)
    sentences = stored(folder / "sentences", stages[0].writes, list(ran.records.values()))
    counted = run_stage(stages[1], folder, {"sentences": sentences, "ingest": articles})
    names = stored(folder / "names", stages[1].writes, list(counted.records.values()))
    return {"sentences": sentences, "names": names, "ingest": Output(folder / "ingest", Article)}


@functools.cache
def _empty_names():
    """The folder of the stage ``names`` for an empty corpus, made once in a process and removed with it."""
    folder = tempfile.TemporaryDirectory(prefix="names-")
    run_stage(BY_NAME["names"], Path(folder.name), {"sentences": [], "ingest": []})
    stored(Path(folder.name) / "names", BY_NAME["names"].writes, [])
    return folder


def table_of_names():
    """The output of the stage ``names`` for an empty corpus."""
    return Output(Path(_empty_names().name) / "names", BY_NAME["names"].writes)


def indexed(folder, articles):
    """The output of the stage ``index`` for some articles."""
    stage = BY_NAME["index"]
    run_stage(stage, folder, {"ingest": articles}, index=ScanIndex())
    return stored(folder / "index", stage.writes, [])
