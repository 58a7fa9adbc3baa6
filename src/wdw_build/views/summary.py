"""The summary of a run: funnel, rejections by stage and reason, the paper's Tables 2 and 3, and event scores.

Table 2 has each baseline's accuracy before suppression (on the first alternative of each article) and after it, with chance
(the mean of 1/choices). Table 3 has problems, choices, passage tokens and vocabulary of each split. The summary is kept in
``runs/<run>/summary.json``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec

from wdw_build.core.dataset_size import size_notes
from wdw_build.core.hashing import digest
from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import where_writable
from wdw_build.core.store.manifest import Timing, read_timing
from wdw_build.dataset import (
    SPLITS,
    AdversaryCounts,
    CellCounts,
    JoinedProblem,
    Run,
    SplitCounts,
    count_dataset,
    mean,
    most_frequent_first,
    refused_candidates,
)
from wdw_build.dataset.yield_limits import YieldLimit, yield_limits
from wdw_build.records import SuppressionCost
from wdw_build.stages.funnel import FUNNEL
from wdw_build.stages.suppress import COSTS
from wdw_build.text.tokens import lm_tokens

# The bounds between bands of the event score.
_EDGES = (0.2, 0.35, 0.5, 0.6, 0.75)


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
    """On the problems that suppression kept."""


class AdversaryAccuracy(msgspec.Struct, frozen=True):
    """An adversary's accuracy on some of the problems."""

    problems: int
    """Number of articles before suppression."""
    accuracy: BeforeAfter
    """Share of problems that it solves."""
    chance: BeforeAfter
    """Mean of 1/choices on these problems."""


class AdversaryRow(msgspec.Struct, frozen=True):
    """An adversary's accuracy, on the problems that its bound counts and on the others."""

    bounded: AdversaryAccuracy
    """On the problems in `adversary.scope`; it never trained on the event of the problem that it answers."""
    others: AdversaryAccuracy
    """On the other problems: those of the held-out period; with `mode: filter`, all problems that are left."""


class Table2(msgspec.Struct, frozen=True):
    """Accuracies of the baselines and the adversaries."""

    chance: BeforeAfter
    """Mean of 1/choices."""
    baselines: dict[str, BeforeAfter]
    """Baseline -> its accuracy."""
    adversaries: dict[str, AdversaryRow] = {}
    """Adversary -> its accuracies. Each further round of an adversary is another adversary: `shallow-2`."""


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


class EventBand(msgspec.Struct, frozen=True):
    """The articles and problems with an event score in one band."""

    least: float
    """The lowest event score of the band."""
    below: float | None
    """The upper end, which is not in the band; null for the highest band."""
    before: int
    """Articles after `dedup` whose best passage has such an event score."""
    before_share: float
    """Share of `before` among the articles, from 0 to 1."""
    after: int
    """Strict problems with such an event score."""
    after_share: float
    """Share of `after` among the strict problems, from 0 to 1."""


class Suppression(msgspec.Struct, frozen=True):
    """What suppression kept, and what its keys cost."""

    problems: int
    """Articles with a problem that reached `suppress`."""
    strict: int
    """Strict problems that it kept."""
    costs: tuple[SuppressionCost, ...]
    """Keys with another value that would keep more strict problems, most problems first."""


