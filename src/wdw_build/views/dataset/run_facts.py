"""``facts``: every number about a run that the summary, the report, the datasheet and ``diff`` show.

One pass over the joined problems counts them by split and by predictor; the rejections and the refused candidates are counted
from the outputs that store them. Memory grows with the number of different values, such as names, not with the number of
problems. The facts are stored in ``runs/<run>/summary.json``.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import itertools
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Set
from typing import Any, TypeVar

import msgspec

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.core.dataset_size import size_notes
from wdw_build.core.hashing import hash_file
from wdw_build.core.installed import VERSION
from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import Manifest, Timing, read_timing
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.pipeline.stage_order import FUNNEL
from wdw_build.records import AdversaryPredictions, BoundCount, Problem, SuppressionCost, TraitShare
from wdw_build.selection.properties import band, persons
from wdw_build.selection.settings import adversary_round
from wdw_build.selection.training_alternatives import omitted_problems
from wdw_build.similarity.leaks import Overlap, overlaps
from wdw_build.stages.ingest.entries import NOT_A_STORY
from wdw_build.stages.suppress import COSTS, TRAITS
from wdw_build.text.counts import most_frequent_first
from wdw_build.text.tokens import lm_tokens
from wdw_build.views.dataset.article_facts import KindOfArticle, RemovedParts, article_facts
from wdw_build.views.dataset.run import Run, refused_candidates
from wdw_build.views.dataset.selected import bounds_without
from wdw_build.views.dataset.tables import SPLITS, JoinedProblem
from wdw_build.views.dataset.yield_limits import YieldLimits, yield_limits

FILE = "summary.json"
_CHANCE = "chance"
T = TypeVar("T")


# The properties of a problem whose values are counted by split.
_PROPERTIES: dict[str, Callable[[Problem], int | float | str | None]] = {
    "choices": lambda problem: len(problem.choices),
    "answer position": lambda problem: problem.answer + 1,
    "passage tokens": lambda problem: problem.passage.tokens,
    "question tokens": lambda problem: len(problem.question.tokens),
    "days from question to passage": lambda problem: (problem.passage.date - problem.question.date).days,
    "event score": lambda problem: band(problem.event_score),
    "evidence score": lambda problem: band(problem.evidence_score),
    "month": lambda problem: f"{problem.date:%Y-%m}",
    "source of the question": lambda problem: problem.question.source,
    "source of the passage": lambda problem: problem.passage.source,
}
# Properties whose values are whole numbers, and those whose values are counted by tenths.
WHOLE_NUMBERS = ("choices", "answer position", "passage tokens", "question tokens", "days from question to passage")
SCORES = ("event score", "evidence score")


class Level(msgspec.Struct, frozen=True):
    """One number for each suppression level."""

    strict: float
    """On the strict problems."""
    relaxed: float
    """On the strict and the relaxed problems."""


class BeforeAfter(msgspec.Struct, frozen=True):
    """An accuracy before suppression and after it, from 0 to 1."""

    before: float
    """On the first alternative of every article that `dedup` kept."""
    after: Level
    """On the problems that suppression kept, without those of `corpus.omitted_problems`."""


class AdversaryAccuracy(msgspec.Struct, frozen=True):
    """An adversary's accuracy. It never trained on the event of the problem that it answers."""

    problems: int
    """Number of articles before suppression."""
    accuracy: BeforeAfter
    """Share of problems that it solves."""
    chance: BeforeAfter
    """Mean of 1/choices on these problems."""


class Table2(msgspec.Struct, frozen=True):
    """Accuracies of the baselines and the adversaries."""

    chance: BeforeAfter
    """Mean of 1/choices."""
    baselines: dict[str, BeforeAfter]
    """Baseline -> its accuracy."""
    adversaries: dict[str, AdversaryAccuracy] = {}
    """Adversary -> its accuracy. Each further round of an adversary is another adversary: `shallow-2`."""


class SplitRow(msgspec.Struct, frozen=True, kw_only=True):
    """The size of a split."""

    problems: int
    """Number of problems."""
    average_choices: float
    """Mean number of choices."""
    average_passage_tokens: float
    """Mean number of passage tokens."""
    median_passage_tokens: int
    """Median number of passage tokens: the lower one of two; 0 without problems."""
    low_passage_tokens: int
    """The number of tokens that 5 % of the passages do not exceed; 0 without problems."""
    high_passage_tokens: int
    """The number of tokens that 95 % of the passages do not exceed; 0 without problems."""
    min_passage_tokens: int
    """Number of tokens of the shortest passage; 0 without problems."""
    max_passage_tokens: int
    """Number of tokens of the longest passage; 0 without problems."""
    vocabulary: int
    """Different tokens of questions and passages, case kept."""
    first_day: dt.date | None
    """Day of the first question."""
    last_day: dt.date | None
    """Day of the last question."""


