"""suppress: selects problems so that no shallow baseline does better than its bound (paper, section 3).

Each article offers alternatives, and the program of ``selection.program`` selects at most one of them. The strict level is
solved first; the relaxed level adds problems to it. The paper's program is the special case of one alternative, pooled
bounds and no caps: its keep rates (``keep_rates``) decide for whole cells of problems, by a hash of the id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wdw_build.core.config.settings import SuppressConfig
from wdw_build.core.dataset_size import few_problems
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.rule import Rule
from wdw_build.core.stage import Context, Funnel, Stage
from wdw_build.errors import ConfigError, CorpusError
from wdw_build.ports import SOLVER, Solver
from wdw_build.records import AdversaryPredictions, Record, Rejection, SuppressionDecision
from wdw_build.stages.suppress.keep_rates import (
    UNBOUNDED,
    Bound,
    Cell,
    Entry,
    count,
    linear_program,
    select,
    within_bound,
)

_EPSILON = 1e-6


def cell_of(predictions: AdversaryPredictions) -> Cell:
    """The cell of a problem: which baselines and adversaries solved it, and its number of choices."""
    digits = (
        UNBOUNDED if name in predictions.unbounded else str(int(guess == predictions.answer))
        for name, guess in predictions.guesses.items()
    )
    return Cell("".join(digits), predictions.choices)


def _rates(entries: list[Entry], bound: Bound, least: Mapping[Cell, float], solver: Solver) -> dict[Cell, float]:
    """The keep rate of every cell; ``least`` are the rates of the level nested in this one."""
    counts = count(entries)
    program = linear_program(counts, bound, least)
    if least:
        rows = {name: (row, _loosened(row, limit, program.bounds)) for name, (row, limit) in program.rows.items()}
        program = program._replace(rows=rows)
    values = solver.solve(program)
    # Solvers return 0.9999999 for 1, and a draw could lie between the two.
    return {cell: min(1.0, max(least.get(cell, 0.0), round(values[cell.name], 9))) for cell in counts}


def _loosened(row: Mapping[str, float], limit: float, bounds: Mapping[str, tuple[float, float]]) -> float:
    """Loosens the bound by an epsilon if the rounded strict rates already exceed it.

    Otherwise two levels with the same bound would be infeasible.
    """
    return max(limit, sum(weight * bounds[key][0] for key, weight in row.items()) + _EPSILON)


def _check_relaxed(config: SuppressConfig, *, is_met: bool) -> None:
    """Raise ``ConfigError`` unless the strict problems, which are part of the relaxed ones, meet the relaxed bound.

    With pooled bounds, chance may be above a number: it depends on the numbers of choices of the selected problems. With
    bounds by number of choices, a number below chance means chance.
    """
    if not is_met:
        raise ConfigError(
            f"suppress.relaxed: a baseline exceeds {config.relaxed} on the strict problems already, where its bound is "
            f"{config.strict}",
            hint="set suppress.relaxed to chance, or to 0.5 or more, which is chance for two choices",
        )


class _Selection(NamedTuple):
    """What a level selects: id -> number of the alternative. ``rates``: the keep rate of each cell, if there are any.

    ``over_cap``: id -> the cap because of which an article has no selected problem.
    """

    kept: Mapping[str, int]
    rates: Mapping[Cell, float] | None
    over_cap: Mapping[str, str]


def _entries(predictions: list[AdversaryPredictions], seed: int) -> list[Entry]:
    """The problems of the paper's program. All are in memory, so equal cells share one object."""
    cells: dict[Cell, Cell] = {}
    return [
        Entry(one.id, cells.setdefault(cell_of(one), cell_of(one)), uniform_hash(seed, "suppress", one.id))
        for one in predictions
    ]


def by_rates(config: SuppressConfig, entries: list[Entry], solver: Solver) -> tuple[_Selection, _Selection]:
    """The strict and the relaxed selection of the paper's program.

    Raises ``ConfigError`` if the strict problems exceed the relaxed bound.
    """
    strict_rates = _rates(entries, config.strict, {}, solver)
    strict = select(entries, strict_rates, config.strict, frozenset())
    _check_relaxed(config, is_met=within_bound((entry for entry in entries if entry.id in strict), config.relaxed))
    relaxed_rates = _rates(entries, config.relaxed, strict_rates, solver)
    relaxed = select(entries, relaxed_rates, config.relaxed, strict)
    return (
        _Selection(dict.fromkeys(strict, 0), strict_rates, {}),
        _Selection(dict.fromkeys(relaxed, 0), relaxed_rates, {}),
    )