class Summary(msgspec.Struct, frozen=True):
    """``runs/<run>/summary.json``, printed by ``wdw-build summary --json``: the counts of a run."""

    run: str
    """Name of the run."""
    fingerprint: str
    """Hash of the stages' fingerprints."""
    funnel: dict[str, int | dict[str, int]]
    """Records left after each step: articles, questions, with_candidate, problems, after_dedup, after_suppression (by
    level), splits."""
    rejections: dict[str, dict[str, int]]
    """Stage -> reason -> count."""
    refused: dict[str, dict[str, int]]
    """Stage -> rule -> candidate passages that it refused, in `retrieve` and `choices`."""
    table2: Table2
    """Accuracies of the baselines: the paper's Table 2."""
    table3: dict[str, SplitRow]
    """Split -> its size: the paper's Table 3. `train.relaxed` contains both levels."""
    stages: dict[str, Timing]
    """Stage -> cost."""
    devices: dict[str, tuple[str, ...]]
    """Stage -> devices on which its models ran: `cpu`, `cuda`, or both."""
    persons: Persons
    """Numbers of persons."""
    most_common_answer: tuple[str, float]
    """The most common answer, and its share of all answers."""
    event_scores: dict[str, int]
    """Lower bound of a 0.1-wide band -> problems with an event score in the band."""
    event_bands: tuple[EventBand, ...]
    """Event scores before and after suppression, in bands from `retrieve.min_event_score` upwards."""
    size_notes: tuple[str, ...]
    """A warning if there are few problems, and the precision of the test set."""
    yield_limits: tuple[YieldLimit, ...]
    """Articles lost to each rule, limit and cap before suppression and after it, largest loss first."""
    suppression: Suppression
    """What suppression kept, and what its keys cost."""


def summarise(run: Run) -> Summary:
    """The summary of a complete run: read from ``summary.json`` if the file is current, else computed and saved.

    Where the run's folder is read-only, it is not saved.
    """
    path = run.folder / "summary.json"
    fingerprint = digest({name: output.manifest.fingerprint for name, output in run.outputs.items()})
    devices = {name: output.manifest.devices for name, output in run.outputs.items() if output.manifest.devices}
    rejections = {name: output.manifest.reasons for name, output in run.outputs.items() if output.manifest.reasons}
    try:
        known = msgspec.json.decode(path.read_bytes(), type=Summary)
        # A second run of a stage may bring records back that later stages reject.
        if (known.fingerprint, known.devices, known.rejections) == (fingerprint, devices, rejections):
            return known
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        pass
    summary = _summary(run, fingerprint, devices, rejections)
    with where_writable():
        path.write_bytes(jsonl.document(summary))
    return summary


def _summary(
    run: Run, fingerprint: str, devices: dict[str, tuple[str, ...]], rejections: dict[str, dict[str, int]]
) -> Summary:
    vocabulary: dict[str, set[str]] = {name: set() for name in SPLITS}
    counts = count_dataset(run, Progress("quiet"), [lambda joined: _add_words(joined, vocabulary)])
    table3 = {name: _split_row(split, len(vocabulary[name])) for name, split in counts.splits.items()}
    dataset = counts.dataset
    name, count = next(iter(most_frequent_first(dataset.answer_names)), ("", 0))
    timings = {name: read_timing(output.folder) for name, output in run.outputs.items()}
    return Summary(
        run=run.name,
        fingerprint=fingerprint,
        funnel=_funnel(run, counts.cells.strict, table3),
        rejections=rejections,
        refused=_refused(run),
        table2=_table2(counts.cells, counts.adversaries),
        table3=table3,
        persons=Persons(
            question_mentions=dataset.question_persons,
            choice_mentions=dataset.choice_mentions,
            distinct_choices=len(dataset.choice_names),
            distinct_answers=len(dataset.answer_names),
        ),
        stages={name: timing for name, timing in timings.items() if timing is not None},
        devices=devices,
        most_common_answer=(name, round(count / max(1, dataset.answer_names.total()), 4)),
        event_scores=_event_score_bands(dataset.event_scores),
        size_notes=size_notes(
            counts.cells.strict,
            {name: row.problems for name, row in table3.items()},
            run.assignments.settings.periods,
        ),
        yield_limits=yield_limits(run),
        suppression=_suppression(run, counts.cells.strict),
        event_bands=event_bands(counts.best_events, counts.strict_events, run.retrievals.settings.min_event_score),
    )


def _suppression(run: Run, strict: int) -> Suppression:
    costs = run.decisions.output.folder / COSTS
    return Suppression(
        problems=run.decisions.manifest.read,
        strict=strict,
        costs=msgspec.json.decode(costs.read_bytes(), type=tuple[SuppressionCost, ...]) if costs.exists() else (),
    )


