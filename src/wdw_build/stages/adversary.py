"""adversary: reading-comprehension systems as further baselines for suppression (Dasigi et al. 2019; Le Bras et al. 2020).

Each system is cross-fitted: the problems are divided into folds by event, and a system that was trained on the other folds
answers a fold. With ``mode: suppress`` its answers join those of the four baselines, and the linear program of ``suppress``
bounds its accuracy in the same way. With ``mode: filter`` the problems are divided anew in each round, and a problem that a
system solves with confidence in most rounds is dropped (AFLite).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from wdw_build.core.config.settings import AdversaryConfig
from wdw_build.core.run.progress import printable
from wdw_build.core.stage import Context, ExpectedCost, Funnel, Stage, Trial
from wdw_build.errors import ConfigError
from wdw_build.ports import ADVERSARIES, SENTENCE_SPLITTER, Adversaries
from wdw_build.reading import LabelledProblem, Prediction
from wdw_build.reading.calibration import confidences
from wdw_build.reading.folds import event_folds, problem_events
from wdw_build.reading.problems import content_hash, reading_problem, write_problems
from wdw_build.records import AdversaryPredictions, BaselinePredictions, Problem, Pseudonyms, Record, Rejection
from wdw_build.text.passages.connections import event_evidence
from wdw_build.text.pseudonyms.apply import renamed

_PROBLEMS = "problems.jsonl"

Scores = Mapping[str, tuple[float, ...]]


def in_scope(context: Context, config: AdversaryConfig) -> set[str]:
    """The ids of the problems that adversaries bound: all, or those before the held-out time."""
    keys = sorted((predictions.date, predictions.id) for predictions in context.read("baselines"))
    held_out = int((config.held_out_share or 0.0) * len(keys)) if config.scope == "training" else 0
    return {name for _, name in keys[: len(keys) - held_out]}


class _Judge:
    """Lets every adversary answer all problems. ``events``: the event of each problem that is divided into folds."""

    def __init__(self, events: Mapping[str, str], config: AdversaryConfig, context: Context) -> None:
        self._events, self._config, self._context = events, config, context
        self._adversaries: Adversaries = context.port(ADVERSARIES)
        # Problem -> index of its answer, filled while the problems are written: texts are decoded only for the systems.
        self._answers: dict[str, int] = {}
        self._problems = write_problems(context.folder / _PROBLEMS, self._labelled())
        self._content = content_hash(self._problems)

    def _labelled(self) -> Iterator[LabelledProblem]:
        """The problems as systems read them."""
        splitter = self._context.port(SENTENCE_SPLITTER)
        for predictions in self._context.read("baselines"):
            _check_names(predictions, self._config)
            problem = self._read(predictions.id)
            self._answers[problem.id] = problem.answer
            yield LabelledProblem(
                id=problem.id,
                problem=reading_problem(problem, splitter.sentences(problem.passage.text)),
                answer=problem.answer,
                split="train" if problem.id in self._events else "test",
                level="strict",
                guesses=predictions.guesses,
            )

    def _read(self, name: str) -> Problem:
        """The problem with the configured names; with the original ones if ``pseudonyms`` rejected it."""
        problem: Problem = self._context.find("dedup", name)
        if self._config.names == "original":
            return problem
        pseudonyms = self._context.inputs["pseudonyms"].find(name)
        return renamed(problem, pseudonyms, self._config.names) if isinstance(pseudonyms, Pseudonyms) else problem

    def close(self) -> None:
        """Delete the problems, which are no part of the stage's output."""
        self._problems.path.unlink()

    def folds(self, draw: int = 0) -> dict[str, int | None]:
        """The fold of every problem; None out of scope. ``draw`` numbers the divisions."""
        folds = event_folds(self._events, self._config.folds, self._context.seed + draw)
        return {name: folds.get(name) for name in self._answers}

    def scores(self, folds: Mapping[str, int | None], draw: int = 0) -> dict[str, Scores]:
        """Adversary -> problem -> its scores for the choices."""
        seed, progress = self._context.seed + draw, self._context.progress
        return {
            name: self._adversaries.scores(name, self._problems, self._content, folds, seed, progress)
            for name in self._config.systems
        }

    def hits(self, rounds: list[dict[str, Scores]]) -> Counter[tuple[str, str]]:
        """(adversary, problem in scope) -> the number of rounds in which it was solved with confidence."""
        hits: Counter[tuple[str, str]] = Counter()
        answers = {name: answer for name, answer in self._answers.items() if name in self._events}
        for scores_of in rounds:
            for adversary, scores in scores_of.items():
                sure = confidences([scores[name] for name in answers], list(answers.values()))
                for (name, answer), confidence in zip(answers.items(), sure, strict=True):
                    is_right = Prediction(scores[name]).choice == answer
                    hits[adversary, name] += is_right and confidence >= self._config.confidence
        return hits