class Suppression(msgspec.Struct, frozen=True, kw_only=True):
    """What suppression kept, and what its keys cost."""

    problems: int
    """Articles with a problem that reached `suppress`."""
    strict: int
    """Strict problems that it kept."""
    costs: tuple[SuppressionCost, ...]
    """Keys with another value that would keep more strict problems, most problems first."""
    traits: tuple[TraitShare, ...] = ()
    """How frequent each value of each trait is among the strict problems, compared with the problems before suppression."""


class OutputFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The output of a stage."""

    version: int
    """Version of the stage's code."""
    sha256: str
    """SHA-256 of its records and rejections."""
    read: int
    """Inputs."""
    written: int
    """Records."""
    rejected: int
    """Rejections."""
    devices: tuple[str, ...]
    """Devices on which its models ran: `cpu`, `cuda`, or both."""


class ExportedFile(msgspec.Struct, frozen=True):
    """An exported file."""

    bytes: int
    """Its size."""
    sha256: str
    """SHA-256 of its content."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """`runs/<run>/summary.json`, printed by `wdw-build summary --json`: the facts of a run."""

    run: str
    """Name of the run."""
    fingerprint: str
    """Hash of the stages' fingerprints."""
    version: str
    """Version of wdw-build that counted."""
    seed: int
    """Seed of the run."""
    funnel: dict[str, int | dict[str, int]]
    """Records left after each step: articles, questions, with_candidate, problems, after_dedup, after_suppression (by
    level), splits."""
    rejections: dict[str, dict[str, int]]
    """Stage -> reason -> count."""
    kinds: dict[str, KindOfArticle]
    """Kind of article -> the articles of this kind, also those that were rejected for it."""
    removed: dict[str, RemovedParts]
    """Kind of removed part of an article's text (`dateline`, `credit`, `page`, …) -> such parts."""
    wires: dict[str, int]
    """Source with the profile of a wire -> its articles."""
    faulty: dict[str, int]
    """What was wrong with the problems of `corpus.faulty_problems` and `corpus.omitted_problems` -> articles that were left
    out because of it."""
    bounds_without_omitted: tuple[BoundCount, ...]
    """With `corpus.omitted_problems`: every bound on the selected problems that are left; else empty."""
    refused: dict[str, dict[str, int]]
    """Stage -> rule -> candidate passages that it refused, in `retrieve` and `choices`."""
    meanings: dict[str, str]
    """The reasons and rules of `rejections` and `refused` in words."""
    yield_limits: YieldLimits
    """Articles lost to each rule, and looser values of keys with which some of them pass."""
    suppression: Suppression
    """What suppression kept, and what its keys cost."""
    table2: Table2
    """Accuracies of the baselines: the paper's Table 2."""
    table3: dict[str, SplitRow]
    """Split -> its size: the paper's Table 3. `train.relaxed` contains both levels."""
    size_notes: tuple[str, ...]
    """A warning if there are few problems, and the precision of the test set."""
    distributions: dict[str, dict[str, dict[str, int]]]
    """Property of a problem -> its value -> split -> problems. Scores are counted by tenths, which their lower bounds
    name."""
    distinct_choices: int
    """Different persons among the choices."""
    distinct_answers: int
    """Different persons among the answers."""
    most_common_answer: tuple[str, float]
    """The most common answer, and its share of all answers."""
    overlap: tuple[Overlap, ...]
    """What problems of two splits, or of one split, have in common."""
    stages: dict[str, Timing]
    """Stage -> cost."""
    outputs: dict[str, OutputFacts]
    """Stage -> its output."""
    backends: dict[str, str]
    """Port -> identity of the model or library behind it."""
    files: dict[str, ExportedFile]
    """Exported file -> its size and its hash."""


def facts(run: Run, progress: Progress | None = None, pipeline: Pipeline | None = None) -> Facts:
    """The facts of a complete run: read from ``summary.json`` if the file is current, else counted and stored.

    With a pipeline, looser values of keys are tried (``views.dataset``), unless the file has them. Where the run's folder is
    read-only, the facts are not stored.
    """
    path = run.folder / FILE
    known = jsonl.read_document(path, Facts)
    is_current = known is not None and (known.fingerprint, known.version) == (run.fingerprint, VERSION)
    if known is not None and is_current and (pipeline is None or known.yield_limits.were_tried):
        return known
    counted = _counted(run, progress or Progress("quiet"), pipeline)
    with contextlib.suppress(OSError):
        path.write_bytes(jsonl.document(counted))
    return counted


