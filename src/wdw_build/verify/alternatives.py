"""Training alternatives in exports: their time, and what they have in common with the held-out problems.

Times, articles and events are looked up in the stored records here, without the index that selected the alternatives. An event
is seen by plain letters: two full names that both problems have. What a passage or question reveals is judged as in the datasheet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import chain, combinations
from pathlib import Path
from typing import cast

import msgspec

from wdw_build.backends import Backends
from wdw_build.ports import SENTENCE_SPLITTER
from wdw_build.records import Problem
from wdw_build.selection.training_alternatives import alternative_of
from wdw_build.similarity.leaks import questions_in_passages, told_answers
from wdw_build.verify.audited_run import AuditedRun, Recorder
from wdw_build.verify.exports import exported
from wdw_build.verify.selection import omitted_problems, training_ends
from wdw_build.verify.texts import letters_of_words

_FILE = "jsonl/train.alternatives.jsonl"
_Pair = tuple[str, ...]


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
    ends, omitted = training_ends(run), {*omitted_problems(run)}
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
    return ((" ".join(one), " ".join(other)) for one, other in combinations(full, 2) if one[-1] != other[-1])


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


CHECKS = (training_alternatives,)
