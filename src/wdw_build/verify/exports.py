"""Exports: files that differ from the stored problems, names that are left in exports with codes, and training alternatives.

Training alternatives are checked for their time, and for what they have in common with the held-out problems. Times, articles and
events are looked up in the stored records here, without the index that selected the alternatives. An event is seen by plain
letters: two full names that both problems have. What a passage or question reveals is judged as in the datasheet.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import partial
from itertools import chain, combinations
from pathlib import Path
from typing import Any, cast

import msgspec

from wdw_build.core.progress import Progress
from wdw_build.core.run.runner import run_alone
from wdw_build.core.run.task import Job
from wdw_build.core.store.manifest import Ingredients, read_manifest
from wdw_build.core.store.output import Output
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.stage_order import ON_DEMAND, stage_named
from wdw_build.ports import EXPORTERS, SENTENCE_SPLITTER, CorpusExporter
from wdw_build.records import Problem, Pseudonyms
from wdw_build.selection.training_alternatives import alternative_of, omitted_problems
from wdw_build.similarity.leaks import questions_in_passages, told_answers
from wdw_build.stages.export import ExportConfig
from wdw_build.text.names.name import fold, parse
from wdw_build.verify.audited_run import AuditedRun, Recorder, content_hash
from wdw_build.verify.selection import training_ends
from wdw_build.verify.texts import letters_of_words

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_FILE = "jsonl/train.alternatives.jsonl"
_Pair = tuple[str, ...]


def exports(run: AuditedRun, recorder: Recorder) -> None:
    """Every exported file was made from this run, and has the problems of its split as they are stored, byte for byte."""
    for folder, made_from in exported(run):
        recorder.count()
        sources = _sources(run, folder)
        others = [name for name, content in made_from.inputs.items() if content_hash(sources, name) != content]
        for source in others:
            recorder.fail(folder, f"was made from another output of {source} than this run's; export the format again")
        if not others:
            _compare(run, folder, made_from, sources, recorder)


def names_left(run: AuditedRun, recorder: Recorder) -> None:
    """In JSONL exports with codes, no capitalised word identifies a replaced person."""
    for folder, made_from in exported(run):
        if made_from.config["names"] != "original":
            pseudonyms = _sources(run, folder)["pseudonyms"]
            for path in sorted((run.folder / folder).glob("jsonl/*.jsonl")):
                for line in path.read_bytes().splitlines():
                    recorder.count()
                    _check_names(pseudonyms, f"{folder}/jsonl/{path.name}", msgspec.json.decode(line), recorder)


def exported(run: AuditedRun) -> Iterator[tuple[str, Ingredients]]:
    """The folder of the stage ``export`` and those of the command, each with what its files were made from."""
    yield "export", run.outputs["export"].manifest.ingredients
    for path in sorted(run.folder.glob("exports*/*.made-from.json")):
        yield path.parent.name, msgspec.json.decode(path.read_bytes(), type=Ingredients)


def _sources(run: AuditedRun, folder: str) -> dict[str, Output]:
    """The outputs that an export may be made from: those of the run, and those that the folder of the export links to."""
    linked = {name: Output(run.folder / folder / name, stage_named(name).writes) for name in ON_DEMAND}
    return run.outputs | {name: output for name, output in linked.items() if read_manifest(output.folder) is not None}


def _compare(
    run: AuditedRun, folder: str, made_from: Ingredients, sources: Mapping[str, Output], recorder: Recorder
) -> None:
    """Run the stage ``export`` on the stored problems, and compare its files with those in ``folder``.

    Formats that need the corpus are not compared, nor are exports by other versions of the exporters.
    """
    section = msgspec.convert(made_from.config, ExportConfig)
    ports = Backends(msgspec.structs.replace(run.config, export=section))
    exporters = ports.get(EXPORTERS)
    if ports.identity(EXPORTERS) != made_from.backends[EXPORTERS]:
        return
    formats = tuple(name for name in section.formats if not isinstance(exporters[name], CorpusExporter))
    section = msgspec.structs.replace(section, formats=formats)
    stage = stage_named("export").configured(section)
    shared = {name: msgspec.convert(keys, stage_named(name).config) for name, keys in made_from.shared.items()}
    job = Job(stage, section, made_from, {name: sources[name] for name in stage.reads}, ports, shared=shared)
    with tempfile.TemporaryDirectory(prefix="wdw-verify-") as temporary:
        output = run_alone(job, Path(temporary), Progress("quiet"))
        recorder.count(output.manifest.read)
        for name in output.own_files:
            if fault := _difference(run.folder / folder / name, output.folder / name):
                recorder.fail(f"{folder}/{name}", fault)


def _difference(exported: Path, expected: Path) -> str:
    """The first line of an exported file that differs from the expected one, in words; empty if there is none."""
    if not exported.is_file():
        return "is missing"
    with exported.open("rb") as file, expected.open("rb") as other:
        for number, line in enumerate(other, 1):
            if file.readline() != line:
                return f"line {number} is not that of the stored problems: {line[:100].decode('utf-8', 'replace')!r}"
        return "has more lines than the stored problems" if file.readline() else ""


def _check_names(outputs: Output, place: str, line: dict[str, Any], recorder: Recorder) -> None:
    pseudonyms = outputs.find(line["id"])
    if not isinstance(pseudonyms, Pseudonyms):
        recorder.fail(line["id"], f"has no pseudonyms, and is in {place}")
        return
    words = frozenset[str]().union(*(parse(person.name).core for person in pseudonyms.persons))
    for text in _strings([line["question"], line["passage"]["title"], line["passage"]["text"], line["choices"]]):
        for word in words_left(text, words):
            recorder.fail(line["id"], f"{word!r} of a replaced person is left in {place}")


def _strings(value: Any) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(inner)


def words_left(text: str, words: Set[str]) -> Iterator[str]:
    """The capitalised words of a text, and their parts at hyphens and apostrophes, that belong to a replaced person."""
    for match in _WORD.finditer(text):
        parts = (match[0], *re.split("['’-]", match[0]))
        if left := next((part for part in parts if part[:1].isupper() and fold(part) in words), ""):
            yield left


class _Line(msgspec.Struct, frozen=True):
    """What identifies an exported problem."""

    id: str


def training_alternatives(run: AuditedRun, recorder: Recorder) -> None:
    """In JSONL exports, training alternatives are early enough, not omitted, and share nothing with a held-out problem."""
    # Formats that the command exported share a folder.
    for folder in dict.fromkeys(folder for folder, _ in exported(run)):
        path = run.folder / folder / _FILE
        if path.is_file():
            _check_time(run, path, recorder)
            _check_contact(run, path, recorder)
            _check_leaks(run, path, recorder)


def _names(path: Path) -> Iterator[str]:
    with path.open("rb") as lines:
        for line in lines:
            yield msgspec.json.decode(line, type=_Line).id


def _alternatives(run: AuditedRun, path: Path) -> Iterator[Problem]:
    """The exported alternatives as they are stored, with their exported ids."""
    for name in _names(path):
        article, number = alternative_of(name)
        record = run.find("dedup", article)
        if record is None or number >= len(record.alternatives):
            raise LookupError(f"{path}: {name!r} is not an alternative of this run")
        passage = record.passages[record.alternatives[number].passage].article
        yield msgspec.structs.replace(record.problem(number, run.find("ingest", passage)), id=name)


def _held_out(run: AuditedRun) -> Iterator[Problem]:
    held_out = (name for name, place in run.placed.items() if place.split != "train")
    return (cast(Problem, run.find("problems", name)) for name in held_out)


def _check_time(run: AuditedRun, path: Path, recorder: Recorder) -> None:
    """Times, and omitted problems."""
    ends, omitted = training_ends(run), omitted_problems(run.outputs["split"])
    for problem in _alternatives(run, path):
        recorder.count()
        article, _ = alternative_of(problem.id)
        if ends is not None and ends.is_after((problem.date, article)):
            recorder.fail(problem.id, f"is of {problem.date} and in training, but {ends.first[0]} is held out")
        if article in omitted:
            recorder.fail(problem.id, f"is an alternative of {article}, which is omitted")


def _check_contact(run: AuditedRun, path: Path, recorder: Recorder) -> None:
    """Articles, and pairs of persons within ``split.event_days``."""
    by_article: dict[str, str] = {}
    by_pair: defaultdict[_Pair, dict[int, str]] = defaultdict(dict)
    for problem in _held_out(run):
        by_article |= dict.fromkeys((problem.id, problem.passage.article), problem.id)
        for pair in _pairs(problem):
            by_pair[pair][problem.passage.date.toordinal()] = problem.id
    for problem in _alternatives(run, path):
        for article in (alternative_of(problem.id)[0], problem.passage.article):
            if article in by_article:
                recorder.fail(problem.id, f"has the article {article} of the held-out problem {by_article[article]}")
        day, near = problem.passage.date.toordinal(), run.config.split.event_days
        for pair in _pairs(problem):
            for other, name in by_pair.get(pair, {}).items():
                if abs(day - other) <= near:
                    recorder.fail(problem.id, f"is about {' and '.join(pair)}, as the held-out problem {name}")


def _pairs(problem: Problem) -> Iterator[_Pair]:
    """Every pair of full names with different last words, by their letters."""
    mentions = (problem.question.name.text, *(other.text for other in problem.question.others))
    names = {tuple(letters_of_words(name)) for name in (*mentions, *(choice.name for choice in problem.choices))}
    full = sorted(name for name in names if len(name) > 1)
    return ((" ".join(name), " ".join(other)) for name, other in combinations(full, 2) if name[-1] != other[-1])


def _check_leaks(run: AuditedRun, path: Path, recorder: Recorder) -> None:
    held_out, alternatives = partial(_held_out, run), partial(_alternatives, run, path)
    sentences, days = Backends(run.config).get(SENTENCE_SPLITTER).sentences, run.config.split.event_days
    if not any(held_out()):
        return
    leaks = chain(
        questions_in_passages(held_out, alternatives, sentences),
        questions_in_passages(alternatives, held_out, sentences),
        told_answers(held_out, alternatives, days),
        told_answers(alternatives, held_out, days),
    )
    for leak in leaks:
        recorder.fail(leak.teller, f"reveals the answer of {leak.told}: {leak.relation}: {leak.evidence}")


CHECKS = (exports, names_left, training_alternatives)
