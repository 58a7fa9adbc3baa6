"""adversary: reading-comprehension systems as further baselines for suppression (Dasigi et al. 2019).

Each system is cross-fitted: the articles are divided into folds by event, and a system that was trained on the other folds
answers all alternatives of the articles of a fold. It is trained on one alternative of each article. Its
answers join those of the four baselines, and ``suppress`` bounds its accuracy in the same way. Bounds move a cue to another
place, so this is repeated in rounds: select under the bounds so far, train on what is selected, bound the answers, until a
system that is trained afresh is at chance.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping

import msgspec

from wdw_build.core.progress import printable
from wdw_build.core.stage import SEED, Context, Stage, by_seed
from wdw_build.ports import ANNOTATIONS, SENTENCE_SPLITTER, SOLVER
from wdw_build.reading import ADVERSARIES, Prediction
from wdw_build.reading.fitting import problem_events
from wdw_build.records import (
    AdversaryPredictions,
    BaselinePredictions,
    Predictions,
    Record,
    Rejection,
)
from wdw_build.selection.settings import AdversaryConfig, SplitConfig, SuppressConfig, adversary_column
from wdw_build.stages.adversary.judge import Judge, Scores, alternative_id
from wdw_build.text.passages.connections import event_evidence

# A round that lowers the number of strict problems below this share of it is reported.
_LOSS = 0.9


def _events(context: Context) -> dict[str, str]:
    """The event of each article, judged by its first alternative.

    Passages of all alternatives would connect most articles of a week: in a week of web news, three quarters are then one event.
    """
    judged = {predictions.id for predictions in context.read("baselines")}
    records = (record for record in context.read("dedup") if record.id in judged)
    return problem_events(event_evidence(record.outline(0)) for record in records)


def run(
    inputs: Iterator[BaselinePredictions], config: AdversaryConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Let adversaries answer problems on events outside their training data, so that suppression can bound their accuracy.

    Raises ``ConfigError`` if ``adversary.systems`` names a baseline, ``CorpusError`` if an article has the id of another
    article's alternative.
    """
    events = _events(context) if config.systems else {}
    if shortage := _shortage(events, config):
        if config.systems:
            context.progress.say(f"adversary: {shortage}: no adversary is trained")
        for predictions in inputs:
            yield _with_adversaries(predictions, {}, None)
        return
    judge = Judge(events, config, context)
    columns = _rounds(config, context, judge)
    folds = judge.article_folds()
    for predictions in inputs:
        yield _with_adversaries(predictions, columns, folds[predictions.id])
    judge.close()


def _shortage(events: Mapping[str, str], config: AdversaryConfig) -> str:
    """What is too little to train an adversary; empty if nothing is. Without an event, a fold would be empty."""
    if len(events) < config.min_problems:
        return f"{len(events)} problems, fewer than adversary.min_problems = {config.min_problems}"
    count = len(set(events.values()))
    if count < config.folds:
        return f"the {len(events)} problems are about {count} events, fewer than adversary.folds = {config.folds}"
    return ""


def _rounds(config: AdversaryConfig, context: Context, judge: Judge) -> dict[str, Scores]:
    """The scores of each adversary in each round, until those trained on the latest selection are at chance.

    These selections ignore the scores of event and evidence. Otherwise a difference of a thousandth in one score would change
    the problems to train on, then every later round, and in the end the number of strict problems by several percent.
    """
    # NumPy is slow to import, and commands that run no stage must answer at once.
    from wdw_build.selection.levels import choose_strict
    from wdw_build.selection.offers import read_offers

    suppress: SuppressConfig = context.shared["suppress"]
    offered = read_offers(functools.partial(context.find, "dedup"), context.read("baselines"), context.seed)
    if suppress.max_enrichment is not None:
        offered.add_traits(functools.partial(context.find, "dedup"), functools.partial(context.find, "ingest"))
    names = [alternative_id(offered.ids[article], number) for article, number in offered.alternatives]
    without_scores = msgspec.structs.replace(suppress, event_weight=0.0, evidence_weight=0.0)
    columns, before = dict[str, Scores](), 0
    for number in range(1, config.rounds + 1):
        selected, _ = choose_strict(offered.offers, without_scores, context.shared.get("split"), context.port(SOLVER))
        chosen = offered.chosen(selected)
        if len(chosen) < _LOSS * before:
            context.progress.say(
                f"adversary: WARNING: the bounds of round {number - 1} lower the strict problems from {before} to {len(chosen)}; "
                f"with adversary.rounds {number - 2} they would not apply"
            )
        before = len(chosen)
        training = {alternative_id(article, alternative): article for article, alternative in chosen.items()}
        if shortage := _fold_shortage(training, judge.article_folds(number - 1), config):
            context.progress.say(f"adversary: round {number}: {shortage}: no adversary is trained")
            break
        # Each round has its own folds. With the same folds, problems would be selected that only these systems fail on.
        scores_of = judge.scores(frozenset(training), number - 1)
        if _are_at_chance(scores_of, training, judge, number, context) and number > 1:
            context.progress.say(f"adversary: round {number} is at chance, so it is not bounded, and no round follows")
            break
        for adversary, scores in scores_of.items():
            column = adversary_column(adversary, number)
            columns[column] = scores
            offered.add_column(column, [judge.is_right(name, scores) for name in names])
    context.progress.say(f"adversary: bounded: {', '.join(map(printable, columns)) or 'no adversary'}")
    return columns


