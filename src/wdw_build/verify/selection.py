"""Baselines, adversaries, caps and splits of the selected problems, counted on the stored records (``selection.recount``)."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from wdw_build.errors import MissingResourceError
from wdw_build.pipeline.backends import Backends
from wdw_build.ports import OMITTED_PROBLEMS
from wdw_build.records import BoundCount, SplitAssignment
from wdw_build.selection.offers import terms_of
from wdw_build.selection.recount import RELAXED, STRICT, Selected
from wdw_build.selection.training_alternatives import omitted_problems
from wdw_build.verify.audited_run import AuditedRun, Recorder

_SPLITS = ("train", "validation", "test")


def cells(run: AuditedRun, recorder: Recorder) -> None:
    """The cell of a selected problem says which systems solve it by the stored predictions."""
    selected = {problem.id: problem for problem in run.selected}
    for name, decision in run.decisions.items():
        recorder.count()
        problem = selected.get(name)
        if problem is None:
            recorder.fail(name, "has no predictions of the baselines")
        elif (decision.cell, decision.choices) != (problem.cell, problem.choices):
            recorder.fail(name, f"is in cell {decision.cell}; by the predictions it is in {problem.cell}")


def strict_bound(run: AuditedRun, recorder: Recorder) -> None:
    """On the strict problems that were selected, baselines and adversaries meet suppress.strict within 0.5 problems."""
    recorder.count(sum(problem.strict for problem in run.selected))
    _check(run.recount.strict_bounds(), recorder)


def relaxed_bound(run: AuditedRun, recorder: Recorder) -> None:
    """On all selected problems, baselines and adversaries meet suppress.relaxed, or exceed it no more than on strict ones."""
    recorder.count(len(run.selected))
    _check(run.recount.relaxed_bounds(), recorder)


def answer_places(run: AuditedRun, recorder: Recorder) -> None:
    """With the bound chance, the answer is equally often at each rank (by first mention, by mentions), within one problem."""
    counts = list(run.recount.places())
    levels = {bound.level for bound in counts}
    for problem in run.selected:
        recorder.count((problem.strict and STRICT in levels) + (RELAXED in levels))
    _check(counts, recorder)


def enrichment(run: AuditedRun, recorder: Recorder) -> None:
    """No trait of 20 or more problems is more frequent among the selected problems than suppress.max_enrichment allows."""
    counts = list(run.recount.traits())
    recorder.count(sum(bound.problems for bound in counts))
    _check(counts, recorder)


def _check(counts: Iterable[BoundCount], recorder: Recorder) -> None:
    for bound in counts:
        if bound.excess:
            recorder.fail(bound.name, f"{bound.count} of {bound.problems} problems, {bound.allowed} are allowed")


# ---- caps and shared articles -----------------------------------------------------------------------------------------


def caps(run: AuditedRun, recorder: Recorder) -> None:
    """No passage, answer, or answer with an article of the event has more selected problems than the caps of suppress allow."""
    config = run.config.suppress
    of_answer = terms_of(config, config.strict, None).limits.most(len(run.selected))
    limits: tuple[tuple[float, Callable[[Selected], list[str]]], ...] = (
        (config.max_per_passage, lambda problem: [f"the passage {problem.passage}"]),
        (of_answer, lambda problem: [f"the answer {problem.person}"]),
        (config.max_per_event, _events),
    )
    for most, keys in limits:
        counts = Counter(key for problem in run.selected for key in keys(problem))
        for problem in run.selected:
            recorder.count()
            for key in keys(problem):
                # 0: no limit.
                if 0 < most < counts[key]:
                    recorder.fail(problem.id, f"is one of {counts[key]} problems with {key}; {most:g} are allowed")


def _events(problem: Selected) -> list[str]:
    return [f"the answer {problem.person} and the article {name}" for name in sorted({problem.id, problem.passage})]


def shared_articles(run: AuditedRun, recorder: Recorder) -> None:
    """Only where suppress.shared_articles allows it, a selected problem's passage is another one's question article."""
    allowed, selected = run.config.suppress.shared_articles, {problem.id for problem in run.selected}
    for problem in run.selected:
        recorder.count()
        if allowed == "allow" or problem.passage not in selected or problem.passage == problem.id:
            continue
        splits = {run.placed[name].split for name in (problem.id, problem.passage) if name in run.placed}
        if allowed == "forbid":
            recorder.fail(problem.id, f"its passage is the article of the question {problem.passage}")
        elif {problem.id, problem.passage} <= run.placed.keys() and splits != {"train"}:
            recorder.fail(
                problem.id, f"its passage is the article of the question {problem.passage}; splits: {sorted(splits)}"
            )


# ---- splits -----------------------------------------------------------------------------------------------------------


def placement(run: AuditedRun, recorder: Recorder) -> None:
    """Problems are in the dataset with the level and date that suppress recorded; relaxed problems are only in training."""
    for name, place in run.placed.items():
        recorder.count()
        decision = run.decisions.get(name)
        if decision is None:
            recorder.fail(name, "is in the dataset, but suppress did not select it")
        elif (place.level, place.date) != ("strict" if decision.strict else "relaxed", decision.date):
            recorder.fail(name, f"is placed as {place.level}, {place.date}, which suppress did not record")
        if place.split not in _SPLITS or (place.level == "relaxed" and place.split != "train"):
            recorder.fail(name, f"is a {place.level} problem in {place.split}")


def omissions(run: AuditedRun, recorder: Recorder) -> None:
    """A selected problem is left out as omitted only if a file of corpus.omitted_problems lists it, and then it is not placed."""
    omitted = omitted_problems(run.outputs["split"])
    try:
        listed = Backends(run.config).get(OMITTED_PROBLEMS).reasons()
    except MissingResourceError:
        # The run is complete without the file. What it listed is what the run omitted.
        listed = omitted
    for name, detail in omitted.items():
        recorder.count()
        if listed.get(name) != detail:
            recorder.fail(name, f"was omitted ({detail}), but no file lists it with this reason")
    for name in sorted(listed.keys() & run.placed.keys()):
        recorder.fail(name, f"is listed as omitted ({listed[name]}), but is in {run.placed[name].split}; build again")


class TrainingEnd(NamedTuple):
    """The first key of the held-out period, and the last day on which a training question may be."""

    first: tuple[dt.date, str]
    last_day: dt.date

    def is_after(self, key: tuple[dt.date, str]) -> bool:
        """Whether a question of this (date, id) is too late for training."""
        return key >= self.first or key[0] > self.last_day


def training_ends(run: AuditedRun) -> TrainingEnd | None:
    """When training ends, by the problems that are or were held out; None if there is no held-out period."""
    held_out = [(place.date, place.id) for place in run.placed.values() if place.split != "train"]
    left_out = (
        rejection.id for rejection in run.outputs["split"].rejections() if rejection.reason == "in-leaking-group"
    )
    held_out += [(run.decisions[name].date, name) for name in left_out if name in run.decisions]
    if run.config.split.held_out_from is not None:
        held_out.append((run.config.split.held_out_from, ""))
    if not held_out:
        return None
    first = min(held_out)
    return TrainingEnd(first, first[0] - dt.timedelta(days=run.config.split.gap_days))


def split_dates(run: AuditedRun, recorder: Recorder) -> None:
    """All training questions precede all held-out questions, by (date, id) and by at least split.gap_days."""
    ends = training_ends(run)
    if ends is None:
        return
    for place in run.placed.values():
        recorder.count()
        if place.split == "train" and ends.is_after((place.date, place.id)):
            recorder.fail(
                place.id, f"is of {place.date} and in training, but {ends.first[1]} of {ends.first[0]} is held out"
            )


def split_periods(run: AuditedRun, recorder: Recorder) -> None:
    """With split.test_from, every problem of the dataset is in the split of its date."""
    test_from, first = run.config.split.test_from, run.config.split.held_out_from
    if test_from is None or first is None:
        return
    for place in run.placed.values():
        recorder.count()
        expected = "test" if place.date >= test_from else "validation" if place.date >= first else "train"
        if place.split != expected:
            recorder.fail(place.id, f"is of {place.date} and in {place.split}, not in {expected}")


def leaks(run: AuditedRun, recorder: Recorder) -> None:
    """No article is in problems of two splits (if split.by_event), or of two held-out problems (if split.one_per_group)."""
    split = run.config.split
    if not (split.by_event or split.one_per_group):
        return
    problems: defaultdict[str, list[SplitAssignment]] = defaultdict(list)
    for problem in run.placed_problems():
        recorder.count()
        for article in {problem.id, problem.passage.article}:
            problems[article].append(run.placed[problem.id])
    for article, places in problems.items():
        splits = sorted({place.split for place in places})
        held_out = sorted(place.id for place in places if place.split != "train")
        if split.by_event and len(splits) > 1:
            recorder.fail(article, f"is in problems of {' and '.join(splits)}: {sorted(place.id for place in places)}")
        if split.one_per_group and len(held_out) > 1:
            recorder.fail(article, f"is in several held-out problems: {held_out}")


CHECKS = (
    *(cells, strict_bound, relaxed_bound, answer_places, enrichment, caps, shared_articles),
    *(placement, omissions, split_dates, split_periods, leaks),
)
