"""Brings the predictions of systems up to date, over the pooled problems of some runs, and makes the tables from them.

Each training is a job of its own, so that ``execution.workers`` processes train different systems at the same time.

In the cross-fitted evaluation every problem of every population is answered by a fresh system: each is trained anew
on each population, with another seed and other folds than the stage ``adversary``, so that a system that took part in
suppression is no better known than another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from wdw_bench.call import Call
from wdw_bench.conditions import PASSAGE
from wdw_bench.populations import (
    ALTERNATIVES,
    EvaluatedProblems,
    GivenFile,
    population_folds,
    read_held_out,
    read_populations,
)
from wdw_bench.populations import read_predictions as read_given
from wdw_bench.predictions import PredictionFile, PredictionHead, read_predictions, write_predictions
from wdw_bench.problems import Alternatives, ProblemSet, content_of, read_alternatives
from wdw_bench.results import GIVEN, RESULTS, BenchResults, section
from wdw_bench.table import Adversaries, Row, comparisons, condition_table, table
from wdw_bench.training import PREDICTIONS, Training, run_all
from wdw_build.api import (
    Config,
    Progress,
    Run,
    UsageError,
    derived_seed,
    jsonl,
    leave_section,
    printable,
    replace_file,
    workers_of,
)
from wdw_build.reading.settings import Condition, replaces_names

Evaluated = Mapping[Condition, EvaluatedProblems]


def bench(
    config: Config,
    runs: Sequence[Run],
    progress: Progress,
    files: Sequence[GivenFile] = (),
    against: str | None = None,
    *,
    folds: int | None = None,
    force: bool = False,
) -> BenchResults:
    """Train and evaluate the configured systems on the pooled problems of complete runs, and score given predictions.

    ``folds``: answer every problem by systems trained on other events, in so many folds; None: as configured.
    ``against``: the system that a reader wants to compare the others with; it is only checked. Systems with
    predictions are not trained again without ``force``. Predictions and tables are kept in the first run's folder, and the tables
    have a row for all predictions on these problems.

    Raises ``ConfigError`` for an unknown system or setting, ``MissingResourceError`` before anything is trained if a system
    lacks a part, ``StageError`` if a system fails, and ``UsageError`` for a wrong file of predictions, and if ``against`` has
    no row in the table of test.
    """
    call = Call(config, runs, progress, folds)
    _check(call, files)
    problems = ProblemSet(config, runs, progress, any(map(replaces_names, call.conditions)))
    evaluated = {condition: evaluate(problems, condition, call.folds) for condition in call.conditions}
    if not any(of_condition.problems for of_condition in evaluated.values()):
        raise UsageError(
            "there is no validation or test set on which to measure a system: the dataset is too small to hold out problems",
            hint="--cross-fit K answers every problem with systems trained on other events",
        )
    _check_names(call, _rows(problems, call.folds, evaluated), files, against)
    answers = [(file, read_given(file, evaluated[file.condition])) for file in files]
    alternatives = (
        {condition: read_alternatives(problems, condition) for condition in call.conditions}
        if call.settings.train == "alternatives"
        else {}
    )
    trainings = _trainings(call, problems, next(iter(evaluated.values())), alternatives)
    missing = [training for training in trainings if force or not training.is_done]
    run_all(missing, workers_of(config.execution), progress)
    for file, predictions in answers:
        head = _given_head(file, problems.content(file.condition), call.folds)
        by_population = {
            name: {key: predictions[key] for key, _ in evaluated[file.condition].of(name) if key in predictions}
            for name in evaluated[file.condition].populations
        }
        write_predictions(problems.folder / PREDICTIONS, head, by_population)
    return _results(call, problems, evaluated, next(iter(alternatives.values()), None))


def _check(call: Call, files: Sequence[GivenFile]) -> None:
    """Raise ``UsageError`` for runs of the same name, and for predictions under a condition that is not measured.

    Raises ``ConfigError`` for an unknown system or setting, and ``UsageError`` for training problems that do not exist with this
    evaluation or these conditions.
    """
    _ = call.system_settings
    _check_alternatives(call)
    _check_unique(
        [run.name for run in call.runs], "run", "give the runs different names (run: in their configurations)"
    )
    for file in files:
        if file.condition not in call.conditions:
            raise UsageError(
                f"--predictions {file.condition}={printable(str(file.path))}: this condition is not measured",
                hint=f"--conditions {','.join((*call.conditions, file.condition))}",
            )


def _check_alternatives(call: Call) -> None:
    """Raise ``UsageError`` if training alternatives are asked for where there are none."""
    if call.settings.train != "alternatives":
        return
    if call.folds is not None:
        raise UsageError(
            "bench.train: alternatives are compared with the problems of validation and test alone, and --cross-fit answers others",
            hint="omit --cross-fit (bench.evaluation: held-out), or set bench.train to strict or relaxed",
        )
    if any(map(replaces_names, call.conditions)):
        raise UsageError(
            "bench.train: alternatives have no codes, which conditions that replace names need",
            hint="--conditions passage,without, or set bench.train to strict or relaxed",
        )


def _check_names(call: Call, known: Sequence[Row], files: Sequence[GivenFile], against: str | None) -> None:
    """Raise ``UsageError`` if two rows would have the same name, or if ``against`` will have no row in the table of test."""
    for condition in call.conditions:
        names = [row.result.name for row in known if row.condition == condition and row.result.group != GIVEN]
        names = [*dict.fromkeys((*names, *call.entries))]
        _check_unique(
            [*names, *(file.name for file in files if file.condition == condition)],
            "system",
            "a file of predictions is named after itself: rename the file",
        )
    if against is None:
        return
    if not call.has_main_table:
        raise UsageError(
            "--against compares systems on the test set, which this command does not measure",
            hint="omit --against; or omit --cross-fit and include passage in --conditions",
        )
    names = [*call.entries, *(call.described(name)["name"] for name in call.entries)]
    names += [row.result.name for row in known if row.condition == PASSAGE]
    names = list(dict.fromkeys((*names, *(file.name for file in files if file.condition == PASSAGE))))
    if against not in names:
        raise UsageError(
            f"--against: no system {printable(against)!r} in the table", hint=f"systems: {', '.join(names)}"
        )


def _check_unique(names: Sequence[str], kind: str, hint: str) -> None:
    """Raise ``UsageError`` if a name occurs twice, because rows and p values are told apart by name."""
    for name, count in Counter(names).items():
        if count > 1:
            raise UsageError(f"two {kind}s are named {printable(name)!r}", hint=hint)


def evaluate(problems: ProblemSet, condition: Condition, folds: int | None) -> EvaluatedProblems:
    """The problems to answer under a condition: held out, or all of them if there are folds."""
    reader = read_held_out if folds is None else read_populations
    return reader(problems.read(condition), condition, problems.config.seed)


def _trainings(
    call: Call,
    problems: ProblemSet,
    evaluated: EvaluatedProblems,
    alternatives: Mapping[Condition, Alternatives],
) -> list[Training]:
    """A training for each condition, system and seed. Raises ``MissingResourceError`` if a system lacks a part.

    ``evaluated``: the problems under any condition: populations and events are the same in all. ``alternatives``: the problems
    to train on, if these are the training alternatives.
    """
    backends, folds = call.backends, None
    if call.folds is not None:
        folds = population_folds(call.runs, evaluated, call.folds, derived_seed(call.config.seed, "bench-folds", 0))
    return [
        Training(
            head=PredictionHead(
                **call.described(name),
                condition=condition,
                folds=call.folds,
                seed=number,
                problems=problems.content(condition),
                has_cut_off=entry.has_cut_off,
            ),
            settings=call.system_settings[name],
            problems=problems.read(condition).path,
            workspace=replace(call.workspace, seed=seed),
            train=call.settings.train,
            alternatives=alternatives.get(condition),
            train_share=call.settings.train_share,
            folds=folds,
        ).described(backends[name])
        for condition in call.conditions
        for name, entry in call.entries.items()
        for number, seed in enumerate(call.seeds(name))
    ]


def _given_head(file: GivenFile, content: str, folds: int | None) -> PredictionHead:
    return PredictionHead(
        name=file.name,
        title=file.name,
        source="",
        group=GIVEN,
        system=file.name,
        condition=file.condition,
        folds=folds,
        problems=content,
    )


def _rows(problems: ProblemSet, folds: int | None, evaluated: Evaluated) -> list[Row]:
    """The rows of all predictions on some problems; ``evaluated`` has those under the conditions that must have rows."""
    stored = [file for file in read_predictions(problems.folder / PREDICTIONS) if file.head.folds == folds]
    known = dict(evaluated)
    for condition in dict.fromkeys(file.head.condition for file in stored):
        if condition not in known and (problems.renamable or not replaces_names(condition)):
            known[condition] = evaluate(problems, condition, folds)
    files = [file for file in stored if file.head.condition in known and _is_current(file, problems)]
    settings = [run.predictions.settings for run in problems.runs]
    adversaries = Adversaries({name for config in settings for name in config.systems}, settings[0].names)
    return table(known, files, adversaries)


def _is_current(file: PredictionFile, problems: ProblemSet) -> bool:
    """Whether the predictions are for what systems read now."""
    return file.head.problems == problems.content(file.head.condition)


def _results(call: Call, problems: ProblemSet, evaluated: Evaluated, alternatives: Alternatives | None) -> BenchResults:
    """The tables of all predictions over these problems, which are also written to ``bench.json``."""
    rows, first = _rows(problems, call.folds, evaluated), evaluated[call.conditions[0]]
    main = [row for row in rows if call.has_main_table and row.condition == PASSAGE]
    results = BenchResults(
        runs={run.name: content_of(run) for run in call.runs},
        data=problems.data,
        problems=first.counts | ({ALTERNATIVES: alternatives.problems} if alternatives is not None else {}),
        left_out_alternatives=alternatives.left_out if alternatives is not None else {},
        chance=first.chance,
        systems=tuple(row.result for row in main),
        comparisons=comparisons(main),
        conditions=condition_table(rows, first, call.folds, problems.data, problems.left_out)
        if call.has_condition_table
        else None,
    )
    replace_file(call.runs[0].folder / RESULTS, jsonl.document(results))
    leave_section(call.runs[0].folder, "bench", section(results, call.runs[0]))
    return results