def _fold_shortage(training: Mapping[str, str], folds: Mapping[str, int], config: AdversaryConfig) -> str:
    """Why the selected problems cannot train an adversary; empty if they can."""
    if len(training) < config.min_problems:
        return f"{len(training)} selected problems, fewer than adversary.min_problems = {config.min_problems}"
    filled = {folds[article] for article in training.values()}
    return "" if len(filled) == config.folds else f"the {len(training)} selected problems lie in {len(filled)} folds"


def _are_at_chance(
    scores_of: Mapping[str, Scores], training: Mapping[str, str], judge: Judge, number: int, context: Context
) -> bool:
    """Whether no adversary is right in more of the selected problems than guessing, to half a standard deviation."""
    at_chance = True
    for adversary, scores in scores_of.items():
        rates = [1 / len(scores[name]) for name in training]
        hits = sum(judge.is_right(name, scores) for name in training)
        excess = hits - math.fsum(rates)
        at_chance &= excess <= math.sqrt(math.fsum(rate * (1 - rate) for rate in rates)) / 2
        context.progress.say(
            f"adversary: round {number}: {printable(adversary)} is right in {hits} of {len(training)} selected problems, "
            f"chance {math.fsum(rates):.1f}"
        )
    return at_chance


def _with_adversaries(
    predictions: BaselinePredictions,
    columns: Mapping[str, Scores],
    fold: int | None,
) -> AdversaryPredictions:
    first, *others = [
        _with_scores(
            alternative, {column: scores[alternative_id(alternative.id, number)] for column, scores in columns.items()}
        )
        for number, alternative in enumerate(predictions.each())
    ]
    return AdversaryPredictions(
        id=predictions.id,
        date=predictions.date,
        **msgspec.structs.asdict(first),
        others=tuple(others),
        fold=fold,
    )


def _with_scores(predictions: BaselinePredictions, scores: Mapping[str, tuple[float, ...]]) -> Predictions:
    return Predictions(
        choices=predictions.choices,
        answer=predictions.answer,
        guesses={**predictions.guesses, **{name: Prediction(values).first_choice for name, values in scores.items()}},
        scores={**predictions.scores, **scores},
    )


def _has_adversaries(config: AdversaryConfig) -> bool:
    return bool(config.systems)


def _reads_names(config: AdversaryConfig) -> bool:
    return bool(config.systems) and config.names != "original"


def _held_out_by(config: AdversaryConfig) -> tuple[str, ...]:
    """The keys of ``split`` that decide which problems may share an article."""
    return SplitConfig.held_out_keys if config.systems else ()


def _selected_by(config: AdversaryConfig) -> tuple[str, ...]:
    """The keys of ``suppress`` that decide on the problems on which adversaries are trained: all but four."""
    others = ("relaxed", "min_kept", "event_weight", "evidence_weight")
    keys = (key for key in SuppressConfig.__struct_fields__ if key not in others)
    return tuple(keys) if config.systems else ()


STAGE = Stage(
    name="adversary",
    version=7,
    reads=("baselines", "dedup", "ingest", "names"),
    writes=AdversaryPredictions,
    config=AdversaryConfig,
    run=run,
    ports=(SENTENCE_SPLITTER, ADVERSARIES, SOLVER, ANNOTATIONS),
    conditions={
        SENTENCE_SPLITTER: _has_adversaries,
        ADVERSARIES: _has_adversaries,
        SOLVER: _has_adversaries,
        ANNOTATIONS: _reads_names,
    },
    shares={SEED: by_seed, "suppress": _selected_by, "split": _held_out_by},
    block=0,
)