def _add_words(joined: JoinedProblem, vocabulary: dict[str, set[str]]) -> None:
    if joined.in_dataset:
        words = {*lm_tokens(joined.problem.question.sentence), *lm_tokens(joined.problem.passage.text)}
        for name in joined.splits:
            vocabulary[name] |= words


def _funnel(run: Run, strict: int, table3: dict[str, SplitRow]) -> dict[str, int | dict[str, int]]:
    passed = {FUNNEL[table.name].key: len(table) for table in run.tables.values() if table.name in FUNNEL}
    return {
        **{key: count for key, count in passed.items() if key},
        "after_suppression": {"strict": strict, "relaxed": len(run.decisions)},
        "splits": {name: row.problems for name, row in table3.items()},
    }


def _refused(run: Run) -> dict[str, dict[str, int]]:
    """Stage -> rule -> candidates that the rule refused, the most frequent rule first."""
    counts: dict[str, Counter[str]] = {table.name: Counter() for table in (run.retrievals, run.all_alternatives)}
    for refused in refused_candidates(run):
        counts[refused.table.name][refused.candidate.rule] += 1
    return {stage: dict(most_frequent_first(rules)) for stage, rules in counts.items()}


def _table2(cells: CellCounts, adversaries: AdversaryCounts) -> Table2:
    def row(value: Callable[[str, int], float]) -> BeforeAfter:
        return _before_after(cells.mean(value))

    solved = {name: (lambda pattern, _, at=at: pattern[at] == "1") for at, name in enumerate(cells.baselines)}
    return Table2(
        chance=row(lambda _, choices: 1 / choices),
        baselines={name: row(value) for name, value in solved.items() if name not in adversaries.names},
        adversaries={
            name: AdversaryRow(*(_adversary(adversaries, name, bounded) for bounded in (True, False)))
            for name in adversaries.names
        },
    )


def _before_after(means: tuple[float, float, float]) -> BeforeAfter:
    before, strict, relaxed = (round(mean, 4) for mean in means)
    return BeforeAfter(before, Level(strict, relaxed))


def _adversary(counts: AdversaryCounts, name: str, bounded: bool) -> AdversaryAccuracy:
    return AdversaryAccuracy(
        problems=counts.problems(name, bounded),
        accuracy=_before_after(counts.means(name, bounded, lambda _, solved: float(solved))),
        chance=_before_after(counts.means(name, bounded, lambda choices, _: 1 / choices)),
    )


def _split_row(split: SplitCounts, vocabulary: int) -> SplitRow:
    return SplitRow(
        problems=split.problems,
        average_choices=round(mean(split.choices), 3),
        average_passage_tokens=round(mean(split.passage_tokens), 1),
        vocabulary=vocabulary,
    )


def _event_score_bands(scores: Counter[float]) -> dict[str, int]:
    """Lower bound of a 0.1-wide band -> problems, from the lowest band with a problem; empty without scores."""
    tenths: Counter[int] = Counter()
    for score, count in scores.items():
        # Scores have four decimals; integer arithmetic puts 0.3 into the band from 0.3 despite floating point.
        tenths[min(round(score * 10_000) // 1000, 9)] += count
    return {f"{tenth / 10:.1f}": tenths[tenth] for tenth in range(min(tenths, default=10), 10)}


def event_bands(before: Counter[float], after: Counter[float], threshold: float) -> tuple[EventBand, ...]:
    """The bands of scores from ``threshold`` up. Scores have four decimals, and edges have as many or fewer."""
    if not before and not after:
        return ()
    edges = [threshold, *(edge for edge in _EDGES if edge > threshold)]
    bands = []
    for least, below in zip(edges, [*edges[1:], None], strict=True):
        counts = [
            sum(count for score, count in scores.items() if least <= score and (below is None or score < below))
            for scores in (before, after)
        ]
        shares = [
            round(count / max(1, scores.total()), 4) for count, scores in zip(counts, (before, after), strict=True)
        ]
        bands.append(EventBand(least, below, counts[0], shares[0], counts[1], shares[1]))
    return tuple(bands)