def run(
    inputs: Iterator[BaselinePredictions], config: AdversaryConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Yield the predictions of every problem with those of the adversaries, or with ``mode: filter`` its rejection.

    Raises ``ConfigError`` if ``adversary.systems`` names a baseline.
    """
    events = _events(in_scope(context, config), context) if config.systems else {}
    if shortage := _shortage(events, config):
        if config.systems:
            context.progress.say(f"adversary: {shortage}: no adversary is trained")
        for predictions in inputs:
            yield _with_adversaries(predictions, {}, None, ())
        return
    yield from _judged(inputs, config, context, events)


def _events(scope: set[str], context: Context) -> dict[str, str]:
    """The event of each problem in scope."""
    return problem_events(event_evidence(problem) for problem in context.read("dedup") if problem.id in scope)


def _shortage(events: Mapping[str, str], config: AdversaryConfig) -> str:
    """What is too little to train an adversary; empty if nothing is. Without an event, a fold would be empty."""
    if len(events) < config.min_problems:
        return f"{len(events)} problems in scope, fewer than adversary.min_problems = {config.min_problems}"
    count = len(set(events.values()))
    if count < config.folds:
        return (
            f"the {len(events)} problems in scope are about {count} events, fewer than adversary.folds = {config.folds}"
        )
    return ""


def _check_names(predictions: BaselinePredictions, config: AdversaryConfig) -> None:
    for name in config.systems:
        if name in predictions.guesses:
            raise ConfigError(
                f"adversary.systems: {printable(name)!r} is a baseline already", hint="give the adversary another name"
            )


def _judged(
    inputs: Iterator[BaselinePredictions], config: AdversaryConfig, context: Context, events: Mapping[str, str]
) -> Iterator[Record | Rejection]:
    judge = _Judge(events, config, context)
    is_filter = config.mode == "filter"
    folds = judge.folds()
    rounds = [judge.scores(folds)]
    rounds += [judge.scores(judge.folds(draw), draw) for draw in range(1, config.rounds)] if is_filter else []
    hits = judge.hits(rounds) if is_filter else Counter[tuple[str, str]]()
    judge.close()
    for predictions in inputs:
        name = predictions.id
        solved = [adversary for adversary in config.systems if hits[adversary, name] >= config.least_rounds]
        if solved:
            counts = ", ".join(f"{printable(adversary)} {hits[adversary, name]}" for adversary in solved)
            yield Rejection(id=name, reason="solved-by-adversary", detail=f"{counts} of {config.rounds} rounds")
            continue
        unbounded = config.systems if is_filter or name not in events else ()
        scores = {adversary: rounds[0][adversary][name] for adversary in config.systems}
        yield _with_adversaries(predictions, scores, folds[name], unbounded)


def _with_adversaries(
    predictions: BaselinePredictions,
    scores: Mapping[str, tuple[float, ...]],
    fold: int | None,
    unbounded: tuple[str, ...],
) -> AdversaryPredictions:
    return AdversaryPredictions(
        id=predictions.id,
        date=predictions.date,
        choices=predictions.choices,
        answer=predictions.answer,
        guesses={**predictions.guesses, **{name: Prediction(values).choice for name, values in scores.items()}},
        scores={**predictions.scores, **scores},
        fold=fold,
        unbounded=unbounded,
    )


def _has_adversaries(config: AdversaryConfig) -> bool:
    return bool(config.systems)


STAGE = Stage(
    name="adversary",
    version=1,
    reads=("baselines", "dedup", "pseudonyms"),
    writes=AdversaryPredictions,
    config=AdversaryConfig,
    run=run,
    ports=(SENTENCE_SPLITTER, ADVERSARIES),
    ports_if={SENTENCE_SPLITTER: _has_adversaries, ADVERSARIES: _has_adversaries},
    scope="set",
    unit="problems",
    funnel=Funnel("after the adversaries"),
    trial=Trial(most=0, expected=ExpectedCost(seconds=2e-2)),
    seeded=True,
    summary="Let adversaries answer, each trained on other events, for suppression to bound them too.",
    reasons={
        "solved-by-adversary": "with mode: filter, an adversary solves the problem with confidence in most rounds"
    },
    decided_by={"solved-by-adversary": ("mode", "systems", "rounds", "least_rounds", "confidence")},
)
