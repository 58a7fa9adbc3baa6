"""adversary: reading-comprehension systems as further baselines for suppression (Dasigi et al. 2019; Le Bras et al. 2020).

Each system is cross-fitted: the articles are divided into folds by event, and a system that was trained on the other folds
answers all alternatives of the articles of a fold. It is trained on one alternative of each article. With ``mode: suppress``
its answers join those of the four baselines, and ``suppress`` bounds its accuracy in the same way. Bounds move a cue to
another place, so this is repeated in rounds: select under the bounds so far, train on what is selected, bound the answers,
until a system that is trained afresh is at chance. With ``mode: filter`` the articles are divided anew in each round, and an
alternative that a system solves with confidence in most rounds may not be selected (AFLite).
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from wdw_build.core.progress import printable
from wdw_build.core.rule import Rule
from wdw_build.core.stage import SEED, Context, Stage, by_seed
from wdw_build.ports import ADVERSARIES, ANNOTATIONS, SENTENCE_SPLITTER, SOLVER
from wdw_build.reading import Prediction
from wdw_build.reading.folds import problem_events
from wdw_build.records import (
    AdversaryPredictions,
    BaselinePredictions,
    Predictions,
    Record,
    Rejection,
)
from wdw_build.selection.settings import AdversaryConfig, SplitConfig, SuppressConfig
from wdw_build.stages.adversary.judge import Judge, Scores, alternative_id
from wdw_build.text.passages.connections import event_evidence

# A round that lowers the number of strict problems below this share of it is reported.
_LOSS = 0.9


def _events(config: AdversaryConfig, context: Context) -> dict[str, str]:
    """The event of each article in scope, judged by its first alternative.

    Passages of all alternatives would connect most articles of a week: in a week of web news, three quarters are then one event.
    """
    keys = [(predictions.date, predictions.id) for predictions in context.read("baselines")]
    if config.scope == "training":
        first = context.shared["split"].first_held_out(keys)
        keys = [key for key in keys if key < first]
    scope = {name for _, name in keys}
    records = (record for record in context.read("dedup") if record.id in scope)
    return problem_events(event_evidence(record.outline(0)) for record in records)


def run(
    inputs: Iterator[BaselinePredictions], config: AdversaryConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Let adversaries answer problems on events outside their training data, so that suppression can bound their accuracy.

    Raises ``ConfigError`` if ``adversary.systems`` names a baseline, ``CorpusError`` if an article has the id of another
    article's alternative.
    """
    events = _events(config, context) if config.systems else {}
    if shortage := _shortage(events, config):
        if config.systems:
            context.progress.say(f"adversary: {shortage}: no adversary is trained")
        for predictions in inputs:
            yield _with_adversaries(predictions, {}, None, (), ())
        return
    judge = Judge(events, config, context)
    if config.mode == "filter":
        rounds = [judge.scores(judge.first_alternatives(), draw) for draw in range(config.rounds)]
        columns, hits = rounds[0], judge.hits(rounds)
    else:
        columns, hits = _rounds(config, context, judge, events), Counter()
    folds = judge.article_folds()
    for predictions in inputs:
        names = [alternative_id(predictions.id, number) for number in range(1 + len(predictions.others))]
        excluded = _solved(names, hits, config)
        if len(excluded) == len(names):
            counts = ", ".join(f"{printable(adversary)} {hits[adversary, names[0]]}" for adversary in excluded[0])
            detail = f"{counts} of {config.rounds} rounds"
            yield Rejection(id=predictions.id, reason="solved-by-adversary", detail=detail)
            continue
        is_bounded = config.mode == "suppress" and predictions.id in events
        unbounded = () if is_bounded else tuple(columns)
        yield _with_adversaries(predictions, columns, folds.get(predictions.id), unbounded, tuple(excluded))
    judge.close()


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


def _solved(names: Sequence[str], hits: Mapping[tuple[str, str], int], config: AdversaryConfig) -> dict[int, list[str]]:
    """Number of an alternative -> the adversaries that solve it with confidence in ``least_rounds``, if there are any."""
    solved = {}
    for number, name in enumerate(names):
        if adversaries := [system for system in config.systems if hits[system, name] >= config.least_rounds]:
            solved[number] = adversaries
    return solved


def _rounds(config: AdversaryConfig, context: Context, judge: Judge, events: Mapping[str, str]) -> dict[str, Scores]:
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
        training = {
            alternative_id(article, alternative): article
            for article, alternative in chosen.items()
            if article in events
        }
        if shortage := _fold_shortage(training, judge.article_folds(number - 1), config):
            context.progress.say(f"adversary: round {number}: {shortage}: no adversary is trained")
            break
        # Each round has its own folds. With the same folds, problems would be selected that only these systems fail on.
        scores_of = judge.scores(frozenset(training), number - 1)
        if _are_at_chance(scores_of, training, judge, number, context) and number > 1:
            context.progress.say(f"adversary: round {number} is at chance, so it is not bounded, and no round follows")
            break
        for adversary, scores in scores_of.items():
            column = adversary if number == 1 else f"{adversary}-{number}"
            columns[column] = scores
            offered.add_column(
                column,
                [
                    int(judge.is_right(name, scores)) if offered.ids[article] in events else -1
                    for name, (article, _) in zip(names, offered.alternatives, strict=True)
                ],
            )
    context.progress.say(f"adversary: bounded: {', '.join(map(printable, columns)) or 'no adversary'}")
    return columns


def _fold_shortage(training: Mapping[str, str], folds: Mapping[str, int], config: AdversaryConfig) -> str:
    """Why the selected problems cannot train an adversary; empty if they can."""
    if len(training) < config.min_problems:
        return f"{len(training)} selected problems in scope, fewer than adversary.min_problems = {config.min_problems}"
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
    unbounded: tuple[str, ...],
    excluded: tuple[int, ...],
) -> AdversaryPredictions:
    first, *others = [
        _with_scores(one, {column: scores[alternative_id(one.id, number)] for column, scores in columns.items()})
        for number, one in enumerate(predictions.each())
    ]
    return AdversaryPredictions(
        id=predictions.id,
        date=predictions.date,
        **msgspec.structs.asdict(first),
        others=tuple(others),
        fold=fold,
        unbounded=unbounded,
        excluded=excluded,
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


def _selects(config: AdversaryConfig) -> bool:
    return bool(config.systems) and config.mode == "suppress"


def _held_out_by(config: AdversaryConfig) -> tuple[str, ...]:
    """The keys of ``split`` that decide which problems are in scope, or may share an article."""
    return SplitConfig.held_out_keys if config.systems and (config.scope == "training" or _selects(config)) else ()


def _selected_by(config: AdversaryConfig) -> tuple[str, ...]:
    """The keys of ``suppress`` that decide on the problems on which adversaries are trained: all but four."""
    others = ("relaxed", "min_kept", "event_weight", "evidence_weight")
    keys = (key for key in SuppressConfig.__struct_fields__ if key not in others)
    return tuple(keys) if _selects(config) else ()


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
        SOLVER: _selects,
        ANNOTATIONS: _reads_names,
    },
    shares={SEED: by_seed, "suppress": _selected_by, "split": _held_out_by},
    block=0,
    reasons={
        "solved-by-adversary": Rule(
            "with adversary.mode: filter, adversaries solve every alternative with confidence in most rounds",
            ("mode", "systems", "rounds", "least_rounds", "confidence"),
        ),
    },
)