def _counted(run: Run, progress: Progress, pipeline: Pipeline | None) -> Facts:
    omitted = omitted_problems(run.assignments.output)
    accuracies, dataset = _Accuracies(run.predictions.settings.systems, omitted.keys()), _Dataset()
    with progress.bar("count", len(run.distinct_problems), "problems") as bar:
        for joined in run.joined_problems():
            accuracies.add(joined)
            dataset.add(joined)
            bar.advance()
    answers = dataset.share_of_answers()
    manifests = {name: output.manifest for name, output in run.outputs.items()}
    rejections = {name: manifest.reasons for name, manifest in manifests.items() if manifest.reasons}
    strict = sum(decision.strict for decision in run.decisions)
    strict_left = strict - sum(decision.strict for decision in run.decisions if decision.id in omitted)
    refused = _refused(run)
    table3 = {name: split.row for name, split in dataset.splits.items()}
    sizes = {name: row.problems for name, row in table3.items()}
    suppression = Suppression(
        problems=run.decisions.manifest.read,
        strict=strict,
        costs=_left_by_suppress(run, COSTS, tuple[SuppressionCost, ...]),
        traits=_left_by_suppress(run, TRAITS, tuple[TraitShare, ...]),
    )
    return Facts(
        run=run.name,
        fingerprint=run.fingerprint,
        version=VERSION,
        seed=run.exported.manifest.ingredients.seed,
        funnel={
            **{FUNNEL[table.name]: len(table) for table in run.tables.values() if table.name in FUNNEL},
            "after_suppression": {"strict": strict, "relaxed": len(run.decisions)},
            "splits": sizes,
        },
        rejections=rejections,
        **article_facts(run.articles, run.articles.rejections(NOT_A_STORY))._asdict(),
        faulty=dict(
            Counter([*(rejection.detail for rejection in run.alternatives.rejections("faulty")), *omitted.values()])
        ),
        bounds_without_omitted=bounds_without(run, omitted),
        refused=refused,
        meanings={name: run.meaning(name) for by in (rejections, refused) for names in by.values() for name in names},
        yield_limits=yield_limits(run, pipeline),
        suppression=suppression,
        table2=accuracies.table2,
        table3=table3,
        size_notes=size_notes(strict_left, sizes, run.assignments.settings.periods),
        distributions=dataset.distributions,
        distinct_choices=dataset.distinct_choices,
        distinct_answers=len(answers),
        most_common_answer=next(iter(answers.items()), ("", 0.0)),
        overlap=overlaps(
            lambda: (joined.problem for joined in run.problems()),
            dataset.split_of,
            PunktSplitter().sentences,
            run.assignments.settings.event_days,
        ),
        stages={name: timing for name, output in run.outputs.items() if (timing := read_timing(output.folder))},
        outputs={name: _output(manifest) for name, manifest in manifests.items()},
        backends={
            port: name for manifest in manifests.values() for port, name in manifest.ingredients.backends.items()
        },
        files=dict(_files(run)),
    )


def _left_by_suppress(run: Run, name: str, kind: type[T]) -> T:
    """The list in a file of the stage ``suppress``; empty if the file is absent."""
    path = run.decisions.output.folder / name
    return msgspec.json.decode(path.read_bytes() if path.exists() else b"[]", type=kind)


class _Accuracies:
    """Accuracies before suppression (first alternatives), on strict and on kept problems (selected alternatives).

    ``omitted``: problems that were left out afterwards, and count only before suppression.
    """

    def __init__(self, adversaries: tuple[str, ...], omitted: Set[str]) -> None:
        self._adversaries, self._omitted = adversaries, omitted
        # Predictor -> level -> problems, right answers and expected right answers.
        self._sums: defaultdict[str, list[list[float]]] = defaultdict(lambda: [[0, 0, 0.0] for _ in range(3)])

    def add(self, joined: JoinedProblem) -> None:
        """Count a problem."""
        if joined.first_predictions is not None and joined.predictions is not None:
            self._add(0, joined.first_predictions)
            if joined.suppression is not None and joined.id not in self._omitted:
                for level in (1, 2) if joined.suppression.strict else (2,):
                    self._add(level, joined.predictions)

    def _add(self, level: int, predictions: AdversaryPredictions) -> None:
        for name, guess in (*predictions.guesses.items(), (_CHANCE, -1)):
            sums = self._sums[name][level]
            sums[0] += 1
            sums[1] += guess == predictions.answer
            sums[2] += 1 / predictions.choices

    @property
    def table2(self) -> Table2:
        names = [name for name in self._sums if name != _CHANCE]
        adversaries = [name for name in names if adversary_round(name, self._adversaries)]
        return Table2(
            chance=self._mean(_CHANCE, 2),
            baselines={name: self._mean(name, 1) for name in names if name not in adversaries},
            adversaries={name: self._row(name) for name in adversaries},
        )

    def _row(self, name: str) -> AdversaryAccuracy:
        return AdversaryAccuracy(int(self._sums[name][0][0]), self._mean(name, 1), self._mean(name, 2))

    def _mean(self, name: str, column: int) -> BeforeAfter:
        before, strict, relaxed = (round(sums[column] / max(1, sums[0]), 4) for sums in self._sums[name])
        return BeforeAfter(before, Level(strict, relaxed))


