"""The audit of a complete run: one counting pass over its problems, and further passes over the passages to compare."""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.bench.results import stored_results
from wdw_build.core.config.settings import Config
from wdw_build.core.progress import Bar, Progress
from wdw_build.dataset import (
    PARTS,
    RELAXED_ONLY,
    SPLITS,
    TEST,
    TRAIN,
    TRAIN_RELAXED,
    VALIDATION,
    DatasetCounts,
    JoinedProblem,
    Run,
    count_dataset,
)
from wdw_build.ports import SENTENCE_SPLITTER
from wdw_build.records import Problem
from wdw_build.registry import Backends
from wdw_build.views.card.audit_results import Audit, SplitAudit
from wdw_build.views.card.facts import border, calendar, name_facts
from wdw_build.views.card.leaks import LeakCounter
from wdw_build.views.card.overlap import OverlapCounter
from wdw_build.views.card.skew import CueCounts, skew
from wdw_build.views.people import read_people
from wdw_build.views.summary import Summary


def audit(run: Run, config: Config, summary: Summary, progress: Progress) -> Audit:
    """The audit; equal outputs, an equal table of systems and equal scores of people give equal audits."""
    cues = {name: CueCounts() for name in PARTS}
    overlap, leaks = OverlapCounter(config.split.event_days), LeakCounter(config.split.event_days)

    def observe(joined: JoinedProblem) -> None:
        if joined.part:
            cues[joined.part].add(joined.problem, held_out=joined.held_out)
            overlap.add(joined.problem, joined.splits[-1])
            leaks.add(joined.problem, joined.splits[-1])

    counts = count_dataset(run, progress, [observe], label="audit")
    with progress.bar("passages", None, "passages") as bar:
        overlaps, events = overlap.close(lambda articles: _passages(run, articles, bar))
    with progress.bar("leaks", None, "problems") as bar:
        leak_facts = leaks.close(lambda: _problems(run, bar), Backends(config).get(SENTENCE_SPLITTER).sentences)
    return Audit(
        run=summary.run,
        fingerprint=summary.fingerprint,
        overlap=overlaps,
        events=events,
        leaks=leak_facts,
        border=border(counts.splits[TRAIN_RELAXED], counts.parts[VALIDATION] + counts.parts[TEST]),
        systems=stored_results(run),
        people=read_people(run),
        splits=_split_audits(counts, cues | {TRAIN_RELAXED: cues[TRAIN] + cues[RELAXED_ONLY]}),
    )


def _split_audits(counts: DatasetCounts, cues: dict[str, CueCounts]) -> dict[str, SplitAudit]:
    training = counts.splits[TRAIN_RELAXED].answer_names
    return {
        name: SplitAudit(
            counts.splits[name].problems,
            skew(counts.splits[name], cues[name], training),
            name_facts(counts.splits[name], training),
            calendar(counts.splits[name]),
        )
        for name in SPLITS
    }


def _passages(run: Run, articles: frozenset[str], bar: Bar) -> Iterator[tuple[str, str]]:
    """(article, text) of the passages from these articles, each once."""
    missing = set(articles)
    for joined in run.problems() if missing else ():
        passage = joined.problem.passage
        if passage.article in missing:
            missing.remove(passage.article)
            bar.advance()
            yield passage.article, passage.text


def _problems(run: Run, bar: Bar) -> Iterator[Problem]:
    for joined in run.problems():
        bar.advance()
        yield joined.problem
