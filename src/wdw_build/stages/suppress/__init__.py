"""suppress: a linear program removes problems that shallow baselines solve (paper, section 3).

The strict level is solved first. The relaxed keep rates are at least as high, so that the strict problems are a subset of
the relaxed ones. Whether a problem is kept depends on a hash of its id, which is the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wdw_build.core.config.settings import SuppressConfig
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.stage import Context, ExpectedCost, Funnel, Stage, Trial
from wdw_build.errors import CorpusError
from wdw_build.ports import SOLVER, Solver
from wdw_build.records import AdversaryPredictions, Record, Rejection, SuppressionDecision
from wdw_build.stages.suppress.keep_rates import UNBOUNDED, Bound, Cell, Entry, count, linear_program, select

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


def _entries(context: Context) -> list[Entry]:
    """Every problem as an entry. All entries are in memory, so equal cells share one object."""
    cells: dict[Cell, Cell] = {}
    return [
        Entry(
            predictions.id,
            cells.setdefault(cell_of(predictions), cell_of(predictions)),
            uniform_hash(context.seed, "suppress", predictions.id),
        )
        for predictions in context.read("adversary")
    ]


def run(
    inputs: Iterator[AdversaryPredictions], config: SuppressConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Yield every kept problem with its cell, draw and rates. Raises ``CorpusError`` if too few strict problems are kept."""
    entries = _entries(context)
    solver = context.port(SOLVER)
    strict_rates = _rates(entries, config.strict, {}, solver)
    strict = select(entries, strict_rates, config.strict, frozenset())
    if len(strict) < config.min_kept:
        raise CorpusError(
            f"suppression keeps {len(strict)} of {len(entries)} problems, fewer than suppress.min_kept = {config.min_kept}",
            hint="use a larger corpus, or raise suppress.strict (0.5, say), or lower suppress.min_kept",
        )
    relaxed_rates = _rates(entries, config.relaxed, strict_rates, solver)
    relaxed = select(entries, relaxed_rates, config.relaxed, strict)
    for predictions, entry in zip(inputs, entries, strict=True):
        if entry.id not in relaxed:
            yield Rejection(
                id=entry.id, reason="suppressed", detail=f"{entry.cell.pattern}, {entry.cell.choices} choices"
            )
            continue
        yield SuppressionDecision(
            id=entry.id,
            date=predictions.date,
            choices=predictions.choices,
            cell=entry.cell.pattern,
            draw=entry.draw,
            strict_rate=strict_rates[entry.cell],
            relaxed_rate=relaxed_rates[entry.cell],
            strict=entry.id in strict,
        )


STAGE = Stage(
    name="suppress",
    version=1,
    reads=("adversary",),
    writes=SuppressionDecision,
    config=SuppressConfig,
    run=run,
    ports=(SOLVER,),
    scope="set",
    unit="problems",
    funnel=Funnel("kept (strict and relaxed)"),
    trial=Trial(most=0, expected=ExpectedCost(seconds=5e-4, share=0.85)),
    seeded=True,
    summary="Remove problems by a linear program, so that no baseline beats its bound.",
    reasons={"suppressed": "the baselines solve too many problems of the problem's cell"},
)
