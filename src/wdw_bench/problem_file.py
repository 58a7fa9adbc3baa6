"""Problems or alternatives in a file for an outside model, without their answers: ``bench --write-problems FILE``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from wdw_bench.call import Call
from wdw_bench.conditions import PASSAGE
from wdw_bench.problems import ProblemSet
from wdw_bench.run import evaluate
from wdw_build.api import Config, Progress, Run, UsageError, alternative_id, jsonl, replace_file
from wdw_build.reading.settings import has_passage, replaces_names


class ShownProblem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the file."""

    id: str
    question: str
    choices: tuple[str, ...]
    passage: str | None = None


def write_problems(config: Config, runs: Sequence[Run], progress: Progress, path: Path) -> int:
    """Write the problems that a file of predictions must answer, and return their number.

    These are all problems after deduplication with the cross-fitted evaluation, validation and test with the held-out one.
    Raises ``UsageError`` unless there is one reading condition, or if the file cannot be written.
    """
    call = Call(config, runs, progress)
    if len(call.conditions) != 1:
        raise UsageError(
            "--write-problems needs exactly one condition",
            hint=f"choose one of --conditions {','.join(call.conditions)}",
        )
    (condition,) = call.conditions
    problems = ProblemSet(config, runs, progress, replaces_names(condition))
    wanted = evaluate(problems, condition, call.folds).problems
    if not wanted:
        raise UsageError("no problem is held out", hint="--cross-fit K writes every problem")
    reading_problems = (labelled.problem for labelled in problems.read(condition) if labelled.id in wanted)
    lines = (
        ShownProblem(
            id=problem.id,
            question=problem.question,
            choices=tuple(choice.name for choice in problem.choices),
            passage=problem.passage if has_passage(condition) else None,
        )
        for problem in reading_problems
    )
    return _write(path, lines)


def write_alternatives(config: Config, runs: Sequence[Run], path: Path) -> int:
    """Write every alternative of every article after deduplication, and return their number.

    Ids and names are those that the stage ``adversary`` gives to systems, so that a file of answers to these problems can be
    an adversary. Raises ``UsageError`` if the names that adversaries read are replaced, for several conditions, for a
    condition without the passage, or if the file cannot be written.
    """
    if config.bench.conditions != (PASSAGE,) or config.adversary.names != "original":
        raise UsageError(
            "--alternatives writes passages with their original names",
            hint="--conditions passage, and adversary.names: original",
        )
    return _write(path, (line for run in runs for line in _alternatives(run)))


def _alternatives(run: Run) -> Iterator[ShownProblem]:
    for record in run.alternatives:
        for number, alternative in enumerate(record.alternatives):
            article = run.articles[record.passages[alternative.passage].article]
            problem = record.problem(number, article)
            yield ShownProblem(
                id=alternative_id(record.id, number),
                question=problem.question.blanked,
                choices=tuple(choice.name for choice in problem.choices),
                passage=problem.passage.text,
            )


def _write(path: Path, problems: Iterable[ShownProblem]) -> int:
    """Write a file, which appears by one rename, and return the number of problems."""
    lines = list(map(jsonl.encode, problems))
    try:
        replace_file(path, b"".join(lines))
    except OSError as error:
        raise UsageError(
            f"cannot write {path}: {error.strerror}", hint="name a file in a folder that exists"
        ) from error
    return len(lines)