class _Split:
    """Sums over the problems of one split."""

    def __init__(self) -> None:
        self.problems = self.choices = 0
        # Number of passage tokens -> problems.
        self.tokens: Counter[int] = Counter()
        self.vocabulary: set[str] = set()
        self.days: set[dt.date] = set()

    def add(self, problem: Problem) -> None:
        """Count a problem."""
        self.problems += 1
        self.choices += len(problem.choices)
        self.tokens[problem.passage.tokens] += 1
        self.vocabulary.update(lm_tokens(problem.question.sentence), lm_tokens(problem.passage.text))
        self.days.add(problem.date)

    @property
    def row(self) -> SplitRow:
        return SplitRow(
            problems=self.problems,
            average_choices=round(self.choices / max(1, self.problems), 3),
            average_passage_tokens=round(self._mean_tokens, 1),
            median_passage_tokens=self._quantile(0.5),
            low_passage_tokens=self._quantile(0.05),
            high_passage_tokens=self._quantile(0.95),
            min_passage_tokens=min(self.tokens, default=0),
            max_passage_tokens=max(self.tokens, default=0),
            vocabulary=len(self.vocabulary),
            first_day=min(self.days, default=None),
            last_day=max(self.days, default=None),
        )

    @property
    def _mean_tokens(self) -> float:
        return sum(tokens * count for tokens, count in self.tokens.items()) / max(1, self.problems)

    def _quantile(self, share: float) -> int:
        """The smallest number of tokens that this share of the passages does not exceed."""
        lengths = sorted(self.tokens)
        up_to = list(itertools.accumulate(self.tokens[length] for length in lengths))
        return lengths[bisect_left(up_to, share * self.problems)] if lengths else 0


class _Dataset:
    """Counts over the problems of the dataset."""

    def __init__(self) -> None:
        self.splits = {name: _Split() for name in SPLITS}
        self.split_of: dict[str, str] = {}
        self.choices: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self._values: dict[str, defaultdict[Any, Counter[str]]] = {name: defaultdict(Counter) for name in _PROPERTIES}

    def add(self, joined: JoinedProblem) -> None:
        """Count a problem, if it is in the dataset."""
        for split in joined.splits:
            self.splits[split].add(joined.problem)
            self.split_of[joined.id] = split
            for name, value_of in _PROPERTIES.items():
                if (value := value_of(joined.problem)) is not None:
                    self._values[name][value][split] += 1
        if joined.in_dataset:
            self.choices.update(choice.name for choice in joined.problem.choices)
            self.answers[joined.answer] += 1

    @property
    def distinct_choices(self) -> int:
        """The number of persons among the choices, whose names may have several forms."""
        return len(set(persons(self.choices).values()))

    def share_of_answers(self) -> dict[str, float]:
        """The share of the problems that each person answers, the most common answer first, under its most common form."""
        person_of, forms = persons(self.choices), dict[str, str]()
        counts = Counter[str]()
        for name, count in most_frequent_first(self.answers):
            counts[forms.setdefault(person_of[name], name)] += count
        return {name: round(count / self.answers.total(), 4) for name, count in most_frequent_first(counts)}

    @property
    def distributions(self) -> dict[str, dict[str, dict[str, int]]]:
        return {
            name: {str(value): dict(values[value]) for value in sorted(values)}
            for name, values in self._values.items()
            if values
        }


def _refused(run: Run) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {table.name: Counter() for table in (run.retrievals, run.all_alternatives)}
    for refused in refused_candidates(run):
        counts[refused.table.name][refused.candidate.rule] += 1
    return {stage: dict(most_frequent_first(rules)) for stage, rules in counts.items()}


def _output(manifest: Manifest) -> OutputFacts:
    return OutputFacts(
        version=manifest.ingredients.version,
        sha256=manifest.content_hash,
        read=manifest.read,
        written=manifest.written,
        rejected=manifest.rejected,
        devices=manifest.devices,
    )


def _files(run: Run) -> Iterator[tuple[str, ExportedFile]]:
    """The files of the export formats, each of which has a folder."""
    folder = run.exported.output.folder
    for path in sorted(folder.glob("*/**/*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), ExportedFile(path.stat().st_size, hash_file(path))
