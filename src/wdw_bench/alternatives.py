"""The training alternatives of pooled runs as systems read them, in files beside those of the problems (``bench.train``)."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from wdw_bench.conditions import Condition, has_passage, without_passage
from wdw_bench.problems import ProblemSet
from wdw_build.api import (
    ALTERNATIVE,
    SENTENCE_SPLITTER,
    TRAIN,
    Backends,
    digest,
    file_sha256,
    jsonl,
    replace_file,
    training_alternatives,
)
from wdw_build.reading import LabelledProblem
from wdw_build.reading.problems import reading_problem, write_problems

# Enters the name of the file, so that a change of what is selected or read makes new files.
_VERSION = 1
# Passages whose sentences are in memory: articles of the same days share passages.
_KEPT_PASSAGES = 1024


class Alternatives(msgspec.Struct, frozen=True, kw_only=True):
    """The training alternatives under one condition, stored beside their file."""

    file: str
    """Name of the file."""
    content: str
    """Hash of the file."""
    problems: int
    """Number of training alternatives."""
    left_out: dict[str, int]
    """Reason -> number of alternatives that its test left out."""


def read_alternatives(problems: ProblemSet, condition: Condition) -> Alternatives:
    """The training alternatives that systems train on under a condition with the original names; writes their file once."""
    path = problems.folder / f"alternatives-{condition}-{_key(problems, condition)}.jsonl"
    described = path.with_suffix(".json")
    known = jsonl.read_document(described, Alternatives)
    if known is None or not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        known = _write(problems, condition, path)
        replace_file(described, jsonl.document(known))
    return known


def _key(problems: ProblemSet, condition: Condition) -> str:
    tables = [(run.articles, run.alternatives, run.decisions) for run in problems.runs]
    content = [[table.manifest.content_hash for table in of_run] for of_run in tables]
    split = [run.assignments.manifest.fingerprint for run in problems.runs]
    listed = 0 if has_passage(condition) else problems.config.seed
    return digest([_VERSION, Backends(problems.config).identity(SENTENCE_SPLITTER), content, split, listed])[:8]


def _write(problems: ProblemSet, condition: Condition, path: Path) -> Alternatives:
    splitter = Backends(problems.config).get(SENTENCE_SPLITTER)
    sentences = functools.lru_cache(_KEPT_PASSAGES)(splitter.sentences)
    left_out: Counter[str] = Counter()

    def labelled() -> Iterator[LabelledProblem]:
        for found in training_alternatives(problems.runs, splitter.sentences, problems.progress):
            for problem in found:
                shown = LabelledProblem(
                    id=problem.id,
                    problem=reading_problem(problem, sentences(problem.passage.text)),
                    answer=problem.answer,
                    split=TRAIN,
                    level=ALTERNATIVE,
                    guesses={},
                )
                yield shown if has_passage(condition) else without_passage(shown, problems.config.seed)
            left_out.update(found.left_out)

    unfinished = path.with_suffix(".unfinished")
    count = len(write_problems(unfinished, labelled()))
    unfinished.replace(path)
    return Alternatives(file=path.name, content=file_sha256(path)[:16], problems=count, left_out=dict(left_out))
