"""The datasheet of a complete run with its audit: answer skews, distributions, and overlap between splits.

Both are computed from the outputs of the stages, the stored table of systems and the stored scores of people alone, so that
the same run gives the same bytes. Problems are streamed; memory holds counts, ids and names, and the 8-grams of the held-out
passages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wdw_bench.results import stored_results
from wdw_build import dataset
from wdw_build.core.config.settings import Config
from wdw_build.core.progress import Bar, Progress
from wdw_build.dataset import Run, SplitCounts
from wdw_build.ports import SENTENCE_SPLITTER
from wdw_build.records import Problem
from wdw_build.registry import Backends
from wdw_build.text.names.matching import name_words
from wdw_build.views.card.audit_results import Audit, Border, Calendar, Common, NameFacts, SplitAudit
from wdw_build.views.card.datasheet import datasheet
from wdw_build.views.card.overlap import SplitComparison
from wdw_build.views.card.skew import CueCounts, skew
from wdw_build.views.people import read_people
from wdw_build.views.summary import Summary

__all__ = ["Audit", "audit", "datasheet"]

_MOST_COMMON = 10


def audit(run: Run, config: Config, summary: Summary, progress: Progress) -> Audit:
    """The audit; equal outputs, an equal table of systems and equal scores of people give equal audits."""
    cues = {name: CueCounts() for name in dataset.PARTS}
    comparison = SplitComparison(config.split.event_days)

    def observe(joined: dataset.JoinedProblem) -> None:
        if joined.part:
            cues[joined.part].add(joined.problem, held_out=joined.held_out)
            comparison.add(joined.problem, joined.splits[-1])

    counts = dataset.count_dataset(run, progress, [observe], label="audit")
    with progress.bar("passages", None, "passages") as bar:
        overlaps, events = comparison.overlaps(lambda articles: _passages(run, articles, bar))
    with progress.bar("leaks", None, "problems") as bar:

        def problems() -> Iterator[Problem]:
            for joined in run.problems():
                bar.advance()
                yield joined.problem

        leaks = comparison.leaks(problems, Backends(config).get(SENTENCE_SPLITTER).sentences)
    return Audit(
        run=summary.run,
        fingerprint=summary.fingerprint,
        overlap=overlaps,
        events=events,
        leaks=leaks,
        border=_border(
            counts.splits[dataset.TRAIN_RELAXED], counts.parts[dataset.VALIDATION] + counts.parts[dataset.TEST]
        ),
        systems=stored_results(run),
        people=read_people(run),
        splits=_split_audits(counts, cues | {dataset.TRAIN_RELAXED: cues[dataset.TRAIN] + cues[dataset.RELAXED_ONLY]}),
    )


def _split_audits(counts: dataset.DatasetCounts, cues: dict[str, CueCounts]) -> dict[str, SplitAudit]:
    training = counts.splits[dataset.TRAIN_RELAXED].answer_names
    return {
        name: SplitAudit(
            counts.splits[name].problems,
            skew(counts.splits[name], cues[name], training),
            _name_facts(counts.splits[name], training),
            _calendar(counts.splits[name]),
        )
        for name in dataset.SPLITS
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


# ---- facts of one split ----------------------------------------------------------------------------------------------


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def _name_facts(split: SplitCounts, training: Mapping[str, int]) -> NameFacts:
    """Names of choices and answers; ``training`` says how often each name is an answer in training."""
    answers, choices = split.answer_names.total(), split.choice_names.total()
    words = {name: len(name_words(name)) for name in split.choice_names}
    return NameFacts(
        distinct_choices=len(split.choice_names),
        distinct_answers=len(split.answer_names),
        words_per_choice=_share(sum(words[name] * count for name, count in split.choice_names.items()), choices),
        one_word_choices=_share(sum(count for name, count in split.choice_names.items() if words[name] == 1), choices),
        mentions_per_choice=_share(split.choice_mentions, choices),
        answers_seen=_share(sum(count for name, count in split.answer_names.items() if name in training), answers),
        most_common=tuple(
            Common(name, count, _share(count, answers))
            for name, count in dataset.most_frequent_first(split.answer_names)[:_MOST_COMMON]
        ),
    )


def _calendar(split: SplitCounts) -> Calendar:
    """Days, sources, windows and numbers of choices."""
    return Calendar(
        first_day=split.first_day,
        last_day=split.last_day,
        months=dict(sorted(split.months.items())),
        question_sources=dict(dataset.most_frequent_first(split.question_sources)),
        passage_sources=dict(dataset.most_frequent_first(split.passage_sources)),
        same_source=split.same_source,
        windows={str(days): count for days, count in sorted(split.windows.items())},
        choices={str(size): count for size, count in sorted(split.choices.items())},
    )


def _border(training: SplitCounts, held_out: SplitCounts) -> Border:
    """The days on both sides of the border between training and held-out data."""
    last, first = training.last_day, held_out.first_day
    return Border(
        last_training_day=last,
        first_held_out_day=first,
        training_passages_beyond=sum(count for day, count in training.passage_days.items() if first and day >= first),
        held_out_passages_before=sum(count for day, count in held_out.passage_days.items() if last and day <= last),
    )
