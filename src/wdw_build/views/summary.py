"""The summary of a run: funnel, rejections by stage and reason, and the paper's Tables 2 and 3.

Table 2 has each baseline's accuracy before and after suppression, with chance (the mean of 1/choices). Table 3 has
problems, choices, passage tokens and vocabulary of each split. The summary is kept in ``runs/<run>/summary.json``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.run.progress import Progress
from wdw_build.core.store.manifest import Timing, read_timing
from wdw_build.dataset import (
    SPLITS,
    CellCounts,
    JoinedProblem,
    Run,
    SplitCounts,
    count_dataset,
    mean,
    most_frequent_first,
    refused_candidates,
)
from wdw_build.text.tokens import lm_tokens


class Level(msgspec.Struct, frozen=True):
    """One number for each suppression level."""

    strict: float
    relaxed: float


class BeforeAfter(msgspec.Struct, frozen=True):
    """An accuracy before and after suppression."""

    before: float
    after: Level


class Table2(msgspec.Struct, frozen=True):
    """The accuracy of chance and of each baseline."""

    chance: BeforeAfter
    baselines: dict[str, BeforeAfter]


class SplitRow(msgspec.Struct, frozen=True):
    """The size of one split; averages are per problem."""

    problems: int
    average_choices: float
    average_passage_tokens: float
    vocabulary: int


class Persons(msgspec.Struct, frozen=True):
    """Person mentions in questions, mentions of choices in passages, and distinct names of choices and answers."""

    question_mentions: int
    choice_mentions: int
    distinct_choices: int
    distinct_answers: int


class Summary(msgspec.Struct, frozen=True):
    """The summary of a run. ``event_scores``: problems of the dataset by event score, in bands of a tenth named by their start."""

    run: str
    fingerprint: str
    funnel: dict[str, int | dict[str, int]]
    rejections: dict[str, dict[str, int]]
    refused: dict[str, dict[str, int]]
    table2: Table2
    table3: dict[str, SplitRow]
    stages: dict[str, Timing]
    devices: dict[str, tuple[str, ...]]
    persons: Persons
    most_common_answer: tuple[str, float]
    event_scores: dict[str, int]


def summarise(run: Run) -> Summary:
    """The summary of a complete run: read from ``summary.json`` if it was made from the same outputs, else written there."""
    path = run.folder / "summary.json"
    fingerprint = digest({name: output.manifest.fingerprint for name, output in run.outputs.items()})
    devices = {name: output.manifest.devices for name, output in run.outputs.items() if output.manifest.devices}
    try:
        known = msgspec.json.decode(path.read_bytes(), type=Summary)
        if (known.fingerprint, known.devices) == (fingerprint, devices):
            return known
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        pass
    summary = _summary(run, fingerprint, devices)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(summary), indent=1) + b"\n")
    return summary


def _summary(run: Run, fingerprint: str, devices: dict[str, tuple[str, ...]]) -> Summary:
    vocabulary: dict[str, set[str]] = {name: set() for name in SPLITS}
    counts = count_dataset(run, Progress("quiet"), [lambda joined: _add_words(joined, vocabulary)])
    table3 = {name: _split_row(split, len(vocabulary[name])) for name, split in counts.splits.items()}
    dataset = counts.dataset
    timings = {name: read_timing(output.folder) for name, output in run.outputs.items()}
    return Summary(
        run=run.name,
        fingerprint=fingerprint,
        funnel=_funnel(run, counts.cells.strict, table3),
        rejections={name: output.manifest.reasons for name, output in run.outputs.items() if output.manifest.reasons},
        refused=_refused(run),
        table2=_table2(counts.cells),
        table3=table3,
        persons=_persons(dataset),
        stages={name: timing for name, timing in timings.items() if timing is not None},
        devices=devices,
        most_common_answer=_most_common(dataset.answer_names),
        event_scores=_event_score_bands(dataset.event_scores),
    )


def _add_words(joined: JoinedProblem, vocabulary: dict[str, set[str]]) -> None:
    if joined.in_dataset:
        words = {*lm_tokens(joined.problem.question.sentence), *lm_tokens(joined.problem.passage.text)}
        for name in joined.splits:
            vocabulary[name] |= words


def _funnel(run: Run, strict: int, table3: dict[str, SplitRow]) -> dict[str, int | dict[str, int]]:
    return {
        "articles": len(run.articles),
        "questions": len(run.questions),
        "with_candidate": len(run.retrievals),
        "problems": len(run.raw_problems),
        "after_dedup": len(run.distinct_problems),
        "after_suppression": {"strict": strict, "relaxed": len(run.decisions)},
        "splits": {name: row.problems for name, row in table3.items()},
    }


def _refused(run: Run) -> dict[str, dict[str, int]]:
    """Stage -> rule -> candidates that the rule refused, the most frequent rule first."""
    counts: dict[str, Counter[str]] = {table.name: Counter() for table in (run.retrievals, run.raw_problems)}
    for refused in refused_candidates(run):
        counts[refused.table.name][refused.candidate.rule] += 1
    return {stage: dict(most_frequent_first(rules)) for stage, rules in counts.items()}


def _table2(cells: CellCounts) -> Table2:
    def row(value: Callable[[str, int], float]) -> BeforeAfter:
        before, strict, relaxed = (round(mean, 4) for mean in cells.mean(value))
        return BeforeAfter(before, Level(strict, relaxed))

    solved = {name: (lambda pattern, _, at=at: pattern[at] == "1") for at, name in enumerate(cells.baselines)}
    return Table2(
        chance=row(lambda _, choices: 1 / choices), baselines={name: row(value) for name, value in solved.items()}
    )


def _split_row(split: SplitCounts, vocabulary: int) -> SplitRow:
    return SplitRow(
        problems=split.problems,
        average_choices=round(mean(split.choices), 3),
        average_passage_tokens=round(mean(split.passage_tokens), 1),
        vocabulary=vocabulary,
    )


def _persons(dataset: SplitCounts) -> Persons:
    return Persons(
        question_mentions=dataset.question_persons,
        choice_mentions=dataset.choice_mentions,
        distinct_choices=len(dataset.choice_names),
        distinct_answers=len(dataset.answer_names),
    )


def _most_common(answers: Counter[str]) -> tuple[str, float]:
    name, count = next(iter(most_frequent_first(answers)), ("", 0))
    return name, round(count / max(1, answers.total()), 4)


def _event_score_bands(scores: Counter[float]) -> dict[str, int]:
    """Start of a band of a tenth -> problems, from the lowest band that occurs; empty if no problem has a score."""
    tenths: Counter[int] = Counter()
    for score, count in scores.items():
        # Scores have four decimals: 0.3 belongs to the band that starts there, whatever its binary form.
        tenths[min(round(score * 10_000) // 1000, 9)] += count
    return {f"{tenth / 10:.1f}": tenths[tenth] for tenth in range(min(tenths, default=10), 10)}
