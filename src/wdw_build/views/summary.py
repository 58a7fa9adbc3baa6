"""The run in numbers: the funnel, rejections by stage and reason, and the paper's Tables 2 and 3 for this run.

Table 2: each baseline's accuracy before and after suppression, with chance (the mean of 1/choices). Table 3:
problems, choices, passage tokens and vocabulary of each split. Computed from the stages' outputs and kept in
``runs/<run>/summary.json``.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.store.manifest import Timing, read_timing
from wdw_build.core.store.output import Output
from wdw_build.records import BaselinePredictions, Problem, Retrieval, SplitAssignment, SuppressionDecision
from wdw_build.text.tokens import lm_tokens


class Level(msgspec.Struct, frozen=True):
    """A number for each level."""

    strict: float
    """On the strict problems."""
    relaxed: float
    """On the strict and the relaxed problems."""


class BeforeAfter(msgspec.Struct, frozen=True):
    """An accuracy before suppression and after it, from 0 to 1."""

    before: float
    """On all problems that `dedup` kept."""
    after: Level
    """On the problems that suppression kept."""


class Table2(msgspec.Struct, frozen=True):
    """Accuracies of the baselines."""

    chance: BeforeAfter
    """Mean of 1/choices."""
    baselines: dict[str, BeforeAfter]
    """Baseline -> its accuracy."""


class SplitRow(msgspec.Struct, frozen=True):
    """The size of a split."""

    problems: int
    """Number of problems."""
    average_choices: float
    """Mean number of choices."""
    average_passage_tokens: float
    """Mean number of passage tokens."""
    vocabulary: int
    """Different tokens of questions and passages, case kept."""


class Persons(msgspec.Struct, frozen=True):
    """Person counts over the problems of all splits."""

    question_mentions: int
    """Mentions in questions, the deleted one included."""
    choice_mentions: int
    """Mentions of choices in passages."""
    distinct_choices: int
    """Different names among the choices."""
    distinct_answers: int
    """Different names among the answers."""


class Summary(msgspec.Struct, frozen=True):
    """``runs/<run>/summary.json``, printed by ``wdw-build summary --json``: a run in numbers."""

    run: str
    """Name of the run."""
    fingerprint: str
    """Hash of the stages' fingerprints; tells whether the summary is current."""
    funnel: dict[str, int | dict[str, int]]
    """What each step left: articles, questions, with_candidate, problems, after_dedup, after_suppression (by level),
    splits (by split)."""
    rejections: dict[str, dict[str, int]]
    """Stage -> reason -> count."""
    refused: dict[str, dict[str, int]]
    """Stage -> rule -> candidates that it refused, in `retrieve` and `choices`."""
    table2: Table2
    """Accuracies of the baselines: the paper's Table 2."""
    table3: dict[str, SplitRow]
    """Split -> its size: the paper's Table 3; `train.relaxed` holds both levels."""
    stages: dict[str, Timing]
    """Stage -> cost."""
    devices: dict[str, tuple[str, ...]]
    """Stage -> where its models computed: `cpu`, `cuda`, or both."""
    persons: Persons
    """Person counts."""
    most_common_answer: tuple[str, float]
    """The name that is the answer most often, and its share of the answers."""
    event_scores: dict[str, int]
    """Start of a band of one tenth -> problems of the dataset with an event score in it; empty if no scorer ran."""


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(sum(found) / len(found), 4) if found else 0.0


class _Accuracies:
    """One group of problems: chance and what each baseline solved, a byte or a few a problem."""

    def __init__(self) -> None:
        self.chance = array("d")
        self.solved: defaultdict[str, array[int]] = defaultdict(lambda: array("b"))

    def add(self, one: BaselinePredictions) -> None:
        self.chance.append(1.0 / one.choices)
        for name, guess in one.guesses.items():
            self.solved[name].append(guess == one.answer)


def _table2(guesses: Iterator[BaselinePredictions], kept: dict[str, bool]) -> Table2:
    before, strict, relaxed = _Accuracies(), _Accuracies(), _Accuracies()
    for one in guesses:
        before.add(one)
        if one.id in kept:
            relaxed.add(one)
        if kept.get(one.id):
            strict.add(one)

    def row(values: Callable[[_Accuracies], Iterable[float]]) -> BeforeAfter:
        return BeforeAfter(_mean(values(before)), Level(_mean(values(strict)), _mean(values(relaxed))))

    def solved(name: str) -> BeforeAfter:
        return row(lambda group: group.solved[name])

    return Table2(
        chance=row(lambda group: group.chance), baselines={name: solved(name) for name in list(before.solved)}
    )


class _Split:
    """One split, added up problem by problem."""

    def __init__(self) -> None:
        self.problems = self.choices = self.tokens = 0
        self.vocabulary: set[str] = set()

    def add(self, problem: Problem) -> None:
        self.problems += 1
        self.choices += len(problem.choices)
        self.tokens += problem.passage.tokens
        self.vocabulary.update(lm_tokens(problem.question.sentence), lm_tokens(problem.passage.text))

    def row(self) -> SplitRow:
        count = max(1, self.problems)
        return SplitRow(
            self.problems, round(self.choices / count, 3), round(self.tokens / count, 1), len(self.vocabulary)
        )


