"""Baselines, adversaries and suppression: predictions, selected alternatives, cells, bounds, caps, and shared articles.

The scores of the n-gram model, of the word counts and of the adversaries are taken from the records; everything else is
computed again. No check tells whether as many problems as possible were selected.

A bound compares how often a system is right with what is allowed, in problems. Bounds at chance hold from both sides, for
each number of choices; others from above. A relaxed bound that the strict problems alone exceed allows what they have.

A cap counts a person under the name as it is written: whether two names belong to one person is ambiguous.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction

from wdw_build.records import BaselinePredictions, Predictions, Problem, ProblemAlternatives, SuppressionDecision
from wdw_build.verify.checked_run import (
    NOT_COUNTED,
    CheckedRun,
    Recorder,
    Selected,
    each,
    held_out_number,
    mention_scores,
    uniform_hash,
)

RANKINGS = ("first mention", "number of mentions")
_SLACK, _PLACE_SLACK = 0.5, 1.0
_EPSILON = 1e-6


def adversary_scope(run: CheckedRun, recorder: Recorder) -> None:
    """Adversaries and their rounds match the configuration, and affect only problems in adversary.scope."""
    config = run.config.adversary
    keys = sorted((record.date, record.id) for record in run.files.records("baselines", BaselinePredictions))
    held_out = held_out_number(len(keys), run.config.split) if config.scope == "training" else 0
    scope = {name for _, name in keys[: len(keys) - held_out]}
    has_adversaries = run.predictors != run.baselines
    most = config.rounds if config.mode == "suppress" and run.config.suppress.bounds == "by_choices" else 1
    rounds = [name if number == 1 else f"{name}-{number}" for number in range(1, most + 1) for name in config.systems]
    for record in run.predictions.values():
        excluded, numbers = record.excluded, range(len(each(record)))
        if excluded and (config.mode != "filter" or record.id not in scope):
            recorder.fail(record.id, "has excluded alternatives, and is not in scope of a filter")
        if list(excluded) != sorted(set(excluded) & set(numbers)) or len(excluded) == len(numbers):
            recorder.fail(record.id, f"the excluded alternatives are {excluded} of {len(numbers)} alternatives")
        if not has_adversaries:
            continue
        recorder.count()
        judges = tuple(record.guesses)[len(run.baselines) :]
        wanted = () if record.id in scope and config.mode == "suppress" else judges
        if not judges or len(judges) % max(1, len(config.systems)) or list(judges) != rounds[: len(judges)]:
            recorder.fail(record.id, f"was judged by {list(judges)}, not by rounds of {list(config.systems)}")
        if record.unbounded != wanted:
            recorder.fail(record.id, f"leaves out the bounds of {list(record.unbounded)}, not of {list(wanted)}")
        if (record.fold is not None) != (record.id in scope):
            recorder.fail(record.id, f"has fold {record.fold}, and is {'' if record.id in scope else 'not '}in scope")


def adversary_folds(run: CheckedRun, recorder: Recorder) -> None:
    """Problems that share an article, as question or as first passage, are in the same adversary fold."""
    if run.predictors == run.baselines:
        return
    fold_of: dict[str, int] = {}
    for record in run.files.records("dedup", ProblemAlternatives):
        predictions = run.predictions.get(record.id)
        if predictions is None or predictions.fold is None:
            continue
        recorder.count()
        for article in (record.id, record.passages[record.alternatives[0].passage].article):
            fold = fold_of.setdefault(article, predictions.fold)
            if fold != predictions.fold:
                recorder.fail(record.id, f"is in fold {predictions.fold}, another article with {article} in {fold}")


def guesses(run: CheckedRun, recorder: Recorder) -> None:
    """Baselines and adversaries predict the choice with the highest score; scores that count mentions are correct."""
    for problem in run.files.records("problems", Problem):
        if problem.id not in run.predictions:
            continue
        recorder.count()
        predicted, date = run.predicted(problem), run.predictions[problem.id].date
        if date != problem.date:
            recorder.fail(problem.id, f"its date is {date}, that of the question is {problem.date}")
        if predicted is None:
            recorder.fail(problem.id, f"alternative {problem.alternative} has no predictions")
            continue
        if (predicted.choices, predicted.answer) != (len(problem.choices), problem.answer):
            recorder.fail(problem.id, "choices or answer differ from the problem")
        if tuple(predicted.guesses) != run.predictors:
            recorder.fail(problem.id, f"the baselines are {list(predicted.guesses)}, not {list(run.predictors)}")
        for baseline in run.predictors:
            if wrong := _wrong_guess(problem, predicted, baseline):
                recorder.fail(problem.id, wrong)


def _wrong_guess(problem: Problem, predictions: BaselinePredictions | Predictions, baseline: str) -> str:
    scores = predictions.scores.get(baseline, ())
    if len(scores) != len(problem.choices) or baseline not in predictions.guesses:
        return f"{baseline} has {len(scores)} scores for {len(problem.choices)} choices"
    # If scores are equal, the first choice is predicted.
    if predictions.guesses[baseline] != scores.index(max(scores)):
        return f"{baseline} predicts choice {predictions.guesses[baseline]}, but its scores are {scores}"
    expected = mention_scores(problem).get(baseline)
    if expected is not None and scores != expected:
        return f"{baseline} has the scores {scores}, but the mentions give {expected}"
    return ""


def selected(run: CheckedRun, recorder: Recorder) -> None:
    """At most one alternative per article is selected, and none that the adversaries exclude."""
    counts = {record.id: len(record.alternatives) for record in run.files.records("dedup", ProblemAlternatives)}
    seen: set[str] = set()
    for decision in run.files.records("suppress", SuppressionDecision):
        recorder.count()
        name, number, count = decision.id, decision.alternative, counts.get(decision.id, 0)
        if name in seen:
            recorder.fail(name, "is selected twice")
        seen.add(name)
        if decision.alternatives != count or not 0 <= number < count:
            recorder.fail(name, f"alternative {number} of {decision.alternatives} is selected, of {count} there are")
        if name in run.predictions and number in run.predictions[name].excluded:
            recorder.fail(name, f"alternative {number} is selected, which the adversaries exclude")


def cells(run: CheckedRun, recorder: Recorder) -> None:
    """The cell of a selected problem says which systems solve it; its draw (a hash) follows from seed and id."""
    for decision in run.decisions.values():
        recorder.count()
        solved = run.selected.get(decision.id)
        if solved is None:
            recorder.fail(decision.id, "has no predictions of the baselines")
        elif (decision.cell, decision.choices) != (solved.cell, solved.choices):
            recorder.fail(
                decision.id,
                f"is in cell {decision.cell} with {decision.choices} choices; by the predictions it is in {solved.cell} "
                f"with {solved.choices}",
            )
        if decision.draw != uniform_hash(run.config.seed, "suppress", decision.id):
            recorder.fail(
                decision.id, f"has the draw {decision.draw}, which does not follow from seed {run.config.seed}"
            )


# ---- bounds ----------------------------------------------------------------------------------------------------------

# For each row, by its name: whether a problem counts, and the share of a problem that may.
_Rows = dict[str, list[tuple[bool, float]]]


def strict_bound(run: CheckedRun, recorder: Recorder) -> None:
    """On strict problems, baselines and adversaries meet suppress.strict, with a tolerance of 0.5 problems."""
    bound, problems = run.config.suppress.strict, _strict(run)
    recorder.count(len(problems))
    _check_rows(_bound_rows(run, problems, bound), {}, _SLACK, _is_two_sided(run, bound), recorder)


def relaxed_bound(run: CheckedRun, recorder: Recorder) -> None:
    """On all selected problems, baselines and adversaries meet suppress.relaxed, or exceed it no more than on strict ones."""
    bound, problems = run.config.suppress.relaxed, list(run.selected.values())
    recorder.count(len(problems))
    rows, strict_rows = (_bound_rows(run, some, bound) for some in (problems, _strict(run)))
    _check_rows(rows, strict_rows, _SLACK, _is_two_sided(run, bound), recorder)


def answer_places(run: CheckedRun, recorder: Recorder) -> None:
    """With the bound chance, the answer is equally often at each rank (by first mention, by mentions), within one problem."""
    config, strict, problems = run.config.suppress, _strict(run), list(run.selected.values())
    if _is_two_sided(run, config.strict):
        recorder.count(len(strict))
        _check_rows(_place_rows(strict), {}, _PLACE_SLACK, True, recorder)
    if _is_two_sided(run, config.relaxed):
        recorder.count(len(problems))
        _check_rows(_place_rows(problems), _place_rows(strict), _PLACE_SLACK, True, recorder)


def _strict(run: CheckedRun) -> list[Selected]:
    return [problem for problem in run.selected.values() if problem.strict]


def _is_two_sided(run: CheckedRun, bound: float | str) -> bool:
    return run.config.suppress.bounds == "by_choices" and isinstance(bound, str)


def _bound_rows(run: CheckedRun, problems: Iterable[Selected], bound: float | str) -> _Rows:
    """A row for each system, or for each system and number of choices."""
    by_choices, rows = run.config.suppress.bounds == "by_choices", _Rows()
    for problem in problems:
        chance = 1.0 / problem.choices
        # A bound for one number of choices is not below chance.
        allowed = chance if isinstance(bound, str) else max(bound, chance) if by_choices else bound
        for name, digit in zip(run.predictors, problem.cell, strict=True):
            if digit != NOT_COUNTED:
                row = f"{name}, {problem.choices} choices" if by_choices else name
                rows.setdefault(row, []).append((digit == "1", allowed))
    return rows


def _place_rows(problems: Iterable[Selected]) -> _Rows:
    """A row for each ranking, number of choices and place."""
    rows: defaultdict[str, list[tuple[bool, float]]] = defaultdict(list)
    for problem in problems:
        for ranking, answer_place in zip(RANKINGS, problem.places, strict=True):
            for place in range(problem.choices):
                row = f"place {place + 1} of {problem.choices} by {ranking}"
                rows[row].append((place == answer_place, 1.0 / problem.choices))
    return rows


def _check_rows(rows: _Rows, strict_rows: _Rows, slack: float, two_sided: bool, recorder: Recorder) -> None:
    """``strict_rows``: the rows of the strict problems, which may have exceeded these bounds already."""
    for name, row in rows.items():
        found, allowed = _sums(row)
        strict_found, strict_allowed = _sums(strict_rows.get(name, []))
        already = strict_found - strict_allowed
        high, low = max(slack, already), min(-slack, already)
        if found - allowed > high + _EPSILON or (two_sided and found - allowed < low - _EPSILON):
            limits = f"{allowed + low:.2f} to {allowed + high:.2f}" if two_sided else f"{allowed + high:.2f}"
            recorder.fail(name, f"{found} of {len(row)} problems, {limits} are allowed")


def _sums(row: list[tuple[bool, float]]) -> tuple[int, float]:
    return sum(counts for counts, _ in row), math.fsum(allowed for _, allowed in row)


# ---- caps ------------------------------------------------------------------------------------------------------------


def passage_cap(run: CheckedRun, recorder: Recorder) -> None:
    """No passage is in more selected problems than suppress.max_per_passage allows."""
    _check_cap(run, run.config.suppress.max_per_passage, lambda one: [f"the passage {one.passage}"], recorder)


def event_cap(run: CheckedRun, recorder: Recorder) -> None:
    """No article is in more selected problems with the same answer than suppress.max_per_event allows."""

    def events(one: Selected) -> list[str]:
        articles = sorted({one.id, one.passage})
        return [f"the answer {one.answer.casefold()} and the article {article}" for article in articles]

    _check_cap(run, run.config.suppress.max_per_event, events, recorder)


def answer_cap(run: CheckedRun, recorder: Recorder) -> None:
    """No answer has more selected problems than suppress.max_per_answer and suppress.min_answer_cap allow."""
    most, config = run.config.suppress.max_per_answer, run.config.suppress
    if 0 < most < 1:
        most = max(config.min_answer_cap, math.floor(Fraction(str(most)) * len(run.selected)))
    _check_cap(run, int(most), lambda one: [f"the answer {one.answer.casefold()}"], recorder)


def _check_cap(run: CheckedRun, most: int, keys: Callable[[Selected], list[str]], recorder: Recorder) -> None:
    """Check that at most ``most`` selected problems have a key in common; 0: no limit."""
    counts = Counter(key for one in run.selected.values() for key in keys(one))
    for one in run.selected.values():
        recorder.count()
        for key in keys(one):
            if 0 < most < counts[key]:
                recorder.fail(one.id, f"is one of {counts[key]} with {key}")


def shared_articles(run: CheckedRun, recorder: Recorder) -> None:
    """Only where suppress.shared_articles allows it, a selected problem's passage is another one's question article."""
    allowed = run.config.suppress.shared_articles
    for one in run.selected.values():
        recorder.count()
        asked = run.selected.get(one.passage)
        if allowed == "allow" or asked is None or asked is one:
            continue
        splits = [run.placed[name].split for name in (one.id, asked.id) if name in run.placed]
        if allowed == "forbid":
            recorder.fail(one.id, f"its passage is the article of the question {asked.id}")
        elif len(splits) == 2 and splits != ["train", "train"]:
            where = f"{splits[0]}; its passage is the article of the question {asked.id}, which is in {splits[1]}"
            recorder.fail(one.id, f"is in {where}")