def _by_program(config: SuppressConfig, context: Context) -> tuple[_Selection, _Selection]:
    """The strict and the relaxed selection among all alternatives."""
    # NumPy is slow to import, and commands that run no stage must answer at once.
    from wdw_build.selection.offers import cap_reasons, offered, terms_of
    from wdw_build.selection.program import choose, excesses

    found = offered(
        (
            (context.find("dedup", one.id), one, frozenset(one.excluded), frozenset(one.unbounded))
            for one in context.read("adversary")
        ),
        context.seed,
    )
    solver = context.port(SOLVER)
    strict = choose(found.offers, terms_of(config, config.strict), solver)
    relaxed_terms = terms_of(config, config.relaxed)
    is_met = all(excess <= slack + _EPSILON for excess, slack in excesses(found.offers, relaxed_terms, strict).values())
    _check_relaxed(config, is_met=is_met)
    relaxed = choose(found.offers, relaxed_terms, solver, kept=strict)
    reasons = {found.ids[article]: cap for article, cap in cap_reasons(found.offers, relaxed_terms, relaxed).items()}
    return (
        _Selection(found.chosen(strict), None, reasons),
        _Selection(found.chosen(relaxed), None, reasons),
    )


def run(
    inputs: Iterator[AdversaryPredictions], config: SuppressConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Yield every selected problem with its cell and draw.

    Raises ``CorpusError`` if there is no problem to select from, or if fewer than ``min_kept`` strict problems are selected,
    and ``ConfigError`` if the strict problems exceed the relaxed bound.
    """
    total = context.inputs["adversary"].manifest.written
    if not total:
        raise CorpusError(
            "no article gave a problem, so there is no dataset",
            hint="wdw-build status and wdw-build inspect choices --rejected show why; use a larger corpus, or articles of the "
            "same days from several sources",
        )
    strict, relaxed = _selected(config, context)
    if len(strict.kept) < config.min_kept:
        raise CorpusError(
            f"suppression keeps {len(strict.kept)} of {total} problems, fewer than suppress.min_kept = {config.min_kept}",
            hint="use a larger corpus, or raise suppress.strict (0.5, say), or lower suppress.min_kept",
        )
    if warning := few_problems(len(strict.kept)):
        context.progress.say(f"suppress: {warning}")
    for predictions in inputs:
        number = relaxed.kept.get(predictions.id)
        if number is None:
            yield _rejection(predictions, relaxed.over_cap)
            continue
        selected = predictions.of(number)
        cell = cell_of(selected)
        yield SuppressionDecision(
            id=predictions.id,
            date=predictions.date,
            choices=selected.choices,
            cell=cell.pattern,
            draw=uniform_hash(context.seed, "suppress", predictions.id),
            strict_rate=strict.rates[cell] if strict.rates is not None else None,
            relaxed_rate=relaxed.rates[cell] if relaxed.rates is not None else None,
            strict=predictions.id in strict.kept,
            alternative=number,
            alternatives=1 + len(predictions.others),
        )


def _selected(config: SuppressConfig, context: Context) -> tuple[_Selection, _Selection]:
    has_caps = config.max_per_passage or config.max_per_event or config.max_per_answer
    if config.bounds == "pooled" and not has_caps:
        predictions = list(context.read("adversary"))
        if not any(one.others or one.excluded for one in predictions):
            return by_rates(config, _entries(predictions, context.seed), context.port(SOLVER))
    return _by_program(config, context)


def _rejection(predictions: AdversaryPredictions, over_cap: Mapping[str, str]) -> Rejection:
    if predictions.id in over_cap:
        return Rejection(id=predictions.id, reason=over_cap[predictions.id])
    cells = ", ".join(
        f"{cell.pattern} with {cell.choices} choices" for cell in dict.fromkeys(map(cell_of, predictions.each()))
    )
    return Rejection(id=predictions.id, reason="suppressed", detail=cells)


STAGE = Stage(
    name="suppress",
    version=3,
    reads=("adversary", "dedup"),
    writes=SuppressionDecision,
    config=SuppressConfig,
    run=run,
    ports=(SOLVER,),
    scope="set",
    unit="problems",
    funnel=Funnel("kept (strict and relaxed)"),
    seeded=True,
    summary="Select at most one alternative per article, so that no baseline exceeds its bound.",
    reasons={
        "suppressed": Rule(
            "no problem of this article fits within the bounds: baselines solve too many similar problems",
            ("bounds", "strict", "relaxed"),
        ),
        "passage-cap": Rule(
            "selected problems with the same passage already reach suppress.max_per_passage",
            ("max_per_passage",),
        ),
        "event-cap": Rule(
            "selected problems on the same event with the same answer already reach suppress.max_per_event",
            ("max_per_event",),
        ),
        "answer-cap": Rule(
            "selected problems with the same answer already reach suppress.max_per_answer",
            ("max_per_answer", "min_answer_cap"),
        ),
    },
)
