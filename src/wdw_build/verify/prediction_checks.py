"""Baselines and adversaries: their predictions, and which problems the bounds of the adversaries count.

The scores of the n-gram model, of the word counts and of the adversaries are taken from the records; everything else is
computed again.
"""

from __future__ import annotations

from wdw_build.records import BaselinePredictions, Predictions, Problem, ProblemAlternatives
from wdw_build.verify.checked_run import BASELINES, CheckedRun, each, mention_scores
from wdw_build.verify.report import Recorder


def adversary_scope(run: CheckedRun, recorder: Recorder) -> None:
    """Adversaries are those configured, in rounds, and bound or exclude problems in adversary.scope alone."""
    config, scope = run.config.adversary, _scope(run)
    has_adversaries = run.predictors != BASELINES
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
        judges = tuple(record.guesses)[len(BASELINES) :]
        wanted = () if record.id in scope and config.mode == "suppress" else judges
        if not judges or len(judges) % max(1, len(config.systems)) or list(judges) != rounds[: len(judges)]:
            recorder.fail(record.id, f"was judged by {list(judges)}, not by rounds of {list(config.systems)}")
        if record.unbounded != wanted:
            recorder.fail(record.id, f"leaves out the bounds of {list(record.unbounded)}, not of {list(wanted)}")
        if (record.fold is not None) != (record.id in scope):
            recorder.fail(record.id, f"has fold {record.fold}, and is {'' if record.id in scope else 'not '}in scope")


def _scope(run: CheckedRun) -> set[str]:
    """The ids of the problems in ``adversary.scope``."""
    config = run.config.adversary
    keys = sorted((record.date, record.id) for record in run.files.records("baselines", BaselinePredictions))
    held_out = int((config.held_out_share or 0.0) * len(keys)) if config.scope == "training" else 0
    return {name for _, name in keys[: len(keys) - held_out]}


def adversary_folds(run: CheckedRun, recorder: Recorder) -> None:
    """Articles that share an article, as question or as first passage, are in one fold of the adversaries."""
    if run.predictors == BASELINES:
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
    """Baselines and adversaries predict the choice with the highest score; scores from the mentions are right."""
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