def groups(placed: SplitAssignment) -> Iterator[str]:
    """The splits that a problem stands in: strict training problems stand in both training splits."""
    if placed.split != "train" or placed.level == "strict":
        yield placed.split
    if placed.split == "train":
        yield "train.relaxed"


class _Persons:
    """Persons, counted problem by problem."""

    def __init__(self) -> None:
        self.in_questions = self.in_passages = 0
        self.choices: set[str] = set()
        self.answers: Counter[str] = Counter()

    def add(self, problem: Problem) -> None:
        self.in_questions += 1 + len(problem.question.others)
        self.in_passages += sum(len(choice.mentions) for choice in problem.choices)
        self.choices.update(choice.name for choice in problem.choices)
        self.answers[problem.choices[problem.answer].name] += 1

    def counts(self) -> Persons:
        return Persons(self.in_questions, self.in_passages, len(self.choices), len(self.answers))

    def most_common(self) -> tuple[str, float]:
        name, count = min(self.answers.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))
        return name, round(count / max(1, sum(self.answers.values())), 4)


class _EventScores:
    """Problems by event score, counted one by one."""

    def __init__(self) -> None:
        self._tenths: Counter[int] = Counter()

    def add(self, problem: Problem) -> None:
        # Scores have four decimals: 0.3 is in the band that starts there, whatever its binary form.
        if problem.event_score is not None:
            self._tenths[min(round(problem.event_score * 10_000) // 1000, 9)] += 1

    def bands(self) -> dict[str, int]:
        """Start of the band -> problems, from the lowest that occurs; empty if no problem has a score."""
        return {f"{tenth / 10:.1f}": self._tenths[tenth] for tenth in range(min(self._tenths, default=10), 10)}


def _table3(split: Output, problems: Output) -> tuple[dict[str, SplitRow], _Persons, _EventScores]:
    rows = {name: _Split() for name in ("train", "train.relaxed", "validation", "test")}
    persons, event_scores = _Persons(), _EventScores()
    for placed in cast(Iterator[SplitAssignment], split.records()):
        problem = problems.find(placed.id)
        assert isinstance(problem, Problem)  # noqa: S101 (split's ids come from dedup)
        persons.add(problem)
        event_scores.add(problem)
        for name in groups(placed):
            rows[name].add(problem)
    return {name: row.row() for name, row in rows.items()}, persons, event_scores


def _refused(outputs: dict[str, Output]) -> dict[str, dict[str, int]]:
    """Candidates that each rule refused, most first: those of questions that came through, and of those that did not."""
    counts: dict[str, Counter[str]] = {"retrieve": Counter(), "choices": Counter()}
    for retrieval in cast(Iterator[Retrieval], outputs["retrieve"].records()):
        counts["retrieve"].update(one.rule for one in retrieval.candidates if one.rule)
    for problem in cast(Iterator[Problem], outputs["choices"].records()):
        counts["choices"].update(one.rule for one in problem.refused)
    for stage, count in counts.items():
        for rejection in outputs[stage].rejections():
            count.update(one.rule for one in rejection.candidates)
    return {stage: dict(sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))) for stage, count in counts.items()}


def _funnel(outputs: dict[str, Output], table3: dict[str, SplitRow], kept: dict[str, bool]) -> dict[str, Any]:
    written = {name: output.manifest.written for name, output in outputs.items()}
    return {
        "articles": written["ingest"],
        "questions": written["questions"],
        "with_candidate": written["retrieve"],
        "problems": written["choices"],
        "after_dedup": written["dedup"],
        "after_suppression": {"strict": sum(kept.values()), "relaxed": len(kept)},
        "splits": {name: row.problems for name, row in table3.items()},
    }


def summarise(run_folder: Path, outputs: dict[str, Output]) -> Summary:
    """The summary of a complete run; read from ``summary.json`` if nothing changed since, else made and written."""
    path = run_folder / "summary.json"
    fingerprint = digest({name: output.manifest.fingerprint for name, output in outputs.items()})
    devices = {name: output.manifest.devices for name, output in outputs.items() if output.manifest.devices}
    try:
        known = msgspec.json.decode(path.read_bytes(), type=Summary)
        if (known.fingerprint, known.devices) == (fingerprint, devices):
            return known
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        pass
    made = _make(run_folder.name, fingerprint, outputs, devices)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
    return made


def _make(run: str, fingerprint: str, outputs: dict[str, Output], devices: dict[str, tuple[str, ...]]) -> Summary:
    kept = {one.id: one.strict for one in cast(Iterator[SuppressionDecision], outputs["suppress"].records())}
    guesses = cast(Iterator[BaselinePredictions], outputs["baselines"].records())
    table3, persons, event_scores = _table3(outputs["split"], outputs["dedup"])
    timings = {name: read_timing(output.folder) for name, output in outputs.items()}
    return Summary(
        run=run,
        fingerprint=fingerprint,
        funnel=_funnel(outputs, table3, kept),
        rejections={name: output.manifest.reasons for name, output in outputs.items() if output.manifest.reasons},
        refused=_refused(outputs),
        table2=_table2(guesses, kept),
        table3=table3,
        persons=persons.counts(),
        stages={name: timing for name, timing in timings.items() if timing is not None},
        devices=devices,
        most_common_answer=persons.most_common(),
        event_scores=event_scores.bands(),
    )
